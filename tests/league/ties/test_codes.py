"""Is each tie-break exactly what its formula says?"""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.formats.berger import schedule
from services.league.record import ABSENT, ALLOCATED, HALF, NO_SHOW, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat, margins, shown
from services.league.ties.book import Facts, book, contributions
from services.league.ties.codes import checked, code, defaults
from services.league.ties.ranking import ranking
from services.league.withdrawals import late_byes, late_entry_is_open, without
from tests.league.swiss2.events import RULES, event
from tests.ledger import rule

F = Fraction
A, B, C, D, E, G = range(1, 7)          # G is the sixth of the worked example


def won(one: int, other: int) -> tuple[Seat, Seat]:
    return Seat(one, 1), Seat(other, 2)


def drawn(one: int, other: int) -> tuple[Seat, Seat]:
    return Seat(one, 1), Seat(other, 1)


SIX = [
    Record((won(A, D), drawn(B, E), won(C, G))),
    Record((drawn(A, B), won(E, C)), (Bye(D, ALLOCATED, F(1)), Bye(G, HALF, F(1, 2)))),
    Record((won(A, E), (Seat(C, 1), Seat(D, 2, how=NO_SHOW))), (Bye(B, ALLOCATED, F(1)), Bye(G, ABSENT))),
    Record((won(G, A), won(B, D)), (Bye(C, ABSENT), Bye(E, ALLOCATED, F(1)))),
]
FIELD = range(1, 7)


def six(version: str):
    return book(FIELD, SIX, RULES, Facts(4, version))


def values(found, name: str) -> list[F]:
    return list(code(name)(sorted(found.rows), found).values())


def stage(*tables, field, **facts):
    return book(field, [Record((table,)) for table in tables], RULES, Facts(len(tables), "plain-1", **facts))


@rule("LG-750", "LG-766", "LG-767", "LG-768", "LG-769", "E-28")
@pytest.mark.parametrize(("version", "wanted"), [
    ("plain-1", [8, 6, 4, F(11, 2), F(15, 2), F(9, 2)]), ("virtual-1", [8, 9, 8, F(15, 2), F(21, 2), 8]), ("virtual-2", [8, 8, 7, F(15, 2), 10, 8])])
def test_buchholz_of_six(version, wanted):
    found = six(version)
    assert list(found.totals.values()) == [F(5, 2), 3, 2, 1, F(5, 2), F(3, 2)]
    assert values(found, "BH") == wanted


@rule("LG-750", "LG-741", "E-29")
def test_who_of_two_level_ones_is_ahead():
    plain, virtual = six("plain-1"), six("virtual-2")
    assert (values(plain, "BH")[A - 1], values(plain, "BH")[E - 1]) == (8, F(15, 2))
    assert (values(plain, "SB")[A - 1], values(plain, "SB")[E - 1]) == (5, F(7, 2))
    assert (values(virtual, "BH-C1")[A - 1], values(virtual, "BH-C1")[E - 1]) == (7, 8)
    assert (values(virtual, "SB")[A - 1], values(virtual, "SB")[E - 1]) == (5, 6)
    assert values(virtual, "BH-C1")[C - 1] == 5
    order = {version: [line.number for line in ranking(six(version), ("BH-C1", "BH", "SB"))] for version in ("plain-1", "virtual-2")}
    assert order["plain-1"].index(A) < order["plain-1"].index(E)
    assert order["virtual-2"].index(E) < order["virtual-2"].index(A)


@rule("LG-750", "E-30")
def test_progress_and_fore():
    found = six("plain-1")
    assert values(found, "PS") == [F(15, 2), F(13, 2), 6, 3, 6, F(5, 2)]
    assert values(found, "FB")[A - 1] == F(15, 2)
    assert values(book(FIELD, SIX[:3], RULES, Facts(4, "plain-1")), "FB") == values(book(FIELD, SIX[:3], RULES, Facts(4, "plain-1")), "BH")


@rule("LG-747", "E-31")
def test_direct_encounter_with_a_missing_meeting():
    found = stage(won(1, 2), won(1, 3), field=(1, 2, 3))
    de = code("DE")((1, 2, 3), found)
    assert de[1] > de[2] == de[3]


@rule("LG-746")
def test_direct_encounter():
    found = stage(won(1, 2), won(1, 3), drawn(2, 3), field=(1, 2, 3))
    assert code("DE")((1, 2, 3), found) == {1: 2, 2: F(1, 2), 3: F(1, 2)}


@rule("LG-748", "E-32")
def test_head_to_head_at_shared_tables():
    tables = [(Seat(1, 1), Seat(9, 2), Seat(2, 3)), (Seat(2, 1), Seat(1, 2), Seat(9, 3), Seat(3, 4)), (Seat(3, 1), Seat(1, 2))]
    assert code("H2H")((1, 2, 3), stage(*tables, field=(1, 2, 3, 9))) == {1: 0, 2: 1, 3: -1}


