"""How do seats, hosts and referees act beside the game: resigning, proposals, orders (PL-243 to PL-248, PL-305)?"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
import orjson
from psycopg.types.json import Jsonb

from services.gateway.accounts import new_id
from services.gateway.commands import Wish, accept
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem, fault, invalid
from services.gateway.rights import Caller, Thing, authorize, may_see
from services.gateway.store import SQL, Work
from shared.runtime.store import Row

LEAST_REASON = 5    # PL-158: characters
HOST_KINDS = ("pause", "resume", "extend", "advance", "game", "mask")      # where the game has a host's chair
PROPOSALS = {1: "pause", 2: "resume", 3: "abort"}
NUMBERS = {kind: number for number, kind in PROPOSALS.items()}


def resign(gate: Gate, caller: Caller, wish: Wish, received: float) -> Row:
    """PL-246 A row with an arrival, so that it is before or after every other act."""
    authorize(caller, "match.play", may_see(gate.store, caller, wish.match))
    return accept(gate, caller, wish, received)


def resign_wish(match: str, key: str, body: Mapping[str, Any], canonical: bytes) -> Wish:
    return Wish(match, "resign", key, b'{"how":"resigned"}', canonical, body.get("seat"), scope="resignations")


def proposal_wish(match: str, key: str, body: Mapping[str, Any], canonical: bytes) -> Wish:
    told = orjson.dumps({"kind": body["kind"], "answer": "propose"})
    return Wish(match, "proposal", key, told, canonical, body.get("seat"), scope="proposals")


def answer_wish(match: str, number: int, key: str, body: Mapping[str, Any], canonical: bytes) -> Wish:
    """A proposal is known by the number of its kind: there is at most one of each."""
    if number not in PROPOSALS:
        raise Problem("not_found")
    told = orjson.dumps({"kind": PROPOSALS[number], "answer": body["answer"]})
    return Wish(match, "proposal", key, told, canonical, body.get("seat"), scope=f"proposals/{number}/answers")


def propose(gate: Gate, caller: Caller, wish: Wish, received: float) -> Row:
    """PL-243, PL-247 In championships only a referee aborts."""
    thing = may_see(gate.store, caller, wish.match)
    authorize(caller, "match.play", thing)
    if b'"abort"' in wish.body and thing.match["championship"] is not None:
        raise Problem("not_offered")
    return accept(gate, caller, wish, received)


def order(work: Work, caller: Caller, match: str, body: Mapping[str, Any], facts: Mapping[str, Any]) -> Row | Problem:
    """PL-158 The order's row and its audit row are one transaction; `facts` are those of T1. A problem that is returned was noted."""
    thing = may_see(work, caller, match)
    by = _by(caller, thing, body["kind"])
    reason = body["reason"].strip()
    if len(reason) < LEAST_REASON and by != "host":
        raise no_reason()
    told = _told({**body, "reason": reason}, thing, by)
    if told["kind"] == "void" and thing.match["state"] == "finished":
        return _second_person(work, caller, match, reason)
    row = accepted(work, caller, match, told, facts)
    if not row["replayed"]:
        audit(work, caller, f"match.{told['kind']}", match, reason or "the host's own right", after={"command": row["command_id"]})
    return row


def _by(caller: Caller, thing: Thing, kind: str) -> str:
    """The host has the rights that the game gives to its host's chair; names are a moderator's too (CH-450), everything else a referee's (PL-155)."""
    hosts = thing.match["acting_host"] == caller.account and bool(thing.match["host_chair"])
    if kind == "mask" and not hosts and "moderator" in caller.roles:
        authorize(caller, "match.mask", thing)
        return "moderator"
    authorize(caller, "match.order", thing)
    if hosts and kind in HOST_KINDS:
        return "host"
    authorize(caller, "match.referee", thing)
    return "operator"


