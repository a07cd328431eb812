"""What does a body say, and is it fit to be read (PL-201)?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import marshmallow
import orjson
from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from services.gateway.problems import Problem, fault

DEEPEST = 20
JSON = "application/json"


def parse(raw: bytes) -> Any:
    """JSON without duplicate keys, NaN, too much nesting or text that is none."""
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)
    except RecursionError as error:
        raise Problem("malformed", fault=f"nested deeper than {DEEPEST}") from error
    except ValueError as error:
        raise Problem("malformed", fault=str(error) if isinstance(error, _Fault) else "no JSON in UTF-8") from error
    if raw.count(b"{") + raw.count(b"[") > DEEPEST and _deeper_than(value, DEEPEST):
        raise Problem("malformed", fault=f"nested deeper than {DEEPEST}")
    return value


def canonical(value: Any) -> bytes:
    """PL-209 The same bytes for bodies that say the same."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:     # numbers beyond 64 bits, half a surrogate pair
        raise Problem("malformed", fault="a number or a text out of range") from error


def raw_of(request: Request, most: int) -> bytes:
    """The bytes of a JSON body, once type and size are right."""
    if request.content_length is not None and request.content_length > most:
        raise Problem("too_large", most=most)
    request.max_content_length = most
    try:
        raw = request.get_data(cache=False)
    except RequestEntityTooLarge as error:
        raise Problem("too_large", most=most) from error
    if raw and (request.mimetype != JSON or request.mimetype_params.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}):
        raise Problem("media_type")
    return raw


def shaped(schema: marshmallow.Schema, value: Any) -> dict[str, Any]:
    """The value as its schema has it; every fault with its pointer (PL-107, PL-204)."""
    if not isinstance(value, dict):
        raise Problem("invalid", errors=[fault("", "an object is expected")])
    try:
        shaped_value: dict[str, Any] = schema.load(value)
    except marshmallow.ValidationError as error:
        raise Problem("invalid", errors=list(faults(error.messages))) from error
    return shaped_value


def faults(messages: Any, pointer: str = "") -> Iterable[dict[str, Any]]:
    """marshmallow's tree of messages as a list with JSON pointers."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            step = "" if name == "_schema" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from faults(inner, pointer + step)
    elif isinstance(messages, list):
        for message in messages:
            yield from faults(message, pointer)
    else:
        yield fault(pointer, str(messages))


class _Fault(ValueError):
    """A reason that may be told to the client."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Fault("a key occurs twice in one object")
    return found


def _constant(name: str) -> Any:
    raise _Fault(f"{name} is no JSON")


def _deeper_than(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    if inner is None:
        return False
    return levels == 0 or any(_deeper_than(one, levels - 1) for one in inner)
