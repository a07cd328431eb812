"""Whose are the competitions? Organisations, the roles in them, the referees of a competition, and the log of who did what."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from services.gateway.accounts import at, name_key, new_id
from services.gateway.competitions.deeds import OFFICIALS, ORGANISER, OWNER, REFEREE
from services.gateway.competitions.sight import SQL, Seen, refuse_bound, refuse_unless
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.orders import reasoned
from services.gateway.problems import Problem, fault, invalid
from services.gateway.rights import Caller
from services.gateway.store import Store, Work
from shared.runtime.store import Row

OWNERS = frozenset({OWNER})
MANAGE = "organisation:manage"


def make(work: Work, caller: Caller, wish: Mapping[str, Any]) -> dict[str, Any]:
    """OP-01 The host names its first owner."""
    owner = _account(work, wish.get("owner") or caller.id)
    name = founded(work, wish["name"].strip(), wish["zone"], owner["account_id"], caller.id)
    return organisation(work, caller, name)


def founded(work: Work, name: str, zone: str, owner: str, by: str) -> str:
    """The id of a new organisation with its first owner."""
    if zone not in zoneinfo.available_timezones():
        raise invalid("/zone", "the name of a time zone, such as Europe/Rome")
    organisation = new_id("o")
    if not work.do(SQL.organisation_made, organisation=organisation, name=name, key=name_key(name), zone=zone, account=by):
        raise Problem("name_taken", errors=[fault("/name", "another organisation has this name, or one that looks like it")])
    work.do(SQL.chain_begun, organisation=organisation)
    work.do(SQL.role_given, organisation=organisation, target=owner, role=OWNER, account=by)
    note(work, (organisation, None), by, {"act": "make_organisation", "name": name, "owner": owner})
    return organisation


def organisation(store: Store | Work, caller: Caller, name: str) -> dict[str, Any]:
    row = _row(store, caller, name)
    roles = [{**one, "given_at": at(one["given_at"])} for one in store.all(SQL.roles_of, organisation=name)]
    return {"organisation": row["organisation_id"], "name": row["name"], "zone": row["zone"], "created_at": at(row["created_at"]), "roles": roles,
            "my_roles": sorted(row["roles"]), "audit_number": row["audit_number"], "audit_hash": row["audit_hash"]}


def listed(gate: Gate, caller: Caller, asked: Mapping[str, Any]) -> dict[str, Any]:
    cursor = Cursor(gate.sign_key, "organisations", caller.account, asked)
    after = cursor.read(asked.get("cursor")) or (None, None)
    account = caller.id if asked.get("mine") == "true" else asked.get("account")
    rows = gate.store.all(SQL.organisations, account=account, after=after[0], after_id=after[1], most=asked["limit"] + 1)
    items = [({"organisation": row["organisation_id"], "name": row["name"], "zone": row["zone"], "created_at": at(row["created_at"])},
              (name_key(row["name"]), row["organisation_id"])) for row in rows]
    return cursor.page(items, asked["limit"])


def give(work: Work, caller: Caller, organisation: str, role: str, target: str) -> None:
    """OP-02, LG-122"""
    row = _row(work, caller, organisation)
    refuse_unless(caller, frozenset(row["roles"]), OWNERS, MANAGE)
    account = _account(work, target)
    if account["kind"] == "bot":
        raise Problem("not_allowed")
    if work.do(SQL.role_given, organisation=organisation, target=target, role=role, account=caller.id):
        note(work, (organisation, None), caller.id, {"act": "give_role", "role": role, "account": target})


def take(work: Work, caller: Caller, organisation: str, role: str | None, target: str) -> None:
    """LG-125 Somebody has to remain the owner; who has a role may also lay it down."""
    row = _row(work, caller, organisation)
    if target != caller.account:
        refuse_unless(caller, frozenset(row["roles"]), OWNERS, MANAGE)
    work.one(SQL.organisation_locked, organisation=organisation)
    taken = [one for one in (OWNER, ORGANISER, REFEREE) if role in {None, one} and work.do(SQL.role_taken, organisation=organisation, target=target, role=one)]
    if not taken:
        raise Problem("not_found")
    if OWNER in taken and not work.all(SQL.owners, organisation=organisation):
        raise Problem("last_owner")
    note(work, (organisation, None), caller.id, {"act": "take_role", "role": " and ".join(taken), "account": target})


def appoint(work: Work, caller: Caller, found: Seen, target: str) -> None:
    """LG-123 An organiser appoints referees, also themselves."""
    refuse_unless(caller, found.roles, OFFICIALS)
    if _account(work, target)["kind"] == "bot":
        raise Problem("not_allowed")
    if work.do(SQL.official_given, competition=found.id, target=target, account=caller.id):
        note(work, (found.row["organisation_id"], found.id), caller.id, {"act": "appoint_referee", "account": target})


def dismiss(work: Work, caller: Caller, found: Seen, target: str) -> None:
    if target != caller.account:
        refuse_unless(caller, found.roles, OFFICIALS)
    if not work.do(SQL.official_taken, competition=found.id, target=target):
        raise Problem("not_found")
    note(work, (found.row["organisation_id"], found.id), caller.id, {"act": "dismiss_referee", "account": target})


def invite(work: Work, caller: Caller, organisation: str, target: str) -> None:
    """LG-222 The organisation's standing invitation, which its guest may accept."""
    row = _row(work, caller, organisation)
    refuse_unless(caller, frozenset(row["roles"]), OFFICIALS)
    _account(work, target)
    work.do(SQL.guest_invited, organisation=organisation, target=target, account=caller.id)


