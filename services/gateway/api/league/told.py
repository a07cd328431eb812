"""How is an act of the league answered, and a page that has not changed? What tournaments and championships have in common."""

from __future__ import annotations

from typing import Any

from flask import request

from services.gateway.commands import wish_to_wait
from services.gateway.competitions import acts, pages
from services.gateway.competitions.sight import seen
from services.gateway.edge.idempotency import REPLAYED, Answer
from services.gateway.edge.routes import Call
from services.gateway.problems import Problem


def act(call: Call, kind: str, competition: str) -> Answer:
    """LG-131, LG-142 Stored, then awaited; 202 where the outcome is not known in time."""
    found = seen(call.gate.store, call.caller, kind, competition)
    accepted = acts.do(call.gate, call.caller, found, call.body, ("POST", request.path, call.key))
    return awaited(call, kind, accepted)


def create(call: Call, kind: str) -> Answer:
    """OP-03, OP-43 201 with the new competition, once the league has agreed to it."""
    accepted = acts.create(call.gate, call.caller, kind, call.body, ("POST", request.path, call.key))
    said = awaited(call, kind, accepted)
    if said.status != 200:
        return said
    competition = said.body[kind]
    head = pages.head(call.gate, call.caller, seen(call.gate.store, call.caller, kind, competition))
    return Answer(201, head.body, {**said.headers, "Location": f"/api/v1/{kind}s/{competition}"})


def awaited(call: Call, kind: str, accepted: Answer) -> Answer:
    competition, name = accepted.body[kind], accepted.body["act"]
    replayed = REPLAYED if "Idempotency-Replayed" in accepted.headers else {}
    headers = {"Location": f"/api/v1/{kind}s/{competition}/acts/{name}", **replayed}
    row = acts.waited(call.gate, name, _patience())
    if row["state"] == "refused":
        problem = acts.refusal(row)
        if not replayed:
            call.gate.metrics.refused.labels("", problem.name, "league").inc()      # LG-150
        problem.headers = headers
        raise problem
    return Answer(202 if row["state"] == "waiting" else 200, {**acts.told_of(row), kind: competition}, headers)


def _patience() -> float:
    """PL-299 `Prefer: wait=N`; without it as long as the league usually needs."""
    wish = request.headers.get("Prefer")
    return acts.WAIT_S if wish is None else wish_to_wait(wish, acts.WAIT_S)


def outcome(call: Call, kind: str, competition: str, name: str) -> dict[str, Any]:
    """What became of an act, for its sender and for officials."""
    found = seen(call.gate.store, call.caller, kind, competition)
    row = acts.outcome(call.gate, name)
    if row["competition_id"] != competition or not (found.is_official or row["account_id"] == call.caller.account):
        raise Problem("not_found")
    return {**acts.told_of(row), kind: competition}


def page(call: Call, kind: str, competition: str, name: str) -> Answer:
    """LG-1002 Whoever has this version already is told so."""
    found = seen(call.gate.store, call.caller, kind, competition)
    return pages.page(call.gate, call.caller, found, name, call.query, request.headers.get("If-None-Match", ""))


def unless_known(said: Answer) -> Answer:
    """LG-1002 Whoever has this version already is told so."""
    tag = said.headers.get("ETag")
    known = request.headers.get("If-None-Match", "")
    return Answer(304, None, said.headers) if tag is not None and tag in known else said


