"""Do standings follow from places and the printed forfeit rule alone, whatever the end was like and wherever anybody sat (PL-253)?"""

from fractions import Fraction
from itertools import permutations, product

import pytest

from services.league.scoring import PLAYED, Rules, Seat, scored
from tests.league.tournament.desk import TWO, Desk, stage
from tests.ledger import rule

LEFT = ("timed_out", "resigned", "left", "disqualified", "bot_failed")     # PL-250, but for who played and who never came
PLACES = {2: [(1, 2), (1, 1)], 3: [(1, 2, 3), (1, 1, 3), (1, 2, 2), (1, 1, 1)], 4: [(1, 2, 3, 4), (1, 2, 2, 4), (1, 1, 3, 3)]}
RULES = [Rules(), Rules(draw=Fraction(1, 3)), Rules(leaver=Fraction(-1)), Rules({3: (Fraction(5), Fraction(2), Fraction(0))}, preferred=3)]


@rule("PL-253")
@pytest.mark.parametrize("rules", RULES)
def test_points_are_the_same_in_every_seat_order(rules: Rules) -> None:
    for seats, tables in PLACES.items():
        for places, hows in product(tables, ([PLAYED] * seats, [PLAYED] * (seats - 1) + ["resigned"])):
            table = [Seat(number, place, how=how) for number, (place, how) in enumerate(zip(places, hows, strict=True), start=1)]
            told = scored(table, rules)
            assert all(scored(order, rules) == told for order in permutations(table))


@rule("PL-253", "PL-250")
@pytest.mark.parametrize("rules", RULES)
def test_every_way_of_leaving_is_one_forfeit_and_changes_nothing_for_the_others(rules: Rules) -> None:
    for seats in PLACES:
        tables = [[*(Seat(number, number) for number in range(1, seats)), Seat(seats, seats, how=how)] for how in (*LEFT, PLAYED)]
        told = [scored(table, rules) for table in tables]
        assert all(one == told[0] for one in told[:-1])
        assert [told[0][number] for number in range(1, seats)] == [told[-1][number] for number in range(1, seats)]


@rule("PL-253", "PL-250")
@pytest.mark.parametrize("how", LEFT)
def test_standings_are_the_same_whichever_way_a_seat_was_left(how: str) -> None:
    """A whole tournament, the losers of which have left their seats in this way; and one that is played out, but for its `how`."""
    shown = []
    for way in (how, "resigned"):
        desk = Desk(stage("round_robin", TWO))
        desk.field(4)
        desk.host("start")
        while desk.state.life == "running":
            for _, (first, second), match in desk.open() or [("", (0, 0), "")]:
                if match:
                    desk.end(match, [1, 2] if first < second else [2, 1], how=[PLAYED, way] if first < second else [way, PLAYED])
                elif desk.until_due() is None:
                    raise AssertionError("it rests")
        assert desk.state.life == "finished"
        shown.append([(line["rank"], line["number"], line["points"]) for line in desk.page("standing/1")["lines"]])
    assert shown[0] == shown[1]
