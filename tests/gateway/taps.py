"""How does a test read a stream? A tap: one open stream, read by a thread, its messages kept in order."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import requests

NDJSON = "application/x-ndjson"
Message = dict[str, Any]


@dataclass
class Tap:
    """What has come out so far: messages, the ids of SSE, and signs of life."""

    answer: requests.Response
    messages: list[Message] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    beats: list[str] = field(default_factory=list)
    over: bool = False

    def start(self) -> Tap:
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def wait(self, wanted: Callable[[Message], bool], seconds: float = 5.0) -> Message:
        """The first message that is wanted."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for message in list(self.messages):
                if wanted(message):
                    return message
            time.sleep(0.01)
        raise AssertionError(f"not among {self.messages}")

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]

    def steps(self) -> list[int]:
        """Of the letters so far."""
        return [message["step"] for message in self.messages if message["type"] == "letter"]

    def close(self) -> None:
        """Hangs up at once; an ordinary close would wait for the thread that reads."""
        with contextlib.suppress(OSError):
            self.answer.raw.connection.sock.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        plain = self.answer.headers["Content-Type"].startswith(NDJSON)
        try:
            for line in self.answer.iter_lines(chunk_size=1, decode_unicode=True):
                self._line(line, plain=plain)
        except (requests.RequestException, AttributeError):
            pass    # closed by the test, while this thread was reading
        self.over = True

    def _line(self, line: str, *, plain: bool) -> None:
        if (plain and not line) or line.startswith(":"):
            self.beats.append(line)
        elif plain:
            self.messages.append(json.loads(line))
        elif line.startswith("data: "):
            self.messages.append(json.loads(line[6:]))
        elif line.startswith("id: "):
            self.numbers.append(line[4:])


def tap(url: str, **headers: str) -> Tap:
    """Opens a stream that must be given."""
    answer = get(url, **headers)
    assert answer.status_code == 200, answer.text
    return Tap(answer).start()


def get(url: str, **headers: str) -> requests.Response:
    answer = requests.get(url, headers={name.replace("_", "-"): value for name, value in headers.items()}, stream=True, timeout=20)
    answer.encoding = "utf-8"
    return answer


def code(url: str, **headers: str) -> tuple[int, str]:
    """Status and problem code of a stream that is refused."""
    answer = get(url, **headers)
    return answer.status_code, answer.json()["code"]
