"""How does a test set up matches without a gateway? Rows as the gateway writes them, and commands through T1."""

from __future__ import annotations

import hashlib
import itertools
import json
from typing import Any

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from shared.kernel.game import Game
from shared.runtime.announce import announce
from shared.runtime.settings import Settings
from shared.runtime.turn import seeds

NUMBERS = itertools.count(1)


class Hall:
    """A database seen as its owner: accounts, matches, commands and what became of them."""

    def __init__(self, settings: Settings, game: Game) -> None:
        self.settings, self.game = settings, game
        self.connection = psycopg.connect(settings.database_url, autocommit=True, row_factory=dict_row)
        announce(game, settings)

    def account(self, name: str | None = None) -> str:
        account = f"a-{next(NUMBERS)}"
        name = name or account
        self.connection.execute(
            "INSERT INTO accounts (account_id, name, name_key, kind) VALUES (%s, %s, %s, 'person')", (account, name, name.casefold()))
        return account

    def match(self, seats: int, *, options: dict[str, Any] | None = None, clock: dict[str, Any] | None = None,
              bots: dict[int, str] | None = None, start: bool = True) -> str:
        """An open match with its seats held by new accounts, started unless told otherwise."""
        match = f"m-{next(NUMBERS)}"
        number = self._seed_number(match)
        self.connection.execute(
            "INSERT INTO matches (match_id, game, version, pack_hash, options, clock, seats, visibility, opponents, seed_number, expires_at) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s, 'public', 'mixed', %s, now() + interval '1 day')",
            (match, self.game.name, self.game.version, self.game.pack_hash, Jsonb(options or {}),
             Jsonb(clock or {"preset": "none"}), seats, number))
        for seat in range(seats):
            level = (bots or {}).get(seat)
            self.connection.execute(
                "INSERT INTO seats (match_id, seat, kind, account_id, bot_level) VALUES (%s, %s, %s, %s, %s)",
                (match, seat, "bot" if level else "held", None if level else self.account(), level))
        self.connection.execute("INSERT INTO inbox_heads (match_id) VALUES (%s)", (match,))
        self.connection.execute(
            "INSERT INTO match_states (match_id, game, version) VALUES (%s, %s, %s)", (match, self.game.name, self.game.version))
        if start:
            self.own(match, "start")
        return match

    def _seed_number(self, match: str) -> int:
        """The lowest unused one, as the gateway takes it, or one more where a watch has not yet made any."""
        row = self.one("UPDATE seed_list SET used_by = %s WHERE number = (SELECT number FROM seed_list WHERE used_by IS NULL "
                       "ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING number", match)
        if row is not None:
            return int(row["number"])
        with self.connection.transaction():
            self.connection.execute("SELECT pg_advisory_xact_lock(7001)")  # as a watch does that lengthens the list
            number = int(self.one("SELECT coalesce(max(number), 0) + 1 AS number FROM seed_list")["number"])
            promise, sealed = seeds.new_seed(self.settings, number)
            self.connection.execute("INSERT INTO seed_list (number, commitment, used_by) VALUES (%s, %s, %s)", (number, promise, match))
            self.connection.execute("INSERT INTO seeds VALUES (%s, %s)", (number, sealed))
        return number

    def own(self, match: str, kind: str, seat: int | None = None, ask: int | None = None, body: dict[str, Any] | None = None) -> int | None:
        row = self.one("SELECT accept_own(%s, %s, %s, %s, %s, NULL, 0, %s) AS arrival",
                       match, kind, seat, ask, json.dumps(body or {}), f"c-{next(NUMBERS)}")
        return row["arrival"]

    def post(self, match: str, seat: int | None, ask: int | None, body: Any, **more: Any) -> dict[str, Any]:
        """T1 for the holder of a seat; the acceptance as a row."""
        holder = self.one("SELECT account_id FROM seats WHERE match_id = %s AND seat = %s", match, seat)
        raw = json.dumps(body)
        facts = {"match": match, "account": holder["account_id"], "seat": seat, "kind": "command", "ask": ask, "seen": None,
                 "key": f"k-{next(NUMBERS)}", "body": raw, "hash": hashlib.sha256(raw.encode()).digest(), "received": None,
                 "command": f"c-{next(NUMBERS)}", "waiting": 64} | more
        return self.one(
            "SELECT * FROM accept(%(match)s, %(account)s, %(seat)s, %(kind)s, %(ask)s, %(seen)s, %(key)s, %(body)s, %(hash)s, "
            "coalesce(%(received)s, clock_timestamp()), %(command)s, 1500, %(waiting)s, NULL)", **facts)

    def one(self, query: str, *facts: Any, **named: Any) -> Any:
        return self.connection.execute(query, named or facts).fetchone()

    def all(self, query: str, *facts: Any) -> list[Any]:
        return self.connection.execute(query, facts).fetchall()

    def asks(self, match: str, *, needed: bool = True) -> list[Any]:
        return [row | {"body": json.loads(row["body"])}
                for row in self.all("SELECT * FROM asks WHERE match_id = %s AND needed >= %s ORDER BY seat", match, needed)]

    def state(self, match: str) -> str:
        return str(self.one("SELECT state FROM matches WHERE match_id = %s", match)["state"])

    def outcomes(self, match: str) -> list[tuple[str | None, str | None]]:
        """Outcome and code of every row, in order of arrival."""
        return [(row["outcome"], row["code"]) for row in self.all("SELECT * FROM inbox WHERE match_id = %s ORDER BY arrival", match)]

    def steps(self, match: str) -> list[Any]:
        return self.all("SELECT * FROM steps WHERE match_id = %s ORDER BY step", match)

    def aged(self, match: str, seconds: float) -> None:
        """All that waits in this match has waited for so long."""
        self.connection.execute("UPDATE inbox SET accepted_at = accepted_at - %s * interval '1 second' WHERE match_id = %s AND outcome IS NULL",
                                (seconds, match))

    def back_dated(self, match: str, seconds: float) -> None:
        """Everything that this match is timed by began so much earlier, in its rows and in what the worker keeps."""
        ms = int(seconds * 1000)
        house = json.loads(self.one("SELECT house FROM match_states WHERE match_id = %s", match)["house"])
        for running in [*house["asks"].values(), *filter(None, [house["phase"], house["no_show"]])]:
            running |= {name: running[name] - ms for name in ("opened", "since", "due") if running[name] is not None}
        self.connection.execute("UPDATE match_states SET house = %s WHERE match_id = %s", (json.dumps(house), match))
        self.connection.execute("UPDATE asks SET opened_at = opened_at - %(ms)s * interval '1 ms', since_at = since_at - %(ms)s * interval '1 ms', "
                                "due_at = due_at - %(ms)s * interval '1 ms' WHERE match_id = %(match)s", {"ms": ms, "match": match})
        self.connection.execute("UPDATE timers SET due_at = due_at - %s * interval '1 ms' WHERE match_id = %s", (ms, match))

    def close(self) -> None:
        self.connection.close()