def _told(body: Mapping[str, Any], thing: Thing, by: str) -> dict[str, Any]:
    """The order as the worker reads it."""
    kind = "game" if body["kind"] == "mask" else body["kind"]
    needs = {"extend": "ms", "disqualify": "target", "game": "command"}.get(kind)
    if needs is not None and body.get(needs) is None:
        raise invalid(f"/{needs}", f"needed for {body['kind']}")
    if by == "moderator" and not str(body["command"].get("do")).startswith("mask_"):
        raise invalid("/command/do", "a command that masks")     # CH-450: of the host's chair nothing else is a moderator's
    if body.get("target") is not None and body["target"] >= thing.match["seats"]:
        raise invalid("/target", "there is no such seat")
    return {"kind": kind, "reason": body["reason"], "by": by, **{name: body[name] for name in ("target", "ms", "command") if name in body}}


def accepted(work: Work, caller: Caller, match: str, told: Mapping[str, Any], facts: Mapping[str, Any]) -> Row:
    row = work.one(SQL.accepted, **{**facts, "body": orjson.dumps(told).decode(), "account": caller.account})
    if row is None:
        raise Problem("internal")
    if row["code"]:
        raise Problem(row["code"]) if row["code"] in {"key_reused", "match_busy", "unavailable"} else Problem(row["code"], match=match, state=row["match_state"])
    if not row["replayed"]:
        work.bells.append((row["game"], row["version"], match, row["arrival"]))
    return row


def _second_person(work: Work, caller: Caller, match: str, reason: str) -> Problem:
    """PL-248 The order is noted and waits for somebody else; asking again notes nothing new."""
    row = work.one(SQL.order_waiting, match=match, account=caller.account)
    if row is None:
        row = work.one(SQL.order_noted, match=match, account=caller.account, kind="void", reason=reason)
        audit(work, caller, "match.void.asked", match, reason, after=row)
    return Problem("second_person_needed", order=row["number"] if row else 0)


def confirm(work: Work, caller: Caller, match: str, number: int, facts: Mapping[str, Any]) -> Row:
    """PL-248 Somebody else confirms; only then does the order become a row."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.referee", thing)
    asked = work.one(SQL.order_to_confirm, match=match, number=number)
    if asked is None:
        raise Problem("not_found")
    if asked["account_id"] == caller.account:
        raise Problem("same_person")
    row = accepted(work, caller, match, {"kind": asked["kind"], "reason": asked["reason"], "by": "operator"}, facts)
    if not row["replayed"]:
        work.do(SQL.order_confirmed, match=match, number=number, account=caller.account)
        audit(work, caller, f"match.{asked['kind']}.confirmed", match, asked["reason"], after={"order": number, "command": row["command_id"]})
    return row


def leave(work: Work, account: str, match: str, seat: int) -> None:
    """PL-135 The seat of an account that is gone becomes a leaver."""
    row = work.one(SQL.left, match=match, account=account, seat=seat, command=new_id("c"))
    if row is not None and not row["code"]:
        work.bells.append((row["game"], row["version"], match, row["arrival"]))


def no_reason() -> Problem:
    """PL-158 What is asked of a reason on the platform; the league asks for more where it corrects (LG-913), and says so itself."""
    return Problem("reason_missing", errors=[fault("/reason", f"at least {LEAST_REASON} characters")])


def reasoned(reason: str) -> str:
    """PL-158 Every act of somebody with a role has a reason."""
    if len(reason.strip()) < LEAST_REASON:
        raise no_reason()
    return reason.strip()


def audit(work: Work, caller: Caller, what: str, on: str, reason: str, after: Any = None) -> None:
    """PL-158, PL-694 One row in the chain of acts, in the transaction of the act itself."""
    note(work, {"who": caller.account, "what": what, "on": on, "reason": reason}, after=after)


def note(work: Work, facts: Mapping[str, Any], before: Any = None, after: Any = None) -> None:
    """The same for programs that speak for an operator."""
    head = work.one(SQL.audit_head)
    line = msgspec.json.encode({**facts, "before": before, "after": after}, order="sorted")
    chain = hashlib.sha256(bytes(head["chain"] if head else b"") + line).digest()
    work.do(SQL.audited, **facts, before=Jsonb(before), after=Jsonb(after), chain=chain)
    work.do(SQL.audit_head_moved, chain=chain)
