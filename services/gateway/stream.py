"""What may be followed live? The stream process: SSE and NDJSON for a match, an account and a bot (PL-451 to PL-462)."""

from __future__ import annotations

import atexit
import math
import re
import secrets
import select
import signal
from collections.abc import Callable, Iterator
from typing import Any

import gevent
from flask import Flask, Response, request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from werkzeug.exceptions import HTTPException

from services.gateway.live import competitions
from services.gateway.live.feeds import Feeds
from services.gateway.live.frames import NDJSON, SSE, frame, members
from services.gateway.live.lines import Line, Place, life
from services.gateway.live.opening import messages
from services.gateway.live.readers import QUERIES, Reading, caller_of, owner_of, reading_of
from services.gateway.live.signs import Signs
from services.gateway.problems import MEDIA, Problem, spoken
from services.gateway.rights import PLAYING, READING, Caller, within
from shared.runtime import log
from shared.runtime.settings import Settings, read
from shared.runtime.store import Database, FateUnknown, Row, Unavailable

ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
GUESTS_PER_ADDRESS = 200  # a whole club may look on from one address
SWEEP_PERIOD = 3.0
HUNG_UP = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0x2000)
HEADERS = {
    "Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",  # never with credentials (PL-132): a page reads what everybody may, or has a ticket or a token
    "Access-Control-Expose-Headers": "X-Request-Id",
}
logger = log.get(__name__)


