"""In which order does a round go, and when does each part of it end?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table
from tests.laws.pebbles import events
from tests.laws.pebbles.commands import MoveOn
from tests.laws.pebbles.rules import fists
from tests.laws.pebbles.state import Stage, State


class Part(NamedTuple):
    """A part of a round: whether it still waits for somebody or for the clock, and what follows when it does not."""

    stage: Stage
    waits: Callable[[State], bool]
    goes_on: Callable[[Table], None]


def advance(table: Table, dice: Dice) -> None:
    """Go on until somebody has to decide, the clock runs, or the match is over."""
    while table.state.stage != "over" and not PARTS[table.state.stage].waits(table.state):
        PARTS[table.state.stage].goes_on(table)


def pass_turn(table: Table) -> None:
    """PB-121 In seat order; after the last seat all hide."""
    following = table.state.turn + 1
    table.tell(events.TurnCame(following) if following < len(table.state.heaps) else events.StageBegan("hide"))


def open_fists(table: Table) -> None:
    """PB-133 All have hidden."""
    fists.open_all(table)
    table.tell(events.StageBegan("look"))


def look_over(table: Table, dice: Dice) -> None:
    """PB-141, PB-143 The clock ends the looking; a crowd cheers."""
    if table.state.options.crowd:
        table.tell(events.StageBegan("cheer"))
    else:
        end_round(table)


def move_on(table: Table, seat: Seat, command: MoveOn, dice: Dice) -> None:
    """PB-141 The host ends the looking."""
    look_over(table, dice)


def end_round(table: Table) -> None:
    """PB-151 Another round, or the end."""
    state: State = table.state
    if state.round < state.options.rounds:
        table.tell(events.RoundBegan(state.round + 1))
    else:
        end(table)


def end(table: Table) -> None:
    """PB-151 All lucky numbers are shown."""
    for seat, heap in enumerate(table.state.heaps):
        table.tell(events.NumberShown(seat, heap.lucky))
    table.tell(events.StageBegan("over"))


def leave(table: Table, seat: Seat, dice: Dice) -> None:
    """PB-153 A seat that leaves is not asked again; with one seat left the match is over."""
    if table.state.stage != "over":
        table.tell(events.Left(seat))
        if len(table.state.staying()) < 2:
            end(table)


ORDER = (
    Part("throw", lambda state: not state.heaps[state.turn].gone, pass_turn),
    Part("hide", lambda state: any(state.heaps[seat].fist is None for seat in state.staying()), open_fists),
    Part("look", lambda state: True, end_round),
    Part("cheer", lambda state: True, end_round),
)
PARTS = {part.stage: part for part in ORDER}
