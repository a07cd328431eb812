"""What happens before the first throw?"""

from __future__ import annotations

from shared.kernel.dice import Dice
from shared.kernel.game import Table
from tests.laws.pebbles import content, events
from tests.laws.pebbles.state import Options


def setup(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """PB-101 to PB-103."""
    bag = dice.shuffled(sorted(content.BASE.pebbles))
    table.tell(events.BagFilled(len(bag), bag))
    for seat in range(seats):
        table.tell(events.NumberLearned(seat, dice.roll(6)))
    table.tell(events.RoundBegan(1))
