"""What state is a competition in? The fold of its events, kept by this process and carried on by what is new."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import msgspec

from services.league.kind import Kind
from shared.runtime.store import Row

MOST = 64           # states kept; the least lately asked for goes first
Kept = tuple[int, Any]


class Memory:
    """Folded states by competition; a state is never changed, so two threads may hold the same one."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def kept(self, competition: str, version: int) -> Kept:
        """The newest state that is not beyond the version, and the version it is of."""
        with self._lock:
            known = self._kept.get(competition, (0, None))
        return known if known[0] <= version else (0, None)

    def keep(self, competition: str, version: int, state: Any) -> None:
        with self._lock:
            if version >= self._kept.get(competition, (0, None))[0]:
                self._kept[competition] = version, state
            self._kept.move_to_end(competition)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self, competition: str) -> None:
        """Whoever does not know what was committed reads it again."""
        with self._lock:
            self._kept.pop(competition, None)


def folded(kind: Kind, state: Any, rows: list[Row]) -> Any:
    """The state after these stored events."""
    for row in rows:
        state = kind.fold(state, stored(kind, row))
    return state


def stored(kind: Kind, row: Row) -> Any:
    return kind.event(row["kind"], msgspec.json.decode(row["body"]))


def told(event: Any) -> tuple[str, str]:
    """The kind of an event and the rest of it as text, as they are stored; keys sorted, so that the same event is the same text."""
    body = msgspec.to_builtins(event)
    kind = body.pop("kind")
    return kind, msgspec.json.encode(body, order="sorted").decode()
