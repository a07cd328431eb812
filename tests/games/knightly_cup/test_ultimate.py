"""The Ultimate Challenge (KC-102, KC-103, KC-881 to KC-896)."""

from services.knightly_cup.commands import (
    AttackBack,
    BeginUltimateChallenge,
    ChooseOpponent,
    EndCombat,
    Step,
    Stop,
    TakeCoins,
    TakeNothing,
)
from services.knightly_cup.game import GAME
from services.knightly_cup.state import SUITS, State
from tests.games.knightly_cup.tables import PLACE, answers, decides, do, members, offered, refusal, rich, row, timed_out, turned
from tests.ledger import rule

WON = (1, 1, 6, 6)
HELD = (6, 6, 1, 1)
BEGIN = BeginUltimateChallenge()


def ready(seats: int = 3, **more: object) -> State:
    """Knight 0 is at home with all four Standards."""
    others = ("6_spades", "Q_diamonds", "10_diamonds")[: seats - 1]
    return row("A_clubs", *others, seats=seats, **more).with_knight(0, standards=SUITS)


@rule("KC-103", "KC-881")
def test_all_four_kinds_are_needed() -> None:
    assert BEGIN.do in offered(ready(), 0)
    assert refusal(ready().with_knight(0, standards=SUITS[:3]), 0, BEGIN) == "not_a_choice"


@rule("KC-848", "KC-882", "KC-896", "KC-838")
def test_all_knights_are_called_even_out_of_asylum() -> None:
    state = do(ready(), 0, BEGIN)
    assert {knight.at for knight in state.knights} == {PLACE["A_clubs"]}
    assert (state.turn.seat, state.beaten) == (0, ())


@rule("KC-883", "KC-885")
def test_one_combat_each_in_the_order_of_her_choice() -> None:
    state = do(ready(4), 0, BEGIN)
    assert members(state, 0, ChooseOpponent, "knight") == [1, 2, 3]
    state = do(do(state, 0, ChooseOpponent(2), *WON), 0, TakeCoins(5))
    assert (state.beaten, members(state, 0, ChooseOpponent, "knight")) == ((2,), [1, 3])


@rule("KC-102", "KC-884", "KC-885")
def test_with_two_players_one_victory_wins_at_once() -> None:
    state = do(ready(2), 0, BEGIN, *WON)
    assert (state.stage, state.winner, GAME.result(state)) == ("over", 0, {0: 1, 1: 2})


@rule("KC-102", "KC-883")
def test_the_last_victory_wins_the_game() -> None:
    state = do(do(ready(), 0, BEGIN), 0, ChooseOpponent(2), *WON)
    after = do(state, 0, TakeNothing(), *WON)
    assert (after.stage, after.winner) == ("over", 0)
    assert GAME.legal(after, 1) == ()


@rule("KC-887")
def test_an_opponent_who_dies_counts_as_defeated() -> None:
    state = rich(ready(4), 1, 0, standards=("clubs",))
    state = do(do(state, 0, BEGIN), 0, ChooseOpponent(1), *WON)
    assert (state.beaten, state.knights[1].at) == ((1,), PLACE["Q_diamonds"])


@rule("KC-888")
def test_a_defeat_fails_the_challenge() -> None:
    state = do(do(ready(), 0, BEGIN), 0, ChooseOpponent(1), *HELD)
    state = do(do(state, 1, AttackBack(), *WON), 1, TakeCoins(5))
    assert (state.beaten, state.turn.seat, state.knights[0].coins) == (None, 1, 0)


@rule("KC-889", "KC-890", "KC-891")
def test_an_opponent_who_holds_and_ends_it_fails_it_too() -> None:
    state = do(do(ready(), 0, BEGIN), 0, ChooseOpponent(2), *WON)
    state = do(do(state, 0, TakeNothing(), *HELD), 1, EndCombat())
    assert (state.beaten, state.turn.seat) == (None, 1)
    assert {knight.at for knight in state.knights} == {PLACE["A_clubs"]}
    assert "step" in offered(state, 1)
    assert do(state, 1, Step("right")).turn.seat == 1


@rule("KC-892", "KC-326")
def test_she_may_try_again_by_waiting_there() -> None:
    state = turned(ready(), last="began", entered=False, moves=2)
    walking = do(GAME.state(**{name: getattr(state, name) for name in state.__struct_fields__} | {"stage": "walk"}), 0, Stop())
    assert BEGIN.do in offered(walking, 0)


@rule("KC-893")
def test_opponents_of_this_turn_are_fought_again() -> None:
    state = do(turned(ready(), challenged=(1, 2)), 0, BEGIN)
    assert members(state, 0, ChooseOpponent, "knight") == [1, 2]


@rule("KC-814")
def test_no_trade_between_the_combats() -> None:
    assert answers(do(ready(), 0, BEGIN), 0) == ["choose_opponent"]


@rule("KC-883", "KC-915")
def test_the_clock_chooses_the_weakest() -> None:
    state = do(rich(ready(), 1, 5, "sword"), 0, BEGIN)
    assert GAME.default(state, 0) == ChooseOpponent(2)
    assert decides(timed_out(state, 0, 6, 6, 1, 1)) == 2
