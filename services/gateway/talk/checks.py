"""Which texts may stand before strangers, and what can be said where only phrases are allowed (PL-556, PL-557)?"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

from services.gateway.problems import LANGUAGES

MOST = 300      # characters of a text
WORDS = Path(__file__).parent.parent / "words"
PHRASES: Mapping[str, Mapping[str, str]] = tomllib.loads((WORDS / "phrases.toml").read_text("utf-8"))
REFUSED = tuple(line for line in (WORDS / "refused.txt").read_text("utf-8").splitlines() if line and not line.startswith("#"))
DOMAINS = "com|net|org|info|io|eu|co|uk|de|it|fr|es|ch|at|nl|pl|ru|us|tv|me|gg|ly|app|dev|xyz|online|site|shop"
CONTACT = re.compile(rf"://|https?:|www\.|\w@\w|\+?\d(?:[ .\-/()]?\d){{8}}|\w\.(?:{DOMAINS})\b|\w\.[a-z]{{2,}}/\w")
LOOKALIKES = tuple(str.maketrans(f"0{one}345789@$!€|", f"o{letter}eastbgasiei") for one, letter in (("1", "i"), ("1", "l")))
HEAPED = re.compile(r"[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3}")     # signs above signs reach into other lines
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0").union(map(chr, range(0xFE00, 0xFE10)))  # drawn as nothing
LONE_LETTERS = re.compile(r"(?<=\b\w) (?=\w\b)")


def phrase(name: str, language: str) -> str:
    """A phrase as this reader says it."""
    return PHRASES[name][language]


def phrases(language: str) -> list[dict[str, str]]:
    return [{"phrase": name, "words": words[language]} for name, words in PHRASES.items()]


def cleaned(text: str) -> str:
    """PL-357 As it is checked and stored: NFKC, blanks joined, no control, bidirectional or zero-width characters."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(" " if one.isspace() else one for one in plain if one.isspace() or not _invisible(one)).split())


def _invisible(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"} or character in UNSEEN


def may_be_said(text: str) -> bool:
    """PL-557 Nothing of the block list, also when digits stand for letters, and no way to reach anybody outside."""
    folded = text.casefold()
    if not text or len(text) > MOST or CONTACT.search(folded) or HEAPED.search(text):
        return False
    spellings = {spelling for reading in _readings(folded) for spelling in _spellings(_unmarked(reading))}
    return not any(_holds(spelling, entry) for spelling in spellings for entry in REFUSED)


def _readings(folded: str) -> set[str]:
    first, second = (folded.translate(signs) for signs in LOOKALIKES)
    return {folded, first, second}


def _spellings(text: str) -> Iterator[str]:
    """Words parted by punctuation, words with punctuation left out, and letters that stand one by one drawn together."""
    apart = " ".join("".join(character if character.isalnum() else " " for character in text).split())
    yield apart
    yield " ".join("".join(filter(str.isalnum, word)) for word in text.split())
    yield LONE_LETTERS.sub("", apart)


def _unmarked(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))


def _holds(spelling: str, entry: str) -> bool:
    return f" {entry[1:]} " in f" {spelling} " if entry.startswith("=") else entry in spelling


assert all(set(words) == set(LANGUAGES) for words in PHRASES.values()), "a phrase without a translation"
