"""What may a pack of Champions! hold? Shape, ranges, lengths, doubles and symbols; a bad pack is refused as a whole (CH-454)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Literal

from msgspec import Meta, Struct

from services.champions.content.naming import is_blocked, is_name, plain
from shared.kernel.content import Pack, PackError

Value = Annotated[int, Meta(ge=0, le=20)]
Limit = Annotated[int, Meta(ge=5, le=600)]
Line = Annotated[str, Meta(min_length=10, max_length=90)]
LEAST_CARDS = 14


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pack this is."""

    id: str
    version: int


class Scoring(Struct, frozen=True, forbid_unknown_fields=True):
    """CH-309 What the spaces are worth."""

    quarter_final: Value = 1
    semi_final: Value = 2
    final: Value = 4
    champion_bonus: Value = 3


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """CH-401 The limits of one preset."""

    names: Limit
    check: Limit
    replacement: Limit
    prediction: Limit
    discussion: Annotated[int, Meta(ge=0, le=600)]
    vote: Limit
    reveal: Limit
    opening: Annotated[int, Meta(ge=0, le=30)]
    gathering: Limit


class NoClocks(Struct, frozen=True, forbid_unknown_fields=True):
    """CH-401 The preset without limits."""


class Presets(Struct, frozen=True, forbid_unknown_fields=True):
    """CH-401."""

    quick: Clocks
    normal: Clocks
    relaxed: Clocks
    none: NoClocks


class Side(Struct, frozen=True, forbid_unknown_fields=True):
    """A situation and its tie symbol."""

    text: Line
    tie: Literal["circle", "triangle"]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A duel card."""

    id: Annotated[int, Meta(ge=1, le=110)]
    a: Side
    b: Side
    tags: tuple[str, ...] = ()


class Duels(Struct, frozen=True, forbid_unknown_fields=True):
    """The duel cards of one language."""

    cards: Annotated[tuple[Card, ...], Meta(min_length=LEAST_CARDS)]


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A character sheet."""

    title: Annotated[str, Meta(min_length=1, max_length=60)]
    names: Annotated[tuple[str, ...], Meta(min_length=12, max_length=60)]


class Sheets(Struct, frozen=True, forbid_unknown_fields=True):
    """The character sheets of one language."""

    sheets: Annotated[tuple[Sheet, ...], Meta(min_length=8, max_length=8)]


class Base(Struct, frozen=True):
    """The files of the pack; texts by language."""

    pack: About
    scoring: Scoring
    clocks: Presets
    duels: dict[str, Duels]
    sheets: dict[str, Sheets]
    blocklist: dict[str, tuple[str, ...]]


def checked(pack: Pack[Base]) -> Pack[Base]:
    """CH-454 The pack, if nothing is wrong with it; raises PackError with every fault."""
    if found := list(faults(pack.content)):
        raise PackError("\n".join(found))
    return pack


def faults(base: Base) -> Iterator[str]:
    """CH-454 What types and ranges alone do not find."""
    languages = set(base.duels)
    for part, known in (("sheets", set(base.sheets)), ("blocklist", set(base.blocklist))):
        if known != languages:
            yield f"{part}: there for {sorted(known)}, but duels for {sorted(languages)}"
            return
    for language in sorted(languages):
        entries = base.blocklist[language]
        yield from (f"duels.{language}.toml: {fault}" for fault in _card_faults(base.duels[language].cards, entries))
        yield from (f"duels.{language}.toml: {fault}" for fault in _names_inside(base, language))
        yield from (f"sheets.{language}.toml: {fault}" for fault in _sheet_faults(base.sheets[language].sheets, language, entries))


def _card_faults(cards: tuple[Card, ...], entries: tuple[str, ...]) -> Iterator[str]:
    yield from (f"card {number} is there twice" for number in _doubles(card.id for card in cards))
    texts = [side.text for card in cards for side in (card.a, card.b)]
    yield from (f'"{text}" is there twice' for text in _doubles(text.casefold() for text in texts))
    yield from (f'"{text}" holds a blocked word' for text in texts if is_blocked(text, entries))
    yield from (f'"{text}" is not a verb phrase that completes "Who …?"' for text in texts if not _completes(text))
    yield from (f"card {card.id}: both sides show the same symbol" for card in cards if card.a.tie == card.b.tie)


def _sheet_faults(sheets: tuple[Sheet, ...], language: str, entries: tuple[str, ...]) -> Iterator[str]:
    yield from (f"the title {title} is there twice" for title in _doubles(sheet.title for sheet in sheets))
    names = list(chain.from_iterable(sheet.names for sheet in sheets))
    yield from (f"{name} is there twice" for name in _doubles(plain(name, language) for name in names))
    yield from (f"{name} is not a name" for name in names if not is_name(name))
    yield from (f"{name} holds a blocked word" for name in names if is_blocked(name, entries))


def _names_inside(base: Base, language: str) -> Iterator[str]:
    """No situation names somebody: a name of a sheet that is written with a capital letter must not stand in it."""
    names = [name for sheet in base.sheets[language].sheets for name in sheet.names if name[0].isupper()]
    known = re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b")
    for card in base.duels[language].cards:
        for side in (card.a, card.b):
            if found := known.search(side.text):
                yield f"card {card.id} names {found.group()}"


def _completes(text: str) -> bool:
    return text == text.strip() and text[0].islower() and text[-1] not in ".?!…"


def _doubles(items: Iterable[str | int]) -> list[str | int]:
    seen: set[str | int] = set()
    return sorted({item for item in items if item in seen or seen.add(item)}, key=str)  # type: ignore[func-returns-value]
