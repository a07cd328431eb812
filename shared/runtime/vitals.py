"""Is this process well, and what has it counted? `/health/live`, `/health/ready` and `/metrics` for processes without pages of their own."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import psycopg
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from shared.runtime.migrate import to_do

CLOCK_DISTANCE = 2.0        # seconds between our clock and that of the database
Checks = Mapping[str, Callable[[], bool]]


def serve(port: int, url: str, checks: Checks) -> None:
    """PL-736, PL-739 Answers in a thread of its own; a process adds checks of its own to those of the database."""
    server = make_server("", port, lambda environ, start: _answer(environ["PATH_INFO"], start, url, checks), handler_class=_Silent)
    threading.Thread(target=server.serve_forever, daemon=True, name="vitals").start()


def missing(url: str, checks: Checks) -> list[str]:
    """PL-739 What this process lacks to do its work. Redis is not among it: without it everything still goes, only slower."""
    try:
        with psycopg.connect(url, connect_timeout=2, autocommit=True) as connection:
            names = database_lacks(connection)
    except psycopg.OperationalError:
        names = ["database"]
    return names + [name for name, well in checks.items() if not well()]


def database_lacks(connection: psycopg.Connection[Any]) -> list[str]:
    (now,) = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchall()[0]
    lacks = {"clock": abs(now - time.time()) > CLOCK_DISTANCE, "migration": bool(to_do(connection))}
    return [name for name, so in lacks.items() if so]


def _answer(path: str, start: Any, url: str, checks: Checks) -> Iterable[bytes]:
    match path:
        case "/health/live":
            return _say(start, "200 OK", "text/plain; charset=utf-8", b"alive\n")
        case "/health/ready":
            names = missing(url, checks)
            body = json.dumps({"ready": not names, "missing": names}).encode()
            return _say(start, "503 Service Unavailable" if names else "200 OK", "application/json", body)
        case "/metrics":
            return _say(start, "200 OK", CONTENT_TYPE_LATEST, generate_latest())
        case _:
            return _say(start, "404 Not Found", "text/plain; charset=utf-8", b"/health/live, /health/ready or /metrics\n")


def _say(start: Any, status: str, kind: str, body: bytes) -> Iterable[bytes]:
    start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
    return [body]


class _Silent(WSGIRequestHandler):
    """A look every few seconds is no event."""

    def log_message(self, *_: object) -> None: ...
