"""What decides among a group of level entrants by what they did against each other?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations

from services.league.record import is_played, opponents
from services.league.ties.book import Book, against

Values = dict[int, Fraction]
Couple = tuple[int, int]


def meetings(group: Collection[int], found: Book) -> Iterator[tuple[int, int, Fraction]]:
    """Each comparison of a member with another one, over all tables they shared."""
    members = frozenset(group)
    for number in group:
        for part in found.rows[number]:
            if part is not None and is_played(part):
                yield from ((number, other, worth) for other, worth in against(part).items() if other in members)


def direct(group: Collection[int], found: Book) -> Values:
    """LG-746, LG-747 `DE`: all that members did against each other, or what cannot change whatever the missing ones bring."""
    sums: Values = dict.fromkeys(group, Fraction(0))
    for number, _, worth in meetings(group, found):
        sums[number] += worth
    missing = missing_of(group, found)
    return sums if not any(missing.values()) else _certain(sums, missing)


def missing_of(group: Collection[int], found: Book) -> dict[int, int]:
    """LG-746 How many meetings inside the group each member has yet to have, as often as the format plans."""
    met = Counter((number, other) for number, other, _ in meetings(group, found))
    return {number: sum(max(0, found.facts.meets - met[number, other]) for other in group if other != number) for number in group}


def _certain(sums: Values, missing: dict[int, int]) -> Values:
    """LG-747 Who is strictly first for certain comes first, then the same for the next; all others stay level."""
    left = set(sums)
    values: Values = dict.fromkeys(sums, Fraction(0))
    while left:
        first = next((one for one in left if all(sums[one] > sums[other] + missing[other] for other in left if other != one)), None)
        if first is None or len(left) == 1:
            break
        values[first] = Fraction(len(left))
        left.remove(first)
    return values


def among(group: Collection[int], found: Book) -> Values:
    """LG-748 `H2H`: how often ahead of members, less how often behind."""
    values: Values = dict.fromkeys(group, Fraction(0))
    for number, _, worth in meetings(group, found):
        values[number] += 2 * worth - 1
    return values


def common(group: Collection[int], found: Book) -> Values:
    """LG-749 `CO`: all that was done against those whom every member has met."""
    met = [{other for part in found.rows[number] if part is not None for other in opponents(part)} for number in group]
    shared = frozenset.intersection(*map(frozenset, met)) if met else frozenset()
    values: Values = dict.fromkeys(group, Fraction(0))
    for number in group:
        for part in found.rows[number]:
            if part is not None and is_played(part):
                values[number] += sum((worth for other, worth in against(part).items() if other in shared), Fraction(0))
    return values


def couples_met(group: Collection[int], found: Book) -> Counter[Couple]:
    """How often each couple of a group has met, for the cross table."""
    counted: Counter[Couple] = Counter(dict.fromkeys(combinations(sorted(group), 2), 0))
    counted.update((number, other) for number, other, _ in meetings(group, found) if number < other)
    return counted