@rule("LG-749", "E-33")
def test_common_opponents():
    tables = [won(1, 8), won(1, 9), won(9, 1), drawn(2, 8), won(2, 9), drawn(9, 2)]
    assert code("CO")((1, 2), stage(*tables, field=(1, 2, 8, 9))) == {1: 2, 2: 2}


@rule("LG-750", "LG-721", "E-34")
def test_differences_of_scores():
    table = [Seat(1, 1, 41), Seat(2, 2, 30), Seat(3, 3, 28), Seat(4, 4, 17)]
    assert (margins(table, None)[1], margins(table, 12)[1]) == (16, 12)
    found = book(range(1, 5), [Record((tuple(table),))], Rules(preferred=4, margin_cap=12), Facts(1, "plain-1"))
    assert (values(found, "SD")[0], values(found, "SF")) == (12, [41, 30, 28, 17])


@rule("LG-750")
def test_the_plain_codes():
    tables = ((Seat(1, 1), Seat(2, 1), Seat(3, 3)), (Seat(2, 1), Seat(1, 2), Seat(4, 3, how="left")), (Seat(3, 1), Seat(4, 2, how=NO_SHOW)))
    facts = Facts(3, "plain-1", hard={3: 1}, ratings={1: 100, 2: 300, 3: 500, 4: 900}, entered={1: 9, 2: 3}, lots={1: 2, 2: 1, 3: 4, 4: 3})
    records = [Record((tables[0],), (Bye(4, ALLOCATED, F(1)),)), Record((tables[1],), (Bye(3, ABSENT),)), Record((tables[2],))]
    found = book(range(1, 5), records, Rules(preferred=3), facts)
    assert values(found, "WON") == [0, 1, 0, 0]
    assert values(found, "WIN") == [0, 1, 1, 1]
    assert values(found, "P1") == [F(1, 2), F(3, 2), 0, 0]
    assert values(found, "P2") == [F(3, 2), F(1, 2), 0, 0]
    assert values(found, "P3") == [0, 0, 1, 0]
    assert values(found, "HS") == [1, 1, 0, 0]
    assert values(found, "HW") == [0, 0, 0, 0]
    assert values(found, "ARO") == [500, 400, 200, 200]
    assert values(found, "ARO-C1")[2] == 0
    assert values(found, "REP") == [2, 2, 2, 2]
    assert values(found, "RTG") == [100, 300, 500, 900]
    assert values(found, "SEED") == [-1, -2, -3, -4]
    assert values(found, "ERL")[:2] == [-9, -3]
    assert values(found, "LOT") == [-2, -1, -4, -3]


@rule("LG-750")
def test_last_round_first():
    found = stage(won(1, 2), won(2, 1), won(1, 2), field=(1, 2))
    last = code("LAST")((1, 2), found)
    assert last[1] > last[2]


@rule("LG-750")
def test_against_the_upper_half():
    tables = [won(1, 2), won(3, 4), won(1, 3), won(2, 4), won(4, 1), won(2, 3)]
    found = book(range(1, 5), [Record(tuple(tables[at:at + 2])) for at in (0, 2, 4)], RULES, Facts(3, "plain-1"))
    assert values(found, "KO") == [1, 0, 0, 1]


@rule("LG-744", "LG-745")
def test_opponents_of_a_larger_table_count_as_their_mean():
    table = (Seat(1, 1), Seat(2, 2), Seat(3, 2), Seat(4, 4))
    found = book(range(1, 5), [Record((table,))], Rules(preferred=4), Facts(1, "plain-1"))
    assert values(found, "BH")[0] == F(1, 3)
    assert values(found, "SB")[1] == (F(1, 2) * F(1, 2)) / 3
    assert contributions(found, 2)[0].worth == F(1, 2)


@rule("LG-773", "LG-769")
def test_draw_points_at_larger_tables():
    records = [Record(((Seat(1, 1), Seat(2, 2), Seat(3, 3)),), (Bye(4, ABSENT),))]
    found = book(range(1, 5), records, Rules(preferred=3), Facts(1, "virtual-2"))
    assert found.adjusted[4] == F(1, 2)


@rule("LG-770", "LG-306")
def test_a_rest_is_nothing():
    records = [Record((won(1, 2),)), Record((won(1, 3),)), Record((won(2, 3),))]
    for version in ("plain-1", "virtual-1", "virtual-2"):
        assert values(book((1, 2, 3), records, RULES, Facts(3, version)), "BH") == [1, 2, 3]


@rule("LG-770", "LG-750")
@pytest.mark.parametrize("version", ["plain-1", "virtual-1", "virtual-2"])
def test_a_forfeit_of_a_round_robin_counts_against_whom_the_schedule_has(version):
    lonely, nobody = (Seat(1, 1), Seat(3, 2, how=NO_SHOW)), (Seat(2, 1, how=NO_SHOW), Seat(4, 1, how=NO_SHOW))
    records = [Record((won(1, 2), won(3, 4))), Record((lonely, nobody)), Record((won(1, 4), won(2, 3)))]
    found = book(range(1, 5), records, RULES, Facts(3, version, scheduled=True, matches=3))
    assert values(found, "BH") == [1 + 1 + 0, 3 + 0 + 1, 0 + 3 + 1, 1 + 1 + 3]
    assert values(found, "SB") == [1 + 1 + 0, 1, 0, 0]


