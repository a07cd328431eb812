"""What becomes of the points of those who come late or leave?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from services.league.record import LATE, NO_SHOW, Bye, Record, Table, started
from services.league.scoring import PLAYED, Rules, Seat, draw_points


def late_byes(number: int, missed: int, per_round: Fraction, rounds: int, rules: Rules) -> tuple[Bye, ...]:
    """LG-229 One absence for each round missed; all together at most the draw points times half the planned rounds."""
    left = draw_points(rules) * rounds / 2
    byes = []
    for _ in range(missed):
        points = min(per_round, left)
        left -= points
        byes.append(Bye(number, LATE, points))
    return tuple(byes)


def late_entry_is_open(number: int, rounds: int, until: int | None = None) -> bool:
    """LG-227 Whether somebody may still come before this round is made."""
    return number - 1 <= (rounds // 2 if until is None else until)


def taken_out(records: Sequence[Record], schedule: Sequence[Iterable[Sequence[int]]], gone: Iterable[int]) -> frozenset[int]:
    """LG-234 Who has left after fewer than half of their matches."""
    planned = Counter(number for one in schedule for table in one for number in table)
    played = Counter(seat.number for record in records for table in record.tables if started(table) for seat in table if seat.how == PLAYED)
    return frozenset(number for number in gone if 2 * played[number] < planned[number])


def without(records: Sequence[Record], schedule: Sequence[Iterable[Sequence[int]]], gone: Iterable[int]) -> tuple[Record, ...]:
    """LG-234 Who left a round robin after fewer than half of their matches counts for nobody; otherwise the rest is forfeit losses."""
    out = taken_out(records, schedule, gone)
    return forfeited(removed(records, out), schedule, set(gone) - out)


def removed(records: Sequence[Record], out: Iterable[int]) -> tuple[Record, ...]:
    """LG-234 As if these had never been there."""
    found = tuple(records)
    for number in sorted(out):
        found = tuple(record._replace(tables=tuple(_left(table, number) for table in record.tables if len(table) > 2 or not _sat(table, number)))
                      for record in found)
    return found


def forfeited(records: Sequence[Record], schedule: Sequence[Iterable[Sequence[int]]], losing: Iterable[int]) -> tuple[Record, ...]:
    """LG-234, LG-675, LG-678 All tables of two that these do not come to any more are lost, by both if neither comes."""
    out = frozenset(losing)
    rounds = [*records, *(Record() for _ in schedule[len(records):])] if out else [*records]
    return tuple(_forfeited(record, one, out) for record, one in zip(rounds, [*schedule, *([()] * len(rounds))], strict=False))


def _sat(table: Table, number: int) -> bool:
    return any(seat.number == number for seat in table)


def _left(table: Table, number: int) -> tuple[Seat, ...]:
    """LG-234 At a larger table the result of the others stands among themselves, as if the one who left had never sat there."""
    if not _sat(table, number):
        return tuple(table)
    rest = [seat for seat in table if seat.number != number]
    return tuple(seat._replace(place=1 + sum(other.place < seat.place for other in rest)) for seat in rest)


def _forfeited(record: Record, scheduled: Iterable[Sequence[int]], out: frozenset[int]) -> Record:
    known = {seat.number for table in record.tables for seat in table}
    missing = [table for table in scheduled if len(table) == 2 and out & set(table) and not known & out & set(table)]
    added = (tuple(Seat(one, 2 if one in out and not out >= set(table) else 1, how=NO_SHOW if one in out else PLAYED) for one in table)
             for table in missing)
    return record._replace(tables=(*record.tables, *added))
