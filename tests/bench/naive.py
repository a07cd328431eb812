"""What would a plain queue do? The same game and tables, but the command travels in the Celery message and every turn commits alone.

Honest and simple: a Flask route checks the token and sends a task; the task locks the match, plays, writes row by row, commits, and rings the
same bell. No inbox, so nothing is on disk when the client hears 202, and a lost message is a lost command.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import msgspec
import orjson
import psycopg
from celery import Celery
from flask import Flask, Response, request
from psycopg.rows import dict_row

from services.gateway.tokens import read_token
from shared.desk.serve import gunicorn
from shared.kernel.match import restored
from shared.runtime.bell import Bell
from shared.runtime.settings import Settings, read
from shared.runtime.store import Database
from shared.runtime.turn.house import House
from shared.runtime.turn.rows import Row
from shared.runtime.turn.take import Take
from shared.runtime.turn.writing import SQL, Rows
from shared.runtime.worker import Worker
from tests.bench.game import GAME

QUEUE = "naive"
CHILDREN = 4  # more than cores, since each waits for its own commit
HOLDER = ("SELECT t.secret_hash FROM tokens t JOIN seats s USING (account_id) WHERE t.token_id = %(token)s AND s.match_id = %(match)s "
          "AND s.seat = %(seat)s AND t.revoked_at IS NULL AND t.ends_at > now()")
MOMENTS = {"at", "opened_at", "since_at", "due_at", "remind_at"}
NAMES = {"opened": "opened_at", "since": "since_at", "due": "due_at", "remind": "remind_at"}
KEYS = {"views": "match_id", "asks": "match_id, seat"}


def celery_of(settings: Settings) -> Celery:
    app = Celery("naive", broker=settings.broker, set_as_current=False)
    app.conf.update(task_default_queue=QUEUE, task_ignore_result=True, broker_connection_retry_on_startup=True)
    return app


def create_app() -> Flask:
    settings = read(process="gateway")
    app, queue, database = Flask("naive"), celery_of(settings), Database(settings.database_of("gateway"), settings, "naive")

    @app.get("/health/ready")
    def ready() -> str:
        return "ready"

    @app.post("/api/v1/matches/<match>/commands")
    def post(match: str) -> Response:
        token, wish = read_token(request.headers["Authorization"].removeprefix("Bearer ")), orjson.loads(request.get_data())
        row = database.one(HOLDER, token=token.id, match=match, seat=wish["seat"])
        if row is None or bytes(row["secret_hash"]) != token.secret_hash:
            return Response(b"{}", 403)
        task = queue.send_task("play", args=[match, wish["seat"], wish["ask"], wish["command"]])
        return Response(orjson.dumps({"task": task.id}), 202, content_type="application/json")

    return app


class Player:
    """One child of the worker: its connection and its bell."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.connection = psycopg.connect(settings.database_of("worker"), row_factory=dict_row)
        self.bell = Bell(settings)
        self.deals = Worker(GAME, settings)

    def play(self, match_id: str, seat: int, ask: int, command: dict[str, Any]) -> None:
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.execute(SQL.lock, {"match_id": match_id})
            old = cursor.execute(SQL.locked, {"matches": [match_id]}).fetchone()
            assert old is not None
            with self.deals.database.transaction() as transaction:
                deal, rated = self.deals._deal(transaction, match_id)
            match, house = restored(GAME, old["match"].encode()), msgspec.json.decode(old["house"], type=House)
            take = Take(deal, old["state"], match, house, int(old["now"]), lambda _: {})
            take.carry_out(Row(old["step"] + 1, "command", seat, ask, orjson.dumps(command).decode(), int(old["now"])))
            rows = Rows()
            rows.add(self.settings, take, old, rated=rated)
            self._write(cursor, rows)
        assert take.match is not None
        self.bell.ring([(match_id, take.match.step)])

    def _write(self, cursor: psycopg.Cursor[Any], rows: Rows) -> None:
        """Row by row, as one writes it first."""
        for state in rows.tables["states"]:
            cursor.execute("UPDATE match_states SET step = %(step)s, match = %(match)s, house = %(house)s, chain = %(chain)s WHERE match_id = %(match_id)s", state)
            cursor.execute("DELETE FROM asks WHERE match_id = %(match_id)s AND seat <> ALL (%(asked)s)", state)
        for table in ("steps", "letters", "views", "asks"):
            for row in rows.tables[table]:
                cursor.execute(statement(table, list(row)), row)


def statement(table: str, given: list[str]) -> str:
    names = {name: NAMES.get(name, name) for name in given}
    values = ", ".join(f"to_timestamp(%({name})s::float8 / 1000.0)" if column in MOMENTS else f"%({name})s" for name, column in names.items())
    columns = ", ".join(f'"{column}"' for column in names.values())
    again = ", ".join(f'"{column}" = excluded."{column}"' for column in names.values())
    ending = f" ON CONFLICT ({KEYS[table]}) DO UPDATE SET {again}" if table in KEYS else ""
    return f"INSERT INTO {table} ({columns}) VALUES ({values}){ending}"


def worker() -> None:
    settings = read(process="worker")
    app = celery_of(settings)
    here: dict[str, Player] = {}

    @app.task(name="play")  # type: ignore[untyped-decorator]
    def play(match: str, seat: int, ask: int, command: dict[str, Any]) -> None:
        if "player" not in here:
            here["player"] = Player(settings)
        here["player"].play(match, seat, ask, command)

    app.worker_main(["--quiet", "worker", "--loglevel=warning", f"--concurrency={CHILDREN}", f"--hostname=naive-{os.getpid()}@%h"])


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        worker()
    else:
        own = read(process="gateway")
        gunicorn("tests.bench.naive:create_app()", {
            "bind": f"{own.host}:{own.port}", "workers": own.gateway_processes, "worker-class": "gthread", "threads": own.gateway_threads,
            "keep-alive": 30})
