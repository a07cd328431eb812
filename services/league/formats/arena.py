"""Who is seated together now, among all who wait in an arena?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from services.league.tables import Limits, sizes

WINDOW = 8          # LG-523: ranks within which another entrant is looked for
PASSES = 8          # exchanges at most for each larger table


class Waiting(NamedTuple):
    """LG-521 Somebody who is free: not in a match, not paused."""

    number: int
    points: Fraction
    since: int                          # milliseconds
    last: frozenset[int] = frozenset()  # whom the last match was against
    passed: bool = False                # LG-524 over at the beat before


class Beat(NamedTuple):
    """Who sits together, and who is passed over."""

    tables: tuple[tuple[int, ...], ...]
    passed: tuple[int, ...] = ()


class Line(NamedTuple):
    """What an arena's standing compares (LG-526, LG-527)."""

    number: int
    points: Fraction
    firsts: Fraction
    seconds: Fraction
    matches: int
    reached: int                        # when the points were reached
    lot: int                            # the place in the draw


def beat(free: Iterable[Waiting], limits: Limits, now: int, *, ends: int | None = None, max_wait: int = 60_000) -> Beat:
    """LG-522 to LG-525 Neighbours sit together; who was passed over or waited too long comes first; nothing starts after the end."""
    order = sorted(free, key=lambda one: (not one.passed, now - one.since <= max_wait, -one.points, one.since, one.number))
    wanted = sizes(len(order), limits)
    if not wanted or (ends is not None and now >= ends):
        return Beat((), tuple(sorted(one.number for one in order)))
    playing, passed = order[:sum(wanted)], order[sum(wanted):]
    playing = sorted(playing, key=lambda one: (now - one.since <= max_wait, -one.points, one.since, one.number))
    tables = _parted(playing, wanted) if limits.least == limits.most == 2 or max(wanted) == 2 else _cut(playing, wanted)
    return Beat(tuple(tuple(one.number for one in table) for table in tables), tuple(sorted(one.number for one in passed)))


def _cut(order: Sequence[Waiting], wanted: Sequence[int]) -> list[list[Waiting]]:
    tables, start = [], 0
    for size in wanted:
        tables.append(list(order[start:start + size]))
        start += size
    place = {one.number: at for at, one in enumerate(order)}
    for _ in range(PASSES):
        if not [at for at in range(len(tables)) if _parted_tables(tables, at, place)]:
            break
    return tables


def _parted_tables(tables: list[list[Waiting]], at: int, place: Mapping[int, int]) -> bool:
    """LG-523 At a larger table somebody changes places with another within the window, if fewer have just met then."""
    for mine, one in enumerate(tables[at]):
        if not _just_met(tables[at]):
            return False
        near = [(other, theirs) for other in range(max(0, at - WINDOW), min(len(tables), at + WINDOW + 1)) if other != at
                for theirs, free in enumerate(tables[other]) if abs(place[free.number] - place[one.number]) <= WINDOW]
        for other, theirs in sorted(near, key=lambda spot: abs(place[tables[spot[0]][spot[1]].number] - place[one.number])):
            before = _just_met(tables[at]) + _just_met(tables[other])
            tables[at][mine], tables[other][theirs] = tables[other][theirs], one
            if _just_met(tables[at]) + _just_met(tables[other]) < before:
                return True
            tables[at][mine], tables[other][theirs] = one, tables[at][mine]
    return False


def _just_met(table: Sequence[Waiting]) -> int:
    """Couples at a table whose last match was with each other."""
    return sum(other.number in one.last or one.number in other.last for one, other in combinations(table, 2))


def _parted(order: list[Waiting], wanted: Sequence[int]) -> list[list[Waiting]]:
    """LG-523 Who has just met takes the nearest other within the window who has not; if none is there they meet again."""
    left, tables = list(order), []
    for _ in wanted:
        one = left.pop(0)
        near = next((at for at, other in enumerate(left[:WINDOW]) if other.number not in one.last), 0)
        tables.append([one, left.pop(near)])
    for at in range(len(tables) - 1, 0, -1):
        _mended(tables[at], tables[:at])
    return tables


def _mended(table: list[Waiting], others: Sequence[list[Waiting]]) -> None:
    """The last ones left may have just met; one of them then changes with somebody seated nearby."""
    if table[1].number not in table[0].last:
        return
    for other in list(reversed(others))[:WINDOW // 2]:
        for mine, theirs in ((0, 1), (1, 1), (0, 0), (1, 0)):
            stays, moves = table[1 - mine], other[theirs]
            if moves.number not in stays.last and table[mine].number not in other[1 - theirs].last:
                table[mine], other[theirs] = moves, table[mine]
                return


def standing(lines: Iterable[Line]) -> tuple[tuple[int, int], ...]:
    """LG-527 Rank and number: points, first places, second places, points per match, the earlier one, draw."""
    order = sorted(lines, key=lambda one: (-one.points, -one.firsts, -one.seconds, -one.points / max(1, one.matches), one.reached, one.lot))
    return tuple((rank, one.number) for rank, one in enumerate(order, start=1))


def counts(finished_at: int, ends: int, drain: int = 30 * 60_000) -> bool:
    """LG-525 A match that runs when the arena ends counts if it finishes in time, and is void after that."""
    return finished_at <= ends + drain


def after_match(ended: Mapping[int, str]) -> frozenset[int]:
    """LG-526 Who left the match is paused until they press ready again."""
    return frozenset(number for number, how in ended.items() if how != "played")
