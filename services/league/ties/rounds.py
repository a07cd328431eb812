"""Of what is a tie-break value made, round by round, and what was left out?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from services.league.record import Part, is_forfeit_win, is_played, opponents
from services.league.scoring import PLAYED
from services.league.ties.book import Book, Contribution, against, contributions, drawn_last, weighed
from services.league.ties.codes import code

REST, LOST, WON = "rest", "forfeit_loss", "forfeit_win"


class Share(NamedTuple):
    """LG-771 What one round brought, what kind of round it was, and whether it was cut."""

    round: int
    kind: str
    value: Fraction
    left_out: bool = False


def by_round(found: Book, number: int, name: str, group: Collection[int] = ()) -> tuple[Share, ...]:
    """LG-771 Every round of an entrant; `group` are those level with it, for codes that compare them with each other."""
    code(name)
    stem = name.rstrip("0123456789")
    count = int(name[len(stem):] or 0)
    match stem:
        case "BH" | "BH-C" | "BH-M":
            return _cut(found, number, contributions(found, number), (count, count if stem == "BH-M" else 0))
        case "FB":
            return _cut(found, number, contributions(drawn_last(found), number), (0, 0))
        case "SB" | "SB-C":
            return _cut(found, number, weighed(found, number), (count, 0))
        case "PS" | "PS-C":
            return _totals(found, number, count)
        case "DE" | "H2H" | "CO":
            return _met(found, number, frozenset(group), stem)
        case "LAST":
            return tuple(Share(at, kind_of(part), part.points) for at, part in enumerate(found.rows[number], start=1) if part is not None)
        case "RTG" | "SEED" | "ERL" | "LOT" | "GP":
            return ()
        case _:
            return _each(found, number, name, stem)


def kind_of(part: Part | None) -> str:
    if part is None:
        return REST
    if part.kind:
        return part.kind
    return PLAYED if is_played(part) else WON if is_forfeit_win(part) else LOST


def _cut(found: Book, number: int, shares: Sequence[Contribution], ends: tuple[int, int]) -> tuple[Share, ...]:
    """LG-750 Chosen unplayed rounds go first, then the lowest of the others."""
    lowest, highest = ends
    kept = sorted(shares, key=lambda share: (not share.chosen, share.value))[lowest:] if lowest else list(shares)
    kept = sorted(kept, key=lambda share: share.value)[:max(0, len(kept) - highest)] if highest else kept
    rounds = {share.round for share in kept}
    row = found.rows[number]
    return tuple(Share(share.round, kind_of(row[share.round - 1]), share.value, share.round not in rounds) for share in shares)


def _totals(found: Book, number: int, first: int) -> tuple[Share, ...]:
    row = found.rows[number]
    sums = accumulate(part.points if part else Fraction(0) for part in row)
    return tuple(Share(at, kind_of(part), worth, at <= first) for at, (part, worth) in enumerate(zip(row, sums, strict=True), start=1))


def _met(found: Book, number: int, group: frozenset[int], stem: str) -> tuple[Share, ...]:
    """LG-745 to LG-749 What was done against the others of the group, or against those whom all of it have met."""
    wanted = group - {number}
    if stem == "CO":
        met = [frozenset(other for part in found.rows[one] if part for other in opponents(part)) for one in {*group, number}]
        wanted = frozenset.intersection(*met)
    shares = []
    for at, part in enumerate(found.rows[number], start=1):
        worths = [worth for other, worth in against(part).items() if other in wanted] if part is not None and is_played(part) else []
        if worths:
            value = sum(worths, Fraction(0)) if stem != "H2H" else sum((2 * worth - 1 for worth in worths), Fraction(0))
            shares.append(Share(at, PLAYED, value))
    return tuple(shares)


def _each(found: Book, number: int, name: str, stem: str) -> tuple[Share, ...]:
    """Codes that look at one round at a time: each round is asked alone; of means the lowest are cut."""
    row, worth = found.rows[number], code(name if stem != "ARO-C" else "ARO")
    shares = [Share(at + 1, kind_of(part), worth([number], _alone(found, number, at))[number]) for at, part in enumerate(row) if part is not None]
    if stem != "ARO-C":
        return tuple(shares)
    lowest = sorted((share for share in shares if share.kind == PLAYED), key=lambda share: share.value)[:int(name[len(stem):])]
    return tuple(share._replace(left_out=share in lowest) for share in shares)


def _alone(found: Book, number: int, at: int) -> Book:
    """As if the entrant had had this one round only."""
    return found._replace(rows={**found.rows, number: [part if other == at else None for other, part in enumerate(found.rows[number])]})
