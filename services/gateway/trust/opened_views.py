"""May a referee see what a seat sees while the match goes on? Only with a reason, a second person, a limit, and the seats told of it (PL-157)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services.gateway.accounts import at
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.orders import audit, reasoned
from services.gateway.problems import Problem, invalid
from services.gateway.reading import Reader, is_over
from services.gateway.rights import ACTIVE, Caller, Thing, authorize, may_see
from services.gateway.store import Store, Work
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("opened_views.sql"))
OPEN_FOR_S = 3_600


def ask(work: Work, caller: Caller, match: str, seat: int, reason: str) -> dict[str, Any]:
    """Noted with its reason; nothing is shown before somebody else confirms it."""
    thing = _refereed(work, caller, match)
    if seat >= thing.match["seats"]:
        raise invalid("/seat", "there is no such seat")
    because = reasoned(reason)
    row = work.one(SQL.asked, match=match, seat=seat, account=caller.id, reason=because)
    if row is None:
        raise Problem("already_decided")
    audit(work, caller, "match.view.asked", match, because, after={"number": row["number"], "seat": seat})
    return _told_one(work, match, row["number"])


def confirm(work: Work, caller: Caller, match: str, number: int) -> dict[str, Any]:
    """By another referee or an operator; from now on, for an hour, whoever asked may look."""
    _refereed(work, caller, match)
    asked = work.one(SQL.opened_view, match=match, number=number)
    if asked is None:
        raise Problem("not_found")
    if asked["account_id"] == caller.account:
        raise Problem("same_person")
    if not work.do(SQL.confirmed, match=match, number=number, account=caller.id, life=OPEN_FOR_S):
        raise Problem("already_decided")
    audit(work, caller, "match.view.opened", match, asked["reason"], after={"number": number, "seat": asked["seat"], "for": asked["account_id"]})
    return _told_one(work, match, number)


def look(gate: Gate, caller: Caller, match: str, number: int) -> Reader:
    """As that seat, for whoever it was opened for; that they looked is on disk before they see anything."""
    with gate.store.work() as work:
        thing = _refereed(work, caller, match)
        row = work.one(SQL.looked, match=match, number=number, account=caller.id)
        if row is None:
            raise _closed(work, caller, match, number)
        if row["anew"]:
            audit(work, caller, "match.view.looked", match, row["reason"], after={"number": number, "seat": row["seat"]})
    return Reader(thing.match, row["seat"] + 2)


def _closed(work: Work, caller: Caller, match: str, number: int) -> Problem:
    asked = work.one(SQL.opened_view, match=match, number=number)
    if asked is None or asked["account_id"] != caller.account:
        return Problem("not_found")
    return Problem("second_person_needed", order=number) if asked["confirmed_at"] is None else Problem("closed", sentence="It is no longer open; ask again if you must.")


def listed(store: Store, caller: Caller, match: str) -> list[dict[str, Any]]:
    """For referees at any time; for everybody else what was opened, once the match is over."""
    thing = may_see(store, caller, match)
    referees = _is_referee(store, caller, thing)
    if not referees and not is_over(thing.match, caller):
        raise Problem("not_yet")
    return [_told(row) for row in store.all(SQL.opened_views, match=match, told=not referees)]


def _is_referee(store: Store, caller: Caller, thing: Thing) -> bool:
    try:
        _impartial(store, caller, thing)
    except Problem:
        return False
    return True


def _impartial(store: Store | Work, caller: Caller, thing: Thing) -> None:
    """PL-155, PL-392 No referee of it is whoever sits there, has a bot there, or plays the same deal elsewhere."""
    authorize(caller, "match.referee", thing)
    if thing.match["deals_elsewhere"] or store.one(SQL.bot_sits, match=thing.match["match_id"], account=caller.account):
        raise Problem("own_match")


def _refereed(work: Work, caller: Caller, match: str) -> Thing:
    thing = may_see(work, caller, match)
    _impartial(work, caller, thing)
    if thing.match["state"] not in ACTIVE:
        raise Problem("wrong_state")
    return thing


def _told_one(work: Work, match: str, number: int) -> dict[str, Any]:
    return next(_told(row) for row in work.all(SQL.opened_views, match=match, told=False) if row["number"] == number)


def _told(row: Row) -> dict[str, Any]:
    times = {name: at(row[name]) for name in ("asked_at", "confirmed_at", "closes_at", "first_look_at", "last_look_at")}
    return {**row, **times}


def audit_log(gate: Gate, caller: Caller, asked: Mapping[str, Any]) -> dict[str, Any]:
    """PL-152, PL-694 What people with a role did on this installation, newest first; for operators and auditors."""
    cursor = Cursor(gate.sign_key, "audit", caller.account, asked)
    below = cursor.read(asked.get("cursor"))
    rows = gate.store.all(SQL.audit, below=below[0] if below else None, on=asked.get("on"), what=asked.get("what"), most=asked["limit"] + 1)
    return cursor.page([({**row, "at": at(row["at"])}, (row["number"],)) for row in rows], asked["limit"])
