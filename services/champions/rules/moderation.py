"""What the host does: masks a name, judges nominations, sets the names of a crowd."""

from __future__ import annotations

from services.champions.commands import ApproveName, MaskName, RefuseName, SetName
from services.champions.name_events import Approved, Filled, Masked, Unapproved
from services.champions.state import NOBODY
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def mask_name(table: Table, _seat: Seat, command: MaskName, _dice: Dice) -> None:
    """CH-450 Shown by its number from now on; the game goes on unchanged."""
    table.tell(Masked(command.contestant))


def approve_name(table: Table, _seat: Seat, command: ApproveName, _dice: Dice) -> None:
    """CH-523 The name may be drawn."""
    table.tell(Approved(command.name))


def refuse_name(table: Table, _seat: Seat, command: RefuseName, _dice: Dice) -> None:
    """CH-523 The name may not be drawn, even if it was approved before."""
    table.tell(Unapproved(command.name))


def set_name(table: Table, _seat: Seat, command: SetName, _dice: Dice) -> None:
    """CH-524 On one of the tiles of a crowd that no nomination takes."""
    table.tell(Filled(NOBODY, table.state.free_tiles()[command.tile - 1], command.name, settled=False))
