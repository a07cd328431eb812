"""Commands and their outcomes. The path of a single command is kept short: it is the one that everything waits for."""

from __future__ import annotations

from typing import Any

import marshmallow
import msgspec
import orjson
from flask import Response, g, request

from services.gateway import commands
from services.gateway.api import match_schemas as shapes
from services.gateway.commands import Envelope, Wish, accept, accept_by_token, answer, batch_wish, command_wish, wish_to_wait
from services.gateway.edge import bodies, idempotency
from services.gateway.edge.gate import Gate
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes
from services.gateway.edge.signing_in import bearer, caller
from services.gateway.problems import Problem
from services.gateway.rights import Caller, knock

routes = Routes("commands", __name__, description="Commands, batches and their outcomes")
ASKS = ("not_your_seat", "stale_ask", "ask_ahead", "ask_taken", "too_late", "not_a_choice", "changed_meanwhile", "too_long", "text_refused",
        "talk_off", "muted", "match_over", "match_paused", "match_stuck", "match_busy", "queue_old", "wrong_state")
POST = Door("match.play", takes=shapes.CommandIn, gives=shapes.RowOut, status=202, also=(200,), codes=ASKS, bucket="commands", small=True, lean=True)
BATCH = Door("match.play", takes=shapes.BatchIn, gives=shapes.RowOut, status=202, also=(200,), codes=(*ASKS, "too_many"), bucket="commands", stored=False)
ENVELOPES = Door("match.play", takes=shapes.EnvelopesIn, gives=shapes.AnswersOut, codes=(*ASKS, "too_many"), bucket="commands", stored=False)


@routes.at("POST", "/matches/<match>/commands", POST)
def post_command(house: Gate, match: str) -> Response:
    """Answer the open ask of a seat. 202: it is on disk; `Prefer: wait=N` holds the answer until the outcome is known."""
    if house.draining:
        raise Problem("draining", retry_after=1)
    if request.args:
        raise Problem("invalid", errors=[{"pointer": f"/{name}", "detail": "Unknown field."} for name in request.args])
    by_token = "Authorization" in request.headers
    token = bearer() if by_token else None
    if token is not None:
        g.limits = house.counted("commands", Caller(token=token.id, address=request.remote_addr or ""))
    else:
        g.limits = house.counted("commands", caller(house))
        knock(caller(house), POST.verb)
    key = idempotency.key_of(request.headers.get("Idempotency-Key"))
    value = bodies.parse(bodies.raw_of(request, house.settings.command_bytes))
    canonical = bodies.canonical(value)
    wish = command_wish(match, key, _envelope(value), canonical)
    quick = token is not None and not house.pace.looked_at(wish.verbs)
    accepted = accept_by_token(house, token, wish, g.received, g.trace) if token is not None and quick else None
    if accepted is not None:
        row = accepted[1]
    else:       # a browser, a token that needs a closer look, or a command that is counted by player or says something to others
        known = caller(house)
        if known.token and known.account:
            house.limits.learned(known.token, known.account)
        commands.may_play(house, known, match)
        row = accept(house, known, wish, g.received, g.trace)
    return said(answer(house, wish, row, waiting_time(house, request.headers.get("Prefer"))))


def _envelope(value: Any) -> Envelope:
    """msgspec says yes in a microsecond; the schema says what is wrong."""
    try:
        envelope = msgspec.convert(value, Envelope, strict=True)
    except msgspec.ValidationError as error:
        bodies.shaped(shapes.CommandIn(), value)
        raise Problem("invalid", errors=[{"pointer": "", "detail": str(error)}]) from error
    if not (1 <= envelope.ask < 2**31 and 0 <= (envelope.seat or 0) <= 15 and 0 <= (envelope.seen or 0) < 2**31):
        bodies.shaped(shapes.CommandIn(), value)
    return envelope


def waiting_time(house: Gate, prefer: str | None) -> float:
    return wish_to_wait(prefer, house.settings.wait_max) if prefer else 0.0


def said(told: Answer) -> Response:
    return Response(orjson.dumps(told.body), told.status, dict(told.headers), content_type="application/json")


@routes.at("POST", "/matches/<match>/command-batches", BATCH)
def post_batch(call: Call, match: str) -> Response:
    """Up to 50 commands of one seat as one row: each a step of its own, without other rows in between."""
    commands.may_play(call.gate, call.caller, match)
    wish = batch_wish(match, call.key, call.body, call.canonical, call.gate.settings.commands_per_batch)
    row = accept(call.gate, call.caller, wish, call.received, g.trace)
    return said(answer(call.gate, wish, row, waiting_time(call.gate, request.headers.get("Prefer"))))


@routes.at("POST", "/command-batches", ENVELOPES)
def post_envelopes(call: Call) -> object:
    """Commands of up to 100 matches, each with a key of its own; each is accepted or refused by itself, answered in order."""
    envelopes = call.body["envelopes"]
    if len(envelopes) > commands.ENVELOPES:
        raise Problem("too_many", most=commands.ENVELOPES)
    wishes = [_wish(envelope) for envelope in envelopes]
    return {"answers": commands.post_envelopes(call.gate, call.caller, wishes, call.received, waiting_time(call.gate, request.headers.get("Prefer")))}


def _wish(envelope: dict[str, Any]) -> Wish | Problem:
    """What is wrong with one envelope is that envelope's answer."""
    try:
        shaped = bodies.shaped(shapes.EnvelopeIn(), envelope)
        said = {name: value for name, value in envelope.items() if name not in {"match", "key"}}
        told = Envelope(shaped["ask"], shaped["command"], shaped.get("seat"), shaped.get("seen"))
        return command_wish(shaped["match"], idempotency.key_of(shaped["key"]), told, bodies.canonical(said))
    except Problem as problem:
        return problem
    except marshmallow.ValidationError:
        return Problem("invalid")


@routes.at("GET", "/matches/<match>/commands/<command>", Door("my.matches", gives=shapes.RowOut))
def outcome(call: Call, match: str, command: str) -> object:
    """What became of a command, for its sender."""
    return commands.outcome(call.gate, call.caller, match, command)


