"""How is a round of Swiss seated at tables of three to eight?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from services.league.formats.swissn.cards import (
    BRACKETS_FIRST,
    Card,
    Field,
    Plan,
    Table,
    Worth,
    costs,
    evenness,
    field_of,
    listing,
    ranked,
    repeats,
    total,
)
from services.league.formats.swissn.planes import from_plane
from services.league.refusals import Refused
from services.league.tables import in_seats, sizes

EXACT = 12          # up to so many entrants every seating is looked at
AHEAD = 64          # LG-397: and so many entrants are looked ahead for
TURNS = 3           # and so many other beginnings are tried for them
KEPT = 48           # how many seatings that are equal so far the look-ahead compares
WINDOW = 200        # how far along the ranking an exchange looks
PASSES = 4

Key = tuple[object, ...]


class Seated(NamedTuple):
    """The tables with their pairing numbers in seats, highest level first, who has a bye, and the values reached (LG-402)."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    costs: Worth = (0, 0, 0, 0, 0)


def seat(found: Sequence[Card], plan: Plan) -> Seated:
    """LG-392, LG-394, LG-401, LG-402 The round; with hard constraints that cannot be kept there is none."""
    order = ranked(found)
    if len(order) < 2:
        raise Refused("not_enough_players", "fewer than two entrants are available")
    wanted = sizes(len(order), plan.limits)
    byes = _resting(order, len(order) - sum(wanted))
    field = field_of([card for card in order if card.number not in byes], plan)
    tables = _tables(field, wanted) if wanted else ()
    reached = total(field, tables)
    if reached[0]:
        raise Refused("no_pairing", "no seating keeps the hard constraints")
    sat = {card.number: card.sat for card in field.cards}
    seated = tuple(in_seats((field.cards[at].number for at in table), sat) for table in tables)
    return Seated(seated, tuple(sorted(byes)), reached)


def _resting(order: Sequence[Card], count: int) -> frozenset[int]:
    """LG-654 The lowest points, then fewest unplayed rounds, then lowest rank; if all are barred, the fewest byes first."""
    if not count:
        return frozenset()
    able = [(card.points, card.unplayed, -at, card.number) for at, card in enumerate(order) if not card.barred]
    barred = [(card.byes, card.points, card.unplayed, -at, card.number) for at, card in enumerate(order) if card.barred]
    return frozenset([row[-1] for row in sorted(able)] + [row[-1] for row in sorted(barred)][:max(0, count - len(able))]) if count > len(able) \
        else frozenset(row[-1] for row in sorted(able)[:count])


def _tables(field: Field, wanted: Sequence[int]) -> tuple[Table, ...]:
    if len(field.cards) <= EXACT:
        return _exact(field, wanted)
    ready = from_plane(field, wanted)
    if ready is not None:
        return ready
    dealt = snaked(field, wanted)
    found = [dealt, _repaired(field, dealt)]
    if len(field.cards) <= AHEAD and field.plan.number < field.plan.rounds:
        found += [_repaired(field, _turned(dealt, turn)) for turn in range(1, TURNS + 1)]
    return min(found, key=lambda tables: _key(field, tables))


def _key(field: Field, tables: Sequence[Table]) -> Key:
    """LG-394 The order in which seatings are compared; the look-ahead only where it is asked for."""
    before = 3 if field.plan.priority == BRACKETS_FIRST else 2
    worth = total(field, tables)
    ahead = _ahead(field, tables) if len(field.cards) <= AHEAD else 0
    return worth[:before], ahead, worth[before:], evenness(field, tables), listing(tables)


def _turned(dealt: Sequence[Table], turn: int) -> list[Table]:
    """LG-397 Another beginning for the look-ahead: each row of equal tables is moved on, so that others sit together."""
    tables = [list(table) for table in dealt]
    for row in range(1, min(map(len, tables), default=0)):
        column = [table[row] for table in tables]
        shift = row * turn % len(column)
        for table, at in zip(tables, column[shift:] + column[:shift], strict=True):
            table[row] = at
    return [tuple(sorted(table)) for table in tables]


def _exact(field: Field, wanted: Sequence[int]) -> tuple[Table, ...]:
    """LG-401 The best of all; the look-ahead is asked where several are equal in what comes before it."""
    before = 3 if field.plan.priority == BRACKETS_FIRST else 2
    kept = sorted(_Seatings(field, wanted).best(before), key=lambda row: (row[0][before:], row[1]))
    return min((tables for _, tables in kept[:KEPT]), key=lambda tables: _key(field, tables))


class _Seatings:
    """All seatings of a small field, cut off where they cannot be among the best any more."""

    def __init__(self, field: Field, wanted: Sequence[int]) -> None:
        self.field = field
        self.wanted = wanted
        self.known: dict[Table, Worth] = {}

    def best(self, before: int) -> list[tuple[Worth, tuple[Table, ...]]]:
        """Those that are equal in the first rules, which nothing betters."""
        self.least: Worth | None = None
        self.found: list[tuple[Worth, tuple[Table, ...]]] = []
        self._grow(tuple(range(len(self.field.cards))), tuple(self.wanted), (), before)
        return self.found

    def _grow(self, left: Table, wanted: tuple[int, ...], tables: tuple[Table, ...], before: int) -> None:
        worth = total(self.field, ()) if not tables else tuple(map(sum, zip(*(self.known[table] for table in tables), strict=True)))
        if self.least is not None and worth[:before] > self.least:
            return
        if not left:
            if self.least is None or worth[:before] < self.least:
                self.least, self.found = worth[:before], []
            self.found.append((worth, tables))
            return
        for size in sorted(set(wanted)):
            rest = list(wanted)
            rest.remove(size)
            for others in combinations(left[1:], size - 1):
                table = (left[0], *others)
                self.known.setdefault(table, costs(self.field, table))
                self._grow(tuple(at for at in left if at not in table), tuple(rest), (*tables, table), before)


