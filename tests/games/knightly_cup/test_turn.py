"""The order of turns, clocks and time-outs (KC-303 to KC-309, KC-915), and commands that the rules do not allow."""

from typing import Any

import pytest

from services.knightly_cup import content
from services.knightly_cup.commands import Challenge, EndTurn, Flip, LetTimePass, OpenBribe, RecoverStandard, Step, Stop
from services.knightly_cup.game import GAME
from services.knightly_cup.rules.turn import TURN
from services.knightly_cup.state import State
from shared.kernel.match import Match, answer, time_out
from tests.games.knightly_cup.tables import (
    PLACE,
    decides,
    dice,
    do,
    found_elves,
    laid,
    opened,
    rich,
    row,
    timed_out,
    turned,
    walking,
)
from tests.ledger import rule
from tests.sitting import Sitting, facts_of


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


@rule("KC-705", "KC-915")
def test_when_time_runs_out_at_home_the_own_standard_is_taken_back_but_nobody_begs() -> None:
    state = rich(row("A_clubs", "7_clubs", down=("A_clubs",)).with_knight(0, standards=("hearts",)), 0, 0)
    state = timed_out(state, 0)
    assert GAME.default(state, 0) == RecoverStandard()
    state = timed_out(state, 0)
    assert (state.knights[0].standards, GAME.default(state, 0)) == (("clubs", "hearts"), EndTurn())
    assert GAME.default(turned(state.with_knight(0, standards=()), visited=PLACE["7_clubs"]), 0) == EndTurn()


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


def sat(state: State, **clock: Any) -> Sitting:
    """A match under the normal clocks: 120 s for a turn, 30 for an answer."""
    return Sitting(GAME, len(state.knights), clock={"preset": "normal"} | clock).begun().at(state)


def left(sitting: Sitting, seat: int) -> float:
    """The seconds that a seat still has."""
    due = sitting.clock(seat).due
    assert due is not None
    return (due - sitting.now) / 1000


@rule("KC-309", "KC-805")
def test_the_clock_of_the_turn_stands_still_while_an_offer_is_answered() -> None:
    sitting = sat(row("7_clubs", "7_clubs"))
    sitting.later(50)
    sitting.act(0, "offer_passage", knight=1, promise="")
    assert left(sitting, 1) == 30
    sitting.later(25)
    sitting.act(1, "refuse_offer")
    assert left(sitting, 0) == 70
    sitting.act(0, "offer_passage", knight=1, promise="")
    sitting.run_out(1)
    assert left(sitting, 0) == 70


@rule("KC-309", "KC-805")
def test_what_the_active_knight_answers_to_a_counter_offer_is_part_of_her_turn() -> None:
    sitting = sat(row("7_clubs", "7_clubs"))
    deal = {"with": "1", "give": {"coins": 1}, "take": {"coins": 1}}
    sitting.act(0, "offer_trade", deal=deal, promise="")
    sitting.later(9)
    sitting.act(1, "counter_trade", deal=deal | {"with": "0"}, promise="")
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("offer", 120)
    sitting.later(100)
    sitting.act(0, "refuse_offer")
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("turn", 20)


@rule("KC-309", "KC-842")
def test_her_own_bids_are_part_of_her_turn_and_those_of_the_sheltered_are_answers() -> None:
    sheltered = rich(rich(row("Q_clubs", "Q_clubs"), 0, 50), 1, 50)
    sitting = sat(sheltered)
    sitting.later(20)
    sitting.act(0, "open_bribe", knight=1, coins=5)
    assert left(sitting, 1) == 30
    sitting.later(10)
    sitting.act(1, "raise_bribe", coins=6)
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("bribe", 100)
    sitting.later(30)
    sitting.act(0, "back_down")
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("turn", 70)


