"""Who receives what is sent? A real HTTP server on this machine that writes everything down and answers as it is told."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Got(NamedTuple):
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def facts(self) -> Any:
        return json.loads(self.body)

    @property
    def event(self) -> int:
        return int(self.facts["data"]["event"])


class Receiver:
    """Answers with the next of `answers`, then with 204: a status, or a status with headers."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.got: list[Got] = []
        self.answers: list[Any] = []
        self.drips = False              # never comes to the end of its answer
        self.arrived = threading.Semaphore(0)
        self._lock, self._over = threading.Lock(), threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._kind())
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def events(self) -> list[int]:
        return [one.event for one in self.got]

    def close(self) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def _take(self, got: Got) -> tuple[int, Mapping[str, str]]:
        with self._lock:
            self.got.append(got)
            answer = self.answers.pop(0) if self.answers else 204
        self.arrived.release()
        return answer if isinstance(answer, tuple) else (answer, {})

    def _kind(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers = receiver._take(Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                if receiver.drips:
                    self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                    while not receiver._over.wait(0.02):
                        try:
                            self.wfile.write(b"x-slow: 1\r\n")
                        except OSError:
                            return
                self.send_response(status)
                for name, value in {**headers, "Content-Length": "0"}.items():
                    self.send_header(name, value)
                self.end_headers()

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_words: Any) -> None:
                pass

        return Answering
