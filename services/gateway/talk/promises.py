"""What players say to each other inside a command passes the same checks as talk (PL-557). A game marks such fields in its schema: `talk`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import SQL, Store
from services.gateway.talk import checks
from services.gateway.talk.rooms import refuse_silenced

Fields = Mapping[str, frozenset[str]]       # by verb


def refuse(store: Store, caller: Caller, match: str, key: str, said: tuple[str, ...]) -> None:
    """`talk_off`, `text_refused` or `muted`; what is said again under the same key is nothing new (PL-208)."""
    row = store.one(SQL.game_of, match=match, key=key) if said else None
    if row is None or row["repeated"]:
        return
    if row["talk"] != "free":
        raise Problem("talk_off")
    if not all(map(checks.may_be_said, said)):
        raise Problem("text_refused")
    refuse_silenced(store, caller, match)


def texts(body: bytes, fields: Fields) -> tuple[str, ...]:
    """What a row with one command or several says to other players."""
    told = orjson.loads(body)
    return tuple(_said(told.get("commands", [told]), fields))


def _said(commands: list[dict[str, Any]], fields: Fields) -> Iterator[str]:
    for command in commands:
        for field in fields.get(command["do"], ()):
            text = command.get(field)
            if isinstance(text, str) and (words := checks.cleaned(text)):
                yield words
