"""Which delivery goes out next, and what follows from its reply? All of it in Postgres, so that any number of relays may run and die."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from services.relay.calling import Reply
from services.relay.signing import headers_of
from shared.runtime import log
from shared.runtime.outward import unseal
from shared.runtime.settings import Settings
from shared.runtime.store import Database, Queries, Row, Transaction

SQL = Queries(Path(__file__).with_name("queries.sql"))
MINUTE, HOUR = 60.0, 3_600.0
# PL-597 Seconds after each failed attempt until the next one.
PAUSES = (5.0, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
MORE = 0.1                  # random addition, so that what failed together does not come back together
ATTEMPTS = 8                # LG-1015
LEASE = 60.0                # seconds in which an attempt is over, whatever happens
KEPT, FEW = 30 * 24 * HOUR, 1_000
logger = log.get(__name__)


class Delivery(NamedTuple):
    """One attempt that is to be made, by whoever holds the turn of its line."""

    row: Row
    turn: int
    tries: int


def take(database: Database, most: int) -> list[Delivery]:
    """PL-600, LG-1014 The first waiting delivery of each line whose time has come; nobody else gets it until its lease is over."""
    with database.transaction() as transaction:
        lines = transaction.all(SQL.take, most=most, lease=LEASE)
        found = [(line, _first(transaction, line)) for line in lines]
    return [Delivery(row, line["turn"], line["tries"]) for line, row in found if row is not None]


def _first(transaction: Transaction, line: Row) -> Row | None:
    facts = {"hook": line["hook_id"], "competition": line["competition_id"]}
    row = transaction.one(SQL.first, **facts)
    if row is None:
        transaction.do(SQL.rest, **facts)
    return row


def headers(settings: Settings, row: Row) -> dict[str, str]:
    """PL-592 Signed now, with every secret that is in force."""
    secrets = [unseal(settings, row["hook_id"], bytes(one)) for one in (row["secret"], row["old_secret"]) if one is not None]
    return headers_of(row["delivery_id"], row["body"].encode(), secrets, int(time.time()), row["attempts"])


def mark(database: Database, settings: Settings, one: Delivery, reply: Reply, pauses: Sequence[float] = PAUSES) -> bool:
    """What became of it; False where the turn has passed to somebody else meanwhile."""
    facts = {"hook": one.row["hook_id"], "competition": one.row["competition_id"]}
    with database.transaction() as transaction:
        if transaction.one(SQL.held, **facts, turn=one.turn) is None:
            return False
        if reply.good:
            transaction.do(SQL.arrived, **facts, number=one.row["number"], status=reply.status)
            transaction.do(SQL.go_on, **facts)
            transaction.do(SQL.works_again, hook=facts["hook"])
        else:
            transaction.do(SQL.failed, **facts, number=one.row["number"], status=reply.status, reason=reply.reason)
            transaction.do(SQL.later, **facts, wait=wait(one.tries, reply, pauses))
            _paused(transaction, settings, one, reply)
    return True


def wait(tries: int, reply: Reply, pauses: Sequence[float] = PAUSES) -> float:
    """PL-596, PL-597 As long as the schedule says, or as the receiver asks for if that is longer."""
    usual = pauses[min(tries, len(pauses)) - 1]
    return max(usual, reply.wait) * (1 + MORE * random.random())    # noqa: S311  nothing is guessed from it


def _paused(transaction: Transaction, settings: Settings, one: Delivery, reply: Reply) -> None:
    """LG-1015, PL-598 Too often in vain: it is kept, shown to the owners, and goes on when they say so."""
    hook, attempt = one.row["hook_id"], one.row["attempts"]
    counted = transaction.one(SQL.count_failure, hook=hook)
    why = _why(settings, one.tries, reply, counted["failures"] if counted else 0)
    if not why or not counted or not transaction.do(SQL.pause, hook=hook, why=why):
        return
    transaction.do(SQL.tell_owners, hook=hook, delivery=one.row["delivery_id"], attempt=str(attempt), organisation=counted["organisation_id"], why=why)
    logger.warning("hook_paused", hook=hook, organisation=counted["organisation_id"], why=why)


def _why(settings: Settings, tries: int, reply: Reply, failures: int) -> str:
    if reply.gone:
        return "gone"
    if tries >= min(ATTEMPTS, settings.webhook_attempts):
        return "attempts"
    return "failures" if failures >= settings.webhook_pause_after else ""


def tidy(database: Database) -> None:
    """Secrets that sign no longer, and deliveries that arrived long ago."""
    database.do(SQL.forget_secrets)
    while database.do(SQL.forget_deliveries, kept=KEPT, most=FEW) == FEW:
        pass
