"""What do tie-breaks look up? The rounds of every entrant, their totals, and opponents' points as the rule version sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from services.league.record import (
    REQUESTED,
    Part,
    Record,
    added_parts,
    by_entrant,
    is_forfeit_win,
    is_played,
    opponents,
    scheduled,
    total,
)
from services.league.scoring import Rules, draw_points, first_place

PLAIN, VIRTUAL_1, VIRTUAL_2 = "plain-1", "virtual-1", "virtual-2"
WORTHS = (Fraction(0), Fraction(1, 2), Fraction(1))     # behind, level, ahead
NOTHING: Mapping[int, int] = MappingProxyType({})


class Facts(NamedTuple):
    """What is known of the stage besides its rounds."""

    rounds: int                                         # planned
    version: str = VIRTUAL_2
    meets: int = 1                                      # how often the format plans each couple to meet
    hard: Mapping[int, int] = NOTHING                   # the hard seat, counted from 0, for each number of seats
    ratings: Mapping[int, int] = NOTHING                # rating copies in hundredths
    entered: Mapping[int, int] = NOTHING                # when
    lots: Mapping[int, int] = NOTHING                   # places in the draw
    game_points: Mapping[int, Fraction] = MappingProxyType({})
    matches: int = 0                                    # LG-750 that everybody plays, where rests make them fewer than the rounds
    scheduled: bool = False                             # LG-770 whom to meet follows from a schedule, and from no result


class Book(NamedTuple):
    """Everything that is computed once for a whole field."""

    rows: dict[int, list[Part | None]]
    totals: dict[int, Fraction]
    adjusted: dict[int, Fraction]
    rules: Rules
    facts: Facts
    shares: dict[int, list[Contribution]]               # filled as it is asked for


class Contribution(NamedTuple):
    """LG-771 What one round adds, and whether it was an unplayed round of the entrant's own choice."""

    round: int
    value: Fraction
    worth: Fraction                     # w of LG-745, as a mean; 1 for a virtual win
    chosen: bool = False


def book(field: Collection[int], records: Sequence[Record], rules: Rules, facts: Facts) -> Book:
    rows = by_entrant(field, records, rules)
    totals = {number: total(row) for number, row in rows.items()}
    adjusted = totals if facts.version == PLAIN else {number: _adjusted(row, rules) for number, row in rows.items()}
    return Book(rows, totals, adjusted, rules, facts, {})


def is_chosen(part: Part) -> bool:
    """A requested bye, an absence or a forfeit loss."""
    return part.kind in REQUESTED or (bool(part.table) and not is_played(part) and not is_forfeit_win(part))


def _adjusted(row: Sequence[Part | None], rules: Rules) -> Fraction:
    """LG-766 Requested byes and absences after which there were only chosen unplayed rounds count as draws."""
    whole, at_the_end = Fraction(0), True
    for part in reversed(row):
        if part is None:
            continue
        at_the_end = at_the_end and is_chosen(part)
        whole += draw_points(rules) if at_the_end and part.kind in REQUESTED else part.points
    return whole


def drawn_last(found: Book) -> Book:
    """LG-750 `FB`: matches paired in the last planned round count as draws in the opponents' points."""
    adjusted = dict(found.adjusted)
    for number, row in found.rows.items():
        part = row[found.facts.rounds - 1] if len(row) >= found.facts.rounds > 0 else None
        if part is not None and part.table:
            adjusted[number] += draw_points(found.rules) - part.points
    return found._replace(adjusted=adjusted, shares={})


def ahead(part: Part) -> Fraction:
    """LG-745, LG-744 The mean over the opponents at a table."""
    return _mean([_against(part, other) for other in opponents(part)])


def _mean(values: Sequence[Fraction]) -> Fraction:
    return values[0] if len(values) == 1 else sum(values, Fraction(0)) / len(values)


def _against(part: Part, other: int) -> Fraction:
    mine = part.table[part.seat].place
    theirs = next(seat.place for seat in part.table if seat.number == other)
    return WORTHS[(mine < theirs) * 2 + (mine == theirs)]


def against(part: Part) -> dict[int, Fraction]:
    """LG-745 The comparison with each opponent of one round."""
    return {other: _against(part, other) for other in opponents(part)}


def contributions(found: Book, number: int) -> list[Contribution]:
    """LG-750, LG-767 to LG-770 Opponents' points round by round; rests are left out."""
    if number not in found.shares:
        found.shares[number] = _contributions(found, number)
    return found.shares[number]


def _contributions(found: Book, number: int) -> list[Contribution]:
    shares = []
    for at, part in enumerate(found.rows[number], start=1):
        if part is not None and is_played(part):
            shares.append(Contribution(at, _mean([found.adjusted[other] for other in opponents(part)]), ahead(part)))
        elif part is not None and part.table and found.facts.scheduled:
            shares.append(Contribution(at, _mean([found.adjusted[other] for other in scheduled(part)]), _of_a_win(part, found.rules), is_chosen(part)))
        elif part is not None and found.facts.version != PLAIN:
            shares.append(Contribution(at, _virtual(found, part), _of_a_win(part, found.rules), is_chosen(part)))
    return shares


def _of_a_win(part: Part, rules: Rules) -> Fraction:
    """LG-768 Points received as a part of a win's, where a win brings any."""
    win = first_place(rules)
    return part.points / win if win else Fraction(0)


def _virtual(found: Book, part: Part) -> Fraction:
    """LG-768, LG-769."""
    own = found.totals[part.number]
    if found.facts.version != VIRTUAL_2:
        return own
    limits = [own, found.facts.rounds * draw_points(found.rules)]
    if part.table:
        others = scheduled(part)
        limits.append(sum((found.adjusted[other] for other in others), Fraction(0)) / len(others))
    return min(limits)


def weighed(found: Book, number: int) -> list[Contribution]:
    """LG-750 `SB`: the mean over the opponents of w times their points."""
    shares = []
    for share in contributions(found, number):
        part = found.rows[number][share.round - 1]
        assert part is not None
        if is_played(part):
            shares.append(share._replace(value=_mean([_times(worth, found.adjusted[other]) for other, worth in against(part).items()])))
        else:
            shares.append(share._replace(value=share.value * share.worth))
    return shares


def _times(worth: Fraction, points: Fraction) -> Fraction:
    return points if worth is WORTHS[2] else WORTHS[0] if worth is WORTHS[0] else worth * points


def cut(shares: Sequence[Contribution], lowest: int, highest: int = 0) -> Fraction:
    """LG-750 Chosen unplayed rounds are left out first, lowest first; then the lowest of the others."""
    kept = list(shares)
    if lowest:
        kept = sorted(kept, key=lambda share: (not share.chosen, share.value))[lowest:]
    if highest:
        kept = sorted(kept, key=lambda share: share.value)[:max(0, len(kept) - highest)]
    return added(share.value for share in kept)


def added(values: Iterable[Fraction]) -> Fraction:
    """Exact, and quick where all have few denominators: whole numbers are added first."""
    sums: dict[int, int] = {}
    for value in values:
        sums[value.denominator] = sums.get(value.denominator, 0) + value.numerator
    return added_parts(sums)


