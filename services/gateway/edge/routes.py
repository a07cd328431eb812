"""How does a function become a route? One decorator: who may enter, what is read, once or again, what is answered, how it is told.

A route that names no right cannot be registered; what the API document says of it comes from the same row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import flask_smorest
import marshmallow
import orjson
from flask import Response, g, request

from services.gateway.edge import bodies, idempotency
from services.gateway.edge.gate import Gate, gate
from services.gateway.edge.idempotency import Answer, Once
from services.gateway.edge.signing_in import caller
from services.gateway.problems import CODES, GENERAL, MEDIA, STALE_RESOURCE, Problem
from services.gateway.rights import RIGHTS, Caller, knock
from services.gateway.store import Work

PATH_FACT = re.compile(r"[\w~:.-]{1,200}")
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
Schema = type[marshmallow.Schema]


@dataclass(frozen=True, slots=True)
class Door:
    """One row of the table of routes."""

    verb: str                               # the right that is asked at the door, one of RIGHTS
    takes: Schema | None = None             # the body
    asks: Schema | None = None              # the query
    gives: Schema | None = None
    status: int = 200
    also: tuple[int, ...] = ()              # further statuses that are no problem: 202 beside 200
    codes: tuple[str, ...] = ()             # problem codes besides the general ones
    bucket: str = ""                        # of the rate limits; by method where empty
    keyed: bool = True                      # False: an unsafe route that needs no Idempotency-Key
    stored: bool = True                     # False: the key is kept elsewhere, with the inbox row
    late: bool = False                      # the function itself asks for the key, after sight, role and scope (LG-131)
    matched: bool = False                   # needs If-Match
    media: str = "application/json"
    reads: str = "application/json"         # the type of the body
    refuses: Schema | None = None           # how 400 and 401 are told, where another standard than problem details says so
    example: Any = None                     # of the answer, where the schema has none
    small: bool = False                     # a body of a command's size
    lean: bool = False                      # the function sees to everything itself, for speed


@dataclass(slots=True)
class Call:
    """One request on its way through a door."""

    gate: Gate
    caller: Caller
    received: float
    body: dict[str, Any] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    key: str = ""
    version: int = 0                        # of If-Match
    canonical: bytes = b"{}"
    open_work: Work | None = None

    @property
    def work(self) -> Work:
        """The transaction of this write."""
        if self.open_work is None:
            raise Problem("internal")
        return self.open_work


Act = Callable[..., Any]


class Routes(flask_smorest.Blueprint):  # type: ignore[misc]  # flask_smorest publishes no types
    """A table of routes under one heading of the API document."""

    def at(self, method: str, path: str, door: Door) -> Callable[[Act], Act]:
        """`@routes.at("POST", "/matches", Door("match.create", …))` above the function that answers."""
        if door.verb not in RIGHTS:
            raise KeyError(f"{method} {path} names no right: {door.verb}")

        def decorator(act: Act) -> Act:
            @wraps(act)
            def enter(**path_facts: Any) -> Response:
                _ids(path_facts)
                return act(gate(), **path_facts) if door.lean else answered(door, act, path_facts)

            enter._apidoc = {"manual_doc": _told(method, door)}     # type: ignore[attr-defined]
            self.add_url_rule(path, f"{act.__name__}", enter, methods=[method])
            return act
        return decorator


def answered(door: Door, act: Act, path_facts: Mapping[str, Any]) -> Response:
    """The way of every request."""
    house = gate()
    call = Call(house, caller(house), g.received)
    _count(house, door, call)
    knock(call.caller, door.verb)
    unsafe = request.method in UNSAFE
    if unsafe and house.draining:
        raise Problem("draining", retry_after=1)
    if unsafe and door.keyed:
        given = request.headers.get("Idempotency-Key")
        call.key = given or "" if door.late else idempotency.key_of(given)
    _read(house, door, call)
    if unsafe and door.keyed and door.stored and not door.late:
        return told(door, _once(house, call, act, path_facts))
    return told(door, act(call, **path_facts))


def _ids(path_facts: Mapping[str, Any]) -> None:
    """PL-217, PL-218 What can be no id, name or code names nothing."""
    if any(isinstance(fact, str) and PATH_FACT.fullmatch(fact) is None for fact in path_facts.values()):
        raise Problem("not_found")


def _count(house: Gate, door: Door, call: Call) -> None:
    g.limits = house.counted(door.bucket or ("management" if request.method in UNSAFE else "reads"), call.caller)


def _read(house: Gate, door: Door, call: Call) -> None:
    """Body, query and If-Match, each by its schema."""
    if request.method in UNSAFE:
        raw = bodies.raw_of(request, house.settings.command_bytes if door.small else house.settings.body_bytes)
        value = bodies.parse(raw) if raw or door.takes is not None else {}
        call.canonical = bodies.canonical(value)
        call.body = bodies.shaped(door.takes() if door.takes else marshmallow.Schema(), value)
    given = request.args.to_dict(flat=False)
    if any(len(values) > 1 for values in given.values()):
        raise Problem("invalid", errors=[{"pointer": f"/{name}", "detail": "given twice"} for name, values in given.items() if len(values) > 1])
    call.query = bodies.shaped(door.asks() if door.asks else marshmallow.Schema(), {name: values[0] for name, values in given.items()})
    if door.matched:
        call.version = _version(request.headers.get("If-Match"))


def _version(header: str | None) -> int:
    """PL-213 The number inside the ETag."""
    if header is None:
        raise Problem("precondition_missing")
    tag = header.strip().removeprefix("W/").strip('"')
    return int(tag) if tag.isascii() and tag.isdigit() and len(tag) < 10 else -1


def _once(house: Gate, call: Call, act: Act, path_facts: Mapping[str, Any]) -> Answer:
    """PL-212 The act and the row of its key are one transaction; bells ring after it."""
    def acting(work: Work) -> Answer:
        call.open_work = work
        return as_answer(act(call, **path_facts))

    who = call.caller.account or f"at {call.caller.address}"
    body_hash = idempotency.hash_of(call.canonical, house.sign_key)
    answer, work = idempotency.once(house.store, Once(who, request.method, request.path, call.key, body_hash), house.settings.keys_kept, acting)
    if work is not None:
        house.ring(work)
    return answer


def as_answer(said: Any) -> Answer:
    return said if isinstance(said, Answer) else Answer(0, said)


def told(door: Door, said: Any) -> Response:
    """The answer, its fields listed by the schema of the route (PL-812)."""
    if isinstance(said, Response):
        return said
    answer = as_answer(said)
    status = answer.status or door.status
    if answer.body is None:
        return Response(status=status if answer.status else 204 if door.gives is None else status, headers=dict(answer.headers))
    body = answer.body
    if door.gives is not None and status < 300:
        body = door.gives().dump(body)
    return Response(orjson.dumps(body), status, dict(answer.headers), content_type=door.media)


def raw(body: bytes | str, status: int = 200, media: str = "application/json", **headers: str) -> Response:
    """An answer whose bytes are ready, as views and letters are."""
    return Response(body, status, {name.replace("_", "-"): value for name, value in headers.items()}, content_type=media)


# What the API document says of a route -------------------------------------------------------------------------------


def _told(method: str, door: Door) -> dict[str, Any]:
    codes = sorted({*GENERAL, *door.codes})
    doc: dict[str, Any] = {
        "x-scopes": list(RIGHTS[door.verb].scopes), "x-problem-codes": codes, "security": _security(door),
        "responses": {**_answers(door), **_problems(codes, door), **_refusals(door)}, "parameters": _parameters(method, door),
    }
    if door.takes is not None:
        content: dict[str, Any] = {"schema": door.takes}
        if example := getattr(door.takes, "example", None):
            content["example"] = example
        doc["requestBody"] = {"required": True, "content": {door.reads: content}}
    return doc


def _security(door: Door) -> list[dict[str, list[str]]]:
    right = RIGHTS[door.verb]
    if right.session_only:
        return [{"session": []}]
    either: list[dict[str, list[str]]] = [{"session": []}, {"token": list(right.scopes)}]
    return [{}, *either] if right.public else either


def _answers(door: Door) -> dict[str, Any]:
    content: dict[str, Any] = {"example": door.example if door.example is not None else getattr(door.gives, "example", None)}
    if door.gives is not None:
        content["schema"] = door.gives
    elif door.example is not None:
        content["schema"] = {"type": "string"} if isinstance(door.example, str) else {"type": "object"}
    has_body = door.gives is not None or door.example is not None
    body = {"content": {door.media: content}} if has_body else {}
    return {str(status): {"description": STATUSES[status], **(body if status not in {204, 303, 304, 307} else {})}
            for status in ((door.status if has_body or door.status != 200 else 204), *door.also)}


STATUSES = {200: "Done", 201: "Made", 202: "Accepted: on disk in Postgres, not yet carried out", 204: "Done; nothing to say",
            303: "Go on there: a person is asked", 304: "Not changed since", 307: "The stream is served there; the ticket in the address works once"}


def _problems(codes: list[str], door: Door) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        of_resource = door.matched and code == "changed_meanwhile"
        by_status.setdefault(STALE_RESOURCE if of_resource else CODES[code].status, []).append(code)
    return {str(status): {"description": "Refused: " + ", ".join(names), "content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
            for status, names in sorted(by_status.items())}


def _refusals(door: Door) -> dict[str, Any]:
    if door.refuses is None:
        return {}
    content = {"application/json": {"schema": door.refuses, "example": door.refuses.example}}   # type: ignore[attr-defined]
    return {status: {"description": "Refused, in the words of that standard", "content": content} for status in ("400", "401")}


def _parameters(method: str, door: Door) -> list[dict[str, Any]]:
    told_of: list[dict[str, Any]] = []
    if door.asks is not None:
        told_of.append({"in": "query", "schema": door.asks})
    if method in UNSAFE and door.keyed:
        told_of.append({"in": "header", "name": "Idempotency-Key", "required": True, "example": "k-5f1d",
                        "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"}})
    if door.matched:
        told_of.append({"in": "header", "name": "If-Match", "required": True, "schema": {"type": "string"}, "example": '"1"'})
    return told_of

