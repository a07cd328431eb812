"""What has happened in a stage so far? Round by round the tables that were decided and the entrants that had none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from services.league.scoring import Rules, Seat, first_place, scored

NO_SHOW = "no_show"
ALLOCATED, HALF, ZERO, ABSENT, FULL, GIVEN_HALF, LATE = "allocated", "half", "zero", "absent", "full", "given_half", "late"
REQUESTED = frozenset({HALF, ZERO, ABSENT, LATE})       # LG-229, LG-766: chosen by the entrant

Table = Sequence[Seat]


class Bye(NamedTuple):
    """LG-651 A round without a table, by kind; a rest is none of these and has no row."""

    number: int
    kind: str
    points: Fraction = Fraction(0)


class Record(NamedTuple):
    """One round of a stage as it was decided."""

    tables: tuple[tuple[Seat, ...], ...] = ()
    byes: tuple[Bye, ...] = ()


class Part(NamedTuple):
    """What one round was for one entrant: at a table, or with a bye."""

    number: int
    points: Fraction
    table: tuple[Seat, ...] = ()
    seat: int = 0                       # counted from 0
    kind: str = ""                      # of the bye; empty at a table


def present(table: Table) -> tuple[Seat, ...]:
    """LG-671 Who came."""
    return tuple(seat for seat in table if seat.how != NO_SHOW)


def started(table: Table) -> bool:
    """LG-343, LG-672 A match began when at least two came."""
    return len(present(table)) > 1


def is_played(part: Part) -> bool:
    """LG-295, LG-344 By this entrant, in a match that began."""
    return bool(part.table) and started(part.table) and part.table[part.seat].how != NO_SHOW


def opponents(part: Part) -> tuple[int, ...]:
    """LG-744 Whom an entrant met in this round."""
    return tuple(seat.number for seat in present(part.table) if seat.number != part.number) if is_played(part) else ()


def scheduled(part: Part) -> tuple[int, ...]:
    """Whom an entrant was to meet, whether it came to a match or not."""
    return tuple(seat.number for seat in part.table if seat.number != part.number)


def parts(record: Record, rules: Rules) -> Iterator[Part]:
    """The round as each of its entrants had it."""
    for table in record.tables:
        gained = scored(table, rules)
        yield from (Part(seat.number, gained[seat.number], table, at) for at, seat in enumerate(table))
    yield from (Part(bye.number, bye.points, kind=bye.kind) for bye in record.byes)


def by_entrant(field: Iterable[int], records: Sequence[Record], rules: Rules) -> dict[int, list[Part | None]]:
    """Each entrant's rounds in order; `None` where an entrant had a rest or had not come yet."""
    found: dict[int, list[Part | None]] = {number: [None] * len(records) for number in field}
    for at, record in enumerate(records):
        for part in parts(record, rules):
            if part.number in found:
                found[part.number][at] = part
    return found


def total(row: Iterable[Part | None]) -> Fraction:
    return sum((part.points for part in row if part is not None), Fraction(0))


def is_forfeit_win(part: Part) -> bool:
    """LG-672, LG-674 The only one who came to the table."""
    return bool(part.table) and len(present(part.table)) == 1 and part.table[part.seat].how != NO_SHOW


def bars_a_bye(part: Part, rules: Rules) -> bool:
    """LG-349, LG-653 By the kind of the round, not by its points alone: late points and requested byes never bar."""
    if part.kind:
        return part.kind in {ALLOCATED, FULL} or (part.kind == GIVEN_HALF and part.points >= first_place(rules))
    return is_forfeit_win(part)
