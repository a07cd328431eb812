"""What do the tests of the gateway stand on? One gateway on real Postgres and Redis, a worker of the sample game, people and bots."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import argon2
import psycopg
import pytest
from flask.testing import FlaskClient
from psycopg.rows import dict_row
from werkzeug.test import TestResponse

from services.gateway import accounts
from services.gateway.app import create_app
from services.gateway.rights import SCOPES
from services.gateway.tokens import write_token
from shared.runtime.announce import announce
from shared.runtime.servers import Server
from shared.runtime.settings import Settings, read
from shared.runtime.turn import seeds
from shared.runtime.worker import Worker
from tests.laws.pebbles.game import GAME

API = "/api/v1"
NUMBERS = itertools.count(1)
FOR_ALL = [scope for scope in SCOPES if not scope.startswith("operator") and scope != "bot:play"]


@dataclass
class Player:
    """Somebody with an account and a token; `get` and `post` speak to the API as it."""

    house: House
    id: str
    name: str
    token: str | None

    def ask(self, method: str, path: str, body: Any = None, *, key: str | None = None, headers: dict[str, str] | None = None, **more: Any) -> TestResponse:
        sent = dict(headers or {})
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if method != "GET":
            sent.setdefault("Idempotency-Key", key or f"k-{next(NUMBERS)}")
        if body is not None:
            more |= {"data": body if isinstance(body, bytes) else json.dumps(body), "content_type": more.get("content_type", "application/json")}
        return self.house.client().open(path, method=method, headers=sent, **more)

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.ask("GET", API + path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.ask("POST", API + path, body, **more)

    def put(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.ask("PUT", API + path, body, **more)

    def patch(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.ask("PATCH", API + path, body, **more)

    def delete(self, path: str, body: Any = None, **more: Any) -> TestResponse:
        return self.ask("DELETE", API + path, body, **more)

    def command(self, match: str, ask: int, command: dict[str, Any], *, key: str | None = None, headers: dict[str, str] | None = None, **more: Any) -> TestResponse:
        return self.post(f"/matches/{match}/commands", {"ask": ask, "command": command, **more}, key=key, headers=headers)


class House:
    """A gateway in this process, its database as the owner sees it, and a worker that carries out what waits when told to."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.owner = psycopg.connect(settings.database_url, autocommit=True, row_factory=dict_row)
        announce(GAME, settings)
        self.do("UPDATE games SET stage = 'league', host_chair = false")
        self._sow(1_000)     # a watch would see to it that there are always so many
        self.app = create_app(settings, attended=False)
        self.gate = self.app.extensions["gate"]
        self.gate.clock.measure(self.gate.store)
        self.worker = Worker(GAME, settings)

    def _sow(self, count: int) -> None:
        numbers = [next(NUMBERS) for _ in range(count)]
        rows = [(number, *seeds.new_seed(self.settings, number)) for number in numbers]
        with self.owner.cursor() as cursor:
            cursor.executemany("INSERT INTO seed_list (number, commitment) VALUES (%s, %s)", [row[:2] for row in rows])
            cursor.executemany("INSERT INTO seeds VALUES (%s, %s)", [(row[0], row[2]) for row in rows])

    def client(self) -> FlaskClient:
        return self.app.test_client(use_cookies=False)

    def do(self, query: str, *facts: Any) -> None:
        self.owner.execute(query, facts)

    def one(self, query: str, *facts: Any) -> Any:
        return self.owner.execute(query, facts).fetchone()

    def all(self, query: str, *facts: Any) -> list[Any]:
        return self.owner.execute(query, facts).fetchall()

    def work(self) -> None:
        self.worker.look()

    def nobody(self) -> Player:
        return Player(self, "", "", None)

    def player(self, kind: str = "person", *, roles: tuple[str, ...] = (), owner: str | None = None, scopes: list[str] | None = None) -> Player:
        number = next(NUMBERS)
        account, name = f"a-{number}", f"{kind}{number}"
        self.do("INSERT INTO accounts (account_id, name, name_key, kind, roles, owner_id) VALUES (%s, %s, %s, %s, %s, %s)",
                account, name, accounts.name_key(name), kind, list(roles), owner)
        usual = ["bot:play", "match:read"] if kind == "bot" else [*FOR_ALL, *(["operator:read", "operator:write"] if "operator" in roles else [])]
        return Player(self, account, name, self.token(account, usual if scopes is None else scopes, kind))

    def token(self, account: str, scopes: list[str], kind: str = "person", bound: dict[str, str] | None = None) -> str:
        written, token = write_token({"person": "pat", "bot": "bot", "service": "svc"}[kind])
        self.do("INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, bound_to, ends_at) VALUES "
                "(%s, %s, %s, %s, 'a test', %s, %s, now() + interval '1 day')", token.id, written.split("_")[1], account, token.secret_hash, scopes,
                json.dumps(bound or {}))
        return written

    def match(self, *players: Player, start: bool = True, **wish: Any) -> str:
        """A match in which these players sit, in this order; the first one made it."""
        host = players[0]
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in players[1:])]
        answer = host.post("/matches", {"game": "pebbles", "seats": seats, "clock": {"preset": "none"}, **wish})
        assert answer.status_code == 201, answer.json
        match = str(answer.json["match"])
        for player in players[1:]:
            assert player.post(f"/matches/{match}/seats", {}).status_code == 201
        if start:
            for player in players:
                assert player.post(f"/matches/{match}/ready", {"ready": True}).status_code in {202, 409}
            self.work()
            assert self.one("SELECT state FROM matches WHERE match_id = %s", match)["state"] != "open", self.why(match)
        return match

    def why(self, match: str) -> str:
        """What keeps a match where it is: its state, the fault it is stuck at, and its rows."""
        facts = self.one("SELECT m.state, s.step, t.error FROM matches m JOIN match_states s USING (match_id) LEFT JOIN stuck_matches t USING (match_id) "
                         "WHERE m.match_id = %s", match)
        return f"{match}: {facts}, {[(row['arrival'], row['kind'], row['outcome'], row['code']) for row in self.rows(match)]}"

    def open_ask(self, match: str, *, needed: bool = True) -> dict[str, Any]:
        """The open needed ask of the lowest seat."""
        row = self.one("SELECT * FROM asks WHERE match_id = %s AND needed >= %s ORDER BY seat LIMIT 1", match, needed)
        assert row is not None, self.why(match)
        return {**row, "body": json.loads(row["body"])}

    def rows(self, match: str) -> list[Any]:
        return self.all("SELECT * FROM inbox WHERE match_id = %s ORDER BY arrival", match)

    def play_out(self, match: str, *players: Player) -> None:
        """Everybody does the safe thing until the match is over."""
        until = time.monotonic() + 10
        while self.one("SELECT state FROM matches WHERE match_id = %s", match)["state"] == "running":
            assert time.monotonic() < until
            rows = self.all("SELECT seat, ask, body FROM asks WHERE match_id = %s AND needed", match)
            if not rows:
                advance = json.dumps({"kind": "advance", "by": "operator", "reason": "no clock runs in this match"})
                self.do("SELECT accept_own(%s, 'order', NULL, NULL, %s, NULL, 0, %s)", match, advance, f"c-t{next(NUMBERS)}")
            for row in rows:
                players[row["seat"]].command(match, row["ask"], json.loads(row["body"])["on_timeout"], seat=row["seat"])
            self.work()


@pytest.fixture(scope="session")
def house(postgres_server: Server, migrated: str, redis_server: Server, servers_folder: Path) -> Iterator[House]:
    """One for all tests of this folder: they meet nowhere, since each makes its own people and matches."""
    with psycopg.connect(postgres_server.url, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE gateway_house TEMPLATE {migrated}")
    url = urlunsplit(urlsplit(postgres_server.url)._replace(path="/gateway_house"))
    cheap = accounts.HASHER
    accounts.HASHER = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    built = House(read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": url, "REDIS_URL": redis_server.url, "CUPBOARD_RATE_LIMIT_FACTOR": "100",
                        "CUPBOARD_STREAM_URL": "http://127.0.0.1:8001", "CUPBOARD_FOLDER": str(servers_folder / "house")}))
    yield built
    accounts.HASHER = cheap
    built.gate.close()
    built.worker.database.close()
    built.owner.close()


@pytest.fixture
def ada(house: House) -> Player:
    return house.player()


@pytest.fixture
def bob(house: House) -> Player:
    return house.player()


@pytest.fixture
def nobody(house: House) -> Player:
    return house.nobody()


@pytest.fixture
def match(house: House, ada: Player, bob: Player) -> str:
    """A running match of two."""
    return house.match(ada, bob)
