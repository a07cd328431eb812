"""What concerns one player over all competitions: open tables, deadlines, byes asked for, results, and what they were told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from services.gateway.accounts import at
from services.gateway.competitions.pages import with_names
from services.gateway.competitions.sight import SQL as ROWS
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import Work
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("players.sql"))
MOST_OPEN = 100
SCOPES = ("league:read", "league:enter", "league:run", "league:referee")


def league(gate: Gate, caller: Caller, account: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """LG-1005 Private tournaments are left out for whoever may not know of them."""
    if gate.store.one(ROWS.known_account, target=account) is None:
        raise Problem("not_found")
    reads = {"account": account, "reader": caller.account if caller.has(*SCOPES) else None, "all": caller.is_operator and caller.has(*SCOPES)}
    cursor = Cursor(gate.sign_key, f"results {account}", caller.account, asked)
    place = cursor.read(asked.get("cursor")) or [None] * 5
    before = dict(zip(("before", "before_id", "stage", "round", "table"), place, strict=True))
    rows = gate.store.all(SQL.results, **reads, **before, most=asked["limit"] + 1)
    results = cursor.page([(_result(row), (row["decided_at"].isoformat(), row["tournament"], row["stage"], row["round"], row["table"])) for row in rows],
                          asked["limit"])
    first = "cursor" not in asked
    return with_names(gate.store, {
        "account": account, "open": [_open(row) for row in gate.store.all(SQL.open, **reads, most=MOST_OPEN)] if first else [],
        "byes": gate.store.all(SQL.byes, **reads, most=MOST_OPEN) if first else [], "results": results["items"], "next": results["next"]})


def _open(row: Row) -> dict[str, Any]:
    deadline = None if row["deadline"] is None else at(datetime.fromtimestamp(row["deadline"] / 1000, UTC))
    return {**row, "pairing": _pairing(row), "deadline": deadline}


def _result(row: Row) -> dict[str, Any]:
    return {**row, "pairing": _pairing(row), "decided_at": at(row["decided_at"])}


def _pairing(row: Row) -> str:
    return f"{row['stage']}/{row['round']}/{row['table']}"


def notices(gate: Gate, caller: Caller, asked: Mapping[str, Any]) -> dict[str, Any]:
    """PL-576, LG-1016 One's own, newest first."""
    rows = gate.store.all(SQL.notices, account=caller.id, unread=asked.get("unread") == "true", before=asked.get("before"), most=asked["limit"] + 1)
    items = [_notice(row) for row in rows[:asked["limit"]]]
    return {"items": items, "next": items[-1]["notice"] if len(rows) > asked["limit"] else None}


def _notice(row: Row) -> dict[str, Any]:
    told = {name: row[name] for name in ("notice", "kind", "event", "pairing", "match", "name", "game", "facts")}
    kind = row["competition_kind"] or "tournament"
    return {**told, kind: row["competition_id"], "at": at(row["at"]), "read_at": at(row["read_at"])}


def read(work: Work, caller: Caller, up_to: int) -> None:
    """All of them up to this one have been seen."""
    work.do(SQL.read_notices, account=caller.id, up_to=up_to)
