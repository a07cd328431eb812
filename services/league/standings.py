"""Who leads, by how much, and what decided between equals? Computed from recorded results alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from services.league.scoring import Scale, Seat, points
from services.league.tiebreaks import CODES, Tables

POINTS = "points"


class Line(NamedTuple):
    """One line of a standing (LG-801)."""

    number: int
    rank: int
    points: Fraction
    played: int
    places: tuple[int, ...]                     # how often first, second, …; shared places count as the better one
    ties: tuple[tuple[str, Fraction], ...]      # the codes that were asked for this entrant, with their values
    decided: str                                # what put it behind the one above; empty for the first and for a shared rank


class Tally(NamedTuple):
    """What adds up for one entrant."""

    points: Fraction = Fraction(0)
    places: tuple[int, ...] = ()

    def plus(self, gained: Fraction, place: int) -> Tally:
        places = self.places + (0,) * (place - len(self.places))
        return Tally(self.points + gained, (*places[:place - 1], places[place - 1] + 1, *places[place:]))


Group = list[int]
Ties = dict[int, list[tuple[str, Fraction]]]


def add(tallies: dict[int, Tally], table: Sequence[Seat], given: Mapping[int, Scale]) -> None:
    """LG-803 One more result; the order in which results come does not matter."""
    gained = points(table, given)
    for seat in table:
        tallies[seat.number] = tallies.get(seat.number, Tally()).plus(gained[seat.number], seat.place)


def standing(field: Collection[int], tables: Tables, given: Mapping[int, Scale], codes: Sequence[str] = tuple(CODES)) -> tuple[Line, ...]:
    """LG-801 The whole table, from nothing but the results."""
    tallies: dict[int, Tally] = dict.fromkeys(field, Tally())
    for table in tables:
        add(tallies, table, given)
    return ranked(tallies, tables, codes)


def ranked(tallies: Mapping[int, Tally], tables: Tables, codes: Sequence[str] = tuple(CODES)) -> tuple[Line, ...]:
    """LG-741, LG-743 By points, then code by code among those still equal; who is equal to the end shares the rank."""
    ties: Ties = {number: [] for number in tallies}
    groups = [*_split(sorted(tallies), {number: tally.points for number, tally in tallies.items()}, "", POINTS)]
    for code in codes:
        groups = [part for group, decided in groups for part in _by_code(group, decided, code, tables, ties)]
    return tuple(_lines(groups, tallies, ties))


def _by_code(group: Group, decided: str, code: str, tables: Tables, ties: Ties) -> Iterator[tuple[Group, str]]:
    if len(group) == 1:
        return iter([(group, decided)])
    values = CODES[code](group, tables)
    for number in group:
        ties[number].append((code, values[number]))
    return _split(group, values, decided, code)


def _split(group: Group, values: Mapping[int, Fraction], decided: str, code: str) -> Iterator[tuple[Group, str]]:
    """The group in parts of equal value, best first; what decided is known to all parts but the first."""
    order = sorted(group, key=lambda number: (-values[number], number))
    for part, (_, equal) in enumerate(groupby(order, key=lambda number: values[number])):
        yield list(equal), code if part else decided


def _lines(groups: Iterable[tuple[Group, str]], tallies: Mapping[int, Tally], ties: Ties) -> Iterator[Line]:
    rank = 1
    for group, decided in groups:
        for place, number in enumerate(group):
            tally = tallies[number]
            yield Line(number, rank, tally.points, sum(tally.places), tally.places, tuple(ties[number]), "" if place else decided)
        rank += len(group)
