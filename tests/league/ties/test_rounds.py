"""Do the rounds of a tie-break value come to the value, with what was cut marked?"""

from fractions import Fraction

import pytest

from services.league.refusals import Refused
from services.league.ties.codes import code
from services.league.ties.rounds import by_round
from tests.league.ties.test_codes import FIELD, A, B, C, six
from tests.ledger import rule

F = Fraction
ADDED = ("BH", "BH-C1", "BH-C2", "BH-M1", "FB", "SB", "SB-C1", "PS", "PS-C1", "PS-C2", "WIN", "WON", "P1", "P2", "HS", "HW", "KO", "SD", "SF", "REP")


@rule("LG-771")
@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize("version", ["plain-1", "virtual-1", "virtual-2"])
def test_what_was_kept_adds_up_to_the_value(name, version):
    found = six(version)
    for number in FIELD:
        assert sum((share.value for share in by_round(found, number, name) if not share.left_out), F(0)) == code(name)([number], found)[number]


@rule("LG-771", "LG-750")
def test_the_absence_of_the_worked_example_is_cut_first():
    found = by_round(six("virtual-2"), C, "BH-C1")
    assert [(share.round, share.kind, share.left_out) for share in found] == [
        (1, "played", False), (2, "played", False), (3, "forfeit_win", False), (4, "absent", True)]
    assert [share.value for share in found][2:] == [1, 2]


@rule("LG-771", "LG-770")
def test_means_groups_and_codes_without_rounds():
    found = six("plain-1")
    assert [share.value for share in by_round(found, A, "AOB")] == [code("BH")([one], found)[one] for one in (4, 2, 5, 6)]
    assert by_round(found, A, "SEED") == ()
    assert [(share.round, share.value) for share in by_round(found, A, "DE", [A, B])] == [(2, F(1, 2))]
    assert [(share.round, share.value) for share in by_round(found, A, "H2H", [A, 4])] == [(1, 1)]
    assert sum(share.value for share in by_round(found, A, "CO", [A, B])) == code("CO")([A, B], found)[A]
    assert [share.value for share in by_round(found, A, "LAST")] == [1, F(1, 2), 1, 0]
    with pytest.raises(Refused):
        by_round(found, A, "XX")


@rule("LG-771", "LG-768", "LG-770")
def test_a_round_says_against_whom_it_counts():
    found = by_round(six("virtual-2"), C, "BH")
    assert [(share.opponents, share.virtual) for share in found] == [((6,), False), ((5,), False), ((4,), True), ((), True)]
