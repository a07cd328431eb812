"""Which final ranks can everybody still reach?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from math import lcm, prod
from typing import NamedTuple

from services.league.formats.elimination import THIRD, UPPER, ranks
from services.league.formats.tree import DECIDED, WALKOVER, Place, Tree
from services.league.scoring import Rules, Scale, Seat, scale_for, scored

MOST = 100_000          # endings that are looked at one by one
LARGEST_COUNTED = 7     # seats: a larger table alone has more endings than that

Table = tuple[int, ...]
Ending = tuple[Fraction, ...]
Points = Mapping[int, Fraction]


class Interval(NamedTuple):
    """LG-821 The best and the worst rank that are still possible."""

    best: int
    worst: int


def intervals(points: Points, left: Sequence[Table], rules: Rules) -> dict[int, Interval]:
    """LG-822 to LG-824 Exact by points while the endings are few, before that from what everybody can reach."""
    scales = {size: _scale(size, rules) for size in {len(table) for table in left}}
    if max(scales, default=0) <= LARGEST_COUNTED:
        endings = {size: _endings(size, *scale, rules.leaver) for size, scale in scales.items()}
        if prod(len(endings[len(table)]) for table in left) <= MOST:
            return _exact(points, left, [endings[len(table)] for table in left])
    nothing = min(Fraction(0), rules.leaver or Fraction(0))        # who leaves, does not come, or whose match counts for nothing
    return _bounds(points, left, {size: (min(scale[0][-1], scale[1], nothing), max(scale[0][0], scale[1])) for size, scale in scales.items()})


def _scale(seats: int, rules: Rules) -> tuple[Scale, Fraction]:
    """The points of a table and, at two seats, those of a draw."""
    scale = scale_for(seats, rules.scales)
    level = sum(scale, Fraction(0)) / len(scale)
    return scale, rules.draw if seats == 2 and rules.draw is not None else level


@cache
def _endings(seats: int, scale: Scale, draw: Fraction, leaver: Fraction | None) -> tuple[Ending, ...]:
    """LG-822, LG-824 Every way a table can end, as points by seat: ties, leavers, no-shows, and that it counts for nothing."""
    rules = Rules({seats: scale}, seats, draw if seats == 2 else None, leaver=leaver)
    ways = ("left", "no_show") if leaver or scale[-1] else ("left",)       # else both bring nothing
    found = {(Fraction(0),) * seats}
    for gone in chain.from_iterable(combinations(range(seats), count) for count in range(seats + 1)):
        for places, hows in product(_places(seats - len(gone)), product(ways, repeat=len(gone))):
            table = [*zip(sorted({*range(seats)} - {*gone}), places, strict=True)]
            seated = [Seat(at, place) for at, place in table] + [Seat(at, len(table) + 1, how=how) for at, how in zip(gone, hows, strict=True)]
            worth = scored(seated, rules)
            found.add(tuple(worth[at] for at in range(seats)))
    return tuple(sorted(found))


@cache
def _places(seats: int) -> tuple[tuple[int, ...], ...]:
    """All places that a table of so many seats can have."""
    return tuple({_ranked(levels) for levels in _levels(seats)})


def _levels(seats: int) -> Iterator[tuple[int, ...]]:
    if not seats:
        yield ()
        return
    for levels in _levels(seats - 1):
        highest = max(levels, default=-1)
        for level in range(highest + 1):
            yield (*levels, level)
        for new in range(highest + 2):
            yield (*(level + (level >= new) for level in levels), new)


def _ranked(levels: Sequence[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other < own for other in levels) for own in levels)


def _exact(points: Points, left: Sequence[Table], endings: Sequence[Sequence[Ending]]) -> dict[int, Interval]:
    """LG-822 Equal points count as both orders; counted in whole numbers, which is as exact and far quicker."""
    order = sorted(points)
    place = {number: at for at, number in enumerate(order)}
    parts = lcm(*(value.denominator for value in points.values()), *{value.denominator for ways in endings for way in ways for value in way})
    seats = [place[number] for table in left for number in table]
    ways = [[tuple(int(value * parts) for value in way) for way in each] for each in endings]
    start = [int(points[number] * parts) for number in order]
    best, worst = [len(order)] * len(order), [1] * len(order)
    seen: set[tuple[int, ...]] = set()
    for ending in product(*ways):
        final = list(start)
        for seat, worth in zip(seats, chain.from_iterable(ending), strict=True):
            final[seat] += worth
        seen.add(tuple(final))
    for reached in seen:
        ranked = sorted(reached)
        for at, own in enumerate(reached):
            best[at] = min(best[at], 1 + len(order) - bisect_right(ranked, own))
            worst[at] = max(worst[at], len(order) - bisect_left(ranked, own))
    return {number: Interval(best[at], worst[at]) for at, number in enumerate(order)}


def _bounds(points: Points, left: Sequence[Table], reach: Mapping[int, tuple[Fraction, Fraction]]) -> dict[int, Interval]:
    """By the least and the most that a table of each size can give to one seat."""
    least, most = dict(points), dict(points)
    for table in left:
        low, high = reach[len(table)]
        for number in table:
            least[number] += low
            most[number] += high
    return from_reach(least, most)


def from_reach(least: Points, most: Points, sure: Collection[int] | None = None) -> dict[int, Interval]:
    """LG-824, LG-826 From the points that everybody has at least and can have at most; of whom one is not `sure` that they will have a rank, nobody
    is certain to be behind them.
    """
    lows, highs = sorted(worth for number, worth in least.items() if sure is None or number in sure), sorted(most.values())
    count = len(highs)
    return {number: Interval(1 + len(lows) - bisect_right(lows, most[number]), max(1, count - bisect_left(highs, least[number])))
            for number in points_of(least)}


def points_of(least: Points) -> list[int]:
    return sorted(least)


def mark(interval: Interval, qualifying: int) -> str:
    """LG-825 What is certain already."""
    if interval.worst == 1:
        return "winner"
    if interval.worst <= qualifying:
        return "qualified"
    return "out" if interval.best > qualifying else ""


def in_elimination(tree: Tree) -> dict[int, Interval]:
    """LG-826 Who is out has a rank; who is still in can win, and gets at worst the rank of the next pairing's loser."""
    last = max(place.round for place in tree)
    third = tree.get(Place(THIRD, last, 0))
    to_come = third is not None and third.winner is None        # LG-444: who loses a semi-final plays on
    found = {seed: Interval(rank, rank + (rank == 3 and to_come)) for seed, rank in ranks(tree).items()}
    for place, stand in tree.items():
        if place.part == UPPER:
            for seed in (stand.one, stand.other):
                if seed and seed not in found and not _is_over(tree, place, seed):
                    found[seed] = Interval(1, 2 ** (last - place.round) + 1 + (to_come and place.round == last - 1))
    return found


def _is_over(tree: Tree, place: Place, seed: int) -> bool:
    """The pairing is decided and this one has gone on."""
    stand = tree[place]
    return stand.state in {DECIDED, WALKOVER} and stand.winner == seed
