"""Which texts may be names, and when are two names the same?"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

ARTICLES = {
    "en": ("the", "a", "an"),
    "it": ("il", "lo", "la", "i", "gli", "le", "l", "un", "uno", "una"),
    "de": ("der", "die", "das", "ein", "eine"),
    "fr": ("le", "la", "les", "l", "un", "une"),
    "es": ("el", "la", "los", "las", "un", "una"),
}
LOOKALIKES = str.maketrans("0134578@$!€", "oieastbasie")
CONTACT = re.compile(
    r"https?:|www\.|\w@\w|(?<!\w)@\w|\d(?:[ .\-/()]?\d){6}|\w\.(?:com|net|org|info|io|eu|co|uk|de|it|fr|es|ch)\b"
)


@lru_cache(maxsize=8192)
def plain(name: str, language: str = "en") -> str:
    """CH-442 What is compared: case-folded, without diacritics, punctuation and a leading article."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(character if character.isalnum() else " " for character in apart if not unicodedata.combining(character))
    words = letters.split()
    if len(words) > 1 and words[0] in ARTICLES.get(language, ()):
        words = words[1:]
    return " ".join(words) or name.casefold()


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
    spellings = {
        _spelled(folded),
        _spelled(folded.translate(LOOKALIKES)),
        _spelled(folded.translate(LOOKALIKES).replace("l", "i")),
    }
    return any(_holds(spelling, entry) for spelling in spellings for entry in entries)


def _spelled(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c if c.isalnum() else " " for c in apart if not unicodedata.combining(c)).split())


def _holds(spelling: str, entry: str) -> bool:
    if entry.startswith("="):
        return f" {entry[1:]} " in f" {spelling} "
    return entry in spelling or entry in spelling.replace(" ", "")
