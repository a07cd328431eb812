"""Missed clocks, absence, coming back and leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.champions.commands import MissClock
from services.champions.events import CameBack, Ended, Left, Missed
from services.champions.name_events import Lapsed
from services.champions.state import SECRET_STAGES, State
from shared.kernel.dice import Dice
from shared.kernel.game import Rule, Seat, Table


def miss_clock(table: Table, seat: Seat, _command: MissClock, _dice: Dice) -> None:
    """CH-132, CH-169, CH-210, CH-250, CH-406 No name, nobody unknown, no prediction, no vote; a replacement's miss is kept secret."""
    state: State = table.state
    if state.stage not in SECRET_STAGES:
        table.tell(Missed(seat))
        return
    for index in state.own_tiles(seat):
        if state.tiles[index].asked and not state.tiles[index].name:
            table.tell(Lapsed(seat, index))


def by_seat(rule: Callable[[Table, Seat, Any, Dice], None]) -> Rule:
    """CH-406 The rule for a seat that acts itself: it is not absent any more; a replacement must not show it (CH-164)."""

    def act(table: Table, seat: Seat, command: Any, dice: Dice) -> None:
        if table.state.missed[seat] and table.state.stage not in SECRET_STAGES:
            table.tell(CameBack(seat))
        rule(table, seat, command, dice)

    return act


def leave(table: Table, seat: Seat, _dice: Dice) -> None:
    """CH-407, CH-408 The score and the names stay, the rest goes; when only one is left, the game ends at once."""
    if table.state.stage == "over":
        return
    table.tell(Left(seat))
    if len(table.state.staying()) < 2:
        table.tell(Ended(unfinished=True))
