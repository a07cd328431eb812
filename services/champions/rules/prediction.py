"""Phase 1: notes, the champion, and when predictions are locked."""

from __future__ import annotations

from services.champions.commands import ChooseChampion, ConfirmPrediction, NoteWinner, WithdrawConfirmation
from services.champions.events import Chose, Confirmed, Noted, Opened, PredictionsLocked, Unready
from services.champions.state import DUELS, FEEDS, STAGE_OF, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def note_winner(table: Table, seat: Seat, command: NoteWinner, _dice: Dice) -> None:
    """CH-203 A contestant is noted for all its duels up to a stage; later notes that it makes impossible go."""
    notes = list(table.state.notes[seat])
    contestant = command.contestant - 1
    for duel in path_of(contestant):
        if _rank(STAGE_OF[duel]) <= _rank(command.through):
            before, notes[duel] = notes[duel], contestant
            notes = [-1 if note == before != contestant and later > duel else note for later, note in enumerate(notes)]
    table.tell(Noted(seat, tuple(notes)))


def path_of(contestant: int) -> tuple[int, ...]:
    """CH-275 The duels a contestant fights if it always wins."""
    first = contestant // 2
    second = FEEDS[first][0]
    return first, second, DUELS.index("final")


def choose_champion(table: Table, seat: Seat, command: ChooseChampion, _dice: Dice) -> None:
    """CH-202, CH-205, CH-206 Any of the eight, whatever the notes say and whoever wrote it."""
    table.tell(Chose(seat, command.contestant - 1, table.state.contestant(command.contestant - 1)))


def confirm_prediction(table: Table, seat: Seat, _command: ConfirmPrediction, _dice: Dice) -> None:
    """CH-204, CH-207 The notes are deleted, the champion remains."""
    table.tell(Confirmed(seat))


def withdraw_confirmation(table: Table, seat: Seat, _command: WithdrawConfirmation, _dice: Dice) -> None:
    """CH-207 Until everybody has confirmed."""
    table.tell(Unready(seat))


def prediction_over(state: State) -> bool:
    """CH-207, CH-209 All have confirmed; a crowd predicts until the clock or the host ends it (CH-524)."""
    return 0 not in state.ready and (bool(state.boards) or state.clock_out)


def lock_predictions(table: Table, _dice: Dice) -> None:
    """CH-209 The tournament begins with the first quarter-final."""
    table.tell(PredictionsLocked())
    table.tell(Opened("discussion", DUELS[0]))


def _rank(stage: str) -> int:
    return ("quarter_final", "semi_final", "final").index(stage)
