"""Talk at a match: the rooms, muting, reports, and what moderators do."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import request
from marshmallow import fields

from services.gateway.api.match_schemas import Holder
from services.gateway.api.schemas import A_TIME, Page, ReasonIn, Shape, listed, one_of, text, told, told_time, whole
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.routes import Call, Door, Routes
from services.gateway.problems import spoken
from services.gateway.talk import checks, moderation, rooms

routes = Routes("talk", __name__, description="Talk at a match, and its moderators")
HOLDER = {"account": "a-9", "name": "Ada", "kind": "person"}
YEAR_S = 366 * 86_400


class TalkAsked(Page):
    room = one_of(*rooms.ROOMS, load_default=rooms.SEATS)


class TalkIn(Shape):
    """PL-556 A text of one's own, or one of the phrases."""

    room = one_of(*rooms.ROOMS, required=True)
    text = text(checks.MOST)
    phrase = one_of(*checks.PHRASES)
    example: ClassVar[Any] = {"room": "seats", "phrase": "good_luck"}


class TalkOut(Shape):
    text, match, room, phrase, words = told(), told(), told(), told(), told()
    account = fields.Nested(Holder)
    seat = fields.Integer(allow_none=True)
    at = told_time()
    hidden, own = fields.Boolean(metadata={"description": "a moderator has hidden it; its words are gone"}), fields.Boolean()
    example: ClassVar[Any] = {"text": "t-5f", "match": "m-demo-1", "room": "seats", "account": HOLDER, "seat": 0, "at": A_TIME, "phrase": "good_luck",
                              "words": "Good luck, and have fun.", "hidden": False, "own": False}


class Phrase(Shape):
    phrase, words = told(), told()
    example: ClassVar[Any] = {"phrase": "good_luck", "words": "Good luck, and have fun."}


class ReportIn(Shape):
    reason = text(500, required=True)
    example: ClassVar[Any] = {"reason": "an insult"}


class ReportTaken(Shape):
    text = told()
    accepted = fields.Boolean()
    example: ClassVar[Any] = {"text": "t-5f", "accepted": True}


class Report(Shape):
    text, match, room, words = told(), told(), told(), told()
    account = fields.Nested(Holder)
    at, silenced_until = told_time(), told_time()
    hidden = fields.Boolean()
    reports = fields.List(fields.Dict())
    example: ClassVar[Any] = {"text": "t-5f", "match": "m-demo-1", "room": "seats", "account": HOLDER, "at": A_TIME, "words": "…", "hidden": False,
                              "silenced_until": None, "reports": [{"by": "Bob", "reason": "an insult"}]}


class DecisionIn(ReasonIn):
    kind = one_of("hide", "show", "keep", required=True)
    example: ClassVar[Any] = {"kind": "hide", "reason": "an insult"}


class Decision(Shape):
    text = told()
    hidden = fields.Boolean()
    example: ClassVar[Any] = {"text": "t-5f", "hidden": True}


class SilenceIn(ReasonIn):
    seconds = whole(60, YEAR_S, required=True)
    example: ClassVar[Any] = {"seconds": 86_400, "reason": "insults in three matches"}


class Silence(Shape):
    account = told()
    until = told_time()
    example: ClassVar[Any] = {"account": "a-9", "until": A_TIME}


class Masked(Shape):
    account, name = told(), told()
    example: ClassVar[Any] = {"account": "a-9", "name": "player~5f1d0c2a"}


class Muted(Holder):
    example: ClassVar[Any] = HOLDER


MODERATES = ("reason_missing", "own_match")


@routes.at("GET", "/talk/phrases", Door("public", gives=listed(Phrase)))
def phrases(_call: Call) -> object:
    """What can be said where a match allows phrases alone, in the reader's language."""
    return {"items": checks.phrases(_language()), "next": None}


