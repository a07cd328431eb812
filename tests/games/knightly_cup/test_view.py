"""Views, masks, memory and imagination (KC-109, KC-110, KC-201 to KC-206)."""

import pytest
from msgspec.structs import replace

from services.knightly_cup.commands import FightMonster, LayCard, Storm, SwapElves
from services.knightly_cup.events import CardLaid, CardsSetAside, HandDealt
from services.knightly_cup.game import GAME
from services.knightly_cup.state import State
from shared.kernel.dice import Dice
from tests.games.knightly_cup.tables import PLACE, do, found_elves, laid, mapped, rich, row, told
from tests.ledger import rule


def _after_laying(**options: object) -> State:
    state = laid(first=1, **options)
    return do(state, 0, LayCard("A_" + state.knights[0].suit, "0,1"))


@rule("KC-109")
def test_everything_owned_is_public() -> None:
    state = rich(row("7_clubs", "A_clubs"), 0, 9, "horse", begged=True)
    seen = GAME.look(state, None).knights[0]
    assert (seen.coins, seen.items, seen.standards, seen.suit, seen.begged) == (9, ("horse",), ("clubs",), "clubs", True)


@rule("KC-201")
def test_a_face_down_card_shows_its_layer_and_nothing_else() -> None:
    spot = GAME.look(_after_laying(), 1).spots[1]
    assert (spot.x, spot.y, spot.layer, spot.card, spot.known) == (0, 1, 0, None, None)


@rule("KC-203")
def test_the_memory_aid_shows_her_own_cards() -> None:
    state = _after_laying()
    known = GAME.look(state, 0).spots[1].known
    assert known is not None
    assert known.type == "fortress"
    assert GAME.look(_after_laying(memory_aid=False), 0).spots[1].known is None


@rule("KC-160", "KC-161", "KC-201")
def test_others_do_not_read_what_is_laid() -> None:
    event = told(laid(first=1), 0, LayCard(laid(first=1).hands[0][0], "0,1"))["card_laid"]
    assert isinstance(event, CardLaid)
    assert event.seen_by(0) == event
    assert [event.seen_by(reader).card for reader in (1, None)] == [None, None]  # type: ignore[union-attr]


@rule("KC-156", "KC-159")
def test_hands_and_cards_set_aside_are_masked() -> None:
    assert HandDealt(0, 1, ("7_clubs",)).seen_by(1).cards is None
    assert HandDealt(0, 1, ("7_clubs",)).seen_by(0).cards == ("7_clubs",)
    assert CardsSetAside(1, ("7_clubs",)).seen_by(0).cards is None


@rule("KC-205")
@pytest.mark.parametrize("reader", [None, 0, 1, 2])
def test_whatever_is_hidden_may_be_otherwise(reader: int | None) -> None:
    state = mapped(3)
    others = [GAME.imagine(state, reader, Dice(b"imagine", f"{number}|")) for number in range(8)]
    assert {other.cards for other in others} != {state.cards}
    assert all(GAME.look(other, reader) == GAME.look(state, reader) for other in others)
    assert all(GAME.sound(other) == [] for other in others)


@rule("KC-160", "KC-205")
def test_what_she_remembers_stays_and_aces_stay_with_their_owners() -> None:
    state = mapped(3)
    for number in range(8):
        other = GAME.imagine(state, 0, Dice(b"imagine", f"{number}|"))
        assert all(other.cards[place] == face for place, face in enumerate(state.memory[0]) if face)
        for seat, knight in enumerate(state.knights):
            assert other.layers[other.cards.index(f"A_{knight.suit}")] == seat


@rule("KC-110")
def test_dice_are_public() -> None:
    state = mapped()
    assert GAME.look(state, None).rolls == state.rolls
    assert state.rolls[0].what == "movement"


@rule("KC-202", "KC-681")
def test_the_text_tells_what_lies_there() -> None:
    text = GAME.text(GAME.look(row("7_clubs", "J_hearts"), 1), GAME.words["en"])
    assert "stock: horse, shield, sword" in text
    assert "strength 7" in text


@rule("KC-721", "KC-732", "PL-359")
def test_the_text_tells_of_gateways_and_who_fights() -> None:
    def text(state: State) -> str:
        return str(GAME.text(GAME.look(state, None), GAME.words["en"]))

    assert "rows downwards; the centre is (0, 0).\nFace down" in text(row("7_clubs", "J_hearts", down=("2_hearts",)))
    assert "Gateways lie opposite: clubs and spades." in text(row("7_clubs", "J_hearts"))
    storm = text(do(row("A_hearts", "7_clubs"), 0, Storm(), 6, 6, 6, 6, 1, 1, 6, 6, 1, 1, 1, 1))
    assert "Roll, attack, the Guardian: 1, 1, 1, 1 make 3." in storm
    assert "round 2: the Guardian attacks, seat 1 defends" in storm
    fight = text(do(row("7_clubs", "A_clubs"), 0, FightMonster(), 6, 6, 6, 6))
    assert "Roll, monster, the monster: 6 make 13." in fight


@rule("KC-204", "KC-205", "KC-768")
def test_where_elves_went_is_imagined_anew() -> None:
    state = do(found_elves(), 0, SwapElves(f"{PLACE['Q_hearts']},0"))
    wider = replace(state, up=tuple(place > 5 and shown for place, shown in enumerate(state.up)))
    imagined = [GAME.imagine(wider, 1, Dice(b"elves", f"{number}|")) for number in range(12)]
    assert len({other.cards.index("joker_black") for other in imagined}) > 1
    assert all(GAME.look(other, 1) == GAME.look(wider, 1) for other in imagined)


@rule("KC-773")
def test_who_hid_them_imagines_them_where_they_are() -> None:
    state = do(found_elves(), 0, SwapElves(f"{PLACE['Q_hearts']},0"))
    imagined = [GAME.imagine(state, 0, Dice(b"elves", f"{number}|")) for number in range(6)]
    assert {other.cards.index("joker_black") for other in imagined} == {PLACE["Q_hearts"]}
