"""What leaves the league after a commit? Matches that were ordered, orders to those that are there, and bells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import psycopg

from services.league.store import INBOX
from shared.runtime import log
from shared.runtime.bell import Doorbell
from shared.runtime.store import Database, Row

AT_ONCE = 100       # matches in one transaction
FORFEIT, REASON = "forfeit:", "ordered by its tournament"
LATE = "late"       # stands for the seats that are on turn, which the database knows when the order is given
logger = log.get(__name__)


def make_matches(database: Database, doorbell: Doorbell, competition: str) -> bool:
    """LG-167 Some of the matches that have been ordered, in order, each once; where seeds run out the rest waits for more."""
    try:
        with database.transaction() as transaction:
            made = transaction.all(INBOX.make, competition=competition, most=AT_ONCE)
    except psycopg.Error as error:       # its game is gone, say: no other competition is held up by that
        logger.warning("matches_not_made", competition=competition, error=str(error))
        return False
    for row in made:
        doorbell.send(row["made_game"], row["made_version"], row["made"], 1)
    return bool(made)


def send_stops(database: Database, doorbell: Doorbell) -> int:
    """Orders to pause, go on, end or forfeit, in the order of what happened; where one has to wait or fails, those of others do not."""
    after: dict[str, Any] = {"competition": "", "event": 0, "match": "", "what": ""}
    found = 0
    while rows := database.all(INBOX.stops_undone, most=AT_ONCE, **after):
        for row in rows:
            after = {"competition": row["competition_id"], "event": row["event"], "match": row["match_id"], "what": row["what"]}
            _send_stop(database, doorbell, row, after)
        found += len(rows)
    return found


def _send_stop(database: Database, doorbell: Doorbell, row: Row, facts: Mapping[str, Any]) -> None:
    try:
        with database.transaction() as transaction:
            orders = transaction.all(INBOX.stop, **facts, body=_order(row))
    except psycopg.Error as error:
        logger.warning("match_not_stopped", competition=row["competition_id"], match=row["match_id"], error=str(error))
        return
    for told in orders:
        doorbell.send(told["told_game"], told["told_version"], row["match_id"], told["told_arrival"])


def _order(row: Row) -> str | None:
    """The order as the worker reads it; None where the match service has nothing to do, as with a deadline of the league's own."""
    match row["what"]:
        case "void" | "pause" | "resume" as kind:
            return msgspec.json.encode({"kind": kind, "by": "operator", "reason": REASON}).decode()
        case what if what.startswith(FORFEIT) and row["seat"] is not None:
            return msgspec.json.encode({"kind": "disqualify", "by": "operator", "target": row["seat"], "reason": REASON}).decode()
        case "late":
            return msgspec.json.encode({"kind": "disqualify", "by": "operator", "target": LATE, "reason": "late at the deadline"}).decode()
        case _:
            return None
