"""What does the relay do, over and over? It sends what is due, several deliveries at a time, and marks what became of each; mails beside it.

Everything is found in Postgres by looking, so any number of these processes may run, be killed and start again.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from services.relay import line
from services.relay.calling import Reply, call
from services.relay.line import PAUSES, Delivery
from services.relay.mail.post import Post
from shared.runtime import log
from shared.runtime.settings import Settings, read
from shared.runtime.store import Database, FateUnknown, Unavailable

THREADS = 8         # deliveries under way at the same time
PERIOD = 0.5        # seconds between two looks
TIDYING = 3_600.0
logger = log.get(__name__)


class Relay:
    """One process of the relay."""

    def __init__(self, settings: Settings, pauses: Sequence[float] = PAUSES) -> None:
        self.database = Database(settings.database_of("relay"), settings, "relay", size=THREADS + 1)
        self._settings, self._pauses = settings, pauses
        self._free = threading.Semaphore(THREADS)
        self._ear = threading.Event()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="delivery")

    def look(self) -> int:
        """Takes as many deliveries as there are hands free for, and lets them go; tells how many."""
        hands = 0
        while hands < THREADS and self._free.acquire(blocking=False):
            hands += 1
        taken = line.take(self.database, hands) if hands else []
        for one in taken:
            self._pool.submit(self._send, one)
        for _ in range(hands - len(taken)):
            self._free.release()
        return len(taken)

    def run(self, stopping: threading.Event) -> None:
        tidied = -TIDYING
        while not stopping.is_set():
            self._ear.clear()
            try:
                self.look()
                if time.monotonic() - tidied > TIDYING:
                    tidied = time.monotonic()
                    line.tidy(self.database)
            except (Unavailable, FateUnknown) as error:
                logger.warning("relay_waits", error=type(error).__name__)
            self._ear.wait(PERIOD)
        self.close()

    def close(self) -> None:
        """What is under way is finished first; whatever is not, is sent again by somebody else (PL-600)."""
        self._pool.shutdown(wait=True)
        self.database.close()

    def _send(self, one: Delivery) -> None:
        try:
            reply = self._called(one)
            line.mark(self.database, self._settings, one, reply, self._pauses)
        except (Unavailable, FateUnknown) as error:
            logger.warning("delivery_unmarked", delivery=one.row["delivery_id"], error=type(error).__name__)
        finally:
            self._free.release()
            self._ear.set()     # where one has arrived, the next one of its line is due

    def _called(self, one: Delivery) -> Reply:
        try:
            return call(one.row["address"], one.row["body"].encode(), line.headers(self._settings, one.row), self._settings)
        except Exception as error:      # a fault of our own is an attempt that failed, not a line that stands still unseen
            logger.exception("delivery_failed", delivery=one.row["delivery_id"])
            return Reply(reason=type(error).__name__)


def main() -> int:
    """The relay process: until it is told to end."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    settings = read(process="relay")
    post = threading.Thread(target=Post(settings).run, args=(stopping,), name="post") if settings.mail_from else None
    if post:
        post.start()
    Relay(settings).run(stopping)
    if post:
        post.join()
    return 0
