"""Who leads a stage, and what decided between equals? Points, then each code in its turn among those still equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from services.league.record import Part, is_played, unit, whole
from services.league.standings import POINTS, Line
from services.league.ties.book import Book
from services.league.ties.codes import code

Group = tuple[list[int], str]


def ranking(found: Book, codes: Sequence[str]) -> tuple[Line, ...]:
    """LG-741, LG-743, LG-801, LG-808 The whole standing of a stage; equals to the end share the rank."""
    ties: dict[int, list[tuple[str, Fraction]]] = {number: [] for number in found.rows}
    groups = [*_split(sorted(found.rows), found.totals, "", POINTS)]
    for name in codes:
        groups = [part for group, decided in groups for part in _decided(group, decided, name, (found, ties))]
    return tuple(_lines(groups, found, ties))


def _decided(group: list[int], decided: str, name: str, known: tuple[Book, dict[int, list[tuple[str, Fraction]]]]) -> Iterator[Group]:
    if len(group) == 1:
        return iter([(group, decided)])
    found, ties = known
    values = dict(code(name)(group, found))
    for number in group:
        ties[number].append((name, values[number]))
    return _split(group, values, decided, name)


def _split(group: list[int], values: dict[int, Fraction], decided: str, name: str) -> Iterator[Group]:
    parts_of = unit(values[number] for number in group)
    worths = {number: whole(values[number], parts_of) for number in group}
    order = sorted(group, key=lambda number: (-worths[number], number))
    for part, (_, equal) in enumerate(groupby(order, key=lambda number: worths[number])):
        yield list(equal), name if part else decided


def _places(row: Sequence[Part | None]) -> tuple[int, ...]:
    """How often first, second, …; shared places count as the better one."""
    counts: list[int] = []
    for part in row:
        if part is not None and is_played(part):
            place = part.table[part.seat].place
            if len(counts) < place:
                counts += [0] * (place - len(counts))
            counts[place - 1] += 1
    return tuple(counts)


def _lines(groups: Sequence[Group], found: Book, ties: dict[int, list[tuple[str, Fraction]]]) -> Iterator[Line]:
    rank = 1
    for group, decided in groups:
        for at, number in enumerate(group):
            counts = _places(found.rows[number])
            yield Line(number, rank, found.totals[number], sum(counts), counts, tuple(ties[number]), "" if at else decided)
        rank += len(group)
