"""How many points does each place of a table bring?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
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


class Rules(NamedTuple):
    """LG-106, LG-721 How a stage gives points."""

    scales: Mapping[int, Scale] = MappingProxyType({})
    preferred: int = 2                          # `table_preferred`
    draw: Fraction | None = None                # two seats; without it the mean of win and loss
    bye: Fraction | None = None                 # without it a win, or the mean of the list with three and more seats
    leaver: Fraction | None = None              # LG-705 counts if it is lower than the last place
    margin_cap: int | None = None
    model: str = "places"                     # LG-721: or `margin`, `raw`


class BadResult(ValueError):
    """LG-202 Places that cannot be those of one match."""


def scale_for(seats: int, given: Mapping[int, Scale]) -> Scale:
    """LG-724 Without a list of its own a table gives (n - p) / (n - 1): the mean per seat is 1/2 at tables of every size,
    so that results of large and small tables add up fairly. Who gives lists of their own answers for that themselves.
    """
    if seats in given:
        return given[seats]
    return tuple(Fraction(seats - place, seats - 1) for place in range(1, seats + 1)) if seats > 1 else (Fraction(1),)


def first_place(rules: Rules) -> Fraction:
    """What a win brings."""
    return scale_for(rules.preferred, rules.scales)[0]


def draw_points(rules: Rules) -> Fraction:
    """LG-773 What a draw brings; with three and more seats the mean of the list."""
    scale = scale_for(rules.preferred, rules.scales)
    return rules.draw if rules.draw is not None and rules.preferred == 2 else sum(scale, Fraction(0)) / len(scale)


def bye_points(rules: Rules) -> Fraction:
    """LG-651 What an allocated bye brings."""
    if rules.bye is not None:
        return rules.bye
    return first_place(rules) if rules.preferred == 2 else draw_points(rules)


def points(table: Sequence[Seat], given: Mapping[int, Scale]) -> dict[int, Fraction]:
    """LG-216, LG-705, LG-722 Points by pairing number: by the seats that sat down; leavers get those of the last place."""
    return scored(table, Rules(given, len(table)))


def scored(table: Sequence[Seat], rules: Rules) -> dict[int, Fraction]:
    """LG-214, LG-672 to LG-675, LG-703, LG-722 Points by pairing number under the rules of a stage."""
    places = sorted(seat.place for seat in table)
    if places == [len(table)] * len(table) and len(table) > 1:         # LG-214: nobody has won, all are last
        return {seat.number: _points_of(seat, 1, scale_for(len(table), rules.scales), rules.leaver) for seat in table}
    if any(seat.place != 1 + places.index(seat.place) for seat in table):
        raise BadResult(f"the places {places} are not those of one table")
    scale = scale_for(len(table), rules.scales)
    if len(table) == 2 and rules.draw is not None and places == [1, 1] and {seat.how for seat in table} == {PLAYED}:
        return dict.fromkeys((seat.number for seat in table), rules.draw)
    return {seat.number: _points_of(seat, places.count(seat.place), scale, rules.leaver) for seat in table}


def _points_of(seat: Seat, sharing: int, scale: Scale, leaver: Fraction | None) -> Fraction:
    if seat.how in WITHOUT_POINTS:
        return Fraction(0)
    if seat.how != PLAYED:
        return scale[-1] if leaver is None else min(scale[-1], leaver)
    covered = scale[seat.place - 1:seat.place - 1 + sharing]
    return sum(covered, Fraction(0)) / sharing


def margins(table: Sequence[Seat], cap: int | None) -> dict[int, Fraction]:
    """LG-721 `margin`, LG-750 `SD`: the own in-game score less the mean of the others', cut on both sides."""
    whole = sum(seat.score for seat in table)
    return {seat.number: _cut(seat.score - Fraction(whole - seat.score, max(1, len(table) - 1)), cap) for seat in table}


def _cut(value: Fraction, cap: int | None) -> Fraction:
    return value if cap is None else max(Fraction(-cap), min(Fraction(cap), value))


def by_model(table: Sequence[Seat], rules: Rules, model: str) -> dict[int, Fraction]:
    """LG-721 What a match brings under the stage's model: by result, by margin, or the in-game score itself."""
    match model:
        case "margin":
            return margins(table, rules.margin_cap)
        case "raw":
            return {seat.number: Fraction(seat.score) for seat in table}
        case _:
            return scored(table, rules)


def by_play(order: Sequence[int], left: Mapping[int, int]) -> dict[int, int]:
    """LG-704, LG-707 Places of seats: those who stayed by play without gaps, then the leavers, later ones ahead.

    `order` is the place of each seat by play, `left` the step at which a seat left.
    """
    stayed = [seat for seat in range(len(order)) if seat not in left]
    places = {seat: 1 + sum(order[other] < order[seat] for other in stayed) for seat in stayed}
    if not stayed and len(set(left.values())) == 1:
        return dict.fromkeys(left, len(order))
    return places | {seat: 1 + len(stayed) + sum(step > left[seat] for step in left.values()) for seat in left}


def shown(value: Fraction) -> str:
    """LG-726 Four decimals, half to even; for the eye only."""
    units = round(value * 10_000)
    return f"{'-' * (units < 0)}{abs(units) // 10_000}.{abs(units) % 10_000:04d}"
