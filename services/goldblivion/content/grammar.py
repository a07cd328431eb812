"""What does a written ability mean? `pay 1 material -> bars 1 OR combat +2` becomes options, costs and effects."""

from __future__ import annotations

import re

from services.goldblivion.content.effects import (
    Ability,
    Bars,
    Copy,
    Cost,
    Destroy,
    Dice,
    Draw,
    DrawCombat,
    DummyBars,
    DummyBurn,
    DummyConquer,
    DummyDice,
    DummyMagic,
    DummyMarket,
    DummyMaterial,
    DummyNuggets,
    DummyReveal,
    Effect,
    Fight,
    FreeCharacter,
    FreeCombat,
    LoseMaterial,
    Magic,
    Material,
    Nuggets,
    Option,
    Reactivate,
    Sacrifice,
    Strength,
)

RACES = ("elf", "human", "dwarf")
BADGES = (*RACES, "building")
COUNTED: dict[str, type[Effect]] = {
    "nuggets": Nuggets,
    "material": Material,
    "lose-material": LoseMaterial,
    "bars": Bars,
    "dice": Dice,
    "magic": Magic,
    "draw": Draw,
    "free-character": FreeCharacter,
    "free-combat": FreeCombat,
    "destroy": Destroy,
    "strength": Strength,
    "draw-combat": DrawCombat,
    "d-dice": DummyDice,
    "d-nuggets": DummyNuggets,
    "d-material": DummyMaterial,
    "d-bars": DummyBars,
    "d-burn": DummyBurn,
}
PLAIN: dict[str, type[Effect]] = {
    "copy": Copy,
    "sacrifice": Sacrifice,
    "d-magic": DummyMagic,
    "d-reveal": DummyReveal,
    "d-conquer": DummyConquer,
    "d-market": DummyMarket,
}
PER = {"nuggets", "dice", "strength", "d-dice", "d-nuggets"}
MOST = 20

_PAID = re.compile(r"pay (\d+) (nuggets|material) (->\*?) (.+)")
_FIGHT = re.compile(r"combat(?: \+(\d+))?(?: draw (\d+))?")
_COUNTED = re.compile(r"([a-z-]+) (\d+)(?: per (\w+))?")
_GROUP = re.compile(r"reactivate (\w+)")


class NotUnderstood(ValueError):
    """A written ability that the grammar does not know; the text says which part."""


def ability_of(text: str) -> Ability:
    """At most two options, exactly one of which is chosen."""
    options = tuple(_option(part) for part in text.split(" OR "))
    if len(options) > 2:
        raise NotUnderstood(f"{text!r} has more than two options")
    return options


def row_of(text: str) -> tuple[Effect, ...]:
    """A row of powers of a solo board: effects alone."""
    return tuple(_effect(part) for part in text.split(", "))


def _option(text: str) -> Option:
    paid = _PAID.fullmatch(text)
    if paid is None:
        return Option(row_of(text))
    cost = Cost(_number(paid[1]), paid[2], paid[3] == "->*")
    if not cost.n:
        raise NotUnderstood(f"{text!r} costs nothing")
    return Option(row_of(paid[4]), cost)


def _effect(text: str) -> Effect:
    if text in PLAIN:
        return PLAIN[text]()
    if fight := _FIGHT.fullmatch(text):
        return Fight(_number(fight[1] or "0"), _number(fight[2] or "0"))
    if group := _GROUP.fullmatch(text):
        return Reactivate(_badge(group[1], BADGES))
    counted = _COUNTED.fullmatch(text)
    if counted is None or counted[1] not in COUNTED:
        raise NotUnderstood(f"{text!r} is no effect")
    kind, number = COUNTED[counted[1]], _number(counted[2])
    if counted[3] is None:
        return kind(number)
    if counted[1] not in PER:
        raise NotUnderstood(f"{text!r}: {counted[1]} cannot be counted per badge")
    return kind(number, _badge(counted[3], BADGES if counted[1].startswith("d-") else (*BADGES, "territory")))


def _number(text: str) -> int:
    if int(text) > MOST:
        raise NotUnderstood(f"{text} is more than {MOST}")
    return int(text)


def _badge(text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise NotUnderstood(f"{text!r} is none of {', '.join(allowed)}")
    return text
