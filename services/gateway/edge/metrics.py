"""What does a gateway count, and how is it read (PL-736)? Per process: each answers /metrics with its own numbers.

Prometheus adds processes up by their `process` label, so that no files are shared and a process that has gone leaves nothing behind.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from services.gateway.edge.gate import Gate

TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The numbers of one process; labels hold no account, match or hidden fact."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.registry = CollectorRegistry()
        counter: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("cupboard_http_requests", "Requests answered", ["route", "method", "status"], **counter)
        self.seconds = Histogram("cupboard_http_request_seconds", "From receipt to answer", ["route", "method"], buckets=BUCKETS, **counter)
        self.accepted = Counter("cupboard_commands_accepted", "Inbox rows accepted", ["game", "kind", "origin"], **counter)
        self.refused = Counter("cupboard_commands_refused", "Commands refused", ["game", "code", "where"], **counter)
        self.in_time_refused = Counter("cupboard_in_time_refused", "Received in time, not accepted by our fault", ["game"], **counter)
        self.rate_limited = Counter("cupboard_rate_limited", "Refused by a rate limit", ["bucket"], **counter)
        self.queue_old = Counter("cupboard_queue_old", "Refused because a game is behind", ["game"], **counter)
        self.sign_in_failures = Counter("cupboard_sign_in_failures", "Sign-ins that failed", ["reason"], **counter)
        self.sends = Gauge("cupboard_sends_total", "Messages to workers", ["result"], **counter)
        self.clock_distance = Gauge("cupboard_clock_distance_seconds", "From this steady clock to the database's", ["process"], **counter)
        self.pool = Gauge("cupboard_db_pool_in_use", "Connections in use", ["process"], **counter)

    def text(self) -> bytes:
        gate, process = self._gate, str(os.getpid())
        self.sends.labels("sent").set(gate.doorbell.sent)
        self.sends.labels("failed").set(gate.doorbell.failed)
        self.clock_distance.labels(process).set(gate.clock.uncertain if gate.clock.uncertain != float("inf") else -1)
        self.pool.labels(process).set(gate.store.in_use)
        return generate_latest(self.registry)
