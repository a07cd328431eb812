"""Saucy Elves: trick or treat, and the secret swap."""

from __future__ import annotations

from services.knightly_cup.commands import GiveByElves, SwapElves, TakeByElves
from services.knightly_cup.events import ElvesStayed, ElvesSwapped
from services.knightly_cup.goods_events import ElvesAsked, ElvesMoved
from services.knightly_cup.state import COLOURS, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def begin(table: Table) -> None:
    """KC-138, KC-761 to KC-765, KC-775 Directly after the flip: a treat in the home colour, a trick in the other one."""
    state: State = table.state
    seat = state.turn.seat
    colour = state.cards[state.here()].partition("_")[2]
    if colour == COLOURS[state.knights[seat].suit]:
        if any(state.knights[other].items for other in state.others(seat)):
            table.tell(ElvesAsked(seat, "take"))
            return
    elif state.knights[seat].items:
        table.tell(ElvesAsked(seat, "give"))
        return
    hide(table)


def take(table: Table, seat: Seat, command: TakeByElves, _dice: Dice) -> None:
    """KC-762 One item of one opponent, wherever he is."""
    table.tell(ElvesMoved(command.knight, seat, command.item))
    hide(table)


def give(table: Table, seat: Seat, command: GiveByElves, _dice: Dice) -> None:
    """KC-765 One item to one opponent."""
    table.tell(ElvesMoved(seat, command.knight, command.item))
    hide(table)


def hide(table: Table) -> None:
    """KC-767, KC-771 The swap is compulsory, as long as there is another face-down card."""
    state: State = table.state
    seat = state.turn.seat
    if hiding_places(state):
        table.tell(ElvesAsked(seat, "swap"))
    else:
        table.tell(ElvesStayed(seat, state.spots[state.here()]))


def hiding_places(state: State) -> tuple[int, ...]:
    """KC-767, KC-770 Every other face-down card, with or without knights on it."""
    here = state.here()
    return tuple(place for place, shown in enumerate(state.up) if not shown and place != here)


def swap(table: Table, _seat: Seat, command: SwapElves, _dice: Dice) -> None:
    """KC-767 to KC-773."""
    _swap(table, table.state.spots.index(command.spot))


def swap_anywhere(table: Table, dice: Dice) -> None:
    """KC-915 Drawn, and told to nobody but the seat."""
    _swap(table, dice.pick(hiding_places(table.state)))


def _swap(table: Table, there: int) -> None:
    state: State = table.state
    here = state.here()
    table.tell(ElvesSwapped(state.turn.seat, here, state.spots[here], there, state.spots[there]))
