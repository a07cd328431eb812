"""In which order do the entrants stand, and how are they dealt out over groups?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from services.league.draws import drawn
from services.league.refusals import Refused


def by_rating(ratings: Mapping[str, Fraction | None], seed: bytes, stage: str) -> tuple[str, ...]:
    """LG-252 The highest first, unrated last, equal ones by draw."""
    order = drawn(seed, "seeding", stage, ratings)
    return tuple(sorted(order, key=lambda name: -(ratings[name] if ratings[name] is not None else Fraction(-10**9))))  # type: ignore[operator]


def given(entrants: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    """LG-252 An organiser's list, which names everybody once."""
    if sorted(entrants) != sorted(order):
        raise Refused("bad_setting", "the list must name every entrant once")
    return tuple(order)


def by_ranks(ranks: Mapping[str, int], seed: bytes, stage: str) -> tuple[str, ...]:
    """LG-252 `previous`: the ranks of a frozen standing, equal ones by draw."""
    return tuple(sorted(drawn(seed, "seeding", stage, ranks), key=lambda name: ranks[name]))


def finalists(ranks: Mapping[str, int | None], count: int, seed: bytes, stage: str) -> tuple[str, ...]:
    """LG-616 Who comes to a finals tournament, and in which order, from a frozen standing; who has no rank does not."""
    return by_ranks({name: rank for name, rank in ranks.items() if rank is not None}, seed, stage)[:count]


def snake(order: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """LG-257 There and back again, row by row."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for at, number in enumerate(order):
        row, column = divmod(at, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(number)
    return tuple(map(tuple, dealt))


def pots(order: Sequence[int], groups: int, seed: bytes, stage: str) -> tuple[tuple[int, ...], ...]:
    """LG-501 Each row of the snake is a pot, and a draw says who of it goes where."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for start in range(0, len(order), groups):
        for group, name in zip(dealt, drawn(seed, "pots", stage, map(str, order[start:start + groups])), strict=False):
            group.append(int(name))
    return tuple(map(tuple, dealt))


def spread(groups: Sequence[Sequence[int]], kinds: Mapping[int, Hashable], protected: int = 0) -> tuple[tuple[int, ...], ...]:
    """LG-258, LG-259 Exchanges inside a row keep those of one kind apart; the first numbers are not moved.

    Exchanges in one row or in two rows at a time, as long as one lessens the couples of one kind in a group.
    """
    dealt = [list(group) for group in groups]
    while _improved(dealt, kinds, protected):
        pass
    return tuple(map(tuple, dealt))


def same_kind(groups: Iterable[Iterable[int]], kinds: Mapping[int, Hashable]) -> int:
    """LG-259 How many couples of one kind are in a group together."""
    counts = (Counter(kinds[number] for number in group if number in kinds) for group in groups)
    return sum(count * (count - 1) // 2 for group in counts for count in group.values())


def _improved(dealt: list[list[int]], kinds: Mapping[int, Hashable], protected: int) -> bool:
    troubled = [at for at, group in enumerate(dealt) if same_kind((group,), kinds)]
    for one, other in ((dealt[at], dealt[near]) for at in troubled for near in range(len(dealt)) if near != at):
        rows = [row for row in range(min(len(one), len(other))) if min(one[row], other[row]) > protected]
        before = same_kind((one, other), kinds)
        for chosen in (*((row,) for row in rows), *combinations(rows, 2)):
            _exchange(one, other, chosen)
            if same_kind((one, other), kinds) < before:
                return True
            _exchange(one, other, chosen)
    return False


def _exchange(one: list[int], other: list[int], rows: Iterable[int]) -> None:
    for row in rows:
        one[row], other[row] = other[row], one[row]


