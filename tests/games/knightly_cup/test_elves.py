"""Saucy Elves (KC-761 to KC-775), and who knows what afterwards (KC-204)."""

import pytest
from msgspec.structs import replace

from services.knightly_cup.commands import EndTurn, Flip, GiveByElves, Stop, SwapElves, TakeByElves, TakeNothing
from services.knightly_cup.events import ElvesSwapped
from services.knightly_cup.game import GAME
from services.knightly_cup.state import State
from tests.games.knightly_cup.tables import (
    PLACE,
    answers,
    decides,
    do,
    members,
    offered,
    refusal,
    rich,
    row,
    timed_out,
    told,
    turned,
)
from tests.ledger import rule

HERE, THERE = PLACE["joker_black"], PLACE["Q_hearts"]
SPOT = f"{THERE},0"


def found(
    card: str = "joker_black", *, down: tuple[str, ...] = ("Q_hearts",), theirs: str = "", own: str = "", **more: object
) -> State:
    """Knight 0, at home in black, has just flipped the elves; knight 1 owns something, or she does."""
    state = row(card, card, down=(card, *down), **more)
    state = rich(rich(state, 1, 5, *theirs.split()), 0, 5, *own.split())
    return do(state, 0, Flip())


@rule("KC-761")
def test_face_up_they_do_nothing() -> None:
    assert offered(row("joker_black", "A_clubs"), 0) == ["end_turn", "waive_asylum"]
    assert decides(found(theirs="sword")) == 0


@rule("KC-762", "KC-407")
def test_in_the_home_colour_she_takes_one_item() -> None:
    state = found(theirs="amulet sword")
    assert answers(state, 0) == ["take_by_elves", "take_nothing"]
    state = do(state, 0, TakeByElves(1, "sword"))
    assert (state.knights[0].items, state.knights[1].items) == (("sword",), ("amulet",))


@rule("KC-762", "KC-221")
def test_never_coins_or_standards() -> None:
    assert members(found(theirs="sword"), 0, TakeByElves, "item") == ["sword"]


@rule("KC-763")
def test_she_may_decline_and_without_items_nothing_happens() -> None:
    assert answers(do(found(theirs="sword"), 0, TakeNothing()), 0) == ["swap_elves"]
    assert answers(found(), 0) == ["swap_elves"]


@rule("KC-765")
def test_in_the_other_colour_she_gives_one_item() -> None:
    state = found("joker_red", own="horse sword")
    assert answers(state, 0) == ["give_by_elves"]
    state = do(state, 0, GiveByElves(1, "horse"))
    assert (state.knights[0].items, state.knights[1].items) == (("sword",), ("horse",))
    assert answers(found("joker_red"), 0) == ["swap_elves"]


@rule("KC-767", "KC-770")
def test_another_face_down_card_must_be_chosen() -> None:
    state = found(down=("Q_hearts", "7_clubs"))
    assert members(state, 0, SwapElves, "spot") == ["0,0", SPOT]
    assert refusal(state, 0, SwapElves(f"{HERE},0")) == "not_a_choice"
    assert refusal(state, 0, EndTurn()) == "not_a_choice"


@rule("KC-405", "KC-769")
def test_the_cards_change_places_and_lie_face_down() -> None:
    state = do(found(), 0, SwapElves(SPOT))
    assert (state.cards[HERE], state.cards[THERE]) == ("Q_hearts", "joker_black")
    assert (state.up[HERE], state.up[THERE], state.knights[0].at) == (False, False, HERE)
    assert state.layers == row("A_clubs", "A_clubs").layers


@rule("KC-768")
def test_only_she_learns_where_they_went() -> None:
    event = told(found(), 0, SwapElves(SPOT))["elves_swapped"]
    assert isinstance(event, ElvesSwapped)
    assert event.seen_by(0) == event
    hidden = event.seen_by(1)
    assert hidden is not None
    assert (hidden.there, hidden.there_spot) == (None, None)


@rule("KC-771")
def test_the_last_card_stays_face_up() -> None:
    state = found(down=())
    assert (state.up[HERE], offered(state, 0)[-2:]) == (True, ["end_turn", "waive_asylum"])


@rule("KC-772")
def test_the_card_swapped_in_is_not_flipped_in_this_turn() -> None:
    state = do(found(), 0, SwapElves(SPOT))
    assert "flip" not in offered(state, 0)
    assert not do(state, 0, EndTurn()).up[HERE]
    later = turned(replace(do(state, 0, EndTurn()), stage="walk"), moves=1, last="began", swapped=-1, seat=0)
    assert "flip" in offered(do(later, 0, Stop()), 0)


@rule("KC-773")
def test_she_knows_the_joker_and_the_face_she_moved() -> None:
    state = found()
    state = replace(state, memory=(tuple("Q_hearts" if n == THERE else "" for n in range(len(state.cards))), state.memory[1]))
    state = do(state, 0, SwapElves(SPOT))
    assert (state.memory[0][HERE], state.memory[0][THERE]) == ("Q_hearts", "joker_black")
    spots = GAME.look(state, 0).spots
    assert [spots[place].known.id for place in (HERE, THERE)] == ["Q_hearts", "joker_black"]  # type: ignore[union-attr]


@rule("KC-204", "KC-774")
def test_others_keep_what_they_remember_and_are_warned() -> None:
    state = found(down=("Q_hearts", "7_clubs"))
    known = tuple({THERE: "Q_hearts", HERE: "joker_black", 0: "7_clubs"}.get(n, "") for n in range(len(state.cards)))
    state = do(replace(state, memory=(state.memory[0], known)), 0, SwapElves(SPOT))
    seen = GAME.look(state, 1).spots
    assert (seen[THERE].known.id, seen[THERE].stale, seen[0].stale) == ("Q_hearts", True, True)  # type: ignore[union-attr]
    assert seen[HERE].known is None


@rule("KC-775")
def test_afterwards_she_may_still_meet_knights() -> None:
    assert "challenge" in offered(do(found(), 0, SwapElves(SPOT)), 0)


@rule("KC-915", "KC-768")
@pytest.mark.parametrize(("number", "place"), [(0, 0), (1, THERE)])
def test_the_clock_hides_them_anywhere(number: int, place: int) -> None:
    state = timed_out(found(down=("Q_hearts", "7_clubs")), 0, number)
    assert state.cards[place] == "joker_black"


@rule("KC-915")
def test_what_the_clock_answers_before() -> None:
    assert GAME.default(found(theirs="sword"), 0) == TakeNothing()
    assert GAME.default(found("joker_red", own="horse sword"), 0) == GiveByElves(1, "horse")
