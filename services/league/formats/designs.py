"""For which fields is there a schedule in which everybody meets everybody equally often, and what is it (`designs-1`)?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations
from math import isqrt
from typing import NamedTuple

from services.league.formats.euler import turned
from services.league.formats.round_robin import Round
from services.league.refusals import Refused
from services.league.tables import Limits, Sat, in_seats

Block = tuple[int, ...]                 # points of a table, counted from 0
Class = tuple[Block, ...]               # tables at which everybody can sit at once
ORDERS = (3, 4, 5, 7, 8)
MODULUS = {4: 0b111, 8: 0b1011}         # of the fields that are not made of remainders


class Balance(NamedTuple):
    """LG-327 What an organiser is shown before the start."""

    least: int
    most: int
    couples: dict[int, int]             # how many couples meet so often
    tables: tuple[int, int]             # fewest and most of one entrant


def times(order: int, one: int, other: int) -> int:
    """The product in the field with so many elements."""
    if order not in MODULUS:
        return one * other % order
    product = 0
    for bit in range(3):
        product ^= (one << bit) * (other >> bit & 1)
    for bit in (4, 3, 2):
        if bit >= order.bit_length() - 1 and product >> bit & 1:
            product ^= MODULUS[order] << (bit - order.bit_length() + 1)
    return product


def plus(order: int, one: int, other: int) -> int:
    return one ^ other if order in MODULUS else (one + other) % order


@cache
def plane(order: int) -> tuple[Class, ...]:
    """The affine plane: its lines in parallel classes; the point (x, y) is order × x + y."""
    rows = tuple(tuple(order * x + y for y in range(order)) for x in range(order))
    slopes = (tuple(tuple(order * x + plus(order, times(order, slope, x), start) for x in range(order)) for start in range(order))
              for slope in range(order))
    return (rows, *slopes)


def without(classes: Iterable[Class], points: frozenset[int]) -> tuple[Class, ...]:
    """LG-325 The plane less some points; lines of which nothing is left go."""
    cut = (tuple(tuple(point for point in block if point not in points) for block in one) for one in classes)
    return tuple(tuple(block for block in one if block) for one in cut)


def _differences(modulus: int, base: Block) -> Iterator[Block]:
    return (tuple(sorted((point + shift) % modulus for point in base)) for shift in range(modulus))


def _complements(count: int, blocks: Iterable[Block]) -> Iterator[Block]:
    return (tuple(point for point in range(count) if point not in block) for block in blocks)


def _all_but_one(count: int) -> Iterator[Block]:
    return _complements(count, ((point,) for point in range(count)))


def _both_halves(count: int, blocks: Iterable[Block]) -> tuple[Class, ...]:
    return tuple((block, other) for block in blocks for other in _complements(count, [block]))


def _hyperplanes(bits: int) -> tuple[Class, ...]:
    """The hyperplanes of the affine space over two elements, each with the one parallel to it."""
    return _both_halves(1 << bits, (
        tuple(point for point in range(1 << bits) if (point & normal).bit_count() % 2 == 0) for normal in range(1, 1 << bits)))


@cache
def _spreads() -> tuple[Class, ...]:
    """The lines of the projective 3-space of order 2 in seven spreads, the first in order."""
    lines = sorted({tuple(sorted((one, other, one ^ other))) for one, other in combinations(range(1, 16), 2)})
    spreads = list(_covers(lines, frozenset(range(1, 16))))
    (chosen,) = next(([found] for found in _packings(spreads, frozenset(lines))), [()])
    return tuple(tuple(tuple(point - 1 for point in line) for line in spread) for spread in chosen)


def _covers(lines: Sequence[Block], points: frozenset[int]) -> Iterator[Class]:
    if not points:
        yield ()
        return
    first = min(points)
    for line in lines:
        if line[0] == first and points >= set(line):
            yield from ((line, *rest) for rest in _covers(lines, points - set(line)))


def _packings(spreads: Sequence[Class], lines: frozenset[Block]) -> Iterator[tuple[Class, ...]]:
    if not lines:
        yield ()
        return
    first = min(lines)
    for spread in spreads:
        if first in spread and lines >= set(spread):
            yield from ((spread, *rest) for rest in _packings(spreads, lines - set(spread)))


def _packed(blocks: Iterable[Block]) -> tuple[Class, ...]:
    """LG-324 Tables in rounds in which nobody sits twice; who has none rests."""
    rounds: list[list[Block]] = []
    for block in blocks:
        free = next((one for one in rounds if not any(set(block) & set(other) for other in one)), None)
        if free is None:
            rounds.append([block])
        else:
            free.append(block)
    return tuple(map(tuple, rounds))


def _squares() -> tuple[Class, ...]:
    """Squares mod 11 with a fixed point, and complements."""
    return _both_halves(12, (tuple(sorted((*block, 11))) for block in _differences(11, (1, 3, 4, 5, 9))))


Maker = Callable[[], tuple[Class, ...]]
PLANES: dict[tuple[int, int], Maker] = {(order, order * order): partial(plane, order) for order in ORDERS}
MADE: dict[tuple[int, int], Maker] = PLANES | {
    (3, 4): lambda: _packed(_all_but_one(4)),
    (3, 6): lambda: _both_halves(6, (block for block in combinations(range(6), 3) if 0 in block)),
    (3, 7): lambda: _packed(_differences(7, (0, 1, 3))),
    (3, 15): _spreads,
    (4, 5): lambda: _packed(_all_but_one(5)),
    (4, 7): lambda: _packed(_complements(7, _differences(7, (0, 1, 3)))),
    (4, 8): lambda: _hyperplanes(3),
    (4, 13): lambda: _packed(_differences(13, (0, 1, 3, 9))),
    (5, 6): lambda: _packed(_all_but_one(6)),
    (5, 11): lambda: _packed(_differences(11, (1, 3, 4, 5, 9))),
    (5, 21): lambda: _packed(_differences(21, (3, 6, 7, 12, 14))),
    (6, 7): lambda: _packed(_all_but_one(7)),
    (6, 11): lambda: _packed(_complements(11, _differences(11, (1, 3, 4, 5, 9)))),
    (6, 12): _squares,
    (6, 16): lambda: _packed(tuple(sorted(point ^ shift for point in (0, 1, 2, 4, 8, 15))) for shift in range(16)),
    (6, 31): lambda: _packed(_differences(31, (1, 5, 11, 24, 25, 27))),
    (7, 8): lambda: _packed(_all_but_one(8)),
    (7, 15): lambda: _packed(_differences(15, (0, 1, 2, 4, 5, 8, 10))),
    (8, 9): lambda: _packed(_all_but_one(9)),
    (8, 15): lambda: _packed(_complements(15, _differences(15, (0, 1, 2, 4, 5, 8, 10)))),
    (8, 16): lambda: _hyperplanes(4),
    (8, 57): lambda: _packed(_differences(57, (0, 1, 6, 15, 22, 26, 45, 55))),
}


@cache
def classes_for(field: int, limits: Limits) -> tuple[Class, ...] | None:
    """LG-322, LG-325 The rounds of the points, if there is a design for this field; one that does not count right is not offered."""
    order = isqrt(field) + 1
    found: tuple[Class, ...] | None = None
    if (limits.preferred, field) in MADE:
        found = MADE[limits.preferred, field]()
    elif order in ORDERS and limits.least <= order - 1 and limits.most >= order:
        if field == order * order - 1:
            found = without(plane(order), frozenset({order * order - 1}))
        elif field == order * order - order:
            found = without(plane(order), frozenset(plane(order)[0][-1]))
    return found if found is not None and is_balanced(found, field) else None


def is_balanced(classes: Iterable[Class], field: int) -> bool:
    """LG-321, LG-323 Counted, not believed."""
    met = Counter(two for one in classes for block in one for two in combinations(sorted(block), 2))
    return len(met) == field * (field - 1) // 2 and len(set(met.values())) == 1


def schedule(order: Sequence[int], limits: Limits) -> tuple[Round, ...] | None:
    """LG-322, LG-329, LG-330 The design with the entrants on its points in the order given by draw, and with their seats."""
    classes = classes_for(len(order), limits)
    if classes is None:
        return None
    tables = [[sorted(order[point] for point in block) for block in one] for one in classes]
    equal = len({len(table) for one in tables for table in one}) == 1
    seated = _evenly(tables) if equal else _one_by_one(tables)
    return tuple(Round(tuple(sorted(one, key=min)), tuple(sorted(set(order) - {number for table in one for number in table}))) for one in seated)


def _one_by_one(rounds: Iterable[Iterable[Sequence[int]]]) -> list[list[Block]]:
    """LG-293 Round by round, with what went before."""
    sat: dict[int, list[Sat]] = {}
    seated = []
    for one in rounds:
        tables = [in_seats(table, sat) for table in one]
        for table in tables:
            for seat, number in enumerate(table):
                sat.setdefault(number, []).append(Sat(seat, len(table)))
        seated.append(tables)
    return seated


def _evenly(rounds: Iterable[Iterable[Sequence[int]]]) -> list[list[Block]]:
    """LG-292 Two seat numbers at a time are shared out evenly, until every two are."""
    seated = [[list(table) for table in one] for one in _one_by_one(rounds)]
    tables = [table for one in seated for table in one]
    while not _is_even(tables):
        for first, second in combinations(range(len(tables[0])), 2):
            for table, exchanged in zip(tables, turned([(table[first], table[second]) for table in tables]), strict=True):
                if exchanged:
                    table[first], table[second] = table[second], table[first]
    return [[tuple(table) for table in one] for one in seated]


def _is_even(tables: Sequence[Sequence[int]]) -> bool:
    counts = Counter((number, seat) for table in tables for seat, number in enumerate(table))
    for number in {number for table in tables for number in table}:
        own = [counts[number, seat] for seat in range(len(tables[0]))]
        if max(own) - min(own) > 1:
            return False
    return True


def balance(rounds: Iterable[Round], field: Sequence[int]) -> Balance:
    """LG-327 Meetings and tables of a schedule."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[int] = Counter(dict.fromkeys(field, 0))
    for one in rounds:
        for table in one.tables:
            met.update(combinations(sorted(table), 2))
            sat.update(table)
    spread = Counter(met.values())
    never = len(field) * (len(field) - 1) // 2 - len(met)
    if never:
        spread[0] = never
    return Balance(min(spread, default=0), max(spread, default=0), dict(sorted(spread.items())),
                   (min(sat.values(), default=0), max(sat.values(), default=0)))


def check(found: Balance, *, accepted: bool) -> None:
    """LG-328 A schedule that is far from even starts only if somebody said so."""
    if found.most - found.least > 1 and not accepted:
        raise Refused("imbalance_not_accepted", f"couples meet between {found.least} and {found.most} times")


def rounds_of(field: int, limits: Limits) -> int | None:
    """LG-322 How many rounds the design takes, if there is one."""
    classes = classes_for(field, limits)
    return None if classes is None else len(classes)


