"""Taking from the Market, refilling it, destroying, and the theft of Combat cards."""

from __future__ import annotations

from services.goldblivion.content import CHARACTERS, in_order
from services.goldblivion.events import ArmyShuffled, DeckShuffled, Destroyed, Refilled, Stole, Took, Uncovered
from services.goldblivion.solo_events import ChallengeLost, NuggetRemoved
from services.goldblivion.state import GOLD_PLACES, PILES, State, put
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

PLACES = (*GOLD_PLACES, *PILES)
NUGGET = "nugget"
NOTHING = "none"
STEAL = "steal_"


def refill(table: Table, place: str) -> None:
    """GB-251 to GB-256, GB-621 to GB-623, GB-631 At once: the emptied space, in solo the leftmost one after a move to the right."""
    state: State = table.state
    if place in PILES:
        table.tell(Uncovered(place, state.card_at(place)))
        return
    index = GOLD_PLACES.index(place)
    card = state.pile[0] if state.pile else ""
    if not state.is_solo():
        table.tell(Refilled(put(state.market, index, card), card))
    elif card:
        table.tell(Refilled((card, *state.market[:index], *state.market[index + 1 :]), card))
    else:
        table.tell(ChallengeLost("market"))


def shuffle_deck(table: Table, seat: Seat, dice: Dice) -> None:
    """GB-234, GB-236 The face-down GOLDblivion deck alone."""
    table.tell(DeckShuffled(seat, dice.shuffled(in_order(table.state.boards[seat].deck))))


def shuffle_army(table: Table, seat: Seat, dice: Dice) -> None:
    """GB-235, GB-236 The face-down Combat deck alone."""
    table.tell(ArmyShuffled(seat, dice.shuffled(in_order(table.state.boards[seat].army))))


def shuffle_in(table: Table, seat: Seat, place: str, dice: Dice) -> None:
    """GB-234, GB-235 Into the deck of its kind; once the Challenge is lost (GB-631) nothing follows."""
    if table.state.stage == "over":
        return
    if place in GOLD_PLACES:
        shuffle_deck(table, seat, dice)
    else:
        shuffle_army(table, seat, dice)


def destroyable(state: State) -> tuple[str, ...]:
    """GB-395, GB-397, GB-651 Every place that shows a card; in solo also a nugget of the Dummy Noble."""
    there = (*state.market, *[pile[0] if pile else "" for pile in state.armies])
    places = tuple([place for place, card in zip(PLACES, there, strict=True) if card])
    return (*places, NUGGET) if state.dummy and state.dummy.nuggets else places


def least_loss(targets: tuple[str, ...]) -> str:
    """D7, D15 The nugget, else the rightmost GOLDblivion card, else a pile."""
    if NUGGET in targets:
        return NUGGET
    gold = [place for place in targets if place in GOLD_PLACES]
    return gold[-1] if gold else targets[0]


def destroy(table: Table, seat: Seat, place: str) -> None:
    """GB-257, GB-395, GB-396 One card, and a refill at once."""
    if place == NUGGET:
        table.tell(NuggetRemoved())
        return
    table.tell(Destroyed(seat, place, table.state.card_at(place)))
    refill(table, place)


def free_characters(state: State) -> tuple[str, ...]:
    """GB-391, GB-392 The places that show a Character."""
    return tuple(place for place, card in zip(GOLD_PLACES, state.market, strict=True) if card in CHARACTERS)


def free_combat_cards(state: State) -> tuple[str, ...]:
    """GB-393, GB-421, GB-422, GB-426 to GB-429 The piles; with one of them empty also other decks; with both empty also nothing."""
    piles = tuple(pile for pile in PILES if state.card_at(pile))
    if len(piles) == len(PILES) or state.is_solo():
        return piles
    victims = tuple(f"{STEAL}{seat}" for seat in state.seats() if seat != state.turn and state.boards[seat].army)
    return piles + victims if piles or not victims else (*victims, NOTHING)


def first_pile(targets: tuple[str, ...]) -> str:
    """D9 The left pile, else the right one, else nothing, and a theft only where nothing cannot be taken."""
    return NOTHING if NOTHING in targets else targets[0]


def take(table: Table, seat: Seat, place: str, dice: Dice) -> None:
    """GB-391, GB-393, GB-394, GB-423 Into the own deck at once; the deck of a victim keeps its order."""
    if place == NOTHING:
        return
    if place.startswith(STEAL):
        victim = int(place.removeprefix(STEAL))
        table.tell(Stole(seat, victim, table.state.boards[victim].army[0]))
        shuffle_army(table, seat, dice)
        return
    table.tell(Took(seat, place, table.state.card_at(place)))
    refill(table, place)
    shuffle_in(table, seat, place, dice)
