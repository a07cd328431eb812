"""How often may somebody ask (PL-666, PL-667)? Counted here, shared through Redis a few times a second, never waiting for it.

A request is counted in memory and answered at once; a thread adds the counts of all gateways up in Redis. So a limit
costs no round trip, a Redis that hangs delays nobody, and without Redis each process keeps to its share.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from services.gateway.problems import Problem
from services.gateway.rights import Caller
from shared.runtime.settings import Settings

WINDOW_S = 60
# Requests a minute of one token or one browser; an account may come to three times as many over all its tokens.
A_MINUTE: Mapping[str, int] = {"sign_in": 30, "commands": 6_000, "reads": 6_000, "streams": 120, "creations": 1_200, "management": 300, "talk": 30}
ACCOUNT_FACTOR = 3
MOST_OWNERS = 50_000    # tokens of which this process remembers whose they are


class Verdict(NamedTuple):
    """What the answer's RateLimit fields say."""

    bucket: str
    limit: int
    left: int
    resets_s: int

    @property
    def headers(self) -> dict[str, str]:
        return {"RateLimit-Policy": f'"{self.bucket}";q={self.limit};w={WINDOW_S}', "RateLimit": f'"{self.bucket}";r={self.left};t={self.resets_s}'}


class Count:
    """The requests of one subject in one window: what others told, and what is still to be told to them."""

    __slots__ = ("others", "own", "untold")

    def __init__(self) -> None:
        self.others, self.own, self.untold = 0, 0, 0

    @property
    def total(self) -> int:
        return self.others + self.own


Name = tuple[str, str, int]     # bucket, subject, window


class Limits:
    """The counts of this process."""

    def __init__(self, settings: Settings) -> None:
        self._counts: dict[Name, Count] = {}
        self._lock = threading.Lock()
        self._redis = redis.Redis.from_url(settings.redis_of("limits"), socket_timeout=0.5, socket_connect_timeout=0.5,
                                           retry=Retry(NoBackoff(), 0))     # the next share comes soon enough
        self._processes, self._factor = settings.gateway_processes, settings.rate_limit_factor
        self.shared = True
        self._owners: dict[str, str] = {}

    def hit(self, bucket: str, caller: Caller, cost: int = 1) -> Verdict:
        """Counts the request, as several where it costs as much; raises `rate_limited` where it is one too many."""
        limit = A_MINUTE[bucket] * self._factor
        verdict = self._count(bucket, f"t:{caller.token}" if caller.token else f"s:{caller.session}" if caller.session else f"i:{caller.address}", limit, cost)
        account = caller.account or self._owners.get(caller.token or "")
        if account is not None:
            self._count(bucket, f"a:{account}", limit * ACCOUNT_FACTOR, cost)
        return verdict

    def learned(self, token: str, account: str) -> None:
        """PL-666 Whose token that is: the path of a single command knows it only once the command is stored, and counts it from then on."""
        if token not in self._owners:
            if len(self._owners) >= MOST_OWNERS:
                self._owners.clear()
            self._owners[token] = account

    def paced(self, subject: str, most: int) -> None:
        """One more of what a player may do only `most` times a minute."""
        self._count("pace", subject, most * self._factor)

    def _count(self, bucket: str, subject: str, limit: int, cost: int = 1) -> Verdict:
        now = time.time()
        window, passed = divmod(now, WINDOW_S)
        allowed = limit if self.shared else max(1, limit // self._processes)
        with self._lock:
            before = self._counts.get((bucket, subject, int(window) - 1))
            count = self._counts.setdefault((bucket, subject, int(window)), Count())
            used = count.total + (before.total if before else 0) * (1 - passed / WINDOW_S)
            resets = max(1, int(WINDOW_S - passed))
            if used >= allowed:
                raise Problem("rate_limited", retry_after=resets)
            count.own += cost
            count.untold += cost
        return Verdict(bucket, limit, max(0, int(allowed - used - cost)), resets)

    def share(self) -> None:
        """Adds this process's counts to everybody's; called a few times a second, from a thread that may wait."""
        with self._lock:
            told = {name: count.untold for name, count in self._counts.items() if count.untold}
        try:
            totals = self._add_up(told) if told or not self.shared else []
        except redis.RedisError:
            self.shared = False
            return
        self.shared = True
        oldest = int(time.time() / WINDOW_S) - 1
        with self._lock:
            for (name, amount), total in zip(told.items(), totals, strict=False):
                count = self._counts[name]
                count.untold -= amount
                count.others = max(0, total - (count.own - count.untold))
            for name in [name for name in self._counts if name[2] < oldest]:
                del self._counts[name]

    def _add_up(self, told: Mapping[Name, int]) -> list[int]:
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.ping()
            for (bucket, subject, window), amount in told.items():
                pipeline.incrby(f"limit:{bucket}:{subject}:{window}", amount)
            for bucket, subject, window in told:
                pipeline.expire(f"limit:{bucket}:{subject}:{window}", 2 * WINDOW_S)
            return list(pipeline.execute())[1:len(told) + 1]
