"""Which commands may a player send only so many times a minute? A game says so beside a field of the command, in the schema it announces."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping

from services.gateway.store import SQL, Store

EVERY_S = 30.0      # a game that is announced anew is read again after that time


class Pace:
    """`a_minute` by verb and game; read when it is first needed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._most: Mapping[str, Mapping[str, int]] = {}
        self._until = 0.0

    def slowed(self, verbs: Iterable[str]) -> list[str]:
        """Those of these verbs that some game slows down."""
        known = self._known()
        return [verb for verb in verbs if verb in known]

    def most(self, game: str, verb: str) -> int | None:
        return self._known().get(verb, {}).get(game)

    def _known(self) -> Mapping[str, Mapping[str, int]]:
        with self._lock:
            if time.monotonic() >= self._until:
                found: dict[str, dict[str, int]] = {}
                for row in self._store.all(SQL.paces):
                    found.setdefault(row["verb"], {})[row["game"]] = row["most"]
                self._most, self._until = found, time.monotonic() + EVERY_S
            return self._most
