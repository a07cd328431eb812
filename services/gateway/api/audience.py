"""The audience of a match: coming, going, answering."""

from __future__ import annotations

from typing import Any

from flask import request

from services.gateway import audience
from services.gateway.api import reading_schemas as shapes
from services.gateway.audience import Said
from services.gateway.edge.idempotency import Answer, hash_of
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("audience", __name__, description="The audience of a match")
DEVICE = "Cupboard-Device"      # a guest's device token comes in this header or in a cookie of the same name
OWN = ("audience_off", "audience_full", "closed", "already_seated", "secret_shown_once")


@routes.at("GET", "/matches/<match>/audience", Door("audience.join", gives=shapes.AudienceOut))
def told(call: Call, match: str) -> object:
    """How many look on as members, what they are asked, the first places, and one's own part."""
    return audience.told(call.gate, call.caller, match, device())


@routes.at("PUT", "/matches/<match>/audience/me", Door("audience.join", takes=shapes.MemberIn, gives=shapes.Member, codes=OWN))
def join(call: Call, match: str) -> Answer:
    """Join the audience. A guest gets a device token in this answer, once."""
    made: dict[str, Any] = audience.join(call.gate, call.work, call.caller, match, call.body.get("name"), device())
    return Answer(200, made, secret_of=made["member"] if made["device"] else None)


@routes.at("DELETE", "/matches/<match>/audience/me", Door("audience.join"))
def part(call: Call, match: str) -> None:
    """Leave the audience."""
    audience.part(call.work, call.gate, call.caller, match, device())


@routes.at("PUT", "/matches/<match>/audience/answers/<question>", Door("audience.join", takes=shapes.AudienceAnswerIn, gives=shapes.AudienceAnswer,
                                                                       codes=(*OWN, "not_a_choice"), bucket="commands", stored=False, small=True))
def answer(call: Call, match: str, question: str) -> object:
    """Answer the open question; the last answer before its close counts."""
    said = Said(match, question, call.body["answer"], call.key, hash_of(call.canonical, call.gate.sign_key))
    return audience.answer(call.gate, call.caller, said, device())


def device() -> str | None:
    return request.headers.get(DEVICE) or request.cookies.get(DEVICE)
