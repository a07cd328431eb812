"""Webhooks over HTTP: where organisations are told what happens in their competitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from marshmallow import fields, validate

from services.gateway.api.schemas import A_TIME, Page, Shape, YesNo, in_query, listed, one_of, text, told, told_time, whole
from services.gateway.competitions import hooks
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("webhooks", __name__, description="Webhooks: an organisation's endpoints are told what happens in its competitions")

ALL = "/organisations/<string:organisation>/hooks"
HERE = f"{ALL}/<string:hook>"
DOOR = Door("hook.manage", codes=("bad_setting",))
SHOWN = ("secret_shown_once",)
EXAMPLE = {"address": "https://example.org/cupboard", "types": ["tournament.round_published", "tournament.recorded"], "description": "our site"}
HOOK = {"hook": "w-4kQz", "organisation": "o-4kQz", **EXAMPLE, "state": "active", "why": None, "failures": 0, "created_at": A_TIME, "paused_at": None,
        "old_until": None, "undelivered": [{"competition": "t-4kQz", "event": 31, "waiting": 2}]}


def types(**more: Any) -> fields.List[Any]:
    return fields.List(fields.String(validate=validate.Length(max=80)), validate=validate.Length(max=100), metadata={
        "description": "kind of competition, a dot, kind of event, as in /events; none of them: all there are"}, **more)


class HookIn(Shape):
    address = text(500, required=True)
    types = types(load_default=list)
    description = text(200, least=0, load_default="")
    example: ClassVar[Any] = EXAMPLE


class HookChange(Shape):
    address = text(500)
    types = types()
    description = text(200, least=0)
    paused = YesNo(metadata={"description": "false resumes it: what was kept goes out in order"})
    example: ClassVar[Any] = {"paused": False}


class HookOut(Shape):
    hook, organisation, address, description, state, why = (told() for _ in range(6))
    types = fields.List(fields.String())
    failures = fields.Integer()
    created_at, paused_at, old_until = told_time(), told_time(), told_time()
    undelivered = fields.List(fields.Dict(), metadata={"description": "per competition: the first event that has not arrived, and how many wait"})
    example: ClassVar[Any] = HOOK


class NewHook(HookOut):
    secret = told()
    example: ClassVar[Any] = {**HOOK, "undelivered": [], "secret": "whsec_…"}


class NewSecret(Shape):
    hook, secret = told(), told()
    old_until = told_time()
    example: ClassVar[Any] = {"hook": "w-4kQz", "secret": "whsec_…", "old_until": A_TIME}


class ReplayIn(Shape):
    competition = text(64, required=True)
    event = whole(1, required=True)
    example: ClassVar[Any] = {"competition": "t-4kQz", "event": 12}


class ReplayOut(Shape):
    hook, competition = told(), told()
    event, waiting = fields.Integer(), fields.Integer()
    example: ClassVar[Any] = {"hook": "w-4kQz", "competition": "t-4kQz", "event": 12, "waiting": 20}


class TrialOut(Shape):
    delivery = told()
    example: ClassVar[Any] = {"delivery": "msg_5f0c"}


class DeliveriesAsked(Page):
    state = one_of("waiting", "done", "left_out")
    competition = text(64)
    limit = in_query(1, 100, load_default=25)


class DeliveryOut(Shape):
    delivery, competition, type, state, reason = (told() for _ in range(5))
    event, attempts, status = fields.Integer(allow_none=True), fields.Integer(), fields.Integer(allow_none=True)
    made_at, tried_at, done_at = told_time(), told_time(), told_time()
    example: ClassVar[Any] = {"delivery": "msg_5f0c", "competition": "t-4kQz", "event": 31, "type": "tournament.recorded", "state": "waiting", "attempts": 2,
                              "status": 502, "reason": "status", "made_at": A_TIME, "tried_at": A_TIME, "done_at": None}


@routes.at("GET", ALL, replace(DOOR, gives=listed(HookOut)))
def all_hooks(call: Call, organisation: str) -> Any:
    """The webhooks of an organisation, for its owners and organisers: how each stands, and what has not arrived."""
    return hooks.listed(call.gate.store, call.caller, organisation)


@routes.at("POST", ALL, replace(DOOR, takes=HookIn, gives=NewHook, status=201, codes=(*DOOR.codes, *SHOWN), bucket="creations"))
def make_hook(call: Call, organisation: str) -> Answer:
    """Make a webhook. Its secret is in this answer and is never shown again; deliveries are signed with it (Standard Webhooks)."""
    made = hooks.make(call.work, call.caller, organisation, call.body, call.gate.settings)
    return Answer(201, made, {"Location": f"/api/v1/organisations/{organisation}/hooks/{made['hook']}"}, secret_of=made["hook"])


@routes.at("GET", HERE, replace(DOOR, gives=HookOut))
def one_hook(call: Call, organisation: str, hook: str) -> Any:
    """One webhook."""
    return hooks.one(call.gate.store, call.caller, organisation, hook)


@routes.at("PATCH", HERE, replace(DOOR, takes=HookChange, gives=HookOut))
def change_hook(call: Call, organisation: str, hook: str) -> Any:
    """Change address, types or description; pause it or resume it."""
    return hooks.change(call.work, call.caller, organisation, hook, call.body, call.gate.settings)


@routes.at("DELETE", HERE, DOOR)
def remove_hook(call: Call, organisation: str, hook: str) -> None:
    """Remove a webhook; nothing is sent to it any more."""
    hooks.remove(call.work, call.caller, organisation, hook)


@routes.at("POST", f"{HERE}/secret", replace(DOOR, gives=NewSecret, status=201, codes=SHOWN))
def change_secret(call: Call, organisation: str, hook: str) -> Answer:
    """Make a new secret, shown once; for 24 hours deliveries are signed with both."""
    return Answer(201, hooks.new_secret(call.work, call.caller, organisation, hook, call.gate.settings), secret_of=hook)


@routes.at("POST", f"{HERE}/test", replace(DOOR, gives=TrialOut, status=202))
def try_hook(call: Call, organisation: str, hook: str) -> Answer:
    """Send `endpoint.test`, to see whether it arrives."""
    return Answer(202, hooks.trial(call.work, call.caller, organisation, hook))


@routes.at("POST", f"{HERE}/replays", replace(DOOR, takes=ReplayIn, gives=ReplayOut, status=202))
def replay_hook(call: Call, organisation: str, hook: str) -> Answer:
    """Send everything from an event of one competition on once more, with the same ids and bodies; what waits before it is left out."""
    return Answer(202, hooks.replay(call.work, call.caller, organisation, hook, call.body))


@routes.at("GET", f"{HERE}/deliveries", replace(DOOR, asks=DeliveriesAsked, gives=listed(DeliveryOut), codes=("bad_cursor",)))
def hook_deliveries(call: Call, organisation: str, hook: str) -> Any:
    """What was sent and what became of it, newest first."""
    return hooks.deliveries(call.gate, call.caller, (organisation, hook), call.query)
