"""What becomes of one attempt? The name is looked up and checked, that very number is called, and of the answer only the status is kept."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from shared.runtime.outward import AddressRefused, Target, place_of, target_of
from shared.runtime.settings import Settings

CONNECTING, WHOLE = 5.0, 15.0       # seconds: PL-596
LOOKING_UP = 20.0                   # a name that takes longer has not been found
MOST = 4_096                        # bytes of an answer that are read
LONGEST_WISH = 86_400.0             # of a Retry-After that is kept to


class Reply(NamedTuple):
    """PL-601 Status and reason, nothing else."""

    status: int | None = None
    reason: str = ""                # empty: it has arrived
    wait: float = 0.0               # seconds that the receiver asks for

    @property
    def good(self) -> bool:
        return not self.reason

    @property
    def gone(self) -> bool:
        """PL-596 The receiver wants nothing any more."""
        return self.status == http.HTTPStatus.GONE


class Line(http.client.HTTPConnection):
    """A connection to a checked number, under the name that was asked for; cut when its time is over."""

    def __init__(self, target: Target, place: str) -> None:
        super().__init__(target.host, target.port, timeout=CONNECTING)
        self.default_port = 443 if target.secure else 80
        self._target, self._place = target, place
        self.late = False
        self._end = threading.Timer(WHOLE, self._cut)
        self._end.daemon = True

    def connect(self) -> None:
        self.sock = socket.create_connection((self._place, self.port), CONNECTING)
        self._end.start()
        if self._target.secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self._target.host)
        self.sock.settimeout(WHOLE)

    def close(self) -> None:
        self._end.cancel()
        super().close()

    def _cut(self) -> None:
        """However slowly the other side speaks."""
        self.late = True
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def call(address: str, body: bytes, headers: Mapping[str, str], settings: Settings) -> Reply:
    """PL-596, PL-601 One attempt; whatever goes wrong is a reason, never an exception."""
    began = time.monotonic()
    try:
        target = target_of(address, settings)
        place = place_of(target, settings)
    except (AddressRefused, UnicodeError):
        return Reply(reason="address")
    except OSError:
        return Reply(reason="name")
    if time.monotonic() - began > LOOKING_UP:
        return Reply(reason="name")
    return _spoken(Line(target, place), target, body, headers)


def _spoken(line: Line, target: Target, body: bytes, headers: Mapping[str, str]) -> Reply:
    try:
        line.request("POST", target.path, body, dict(headers))
        answer = line.getresponse()
        answer.read(MOST)
    except ssl.SSLError:
        return Reply(reason="tls")
    except TimeoutError:
        return Reply(reason="time")
    except (OSError, http.client.HTTPException, ValueError):
        return Reply(reason="time" if line.late else "connection")
    finally:
        line.close()
    return Reply(reason="time") if line.late else judged(answer.status, answer.getheader("Retry-After"))


def judged(status: int, wish: str | None) -> Reply:
    """PL-596 Only 2xx has arrived; a redirect is followed nowhere."""
    if 200 <= status < 300:
        return Reply(status)
    reason = "redirect" if 300 <= status < 400 else "gone" if status == http.HTTPStatus.GONE else "status"
    return Reply(status, reason, seconds_of(wish))


def seconds_of(wish: str | None) -> float:
    """A Retry-After in seconds or as a date; what cannot be read asks for nothing."""
    if wish is None:
        return 0.0
    if wish.strip().isdecimal():
        return min(float(wish), LONGEST_WISH)
    try:
        left = (parsedate_to_datetime(wish) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return 0.0
    return min(max(left, 0.0), LONGEST_WISH)