def accept(work: Work, caller: Caller, organisation: str, target: str) -> None:
    """By the guest alone, or for a bot by whom it belongs to."""
    _row(work, caller, organisation)
    if target != caller.account and work.one(SQL.own, targets=[target], account=caller.account) is None:
        raise Problem("no_consent")
    if not work.do(SQL.guest_accepted, organisation=organisation, target=target):
        raise Problem("not_found")


def part(work: Work, caller: Caller, organisation: str, target: str) -> None:
    """Taken back by the organisation, or given up by the guest."""
    row = _row(work, caller, organisation)
    if target != caller.account and work.one(SQL.own, targets=[target], account=caller.account) is None:
        refuse_unless(caller, frozenset(row["roles"]), OFFICIALS)
    if not work.do(SQL.guest_gone, organisation=organisation, target=target):
        raise Problem("not_found")


def hold(work: Work, caller: Caller, found: Seen, wish: Mapping[str, Any]) -> None:
    """LG-130, OP-55 By the host; nothing in the competition changes by it."""
    reasoned(wish["reason"])
    if work.do(SQL.held, competition=found.id, held=wish["held"]):
        facts = {"act": "hold" if wish["held"] else "release", "reason": wish["reason"].strip()}
        note(work, (found.row["organisation_id"], found.id), caller.id, facts)


def log(gate: Gate, caller: Caller, organisation: str, found: Seen | None, after: int) -> dict[str, Any]:
    """OP-53, LG-945 Officials read it whole, everybody else their own acts and what concerns them, their bots or their pairings."""
    roles = found.roles if found else frozenset(_row(gate.store, caller, organisation)["roles"])
    most = 100
    rows = gate.store.all(SQL.audit, organisation=organisation, subject=found.id if found else None, after=after, most=most + 1,
                          by=None if roles or "auditor" in caller.roles else caller.id)
    items = [{"number": row["number"], "at": at(row["at"]), "on": row["subject"], "account": row["account_id"], "previous_hash": row["previous_hash"],
              "hash": row["hash"], "entry": orjson.loads(row["entry"])} for row in rows[:most]]
    return {"items": items, "next": items[-1]["number"] if len(rows) > most else None}


def note(work: Work, on: tuple[str, str | None], who: str, facts: Mapping[str, Any]) -> None:
    """LG-941 In the transaction of the act itself."""
    organisation, competition = on
    work.one(SQL.noted, organisation=organisation, subject=competition, account=who, facts=Jsonb({"who": who, **facts}))


def _row(store: Store | Work, caller: Caller, organisation: str) -> Row:
    refuse_bound(caller, None)
    row = store.one(SQL.organisation, organisation=organisation, account=caller.account)
    if row is None:
        raise Problem("not_found")
    return row


def _account(work: Work, account: str) -> Row:
    row = work.one(SQL.known_account, target=account)
    if row is None:
        raise Problem("not_found")
    return row
