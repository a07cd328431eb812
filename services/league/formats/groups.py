"""Who is in which group, and who goes on to which final?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from services.league.draws import drawn
from services.league.formats.elimination import order_of_seeds
from services.league.refusals import Refused
from services.league.seeding import pots, snake

SNAKE, POTS = "snake", "pots"


class Line(NamedTuple):
    """A line of a frozen group standing."""

    entrant: int
    rank: int
    points: Fraction = Fraction(0)
    matches: int = 0
    ties: tuple[Fraction, ...] = ()     # in the order of the stage's list


class Qualifier(NamedTuple):
    """Who goes on, and from where."""

    entrant: int
    group: int
    rank: int


Groups = Sequence[Sequence[Line]]


def filled(order: Sequence[int], groups: int, method: str = SNAKE, draw: tuple[bytes, str] = (b"", "")) -> tuple[tuple[int, ...], ...]:
    """LG-501 By snake or from pots; sizes differ by at most one."""
    if groups < 1:
        raise Refused("bad_setting", "there must be a group")
    return snake(order, groups) if method == SNAKE else pots(order, groups, *draw)


def listed(order: Sequence[int], groups: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """LG-501 By list, which must name everybody once."""
    if sorted(order) != sorted(one for group in groups for one in group):
        raise Refused("bad_setting", "the list must name every entrant once")
    return tuple(map(tuple, groups))


def qualifiers(groups: Groups, first: int, count: int, gone: frozenset[int] = frozenset()) -> tuple[Qualifier, ...]:
    """LG-503 to LG-505 Ranks `first` to `first + count - 1` of each frozen group, all firsts before all seconds.

    Who has dropped out since is replaced by the next of the same group, and nobody's rank in the group changes.
    """
    found = []
    for at, group in enumerate(groups):
        order = [line for line in sorted(group, key=lambda line: (line.rank, line.entrant)) if line.entrant not in gone]
        found += [Qualifier(line.entrant, at, place) for place, line in enumerate(order[first - 1:first - 1 + count], start=first)]
    return tuple(sorted(found, key=lambda one: (one.rank, one.group)))


def finals(groups: Groups, counts: Sequence[int], gone: frozenset[int] = frozenset()) -> tuple[tuple[Qualifier, ...], ...]:
    """LG-505 Final A, B and so on, each with the next ranks of every group."""
    firsts = [1 + sum(counts[:at]) for at in range(len(counts))]
    return tuple(qualifiers(groups, first, count, gone) for first, count in zip(firsts, counts, strict=True))


def overall(rankings: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """LG-505 Ranks that go on from A to B."""
    found: dict[int, int] = {}
    for ranking in rankings:
        found |= {entrant: len(found) + rank for entrant, rank in ranking.items()}
    return found


def runners_up(lines: Iterable[Line], count: int, draw: tuple[bytes, str]) -> tuple[int, ...]:
    """LG-506 By points per match, then each tie-break per match, then draw."""
    known = {str(line.entrant): line for line in lines}
    order = drawn(draw[0], "pots", draw[1], known)

    def value(name: str) -> tuple[Fraction, ...]:
        line = known[name]
        return tuple(-worth / max(1, line.matches) for worth in (line.points, *line.ties))

    return tuple(int(name) for name in sorted(order, key=value)[:count])


def seeds(found: Sequence[Qualifier]) -> tuple[int, ...]:
    """LG-508 The order of seeds of an elimination: winners meet runners-up of other groups, and groups stay apart as long as can be.

    Rank by rank each entrant takes the free place that meets its own group latest, the best seed among equal ones.
    """
    size = 1 << max(0, len(found) - 1).bit_length()
    order = [seed for seed in order_of_seeds(size) if seed <= len(found)]
    place = {seed: at for at, seed in enumerate(order_of_seeds(size))}
    taken: dict[int, Qualifier] = {}
    ranks = sorted({one.rank for one in found})
    free = sorted(order)
    for rank in ranks:
        row = [one for one in found if one.rank == rank]
        seats, free = free[:len(row)], free[len(row):]
        for one in row:
            best = min(seats, key=lambda seed: (_nearness(one, place[seed], taken, place), seed))
            seats.remove(best)
            taken[best] = one
    return tuple(taken[seed].entrant for seed in sorted(taken))


def _nearness(one: Qualifier, at: int, taken: Mapping[int, Qualifier], place: Mapping[int, int]) -> tuple[int, ...]:
    """How early one would meet others of its group, the earliest first."""
    meets: Callable[[int], int] = lambda other: (at ^ place[other]).bit_length()       # noqa: E731
    return tuple(sorted((-meets(seed) for seed, other in taken.items() if other.group == one.group), reverse=True))
