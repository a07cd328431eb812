"""How do nine, sixteen, twenty-five entrants sit so that no two meet twice? As the lines of a plane lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt

from services.league.formats.designs import ORDERS, plus, times
from services.league.formats.swissn.cards import BRACKETS_FIRST, Field, Table, evenness, listing, repeats, total

Point = tuple[int, int]


def from_plane(field: Field, wanted: Sequence[int]) -> tuple[Table, ...] | None:
    """LG-403 The parallel class that is best now, or nothing where the field is no plane or has left it."""
    order = _order(field, wanted)
    if order is None:
        return None
    past = field.plan.past
    rows = _lines(field, past[0], order) if past else None
    if rows is None:
        return None
    if len(past) == 1:
        return tuple(tuple(sorted(row[at] for row in rows if at < len(row))) for at in range(order))
    columns = _lines(field, past[1], order)
    if columns is None:
        return None
    points = {at: (x, y) for x, row in enumerate(rows) for y, column in enumerate(columns) for at in row if at in column}
    found = [tables for tables in _classes(points, order) if not any(repeats(field, table) for table in tables)]
    return min(found, key=lambda tables: (total(field, tables), evenness(field, tables), listing(tables)), default=None)


def _order(field: Field, wanted: Sequence[int]) -> int | None:
    """The order of the plane that these tables fit, or that less one point."""
    count, plan = len(field.cards), field.plan
    order = isqrt(count + 1)
    fits = order in ORDERS and count in {order * order, order * order - 1} and max(wanted) == order and len(wanted) == order
    whole = fits and plan.rounds <= order + 1 and plan.priority != BRACKETS_FIRST and not plan.never and not plan.apart
    return order if whole and all(not card.unplayed for card in field.cards) else None


def _lines(field: Field, tables: Sequence[Sequence[int]], order: int) -> list[list[int]] | None:
    """A round that was played as lines of ranks, in an order that never changes."""
    place = {card.number: at for at, card in enumerate(field.cards)}
    lines = [sorted(place[number] for number in table if number in place) for table in sorted(map(sorted, tables))]
    return lines if len(lines) == order and sum(map(len, lines)) == len(field.cards) else None


def _classes(points: dict[int, Point], order: int) -> Iterator[tuple[Table, ...]]:
    """The lines y = m x + b, for every slope but the level one, which was played."""
    at_point = {point: at for at, point in points.items()}
    for slope in range(1, order):
        lines = ([(x, plus(order, times(order, slope, x), start)) for x in range(order)] for start in range(order))
        yield tuple(tuple(sorted(at_point[point] for point in line if point in at_point)) for line in lines)
