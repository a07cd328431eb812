"""How many points does each place of a table bring?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

PLAYED = "played"                               # PL-250: every other word says how a seat was left
WITHOUT_POINTS = frozenset({"no_show"})         # LG-673

Scale = tuple[Fraction, ...]                    # points by place, from the first


class Seat(NamedTuple):
    """What a finish record says of one seat, and whose it was."""

    number: int                                 # the entrant's pairing number
    place: int
    score: int = 0
    how: str = PLAYED


class BadResult(ValueError):
    """LG-202 Places that cannot be those of one match."""


def scale_for(seats: int, given: Mapping[int, Scale]) -> Scale:
    """LG-724 Without a list of its own a table gives (n - p) / (n - 1): the mean per seat is 1/2 at tables of every size,
    so that results of large and small tables add up fairly. Who gives lists of their own answers for that themselves.
    """
    return given.get(seats) or tuple(Fraction(seats - place, seats - 1) for place in range(1, seats + 1))


def points(table: Sequence[Seat], given: Mapping[int, Scale]) -> dict[int, Fraction]:
    """LG-216, LG-705, LG-722 Points by pairing number: by the seats that sat down; leavers get those of the last place."""
    places = sorted(seat.place for seat in table)
    if any(seat.place != 1 + places.index(seat.place) for seat in table):
        raise BadResult(f"the places {places} are not those of one table")
    scale = scale_for(len(table), given)
    return {seat.number: _points_of(seat, places.count(seat.place), scale) for seat in table}


def _points_of(seat: Seat, sharing: int, scale: Scale) -> Fraction:
    if seat.how in WITHOUT_POINTS:
        return Fraction(0)
    if seat.how != PLAYED:
        return scale[-1]
    covered = scale[seat.place - 1:seat.place - 1 + sharing]
    return sum(covered, Fraction(0)) / sharing
