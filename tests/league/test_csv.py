"""Are files of entrants read whole or not at all, and are tables written so that spreadsheets take no harm?"""

from fractions import Fraction

import pytest

from services.league.files.entrants_csv import Entry, merged, read
from services.league.files.tables_csv import cross_table, pairings, results, safe, standing, written
from services.league.record import ALLOCATED, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat
from services.league.ties.book import Facts, book
from services.league.ties.ranking import ranking
from tests.ledger import rule

F = Fraction
HEADER = "account,name,team,club,country,rating,seed,given_byes\n"
RECORDS = [Record(((Seat(1, 1), Seat(2, 2), Seat(3, 3)),), (Bye(4, ALLOCATED, F(1, 2)),))]


def faults(raw: bytes) -> list[str]:
    with pytest.raises(Refused) as refused:
        read(raw)
    assert refused.value.code == "bad_file"
    return list(map(str, refused.value.named))


@rule("LG-981")
def test_entrants_are_read():
    found = read((HEADER + 'a1,"Ada, the first",,Rooks,it,1850.25,1,2 5\nb2,Bo,,,,,,\n').encode())
    assert found == (Entry("a1", "Ada, the first", "", "Rooks", "it", F(7401, 4), 1, (2, 5)), Entry("b2", "Bo"))
    assert read(b"\xef\xbb\xbfname,account\nAda,a1\n") == (Entry("a1", "Ada"),)
    assert read(HEADER.encode()) == ()


@rule("LG-981", "LG-982")
def test_every_fault_is_named():
    found = faults((HEADER + "a1,Ada,,,,high,0,x\n,Bo,,,,,,\na1,Cy,,,,1e99999999999,1,\nd4,Dee\n").encode())
    assert [fault.split(":")[0] for fault in found[:4]] == ["line 2, column 6", "line 2, column 7", "line 2, column 8", "line 3, column 1"]
    assert any("line 5, column 3" in fault for fault in found)
    assert any("twice" in fault for fault in found)
    assert faults(b"account,shoe\na1,42\n") == ["line 1, column 2: 'shoe' is not known"]
    assert faults(b"") == faults(b"name\nAda\n")
    assert faults(b"account\n\xff\n") == ["byte 8"]


@rule("LG-983")
def test_the_same_file_again_changes_nothing():
    entries = [Entry("a1", "Ada"), Entry("b2", "Bo")]
    assert merged([], entries, update=False).new == tuple(entries)
    assert merged(entries, entries, update=False) == ((), ())
    with pytest.raises(Refused) as refused:
        merged(entries, [Entry("a1", "Ada Two")], update=False)
    assert refused.value.named == ("a1",)
    assert merged(entries, [Entry("a1", "Ada Two")], update=True).changed == (Entry("a1", "Ada Two"),)


@rule("LG-984")
@pytest.mark.parametrize(("cell", "wanted"), [
    ("=1+2", "'=1+2"), ("+cmd", "'+cmd"), ("-x", "'-x"), ("@here", "'@here"), ("-3", "-3"), ("+1/2", "+1/2"), ("-2.5", "-2.5"), ("a=b", "a=b")])
def test_no_cell_is_a_formula(cell, wanted):
    assert safe(cell) == wanted


@rule("LG-984", "LG-987", "LG-726")
def test_tables_are_exact_and_decimal():
    names = {1: "Ada", 2: "=Bo", 3: "Cy", 4: "Dee, last"}
    lines = ranking(book(range(1, 5), RECORDS, Rules(preferred=3), Facts(1, "plain-1")), ("P1", "BH"))
    text = standing(lines, names)
    assert text.splitlines()[:2] == ["rank,number,name,points,points_decimal,played,P1,P1_decimal,BH,BH_decimal", "1,1,Ada,1,1.0000,1,,,,"]
    assert "'=Bo,1/2,0.5000,1" in text
    assert len({line.count(",") for line in text.replace("Dee, last", "Dee").splitlines()}) == 1
    assert standing(lines, names) == text
    assert results(RECORDS, Rules(preferred=3), names).splitlines()[-1] == '1,,,4,"Dee, last",,allocated,1/2,0.5000'
    assert pairings([(3, 1)], names) == "table,seat,number,name\n1,1,3,Cy\n1,2,1,Ada\n"
    assert cross_table((1, 2, 3), RECORDS, names).splitlines()[1] == "1,Ada,,1-0,1-0"
    assert written([["-x", F(1, 3)]]) == "'-x,1/3,0.3333\n"


@rule("LG-984", "LG-721")
def test_results_are_written_with_the_points_of_the_model():
    table = Record(((Seat(1, 1, 30), Seat(2, 2, 10)),))
    for model, told in (("margin", ["20,20.0000", "-20,-20.0000"]), ("raw", ["30,30.0000", "10,10.0000"])):
        lines = results([table], Rules(model=model), {}).splitlines()[1:]
        assert [",".join(line.split(",")[-2:]) for line in lines] == told
