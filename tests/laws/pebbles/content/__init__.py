"""What is printed on the pebbles, and in which words is it told?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from shared.kernel.content import Words, load_pack
from tests.laws.pebbles.content.shapes import Base

FOLDER = Path(__file__).parent
PACK = load_pack(FOLDER / "base", Base)
BASE = PACK.content
WORDS = {path.stem: Words(path) for path in sorted((FOLDER / "words").glob("*.toml"))}


def worth(pebbles: Iterable[str]) -> int:
    """The sum of the values of some pebbles."""
    return sum(BASE.pebbles[pebble].value for pebble in pebbles)
