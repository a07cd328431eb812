"""How many tables are there, how large is each, and who sits in which seat?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import lcm
from typing import NamedTuple

LARGEST = 8                                     # seats at a table
WHOLE = lcm(*range(1, LARGEST + 1))             # a share of a seat is a whole number of these parts


class Limits(NamedTuple):
    """How many seats a table may have, and how many it should have."""

    least: int
    most: int
    preferred: int


class Sat(NamedTuple):
    """One table at which somebody sat before."""

    seat: int
    size: int


def sizes(field: int, limits: Limits) -> tuple[int, ...]:
    """LG-271 to LG-274 The sizes of the tables for so many entrants, largest first; who finds no seat is left over."""
    for seated in range(field, limits.least - 1, -1):
        counts = range(-(-seated // limits.most), seated // limits.least + 1)
        if counts:
            return _even(seated, min(counts, key=lambda count: _strain(seated, count, limits)))
    return ()


def _strain(seated: int, count: int, limits: Limits) -> tuple[int, int, int]:
    """LG-271 For a number of tables the even sizes are the best ones, so that only the number is to be chosen."""
    even = _even(seated, count)
    largest = max(abs(size - limits.preferred) for size in (even[0], even[-1]))
    return abs(seated - count * limits.preferred), largest, -count


def _even(seated: int, count: int) -> tuple[int, ...]:
    size, larger = divmod(seated, count)
    return (size + 1,) * larger + (size,) * (count - larger)


def in_seats(table: Iterable[int], sat: Mapping[int, Sequence[Sat]]) -> tuple[int, ...]:
    """LG-293, LG-294 The pairing numbers of a table in the order of its seats: everybody gets what they have had least."""
    numbers = tuple(sorted(table))
    surplus = {number: [_surplus(sat.get(number, ()), seat) for seat in range(len(numbers))] for number in numbers}

    @cache
    def best(left: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """The least cost of seating these on the last seats, and the first list among equals."""
        if not left:
            return 0, ()
        seat = len(numbers) - len(left)
        rest = ((number, best(tuple(other for other in left if other != number))) for number in left)
        return min((surplus[number][seat] + cost, (number, *order)) for number, (cost, order) in rest)

    return best(numbers)[1]


def _surplus(sat: Sequence[Sat], seat: int) -> int:
    """How often more than expected somebody has had this seat; the squares of LG-293 grow by twice that and a constant."""
    return sum(WHOLE * (table.seat == seat) - (WHOLE // table.size) * (seat < table.size) for table in sat)
