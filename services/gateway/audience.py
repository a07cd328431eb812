"""Who looks on and may answer: the audience of a match (PL-566 to PL-568, CH-501 to CH-526)."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any

from services.gateway.accounts import new_id
from services.gateway.edge.gate import Gate
from services.gateway.matches import is_delayed
from services.gateway.problems import Problem
from services.gateway.rights import Caller, Thing, authorize, may_see
from services.gateway.store import SQL, Store, Work

OPTION, NONE = "audience", {None, "off", False}     # the option by which a game says that a table has an audience
SIZE = "most_members"
SHOWN_PLACES = 20       # CH-513


def device_for(gate: Gate, member: str) -> str:
    """PL-566 A guest's device token: its public half, and a mark that only this service can make."""
    mark = hmac.new(gate.sign_key, b"device|" + member.encode(), hashlib.sha256).hexdigest()[:40]
    return f"{member}.{mark}"


def member_of(gate: Gate, caller: Caller, device: str | None) -> str | None:
    """CH-518 One member is one account, or one device token."""
    if caller.account is not None:
        return caller.account
    public = (device or "").partition(".")[0]
    return public if device and hmac.compare_digest(device_for(gate, public).encode(), device.encode()) else None


def join(gate: Gate, work: Work, caller: Caller, match: str, name: str | None, device: str | None) -> dict[str, Any]:
    """PL-566 In: members come and go, and never delay the match."""
    thing = may_see(work, caller, match)
    authorize(caller, "audience.join", thing)
    _refuse_without_audience(work, thing)
    if thing.mine:
        raise Problem("already_seated")
    member, shown = member_of(gate, caller, device), None
    if member is None:
        if not thing.match["guests"]:
            raise Problem("audience_off")
        member = new_id("d")
        shown = device_for(gate, member)
    elif caller.account is None and not thing.match["guests"]:
        raise Problem("audience_off")
    most = min(int(thing.match["options"].get(SIZE, gate.settings.audience_members)), gate.settings.audience_members)
    work.one(SQL.audience_locked, match=match)
    if work.one(SQL.audience_has_room, match=match, member=member, most=most) is None:
        raise Problem("audience_full")
    work.do(SQL.joined, match=match, member=member, name=name)
    return {"match": match, "member": member, "name": name, "device": shown}


def _refuse_without_audience(work: Work | Store, thing: Thing) -> None:
    """CH-501 Only where the table has one; a table without seats has nothing else."""
    match = thing.match
    if match["options"].get(OPTION) in NONE and match["seats"] > 0 and work.one(SQL.any_poll, match=match["match_id"]) is None:
        raise Problem("audience_off")
    if match["state"] not in {"open", "running", "paused"}:
        raise Problem("closed")


def part(work: Work, gate: Gate, caller: Caller, match: str, device: str | None) -> None:
    """CH-514 Out, at any time."""
    may_see(work, caller, match)
    member = member_of(gate, caller, device)
    if member is None or not work.do(SQL.parted, match=match, member=member):
        raise Problem("not_found")


@dataclass(frozen=True, slots=True)
class Said:
    """What a member answers to which question, with the key of the request and a hash of its body."""

    match: str
    question: str
    answer: str
    key: str
    body_hash: bytes


def answer(gate: Gate, caller: Caller, said: Said, device: str | None) -> dict[str, Any]:
    """PL-567 One answer per member and question; the last one before the close counts, a repeat is acknowledged. One call."""
    member = member_of(gate, caller, device)
    if member is None:
        raise Problem("not_signed_in")
    row = gate.store.one(SQL.answered_once, match=said.match, question=said.question, member=member, answer=said.answer, key=said.key,
                         hash=said.body_hash, path=f"/api/v1/matches/{said.match}/audience/answers/{said.question}",
                         keep=int(gate.settings.keys_kept))
    code = row["code"] if row else "internal"
    if code == "not_allowed":
        _refuse_without_audience(gate.store, may_see(gate.store, caller, said.match))
    if code not in {"", "again"}:
        raise Problem(code)
    return {"match": said.match, "question": said.question, "answer": said.answer}


def told(gate: Gate, caller: Caller, match: str, device: str | None) -> dict[str, Any]:
    """PL-568, CH-513, CH-515 How many there are, what is asked now, the first places; and the member's own part."""
    thing = may_see(gate.store, caller, match)
    late = is_delayed(thing.match)
    member = member_of(gate, caller, device)
    members = gate.store.one(SQL.members_counted, match=match)
    ranking = [] if late else gate.store.all(SQL.audience_ranking, match=match)
    me = None if member is None else _own(gate, match, member, ranking)
    return {"match": match, "members": members["members"] if members else 0, "open": gate.store.all(SQL.polls_open, match=match),
            "ranking": [{"place": row["place"], "name": row["name"], "points": row["points"]} for row in ranking if row["place"] <= SHOWN_PLACES],
            "me": me}


def _own(gate: Gate, match: str, member: str, ranking: list[dict[str, Any]]) -> dict[str, Any] | None:
    if gate.store.one(SQL.member_seen, match=match, member=member) is None:
        return None
    place = next((row for row in ranking if row["member"] == member), {"place": None, "points": 0})
    answers = {row["question"]: row["answer"] for row in gate.store.all(SQL.answers_of, match=match, member=member)}
    return {"member": member, "place": place["place"], "points": place["points"], "answers": answers}
