"""What did a form of the league say? Flags, lists, names, places and moments, and the act that they make together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import orjson
from flask import request

from services.gateway.web.forms import number as a_number
from services.gateway.web.forms import text
from services.gateway.web.inner import look

Reader = Callable[[str], Any]
Acts = Mapping[str, Mapping[str, Reader]]
EMPTY: tuple[Any, ...] = ("", None, False, [], {})


def act_of(kind: str, acts: Acts) -> dict[str, Any]:
    """The act that a form means; an unknown one goes to the API as it is and is refused there. No is an answer too."""
    said = {name: read(name) for name, read in acts.get(kind, {}).items()}
    return {"kind": kind, **{name: value for name, value in said.items() if name == "yes" or value not in EMPTY}}


def flag(name: str) -> bool:
    return request.form.get(name) == "yes"


def several(name: str) -> list[str]:
    return [one for one in request.form.getlist(name) if one]


def lines(name: str) -> list[str]:
    return [line.strip() for line in text(name).splitlines() if line.strip()]


def words(name: str) -> list[str]:
    return text(name).split()


def account(name: str) -> str:
    return account_called(text(name)) if text(name) else ""


def accounts(name: str) -> list[str]:
    """One name a line."""
    return [account_called(line) for line in lines(name)]


def groups(name: str) -> list[list[str]]:
    """Names with commas between them, one group a line."""
    return [[account_called(one.strip()) for one in line.split(",") if one.strip()] for line in lines(name)]


def byes(name: str) -> list[dict[str, str]]:
    """Name, kind and reason with commas between them, one bye a line."""
    found = [[part.strip() for part in line.split(",", 2)] for line in lines(name)]
    return [{"account": account_called(who), "kind": kind, "reason": reason} for who, kind, reason in ([*one, "", ""][:3] for one in found)]


def account_called(name: str) -> str:
    """The account behind a name; an unknown one goes on as it is, so that the league names it."""
    return str(look(f"/accounts/{quote(name, safe='')}").facts.get("account", name))


def facts_of(name: str) -> Any:
    """What was typed as JSON; what is none goes on as it is, so that the API names the fault."""
    try:
        return orjson.loads(text(name) or "{}")
    except orjson.JSONDecodeError:
        return text(name)


def places(name: str) -> dict[str, int]:
    """One input for each seat: `places:ACCOUNT`."""
    found = {field.partition(":")[2]: a_number(field) for field in request.form if field.startswith(f"{name}:")}
    return {account: place for account, place in found.items() if place is not None}


def moment(name: str) -> int | str:
    """LG-883 A local time and the zone beside it as an instant; what is none goes on as it is, so that the API names the fault."""
    try:
        return instant(text(name), text("zone") or "UTC")
    except (ValueError, KeyError, OSError, OverflowError):
        return text(name)


def instant(written: str, zone: str) -> int:
    """Milliseconds of a time by the clocks of a zone; a time that they leave out when they are put forward is none."""
    local = datetime.fromisoformat(written).replace(tzinfo=ZoneInfo(zone))
    if local.astimezone(UTC).astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise ValueError(written)
    return int(local.timestamp() * 1000)


def zones(*more: str) -> list[str]:
    """By whose clock a time may be typed: one's own first, then those named."""
    return list(dict.fromkeys(filter(None, (look("/me").facts.get("zone", ""), *more, "UTC"))))
