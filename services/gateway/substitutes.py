"""Who takes a seat that was left while the match goes on (PL-546)?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.gateway.lobby import refuse_blocked, refuse_kind, seatable
from services.gateway.orders import accepted, audit
from services.gateway.problems import Problem, invalid
from services.gateway.rights import Caller, Thing, authorize, may_see
from services.gateway.store import SQL, Work
from shared.runtime.store import Row

GOING_ON = frozenset({"running", "paused"})


def take(work: Work, caller: Caller, match: str, seat: int, facts: Mapping[str, Any]) -> Row:
    """Anybody who might have sat there takes a vacant seat; of two at the same time the first arrival has it."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.sit", thing)
    return _replaced(work, caller, thing, {"seat": seat, "account": caller.id, "by": "substitute", "reason": ""}, facts)


def name(work: Work, caller: Caller, match: str, body: Mapping[str, Any], facts: Mapping[str, Any]) -> Row:
    """Host or referee name one: themselves, a bot of their own, or, with the right to seat others, any account."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.order", thing)
    for needed in ("target", "account"):
        if body.get(needed) is None:
            raise invalid(f"/{needed}", "needed for replace")
    account = seatable(work, body["account"])
    if caller.account not in {account["account_id"], account["owner_id"]}:
        authorize(caller, "match.seat_others", Thing())
    by = "host" if thing.match["acting_host"] == caller.account else "operator"
    wish = {"seat": body["target"], "account": body["account"], "by": by, "reason": body["reason"].strip()}
    row = _replaced(work, caller, thing, wish, facts)
    if not row["replayed"]:
        audit(work, caller, "match.replace", thing.match["match_id"], wish["reason"] or "the host's own right", after={"command": row["command_id"]})
    return row


def _replaced(work: Work, caller: Caller, thing: Thing, wish: Mapping[str, Any], facts: Mapping[str, Any]) -> Row:
    match: str = thing.match["match_id"]
    work.one(SQL.head_locked, match=match)
    told = {"kind": "replace", "target": wish["seat"], **{name: wish[name] for name in ("account", "by", "reason")}}
    if work.one(SQL.accepted_before, match=match, account=caller.account, key=facts["key"]) is None:
        _refuse_unfit(work, thing, wish["seat"], wish["account"])
    return accepted(work, caller, match, told, facts)


def _refuse_unfit(work: Work, thing: Thing, seat: int, account: str) -> None:
    """As before the start: the kind that may play here, nobody blocked, one seat each; and the seat must be vacant."""
    match = thing.match
    if not match["substitutes"] or match["state"] not in GOING_ON:
        raise Problem("wrong_state")
    refuse_kind(seatable(work, account), match["opponents"])
    if match["host_id"] is not None:
        refuse_blocked(work, match["host_id"], account)
    if seat >= match["seats"]:
        raise invalid("/seat", "there is no such seat")
    table = work.all(SQL.table, match=match["match_id"])
    if not match["one_screen"] and (any(row["kind"] == "held" and row["account_id"] == account for row in table)
                                    or work.one(SQL.coming, match=match["match_id"], account=account) is not None):
        raise Problem("already_seated")
    if work.one(SQL.in_deal, match=match["match_id"], account=account) is not None:
        raise Problem("already_seated")
    if not next(row for row in table if row["seat"] == seat)["vacant"]:
        raise Problem("seat_taken")
