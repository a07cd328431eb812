"""What do these tests stand on? A real database, an organisation with accounts, acts placed as the gateway would, and a match service of statements."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from services.league.inbox.office import Office
from services.league.kind import Kind
from shared.runtime.settings import Settings
from tests.league.inbox.duels import DUELS

GAME, ORG = "pairs", "o-1"
KINDS = {"tournament": DUELS}


class Hall:
    """The database as its owner sees it."""

    def __init__(self, settings: Settings, seeds: int = 400) -> None:
        self.settings = settings
        self.database = psycopg.connect(settings.database_url, row_factory=dict_row, autocommit=True)
        self.do("INSERT INTO games (game, version, title, stage, seats, options, presets, bots, languages, host_chair, absent_after, pack_hash, schemas, words)"
                " VALUES (%s, 1, 'Pairs', 'league', %s, %s, %s, '{}', '{en}', false, 3, 'hash', '{}', '{}')",
                GAME, Jsonb({"default": [2, 3, 4, 5], "when": []}), Jsonb({"type": "object", "properties": {}, "additionalProperties": False}),
                Jsonb({"quick": {"throw": 15}}))
        self.do("INSERT INTO pulses VALUES (%s, 'watch', clock_timestamp())", f"watch-{GAME}-1")
        self.do("INSERT INTO seed_list (number, commitment) SELECT n, 'c' || n FROM generate_series(1, %s::int) n", seeds)
        self.account("host", "person")
        self.do("INSERT INTO organisations (organisation_id, name, name_key, created_by) VALUES (%s, 'Club', 'club', 'host')", ORG)
        self.do("INSERT INTO organisation_chains (organisation_id) VALUES (%s)", ORG)
        self.do("INSERT INTO organisation_roles VALUES (%s, 'host', 'owner', 'host')", ORG)

    def do(self, statement: str, *facts: Any) -> int:
        return self.database.execute(statement, facts).rowcount

    def all(self, statement: str, *facts: Any) -> list[dict[str, Any]]:
        return self.database.execute(statement, facts).fetchall()

    def one(self, statement: str, *facts: Any) -> dict[str, Any]:
        [row] = self.all(statement, *facts)
        return row

    def account(self, name: str, kind: str = "bot") -> str:
        self.do("INSERT INTO accounts (account_id, name, name_key, kind) VALUES (%s, %s, %s, %s)", name, name, name, kind)
        return name

    # Acts ------------------------------------------------------------------------------------------------------------

    def made(self, office: Office, kind: str = "tournament", **settings: Any) -> str:
        """A competition whose `create` has been decided."""
        name = f"{kind[0]}-{secrets.token_hex(4)}"
        with self.database.transaction():
            self.do("INSERT INTO competitions (competition_id, kind, organisation_id, created_by, seed) VALUES (%s, %s, %s, 'host', %s)",
                    name, kind, ORG, bytes(range(32)))
            self.do("INSERT INTO competition_inbox (competition_id) VALUES (%s)", name)
            self.act(name, "create", {"settings": {"name": name, "game": GAME, **settings}})
        office.drain(name)
        return name

    def act(self, competition: str, kind: str, body: Mapping[str, Any] | None = None, *, by: str = "host", roles: Sequence[str] = ("owner",)) -> str:
        act = f"c-{secrets.token_hex(6)}"
        self.one("SELECT place_act(%s, %s, %s, %s, %s, NULL, %s, NULL, 64) AS arrival", competition, act, kind, json.dumps(body or {}), by, list(roles))
        return act

    def outcome(self, act: str) -> dict[str, Any]:
        row = self.one("SELECT * FROM competition_acts WHERE act_id = %s", act)
        return {**row, "answer": json.loads(row["answer"]) if row["answer"] else None}

    def field(self, competition: str, office: Office, count: int) -> list[str]:
        """So many bots enter, and it begins."""
        accounts = [self.account(f"{competition}-{number:03}") for number in range(count)]
        for account in accounts:
            self.act(competition, "enter", by=account, roles=("self",))
        office.drain(competition)
        self.act(competition, "start")
        office.drain(competition)
        return accounts

    # Matches ---------------------------------------------------------------------------------------------------------

    def open_matches(self, competition: str) -> list[str]:
        rows = self.all("SELECT o.match_id FROM competition_matches o JOIN matches m USING (match_id) WHERE o.competition_id = %s"
                        " AND m.state IN ('open', 'running') ORDER BY o.event, o.pairing", competition)
        return [row["match_id"] for row in rows]

    def finish(self, match_id: str, places: Sequence[int] | None = None, *, tell: bool = True) -> None:
        """As a worker does: result, state and outbox in one transaction; by default the first account by name wins, and so on."""
        with self.database.transaction():
            seats = self.all("SELECT seat, account_id FROM seats WHERE match_id = %s ORDER BY seat", match_id)
            order = sorted(seat["account_id"] for seat in seats)
            placed = places or [order.index(seat["account_id"]) + 1 for seat in seats]
            self.do("UPDATE matches SET state = 'finished', ended_at = clock_timestamp() WHERE match_id = %s", match_id)
            self.do("INSERT INTO results (match_id, game, step, rated, ended_at) VALUES (%s, %s, 9, false, clock_timestamp())", match_id, GAME)
            for seat, place in zip(seats, placed, strict=True):
                self.do("INSERT INTO result_seats (match_id, seat, account_id, place, table_place, score, how) VALUES (%s, %s, %s, %s, %s, 0, 'played')",
                        match_id, seat["seat"], seat["account_id"], place, place)
            if tell:
                self.tell(match_id, 9, "match.finished")

    def end(self, match_id: str, state: str) -> None:
        with self.database.transaction():
            self.do("UPDATE matches SET state = %s, ended_at = clock_timestamp() WHERE match_id = %s", state, match_id)
            self.do("UPDATE results SET voided_at = clock_timestamp() WHERE match_id = %s", match_id)
            self.tell(match_id, 10, f"match.{state}")

    def tell(self, match_id: str, step: int, topic: str) -> None:
        self.do("INSERT INTO outbox (match_id, step, topic, body) VALUES (%s, %s, %s, '{}')", match_id, step, topic)

    # Reading ---------------------------------------------------------------------------------------------------------

    def row(self, competition: str) -> dict[str, Any]:
        return self.one("SELECT * FROM competitions WHERE competition_id = %s", competition)

    def page(self, competition: str, name: str) -> Any:
        rows = self.all("SELECT body FROM competition_pages WHERE competition_id = %s AND name = %s ORDER BY part", competition, name)
        return json.loads(rows[0]["body"]) if rows else None

    def events(self, competition: str) -> list[str]:
        return [row["kind"] for row in self.all("SELECT kind FROM competition_events WHERE competition_id = %s ORDER BY number", competition)]


@pytest.fixture
def kinds() -> Mapping[str, Kind]:
    return KINDS


@pytest.fixture
def hall(settings: Settings) -> Iterator[Hall]:
    hall = Hall(settings)
    yield hall
    hall.database.close()


@pytest.fixture
def office(settings: Settings, kinds: Mapping[str, Kind]) -> Iterator[Office]:
    office = Office(settings, kinds)
    yield office
    office.database.close()


def settle(office: Office, *, sweep: bool = True) -> None:
    """Looks until there is nothing more to do."""
    for _ in range(50):
        busy = [office.drain(competition) for competition in sorted(office.found(sweep=sweep))]
        busy += [office.refresh(competition) for competition in sorted(office.behind())]
        for game in office.stale():
            office.rate_again(game)
        if not office.look_after_others() and not any(busy):
            return
    raise AssertionError("it does not come to rest")


def play(hall: Hall, office: Office, competition: str) -> None:
    """Until no match is open any more."""
    settle(office)
    while matches := hall.open_matches(competition):
        for match in matches:
            hall.finish(match)
        settle(office)