@rule("KC-309", "KC-536", "KC-571")
def test_every_choice_within_a_combat_has_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    held, won = sat(row("7_clubs", "7_clubs")), sat(row("7_clubs", "7_clubs"))
    monkeypatch.setattr("shared.runtime.turn.take.step_dice", lambda *_: dice(6, 6, 1, 1))
    held.later(40)
    held.act(0, "challenge", knight=1)
    assert (held.ask(1).question.name, left(held, 1)) == ("attack_back", 30)
    held.act(1, "attack_back")
    assert (held.ask(0).question.name, left(held, 0)) == ("attack_back", 30)
    monkeypatch.setattr("shared.runtime.turn.take.step_dice", lambda *_: dice(1, 1, 6, 6))
    won.later(40)
    won.act(0, "challenge", knight=1)
    assert (won.ask(0).question.name, left(won, 0)) == ("spoils", 30)
    won.later(25)
    won.act(0, "take_nothing")
    assert (won.ask(0).question.name, left(won, 0)) == ("turn", 80)


@rule("KC-309", "KC-151", "KC-161")
def test_every_choice_in_set_up_has_a_clock_of_its_own() -> None:
    sitting = Sitting(GAME, 2, clock={"preset": "normal"}).begun()
    for _ in range(6):
        (seat,) = sitting.match.awaited()
        assert left(sitting, seat) == 45
        sitting.run_out(seat)


@rule("KC-308", "KC-309", "PL-487")
def test_one_time_out_ends_the_turn_and_is_counted_once() -> None:
    sitting = sat(walking("7_clubs", "A_clubs"))
    before = len(sitting.steps)
    sitting.run_out(0)
    assert [(step.act.kind, step.act.seat) for step in sitting.steps[before:]] == [("timeout", 0), ("default", 0)]
    assert (sitting.match.missed, sitting.house.timeouts, sitting.match.state.turn.seat) == ((1, 0), (1, 0), 1)
    assert left(sitting, 1) == 120


@rule("KC-309")
def test_a_limit_of_days_is_for_each_ask() -> None:
    sitting = sat(row("7_clubs", "7_clubs"), limit_ms=172_800_000)
    sitting.later(100_000)
    sitting.act(0, "offer_passage", knight=1, promise="")
    sitting.act(1, "refuse_offer")
    assert left(sitting, 0) == 172_800


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


# What is refused -------------------------------------------------------------------------------------------------------


LAYING = laid(first=1)
BARRED = do(walking("7_clubs", "A_clubs"), 0, Step("right"))
MET = rich(rich(row("7_clubs", "7_clubs"), 0, 8, "horse"), 1, 9, "sword")
SHELTERED = rich(rich(row("Q_hearts", "Q_hearts"), 0, 8), 1, 9)
BID = do(SHELTERED, 0, OpenBribe(1, 6))


def trade(give: dict[str, int], take: dict[str, int], partner: str = "1") -> dict[str, Any]:
    return {"do": "offer_trade", "deal": {"with": partner, "give": give, "take": take}, "promise": ""}


def card(spot: str, held: str = LAYING.hands[0][0]) -> dict[str, Any]:
    return {"do": "lay_card", "card": held, "spot": spot}


