"""Get ready for the match: who stands in which slot?"""

from __future__ import annotations

from services.golden_cup.commands import LineUp
from services.golden_cup.events import LineUpChosen
from services.golden_cup.fixture_events import LineUpsShown
from services.golden_cup.state import NO_LINE_UP, SLOTS, Stage, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def line_up(table: Table, seat: Seat, command: LineUp, _dice: Dice) -> None:
    """GC-404 to GC-406, GC-409 In secret; a slot without a champion shows its base Champion, the others are on the bench."""
    table.tell(LineUpChosen(seat, tuple(command.slots.get(slot, "") for slot in SLOTS)))


def line_ups_chosen(state: State) -> bool:
    """GC-409 All are in; a team without champions has nothing to choose (GC-843)."""
    teams = map(state.teams.__getitem__, state.playing())
    return all(team.answer is not None or not team.champions for team in teams)


def show(table: Table, stage: Stage) -> None:
    """GC-409 All at once."""
    state: State = table.state
    playing = state.playing()
    shown = tuple((team.answer or NO_LINE_UP) if seat in playing else None for seat, team in enumerate(state.teams))
    table.tell(LineUpsShown(shown, stage))