@routes.at("GET", "/matches/<match>/talk", Door("talk.read", asks=TalkAsked, gives=listed(TalkOut), codes=("bad_cursor", "talk_off")))
def heard(call: Call, match: str) -> object:
    """What was said in a room, newest first; phrases in the reader's language. Seats of a running match do not hear the onlookers."""
    return rooms.heard(call.gate.store, call.caller, match, call.query, _cursor(call), _language())


@routes.at("POST", "/matches/<match>/talk", Door("talk.write", takes=TalkIn, gives=TalkOut, status=201, bucket="talk",
                                                 codes=("talk_off", "muted", "text_refused", "not_your_seat")))
def say(call: Call, match: str) -> object:
    """Say something in one's room: a phrase, or where talk is free a text of up to 300 characters."""
    return rooms.say(call.work, call.caller, match, call.body, _language())


@routes.at("POST", "/talk/<text>/reports", Door("talk.write", takes=ReportIn, gives=ReportTaken, status=202))
def report(call: Call, text: str) -> object:
    """Report a text to the moderators."""
    return moderation.report(call.work, call.caller, text, call.body["reason"])


@routes.at("GET", "/me/mutes", Door("talk.mute", gives=listed(Muted)))
def mutes(call: Call) -> object:
    """Whom one has muted."""
    return rooms.mutes(call.gate.store, call.caller)


@routes.at("PUT", "/me/mutes/<account>", Door("talk.mute"))
def mute(call: Call, account: str) -> None:
    """Mute an account: nothing that it says is shown any more."""
    rooms.mute(call.work, call.caller, account)


@routes.at("DELETE", "/me/mutes/<account>", Door("talk.mute"))
def unmute(call: Call, account: str) -> None:
    """Read an account again."""
    rooms.unmute(call.work, call.caller, account)


@routes.at("GET", "/talk/reports", Door("talk.moderate", asks=Page, gives=listed(Report), codes=("bad_cursor",)))
def reports(call: Call) -> object:
    """Reported texts that wait for a moderator."""
    return moderation.reports(call.gate.store, call.caller, call.query, _cursor(call), _language())


@routes.at("POST", "/talk/<text>/decisions", Door("talk.moderate", takes=DecisionIn, gives=Decision, codes=MODERATES))
def decide(call: Call, text: str) -> object:
    """Hide a text, show it again, or keep it as it is (moderator); its reports are settled with that."""
    return moderation.decide(call.work, call.caller, text, call.body["kind"], call.body["reason"])


@routes.at("POST", "/accounts/<account>/silence", Door("talk.moderate", takes=SilenceIn, gives=Silence, codes=MODERATES))
def silence(call: Call, account: str) -> object:
    """Silence an account for a time (moderator): it says nothing in any match until then."""
    return moderation.silence(call.work, call.caller, account, call.body["seconds"], call.body["reason"])


@routes.at("DELETE", "/accounts/<account>/silence", Door("talk.moderate", takes=ReasonIn, gives=Silence, codes=MODERATES))
def unsilence(call: Call, account: str) -> object:
    """End a silence before its time (moderator)."""
    return moderation.unsilence(call.work, call.caller, account, call.body["reason"])


@routes.at("POST", "/accounts/<account>/mask", Door("talk.moderate", takes=ReasonIn, gives=Masked, codes=(*MODERATES, "wrong_state")))
def mask(call: Call, account: str) -> object:
    """Mask the name of an account (moderator): everybody sees another one; its holder still signs in by the old one."""
    return moderation.mask(call.work, call.caller, account, call.body["reason"])


@routes.at("DELETE", "/accounts/<account>/mask", Door("talk.moderate", takes=ReasonIn, gives=Masked, codes=(*MODERATES, "wrong_state")))
def unmask(call: Call, account: str) -> object:
    """Show the name of an account again (moderator)."""
    return moderation.unmask(call.work, call.caller, account, call.body["reason"])


def _cursor(call: Call) -> Cursor:
    return Cursor(call.gate.sign_key, request.path, call.caller.account, call.query)


def _language() -> str:
    return spoken(request.headers.get("Accept-Language", ""))
