"""How is one message written on a stream? As SSE or as a line of NDJSON, out of stored text that is never parsed."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


def frame(kind: str, body: str, now: str, *, ndjson: bool, number: str = "") -> bytes:
    """One message: `body` is a JSON object as text, spliced between the message's type and the server's time."""
    inner = body[1:-1]
    text = f'{{"type":"{kind}",{inner}{"," if inner else ""}"now":"{now}"}}'
    if ndjson:
        return f"{text}\n".encode()
    named = f"id: {number}\n" if number else ""
    return f"{named}event: {kind}\ndata: {text}\n\n".encode()


def heartbeat(now: str, *, ndjson: bool) -> bytes:
    """PL-457 A sign of life that no client takes for a message."""
    return b"\n" if ndjson else f": {now}\n\n".encode()


def bye(reason: str, after_ms: int, now: str, *, ndjson: bool) -> bytes:
    """PL-459 The end of a stream, and when to come back; `retry` says the same to a browser."""
    last = frame("bye", members(reason=reason, reconnect_after_ms=after_ms), now, ndjson=ndjson)
    return last if ndjson else f"retry: {after_ms}\n".encode() + last


def members(**facts: Any) -> str:
    """A JSON object of plain facts."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"), default=moment)


def joined(facts: str, **stored: str | None) -> str:
    """A JSON object widened by members that are JSON already; None is written as null."""
    more = "".join(f',"{name}":{text or "null"}' for name, text in stored.items())
    return f"{facts[:-1]}{more}}}"


def moment(at: datetime) -> str:
    """PL-216 RFC 3339 in UTC with milliseconds."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"
