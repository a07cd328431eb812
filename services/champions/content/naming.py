"""Which texts may be names, and when are two names the same?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

ARTICLES = {  # each with what parts it from the name
    "en": ("the ", "a ", "an "),
    "it": ("il ", "lo ", "la ", "i ", "gli ", "le ", "l'", "un ", "uno ", "una ", "un'"),
    "de": ("der ", "die ", "das ", "ein ", "eine "),
    "fr": ("le ", "la ", "les ", "l'", "un ", "une "),
    "es": ("el ", "la ", "los ", "las ", "un ", "una "),
}
APOSTROPHES = str.maketrans("’‘`´", "''''")
LOOKALIKES = tuple(str.maketrans(f"0{one}345789@$!€|", f"o{letter}eastbgasiei") for one, letter in (("1", "i"), ("1", "l")))
DOMAINS = "com|net|org|info|io|eu|co|uk|de|it|fr|es|ch|at|nl|pl|ru|us|tv|me|gg|ly|app|dev|xyz|online|site|shop"
CONTACT = re.compile(rf"://|https?:|www\.|\w@\w|(?<!\w)@\w|\d(?:[ .\-/()]?\d){{6}}|\w\.(?:{DOMAINS})\b|\w\.[a-z]{{2,}}/\w")
LONE_LETTERS = re.compile(r"(?<=\b\w) (?=\w\b)")


@lru_cache(maxsize=8192)
def plain(name: str, language: str = "en") -> str:
    """CH-442 What is compared: case-folded, without diacritics, punctuation, blanks and a leading article."""
    folded = _unmarked(name.casefold().translate(APOSTROPHES)).strip()
    rest = next((folded.removeprefix(article) for article in ARTICLES.get(language, ()) if folded.startswith(article)), "")
    return _letters(rest) or _letters(folded) or folded


@lru_cache(maxsize=1024)
def plain_all(names: tuple[str, ...], language: str = "en") -> frozenset[str]:
    """CH-442 Of many names at once; a table asks for the same ones again and again."""
    return frozenset(plain(name, language) for name in names)


@lru_cache(maxsize=8192)
def is_name(name: str) -> bool:
    """CH-443, CH-444 One to forty characters with a letter of any script, and no way to reach anybody."""
    return 1 <= len(name) <= 40 and any(map(str.isalpha, name)) and not CONTACT.search(name.casefold())


def is_blocked(name: str, entries: tuple[str, ...]) -> bool:
    """CH-445 Whether an entry of the block list stands in it, also when digits stand for letters."""
    folded = name.casefold()
    readings = {folded, folded.translate(LOOKALIKES[0]), folded.translate(LOOKALIKES[1])}
    readings.add(folded.translate(LOOKALIKES[0]).replace("l", "i"))
    spellings = {spelling for reading in readings for spelling in _spellings(_unmarked(reading))}
    return any(_holds(spelling, entry) for spelling in spellings for entry in entries)


def _spellings(text: str) -> Iterator[str]:
    """Words parted by punctuation, words with punctuation left out, and letters that stand one by one drawn together."""
    apart = " ".join("".join(character if character.isalnum() else " " for character in text).split())
    yield apart
    yield " ".join(_letters(word) for word in text.split())
    yield LONE_LETTERS.sub("", apart)


def _unmarked(text: str) -> str:
    """Without diacritics."""
    return "".join(character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))


def _letters(text: str) -> str:
    """Letters and digits alone."""
    return "".join(filter(str.isalnum, text))


def _holds(spelling: str, entry: str) -> bool:
    return f" {entry[1:]} " in f" {spelling} " if entry.startswith("=") else entry in spelling
