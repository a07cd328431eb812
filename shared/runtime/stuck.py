"""How does a stuck match go on? An operator tries again, sets the row aside, or voids it; the clocks keep the time they had."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from psycopg.types.json import Jsonb

from shared.kernel.game import Refused
from shared.runtime.store import Database, Transaction
from shared.runtime.turn.clock import Clock
from shared.runtime.turn.house import House, stood
from shared.runtime.turn.writing import SQL
from shared.runtime.watch import own_order

ACTIONS = ("retry", "set_aside", "void")
LEAST_REASON = 5  # PL-158: characters


def release(database: Database, match_id: str, action: str, who: str, reason: str) -> None:
    """PL-653 In one transaction with its audit row. Raises Refused: wrong_state, reason_missing, not_offered."""
    if action not in ACTIONS:
        raise Refused("not_offered")
    if len(reason.strip()) < LEAST_REASON:
        raise Refused("reason_missing")
    with database.transaction() as transaction:
        transaction.one(SQL.lock, match_id=match_id)
        stuck = transaction.one(SQL.stuck_now, match_id=match_id)
        if stuck is None:
            raise Refused("wrong_state")
        _move_clocks(transaction, match_id, int(stuck["stood"]))
        transaction.do(SQL.set_running, match_id=match_id)
        transaction.do(SQL.forget_attempts, match_id=match_id)
        if action != "retry":
            transaction.do(SQL.set_aside, match_id=match_id, arrival=stuck["arrival"])
        _go_on(transaction, match_id, action, reason)
        transaction.do(SQL.note_release, match_id=match_id, action=action, who=who)
        audit(transaction, {"who": who, "what": f"match.release.{action}", "on": match_id, "reason": reason}, {"state": "stuck"})


def _go_on(transaction: Transaction, match_id: str, action: str, reason: str) -> None:
    """What was set aside makes no step: all are told of the clocks by one of its own; a match that never began is over at once."""
    if action == "void" and transaction.do(SQL.void_unbegun, match_id=match_id):
        transaction.do(SQL.announce_topic, match_id=match_id, step=0, topic="match.voided", body=Jsonb({"reason": reason}))
    elif action != "retry":
        told = {"kind": "void", "reason": reason} if action == "void" else {"kind": "credit", "from": 0, "to": 0}
        transaction.one(SQL.accept_own, **own_order(match_id, {**told, "by": "operator"}))


def audit(transaction: Transaction, facts: dict[str, Any], before: dict[str, Any] | None = None, after: dict[str, Any] | None = None) -> None:
    """PL-158, PL-694 One row in the chain of acts, in the transaction of the act itself."""
    head = transaction.one(SQL.audit_head)
    line = msgspec.json.encode({**facts, "before": before, "after": after}, order="sorted")
    chain = hashlib.sha256(bytes(head["chain"] if head else b"") + line).digest()
    transaction.do(SQL.audit, **facts, before=Jsonb(before), after=Jsonb(after), chain=chain)
    transaction.do(SQL.move_audit_head, chain=chain)


def _move_clocks(transaction: Transaction, match_id: str, stood_ms: int) -> None:
    """Due times move on by the time the match stood; a pause that it stood in is over as well."""
    transaction.do(SQL.move_timers, match_id=match_id, stood=stood_ms)
    row = transaction.one(SQL.peek, match_id=match_id)
    if row is None or not row["house"]:
        return
    house = msgspec.json.decode(row["house"], type=House)
    now, found = int(row["now"]), transaction.one(SQL.clock_of, match_id=match_id)
    clock = msgspec.convert(found["clock"] if found else {}, Clock)
    house = stood(clock, house, now - stood_ms if house.paused is None else house.paused, now)
    transaction.do(SQL.save_house, match_id=match_id, house=msgspec.json.encode(house, order="deterministic").decode())
    for seat, running in house.asks.items():
        transaction.do(SQL.wind_ask, match_id=match_id, seat=int(seat), ask=running.number, due=running.due)
    for kind, timed in (("phase", house.phase), ("no_show", house.no_show)):
        if timed is not None and timed.due is not None:
            transaction.do(SQL.save_timer, match_id=match_id, kind=kind, step=timed.number, due=timed.due)
