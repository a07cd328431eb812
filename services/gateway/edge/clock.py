"""What time is it on the database's clock, as this gateway knows it (PL-323, PL-324)?"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from services.gateway.store import SQL, Store

UNCERTAIN_S = 0.1
EVERY_S = 10.0
STALE_S = 3 * EVERY_S
PROBES = 3


class Clock:
    """The distance from this machine's steady clock to the database's, and how far that may be off."""

    def __init__(self) -> None:
        self.distance = 0.0
        self.uncertain = float("inf")
        self.measured = float("-inf")

    def measure(self, store: Store) -> None:
        """The closest of a few probes; a slow one would only blur what is known."""
        best = (float("inf"), 0.0)
        for _ in range(PROBES):
            before = time.monotonic()
            row = store.one(SQL.database_time)
            after = time.monotonic()
            if row is not None:
                best = min(best, ((after - before) / 2, float(row["now"]) - (before + after) / 2))
        self.uncertain, self.distance = best
        self.measured = time.monotonic()

    @property
    def good(self) -> bool:
        return self.uncertain <= UNCERTAIN_S and time.monotonic() - self.measured < STALE_S

    def at(self, moment: float) -> datetime:
        """A moment of the steady clock as the database would have written it."""
        return datetime.fromtimestamp(self.distance + moment, UTC)

    def now(self) -> datetime:
        return self.at(time.monotonic())