def _ahead(field: Field, tables: Sequence[Table]) -> int:
    """LG-397 Repeats that a plain search finds for all rounds that are still planned."""
    rounds = field.plan.rounds - field.plan.number
    met = {(one, other): field.cards[one].met.get(field.cards[other].number, 0) for one, other in combinations(range(len(field.cards)), 2)}
    repeated = 0
    for _ in range(rounds):
        for table in tables:
            for two in combinations(sorted(table), 2):
                met[two] += 1
        tables = _fewest(met, [len(table) for table in tables], len(field.cards))
        repeated += sum(met[two] for table in tables for two in combinations(sorted(table), 2))
    return repeated


def _fewest(met: dict[tuple[int, int], int], wanted: Sequence[int], count: int) -> list[Table]:
    """Table by table, always who has met the fewest there; then exchanges that lessen the repeats."""
    waiting = list(range(count))
    tables: list[list[int]] = []
    for size in wanted:
        table = [waiting.pop(0)]
        while len(table) < size:
            best = min(waiting, key=lambda at: (sum(met[min(at, other), max(at, other)] for other in table), at))
            waiting.remove(best)
            table.append(best)
        tables.append(table)
    for one, other in combinations(range(len(tables)), 2):
        _lessened(met, tables[one], tables[other])
    return [tuple(table) for table in tables]


def _lessened(met: dict[tuple[int, int], int], one: list[int], other: list[int]) -> None:
    def cost(table: Sequence[int]) -> int:
        return sum(met[two] for two in combinations(sorted(table), 2))

    for here in range(len(one)):
        for there in range(len(other)):
            before = cost(one) + cost(other)
            if not before:
                return
            one[here], other[there] = other[there], one[here]
            if cost(one) + cost(other) >= before:
                one[here], other[there] = other[there], one[here]


def snaked(field: Field, wanted: Sequence[int]) -> tuple[Table, ...]:
    """LG-396, LG-402 Each score group with as many of the next as fill its tables, dealt there and back again."""
    left, start = sorted(wanted), 0
    ends = [at + 1 for at in range(len(field.groups)) if at + 1 == len(field.groups) or field.groups[at] != field.groups[at + 1]]
    tables: list[Table] = []
    for end in ends:
        if end > start:
            chosen = _chosen(left, end - start)
            for size in chosen:
                left.remove(size)
            tables += _dealt(range(start, start + sum(chosen)), chosen)
            start += sum(chosen)
    return tuple(tables)


def _chosen(left: Sequence[int], count: int) -> list[int]:
    """Tables for so many, with the fewest pulled up; of equal choices the one with more tables."""
    small, large = left[0], left[-1]
    most = left.count(small) if small != large else 0
    best: tuple[int, int, int] | None = None
    for smalls in range(min(most, -(-count // small)) + 1):
        larges = max(0, -(-(count - smalls * small) // large))
        if larges <= len(left) - most:
            choice = (smalls * small + larges * large - count, -(smalls + larges), smalls)
            best = choice if best is None else min(best, choice)
    if best is None:
        return list(left)
    return [small] * best[2] + [large] * (-best[1] - best[2])


def _dealt(ranks: range, chosen: Sequence[int]) -> Iterator[Table]:
    """LG-399 There and back again, over those tables that still have a seat."""
    tables: list[list[int]] = [[] for _ in chosen]
    waiting = iter(ranks)
    for row in range(max(chosen, default=0)):
        open_ones = [table for table, size in zip(tables, chosen, strict=True) if size > row]
        for table in open_ones if row % 2 == 0 else reversed(open_ones):
            table.append(next(waiting))
    return map(tuple, tables)


def _repaired(field: Field, dealt: Sequence[Table]) -> tuple[Table, ...]:
    """LG-402 Exchanges between tables that lie near, as long as one betters both together."""
    tables = list(dealt)
    for _ in range(PASSES):
        troubled = [at for at, table in enumerate(tables) if repeats(field, table) or costs(field, table)[0]]
        if not [at for at in troubled if _bettered(field, tables, at)]:
            break
    return tuple(tables)


def _bettered(field: Field, tables: list[Table], at: int) -> bool:
    """The first exchange in the window that helps, nearest tables first."""
    near = sorted(range(max(0, at - WINDOW), min(len(tables), at + WINDOW + 1)), key=lambda other: (abs(other - at), other))[1:]
    before = costs(field, tables[at])
    for other in near:
        together = tuple(map(sum, zip(before, costs(field, tables[other]), strict=True)))
        for mine, theirs in _exchanges(field, tables[at], tables[other]):
            if tuple(map(sum, zip(costs(field, mine), costs(field, theirs), strict=True))) < together:
                tables[at], tables[other] = mine, theirs
                return True
    return False


def _exchanges(field: Field, one: Table, other: Table) -> Iterator[tuple[Table, Table]]:
    """Those who repeat change places with somebody of the same row first, then with anybody."""
    troubled = [at for at in one if any(field.cards[at].met.get(field.cards[near].number) for near in one if near != at)] or list(one)
    for mine in troubled:
        for theirs in sorted(other, key=lambda at: abs(one.index(mine) - other.index(at))):
            yield (tuple(theirs if at == mine else at for at in one), tuple(mine if at == theirs else at for at in other))
