"""What happens before the first ace is chosen?"""

from __future__ import annotations

from services.knightly_cup import content
from services.knightly_cup.events import Opened
from services.knightly_cup.rules.effects import printed
from services.knightly_cup.state import Options
from shared.kernel.dice import Dice
from shared.kernel.game import Table


def setup(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """KC-107 Who begins is drawn, unless the table names somebody; aces, map and goods follow in rules/laying.py."""
    first = options.first - 1 if options.first else dice.below(seats)
    table.tell(Opened(first, printed(content.BASE, options)))


def seats_for(options: Options) -> range:
    """KC-101 Two to four players; a seat that is named to begin must be there."""
    return range(max(2, options.first), 5)
