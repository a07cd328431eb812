"""What is printed on board, tiles and cards, and in which words is it told?"""

from __future__ import annotations

from pathlib import Path

from services.golden_goal.content.effects import Line, numbered
from services.golden_goal.content.shapes import Base, Length, checked
from shared.kernel.content import Words, load_pack

FOLDER = Path(__file__).parent
PACK = checked(load_pack(FOLDER / "base", Base))
BASE = PACK.content
WORDS = {path.stem: Words(path) for path in sorted((FOLDER / "words").glob("*.toml"))}

ECONOMY = BASE.economy
TILES = {tile.id: tile for tile in BASE.tiles.tiles}
SQUARE_OF = {place.what: place.index for place in BASE.board.squares if place.kind != "event"}  # of tiles and corners
IN_ORDER = tuple(sorted(TILES, key=SQUARE_OF.__getitem__))
DECK_OF = {card.id: "football" for card in BASE.events_football.cards}
DECK_OF |= {card.id: "non_football" for card in BASE.events_non_football.cards}
PRINTED: dict[str, tuple[int, ...]] = {}  # by card, the numbers of its effects
LINES: dict[str, tuple[Line, ...]] = {}
for _card in (*BASE.events_football.cards, *BASE.events_non_football.cards):
    PRINTED[_card.id], LINES[_card.id] = numbered(_card.effects)
USES = {card: getattr(lines[0].effect, "use", "") for card, lines in LINES.items()}  # of kept cards


def length(name: str) -> Length:
    """GG-121."""
    chosen: Length = getattr(BASE.presets, name)
    return chosen


def price(tile: str) -> int:
    return TILES[tile].price


def half(tile: str) -> int:
    """GG-482 What the Bank pays for a tile, and where an open auction opens (GG-202)."""
    return TILES[tile].price // 2
