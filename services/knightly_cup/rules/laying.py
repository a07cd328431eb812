"""Set-up: the aces, the pack, the hands, and the map that grows card by card."""

from __future__ import annotations

from services.knightly_cup.commands import ChooseAce, LayCard
from services.knightly_cup.events import CardLaid, CardsSetAside, ChoseAce, HandDealt, LayingBegan, PlayBegan
from services.knightly_cup.state import CENTRE, NOBODY, SUITS, State, free_spots
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def choose_ace(table: Table, seat: Seat, command: ChooseAce, _dice: Dice) -> None:
    """KC-151 to KC-153 The suit of the ace is the home suit."""
    table.tell(ChoseAce(seat, command.suit))


def draw_ace(table: Table, seat: Seat, dice: Dice) -> None:
    """KC-911, KC-915 Any free ace for a seat that does not choose."""
    taken = {knight.suit for knight in table.state.knights}
    table.tell(ChoseAce(seat, dice.pick([suit for suit in SUITS if suit not in taken])))


def deal(table: Table, dice: Dice) -> None:
    """KC-154 to KC-160 Monsters for the cards left over, one card for the centre, the rest to the hands, each with its ace."""
    state: State = table.state
    seats = len(state.knights)
    pack = main_pack(state)
    spare = (len(pack) - 1) % seats
    monsters = [card for card in pack if state.printed.legend[card.partition("_")[0]].type == "monster"]
    aside = tuple(sorted(dice.shuffled(monsters)[:spare]))
    table.tell(CardsSetAside(spare, aside))
    centre, *rest = dice.shuffled([card for card in pack if card not in aside])
    for seat, knight in enumerate(state.knights):
        hand = tuple(sorted([fortress(state, knight.suit), *rest[seat::seats]]))
        table.tell(HandDealt(seat, len(hand), hand))
    table.tell(LayingBegan(state.first))
    table.tell(CardLaid(NOBODY, CENTRE, centre))


def main_pack(state: State) -> list[str]:
    """KC-154, KC-155 All cards but the aces that were taken, sorted."""
    taken = {fortress(state, knight.suit) for knight in state.knights}
    ranks = [rank for rank, kind in state.printed.legend.items() if kind.type != "elves"]
    pack = {f"{rank}_{suit}" for rank in ranks for suit in SUITS} | {"joker_black", "joker_red"}
    return sorted(pack - taken)


def fortress(state: State, suit: str) -> str:
    """KC-131 The Fortress card of a suit."""
    return next(f"{rank}_{suit}" for rank, kind in state.printed.legend.items() if kind.type == "fortress")


def lay_card(table: Table, seat: Seat, command: LayCard, _dice: Dice) -> None:
    """KC-161, KC-166 One card, face down; the last one carries the knight."""
    table.tell(CardLaid(seat, command.spot, command.card))


def lay_any(table: Table, seat: Seat, dice: Dice) -> None:
    """KC-911, KC-915 Any card on any free position: a rule such as the lowest card would tell what lies there."""
    hand = table.state.hands[seat]
    table.tell(CardLaid(seat, dice.pick(free_spots(table.state.spots)), dice.pick(hand)))


def equip(table: Table) -> None:
    """KC-168 to KC-170 Coins and a Standard for everybody; the other tokens wait in Bank and Fortresses."""
    state: State = table.state
    seats = len(state.knights)
    claimed = {knight.suit for knight in state.knights}
    supply = dict.fromkeys(state.printed.goods, seats)
    stores = {suit: seats - (suit in claimed) for suit in SUITS}
    table.tell(PlayBegan(state.printed.numbers.starting_coins, supply, stores))
