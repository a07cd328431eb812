"""How is a two-seat stage written as TRF16, and read again?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from services.league.record import (
    ABSENT,
    ALLOCATED,
    FULL,
    GIVEN_HALF,
    HALF,
    LATE,
    NO_SHOW,
    ZERO,
    Bye,
    Part,
    Record,
    by_entrant,
    present,
    scheduled,
    started,
    total,
)
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat, draw_points, scale_for

WIN, DRAW, LOSS = Fraction(1), Fraction(1, 2), Fraction(0)
LETTERS = {ALLOCATED: "U", FULL: "F", HALF: "H", GIVEN_HALF: "H", ZERO: "Z", ABSENT: "Z", LATE: "Z"}
KINDS = {"U": (ALLOCATED, WIN), "F": (FULL, WIN), "H": (HALF, DRAW), "Z": (ABSENT, LOSS)}
WORTH = {"1": WIN, "=": DRAW, "0": LOSS, "+": WIN, "-": LOSS}
BEFORE, WIDTH = 91, 10                  # the columns before the first round, and those of each round
NO_OPPONENT = "0000 - "


class Entrant(NamedTuple):
    """A line of the file: pairing number, name and rating copy."""

    number: int
    name: str
    rating: int = 0


class Stage(NamedTuple):
    """What the file holds."""

    name: str
    entrants: tuple[Entrant, ...]
    records: tuple[Record, ...]
    rounds: int


Cell = tuple[int, str, str]             # opponent, colour, result


def written(stage: Stage, rules: Rules, ranks: dict[int, int] | None = None) -> str:
    """LG-986 The file after the rounds given; `not_exportable` where the format has no words for something."""
    _check(stage, rules)
    rows = by_entrant([entrant.number for entrant in stage.entrants], stage.records, rules)
    points = {number: total(row) for number, row in rows.items()}
    places = ranks or {number: 1 + sum(other > own for other in points.values()) for number, own in points.items()}
    lines = [f"012 {stage.name}", f"062 {len(stage.entrants)}", f"XXR {stage.rounds}"]
    for entrant in sorted(stage.entrants):
        cells = "".join(f"  {_cell(part)}" for part in rows[entrant.number])
        rating = f"{entrant.rating:4}" if entrant.rating else " " * 4
        head = f"001 {entrant.number:4} {'':4} {entrant.name[:33]:33} {rating} {'':3} {'':11} {'':10}"
        lines.append(f"{head} {_decimal(points[entrant.number]):>4} {places[entrant.number]:4}{cells}".rstrip())
    return "\n".join(lines) + "\n"


def _check(stage: Stage, rules: Rules) -> None:
    """LG-986 Tables of two, points 1, 1/2 and 0, and numbers of four digits."""
    tables = [table for record in stage.records for table in record.tables]
    if any(len(table) != 2 for table in tables):
        raise Refused("not_exportable", "TRF16 knows tables of two only")
    if (*scale_for(2, rules.scales), draw_points(rules)) != (WIN, LOSS, DRAW) or rules.preferred != 2:
        raise Refused("not_exportable", "TRF16 knows the points 1, 1/2 and 0 only")
    if any(bye.points != KINDS[LETTERS[bye.kind]][1] for record in stage.records for bye in record.byes if bye.kind != LATE):
        raise Refused("not_exportable", "a bye has points that TRF16 cannot say")
    if any(bye.kind == LATE and bye.points not in {LOSS, DRAW} for record in stage.records for bye in record.byes):
        raise Refused("not_exportable", "late points that TRF16 cannot say")
    if any(not 0 < entrant.number < 10_000 for entrant in stage.entrants):
        raise Refused("not_exportable", "TRF16 has four columns for a number")


def _cell(part: Part | None) -> str:
    """The eight columns of one round; a rest is left blank."""
    if part is None:
        return " " * 8
    if part.kind:
        return NO_OPPONENT + ("H" if part.kind == LATE and part.points == DRAW else LETTERS[part.kind])
    colour = "b" if part.seat else "w"
    return f"{scheduled(part)[0]:4} {colour} {_result(part)}"


def _result(part: Part) -> str:
    own = part.table[part.seat]
    if not started(part.table):
        return "+" if present(part.table) == (own,) else "-"
    return {WIN: "1", DRAW: "=", LOSS: "0"}[part.points]


def _decimal(points: Fraction) -> str:
    return f"{float(points):.1f}"


def read(text: str) -> Stage:
    """LG-981, LG-982 The stage in a file; `bad_file` names every line and column that does not fit."""
    faults: list[str] = []
    name, rounds = "", 0
    rows: dict[Entrant, list[Cell | None]] = {}
    for at, line in enumerate(text.splitlines(), start=1):
        match line[:3]:
            case "012":
                name = line[4:].strip()
            case "XXR":
                rounds = _number(line[4:], (at, 5), faults)
            case "001":
                entrant = Entrant(_number(line[4:8], (at, 5), faults), line[14:47].strip(), _number(line[48:52] or "0", (at, 49), faults))
                rows[entrant] = _cells(line, at, faults)
    numbers = {entrant.number: cells for entrant, cells in rows.items()}
    if len(numbers) < len(rows):
        faults.append("a number is there twice")
    played = max((len(cells) for cells in numbers.values()), default=0)
    records = tuple(_record(numbers, at, faults) for at in range(played)) if not faults else ()
    if faults:
        raise Refused("bad_file", "the file does not fit", faults)
    return Stage(name, tuple(sorted(rows)), records, max(rounds, played))


def _number(text: str, where: tuple[int, int], faults: list[str]) -> int:
    if text.strip().isdigit():
        return int(text)
    if text.strip():
        faults.append(f"line {where[0]}, column {where[1]}: {text.strip()!r} is no number")
    return 0


def _cells(line: str, at: int, faults: list[str]) -> list[Cell | None]:
    return [_read_cell(line[column:column + 8], (at, column + 1), faults) for column in range(BEFORE, len(line), WIDTH)]


def _read_cell(text: str, where: tuple[int, int], faults: list[str]) -> Cell | None:
    text = text.ljust(8)
    if not text.strip():
        return None
    opponent = _number(text[:4], where, faults)
    colour, result = text[5], text[7].upper()
    known = KINDS.keys() if opponent == 0 else WORTH.keys()
    if result not in known or colour not in ("-" if opponent == 0 else "wb"):
        faults.append(f"line {where[0]}, column {where[1]}: {text.strip()!r} is no result")
    return opponent, colour, result


def _record(rows: dict[int, list[Cell | None]], at: int, faults: list[str]) -> Record:
    cells = {number: cells[at] for number, cells in rows.items() if at < len(cells)}
    tables = tuple(_tables(cells, at, faults))
    byes = tuple(Bye(number, *KINDS[cell[2]]) for number, cell in sorted(cells.items()) if cell and not cell[0])
    return Record(tables, byes)


def _tables(cells: dict[int, Cell | None], at: int, faults: list[str]) -> Iterator[tuple[Seat, ...]]:
    for number, cell in sorted(cells.items()):
        if cell and cell[0]:
            other = cells.get(cell[0])
            if not other or other[0] != number or {cell[1], other[1]} != {"w", "b"}:
                faults.append(f"round {at + 1}: number {number} and number {cell[0]} do not say the same")
            elif cell[1] == "w":
                yield _table((number, cell[2]), (cell[0], other[2]))


def _table(*sides: tuple[int, str]) -> tuple[Seat, ...]:
    """Places by worth; who forfeits did not come."""
    worth = [WORTH[result] for _, result in sides]
    how: Sequence[str] = [NO_SHOW if result == "-" else "played" for _, result in sides]
    return tuple(
        Seat(number, 1 + sum(other > own for other in worth), how=came)
        for (number, _), own, came in zip(sides, worth, how, strict=True))
