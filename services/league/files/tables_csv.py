"""How are standings, pairings, results and cross tables written for spreadsheets?"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from services.league.record import Record
from services.league.scoring import Rules, by_model, shown
from services.league.standings import Line

RISKY = ("=", "+", "-", "@")        # what a spreadsheet would take for a formula

Cell = str | int | Fraction
Names = Mapping[int, str]


def safe(cell: str) -> str:
    """LG-984 Text that looks like a formula gets an apostrophe; numbers stay."""
    return f"'{cell}" if cell.startswith(RISKY) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        Fraction(cell)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def written(rows: Iterable[Sequence[Cell]]) -> str:
    """LG-984, LG-987 The same rows give the same bytes; a fraction is written exactly, with its decimals in a column of its own."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([part for cell in row for part in _cells(cell)])
    return text.getvalue()


def _cells(cell: Cell) -> tuple[str, ...]:
    return (str(cell), shown(cell)) if isinstance(cell, Fraction) else (safe(str(cell)),)


def standing(lines: Sequence[Line], names: Names) -> str:
    codes = list(dict.fromkeys(code for line in lines for code, _ in line.ties))
    head = ["rank", "number", "name", "points", "points_decimal", "played", *(part for code in codes for part in (code, f"{code}_decimal"))]
    rows: list[list[Cell]] = []
    for line in lines:
        ties = dict(line.ties)
        cells: list[Cell] = [line.rank, line.number, names.get(line.number, ""), line.points, line.played]
        for code in codes:
            cells += [ties[code]] if code in ties else ["", ""]
        rows.append(cells)
    return written([head, *rows])


def results(records: Sequence[Record], rules: Rules, names: Names) -> str:
    """Every seat and every bye of every round."""
    rows: list[list[Cell]] = [["round", "table", "seat", "number", "name", "place", "how", "points", "points_decimal"]]
    for number, record in enumerate(records, start=1):
        for at, table in enumerate(record.tables, start=1):
            gained = by_model(table, rules, rules.model)
            rows += [[number, at, seat_at, seat.number, names.get(seat.number, ""), seat.place, seat.how, gained[seat.number]]
                     for seat_at, seat in enumerate(table, start=1)]
        rows += [[number, "", "", bye.number, names.get(bye.number, ""), "", bye.kind, bye.points] for bye in record.byes]
    return written(rows)


def pairings(tables: Sequence[Sequence[int]], names: Names) -> str:
    rows: list[list[Cell]] = [["table", "seat", "number", "name"]]
    rows += [[at, seat, number, names.get(number, "")] for at, table in enumerate(tables, start=1) for seat, number in enumerate(table, start=1)]
    return written(rows)


def cross_table(field: Sequence[int], records: Sequence[Record], names: Names) -> str:
    """Who was ahead of whom how often: `2-1` means ahead twice and behind once, level ones are halves on both sides."""
    ahead: dict[tuple[int, int], Fraction] = {}
    for table in (table for record in records for table in record.tables):
        for one in table:
            for other in table:
                if one is not other:
                    worth = Fraction((one.place < other.place) * 2 + (one.place == other.place), 2)
                    ahead[one.number, other.number] = ahead.get((one.number, other.number), Fraction(0)) + worth
    rows: list[list[Cell]] = [["number", "name", *map(str, field)]]
    for own in field:
        met = [f"{ahead[own, their]}-{ahead[their, own]}" if (own, their) in ahead else "" for their in field]
        rows.append([own, names.get(own, ""), *met])
    return written(rows)
