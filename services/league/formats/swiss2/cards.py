"""What does pairing need to know of each entrant? One card, made from the rounds so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from services.league.formats.apart import NOBODY, Couples
from services.league.record import Part, Record, bars_a_bye, by_entrant, is_played, opponents, unit, whole
from services.league.scoring import Rules, first_place, scale_for

FIRST, SECOND = 1, -1                   # seats, and the wish for them
DOWN, LEVEL, UP = -1, 0, 1              # floats
ABSOLUTE, STRONG, MILD, NONE = 3, 2, 1, 0

Couple = tuple[int, int]


class Plan(NamedTuple):
    """What is asked for: which round of how many, and what was drawn or set for the stage."""

    number: int
    rounds: int
    first: bool = True                              # LG-372 `initial_seat` is first
    never: Couples = NOBODY                         # hard constraints, lower number first
    apart: Couples = NOBODY                         # LG-952 soft ones
    allowed: frozenset[Couple] = frozenset()        # LG-421 couples that a dead end lets meet all the same
    bye: int | None = None                          # LG-424, LG-657 who must have the bye


class Card(NamedTuple):
    """One available entrant."""

    number: int
    points: Fraction
    met: frozenset[int] = frozenset()
    seats: tuple[int, ...] = ()
    floats: tuple[int, int] = (LEVEL, LEVEL)        # in the last round and in the one before
    barred: bool = False                            # LG-349 from an allocated bye
    byes: int = 0
    unplayed: int = 0
    top: bool = False


class Wish(NamedTuple):
    """LG-344 to LG-346 Which seat somebody should have, how much, and by which difference of seats."""

    seat: int
    strength: int
    difference: int


def cards(field: Iterable[int], records: Sequence[Record], rules: Rules, plan: Plan) -> tuple[Card, ...]:
    """LG-341 The cards of those who are available, in rank order."""
    available = frozenset(field)
    rows = by_entrant({*available, *_seen(records)}, records, rules)
    parts_of = unit(part.points for row in rows.values() for part in row if part)
    totals = {number: (0, *accumulate(whole(part.points, parts_of) if part else 0 for part in row)) for number, row in rows.items()}
    loss, win = scale_for(2, rules.scales)[-1], first_place(rules)
    top = plan.number == plan.rounds
    found = [
        Card(
            number, Fraction(totals[number][-1], parts_of), frozenset(other for part in row if part for other in opponents(part)), _seats(row),
            (_float(row, totals, 1, loss), _float(row, totals, 2, loss)), any(part and bars_a_bye(part, rules) for part in row),
            sum(bool(part and part.kind) for part in row), sum(not (part and is_played(part)) for part in row),
            top and 2 * Fraction(totals[number][-1], parts_of) > win * len(records),
        )
        for number, row in rows.items() if number in available]
    return ranked(found)


def ranked(found: Iterable[Card]) -> tuple[Card, ...]:
    """LG-341 Points, highest first, then pairing number, lowest first."""
    known = list(found)
    parts_of = unit(card.points for card in known)
    return tuple(sorted(known, key=lambda card: (-whole(card.points, parts_of), card.number)))


def _seen(records: Sequence[Record]) -> set[int]:
    return {seat.number for record in records for table in record.tables for seat in table}


def _seats(row: Sequence[Part | None]) -> tuple[int, ...]:
    """LG-295, LG-344 Of started matches only."""
    return tuple(SECOND if part.seat else FIRST for part in row if part and is_played(part))


def _float(row: Sequence[Part | None], totals: dict[int, tuple[int, ...]], back: int, loss: Fraction) -> int:
    """LG-348 Where an entrant went in one of the last rounds."""
    at = len(row) - back
    part = row[at] if at >= 0 else None
    if part is None:
        return LEVEL
    if not is_played(part):
        return DOWN if part.points > loss else LEVEL
    mine, theirs = totals[part.number][at], totals[opponents(part)[0]][at]
    return (mine < theirs) - (mine > theirs)


def wish(card: Card) -> Wish:
    """LG-345, LG-346 What the seats so far ask for."""
    difference = sum(card.seats)
    if not card.seats:
        return Wish(0, NONE, 0)
    if abs(difference) > 1:
        return Wish(SECOND if difference > 0 else FIRST, ABSOLUTE, difference)
    if len(card.seats) > 1 and card.seats[-1] == card.seats[-2]:
        return Wish(-card.seats[-1], ABSOLUTE, difference)
    if difference:
        return Wish(-difference, STRONG, difference)
    return Wish(-card.seats[-1], MILD, 0)


def couple(one: Card, other: Card) -> Couple:
    return (one.number, other.number) if one.number < other.number else (other.number, one.number)


def may_meet(one: Card, other: Card, plan: Plan) -> bool:
    """LG-342 The hard rules; a dead end may have allowed this very couple."""
    pair = couple(one, other)
    if pair in plan.never:
        return False
    if pair in plan.allowed:
        return True
    return other.number not in one.met and (one.top or other.top or not seats_clash(one, other))


def seats_clash(one: Card, other: Card) -> bool:
    """LG-342 Both must have the same seat."""
    mine, theirs = wish(one), wish(other)
    return mine.strength == theirs.strength == ABSOLUTE and mine.seat == theirs.seat


def may_rest(card: Card, plan: Plan) -> bool:
    """LG-349 Who may have the allocated bye."""
    return card.number == plan.bye if plan.bye is not None else not card.barred
