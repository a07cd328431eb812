"""How often did everybody meet and sit where, for the page of a stage?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from services.league.record import NO_SHOW, Record, present, started

Couple = tuple[int, int]


class Seats(NamedTuple):
    """LG-298 How often an entrant sat in each seat, counted from the first, and the largest difference."""

    counts: tuple[int, ...]
    difference: int


def meetings(records: Iterable[Record]) -> Counter[Couple]:
    """LG-391 How often each couple sat at the same started table."""
    return Counter(two for record in records for table in record.tables if started(table)
                   for two in combinations(sorted(seat.number for seat in present(table)), 2))


def met_again(records: Iterable[Record]) -> int:
    """LG-404 Couples that have met more than once."""
    return sum(count > 1 for count in meetings(records).values())


def seats(records: Sequence[Record]) -> dict[int, Seats]:
    """LG-295, LG-298 Started matches only."""
    rows: dict[int, list[int]] = {}
    for table in (table for record in records for table in record.tables if started(table)):
        size = len(table)
        for at, seat in enumerate(table):
            if seat.how != NO_SHOW:
                row = rows.setdefault(seat.number, [0] * size)
                if len(row) < size:
                    row += [0] * (size - len(row))
                row[at] += 1
    return {number: Seats(tuple(row), max(row) - min(row)) for number, row in sorted(rows.items())}
