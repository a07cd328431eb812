"""What does one gateway process hold on to, and what does it look after in the background?"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import cast

from flask import current_app

from services.gateway.edge.clock import EVERY_S, Clock
from services.gateway.edge.kept import Kept
from services.gateway.edge.limits import Limits, Verdict
from services.gateway.edge.metrics import Metrics
from services.gateway.edge.pace import Pace
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import SQL, Store, Work
from shared.runtime import log
from shared.runtime.bell import Bell, Doorbell, Listener
from shared.runtime.settings import Settings
from shared.runtime.store import FateUnknown, Unavailable

PULSE_S, SHARE_S, PACE_S, SWEEP_S = 5.0, 0.25, 30.0, 600.0
logger = log.get(__name__)


class Gate:
    """The connections, clocks and counts of one process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings)
        self.doorbell = Doorbell(settings)
        self.bell = Bell(settings)
        self.listener = Listener(settings)
        self.clock = Clock()
        self.limits = Limits(settings)
        self.pace = Pace(self.store)
        self.metrics = Metrics(self)
        self.kept = Kept()
        self.draining = False
        self.queue_ages: dict[str, float] = {}
        self.behind: dict[str, datetime] = {}       # games that take nothing, and since when
        self.sign_key = hashlib.sha256(f"cupboard|sign|{settings.gateway_password}".encode()).digest()
        self.waits = threading.BoundedSemaphore(max(1, settings.gateway_threads // 2))      # PL-300
        self._process = f"gateway-{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._next: dict[str, float] = {}
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    @property
    def stream_base(self) -> str:
        """Where streams are served: an address of its own, or the stream's port on this machine."""
        return self.settings.stream_url.rstrip("/")

    @contextlib.contextmanager
    def work(self) -> Iterator[Work]:
        """One transaction; after its commit the workers concerned are woken, never before (PL-326)."""
        with self.store.work() as work:
            yield work
        self.ring(work)

    def ring(self, work: Work) -> None:
        for bell in work.bells:
            self.doorbell.send(*bell)

    def counted(self, bucket: str, caller: Caller, cost: int = 1) -> Verdict:
        """PL-666"""
        try:
            return self.limits.hit(bucket, caller, cost)
        except Problem:
            self.metrics.rate_limited.labels(bucket).inc()
            raise

    def paced(self, subject: str, most: int) -> None:
        """CH-453"""
        try:
            self.limits.paced(subject, most)
        except Problem:
            self.metrics.rate_limited.labels("pace").inc()
            raise

    def refuse_backlog(self, game: str, *, is_bot: bool) -> None:
        """PL-669 A game that is behind takes nothing new; bots stop at half that age. Other games go on."""
        age = self.queue_ages.get(game)
        if age is None:
            return
        limit = self.settings.queue_old / (2 if is_bot else 1)
        if age > limit:
            self.metrics.queue_old.labels(game).inc()
            raise Problem("queue_old", retry_after=5)

    # In the background ----------------------------------------------------------------------------------------------

    def attend(self) -> None:
        """Begins the looks of this process; called in the process that serves, after any fork."""
        for name, look, period in (("attendant", self.look, 1.0), ("limits", self.limits.share, SHARE_S)):
            thread = threading.Thread(target=self._repeat, args=(look, period), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _repeat(self, look: Callable[[], None], period: float) -> None:
        while not self._over.is_set():
            try:
                look()
            except (Unavailable, FateUnknown) as error:     # nothing to do but to try again; readiness tells it
                logger.warning("look_failed", error=type(error).__name__)
            except Exception:   # a look that ended here would leave this process blind
                logger.exception("look_broken")
            self._over.wait(period)

    def look(self) -> None:
        """One round: clock, pulse, age of the queues."""
        if time.monotonic() - self.clock.measured >= EVERY_S:
            self.clock.measure(self.store)
        if self._due("pulse", PULSE_S):
            self.store.one(SQL.pulse, process=self._process)
        if self._due("pace", PACE_S):
            self.pace.read()
        if self._due("sweep", SWEEP_S):
            with self.store.work() as work:
                work.do(SQL.old_rows_forgotten)
        self.queue_ages = {row["game"]: row["age_s"] for row in self.store.all(SQL.queue_ages)}
        self._note_backlogs()

    def _note_backlogs(self) -> None:
        """PL-670 Once a game goes on, the time in which it took nothing counts as an outage of it, if it was long enough."""
        now = self.clock.now()
        behind = {game for game, age in self.queue_ages.items() if age > self.settings.queue_old}
        for game in behind - self.behind.keys():
            self.behind[game] = now
        for game in self.behind.keys() - behind:
            since = self.behind.pop(game)
            if (now - since).total_seconds() > self.settings.outage_credited:
                self.store.one(SQL.backlog_noted, game=game, since=since, until=now)

    def _due(self, what: str, period: float) -> bool:
        now = time.monotonic()
        if now < self._next.get(what, 0.0):
            return False
        self._next[what] = now + period
        return True

    def drain(self) -> None:
        """PL-348 New work goes to another process; what is under way ends."""
        self.draining = True

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(2)
        self.store.close()


def gate() -> Gate:
    """The gate of the process that serves this request."""
    return cast("Gate", current_app.extensions["gate"])
