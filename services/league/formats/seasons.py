"""Who plays in which division next season?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

STAYED, UP, DOWN, REPRIEVED, FREE, NEW = "stayed", "up", "down", "reprieved", "free_place", "new"
BY_CLOCK, DOUBLE_FORFEIT, EXTEND = "by_clock", "double_forfeit", "extend"


class Division(NamedTuple):
    """A division with its frozen standing, best first; `up` and `down` say how many move from it."""

    standing: tuple[str, ...]
    size: int
    up: int
    down: int


class Move(NamedTuple):
    """Where somebody plays next, and why."""

    entrant: str
    level: int
    cause: str


class Change(NamedTuple):
    """What is known besides the standings."""

    on: frozenset[str]                                  # who goes on
    barred: frozenset[str] = frozenset()                # LG-569 disqualified: they do not go up, and count among those going down
    newcomers: tuple[str, ...] = ()                     # in order of entry
    fits: Mapping[str, int] = {}                        # LG-567 `rating`: the division whose range fits a newcomer


def moves(divisions: Sequence[Division], change: Change) -> tuple[Move, ...]:
    """LG-564 to LG-569 Every place of the next season, from the top division downwards."""
    due_down = [_due_down(one, change, last=at == len(divisions) - 1) for at, one in enumerate(divisions)]
    due_up = [_due_up(one, change, down) if at else [] for at, (one, down) in enumerate(zip(divisions, due_down, strict=True))]
    placed: dict[str, Move] = {}
    for level in range(len(divisions)):
        _fill(level, (divisions, due_down, due_up), change, placed)
    _newcomers(divisions, change, placed)
    return tuple(placed.values())


def _going_on(division: Division, change: Change) -> list[str]:
    return [name for name in division.standing if name in change.on]


def _due_down(division: Division, change: Change, *, last: bool) -> list[str]:
    """LG-564, LG-569 The last ranks of the whole standing, those who do not go on among them; the disqualified always."""
    if last:
        return []
    ranked = [name for name in division.standing if name not in change.barred] + [name for name in division.standing if name in change.barred]
    return ranked[max(0, len(ranked) - division.down):]


def _due_up(division: Division, change: Change, down: Sequence[str]) -> list[str]:
    return [name for name in _going_on(division, change) if name not in change.barred and name not in down][:division.up]


def _fill(level: int, known: tuple[Sequence[Division], list[list[str]], list[list[str]]], change: Change, placed: dict[str, Move]) -> None:
    """LG-565, LG-566 Those who stay, who come down, who come up; free places to the reprieved, then to the next best below."""
    divisions, due_down, due_up = known
    own = _going_on(divisions[level], change)
    stay = [name for name in own if name not in due_down[level] and name not in due_up[level] and name not in placed]
    comes_down = [name for name in due_down[level - 1] if name in change.on and name not in placed] if level else []
    comes_up = due_up[level + 1] if level + 1 < len(divisions) else []
    reprieved = [name for name in divisions[level].standing if name in due_down[level] and name in change.on and name not in change.barred]
    below = _going_on(divisions[level + 1], change) if level + 1 < len(divisions) else []
    # Who was due up but found no place stays as well.
    stay += [name for name in due_up[level] if name not in placed]
    next_best = [name for name in below if name not in comes_up and name not in change.barred and name not in due_down[level + 1]]
    for cause, names in ((STAYED, stay), (DOWN, comes_down), (UP, comes_up), (REPRIEVED, reprieved), (FREE, next_best)):
        for name in names:
            room = divisions[level].size - sum(move.level == level for move in placed.values())
            if name not in placed and (room > 0 or cause in {STAYED, DOWN}):
                placed[name] = Move(name, level, cause)


def _newcomers(divisions: Sequence[Division], change: Change, placed: dict[str, Move]) -> None:
    """LG-567 The lowest division in order of entry, or the one that fits if it has a free place; nobody is displaced."""
    for name in change.newcomers:
        level = change.fits.get(name, len(divisions) - 1)
        taken = sum(move.level == level for move in placed.values())
        placed[name] = Move(name, level if taken < divisions[level].size else len(divisions) - 1, NEW)


def at_the_end(state: str, on_turn_late: str | None, rule: str, *, extended: bool) -> tuple[str, tuple[str, ...]]:
    """LG-562, LG-563 What becomes of a match at the season's end: its kind, and who forfeits.

    A match that has finished keeps its result, whenever the sweep comes.
    """
    if state != "running":
        return "kept", ()
    if rule == EXTEND and not extended:
        return "extended", ()
    if rule == DOUBLE_FORFEIT or on_turn_late is None:
        return "double_forfeit", ()
    return "forfeit", (on_turn_late,)
