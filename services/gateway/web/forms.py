"""What did a form say? Fields of the six shapes as values of a command, and what every form of the site carries."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

import orjson
from flask import request
from werkzeug.datastructures import MultiDict

from services.gateway.problems import Problem

Form = MultiDict[str, str]
WHOLE = re.compile("-?[0-9]+")      # other signs count as digits too, and are no numbers


def new_key() -> str:
    """PL-206 Written into each form when its page is made, so that pressing twice is saying the same twice."""
    return secrets.token_urlsafe(18)


def sent_key() -> str:
    return request.form.get("key", "")


def text(name: str) -> str:
    return request.form.get(name, "").strip()


def number(name: str) -> int | None:
    return int(written) if WHOLE.fullmatch(written := text(name)) and len(written) < 12 else None


def clock() -> dict[str, Any]:
    """PL-485, PL-493, PL-504 The clock that a form asks for: a preset, one limit for every answer, playing hours, holidays."""
    found: dict[str, Any] = {"preset": text("preset")} if text("preset") else {}
    if (answer := number("answer")) is not None:
        found["limit_ms"] = answer * (3_600_000 if text("unit") == "hours" else 86_400_000)
    if text("opens") or text("closes"):
        found["hours"] = {"opens": text("opens"), "closes": text("closes"), "zone": text("zone") or "UTC"}
    return found | ({"holidays": False} if "no_holidays" in request.form else {})


def command_of(form: Form) -> dict[str, Any]:
    """PL-351 `do` and one value per field; each input is named by shape, field and, where there are several, its part."""
    command: dict[str, Any] = {"do": form.get("do", "")}
    for name in dict.fromkeys(form):
        shape, *path = name.split(":")
        if read := READERS.get(shape):
            field = path[0] if path else ""
            try:
                command[field] = read(form, field, command.get(field), path[1:])
            except (IndexError, ValueError, TypeError, AttributeError) as error:    # no form of ours names its inputs so
                raise Problem("malformed", fault="an input of another name") from error
    return command


def _one(form: Form, field: str, _before: Any, _path: list[str]) -> Any:
    return _value(form.get(f"one:{field}", ""))


def _some(form: Form, field: str, _before: Any, _path: list[str]) -> Any:
    return [_value(written) for written in form.getlist(f"some:{field}") if written]


def _arrange(form: Form, field: str, before: Any, path: list[str]) -> Any:
    slots = before or {}
    written = form.get(f"arrange:{field}:{path[0]}", "")
    return {**slots, path[0]: _value(written)} if written else slots


def _number(form: Form, field: str, _before: Any, _path: list[str]) -> Any:
    written = form.get(f"number:{field}", "").strip()
    return int(written) if WHOLE.fullmatch(written) and len(written) < 18 else written


def _text(form: Form, field: str, _before: Any, _path: list[str]) -> Any:
    taken = form.get(f"take:{field}")  # a suggestion, taken with one press
    return taken if taken is not None else form.get(f"text:{field}", "")


def _goods(form: Form, field: str, before: Any, path: list[str]) -> Any:
    """`goods:F:with`, `goods:F:give:LOT`, `goods:F:take:PARTNER:LOT`; of the partners not dealt with nothing is taken."""
    deal = before or {"with": form.get(f"goods:{field}:with", ""), "give": {}, "take": {}}
    side, *rest = path
    written = form.get(":".join(["goods", field, *path]), "").strip()
    count = int(written) if WHOLE.fullmatch(written) and len(written) < 18 else 0
    if count > 0 and side == "give":
        deal["give"][":".join(rest)] = count
    if count > 0 and side == "take" and rest[0] == deal["with"]:
        deal["take"][":".join(rest[1:])] = count
    return deal


READERS: Mapping[str, Any] = {
    "one": _one, "some": _some, "arrange": _arrange, "number": _number, "text": _text, "take": _text, "goods": _goods,
}


def _value(written: str) -> Any:
    """Members may be numbers or texts; the form writes them as JSON."""
    try:
        return orjson.loads(written)
    except orjson.JSONDecodeError:
        return written
