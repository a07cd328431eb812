"""Where does an organisation want to be told what happens in its competitions? Endpoints, their secrets, and what was sent to them (OP-51)."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from services.gateway.accounts import at, new_id
from services.gateway.competitions.deeds import OFFICIALS
from services.gateway.competitions.organisations import note
from services.gateway.competitions.sight import SQL as ROWS
from services.gateway.competitions.sight import refuse_bound, refuse_unless
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem, fault
from services.gateway.rights import Caller
from services.gateway.store import Store, Work
from shared.runtime.outward import AddressRefused, seal, target_of
from shared.runtime.settings import Settings
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("hooks.sql"))
MANAGE = "webhook:manage"
MOST = 20                   # PL-671: of one organisation
SHOWN = 50                  # competitions with something undelivered
MARK = "whsec_"
TRIAL = "endpoint.test"
# PL-591 What can be asked for: the kinds of events that everybody who sees a competition may read.
KINDS: Mapping[str, str] = {
    "tournament": """answered board_ended board_ordered board_started bye_asked bye_given cancelled challenged checked_in closed consented constrained corrected correction_proposed
        correction_settled created details_changed disqualified draining entered extended finished flagged imported invitation_accepted invited
        lifted look_again match_ordered moved_up no_show not_counted opened outage_recorded overdue paused rating_excluded readied record_refused
        recorded reopened reported resumed returned round_completed round_published rounds_planned ruled rungs_set seed_replaced seeded
        settings_changed stage_finished stage_goes_on stage_over stage_started stage_waits started substituted warned way_chosen winners_named
        withdrawn withheld""",
    "championship": "added counted created finished published removed set",
    "season": "added came counted created going moved published removed set settled",
}
TYPES = frozenset(f"{kind}.{event}" for kind, events in KINDS.items() for event in events.split())


def make(work: Work, caller: Caller, organisation: str, wish: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """PL-591 A new endpoint; its secret is in this answer and nowhere else."""
    _official(work, caller, organisation)
    _checked(wish, settings)
    work.one(ROWS.organisation_locked, organisation=organisation)
    if len(work.all(SQL.hooks, organisation=organisation)) >= MOST:
        raise Problem("quota", quota="webhooks")
    hook = new_id("w")
    shown, sealed = _new_secret(settings, hook)
    work.do(SQL.made, hook=hook, organisation=organisation, address=wish["address"], types=_types(wish), description=wish["description"], secret=sealed,
            account=caller.id)
    _note(work, organisation, caller, hook, "make_hook")
    return {**_told(work, _row(work, organisation, hook)), "secret": shown}


def listed(store: Store, caller: Caller, organisation: str) -> dict[str, Any]:
    _official(store, caller, organisation)
    return {"items": [_told(store, row) for row in store.all(SQL.hooks, organisation=organisation)], "next": None}


def one(store: Store, caller: Caller, organisation: str, hook: str) -> dict[str, Any]:
    _official(store, caller, organisation)
    return _told(store, _row(store, organisation, hook))


def change(work: Work, caller: Caller, organisation: str, hook: str, wish: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """LG-1015, PL-598 Also to pause it, and to resume it: what was kept then goes out in order."""
    _official(work, caller, organisation)
    _row(work, organisation, hook)
    _checked(wish, settings)
    if wish.get("paused") is False:
        work.do(SQL.lines_due, hook=hook)
    if "paused" in wish:
        work.do(SQL.resumed if wish["paused"] is False else SQL.paused, hook=hook)
    work.do(SQL.changed, hook=hook, address=wish.get("address"), types=_types(wish) if "types" in wish else None, description=wish.get("description"))
    _note(work, organisation, caller, hook, "change_hook")
    return _told(work, _row(work, organisation, hook))


def remove(work: Work, caller: Caller, organisation: str, hook: str) -> None:
    """Nothing is sent there any more, and its secret is gone."""
    _official(work, caller, organisation)
    _row(work, organisation, hook)
    work.do(SQL.lines_gone, hook=hook)
    work.do(SQL.deliveries_gone, hook=hook)
    work.do(SQL.removed, hook=hook)
    _note(work, organisation, caller, hook, "remove_hook")


def new_secret(work: Work, caller: Caller, organisation: str, hook: str, settings: Settings) -> dict[str, Any]:
    """PL-592 The old one signs beside the new one for a day."""
    _official(work, caller, organisation)
    _row(work, organisation, hook)
    shown, sealed = _new_secret(settings, hook)
    row = work.one(SQL.secret_changed, hook=hook, secret=sealed)
    _note(work, organisation, caller, hook, "change_hook_secret")
    return {"hook": hook, "secret": shown, "old_until": at(row["old_until"]) if row else None}


def trial(work: Work, caller: Caller, organisation: str, hook: str) -> dict[str, Any]:
    """OP-51 A delivery that says nothing, in a line of its own."""
    _official(work, caller, organisation)
    _row(work, organisation, hook)
    row = work.one(SQL.trial, hook=hook, delivery=f"msg_{secrets.token_hex(16)}", type=TRIAL, facts=orjson.dumps({"hook": hook}).decode()[1:-1])
    work.do(SQL.line_due, hook=hook)
    return {"delivery": row["delivery_id"]} if row else {}


def replay(work: Work, caller: Caller, organisation: str, hook: str, wish: Mapping[str, Any]) -> dict[str, Any]:
    """LG-1015 From an event of a competition on, all of them once more; what is older and waits is left out."""
    _official(work, caller, organisation)
    _row(work, organisation, hook)
    row = work.one(SQL.replay, hook=hook, competition=wish["competition"], event=wish["event"])
    if row is None or row["waiting"] is None:
        raise Problem("bad_setting", errors=[fault("/event", "an event of a competition of this organisation")])
    _note(work, organisation, caller, hook, "replay_hook")
    return {"hook": hook, "competition": wish["competition"], "event": wish["event"], "waiting": row["waiting"]}


def deliveries(gate: Gate, caller: Caller, place: tuple[str, str], asked: Mapping[str, Any]) -> dict[str, Any]:
    """PL-601 What was sent and what became of it, newest first: status and reason, nothing of an answer."""
    organisation, hook = place
    _official(gate.store, caller, organisation)
    _row(gate.store, organisation, hook)
    cursor = Cursor(gate.sign_key, f"deliveries {hook}", caller.account, asked)
    before = cursor.read(asked.get("cursor")) or (None, None)
    rows = gate.store.all(SQL.deliveries, hook=hook, state=asked.get("state"), competition=asked.get("competition"), before=before[0], before_id=before[1],
                          most=asked["limit"] + 1)
    items = [({"delivery": row["delivery_id"], "competition": row["competition_id"] or None, "event": row["number"] if row["competition_id"] else None,
               "type": orjson.loads(row["body"])["type"], "state": row["state"], "attempts": row["attempts"], "status": row["status"], "reason": row["reason"],
               "made_at": at(row["made_at"]), "tried_at": at(row["tried_at"]), "done_at": at(row["done_at"])},
              (row["made_at"].isoformat(), row["delivery_id"])) for row in rows]
    return cursor.page(items, asked["limit"])


def _official(store: Store | Work, caller: Caller, organisation: str) -> None:
    """LG-126 Owners and organisers, with the scope of webhooks."""
    refuse_bound(caller, None)
    row = store.one(ROWS.organisation, organisation=organisation, account=caller.account)
    if row is None:
        raise Problem("not_found")
    refuse_unless(caller, frozenset(row["roles"]), OFFICIALS, MANAGE)


def _row(store: Store | Work, organisation: str, hook: str) -> Row:
    row = store.one(SQL.hook, organisation=organisation, hook=hook)
    if row is None:
        raise Problem("not_found")
    return row


def _checked(wish: Mapping[str, Any], settings: Settings) -> None:
    """OP-51, PL-591, PL-601 What is asked for is known, and the address is one that is ever called."""
    faults = [fault(f"/types/{number}", "no such type") for number, name in enumerate(wish.get("types", ())) if name not in TYPES]
    if "address" in wish:
        try:
            target_of(wish["address"], settings)
        except AddressRefused as refused:
            faults.append(fault("/address", str(refused)))
    if faults:
        raise Problem("bad_setting", errors=faults)


def _types(wish: Mapping[str, Any]) -> list[str]:
    return sorted(set(wish["types"]))


def _new_secret(settings: Settings, hook: str) -> tuple[str, bytes]:
    """As it is shown once, and as it is stored."""
    made = secrets.token_bytes(32)
    return MARK + base64.b64encode(made).decode(), seal(settings, hook, made)


def _told(store: Store | Work, row: Row) -> dict[str, Any]:
    """LG-1015 With the first undelivered event of each competition."""
    waiting = store.all(SQL.waiting, hook=row["hook_id"], most=SHOWN)
    return {"hook": row["hook_id"], "organisation": row["organisation_id"], "address": row["address"], "types": row["types"], "description": row["description"],
            "state": row["state"], "why": row["why"] or None, "failures": row["failures"], "created_at": at(row["created_at"]),
            "paused_at": at(row["paused_at"]), "old_until": at(row["old_until"]), "undelivered": waiting}


def _note(work: Work, organisation: str, caller: Caller, hook: str, act: str) -> None:
    note(work, (organisation, None), caller.id, {"act": act, "hook": hook})
