"""Three corners: GG-281 to GG-295."""

import pytest

from services.golden_goal.commands import BetGoals, BetMoney, DeclineBet, LeaveColour, TurnGreen
from tests.games.golden_goal.tables import (
    GREEN,
    MILLION,
    RED,
    YELLOW,
    at,
    cash,
    deck,
    do,
    landing,
    markers,
    offered,
    question,
    refused,
    rolls,
    table,
)
from tests.ledger import rule


def _increase(**changes):
    """Seat 0 stands on capital increase."""
    options = changes.pop("options", None)
    return rolls(landing(table(3, options, **changes), 18), 3, 4)


@rule("GG-281")
def test_takings_by_the_pips() -> None:
    assert cash(rolls(at(table(), 0, 0), 5, 4))[0] == 10_900_000


@rule("GG-282")
def test_a_card_brings_takings_for_the_roll_of_the_turn() -> None:
    from services.golden_goal.commands import TakeBranch

    state = rolls(landing(deck(table(), "N15"), 7), 3, 4)
    assert cash(do(state, 0, TakeBranch("a")))[0] == 10_700_000


@rule("GG-284")
def test_one_bet_or_none() -> None:
    state = _increase()
    assert question(state, 0) == "bet"
    assert question(do(state, 0, DeclineBet()), 0) == "free"
    assert question(do(state, 0, BetMoney(MILLION), YELLOW), 0) == "free"


@rule("GG-285")
def test_one_to_three_goal_actions_or_up_to_three_million() -> None:
    state = _increase(marker={0: 9})
    assert [refused(state, 0, BetGoals(count)) for count in (0, 1, 3, 4)] == [True, False, False, True]
    assert [refused(state, 0, BetMoney(sum_)) for sum_ in (0, 100_000, 3 * MILLION, 3_100_000)] == [True, False, False, True]


@rule("GG-286")
def test_no_money_bet_above_the_cash() -> None:
    state = _increase(cash={0: 2 * MILLION})
    assert refused(state, 0, BetMoney(3 * MILLION))
    assert not refused(state, 0, BetMoney(2 * MILLION))


@rule("GG-287")
def test_a_goal_bet_needs_the_marker() -> None:
    assert refused(_increase(marker={0: 2}), 0, BetGoals(3))
    assert "bet_goals" not in offered(_increase(marker={0: 0}), 0)


@rule("GG-287")
def test_without_that_rule_the_marker_stays_on_the_track() -> None:
    free = {"capital_goal_bet_needs_marker": False}
    assert not refused(_increase(options=free, marker={0: 0}), 0, BetGoals(3))
    assert refused(_increase(options=free, marker={0: -8}), 0, BetGoals(3))


@rule("GG-288", "GG-289")
@pytest.mark.parametrize(("face", "money", "marker"), [(GREEN, 12, 4), (YELLOW, 10, 2), (RED, 8, 0)])
def test_green_wins_yellow_returns_red_loses(face, money, marker) -> None:
    assert cash(do(_increase(), 0, BetMoney(2 * MILLION), face))[0] == money * MILLION
    assert markers(do(_increase(marker={0: 2}), 0, BetGoals(2), face))[0] == marker


@rule("GG-290")
def test_a_win_stops_at_the_end_of_the_track() -> None:
    assert markers(do(_increase(marker={0: 9}), 0, BetGoals(3), GREEN))[0] == 10


@rule("GG-291")
def test_the_bet_may_be_turned_green() -> None:
    state = do(_increase(die_tokens={0: 1}), 0, BetMoney(MILLION), RED)
    assert cash(do(state, 0, TurnGreen("die_token")))[0] == 11 * MILLION
    assert cash(do(state, 0, LeaveColour()))[0] == 9 * MILLION


@rule("GG-293", "GG-294", "GG-295")
@pytest.mark.parametrize(("before", "after"), [(-4, -2), (0, 1), (5, 4), (-1, 1)])
def test_goalmouth_scramble(before, after) -> None:
    assert markers(rolls(landing(table(marker={0: before}), 27), 3, 4))[0] == after
