"""What has the match service told of the league's matches? Each end becomes one act, whoever tells it and however often."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from services.league.inbox.scene import fresh_id
from services.league.store import INBOX
from shared.runtime.store import Database, Row, Transaction

MOST = 64           # outbox rows in one transaction
ENDINGS = frozenset({"match.finished", "match.aborted", "match.voided", "match.expired"})
BEGUN = "match.started"


def consume(database: Database) -> tuple[bool, set[str]]:
    """PL-345, PL-346 Outbox rows, the acts they become and their marks in one transaction; which competitions got an act."""
    with database.transaction() as transaction:
        rows = transaction.all(INBOX.outbox, most=MOST)
        fresh = [row for row in rows if row["topic"] in {*ENDINGS, BEGUN}
                 and transaction.do(INBOX.consume, match=row["match_id"], step=row["step"], topic=row["topic"])]
        touched = place_begun(transaction, [row["match_id"] for row in fresh if row["topic"] == BEGUN])
        touched |= place_records(transaction, [row["match_id"] for row in fresh if row["topic"] in ENDINGS])
        if rows:
            transaction.do(INBOX.mark_done, numbers=[row["number"] for row in rows])
    return bool(rows), touched


def sweep(database: Database) -> set[str]:
    """PL-347, LG-208, LG-885 What no message told of: matches that have ended, and times in which nobody could play."""
    touched: set[str] = set()
    before: list[str] = []
    while fresh := _unrecorded(database, before, touched):
        before = fresh
    with database.transaction() as transaction:
        for row in transaction.all(INBOX.outages_since):
            body = {"from_at": row["began"], "to_at": row["ended"]}
            touched |= _placed(transaction, row["competition_id"], ("outage", f"outage {row['number']}"), body)
    return touched


def _unrecorded(database: Database, before: list[str], touched: set[str]) -> list[str]:
    """Some of the matches that have ended unheard; none once there are no others than before."""
    with database.transaction() as transaction:
        matches = [row["match_id"] for row in transaction.all(INBOX.unrecorded, most=MOST)]
        if matches == before:
            return []
        touched |= place_records(transaction, matches)
    return matches


def place_begun(transaction: Transaction, matches: Iterable[str]) -> set[str]:
    touched: set[str] = set()
    for row in transaction.all(INBOX.of_competitions, matches=sorted(set(matches))):
        touched |= _placed(transaction, row["competition_id"], ("started", f"started {row['match_id']}"), {"match": row["match_id"]})
    return touched


def place_records(transaction: Transaction, matches: Iterable[str]) -> set[str]:
    """LG-203 A record finds its competition by the match id alone; one that belongs to none is not ours."""
    touched: set[str] = set()
    rows = transaction.all(INBOX.ended, matches=list(dict.fromkeys(matches)))
    for row in rows:
        source = f"record {row['match_id']} {row['state']}"
        touched |= _placed(transaction, row["competition_id"], ("record", source), _record(row))
    if rows:
        transaction.do(INBOX.recorded, matches=[row["match_id"] for row in rows])
    return touched


def _record(row: Row) -> dict[str, Any]:
    """LG-201 What the match service says of each seat."""
    return {"match": row["match_id"], "ended": row["state"], "seats": row["seats"] or [], "reason": row["flag"] or ""}


def _placed(transaction: Transaction, competition: str, act: tuple[str, str], body: dict[str, Any]) -> set[str]:
    kind, source = act
    transaction.one(INBOX.place, competition=competition, act=fresh_id("c"), kind=kind, source=source, body=msgspec.json.encode(body).decode())
    return {competition}
