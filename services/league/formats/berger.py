"""Who meets whom in each round, when everybody meets everybody once or twice at tables of two?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from services.league.formats.round_robin import Round


def schedule(field: int, *, double: bool = False) -> tuple[Round, ...]:
    """LG-301 to LG-307 All rounds of the numbers 1 to `field`; at each table the first seat comes first."""
    size = field + field % 2
    single = tuple(_round(field, size, number) for number in range(1, size)) if field > 1 else ()
    if not double:
        return single
    first = (*single[:-2], *single[:-3:-1]) if len(single) > 1 else single
    return (*first, *(_exchanged(one) for one in single))


def _round(field: int, size: int, number: int) -> Round:
    """LG-301, LG-302 The numbers below `size` whose sum leaves the right remainder; the odd one meets `size` or rests."""
    alone = next(one for one in range(1, size) if (2 * one - number - 1) % (size - 1) == 0)
    couples = [_seated(one, other) for one, other in _sums(size, number + 1)]
    if field == size:
        return Round(((alone, size) if alone <= size // 2 else (size, alone), *couples))
    return Round(tuple(couples), (alone,))


def _sums(size: int, wanted: int) -> Iterator[tuple[int, int]]:
    for one in range(1, size):
        other = (wanted - one - 1) % (size - 1) + 1
        if one < other:
            yield one, other


def _seated(one: int, other: int) -> tuple[int, int]:
    """LG-303 The smaller number sits first if the sum is odd."""
    return (one, other) if (one + other) % 2 else (other, one)


def _exchanged(one: Round) -> Round:
    return Round(tuple((second, first) for first, second in one.tables), one.rests)


def same_seat_runs(rounds: tuple[Round, ...], number: int) -> int:
    """LG-305 How often running, at most, somebody sits in the same seat; rests do not break a run."""
    seats = [table.index(number) for one in rounds for table in one.tables if number in table]
    longest = run = min(1, len(seats))
    for before, now in pairwise(seats):
        run = run + 1 if before == now else 1
        longest = max(longest, run)
    return longest
