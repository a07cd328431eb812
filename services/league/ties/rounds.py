"""Of what is a tie-break value made, round by round, and what was left out?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from services.league.record import Part, is_forfeit_win, is_played, opponents, scheduled
from services.league.scoring import PLAYED
from services.league.ties.book import Book, Contribution, against, contributions, cut, drawn_last, weighed
from services.league.ties.codes import code
from services.league.ties.groups import missing_of

REST, LOST, WON = "rest", "forfeit_loss", "forfeit_win"
COMPARED = frozenset({"DE", "H2H", "CO"})
# How the contributions come to the value.
SUM, MEAN, IN_TURN, CERTAIN, FIXED, MOMENT = "sum", "mean", "in_turn", "certain", "fixed", "moment"
HOW = {"AOB": MEAN, "ARO": MEAN, "ARO-C": MEAN, "LAST": IN_TURN, "RTG": FIXED, "SEED": FIXED, "LOT": FIXED, "ERL": MOMENT}


class Share(NamedTuple):
    """LG-771 What one round brought, what kind of round it was, and whether it was left out: cut, or without a contribution at all."""

    round: int
    kind: str
    value: Fraction | None
    left_out: bool = False
    opponents: tuple[int, ...] = ()
    virtual: bool = False               # LG-768 counted against a virtual opponent


def stem_of(name: str) -> str:
    """The code without its number: `P1` is `P`, `BH-C1` is `BH-C`."""
    return name.rstrip("0123456789")


def how(found: Book, name: str, group: Collection[int]) -> str:
    """LG-746, LG-747, LG-771 How contributions come to the value; where meetings are missing `DE` tells only who is ahead for certain."""
    if name == "DE":
        return CERTAIN if any(missing_of(group, found).values()) else SUM
    return HOW.get(stem_of(name), SUM)


def by_round(found: Book, number: int, name: str, group: Collection[int] = ()) -> tuple[Share, ...]:
    """LG-771 Every round of an entrant; `group` are those level with it, for codes that compare them with each other."""
    code(name)
    stem = stem_of(name)
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
        case "AOB":
            return tuple(_of_opponents(found, number))
        case "LAST":
            return tuple(_share(at, part, part.points) for at, part in enumerate(found.rows[number], start=1) if part is not None)
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


def faced(part: Part | None) -> tuple[int, ...]:
    """Whom somebody met, or was to meet."""
    return () if part is None else opponents(part) or scheduled(part)


def _share(at: int, part: Part | None, value: Fraction, *, left_out: bool = False, virtual: bool = False) -> Share:
    return Share(at, kind_of(part), value, left_out, faced(part), virtual)


def _cut(found: Book, number: int, shares: Sequence[Contribution], ends: tuple[int, int]) -> tuple[Share, ...]:
    """LG-750 Chosen unplayed rounds go first, then the lowest of the others."""
    lowest, highest = ends
    kept = sorted(shares, key=lambda share: (not share.chosen, share.value))[lowest:] if lowest else list(shares)
    kept = sorted(kept, key=lambda share: share.value)[:max(0, len(kept) - highest)] if highest else kept
    rounds = {share.round for share in kept}
    row = found.rows[number]
    return tuple(_share(share.round, row[share.round - 1], share.value, left_out=share.round not in rounds, virtual=_is_virtual(found, row[share.round - 1]))
                 for share in shares)


def _is_virtual(found: Book, part: Part | None) -> bool:
    """LG-768, LG-770 An unplayed round, unless a schedule says whom it was against."""
    return part is not None and not is_played(part) and not (part.table and found.facts.scheduled)


def _totals(found: Book, number: int, first: int) -> tuple[Share, ...]:
    row = found.rows[number]
    sums = accumulate(part.points if part else Fraction(0) for part in row)
    return tuple(_share(at, part, worth, left_out=at <= first) for at, (part, worth) in enumerate(zip(row, sums, strict=True), start=1))


def _met(found: Book, number: int, group: frozenset[int], stem: str) -> tuple[Share, ...]:
    """LG-745 to LG-749 What was done against the others of the group, or against those whom all of it have met."""
    wanted = group - {number}
    if stem == "CO":
        met = [frozenset(other for part in found.rows[one] if part for other in opponents(part)) for one in {*group, number}]
        wanted = frozenset.intersection(*met)
    shares = []
    for at, part in enumerate(found.rows[number], start=1):
        worths = {other: worth for other, worth in against(part).items() if other in wanted} if part is not None and is_played(part) else {}
        if worths:
            value = sum((worth if stem != "H2H" else 2 * worth - 1 for worth in worths.values()), Fraction(0))
            shares.append(Share(at, PLAYED, value, opponents=tuple(worths)))
    return tuple(shares)


def _of_opponents(found: Book, number: int) -> Iterator[Share]:
    """LG-750 `AOB`: the Buchholz of each opponent by itself, since all of them weigh the same."""
    for at, part in enumerate(found.rows[number], start=1):
        if part is not None and is_played(part):
            yield from (Share(at, PLAYED, cut(contributions(found, other), 0), opponents=(other,)) for other in opponents(part))


def _each(found: Book, number: int, name: str, stem: str) -> tuple[Share, ...]:
    """Codes that look at one round at a time: each round is asked alone; of means the lowest are cut, and only played rounds count."""
    row, means = found.rows[number], stem in {"ARO", "ARO-C"}
    worth = code("ARO" if means else name)
    shares = [_share(at + 1, part, worth([number], _alone(found, number, at))[number])
              for at, part in enumerate(row) if part is not None and (is_played(part) or not means)]
    if stem != "ARO-C":
        return tuple(shares)
    lowest = sorted(shares, key=lambda share: share.value or 0)[:int(name[len(stem):])]
    return tuple(share._replace(left_out=share in lowest) for share in shares)


def _alone(found: Book, number: int, at: int) -> Book:
    """As if the entrant had had this one round only."""
    return found._replace(rows={number: [part if other == at else None for other, part in enumerate(found.rows[number])]})
