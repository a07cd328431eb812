"""What did a form say? Fields of the six shapes as values of a command, and what every form of the site carries."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import orjson
from flask import request
from werkzeug.datastructures import MultiDict

Form = MultiDict[str, str]


def new_key() -> str:
    """PL-206 Written into each form when its page is made, so that pressing twice is saying the same twice."""
    return secrets.token_urlsafe(18)


def sent_key() -> str:
    return request.form.get("key", "")


def text(name: str) -> str:
    return request.form.get(name, "").strip()


def number(name: str) -> int | None:
    written = text(name)
    return int(written) if written.lstrip("-").isdigit() and len(written) < 12 else None


def command_of(form: Form) -> dict[str, Any]:
    """PL-351 `do` and one value per field; each input is named by shape, field and, where there are several, its part."""
    command: dict[str, Any] = {"do": form.get("do", "")}
    for name in dict.fromkeys(form):
        shape, *path = name.split(":")
        if read := READERS.get(shape):
            field = path[0] if path else ""
            command[field] = read(form, field, command.get(field), path[1:])
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
    return int(written) if written.lstrip("-").isdigit() and len(written) < 18 else written


def _text(form: Form, field: str, _before: Any, _path: list[str]) -> Any:
    taken = form.get(f"take:{field}")  # a suggestion, taken with one press
    return taken if taken is not None else form.get(f"text:{field}", "")


def _goods(form: Form, field: str, before: Any, path: list[str]) -> Any:
    """`goods:F:with`, `goods:F:give:LOT`, `goods:F:take:PARTNER:LOT`; of the partners not dealt with nothing is taken."""
    deal = before or {"with": form.get(f"goods:{field}:with", ""), "give": {}, "take": {}}
    side, *rest = path
    written = form.get(":".join(["goods", field, *path]), "").strip()
    counts = written.isdigit() and int(written) > 0
    if counts and side == "give":
        deal["give"][":".join(rest)] = int(written)
    if counts and side == "take" and rest[0] == deal["with"]:
        deal["take"][":".join(rest[1:])] = int(written)
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
