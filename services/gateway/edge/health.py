"""Does this process answer, can it do its work, and what has it counted (PL-736, PL-739)?"""

from __future__ import annotations

from flask import Flask, Response

from services.gateway.edge.gate import Gate, gate
from services.gateway.edge.metrics import TYPE
from services.gateway.edge.routes import raw
from services.gateway.store import SQL
from shared.runtime.migrate import FOLDER, migrations_in
from shared.runtime.store import FateUnknown, Unavailable

NEWEST = max(migration.number for migration in migrations_in(FOLDER))


def register(app: Flask) -> None:
    app.add_url_rule("/health/live", "live", live)
    app.add_url_rule("/health/ready", "ready", ready)
    app.add_url_rule("/metrics", "metrics", metrics)


def live() -> Response:
    return raw(b'{"live":true}')


def ready() -> Response:
    """PL-739 Redis is not asked: without it everything works, only slower."""
    missing = lacking(gate())
    names = ",".join(f'"{name}"' for name in missing)
    return raw(f'{{"ready":{"false" if missing else "true"},"missing":[{names}]}}', 503 if missing else 200)


def lacking(house: Gate) -> list[str]:
    missing = ["draining"] if house.draining else []
    try:
        row = house.store.one(SQL.newest_migration)
        if row is None or (row["number"] or 0) < NEWEST:
            missing.append("migration")
    except (Unavailable, FateUnknown):
        return [*missing, "database"]
    if not house.clock.good:
        missing.append("clock_distance")
    return missing


def metrics() -> Response:
    return Response(gate().metrics.text(), content_type=TYPE)
