"""Views of a running match that two people open for a referee; the log of what people with a role did."""

from __future__ import annotations

import orjson
from flask import Response

from services.gateway import reading
from services.gateway.api.reading_schemas import LetterOut, ViewOut
from services.gateway.api.schemas import listed
from services.gateway.api.trust import shapes
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.routes import Call, Door, Routes, raw
from services.gateway.trust import opened_views

routes = Routes("opened_views", __name__, description="Views opened for a referee by two people; the log of acts")
HERE = "/matches/<match>/opened-views"
ONE = f"{HERE}/<int(max=2147483647):number>"
REFUSED = ("own_match", "wrong_state", "reason_missing", "same_person", "already_decided")
LOOKED = ("own_match", "wrong_state", "second_person_needed", "closed", "not_yet")


@routes.at("GET", HERE, Door("match.see", gives=listed(shapes.OpenedView), codes=("not_yet",)))
def all_opened(call: Call, match: str) -> object:
    """Who wanted to look at which seat's view, why, who confirmed it, and when they looked: for referees at once, for all after the end."""
    return {"items": opened_views.listed(call.gate.store, call.caller, match), "next": None}


@routes.at("POST", HERE, Door("match.referee", takes=shapes.OpenedViewIn, gives=shapes.OpenedView, status=201, codes=REFUSED))
def ask(call: Call, match: str) -> object:
    """Ask to see what a seat sees, as a referee, with a reason. Another referee or an operator has to confirm it."""
    return opened_views.ask(call.work, call.caller, match, call.body["seat"], call.body["reason"])


@routes.at("POST", f"{ONE}/confirm", Door("match.referee", gives=shapes.OpenedView, codes=REFUSED))
def confirm(call: Call, match: str, number: int) -> object:
    """Confirm it as a second person: whoever asked may look for an hour, while the match goes on."""
    return opened_views.confirm(call.work, call.caller, match, number)


@routes.at("GET", f"{ONE}/view", Door("match.referee", gives=ViewOut, codes=LOOKED))
def view(call: Call, match: str, number: int) -> Response:
    """What that seat sees now. That somebody looked, and when, is kept and told to every seat after the end."""
    body, _ = reading.view(call.gate.store, opened_views.look(call.gate, call.caller, match, number))
    return raw(body, Cache_Control="private, no-store")


@routes.at("GET", f"{ONE}/text", Door("match.referee", codes=LOOKED, example={"match": "m-demo-1", "seat": 2, "step": 32, "text": "…"}))
def text(call: Call, match: str, number: int) -> object:
    """The same in lines of text."""
    return reading.text(call.gate.store, opened_views.look(call.gate, call.caller, match, number))


@routes.at("GET", f"{ONE}/letters", Door("match.referee", asks=shapes.OpenedLettersAsked, gives=listed(LetterOut), codes=(*LOOKED, "bad_cursor")))
def letters(call: Call, match: str, number: int) -> Response:
    """What that seat was told, one letter per step."""
    who = opened_views.look(call.gate, call.caller, match, number)
    cursor = Cursor(call.gate.sign_key, f"opened letters {match} {number}", call.caller.account, call.query)
    return raw(orjson.dumps(reading.letters(call.gate.store, who, call.query, cursor)), Cache_Control="private, no-store")


@routes.at("GET", "/operator/audit", Door("operator.read", asks=shapes.AuditAsked, gives=listed(shapes.AuditLine), codes=("bad_cursor",)))
def audit(call: Call) -> object:
    """What people with a role did here, newest first; each line holds the hash of those before it."""
    return opened_views.audit_log(call.gate, call.caller, call.query)
