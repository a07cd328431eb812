"""Which hard constraints can no round keep, and which entrants show it?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import networkx as nx

from services.league.formats.apart import Apart
from services.league.formats.swissn.cards import Card, Plan
from services.league.formats.swissn.seating import seat
from services.league.matching import is_whole
from services.league.refusals import Refused
from services.league.stages import counts
from services.league.stages.facts import HARD, Facts
from services.league.stages.rules import limits
from services.league.tables import sizes

EXACT_TWO = 120         # entrants up to which every pairing of two is looked for
EXACT_MANY = 9          # and every seating of larger tables
CLIQUES = 40            # constrained entrants among whom sets that nobody declared are looked for


def impossible(facts: Facts) -> tuple[int, ...]:
    """LG-953 The smallest set of entrants that shows that no round can keep the hard constraints; nobody if one can."""
    here = [number for number in facts.field if number in facts.available]
    apart = counts.apart(facts, HARD, 1)
    if not apart or len(here) < 2:
        return ()
    if facts.rules.format in {"round_robin", "groups"} and facts.rules.two:
        return next(apart.among(here), ())
    if facts.rules.format not in {"swiss", "round_robin", "groups"}:
        return ()
    wanted = sizes(len(here), limits(facts.rules))
    room = len(wanted) + len(here) - sum(wanted)
    crowd = min((one for one in _crowds(facts, here, apart) if len(one) > room), key=len, default=())
    if crowd:
        return tuple(sorted(crowd)[:room + 1])
    return _tried(facts, here, apart)


def _crowds(facts: Facts, here: Sequence[int], apart: Apart) -> Iterator[Collection[int]]:
    """Sets of whom no two may sit together: those that were declared, all of one kind, and what they come to together."""
    present = set(here)
    yield from (one & present for one in facts.constraints.never)
    for kinds in apart.kinds:
        groups: dict[object, list[int]] = {}
        for number in here:
            if number in kinds:
                groups.setdefault(kinds[number], []).append(number)
        yield from groups.values()
    touched = sorted({number for two in apart.named for number in two} & present)
    if len(touched) <= CLIQUES:
        yield from nx.find_cliques(nx.Graph(apart.among(touched)))


def _tried(facts: Facts, here: Sequence[int], apart: Apart) -> tuple[int, ...]:
    """Where no crowd is too large the pairings themselves are tried, in a field that is small enough for it."""
    if facts.rules.two and len(here) <= EXACT_TWO:
        return _least(here, apart, _pairs)
    if not facts.rules.two and len(here) <= EXACT_MANY:
        return _least(here, apart, lambda field, kept: _tables(facts, field, kept))
    return ()


def _least(here: Sequence[int], apart: Apart, fits: Callable[[Sequence[int], Apart], bool]) -> tuple[int, ...]:
    """One after the other is freed of constraints as long as it stays impossible; who is left shows it."""
    if fits(here, apart):
        return ()
    bound = sorted({number for two in apart.among(here) for number in two})
    for number in list(bound):
        others = [one for one in bound if one != number]
        if not fits(here, Apart(apart.among(others))):
            bound = others
    return tuple(bound)


def _pairs(here: Sequence[int], apart: Apart) -> bool:
    """LG-342 Everybody has a partner, but one if their number is odd."""
    free: Iterable[tuple[int, int]] = ((at, other) for at, other in combinations(range(len(here)), 2) if (here[at], here[other]) not in apart)
    near: list[list[int]] = [[] for _ in range(len(here) + len(here) % 2)]
    for one, other in free:
        near[one].append(other)
        near[other].append(one)
    if len(here) % 2:
        for at in range(len(here)):
            near[at].append(len(here))
        near[-1] = list(range(len(here)))
    return is_whole(len(near), near)


def _tables(facts: Facts, here: Sequence[int], apart: Apart) -> bool:
    try:
        seat([Card(number, Fraction(0)) for number in here], Plan(1, 1, limits(facts.rules), never=apart))
    except Refused as refused:
        return refused.code != "no_pairing"
    return True
