"""How do processes wake each other? Doorbells go to a game's Celery queue, bells to whoever reads; neither carries news."""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
import uuid
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import redis
from celery import Celery

from shared.runtime.settings import Settings

CHANNEL = "bells"
LOOK = "look"  # the one task of a game's worker
BUSY = 4, 0.02  # so many commands in so many seconds: a worker is at them anyway, so that its messages may gather
GATHER = 0.006

log = logging.getLogger("cupboard.bell")


def queue_name(game: str, version: int) -> str:
    """PL-328 Each game and version has a queue of its own."""
    return f"turns.{game}.{version}"


def sender(settings: Settings) -> Celery:
    """A Celery application that only sends, and gives up soon (PL-327)."""
    app = Celery("cupboard", broker=settings.broker, set_as_current=False)
    app.conf.update(
        task_serializer="json", accept_content=["json"], task_ignore_result=True, task_publish_retry=False,
        broker_connection_timeout=settings.publish_timeout, broker_transport_options=transport(settings.publish_timeout, settings),
    )
    return app


def transport(timeout: float, settings: Settings) -> dict[str, Any]:
    return {
        "visibility_timeout": settings.visibility_timeout, "unacked_restore_interval": 5, "unacked_restore_throttle": 1,
        "socket_timeout": timeout, "socket_connect_timeout": min(1.0, timeout), "socket_keepalive": True, "health_check_interval": 5,
    }


class Doorbell:
    """Sends for a worker after the commit, from a thread of its own: accepting is never delayed by it.

    While one message is being sent, further matches gather and go out together with the next; in busy times for some
    milliseconds more, since a message costs as much processor time as a command. A lone command never waits for it.
    """

    def __init__(self, settings: Settings) -> None:
        self._app = sender(settings)
        self._waiting: queue.SimpleQueue[tuple[str, str, int]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.sent = 0
        self.failed = 0

    def send(self, game: str, version: int, match_id: str, arrival: int) -> None:
        self._waiting.put((queue_name(game, version), match_id, arrival))
        if self._thread is None or not self._thread.is_alive():  # begun late: never before a fork
            self._thread = threading.Thread(target=self._run, name="doorbell", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        recent: deque[float] = deque([0.0] * BUSY[0], maxlen=BUSY[0])  # when the last commands were sent for
        while True:
            gathered = [self._waiting.get()]
            if time.monotonic() - recent[0] < BUSY[1]:
                time.sleep(GATHER)
            while not self._waiting.empty():
                gathered.append(self._waiting.get())
            recent.extend([time.monotonic()] * len(gathered))
            self._send(gathered)

    def _send(self, gathered: Iterable[tuple[str, str, int]]) -> None:
        matches: dict[str, dict[str, int]] = defaultdict(dict)
        for name, match_id, arrival in gathered:
            matches[name][match_id] = arrival
        for name, looks in matches.items():
            self.failed += not self.send_now(name, looks)
            self.sent += 1

    def send_now(self, name: str, looks: dict[str, int]) -> bool:
        """PL-326 One message: look at these matches. False if Redis did not take it; the watch sends again.

        The same message that `send_task` makes, without what that looks up for tasks of any kind: it costs a third less.
        """
        message = self._app.amqp.create_task_message(str(uuid.uuid4()), LOOK, [looks], expires=120, ignore_result=True, argsrepr="", kwargsrepr="")
        try:
            with self._app.producer_or_acquire() as producer:
                producer.publish(message.body, exchange="", routing_key=name, headers=message.headers, serializer="json", retry=False,
                                 delivery_mode=2, **message.properties)
        except Exception as error:  # noqa: BLE001 - whatever the broker does, accepting goes on
            log.warning("doorbell_failed", extra={"queue": name, "error": type(error).__name__})
            return False
        return True


class Bell:
    """Rings after the commit of a step: match and step, no news (PL-334)."""

    def __init__(self, settings: Settings) -> None:
        self._redis = redis.Redis.from_url(settings.redis_of("bells"), socket_timeout=0.5, socket_connect_timeout=0.5)

    def ring(self, steps: Iterable[tuple[str, int]]) -> bool:
        """False if nobody can have heard it; readers then find the step at their next poll."""
        try:
            self._redis.publish(CHANNEL, json.dumps(list(steps)))
        except redis.RedisError:
            return False
        return True


class Listener:
    """Wakes threads of one process when a bell rings for their match."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.redis_of("bells")
        self._waiting: dict[str, list[threading.Event]] = defaultdict(list)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def listening(self, match_id: str) -> Iterator[threading.Event]:
        """An event that every bell for the match sets: listen first, look second, then wait for it."""
        rung = threading.Event()
        with self._lock:
            self._waiting[match_id].append(rung)
            self._begin()
        try:
            yield rung
        finally:
            with self._lock:
                self._waiting[match_id].remove(rung)
                if not self._waiting[match_id]:
                    del self._waiting[match_id]

    def _begin(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=listen, args=(self._url, self._wake), name="bells", daemon=True)
            self._thread.start()

    def _wake(self, steps: list[tuple[str, int]]) -> None:
        with self._lock:
            for match_id, _ in steps:
                for rung in self._waiting.get(match_id, ()):
                    rung.set()


def listen(url: str, heard: Callable[[list[tuple[str, int]]], None]) -> None:
    """Calls `heard` for every bell, for ever; a lost Redis is tried again every half second."""
    again = threading.Event()
    while True:
        try:
            with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=1) as connection, connection.pubsub() as pubsub:
                pubsub.subscribe(CHANNEL)
                while True:
                    message = pubsub.get_message(ignore_subscribe_messages=True, timeout=4)
                    if message is not None:
                        heard(_rung(message["data"]))
        except redis.RedisError:
            again.wait(0.5)


def _rung(said: bytes) -> list[tuple[str, int]]:
    """PL-815 Whoever can write to Redis can make readers look, and nothing else: what is no bell wakes nobody."""
    try:
        return [(str(match_id), int(step)) for match_id, step in json.loads(said)]
    except (ValueError, TypeError, RecursionError):
        return []
