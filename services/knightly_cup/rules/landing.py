"""Landing: flipping the card, ending the turn, and the one visit."""

from __future__ import annotations

from services.knightly_cup.commands import EndTurn, Flip
from services.knightly_cup.events import Flipped, TurnEnded, Visited
from services.knightly_cup.rules import elves
from services.knightly_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def flip(table: Table, _seat: Seat, _command: Flip, _dice: Dice) -> None:
    """KC-401, KC-406, KC-407 In public; a Merchant gets his stock, elves act at once."""
    turn_over_card(table, table.state.here())


def turn_over_card(table: Table, place: int) -> None:
    """KC-671 to KC-673, KC-681 A Merchant brings one of everything he sells, as far as the tokens go."""
    state: State = table.state
    kind = state.kind(place).type
    goods = state.printed.goods.items() if kind == "merchant" else ()
    stock = tuple(sorted(item for item, good in goods if good.sold_at == "merchant" and state.supply[item]))
    table.tell(Flipped(place, state.spots[place], state.cards[place], stock))
    if kind == "elves":
        elves.begin(table)


def end_turn(table: Table, seat: Seat, _command: EndTurn, _dice: Dice) -> None:
    """KC-402, KC-414 A card that is still face down is flipped first; elves found so are dealt with before the turn can end."""
    if must_flip(table.state):
        turn_over_card(table, table.state.here())
    if table.state.pending is None:
        table.tell(TurnEnded(seat))


def must_flip(state: State) -> bool:
    """KC-402, KC-772."""
    return not state.up[state.here()] and state.turn.swapped != state.here()


def visit(table: Table) -> None:
    """KC-410 The visit of this turn."""
    state: State = table.state
    table.tell(Visited(state.turn.seat, state.here(), state.cards[state.here()]))