REFUSED = {
    "a card where nothing adjoins": (LAYING, 0, card("5,5"), "not_a_choice"),
    "a card that touches a corner": (LAYING, 0, card("1,1"), "not_a_choice"),
    "a card on a card": (LAYING, 0, card("0,0"), "not_a_choice"),
    "a card nowhere": (LAYING, 0, card("here"), "not_a_choice"),
    "a card of another's hand": (LAYING, 0, card("0,1", LAYING.hands[1][0]), "not_a_choice"),
    "a step over a hole": (walking("7_clubs", "A_clubs"), 0, {"do": "step", "direction": "up"}, "not_a_choice"),
    "a step aslant": (walking("7_clubs", "A_clubs"), 0, {"do": "step", "direction": "up_right"}, "not_a_choice"),
    "a step past a knight": (BARRED, 0, {"do": "step", "direction": "right"}, "not_a_choice"),
    "a step back from a knight": (BARRED, 0, {"do": "step", "direction": "left"}, "not_a_choice"),
    "a wait beside a knight": (BARRED, 0, {"do": "wait"}, "not_a_choice"),
    "more coins than one has": (MET, 0, trade({"coins": 9}, {"sword": 1}), "not_a_choice"),
    "more coins than the other has": (MET, 0, trade({"horse": 1}, {"coins": 10}), "not_a_choice"),
    "an item that one has not": (MET, 0, trade({"shield": 1}, {"coins": 1}), "not_a_choice"),
    "an item that the other has not": (MET, 0, trade({"coins": 1}, {"amulet": 1}), "not_a_choice"),
    "an item twice": (MET, 0, trade({"horse": 2}, {"coins": 1}), "not_a_choice"),
    "less than nothing": (MET, 0, trade({"coins": -1}, {"sword": 1}), "not_a_choice"),
    "a Standard": (MET, 0, trade({"clubs": 1}, {"coins": 1}), "not_a_choice"),
    "a trade with oneself": (MET, 0, trade({"coins": 1}, {"coins": 1}, "0"), "not_a_choice"),
    "an item that is not hers to sell": (rich(row("J_hearts", "7_clubs"), 0, 5), 0, {"do": "sell_item", "item": "sword"}, "not_a_choice"),
    "a first bribe below five": (SHELTERED, 0, {"do": "open_bribe", "knight": 1, "coins": 4}, "not_a_choice"),
    "a bribe below the last": (BID, 1, {"do": "raise_bribe", "coins": 5}, "not_a_choice"),
    "a bribe like the last": (BID, 1, {"do": "raise_bribe", "coins": 6}, "not_a_choice"),
    "a bribe beyond the purse": (BID, 1, {"do": "raise_bribe", "coins": 10}, "not_a_choice"),
    "a bribe in words": (BID, 1, {"do": "raise_bribe", "coins": "all"}, "invalid"),
    "a bribe for nobody": (SHELTERED, 0, {"do": "open_bribe", "knight": 0, "coins": 6}, "not_a_choice"),
    "a step in another's turn": (walking("7_clubs", "A_clubs"), 1, {"do": "step", "direction": "left"}, "not_a_choice"),
    "a combat in another's turn": (MET, 1, {"do": "challenge", "knight": 0}, "not_a_choice"),
    "the end of another's turn": (MET, 1, {"do": "end_turn"}, "not_a_choice"),
    "what the clock alone answers": (LAYING, 0, {"do": "let_time_pass"}, "not_a_choice"),
}


@rule("KC-162", "KC-304", "KC-323", "KC-324", "KC-341", "KC-804", "KC-842")
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_on_offer_is_refused_and_changes_nothing(what: str) -> None:
    state, seat, command, code = REFUSED[what]
    sitting = sat(state)
    before = (sitting.match, sitting.house, list(sitting.steps))
    sitting.later(3)
    assert facts_of(sitting.give("command", seat, sitting.ask(seat).number, command)) == ("refused", code)
    assert (sitting.match, sitting.house, sitting.steps) == before


@rule("KC-161", "KC-322", "KC-804", "KC-842")
@pytest.mark.parametrize(("state", "seat", "command"), [
    (LAYING, 0, card("0,1")),
    (walking("7_clubs", "A_clubs"), 0, {"do": "step", "direction": "right"}),
    (MET, 0, trade({"coins": 8, "horse": 1}, {"coins": 9, "sword": 1})),
    (SHELTERED, 0, {"do": "open_bribe", "knight": 1, "coins": 5}),
    (BID, 1, {"do": "raise_bribe", "coins": 7}),
])
def test_what_is_just_within_the_limits_is_carried_out(state: State, seat: int, command: dict[str, Any]) -> None:
    sitting = sat(state)
    assert facts_of(sitting.give("command", seat, sitting.ask(seat).number, command)) == ("carried_out", None)
