"""What may a pack of Knightly Cup hold? Shapes, ranges and what must fit together; a bad pack is refused as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from services.knightly_cup.content.effects import Effect
from shared.kernel.content import Pack, PackError

Suit = Literal["clubs", "diamonds", "hearts", "spades"]
Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "joker"]
Type = Literal["monster", "merchant", "temple", "gateway", "fortress", "elves"]
ItemId = Literal["horse", "sword", "shield", "amulet"]
Coins = Annotated[int, Meta(ge=0, le=20)]
Limit = Annotated[int, Meta(ge=5, le=900)]
ONCE = ("fortress", "temple", "gateway")  # one rank each, so that every suit has exactly one card of the type
EVERY_RANK = Rank.__args__  # type: ignore[attr-defined]
EVERY_ITEM = ItemId.__args__  # type: ignore[attr-defined]


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pack this is."""

    id: str
    version: int


class RankEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """KC-137 What the cards of a rank are."""

    rank: Rank
    type: Type
    strength: Annotated[int, Meta(ge=1, le=12)] | None = None


class Legend(Struct, frozen=True, forbid_unknown_fields=True):
    """The legend."""

    ranks: tuple[RankEntry, ...]


class Gateways(Struct, frozen=True, forbid_unknown_fields=True):
    """KC-732 Two pairs of suits."""

    pairs: tuple[tuple[Suit, Suit], tuple[Suit, Suit]]


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """KC-231 to KC-236."""

    id: ItemId
    sold_at: Literal["merchant", "temple"]
    price: Annotated[int, Meta(ge=6, le=40)]
    sellable: bool
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=3)]


class Items(Struct, frozen=True, forbid_unknown_fields=True):
    """The four types of items."""

    items: tuple[Item, ...]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules."""

    starting_coins: Coins
    beg_limit: Coins
    toll: Annotated[int, Meta(ge=0, le=5)]
    bribe_opening: Annotated[int, Meta(ge=1, le=20)]
    small_purse: Coins
    base_dice: Annotated[int, Meta(ge=1, le=3)]
    most_dice: Annotated[int, Meta(ge=2, le=6)]
    kept_dice: Annotated[int, Meta(ge=1, le=4)]
    home_dice: Annotated[int, Meta(ge=0, le=2)]
    guardian_dice: Annotated[int, Meta(ge=0, le=2)]


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """KC-309 The limits of one preset."""

    turn: Annotated[int, Meta(ge=20, le=600)]
    answer: Annotated[int, Meta(ge=5, le=120)]
    lay: Annotated[int, Meta(ge=10, le=300)]


class NoClocks(Struct, frozen=True, forbid_unknown_fields=True):
    """The preset without limits."""


class Presets(Struct, frozen=True, forbid_unknown_fields=True):
    """KC-309."""

    quick: Clocks
    normal: Clocks
    relaxed: Clocks
    none: NoClocks


class Base(Struct, frozen=True):
    """The files of the pack."""

    pack: About
    legend: Legend
    gateways: Gateways
    items: Items
    settings: Settings
    clocks: Presets
    promises: dict[str, tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...]]


def checked(pack: Pack[Base]) -> Pack[Base]:
    """The pack, if nothing is wrong with it; raises PackError with every fault."""
    if found := list(faults(pack.content)):
        raise PackError("\n".join(found))
    return pack


def faults(base: Base) -> Iterator[str]:
    """What types and ranges alone do not find."""
    yield from (f"legend.toml: {fault}" for fault in _legend_faults(base.legend.ranks))
    yield from (f"gateways.toml: {fault}" for fault in _pair_faults(base.gateways.pairs))
    yield from (f"items.toml: {fault}" for fault in _item_faults(base.items.items))
    if base.settings.base_dice > base.settings.most_dice:
        yield "settings.toml: base_dice is more than most_dice"


def _legend_faults(ranks: tuple[RankEntry, ...]) -> Iterator[str]:
    counts: Counter[str] = Counter(entry.rank for entry in ranks)
    yield from (f"rank {rank} is there {counts[rank]} times" for rank in EVERY_RANK if counts[rank] != 1)
    types: Counter[str] = Counter(entry.type for entry in ranks)
    yield from (f"{kind} fills {types[kind]} ranks, not one" for kind in ONCE if types[kind] != 1)
    if types["monster"] < 1 or types["merchant"] < 1:
        yield "there must be a monster and a merchant"
    for entry in ranks:
        if (entry.type == "elves") != (entry.rank == "joker"):
            yield f"rank {entry.rank}: jokers are elves, and nothing else is"
        if (entry.type == "monster") != (entry.strength is not None):
            yield f"rank {entry.rank}: monsters have a strength, and nothing else has"


def _pair_faults(pairs: tuple[tuple[Suit, Suit], ...]) -> Iterator[str]:
    if len({suit for pair in pairs for suit in pair}) != 4:
        yield "the pairs do not hold every suit once"


def _item_faults(items: tuple[Item, ...]) -> Iterator[str]:
    counts: Counter[str] = Counter(item.id for item in items)
    yield from (f"{item} is there {counts[item]} times" for item in EVERY_ITEM if counts[item] != 1)
    for item in items:
        if len({type(effect) for effect in item.effects}) != len(item.effects):
            yield f"{item.id} has the same effect twice"
        if item.sold_at == "temple" and item.sellable:
            yield f"{item.id}: Temples buy nothing, and a Merchant does not buy what a Temple sells"
