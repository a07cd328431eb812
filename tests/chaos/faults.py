"""What goes wrong, and when? A list of faults from a seed, bounded in number and time (PL-683, PL-786)."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

import psutil
import redis

from shared.runtime.bell import queue_name
from shared.runtime.servers import Server
from tests.laws.pebbles.game import GAME
from tests.stand import Stand

CALM = 1.0  # seconds before the first fault, and after the last
FROZEN = 2.5  # seconds for which somebody stands still; more than the fence of the chaos run
DOWN = 0.6  # seconds without a server


class Fault(NamedTuple):
    """One thing that goes wrong, at a time after the start."""

    at: float
    kind: str


def planned(seed: int, seconds: float) -> list[Fault]:
    """Every kind once, in an order and at times that the seed decides, then again as long as there is time."""
    dice = random.Random(f"faults|{seed}")
    kinds: list[str] = []
    while len(kinds) < max(len(KINDS), int(seconds)):
        kinds += dice.sample(sorted(KINDS), len(KINDS))
    kinds = kinds[:max(len(KINDS), int(seconds))]
    times = sorted(CALM + dice.random() * (seconds - 2 * CALM) for _ in kinds)
    return [Fault(round(at, 2), kind) for at, kind in zip(times, kinds, strict=True)]


def carried_out(stand: Stand, faults: list[Fault]) -> Iterator[Fault]:
    """Waits for the time of each and lets it happen; what was stopped goes on after a while."""
    began = time.monotonic()
    thaw_at = float("inf")
    for fault in faults:
        while (left := fault.at - (time.monotonic() - began)) > 0:
            time.sleep(min(left, 0.05))
            if time.monotonic() >= thaw_at:
                stand.thaw()
                thaw_at = float("inf")
        yield fault
        KINDS[fault.kind](stand)
        if fault.kind.startswith("stop"):
            thaw_at = time.monotonic() + FROZEN
    time.sleep(FROZEN if thaw_at < float("inf") else 0.0)
    stand.thaw()
    for act in ("die", "stop"):
        for left_over in stand.folder.glob(f"{act}.*"):
            left_over.unlink(missing_ok=True)


def _kill(name: str) -> Callable[[Stand], None]:
    def act(stand: Stand) -> None:
        child = stand.children.get(name)
        if child is not None and child.poll() is None:
            child.kill()
    return act


def _to_a_child(number: signal.Signals) -> Callable[[Stand], None]:
    def act(stand: Stand) -> None:
        for child in stand.family("worker")[-1:]:
            with suppress(psutil.NoSuchProcess):
                os.kill(child.pid, number)
    return act


def _at_point(act: str, point: str) -> Callable[[Stand], None]:
    return lambda stand: (stand.folder / f"{act}.{point}").touch()


def _restart(server_of: Callable[[Stand], Server], down: float) -> Callable[[Stand], None]:
    def act(stand: Stand) -> None:
        server = server_of(stand)
        server.kill()
        time.sleep(down)
        server.start()
    return act


def _in_redis(act: Callable[[redis.Redis], object]) -> Callable[[Stand], None]:
    def do(stand: Stand) -> None:
        with suppress(redis.RedisError), redis.Redis.from_url(stand.settings.broker, socket_timeout=1) as connection:
            act(connection)
    return do


KINDS: dict[str, Callable[[Stand], None]] = {
    "kill worker": _kill("worker"),
    "kill watch": _kill("watch"),
    "kill gateway": _kill("gateway"),
    "kill child": _to_a_child(signal.SIGKILL),
    "stop child": _to_a_child(signal.SIGSTOP),
    "stop inside the transaction": _at_point("stop", "before_commit"),
    "die before the commit": _at_point("die", "before_commit"),
    "die after the commit": _at_point("die", "after_commit"),
    "die after the bell": _at_point("die", "after_bell"),
    "kill redis": _restart(lambda stand: stand.redis, DOWN),
    "kill postgres": _restart(lambda stand: stand.postgres, 0.0),
    "flush redis": _in_redis(lambda connection: connection.flushall()),
    "lose messages": _in_redis(lambda connection: connection.delete(queue_name(GAME.name, GAME.version))),
}
