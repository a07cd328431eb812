"""The end, the cap, resigning (KC-901 to KC-915)."""

import pytest
from msgspec.structs import replace

from services.knightly_cup.commands import (
    BeginUltimateChallenge,
    Challenge,
    EndTurn,
    OfferPassage,
    OpenBribe,
    Storm,
)
from services.knightly_cup.game import GAME
from services.knightly_cup.state import SUITS, State
from tests.games.knightly_cup.tables import decides, do, gone, laid, offered, opened, rich, row, turned
from tests.ledger import rule


def last(**more: object) -> State:
    """The last turn of the last round."""
    state = row("7_clubs", "A_clubs", "6_spades", seats=3, turn_cap_rounds=20, **more)
    return turned(replace(state, round=20), seat=2)


@rule("KC-901")
def test_after_the_last_round_the_game_is_over() -> None:
    state = do(last(), 2, EndTurn())
    assert (state.stage, GAME.look(state, None).winner) == ("over", None)
    assert do(replace(last(), round=19), 2, EndTurn()).round == 20


@rule("KC-902", "KC-907")
def test_most_kinds_of_standards_win() -> None:
    state = last().with_knight(1, standards=("clubs", "diamonds"))
    assert GAME.result(do(state, 2, EndTurn())) == {0: 2, 1: 1, 2: 2}


@rule("KC-903", "KC-215")
def test_then_wealth_with_every_item() -> None:
    state = rich(rich(last(), 0, 17), 1, 2, "sword")
    assert GAME.result(do(state, 2, EndTurn())) == {0: 1, 1: 1, 2: 3}
    doubled = rich(state, 1, 0, "horse", "horse")
    assert GAME.result(do(doubled, 2, EndTurn())) == {0: 2, 1: 1, 2: 3}


@rule("KC-904", "KC-905")
def test_then_combats_won_and_then_it_is_shared() -> None:
    assert GAME.result(do(last(), 2, EndTurn())) == {0: 1, 1: 1, 2: 1}
    assert GAME.result(do(last().with_knight(0, won=1), 2, EndTurn())) == {0: 1, 1: 2, 2: 2}


@rule("KC-906")
def test_round_and_cap_are_shown() -> None:
    view = GAME.look(last(), None)
    assert (view.round, view.rounds) == (20, 20)


@rule("KC-907")
def test_after_a_victory_the_others_are_ranked() -> None:
    state = rich(row("A_clubs", "7_clubs", "6_spades", seats=3), 2, 9).with_knight(0, standards=SUITS)
    state = replace(state, beaten=(1,))
    state = do(replace(state, pending=None, turn=replace(state.turn, visited=-1)), 0, BeginUltimateChallenge())
    over = replace(state, stage="over", winner=0)
    assert GAME.result(over) == {0: 1, 1: 3, 2: 2}
    assert GAME.score(over) == {0: 5, 1: 1, 2: 1}


@rule("KC-206")
def test_after_the_end_every_card_is_shown() -> None:
    view = GAME.look(do(last(down=("A_hearts",)), 2, EndTurn()), None)
    assert all(spot.card is not None for spot in view.spots)


@rule("KC-911")
def test_who_resigns_is_not_asked_again_and_loses_her_turn() -> None:
    state = gone(row("7_clubs", "A_clubs", "6_spades", seats=3), 0)
    assert (state.turn.seat, offered(state, 0), decides(state)) == (1, [], 1)
    assert do(do_turns(state, 1), 2, EndTurn()).turn.seat == 1


def do_turns(state: State, seat: int) -> State:
    """The turn of a seat passes without anything."""
    return turned(replace(do(replace(state, stage="land"), seat, EndTurn()), stage="land"), last="waited")


@rule("KC-911", "KC-106")
def test_her_cards_are_laid_for_her() -> None:
    state = gone(laid(3, first=1), 0)
    assert (len(state.hands[0]), state.turn.seat) == (16, 1)
    assert gone(opened(3), 0).knights[0].suit in SUITS


@rule("KC-911")
def test_she_never_attacks_back_bids_or_trades() -> None:
    state = gone(row("7_clubs", "7_clubs", "6_spades", seats=3), 1)
    assert do(state, 0, Challenge(1), 6, 6, 1, 1).turn.seat == 2
    assert "offer_passage" not in offered(state, 0)
    sheltered = gone(rich(row("Q_hearts", "Q_hearts", "6_spades", seats=3), 0, 9), 1)
    assert do(sheltered, 0, OpenBribe(1, 5), 6, 6, 1, 1).knights[1].coins == 5


@rule("KC-911")
def test_her_open_offer_is_withdrawn() -> None:
    state = do(row("7_clubs", "7_clubs", "6_spades", seats=3), 0, OfferPassage(1, ""))
    assert gone(state, 0).pending is None
    assert gone(state, 1).pending is None


@rule("KC-911")
def test_she_claims_asylum_again() -> None:
    state = row("7_clubs", "A_clubs", "Q_hearts", seats=3).with_knight(2, claims=False, wish=False)
    assert do(gone(state, 2), 0, EndTurn()).shelter(2) == "temple"


@rule("KC-912")
def test_her_knight_and_her_guardian_stay() -> None:
    state = gone(rich(row("A_diamonds", "7_clubs", "6_spades", seats=3), 1, 5, "sword"), 1)
    assert (state.guard_dice("diamonds"), "storm" in offered(state, 0)) == (4, True)
    assert do(state, 0, Storm(), 6, 6, 6, 6, 1, 1).turn.seat == 2
    called = gone(row("A_clubs", "7_clubs", "6_spades", seats=3).with_knight(0, standards=SUITS), 1)
    assert len(do(called, 0, BeginUltimateChallenge()).others(0)) == 2


@rule("KC-913")
def test_the_last_one_who_stays_wins() -> None:
    state = gone(row("7_clubs", "A_clubs"), 0)
    assert (state.stage, state.winner, GAME.result(state)) == ("over", 1, {0: 2, 1: 1})


@rule("KC-907", "KC-914")
def test_who_resigned_comes_last_the_later_before_the_earlier() -> None:
    state = row("7_clubs", "A_clubs", "6_spades", "10_diamonds", seats=4, turn_cap_rounds=20).with_knight(1, standards=SUITS)
    state = gone(gone(state, 1), 2)
    state = do(turned(replace(state, round=20, stage="land"), seat=3), 3, EndTurn())
    assert GAME.result(state) == {0: 1, 1: 4, 2: 3, 3: 1}


@rule("KC-913")
@pytest.mark.parametrize("state", [opened(), laid()])
def test_that_holds_in_the_set_up_too(state: State) -> None:
    assert GAME.result(gone(state, 1)) == {0: 1, 1: 2}
