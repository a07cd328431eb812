"""How many icons, cards and types of effects does a team have? What multiplies an effect, and when does it apply?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain

from services.golden_cup import content
from services.golden_cup.content.shapes import (
    AllIcons,
    AtLeast,
    Bag,
    Condition,
    Effect,
    OnIncome,
    Per,
    PerCard,
    PerCardWith,
    PerDistinctIcon,
    PerEffectType,
    PerIcon,
)

Champions = tuple[str, ...]
Place = tuple[str, int]  # a card and the number of its effect
Triggers = type | tuple[type, ...]


def icons(champions: Champions) -> Counter[str]:
    """GC-346 to GC-348 The icons of the whole team, slots and bench."""
    return Counter(icon for name in champions for icon in content.CHAMPIONS[name].icons)


def types(champions: Champions) -> set[str]:
    """GC-768 The different types of effects."""
    return {effect.type for name in champions for effect in content.effects_of(name)}


def cards(champions: Champions, deck: str) -> int:
    """GC-714."""
    return sum(deck in {"all", content.CHAMPIONS[name].deck} for name in champions)


def cards_with(champions: Champions, kind: str) -> int:
    """GC-772, GC-773 Champions with at least one effect of a type."""
    return sum(any(effect.type == kind for effect in content.effects_of(name)) for name in champions)


def times(per: Per | None, champions: Champions) -> int:
    """GC-358, GC-359 The multiplier of an effect."""
    if per is None:
        return 1
    count = _count(per, champions)
    return count if per.most is None else min(count, per.most)


def _count(per: Per, champions: Champions) -> int:
    match per:
        case PerIcon(icon=icon, divide=divide):
            return icons(champions)[icon] // divide
        case PerDistinctIcon():
            return len(icons(champions))
        case PerCard(deck=deck):
            return cards(champions, deck)
        case PerCardWith(type=kind):
            return cards_with(champions, kind)
        case PerEffectType():
            return len(types(champions))


def holds(condition: Condition | None, champions: Champions) -> bool:
    """GC-360 Whether the effect applies at all."""
    match condition:
        case None:
            return True
        case AtLeast(icons=wanted):
            there = icons(champions)
            return all(there[icon] >= least for icon, least in wanted.items())
        case AllIcons():
            return set(content.BOARD.icons) <= set(icons(champions))


@lru_cache(maxsize=65536)
def applied(place: Place, champions: Champions) -> int:
    """How often an effect applies now: its multiplier, or never while its condition does not hold."""
    effect = effect_at(place)
    return times(effect.per, champions) if holds(effect.condition, champions) else 0


@lru_cache(maxsize=65536)
def income(champions: Champions) -> int:
    """GC-231, GC-715, GC-775 What the team brings in every computation of coins."""
    return sum(
        op.n * applied(place, champions)
        for place in with_trigger(champions, OnIncome)
        for op in effect_at(place).ops
        if isinstance(op, Bag)
    )


def effect_at(place: Place) -> Effect:
    """The effect of a card by its number, counted from 0."""
    return content.CHAMPIONS[place[0]].effects[place[1]]


def places(champions: Iterable[str]) -> Iterator[Place]:
    """GC-364 All effects in the order of playing and printing."""
    return ((name, number) for name in champions for number in range(len(content.CHAMPIONS[name].effects)))


def with_trigger(champions: Iterable[str], trigger: Triggers) -> tuple[Place, ...]:
    """GC-364 Those with a trigger, or with one of several."""
    return tuple(chain.from_iterable(_with_trigger(name, trigger) for name in champions))


def of_type(champions: Iterable[str], kind: str) -> tuple[Place, ...]:
    """GC-364 Those of a type."""
    return tuple(chain.from_iterable(_of_type(name, kind) for name in champions))


@cache
def _with_trigger(name: str, trigger: Triggers) -> tuple[Place, ...]:
    return tuple(place for place in places((name,)) if isinstance(effect_at(place).trigger, trigger))


@cache
def _of_type(name: str, kind: str) -> tuple[Place, ...]:
    return tuple(place for place in places((name,)) if effect_at(place).type == kind)
