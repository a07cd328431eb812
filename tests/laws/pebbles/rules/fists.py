"""What happens to the pebbles in the fists?"""

from __future__ import annotations

from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table
from tests.laws.pebbles import content, events
from tests.laws.pebbles.commands import Hide
from tests.laws.pebbles.state import State


def hide(table: Table, seat: Seat, command: Hide, dice: Dice) -> None:
    """PB-131 In secret, and as often as one likes until the last seat has hidden."""
    table.tell(events.Hid(seat, tuple(sorted(command.pebbles))))


def open_all(table: Table) -> None:
    """PB-133 The fists open; the best one wins the shell and loses its pebbles."""
    state: State = table.state
    for seat in state.staying():
        table.tell(events.FistOpened(seat, state.heaps[seat].fist or ()))
    winner = best_fist(state)
    if winner is not None:
        table.tell(events.ShellWon(winner, state.heaps[winner].fist or ()))


def best_fist(state: State) -> Seat | None:
    """PB-134 The seat with the highest sum, if it is one seat and more than nothing."""
    sums = {seat: content.worth(state.heaps[seat].fist or ()) for seat in state.staying()}
    highest = max(sums.values())
    best = [seat for seat, worth in sums.items() if worth == highest]
    return best[0] if highest and len(best) == 1 else None
