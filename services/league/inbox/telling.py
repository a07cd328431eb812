"""Who is told what of the events of a turn, and who sits where after it? Rows in the same transaction, made ready before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from psycopg.types.json import Json

from services.league.inbox.deciding import Turn
from services.league.kind import Kind, Notice
from services.league.store import INBOX, TELLING
from shared.runtime.store import Database, Row, Transaction

AT_ONCE = 500
MOST = 50           # competitions in one look at deadlines


class Told(NamedTuple):
    """Rows of a turn."""

    seats: list[dict[str, Any]]
    tables: list[str]
    rounds: list[str]
    notices: list[dict[str, Any]]
    remind_at: int | None


def told_by(turn: Turn, now: int) -> Told:
    """LG-1016, LG-1005, LG-888 What follows from a turn for those who take part."""
    if not turn.happened:
        return Told([], [], [], [], None)
    seating = turn.kind.seating(turn.state, [one.event for one in turn.happened])
    notices = [_row(notice, event) for event, notice in turn.notices]
    return Told([msgspec.to_builtins(row) for row in seating.rows], list(seating.tables), list(seating.rounds), notices,
                turn.kind.next_reminder(turn.state, now))


def write_told(transaction: Transaction, competition: str, told: Told) -> None:
    if told.rounds:
        transaction.do(TELLING.clear_rounds, competition=competition, rounds=told.rounds)
    if told.tables:
        transaction.do(TELLING.clear_tables, competition=competition, tables=told.tables)
    _written(transaction, TELLING.seat, competition, told.seats)
    _written(transaction, TELLING.tell, competition, told.notices)
    if told.remind_at is not None:
        transaction.do(TELLING.remind_from, competition=competition, at=told.remind_at)


def _written(transaction: Transaction, query: str, competition: str, rows: Sequence[dict[str, Any]]) -> None:
    for at in range(0, len(rows), AT_ONCE):
        transaction.do(query, competition=competition, rows=Json(rows[at:at + AT_ONCE]))


def _row(notice: Notice, event: int) -> dict[str, Any]:
    return {**msgspec.to_builtins(notice), "event": event}


def remind(database: Database, kind_of: Callable[[str], Kind], state_of: Callable[[Row], Any]) -> bool:
    """LG-888, LG-886 Deadlines that have come near, however late that is noticed; each is told once."""
    found = database.all(TELLING.reminding, most=MOST)
    for name in (row["competition_id"] for row in found):
        row = database.one(INBOX.competition, competition=name)
        if row is None:
            continue
        kind, state = kind_of(row["kind"]), state_of(row)
        rows = [_row(notice, row["version"]) for notice in kind.reminders(state, row["now"])]
        with database.transaction() as transaction:
            _written(transaction, TELLING.tell, name, rows)
            transaction.do(TELLING.reminded, competition=name, version=row["version"], at=kind.next_reminder(state, row["now"]))
    return bool(found)
