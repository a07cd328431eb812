"""What has happened in a stage so far? Round by round the tables that were decided and the entrants that had none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from services.league.scoring import Rules, Seat, by_model, first_place

NO_SHOW = "no_show"
ALLOCATED, HALF, ZERO, ABSENT, FULL, GIVEN_HALF, LATE = "allocated", "half", "zero", "absent", "full", "given_half", "late"
REQUESTED = frozenset({HALF, ZERO, ABSENT, LATE})       # LG-229, LG-766: chosen by the entrant

Table = Sequence[Seat]
Known = dict[tuple[tuple[int, str], ...], tuple[Fraction, ...]]     # points by how a table ended


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
    met: tuple[int, ...] = ()           # LG-744 whom the entrant met; nobody if no match began for them


def present(table: Table) -> tuple[Seat, ...]:
    """LG-671 Who came."""
    return tuple(seat for seat in table if seat.how != NO_SHOW)


def started(table: Table) -> bool:
    """LG-343, LG-672 A match began when at least two came."""
    return len(present(table)) > 1


def is_played(part: Part) -> bool:
    """LG-295, LG-344 By this entrant, in a match that began."""
    return bool(part.met)


def opponents(part: Part) -> tuple[int, ...]:
    """LG-744 Whom an entrant met in this round."""
    return part.met


def scheduled(part: Part) -> tuple[int, ...]:
    """Whom an entrant was to meet, whether it came to a match or not."""
    return tuple(seat.number for seat in part.table if seat.number != part.number)


def parts(record: Record, rules: Rules, known: Known) -> Iterator[Part]:
    """The round as each of its entrants had it; tables that ended alike are scored once."""
    for table in record.tables:
        ended = tuple((seat.place, seat.how) for seat in table) if rules.model == "places" else tuple((seat.score, seat.how) for seat in table)
        if ended not in known:
            known[ended] = tuple(by_model(table, rules, rules.model).values())
        came = tuple(seat.number for seat in table if seat.how != NO_SHOW)
        for at, (seat, gained) in enumerate(zip(table, known[ended], strict=True)):
            met = tuple(number for number in came if number != seat.number) if seat.how != NO_SHOW else ()
            yield Part(seat.number, gained, table, at, met=met)
    yield from (Part(bye.number, bye.points, kind=bye.kind) for bye in record.byes)


def by_entrant(field: Iterable[int], records: Sequence[Record], rules: Rules) -> dict[int, list[Part | None]]:
    """Each entrant's rounds in order; `None` where an entrant had a rest or had not come yet."""
    found: dict[int, list[Part | None]] = {number: [None] * len(records) for number in field}
    known: Known = {}
    for at, record in enumerate(records):
        for part in parts(record, rules, known):
            if part.number in found:
                found[part.number][at] = part
    return found


def total(row: Iterable[Part | None]) -> Fraction:
    """All points of an entrant; whole numbers over each denominator are added first, which is as exact and far quicker."""
    sums: dict[int, int] = {}
    for part in row:
        if part is not None:
            parts_of = part.points.denominator
            sums[parts_of] = sums.get(parts_of, 0) + part.points.numerator
    return added_parts(sums)


def added_parts(sums: Mapping[int, int]) -> Fraction:
    """The sum of whole numbers over each denominator, with one fraction made at the end."""
    parts_of = lcm(*sums)
    return Fraction(sum(number * (parts_of // one) for one, number in sums.items()), parts_of)


def unit(values: Iterable[Fraction]) -> int:
    """A common denominator: in these parts everything is a whole number, exact and quick."""
    return lcm(*{value.denominator for value in values})


def whole(value: Fraction, parts_of: int) -> int:
    return value.numerator * (parts_of // value.denominator)


def is_forfeit_win(part: Part) -> bool:
    """LG-672, LG-674 The only one who came to the table."""
    return bool(part.table) and len(present(part.table)) == 1 and part.table[part.seat].how != NO_SHOW


def bars_a_bye(part: Part, rules: Rules) -> bool:
    """LG-349, LG-653 By the kind of the round, not by its points alone: late points and requested byes never bar."""
    if part.kind:
        return part.kind in {ALLOCATED, FULL} or (part.kind == GIVEN_HALF and part.points >= first_place(rules))
    return is_forfeit_win(part)
