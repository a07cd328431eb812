"""What does a team bring to a match? Its shooters, and what its slotted champions change in attacks."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from services.golden_cup import content
from services.golden_cup.content.counting import Place, applied, effect_at, of_type, with_trigger
from services.golden_cup.content.shapes import (
    Fame,
    Modify,
    MoreDice,
    OnDefend,
    OnOpponentAttack,
    OnOwnAttack,
    OnScore,
    ScoreAtOnce,
    Sponsor,
)
from services.golden_cup.state import NO_LINE_UP, Team
from shared.kernel.dice import Dice


class Shooter(NamedTuple):
    """Who shoots from a slot, and how: dice, or a score without a roll, and what the shot brings."""

    champion: str = ""  # empty: a base Champion
    dice: int = 1
    scores_at_once: bool = False
    gifts: tuple[tuple[str, int, int], ...] = ()  # fame or sponsor, how much, how often


class Side(NamedTuple):
    """GC-411, GC-428 One side of a match, as its line-up makes it."""

    shooters: tuple[Shooter, ...]
    attack: int = 0  # added to each own attack
    against: int = 0  # added to each attack of the opponent
    guard: int = 0  # taken from an attack that a Defense token of the own meets
    guard_per_token: int = 0
    on_score: tuple[Place, ...] = ()


FACES = tuple(map(frozenset, content.BOARD.slots))
BASE_CHAMPIONS = (Shooter(),) * 4
AUTOMA = Side(BASE_CHAMPIONS)  # GC-609, GC-610: one die, and no effects at all


def side_of(team: Team) -> Side:
    return _side(team.line_up, team.champions)


@lru_cache(maxsize=16384)
def _side(line_up: tuple[str, ...], champions: tuple[str, ...]) -> Side:
    """GC-344, GC-353, GC-464, GC-718, GC-763 to GC-766 Effects of champions in slots only, each as often as it applies."""
    if line_up == NO_LINE_UP:
        return AUTOMA
    shooters = tuple(shooter_of(name, champions) for name in line_up)
    slotted = tuple(name for name in champions if name in line_up)
    if not with_trigger(slotted, (OnDefend, OnOwnAttack, OnOpponentAttack, OnScore)):
        return Side(shooters)  # as nearly every team, and quicker than to look for each of them
    guards = with_trigger(slotted, OnDefend)
    per_token = tuple(place for place in guards if getattr(effect_at(place).trigger, "per_token", False))
    return Side(
        shooters,
        attack=_changes(with_trigger(slotted, OnOwnAttack), champions),
        against=_changes(with_trigger(slotted, OnOpponentAttack), champions),
        guard=_changes(tuple(place for place in guards if place not in per_token), champions),
        guard_per_token=_changes(per_token, champions),
        on_score=with_trigger(slotted, OnScore),
    )


def _changes(places: tuple[Place, ...], champions: tuple[str, ...]) -> int:
    """GC-766 They add up."""
    return sum(op.n * applied(place, champions) for place in places for op in effect_at(place).ops if isinstance(op, Modify))


def shooter_of(name: str, champions: tuple[str, ...]) -> Shooter:
    """GC-451, GC-460, GC-462, GC-701, GC-712, GC-774 The shooting effects of one champion."""
    if not name:
        return Shooter()
    dice, at_once, gifts = 1, False, []
    for place in of_type((name,), "shooting"):
        often = applied(place, champions)
        for op in effect_at(place).ops if often else ():
            match op:
                case MoreDice(n):
                    dice += n * often
                case ScoreAtOnce():
                    at_once = True
                case Fame(n):
                    gifts.append(("fame", n, often))
                case Sponsor(n):
                    gifts.append(("sponsor", n, often))
                case _:
                    raise ValueError(f"{name}: {op} is no shooting effect")
    return Shooter(name, dice, at_once, tuple(gifts))


def shot(shooter: Shooter, slot: int, dice: Dice) -> tuple[tuple[int, ...], bool]:
    """GC-452 to GC-455, GC-461 The faces rolled all at once, and whether one of them stands under the slot."""
    if shooter.scores_at_once:
        return (), True
    faces = tuple([dice.roll(6) for _ in range(shooter.dice)])
    return faces, not FACES[slot - 1].isdisjoint(faces)
