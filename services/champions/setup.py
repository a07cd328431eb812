"""What happens before the first name is written?"""

from __future__ import annotations

from services.champions import content
from services.champions.events import CardsLaid, Opened, SheetDealt
from services.champions.rules.names import share_tiles
from services.champions.state import STAGE_OF, Duel, Options, Situation
from shared.kernel.dice import Dice
from shared.kernel.game import Table


def setup(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """CH-101 to CH-109, CH-122 Cards, sheets, tiles; a crowd is waited for first (CH-524)."""
    table.tell(CardsLaid(lay_cards(options.language, dice), content.BASE.scoring.champion_bonus))
    titles = dice.shuffled(sorted(sheet.title for sheet in content.sheets(options.language)))
    for seat in range(seats):
        table.tell(SheetDealt(seat, titles[seat]))
    share_tiles(table, 1, dice)
    if options.crowd:
        table.tell(Opened("gathering"))


def lay_cards(language: str, dice: Dice) -> tuple[Duel, ...]:
    """CH-106, CH-107 Seven random cards, and for each by lot which side is up."""
    drawn = dice.shuffled(sorted(content.cards(language), key=lambda card: card.id))[:7]
    laid = []
    for number, card in enumerate(drawn):
        sides = (card.a, card.b) if dice.below(2) == 0 else (card.b, card.a)
        up, down = (Situation(side.text, side.tie) for side in sides)
        laid.append(Duel(card.id, getattr(content.BASE.scoring, STAGE_OF[number]), up, down))
    return tuple(laid)


def seats_for(options: Options) -> range:
    """CH-101, CH-524 Three to eight players; a crowd has none."""
    return range(1) if options.crowd else range(3, 9)
