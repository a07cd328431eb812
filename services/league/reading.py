"""How does a kind of competition read what it is told: acts, stored events, settings? What has no meaning is refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from services.league.refusals import Refused

S = TypeVar("S", bound=msgspec.Struct)


def act_of(acts: Any, kind: str, body: Mapping[str, Any]) -> Any:
    """PL-218 One of these acts; unknown ones and unknown fields are refused."""
    return _read(acts, {**body, "kind": kind}, "malformed")


def event_of(events: Any, kind: str, body: Mapping[str, Any]) -> Any:
    """One of these events, as it was stored."""
    return msgspec.convert({**body, "kind": kind}, events)


def with_changes(settings: S, changes: Mapping[str, Any]) -> S:
    """The settings with some of them new."""
    found: S = _read(type(settings), {**msgspec.to_builtins(settings), **changes}, "bad_setting")
    return found


def refuse_faults(faults: Iterable[str]) -> None:
    """LG-150 `bad_setting` with every fault named, if there is one."""
    if found := list(faults):
        raise Refused("bad_setting", "; ".join(found), found)


def _read(what: Any, body: Mapping[str, Any], code: str) -> Any:
    try:
        return msgspec.convert(body, what)
    except msgspec.ValidationError as error:
        raise Refused(code, str(error), [str(error)]) from None