@rule("LG-750", "LG-306")
def test_half_of_what_can_be_won_leaves_out_the_rests():
    records = [Record((won(2, 5), drawn(3, 4))), Record((won(1, 2), won(5, 3))), Record((won(3, 1), won(4, 5))), Record((won(1, 4), won(3, 2))),
               Record((won(5, 1), won(2, 4)))]
    found = book(range(1, 6), records, RULES, Facts(5, "plain-1", scheduled=True, matches=4))
    assert [found.totals[number] for number in range(1, 6)] == [2, 2, F(5, 2), F(3, 2), 2]
    assert values(found, "KO") == [1, 1, 2, F(3, 2), 2]


@rule("LG-750")
def test_progress_without_more_totals_than_there_are_is_nothing():
    found = book((1, 2), [Record((won(1, 2),))], RULES, Facts(5))
    assert values(found, "PS-C3") == [0, 0]


@rule("LG-742", "LG-772")
def test_lists():
    assert defaults("swiss", 2, scores=False) == ("BH-C1", "BH", "SB", "PS", "WON", "LOT")
    assert defaults("round_robin", 2, scores=False) == ("DE", "WON", "SB", "LOT")
    assert defaults("round_robin", 5, scores=True) == ("P1", "P2", "H2H", "BH", "SD", "LOT")
    assert defaults("elimination", 2, scores=True) == ()
    for kind, seats, scores in (("swiss", 2, False), ("round_robin", 2, True), ("round_robin", 4, True), ("arena", 3, False)):
        assert checked(defaults(kind, seats, scores=scores), kind, seats, scores=scores)
    for name, kind in (("KO", "swiss"), ("BH", "round_robin"), ("SD", "swiss"), ("FB", "arena"), ("PS", "elimination"), ("XX", "swiss"),
                       ("BH-C0", "swiss"), ("P", "swiss"), ("H2H", "swiss")):
        with pytest.raises(Refused) as refused:
            checked([name], kind, 2, scores=False)
        assert refused.value.code == "bad_setting"


@rule("LG-741", "LG-743", "LG-801", "LG-803", "LG-1021")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(seed, chance):
    step = list(event(seed, 12))[-1]
    field = [card.number for card in step.cards]
    records = [Record(tuple(chance.sample(one.tables, len(one.tables))), tuple(chance.sample(one.byes, len(one.byes)))) for one in step.records]
    everybody = {*field, *(seat.number for one in records for table in one.tables for seat in table), *(bye.number for one in records for bye in one.byes)}
    codes = defaults("swiss", 2, scores=False)[:-1]
    lines = ranking(book(everybody, step.records, RULES, Facts(9)), codes)
    assert ranking(book(chance.sample(sorted(everybody), len(everybody)), records, RULES, Facts(9)), codes) == lines
    for above, line in itertools.pairwise(lines):
        assert line.rank in {above.rank, lines.index(line) + 1}


@rule("LG-652", "E-69")
def test_points_of_nine_entrants_add_up():
    for seed in range(20):
        for step in event(seed, 20):
            rounds = book({card.number for card in step.cards}, step.records, RULES, Facts(9))
            assert all(worth >= 0 for worth in rounds.totals.values())
    four = [Record(tuple(won(one, one + 4) for one in range(1, 5)), (Bye(9, ALLOCATED, F(1)),)) for _ in range(4)]
    assert sum(book(range(1, 10), four, RULES, Facts(4)).totals.values()) == 20


@rule("LG-234", "E-56")
def test_who_leaves_a_round_robin():
    rounds = [one.tables for one in schedule(6)]

    def records(number: int, matches: int) -> list[Record]:
        return [Record(tuple(won(*table) for table in one if number not in table or at < matches)) for at, one in enumerate(rounds)]

    early = without(records(1, 2), rounds, [1])
    assert not any(1 in {seat.number for seat in table} for record in early for table in record.tables)
    late = without(records(1, 3), rounds, [1])
    own = [table for record in late for table in record.tables if 1 in {seat.number for seat in table}]
    assert len(own) == 5
    assert [next(seat.how for seat in table if seat.number == 1) for table in own] == ["played"] * 3 + [NO_SHOW] * 2


@rule("LG-229", "LG-227", "E-57")
def test_late_points():
    assert sum(bye.points for bye in late_byes(9, 3, F(1, 2), 8, RULES)) == F(3, 2)
    assert sum(bye.points for bye in late_byes(9, 5, F(1, 2), 8, RULES)) == 2
    assert [late_entry_is_open(number, 8) for number in (4, 5, 6)] == [True, True, False]


@rule("LG-726", "E-61")
@pytest.mark.parametrize(("value", "text"), [(F(13, 3), "4.3333"), (F(11575, 44), "263.0682"), (F(1, 32), "0.0312"), (F(-7, 3), "-2.3333")])
def test_displays(value, text):
    assert shown(value) == text
