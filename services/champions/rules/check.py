"""Do we all know them? Marks, reports and what is erased."""

from __future__ import annotations

from services.champions.commands import CheckNames
from services.champions.events import Opened
from services.champions.name_events import Checked, Erased, Reported
from services.champions.rules.names import compare_names
from services.champions.state import READY, Marks, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def check_names(table: Table, seat: Seat, command: CheckNames, _dice: Dice) -> None:
    """CH-162, CH-163, CH-448 Private marks and reports, confirmed at once; until all have confirmed the last ones count."""
    unknown, reported = (tuple(sorted(number - 1 for number in marked)) for marked in (command.unknown, command.report))
    table.tell(Checked(seat, Marks(unknown, reported), news=table.state.ready[seat] != READY))


def check_over(state: State) -> bool:
    """CH-162, CH-169 All have confirmed, or their clocks have run out."""
    return 0 not in state.ready


def end_check(table: Table, dice: Dice) -> None:
    """CH-161, CH-164, CH-167 One mark is enough; every marked name is erased, and its writer asked for another one."""
    state: State = table.state
    reported = sorted({index for marks in state.marks for index in marks.reported})
    erased = tuple(sorted({index for marks in state.marks for index in marks.unknown}.union(reported)))
    if not erased:
        table.tell(Opened("prediction"))
        return
    for index in reported:
        table.tell(Reported(state.tiles[index].writer, state.tiles[index].name))
    table.tell(Erased(erased, tuple(state.contestant(index) for index in erased)))
    if any(tile.asked for tile in table.state.tiles):
        table.tell(Opened("replacement"))
    else:
        compare_names(table, dice)
