"""What is printed on the cards and sheets, and in which words is it told?"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from services.champions.content.naming import is_blocked, is_name, plain
from services.champions.content.shapes import Base, Card, Sheet, checked
from shared.kernel.content import Words, load_pack

Keyed = dict[str, str]  # names by what is compared of them (CH-442)

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


@lru_cache(maxsize=64)
def sheet(language: str, title: str) -> Keyed:
    """The names on a sheet by what is compared of them (CH-442); none on a sheet that nobody has."""
    names = next((sheet.names for sheet in sheets(language) if sheet.title == title), ())
    return {plain(name, language): name for name in names}


@lru_cache(maxsize=8)
def all_names(language: str) -> Keyed:
    """CH-446 The names on all sheets by what is compared of them; no two are alike."""
    return {key: name for each in sheets(language) for key, name in sheet(language, each.title).items()}


@lru_cache(maxsize=8192)
def may_be_shown(text: str, language: str) -> bool:
    """CH-443 to CH-445 A name, no way to reach anybody, nothing from the block list."""
    return is_name(text) and not is_blocked(text, BASE.blocklist[edition(language)])
