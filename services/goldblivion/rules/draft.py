"""The Noble draft: the last in turn order takes first."""

from __future__ import annotations

from services.goldblivion.commands import ChooseNoble
from services.goldblivion.content import in_order
from services.goldblivion.rules.market import shuffle_deck
from services.goldblivion.setup_events import DrafterCame, TookNoble
from services.goldblivion.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def choose_noble(table: Table, seat: Seat, command: ChooseNoble, dice: Dice) -> None:
    """GB-153 to GB-155."""
    take_noble(table, seat, command.noble, dice)


def take_noble(table: Table, seat: Seat, noble: str, dice: Dice) -> None:
    """GB-155 Shuffled into the deck; then the one before in turn order chooses."""
    table.tell(TookNoble(seat, noble))
    shuffle_deck(table, seat, dice)
    if not all(table.state.taken):
        table.tell(DrafterCame((seat - 1) % len(table.state.boards)))


def needs_nobody(state: State) -> bool:
    """GB-156, GB-605, GB-705 The last Noble is taken without asking, and so is one for a seat that has left."""
    return len(state.nobles) <= 1 or state.boards[state.turn].gone


def take_first(table: Table, dice: Dice) -> None:
    """GB-156 The only one left, or the first in the order of the files."""
    take_noble(table, table.state.turn, in_order(table.state.nobles)[0], dice)
