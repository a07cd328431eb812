"""What did a form of the league say? Flags, lists, names, places and moments, and the act that they make together."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import orjson
from flask import g, request

from services.gateway.web.forms import number as a_number
from services.gateway.web.forms import text
from services.gateway.web.inner import look
from services.gateway.web.league.telling import ACCOUNT

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
    """The account behind a name; an unknown one goes on as it is, so that it is named."""
    found = look(f"/accounts/{quote(name, safe='')}").facts.get("account")
    if found is None and not ACCOUNT.fullmatch(name):
        g.unknown = [*g.get("unknown", ()), name]
    return str(found or name)


def unknown() -> dict[str, Any] | None:
    """PL-724 Names in the form that nobody has, as a refusal: a list with a slip in it would otherwise be taken with a gap."""
    if not g.get("unknown"):
        return None
    return {"status": 422, "title": "Nobody has this name" if len(g.unknown) == 1 else "Nobody has these names",
            "detail": "Nothing was changed. Write every name as its owner does.", "errors": [{"pointer": "", "detail": name} for name in g.unknown]}


def entrants_csv(name: str) -> str:
    """LG-981 Lines of entrants with accounts for names; what cannot be read or is not known goes on as it is, so that the league names it."""
    try:
        head, *rest = list(csv.reader(io.StringIO(text(name), newline=""))) or [[]]
    except csv.Error:
        return text(name)
    column = next((at for at, cell in enumerate(head) if cell.strip() == "account"), None)
    for line in rest:
        if column is not None and column < len(line) and line[column].strip():
            line[column] = str(look(f"/accounts/{quote(line[column].strip(), safe='')}").facts.get("account", line[column]))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *rest])
    return out.getvalue()


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
