"""How do pebbles and points come to a heap: by a throw, a gift, a cheer, a lucky number?"""

from __future__ import annotations

from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table
from tests.laws.pebbles import content, events
from tests.laws.pebbles.commands import Beg, Cheer, Give, KeepAll, NameHeap, Rest, Spare, Throw
from tests.laws.pebbles.rules.turn import end_round, pass_turn
from tests.laws.pebbles.state import State


def name_heap(table: Table, seat: Seat, command: NameHeap, dice: Dice) -> None:
    """PB-111 A seat names its heap."""
    table.tell(events.Named(seat, command.name))


def throw(table: Table, seat: Seat, command: Throw, dice: Dice) -> None:
    """PB-121 to PB-123 One to three dice; a 1 spoils the throw."""
    faces = tuple(dice.roll(6) for _ in range(command.dice))
    table.tell(events.Threw(seat, faces))
    drawn = () if 1 in faces else table.state.bag[: command.dice]
    if drawn:
        table.tell(events.Drew(seat, tuple(sorted(drawn))))  # sorted: the order of the bag is nobody's business
    pass_turn(table)


def rest(table: Table, seat: Seat, command: Rest, dice: Dice) -> None:
    """PB-121 No risk, no pebble."""
    table.tell(events.Rested(seat))
    pass_turn(table)


def beg(table: Table, seat: Seat, command: Beg, dice: Dice) -> None:
    """PB-125 The other seat is asked."""
    table.tell(events.Begged(seat, command.heap))


def spare(table: Table, seat: Seat, command: Spare, dice: Dice) -> None:
    """PB-125 One pebble changes hands."""
    table.tell(events.Gave(seat, table.state.turn, (command.pebble,)))


def keep_all(table: Table, seat: Seat, command: KeepAll, dice: Dice) -> None:
    """PB-125 No pebble changes hands."""
    table.tell(events.Kept(seat))


def give(table: Table, seat: Seat, command: Give, dice: Dice) -> None:
    """PB-142 Pebbles change hands."""
    table.tell(events.Gave(seat, int(command.deal["with"]), tuple(sorted(command.deal["give"]))))


def cheer(table: Table, seat: Seat, command: Cheer, dice: Dice) -> None:
    """PB-143 The crowd's favourite."""
    table.tell(events.Cheered(command.heap))
    end_round(table)


def score(state: State) -> dict[Seat, int]:
    """PB-152 Values, shells, cheers and the lucky number."""
    return {seat: _points(state, seat) for seat in range(len(state.heaps))}


def result(state: State) -> dict[Seat, int] | None:
    """PB-152 The highest score wins; equal scores share a place."""
    if state.stage != "over":
        return None
    scores = score(state)
    return {seat: 1 + sum(other > own for other in scores.values()) for seat, own in scores.items()}


def _points(state: State, seat: Seat) -> int:
    heap = state.heaps[seat]
    lucky = content.BASE.points.lucky if len(heap.pebbles) == heap.lucky else 0
    return content.worth(heap.pebbles) + content.BASE.points.shell * heap.shells + heap.cheers + lucky
