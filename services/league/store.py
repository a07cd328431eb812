"""How do the facts of a championship come out of Postgres, and its standing back in?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from psycopg.types.json import Jsonb

from services.league.formats.round_robin import Round
from services.league.scoring import Scale, Seat
from services.league.standings import Line
from services.league.tables import Limits
from shared.runtime.store import Queries, Row, Transaction

SQL = Queries(Path(__file__).with_name("queries.sql"))
INBOX = Queries(Path(__file__).parent / "inbox" / "queries.sql")
RATINGS = Queries(Path(__file__).parent / "inbox" / "ratings.sql")


def limits_of(championship: Row) -> Limits:
    return Limits(championship["table_min"], championship["table_max"], championship["table_preferred"])


def scales_of(championship: Row) -> dict[int, Scale]:
    """LG-725 The points lists by number of seats, exact."""
    return {int(seats): tuple(map(Fraction, places)) for seats, places in championship["points"].items()}


def past_rounds(transaction: Transaction, championship: str) -> list[Round]:
    """What has been played, round by round."""
    rows = transaction.all(SQL.past, championship=championship)
    return [_round(list(tables)) for _, tables in groupby(rows, key=itemgetter("round"))]


def _round(tables: Sequence[Row]) -> Round:
    rests = [number for row in tables if row["table_no"] is None for number in row["numbers"]]
    return Round(tuple(tuple(row["numbers"]) for row in tables if row["table_no"] is not None), tuple(rests))


def counted_tables(transaction: Transaction, championship: str) -> list[list[Seat]]:
    """LG-209 The results that count."""
    rows = transaction.all(SQL.counted, championship=championship)
    return [[seat_of(row) for row in table] for _, table in groupby(rows, key=itemgetter("match_id"))]


def seat_of(row: Row) -> Seat:
    return Seat(row["number"], row["place"], row["score"], row["how"])


def save_standing(transaction: Transaction, championship: str, lines: Sequence[Line]) -> None:
    """The projection, all of it at one version."""
    transaction.do(SQL.drop_standing, championship=championship)
    transaction.do(SQL.save_lines, championship=championship, lines=Jsonb([_line(line) for line in lines]))
    transaction.do(SQL.set_as_of, championship=championship)


def _line(line: Line) -> dict[str, Any]:
    return {
        "number": line.number, "rank": line.rank, "points_n": line.points.numerator, "points_d": line.points.denominator,
        "played": line.played, "places": line.places, "ties": [(code, str(value)) for code, value in line.ties], "decided": line.decided,
    }
