"""The order of turns, clocks and time-outs (KC-303 to KC-309, KC-915)."""

import pytest

from services.knightly_cup import content
from services.knightly_cup.commands import Challenge, EndTurn, Flip, LetTimePass, Stop
from services.knightly_cup.game import GAME
from services.knightly_cup.rules.turn import TURN
from services.knightly_cup.state import State
from shared.kernel.match import Match, answer, time_out
from tests.games.knightly_cup.tables import decides, dice, do, found_elves, laid, opened, row, timed_out, walking
from tests.ledger import rule


@rule("KC-303")
def test_the_order_of_a_game() -> None:
    assert [part.stage for part in TURN] == ["aces", "laying", "roll", "walk", "land", "over"]


@rule("KC-106", "KC-303")
def test_the_next_player_clockwise_follows() -> None:
    state = row("7_clubs", "A_clubs", "6_spades", seats=3)
    after = do(state, 0, EndTurn())
    assert (after.turn.seat, after.round) == (1, 1)


@rule("KC-308", "KC-915")
def test_when_time_runs_out_movement_stops_the_card_is_flipped_and_the_turn_ends() -> None:
    state = walking("7_clubs", "A_clubs", down=("7_clubs",))
    assert GAME.default(state, 0) == Stop()
    state = timed_out(state, 0)
    assert GAME.default(state, 0) == Flip()
    state = timed_out(state, 0)
    assert GAME.default(state, 0) == EndTurn()
    assert timed_out(state, 0).turn.seat == 1


@rule("KC-309")
def test_the_decisions_of_a_turn_share_a_clock() -> None:
    state = walking("7_clubs", "A_clubs")
    question = GAME.question(state, 0)
    later = GAME.question(do(state, 0, Stop()), 0)
    assert question is not None
    assert later is not None
    assert (question.name, question.about, question.limit_name) == (later.name, later.about, "turn")


@rule("KC-309")
def test_answers_and_laying_have_clocks_of_their_own() -> None:
    asked = {
        "answer": GAME.question(do(row("7_clubs", "7_clubs"), 0, Challenge(1), 6, 6, 1, 1), 1),
        "lay": GAME.question(laid(first=1), 0),
    }
    assert {clock: question and question.limit_name for clock, question in asked.items()} == {"answer": "answer", "lay": "lay"}
    clocks = content.BASE.clocks.normal
    assert (clocks.turn, clocks.answer, clocks.lay) == (120, 30, 45)


@rule("KC-304")
def test_others_are_asked_for_nothing_but_their_asylum() -> None:
    question = GAME.question(row("7_clubs", "A_clubs"), 1)
    assert question is not None
    assert (question.name, question.needed) == ("asylum", False)


@rule("KC-915")
@pytest.mark.parametrize("state", [opened(), laid(first=1), found_elves()])
def test_what_must_be_drawn_is_drawn_by_the_clock(state: State) -> None:
    assert GAME.default(state, decides(state) or 0) == LetTimePass()


@rule("KC-915")
def test_a_slow_player_is_still_in_the_game() -> None:
    state = row("7_clubs", "A_clubs")
    match = Match(1, state, (), None, (0, 0))
    after, _ = time_out(GAME, match, 0, dice(3))
    assert (after.missed, after.state.staying()) == ((1, 0), (0, 1))
    assert answer(GAME, after, 1, Stop(), dice())[0].missed == (1, 0)
