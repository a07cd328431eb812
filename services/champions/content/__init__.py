"""What is printed on the cards and sheets, and in which words is it told?"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from services.champions.content.naming import plain
from services.champions.content.shapes import Base, Card, Sheet, checked
from shared.kernel.content import Words, load_pack

FOLDER = Path(__file__).parent
PACK = checked(load_pack(FOLDER / "base", Base))
BASE = PACK.content
WORDS = {path.stem: Words(path) for path in sorted((FOLDER / "words").glob("*.toml"))}


def edition(language: str) -> str:
    """CH-413 The edition played with: the language asked for, or the first one the pack has."""
    return language if language in BASE.duels else min(BASE.duels)


def cards(language: str) -> tuple[Card, ...]:
    return BASE.duels[edition(language)].cards


def sheets(language: str) -> tuple[Sheet, ...]:
    return BASE.sheets[edition(language)].sheets


def blocked(language: str) -> tuple[str, ...]:
    return BASE.blocklist[edition(language)]


@lru_cache(maxsize=64)
def sheet(language: str, title: str) -> tuple[str, ...]:
    """The names on a sheet."""
    return next((sheet.names for sheet in sheets(language) if sheet.title == title), ())


@lru_cache(maxsize=8)
def sheet_keys(language: str) -> frozenset[str]:
    """CH-446 What is compared of all names on all sheets."""
    return frozenset(plain(name, language) for name in all_names(language))


@lru_cache(maxsize=8)
def all_names(language: str) -> tuple[str, ...]:
    return tuple(name for sheet in sheets(language) for name in sheet.names)
