"""What does seating need to know of each entrant, and how good is a seating?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from services.league.formats.apart import NOBODY, Couples
from services.league.record import ALLOCATED, Part, Record, bars_a_bye, by_entrant, is_played, opponents, started, unit, whole
from services.league.record import total as total_of
from services.league.scoring import Rules
from services.league.tables import Limits, Sat

REPEATS_FIRST, BRACKETS_FIRST = "repeats_first", "brackets_first"
Couple = tuple[int, int]
Table = tuple[int, ...]                 # ranks, counted from 0


class Plan(NamedTuple):
    """What is asked for."""

    number: int
    rounds: int
    limits: Limits
    priority: str = REPEATS_FIRST
    never: Couples = NOBODY
    past: tuple[tuple[tuple[int, ...], ...], ...] = ()          # the started tables of each round, for LG-403
    apart: Couples = NOBODY                         # LG-951 soft: kept where nothing more important is lost


class Card(NamedTuple):
    """One available entrant."""

    number: int
    points: Fraction
    met: Mapping[int, int] = {}
    pulled: bool = False                            # into a higher score group in the last round
    barred: bool = False
    byes: int = 0
    unplayed: int = 0
    sat: tuple[Sat, ...] = ()


class Field(NamedTuple):
    """All who are seated, in rank order, with the number of each one's score group."""

    cards: tuple[Card, ...]
    groups: tuple[int, ...]
    plan: Plan


Worth = tuple[int, ...]


def cards(field: Iterable[int], records: Sequence[Record], rules: Rules) -> tuple[Card, ...]:
    """LG-391 The cards in rank order: points, highest first, then pairing number, lowest first."""
    available = set(field)
    seen = {seat.number for record in records for table in record.tables for seat in table}
    rows = by_entrant(available | seen, records, rules)
    pulled = _pulled(rows, records)
    found = [_card(number, row, rules, pulled=number in pulled) for number, row in rows.items() if number in available]
    return ranked(found)


def ranked(found: Sequence[Card]) -> tuple[Card, ...]:
    """LG-391 Points, highest first, then pairing number, lowest first."""
    parts_of = unit(card.points for card in found)
    return tuple(sorted(found, key=lambda card: (-whole(card.points, parts_of), card.number)))


def _card(number: int, row: Sequence[Part | None], rules: Rules, *, pulled: bool) -> Card:
    met: dict[int, int] = {}
    known = [part for part in row if part]
    for part in known:
        for other in opponents(part):
            met[other] = met.get(other, 0) + 1
    return Card(
        number, total_of(row), met, pulled, any(bars_a_bye(part, rules) for part in known),
        sum(part.kind == ALLOCATED for part in known), sum(not (part and is_played(part)) for part in row),
        tuple(Sat(part.seat, len(part.table)) for part in known if is_played(part)))


def _pulled(rows: Mapping[int, Sequence[Part | None]], records: Sequence[Record]) -> set[int]:
    """LG-394 Who sat in the last round with somebody who had more points."""
    if not records:
        return set()
    before = {number: total_of(row[:-1]) for number, row in rows.items()}
    found: set[int] = set()
    for table in records[-1].tables:
        if started(table):
            level = max(before[seat.number] for seat in table)
            found |= {seat.number for seat in table if before[seat.number] < level}
    return found


def past_of(records: Sequence[Record]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(tuple(tuple(seat.number for seat in table) for table in record.tables if started(table)) for record in records)


def field_of(found: Sequence[Card], plan: Plan) -> Field:
    """LG-391 With the score groups numbered from the highest."""
    numbers = {points: at for at, points in enumerate(sorted({card.points for card in found}, reverse=True))}
    return Field(tuple(found), tuple(numbers[card.points] for card in found), plan)


def repeats(field: Field, table: Table) -> int:
    """LG-395 Earlier meetings of the couples at a table."""
    return sum(field.cards[one].met.get(field.cards[other].number, 0) for one, other in combinations(table, 2))


def steps(field: Field, table: Table) -> int:
    """LG-393, LG-396 Squares of the steps down from the table's level."""
    level = min(field.groups[at] for at in table)
    return sum((field.groups[at] - level) ** 2 for at in table)


def pulled_again(field: Field, table: Table) -> int:
    level = min(field.groups[at] for at in table)
    return sum(field.cards[at].pulled and field.groups[at] > level for at in table)


def breaches(field: Field, table: Table, couples: Couples) -> int:
    if not couples:
        return 0
    numbers = sorted(field.cards[at].number for at in table)
    return sum(two in couples for two in combinations(numbers, 2))


def costs(field: Field, table: Table) -> Worth:
    """LG-394, LG-398 What one table adds: hard constraints, repeats, steps, pulled up again, soft constraints."""
    first, then = repeats(field, table), steps(field, table)
    if field.plan.priority == BRACKETS_FIRST:
        first, then = then, first
    return (breaches(field, table, field.plan.never), first, then, pulled_again(field, table), breaches(field, table, field.plan.apart))


def total(field: Field, tables: Iterable[Table]) -> Worth:
    return tuple(map(sum, zip((0,) * 5, *(costs(field, table) for table in tables), strict=True)))


def evenness(field: Field, tables: Iterable[Table]) -> Fraction:
    """LG-399 How far the tables of one level are from its mean rank."""
    levels: dict[int, list[Table]] = {}
    for table in tables:
        levels.setdefault(min(field.groups[at] for at in table), []).append(table)
    return sum((_uneven(found) for found in levels.values()), Fraction(0))


def _uneven(tables: Sequence[Table]) -> Fraction:
    count, whole = sum(map(len, tables)), sum(map(sum, tables))
    return sum((Fraction(sum(table) ** 2, len(table)) for table in tables), Fraction(0)) - Fraction(whole ** 2, count)


def listing(tables: Iterable[Table]) -> tuple[Table, ...]:
    """LG-400 Rising ranks, sorted."""
    return tuple(sorted(tuple(sorted(table)) for table in tables))


