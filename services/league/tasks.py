"""What does the league do, over and over? It takes on every competition that has something to do, several at a time, as soon as it is rung for.

Everything is found in Postgres by looking, so any number of these processes may run, be killed and start again.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from services.league.inbox.checking import all_wrong, broken_logs
from services.league.inbox.kinds import KINDS
from services.league.inbox.office import THREADS, Office
from shared.runtime import bell, log
from shared.runtime.settings import Settings, read
from shared.runtime.store import FateUnknown, Unavailable

PERIOD = 0.5        # seconds between two looks at everything
SWEEP = 60.0        # LG-208: seconds between two looks for results that no message told of
NIGHT = 86_400.0    # LG-802: seconds between two comparisons of what is stored with what the events say
SAMPLE = 20         # competitions that are compared
LETTERS = ("t-", "k-", "s-")
PAGES, RATINGS, COMPARE = "pages of ", "ratings of ", "compare"
logger = log.get(__name__)


class League:
    """One process of the league: an office, threads that work in it, and an ear for bells."""

    def __init__(self, settings: Settings) -> None:
        self.office = Office(settings, KINDS)
        self._settings = settings
        self._rung: set[str] = set()
        self._ear = threading.Event()
        self._over = False
        self._busy: set[str] = set()
        self._again: set[str] = set()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="competition")

    def look(self, *, sweep: bool) -> bool:
        """One look at everything, here and now; tells whether there was something to do."""
        busy = [self.office.drain(competition) for competition in sorted(self.office.found(sweep=sweep))]
        busy += [self.office.refresh(competition) for competition in sorted(self.office.behind())]
        for game in self.office.stale():
            self.office.rate_again(game)
        return self.office.look_after_others() or any(busy)

    def stop(self) -> None:
        """`run` ends, at the latest after its period."""
        self._over = True
        self._ear.set()

    def run(self) -> None:
        """LG-1035 Each competition by itself: one that takes long holds up no other."""
        threading.Thread(target=bell.listen, args=(self._settings.redis_of("bells"), self._heard), name="bells", daemon=True).start()
        swept, looked, compared = -SWEEP, -SWEEP, time.monotonic()
        while not self._over:
            self._take_on(self._heard_of())
            now = time.monotonic()
            if now - looked >= PERIOD:
                sweep = now - swept >= SWEEP
                swept, looked = now if sweep else swept, now
                self._look_around(sweep=sweep)
                if now - compared >= NIGHT:
                    compared = now
                    self._take_on({COMPARE})
            self._ear.wait(max(0.0, looked + PERIOD - time.monotonic()))
        self._pool.shutdown(cancel_futures=True)
        self.office.database.close()

    def _look_around(self, *, sweep: bool) -> None:
        try:
            self._take_on(self.office.found(sweep=sweep))
            self._take_on(PAGES + competition for competition in self.office.behind())
            self._take_on(RATINGS + game for game in self.office.stale())
            self.office.look_after_others()
        except (Unavailable, FateUnknown) as error:
            logger.warning("league_waits", error=type(error).__name__)

    def _heard(self, steps: list[tuple[str, int]]) -> None:
        """Step 0 is a wish that somebody looks; everything else is news for readers."""
        rung = {name for name, step in steps if step == 0 and name.startswith(LETTERS)}
        if rung:
            with self._lock:
                self._rung |= rung
            self._ear.set()

    def _heard_of(self) -> set[str]:
        self._ear.clear()
        with self._lock:
            rung, self._rung = self._rung, set()
        return rung

    def _take_on(self, competitions: Iterable[str]) -> None:
        with self._lock:
            for competition in sorted(competitions):
                if competition in self._busy:
                    self._again.add(competition)
                else:
                    self._busy.add(competition)
                    self._pool.submit(self._drain, competition)

    def _work(self, name: str) -> None:
        """A competition's acts, or beside them its pages; or the ratings of a game."""
        if name == COMPARE:
            for competition, facts in all_wrong(self.office.database, SAMPLE):
                logger.error("competition_differs", competition=competition, **facts)
            for organisation, entry in broken_logs(self.office.database):
                logger.error("audit_log_differs", organisation=organisation, entry=entry)
        elif name.startswith(PAGES):
            self.office.refresh(name.removeprefix(PAGES))
        elif name.startswith(RATINGS):
            self.office.rate_again(name.removeprefix(RATINGS))
        else:
            self.office.drain(name)

    def _drain(self, competition: str) -> None:
        """Until nothing is left, also of what was rung for meanwhile."""
        while True:
            try:
                self._work(competition)
            except (Unavailable, FateUnknown) as error:
                logger.warning("competition_waits", competition=competition, error=type(error).__name__)
            except Exception:   # a thread that ended here would leave the competition to nobody
                logger.exception("competition_failed", competition=competition)
            with self._lock:
                if competition not in self._again:
                    self._busy.discard(competition)
                    return
                self._again.discard(competition)


def main() -> int:
    """The league process: until it is told to end."""
    league = League(read(process="league"))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: league.stop())
    league.run()
    return 0
