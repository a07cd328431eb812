"""What do the cards mean, what does everything cost, and in which words is it told?"""

from __future__ import annotations

from pathlib import Path

from services.knightly_cup.content.shapes import Base, checked
from shared.kernel.content import Words, load_pack

FOLDER = Path(__file__).parent
PACK = checked(load_pack(FOLDER / "base", Base))
BASE = PACK.content
WORDS = {path.stem: Words(path) for path in sorted((FOLDER / "words").glob("*.toml"))}


def promises(language: str) -> tuple[str, ...]:
    """KC-809 What may be suggested to promise; in the first language of the pack if it has not this one."""
    return BASE.promises.get(language) or BASE.promises[min(BASE.promises)]
