"""Is a stage written as TRF16 just as the format says, and read back the same?"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py4swiss.trf import TrfParser

from services.league.files.trf16 import BEFORE, Entrant, Stage, read, written
from services.league.record import ABSENT, ALLOCATED, FULL, NO_SHOW, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat
from tests.league.swiss2.events import RULES, event
from tests.ledger import rule

F = Fraction
ADA, BO, CY = 1, 2, 3
THREE = Stage("Club night", (Entrant(ADA, "Ada", 2100), Entrant(BO, "Bo"), Entrant(CY, "Cy", 1890)), (
    Record(((Seat(ADA, 1), Seat(CY, 2)),), (Bye(BO, ALLOCATED, F(1)),)),
    Record(((Seat(BO, 1), Seat(ADA, 1)),), (Bye(CY, ABSENT),)),
    Record(((Seat(CY, 1), Seat(BO, 2, how=NO_SHOW)),), (Bye(ADA, ALLOCATED, F(1)),))), 3)


def refused(stage: Stage, rules: Rules = RULES) -> str:
    with pytest.raises(Refused) as found:
        written(stage, rules)
    return found.value.code


@rule("LG-986", "E-54")
def test_three_entrants_in_three_rounds():
    lines = [line for line in written(THREE, RULES).splitlines() if line.startswith("001")]
    cells = [[line[at:at + 8].strip() for at in range(BEFORE, len(line), 10)] for line in lines]
    assert cells == [["3 w 1", "2 b =", "0000 - U"], ["0000 - U", "1 w =", "3 b -"], ["1 b 0", "0000 - Z", "2 w +"]]
    assert [line[80:84] for line in lines] == [" 2.5", " 1.5", " 1.0"]
    assert [line[85:89] for line in lines] == ["   1", "   2", "   3"]
    assert [line[4:8] + line[13:18].rstrip() for line in lines] == ["   1 Ada", "   2 Bo", "   3 Cy"]


@rule("LG-986", "LG-987")
def test_what_is_written_is_read_back_and_written_the_same():
    text = written(THREE, RULES)
    assert read(text) == THREE
    assert written(read(text), RULES) == text
    early = THREE._replace(records=THREE.records[:1])
    assert [line[80:84] for line in written(early, RULES).splitlines() if line.startswith("001")] == [" 1.0", " 1.0", " 0.0"]


@rule("LG-986")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_any_event_goes_there_and_back(seed):
    step = list(event(seed, 14))[-1]
    numbers = sorted({card.number for card in step.cards} | {bye.number for bye in step.byes})
    stage = Stage("event", tuple(Entrant(number, f"E{number}") for number in numbers), step.records, step.plan.rounds)
    text = written(stage, RULES)
    assert written(read(text), RULES) == text


@rule("LG-986")
def test_another_program_reads_it(tmp_path):
    path = tmp_path / "stage.trf"
    path.write_text(written(THREE, RULES))
    sections = TrfParser.parse(path).player_sections
    assert [(one.starting_number, one.name.strip(), one.points_times_ten) for one in sections] == [(1, "Ada", 25), (2, "Bo", 15), (3, "Cy", 10)]


@rule("LG-986")
def test_what_the_format_cannot_say():
    assert refused(Stage("x", (Entrant(1, "A"),), (Record(((Seat(1, 1), Seat(2, 2), Seat(3, 3)),)),), 1)) == "not_exportable"
    assert refused(THREE, Rules(draw=F(1, 3))) == "not_exportable"
    assert refused(THREE, Rules({2: (F(3), F(0))}, draw=F(1))) == "not_exportable"
    assert refused(THREE._replace(entrants=(Entrant(10_000, "A"),))) == "not_exportable"
    assert refused(THREE._replace(records=(Record((), (Bye(1, FULL, F(1, 2)),)),))) == "not_exportable"


@rule("LG-982")
def test_every_fault_of_a_file_is_named():
    text = written(THREE, RULES).replace("3 w 1", "3 w X").replace("   2 ", "  b2 ", 1)
    with pytest.raises(Refused) as found:
        read(text)
    assert found.value.code == "bad_file"
    assert len(found.value.named) == 3
    assert all("column" in str(fault) for fault in found.value.named)
    with pytest.raises(Refused):
        read(written(THREE, RULES).replace("  1 b 0", "  1 w 0"))
    with pytest.raises(Refused):
        read(written(THREE, RULES).replace("   3 b -", "   1 b -"))