class Door:
    """Opens streams, within the limits of each owner."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings.database_of("stream"), settings, "stream")
        self.feeds = Feeds(settings)
        self._sockets: dict[Line, Any] = {}

    def start(self) -> None:
        self.feeds.start()
        Signs(self.feeds).start()
        gevent.spawn(self._sweep)
        atexit.register(self.database.close)
        _on_end(self._drain)

    def open(self, kind: str, caller: Caller, places: list[Place], *, views: bool = False) -> Response:
        """One stream, as SSE or NDJSON by `Accept`."""
        if self.feeds.draining:
            raise Problem("draining", retry_after=2)
        self._keep_limit(caller)
        ndjson = NDJSON in request.headers.get("Accept", "")
        line = Line(kind, caller, ndjson, views, ends_at=life(self.settings.stream_life))
        self._sockets[line] = request.environ.get("gunicorn.socket")
        self.feeds.join(line, *places)
        if line.many:
            greeting = members(reader=kind, account=caller.account, matches=sorted({place.match_id for place in places}))
            line.put(frame("hello", greeting, self.feeds.now(), ndjson=ndjson))
            line.dirty = True
        return self._answer(line, messages(line, self.feeds, self.database))

    def watch(self, caller: Caller, competition: Row) -> Response:
        """LG-1012 One stream of a competition, from the event on that the reader has."""
        if self.feeds.draining:
            raise Problem("draining", retry_after=2)
        self._keep_limit(caller)
        line = Line("competition", caller, NDJSON in request.headers.get("Accept", ""), ends_at=life(self.settings.stream_life))
        self._sockets[line] = request.environ.get("gunicorn.socket")
        self.feeds.join(line)
        return self._answer(line, competitions.messages(line, competition, _last_seen(""), self.feeds, self.database))

    def _answer(self, line: Line, said: Iterator[bytes]) -> Response:
        answer = Response(said, headers={**HEADERS, "X-Request-Id": secrets.token_hex(8)},
                          content_type=NDJSON if line.ndjson else f"{SSE}; charset=utf-8")
        answer.call_on_close(lambda: self._close(line))
        return answer

    def _sweep(self) -> None:
        """A reader who has gone is noticed before the next message for it."""
        while True:
            gevent.sleep(SWEEP_PERIOD)
            for line, socket in list(self._sockets.items()):
                if _hung_up(socket):
                    self._close(line)

    def _close(self, line: Line) -> None:
        self._sockets.pop(line, None)
        self.feeds.drop(line)

    def _keep_limit(self, caller: Caller) -> None:
        """PL-112 Streams per account, per bot token; those whose client has hung up do not count, even before we notice."""
        most = self._most(caller)
        lines = [line for line in self.feeds.lines if owner_of(line.caller) == owner_of(caller)]
        for line in lines if len(lines) >= most else ():
            if _hung_up(self._sockets.get(line)):
                self._close(line)
        if sum(not line.gone for line in lines) >= most:
            raise Problem("too_many_streams", retry_after=5)

    def _most(self, caller: Caller) -> int:
        settings = self.settings
        most = GUESTS_PER_ADDRESS if caller.account is None else settings.streams_per_bot if caller.kind == "bot" else settings.streams_per_account
        return math.ceil(most / settings.stream_processes)

    def _drain(self) -> None:
        self.feeds.draining = True


def create_app(settings: Settings | None = None) -> Flask:
    """The stream's own WSGI app, for gunicorn's gevent worker; it begins to listen when it is made, after the fork."""
    door = Door(settings or read(process="stream"))
    door.start()
    app = Flask("services.gateway.stream", static_folder=None)
    _add_streams(app, door)
    _add_health(app, door)
    app.register_error_handler(Problem, _told)
    app.before_request(_ids)
    app.register_error_handler(HTTPException, _by_status)
    app.register_error_handler(Exception, _broken)
    for lost in (Unavailable, FateUnknown):
        app.register_error_handler(lost, lambda _: _told(Problem("unavailable", retry_after=2)))
    return app


def _add_streams(app: Flask, door: Door) -> None:
    @app.get("/api/v1/matches/<match_id>/stream")
    def match_stream(match_id: str) -> Response:
        caller = caller_of(request, door.database)
        _require(caller, *READING)
        match = door.database.one(QUERIES.match_to_read, match=match_id, account=caller.account)
        reading = reading_of(caller, match, request.args.get("seat", ""))
        return door.open("match", caller, [_place(match_id, reading, _last_seen(""))], views=request.args.get("views") == "1")

    @app.get("/api/v1/me/stream")
    def account_stream() -> Response:
        caller = _signed_in(door.database, *READING)
        return door.open("me", caller, _places(door.database, caller, at_present=True))

    @app.get("/api/v1/bot/stream")
    def bot_stream() -> Response:
        caller = _signed_in(door.database, *PLAYING)
        return door.open("bot", caller, _places(door.database, caller, at_present=False), views=request.args.get("views") == "1")

    @app.get("/api/v1/<any(tournaments, championships, seasons):kind>/<competition>/stream")
    def competition_stream(kind: str, competition: str) -> Response:
        caller = caller_of(request, door.database)
        return door.watch(caller, competitions.readable(door.database, caller, competitions.KINDS[kind], competition))

    @app.route("/api/v1/<path:_any>", methods=["OPTIONS"])
    def allow(_any: str) -> Response:
        return Response(status=204, headers={**HEADERS, "Access-Control-Allow-Methods": "GET",
                                             "Access-Control-Allow-Headers": "Authorization, Last-Event-ID", "Access-Control-Max-Age": "600"})


def _add_health(app: Flask, door: Door) -> None:
    @app.get("/health/live")
    def live() -> Response:
        return Response("alive\n", content_type="text/plain; charset=utf-8")

    @app.get("/health/ready")
    def ready() -> Response:
        """PL-739 Redis is not asked: without it the stream polls."""
        missing = ["draining"] if door.feeds.draining else []
        try:
            door.database.one(QUERIES.now)
        except (Unavailable, FateUnknown):
            missing.append("database")
        return Response(members(ready=not missing, missing=missing), status=503 if missing else 200, content_type="application/json")

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _signed_in(database: Database, *scopes: str) -> Caller:
    caller = caller_of(request, database)
    if not caller.signed_in:
        raise Problem("not_signed_in")
    _require(caller, *scopes)
    return caller


def _require(caller: Caller, *scopes: str) -> None:
    if not caller.has(*scopes):
        raise Problem("scope_missing", scope=" or ".join(scopes))


def _place(match_id: str, reading: Reading, step: int | None) -> Place:
    return Place(match_id, reading.reader, reading.delayed, reading.host, step)


def _places(database: Database, caller: Caller, *, at_present: bool) -> list[Place]:
    """All seats of an account in matches that run; a bot says for each match how far it has read: `after=m1:31,m2:7`."""
    rows = database.all(QUERIES.seats_of, accounts=[caller.account], matches=None)
    return [Place(row["match_id"], row["seat"] + 2, step=row["step"] if at_present else _last_seen(row["match_id"]))
            for row in rows if within(caller, row)]


def _last_seen(match_id: str) -> int | None:
    """PL-454 The step up to which the reader has everything; -1 if what it says is no step (PL-455)."""
    said = request.headers.get("Last-Event-ID") or request.args.get("after")
    if match_id:
        said = dict(part.rpartition(":")[::2] for part in (said or "").split(",")).get(match_id)
    if not said:
        return None
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else -1


def _ids() -> None:
    """PL-218 What can be no id names nothing."""
    if request.method != "OPTIONS" and any(ID.fullmatch(str(fact)) is None for fact in (request.view_args or {}).values()):
        raise Problem("not_found")


def _by_status(error: HTTPException) -> Response:
    """PL-204 What Flask itself refuses: an address that is none, or another method than GET."""
    answer = _told(Problem("not_found" if error.code in {404, 405} else "malformed", status=error.code, fault=error.name))
    if error.code == 405:
        answer.headers["Allow"] = "GET, HEAD, OPTIONS"
    return answer


def _broken(error: Exception) -> Response:
    """A fault of ours: noted without the values that took part."""
    logger.error("stream_failed", error=type(error).__name__)
    return _told(Problem("internal"))


def _told(problem: Problem) -> Response:
    """PL-204 The refusal as problem details."""
    number = secrets.token_hex(8)
    body = members(**problem.body(request.path, number, spoken(request.headers.get("Accept-Language", ""))))
    later = {"Retry-After": str(problem.retry_after)} if problem.retry_after else {}
    return Response(body, status=problem.status, headers={**HEADERS, "X-Request-Id": number, **later}, content_type=MEDIA)


def _hung_up(socket: Any) -> bool:
    """Whether the client has closed its end; asked without waiting."""
    if socket is None or socket.fileno() < 0:
        return socket is not None
    poll = _plain_poll()
    poll.register(socket.fileno(), getattr(select, "POLLRDHUP", 0x2000))
    return any(found & HUNG_UP for _, found in poll.poll(0))


def _plain_poll() -> Any:
    from gevent.monkey import get_original
    return get_original("select", "poll")()


def _on_end(drain: Callable[[], None]) -> None:
    """PL-348 The signal that ends the process first says `bye` on every stream; the server's own answer to it follows."""
    before = signal.getsignal(signal.SIGTERM)

    def end(number: int, place: Any) -> None:
        drain()
        if callable(before):
            before(number, place)

    signal.signal(signal.SIGTERM, end)
