"""What is printed on cards, tiles, tokens and boards, and in which words is it told?"""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path

from services.goldblivion.content.effects import Ability, Cost, Destroy, Effect, Option, for_dummy
from services.goldblivion.content.faults import checked
from services.goldblivion.content.grammar import BADGES, ability_of, row_of
from services.goldblivion.content.shapes import Base, SoloBoard, VillageTile
from shared.kernel.content import Words, load_pack

FOLDER = Path(__file__).parent
PACK = checked(load_pack(FOLDER / "base", Base))
BASE = PACK.content
WORDS = {path.stem: Words(path) for path in sorted((FOLDER / "words").glob("*.toml"))}

NUMBERS = BASE.constants
GOLD = {card.id: card for card in BASE.gold_cards.cards}
COMBAT = {card.id: card for card in BASE.combat_cards.cards}
TILES = {tile.id: tile for tile in BASE.territory_tiles.tiles}
VILLAGES: dict[str, VillageTile] = {tile.place: tile for tile in BASE.village_tiles.tiles}
SPACES = BASE.board.spaces
FACES = BASE.dice.faces
SOLO: dict[str, SoloBoard] = {board.id: board for board in BASE.solo_boards.boards}
COW = next(tile.id for tile in TILES.values() if tile.kind == "cow_dragon")

ORDER = {thing: place for place, thing in enumerate(chain(GOLD, COMBAT, (token.id for token in BASE.magic_tokens.tokens), TILES))}
CHARACTERS = frozenset(card.id for card in GOLD.values() if card.kind != "building")
BUILDINGS = frozenset(card.id for card in GOLD.values() if card.kind == "building")
PRICES = {card.id: card.price for card in GOLD.values()} | {card.id: card.price for card in COMBAT.values()}
COUNTS = {badge: {card.id: card.badges.count(badge) for card in GOLD.values()} for badge in BADGES}
STRENGTHS = {tile.id: tile.strength for tile in TILES.values()}
PLACES = ("left", "right")  # GB-135: of the village tiles
MARKER = "marker"  # the first player marker has a power too (GB-527)

POWERS: dict[str, Ability] = {
    **{card.id: ability_of(card.ability) for card in GOLD.values()},
    **{card.id: ability_of(card.ability) for card in COMBAT.values()},
    **{token.id: ability_of(token.ability) for token in BASE.magic_tokens.tokens},
    **{f"{tile.id}_{side}": ability_of(getattr(tile, side)) for tile in VILLAGES.values() for side in ("a", "b")},
    **{tile.id: ability_of(tile.reward) for tile in TILES.values()},
    MARKER: (Option((Destroy(NUMBERS.marker),)),),
}
BONUSES = tuple(ability_of(face.bonus)[0].effects for face in FACES)
DUMMY_BONUSES = tuple(row_of(face.dummy) for face in FACES)
ROWS: dict[str, tuple[Effect, ...]] = {
    **{f"{board.id}_{row}": row_of(getattr(board, row)) for board in SOLO.values() for row in (*BADGES, "magic")},
    **{tile: for_dummy(POWERS[tile][0].effects) for tile in TILES},
}


@cache
def copies(kind: str) -> tuple[str, ...]:
    """All cards of a kind, one entry per copy, in the order of the files: start, noble, character or building."""
    return tuple(card.id for card in GOLD.values() if card.kind == kind for _ in range(card.copies))


@cache
def combat_copies(kind: str) -> tuple[str, ...]:
    """All Combat cards of a kind, one entry per copy: start or market."""
    return tuple(card.id for card in COMBAT.values() if card.kind == kind for _ in range(card.copies))


@cache
def tile_copies(kind: str) -> tuple[str, ...]:
    """All territories of a kind, one entry per tile: forest or mountain."""
    return tuple(tile.id for tile in TILES.values() if tile.kind == kind for _ in range(tile.copies))


def in_order(ids: tuple[str, ...]) -> tuple[str, ...]:
    """In the order of the files: how hands lie, and what is shuffled lies first (PL-391)."""
    return tuple(sorted(ids, key=ORDER.__getitem__))


def cost_of(power: str, option: int) -> Cost | None:
    """What an option costs; options are counted from 1."""
    return POWERS[power][option - 1].cost
