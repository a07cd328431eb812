"""How does a stand-in for the gateway speak HTTP? The addresses that a bot needs, on loopback; what is answered, the examiner says."""

from __future__ import annotations

import json
import queue
import secrets
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qsl, urlsplit

Json = dict[str, Any]
SIGN_OF_LIFE = 1.0
DROPPED = 0         # the status of an answer that never arrives


class Post(NamedTuple):
    """A command as it came."""

    match: str
    key: str
    body: Any
    waits: bool
    at: float


class Answer(NamedTuple):
    """What is answered."""

    status: int
    body: Any
    headers: Mapping[str, str] = {}


class Line:
    """One open stream."""

    def __init__(self, *, ndjson: bool) -> None:
        self.ndjson, self.opened = ndjson, time.monotonic()
        self.steps: dict[str, int] = {}                     # per match, the last step that was told
        self.waiting: queue.Queue[bytes | None] = queue.Queue()

    def put(self, message: Json) -> None:
        raw = json.dumps({**message, "now": moment()}).encode()
        number = f"id: {message['match']}:{message['step']}\n" if message["type"] in {"hello", "letter"} and "step" in message else ""
        self.waiting.put(raw + b"\n" if self.ndjson else f"{number}event: {message['type']}\ndata: ".encode() + raw + b"\n\n")

    def breathe(self) -> None:
        self.waiting.put(b"\n" if self.ndjson else b": alive\n\n")

    def end(self, *, cut: bool = False) -> None:
        """In good order, or in the middle of it."""
        for message in ([None] if cut else [b"", None]):
            self.waiting.put(message)


class Examiner(Protocol):
    """Who decides what is answered."""

    def opened(self, line: Line, after: Mapping[str, str]) -> None: ...
    def closed(self, line: Line) -> None: ...
    def command(self, post: Post) -> Answer: ...
    def read(self, parts: list[str], query: Mapping[str, str]) -> Answer: ...
    def shown(self, token: str) -> None: ...


class Host:
    """The server, for one bot with one token."""

    def __init__(self, examiner: Examiner) -> None:
        self.token, self.tickets, host = f"lg_bot_{secrets.token_hex(16)}", set[str](), self

        class Door(Visit):
            def __init__(self, *facts: Any) -> None:
                self.host, self.examiner = host, examiner
                super().__init__(*facts)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Visit(BaseHTTPRequestHandler):
    """One connection of the bot."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    host: Host
    examiner: Examiner

    def log_message(self, *_: Any) -> None:
        """Nothing: the marks tell all."""

    def do_GET(self) -> None:
        place, query = self._place()
        if place == ["bot", "stream"] and query.get("ticket") in self.host.tickets:
            self.host.tickets.remove(query["ticket"])
            self._stream(query)
        elif not self._known():
            self._say(problem(401, "bad_token"))
        elif place == ["bot", "stream"]:
            ticket = secrets.token_hex(8)
            self.host.tickets.add(ticket)
            more = "&".join(f"{name}={value}" for name, value in {**query, "ticket": ticket}.items())
            self._say(Answer(307, {}, {"Location": f"{self.host.origin}/api/v1/bot/stream?{more}"}))
        else:
            self._say(self.examiner.read(place, query))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        place, _ = self._place()
        if not self._known():
            self._say(problem(401, "bad_token"))
        elif len(place) == 3 and (place[0], place[2]) == ("matches", "commands"):
            key = self.headers.get("Idempotency-Key", "").strip('"')
            waits = "wait=" in self.headers.get("Prefer", "")
            self._say(self.examiner.command(Post(place[1], key, _read(raw), waits, time.monotonic())))
        else:
            self._say(problem(404, "not_found"))

    def _place(self) -> tuple[list[str], dict[str, str]]:
        parts = urlsplit(self.path)
        if self.host.token in self.path:
            self.examiner.shown(parts.path)
        return parts.path.strip("/").split("/")[2:], dict(parse_qsl(parts.query))

    def _known(self) -> bool:
        return bool(self.headers.get("Authorization") == f"Bearer {self.host.token}")

    def _say(self, answer: Answer) -> None:
        if answer.status == DROPPED:
            self.close_connection = True
            return
        raw = json.dumps(answer.body).encode()
        self.send_response(answer.status)
        media = "application/problem+json" if answer.status >= 400 else "application/json"
        for name, value in {"Content-Type": media, "Content-Length": str(len(raw)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def _stream(self, query: Mapping[str, str]) -> None:
        ndjson = "ndjson" in self.headers.get("Accept", "")
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson" if ndjson else "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        said = self.headers.get("Last-Event-ID") or query.get("after", "")
        line = Line(ndjson=ndjson)
        self.examiner.opened(line, dict(part.rpartition(":")[::2] for part in said.split(",") if part))
        self.close_connection = True
        try:
            while (message := self._next(line)) is not None:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(message), message))
        except OSError:
            pass            # the reader has gone
        self.examiner.closed(line)

    def _next(self, line: Line) -> bytes | None:
        try:
            return line.waiting.get(timeout=SIGN_OF_LIFE)
        except queue.Empty:
            line.breathe()
            return self._next(line)


def problem(status: int, code: str, **facts: Any) -> Answer:
    """PL-204 Problem details."""
    wait = {"Retry-After": f"{facts['retry_after']:g}"} if "retry_after" in facts else {}
    told = {"type": f"/problems/{code}", "title": code, "status": status, "detail": "", "code": code, "request_id": "kit", **facts}
    return Answer(status, told, wait)


def moment() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None
