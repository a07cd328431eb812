"""What a reader sees of a match, and what waits for an account."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import orjson
from flask import Response, request

from services.gateway import lobby, matches, reading, tokens
from services.gateway.api import reading_schemas as shapes
from services.gateway.api.match_schemas import Invitation, MatchOut
from services.gateway.api.schemas import Page, listed
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.routes import Call, Door, Routes, raw
from services.gateway.rights import authorize

routes = Routes("reading", __name__, description="Views, asks, letters, replays, records; streams")
STREAM = Door("my.matches", asks=shapes.StreamAsked, status=307, codes=("too_many_streams", "not_your_seat"), bucket="streams")


@routes.at("GET", "/matches/<match>/view", Door("match.see", asks=shapes.ReaderAsked, gives=shapes.ViewOut, also=(304,), codes=("not_your_seat", "not_yet")))
def view(call: Call, match: str) -> Response:
    """What one reader sees of the table now: a seat of one's own, the host's chair, or the onlookers."""
    body, etag = reading.view(call.gate.store, reading.reader(call.gate.store, call.caller, match, call.query.get("seat")))
    if etag in request.headers.get("If-None-Match", ""):
        return raw(b"", 304, ETag=etag)
    return raw(body, ETag=etag, Cache_Control="private, no-cache")


@routes.at("GET", "/matches/<match>/text", Door("match.see", asks=shapes.ReaderAsked, codes=("not_your_seat", "not_yet"),
                                                example={"match": "m-demo-1", "seat": 2, "step": 32, "text": "…"}))
def text(call: Call, match: str) -> object:
    """The view in lines of text, complete enough to play by."""
    return reading.text(call.gate.store, reading.reader(call.gate.store, call.caller, match, call.query.get("seat")))


@routes.at("GET", "/matches/<match>/asks", Door("match.see", asks=shapes.ReaderAsked, gives=listed(shapes.AskOut), codes=("not_your_seat",)))
def asks(call: Call, match: str) -> Response:
    """The open asks of one's own seats, with everything that may be answered."""
    return _items({"items": reading.asks(call.gate.store, call.caller, match, call.query.get("seat")), "next": None})


@routes.at("GET", "/matches/<match>/letters", Door("match.see", asks=shapes.LettersAsked, gives=listed(shapes.LetterOut),
                                                   codes=("bad_cursor", "not_your_seat")))
def letters(call: Call, match: str) -> Response:
    """What one reader was told, one letter per step."""
    who = reading.reader(call.gate.store, call.caller, match, call.query.get("seat"))
    return _items(reading.letters(call.gate.store, who, call.query, _cursor(call, f"letters {match} {who.index}")))


@routes.at("GET", "/matches/<match>/replay", Door("match.see", asks=shapes.ReplayAsked, gives=listed(shapes.LetterOut),
                                                  codes=("bad_cursor", "not_yet")))
def replay(call: Call, match: str) -> Response:
    """The match again, as a seat saw it or openly, once it has ended."""
    return _items(reading.replay(call.gate.store, call.caller, match, call.query, _cursor(call, f"replay {match}")))


@routes.at("GET", "/matches/<match>/record", Door("match.see", codes=("not_yet",), media="application/x-ndjson", example='{"record":1,"match":"m-demo-1"}\n'))
def record(call: Call, match: str) -> Response:
    """Commands, events, hashes and seed of an ended match as NDJSON; `cupboard verify` checks it."""
    return raw(reading.record(call.gate.store, call.caller, match), media="application/x-ndjson")


@routes.at("GET", "/matches/<match>/proof", Door("match.see", codes=("not_yet",), example={"number": 214, "commitment": "855a35e7…", "seed": "0001…"}))
def proof(call: Call, match: str) -> object:
    """Seed, key and contributions of an ended match."""
    return reading.proof(call.gate.store, call.caller, match)


@routes.at("GET", "/matches/<match>/result", Door("match.see", gives=shapes.ResultOut, codes=("not_yet",)))
def result(call: Call, match: str) -> object:
    """Places, scores, and how every seat ended."""
    return reading.result(call.gate.store, call.caller, match)


# My things -----------------------------------------------------------------------------------------------------------------


@routes.at("GET", "/me/asks", Door("my.matches", asks=shapes.MyAsksAsked, gives=listed(shapes.AskOut), codes=("bad_cursor",)))
def my_asks(call: Call) -> Response:
    """All open asks of the account, the first due first."""
    return _items(reading.my_asks(call.gate.store, call.caller, call.query, _cursor(call, "my asks")))


@routes.at("GET", "/me/matches", Door("my.matches", asks=shapes.MyMatchesAsked, gives=listed(MatchOut), codes=("bad_cursor",)))
def my_matches(call: Call) -> object:
    """The matches in which the account holds a seat."""
    asked = {**call.query, "account": call.caller.account}
    return matches.listed(call.gate.store, call.caller, asked, _cursor(call, "my matches"))


@routes.at("GET", "/me/invitations", Door("my.matches", asks=Page, gives=listed(Invitation)))
def my_invitations(call: Call) -> object:
    """Invitations that are still open."""
    return {"items": lobby.invitations(call.gate.store, call.caller), "next": None}


# Streams ---------------------------------------------------------------------------------------------------------------------


@routes.at("GET", "/matches/<match>/stream", replace(STREAM, verb="match.see"))
def match_stream(call: Call, match: str) -> Response:
    """SSE or NDJSON of a match. Answered by the stream process; asked of the gateway, it is told where and gets a ticket."""
    reading.reader(call.gate.store, call.caller, match, call.query.get("seat"))
    return sent_on(call)


@routes.at("GET", "/me/stream", STREAM)
def my_stream(call: Call) -> Response:
    """What happens to the account: matches, asks, invitations."""
    return sent_on(call)


@routes.at("GET", "/bot/stream", STREAM)
def bot_stream(call: Call) -> Response:
    """Asks and letters of all matches of a bot."""
    authorize(call.caller, "match.play")
    return sent_on(call)


def sent_on(call: Call) -> Response:
    """PL-181 The ticket fits this one stream and works once."""
    query = [(name, value) for name, value in request.args.items(multi=True) if name != "ticket"]
    if call.caller.account is not None:
        query.append(("ticket", tokens.make_ticket(call.gate.store, call.caller, request.path)["ticket"]))
    base = call.gate.stream_base or f"{request.scheme}://{request.host.rsplit(':', 1)[0]}:{call.gate.settings.stream_port}"
    return Response(status=307, headers={"Location": f"{base}{request.path}{'?' if query else ''}{urlencode(query)}"})


def _cursor(call: Call, name: str) -> Cursor:
    return Cursor(call.gate.sign_key, name, call.caller.account, call.query)


def _items(page: dict[str, object]) -> Response:
    """Asks and letters are as the worker made them: their fields are the reader's own already."""
    return raw(orjson.dumps(page))
