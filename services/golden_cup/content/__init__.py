"""What is printed on the cards, tiles and boards, and in which words is it told?"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from services.golden_cup.content.faults import checked
from services.golden_cup.content.shapes import Base, Champion, Effect
from shared.kernel.content import Words, load_pack

FOLDER = Path(__file__).parent
PACK = checked(load_pack(FOLDER / "base", Base))
BASE = PACK.content
BOARD = BASE.board
CHAMPIONS = BASE.champions
WORDS = {path.stem: Words(path) for path in sorted((FOLDER / "words").glob("*.toml"))}

DECKS = ("bronze", "silver", "gold")
CAP = len(BOARD.finance_fame) - 1  # GC-234: the last space of the Finance track


def champion(name: str) -> Champion:
    return CHAMPIONS[name]


def level_of(name: str) -> int:
    """The deck of a champion, as an index of DECKS."""
    return DECKS.index(CHAMPIONS[name].deck)


def effects_of(name: str) -> tuple[Effect, ...]:
    return CHAMPIONS[name].effects


@cache
def needs_another(name: str) -> bool:
    """GC-257 Whether another champion has to go when this one is played."""
    return any(op.__struct_config__.tag == "drop_champion" for effect in effects_of(name) for op in effect.ops)


def price_of_stadium(round_: int) -> int:
    """GC-264."""
    return BOARD.stadium_cost[round_ - 1]
