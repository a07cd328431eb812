"""How long from a click to the other seat's letter? A closed loop of raw sockets, so that the client costs as little as it can.

It reads one JSON object (ports, matches with their tokens, seconds) from its standard input and writes one.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time
from typing import Any

import msgspec
from msgspec import Struct

WARM_UP = 1.0  # seconds that are not counted
RUN = time.time_ns()  # keys of one run are new in the next
QUIET = 30.0  # seconds without any letter: something is wrong
COMMANDS = {"throw": b'{"do":"throw","dice":2}', "hide": b'{"do":"hide","pebbles":[]}'}


class Asked(Struct):
    ask: int
    question: str
    needed: bool


class Letter(Struct):
    type: str
    step: int = 0
    ask: Asked | None = None


read_letter = msgspec.json.Decoder(Letter).decode


class Table:
    """One match: a connection to post on, a stream for each seat, and whose turn it is."""

    def __init__(self, selector: selectors.BaseSelector, facts: dict[str, Any], match: dict[str, Any]) -> None:
        self.facts, self.match = facts, match
        self.posts = socket.create_connection(("127.0.0.1", facts["port"]))
        self.posts.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answered, self.number, self.turn, self.sent, self.left = True, 0, 0, 0.0, b""
        self.later: tuple[int, Asked] | None = None
        self.seen = 0  # the step that the one who acts has seen: only letters after it are news of the act
        self.waiting = False
        self.buffers = [b"", b""]
        self.times: list[tuple[float, float]] = []
        self.answer_times: list[float] = []
        self.refused: list[str] = []
        selector.register(self.posts, selectors.EVENT_READ, self.read_answer)
        for seat in (0, 1):
            selector.register(self._stream(seat), selectors.EVENT_READ, lambda stream, seat=seat: self.read_letters(stream, seat))

    def _stream(self, seat: int) -> socket.socket:
        stream = socket.create_connection(("127.0.0.1", self.facts["stream_port"]))
        stream.sendall((f"GET /api/v1/matches/{self.match['match']}/stream?seat={seat} HTTP/1.1\r\nHost: bench\r\nAccept: application/x-ndjson\r\n"
                        f"Authorization: Bearer {self.match['token']}\r\n\r\n").encode())
        return stream

    def read_letters(self, stream: socket.socket, seat: int) -> None:
        *lines, self.buffers[seat] = (self.buffers[seat] + stream.recv(1 << 18)).split(b"\n")
        for line in lines:
            if line.startswith(b"{"):
                letter = read_letter(line)
                if letter.type in {"hello", "letter"}:
                    self.hear(seat, letter)

    def hear(self, seat: int, letter: Letter) -> None:
        if seat != self.turn or letter.step <= self.seen:
            return
        if self.waiting and letter.type == "letter":  # the first letter after the other seat's command
            now = time.perf_counter()
            self.times.append((now, now - self.sent))
            self.waiting = False
        if not self.waiting and letter.ask is not None and letter.ask.needed and letter.ask.question in COMMANDS:
            self.later, self.seen = (seat, letter.ask), letter.step
            self.post()

    def post(self) -> None:
        """As soon as the answer to the last request is there, since a connection carries one at a time."""
        if self.later is None or not self.answered:
            return
        (seat, asked), self.later = self.later, None
        self.number += 1
        body = b'{"seat":%d,"ask":%d,"command":%s}' % (seat, asked.ask, COMMANDS[asked.question])
        head = (f"POST /api/v1/matches/{self.match['match']}/commands HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
                f"Authorization: Bearer {self.match['token']}\r\nIdempotency-Key: {self.match['match']}-{RUN}-{self.number}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
        self.answered, self.waiting, self.turn, self.sent = False, True, 1 - seat, time.perf_counter()
        self.posts.sendall(head + body)

    def read_answer(self, posts: socket.socket) -> None:
        piece = posts.recv(1 << 16)
        if not piece:
            raise ConnectionError("the gateway hung up")
        self.left += piece
        head, gap, rest = self.left.partition(b"\r\n\r\n")
        if not gap or len(rest) < int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0):
            return
        if not head.startswith(b"HTTP/1.1 20"):
            self.refused.append((head.split(b"\r\n")[0] + b" " + rest).decode())
        self.left, self.answered = b"", True
        self.answer_times.append(time.perf_counter() - self.sent)
        self.post()


def run(facts: dict[str, Any]) -> dict[str, Any]:
    selector = selectors.DefaultSelector()
    tables = [Table(selector, facts, match) for match in facts["matches"]]
    while not any(table.times for table in tables):  # whoever plays may only just have started
        follow(selector)
    first = time.perf_counter() + WARM_UP
    last = first + facts["seconds"]
    while time.perf_counter() < last:
        follow(selector)
    counted = sorted(took for table in tables for at, took in table.times if first <= at <= last)
    answers = sorted(took for table in tables for took in table.answer_times)
    return {
        "turns_per_s": round(len(counted) / facts["seconds"], 1), "turns": len(counted), "median_ms": ms(counted, 0.5), "p95_ms": ms(counted, 0.95),
        "p99_ms": ms(counted, 0.99), "answer_median_ms": ms(answers, 0.5), "all_turns": sum(len(table.times) for table in tables), "cpu_s": time.process_time(),
        "refused": [line for table in tables for line in table.refused][:5],
    }


def follow(selector: selectors.BaseSelector) -> None:
    ready = selector.select(QUIET)
    if not ready:
        raise TimeoutError("no letter came")
    for key, _ in ready:
        key.data(key.fileobj)


def ms(sorted_times: list[float], share: float) -> float | None:
    return round(sorted_times[min(len(sorted_times) - 1, int(share * len(sorted_times)))] * 1000, 2) if sorted_times else None


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
