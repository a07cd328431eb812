"""What does the relay do about mail, over and over? One mail after the other over one connection, in a thread of its own."""

from __future__ import annotations

import threading
import time

from services.relay.mail import owed
from services.relay.mail.server import Outcome, Server
from shared.runtime import log
from shared.runtime.settings import Settings
from shared.runtime.store import Database, FateUnknown, Unavailable

PERIOD, TURNS, TIDYING = 1.0, 30.0, 3_600.0     # seconds between two looks: at mails, at open questions, at what is old
logger = log.get(__name__)


class Post:
    """The mails of one relay."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._server = settings, Server(settings)
        self.database = Database(settings.database_of("relay"), settings, "post", size=2)
        self._next = {"turns": 0.0, "tidy": 0.0}

    def look(self, stopping: threading.Event | None = None) -> int:
        """Everything that is due now; tells how many were tried."""
        tried = 0
        while not (stopping and stopping.is_set()) and (mail := owed.take(self.database, self._settings)) is not None:
            owed.mark(self.database, mail.row, self._attempt(mail))
            tried += 1
        self._server.close()
        return tried

    def run(self, stopping: threading.Event) -> None:
        while not stopping.is_set():
            try:
                if self._due("turns", TURNS):
                    owed.owe_turns(self.database)
                self.look(stopping)
                if self._due("tidy", TIDYING):
                    owed.tidy(self.database)
            except (Unavailable, FateUnknown) as error:
                logger.warning("post_waits", error=type(error).__name__)
            except Exception:       # a look that ended here would leave mails lying unseen
                logger.exception("post_broken")
            stopping.wait(PERIOD)
        self.close()

    def close(self) -> None:
        self._server.close()
        self.database.close()

    def _attempt(self, mail: owed.Owed) -> Outcome:
        try:
            return self._server.send(mail.letter(self._settings))
        except Exception as error:      # noqa: BLE001  a fault of our own is an attempt that failed; its words may hold the address
            logger.warning("mail_broken", mail=mail.row["mail_id"], error=type(error).__name__)
            return Outcome("fault")

    def _due(self, what: str, period: float) -> bool:
        now = time.monotonic()
        if now < self._next[what]:
            return False
        self._next[what] = now + period
        return True
