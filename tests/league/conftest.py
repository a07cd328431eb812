"""What do the league's tests stand on? A real database with a game nobody plays, accounts, and a match service made of statements."""

import secrets
from collections.abc import Iterator, Sequence

import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from services.league.draws import published
from services.league.tasks import League
from shared.runtime.settings import Settings

GAME = "pairs"


class Club:
    """The database as its owner sees it: opens championships and ends matches, as gateway and workers would."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = psycopg.connect(settings.database_url, row_factory=dict_row, autocommit=True)
        self.database.execute(
            "INSERT INTO games (game, version, title, stage, seats, options, presets, bots, languages, host_chair, absent_after, pack_hash, schemas, words)"
            " VALUES (%s, 1, 'Pairs', 'league', '{}', '{}', '{}', '{}', '{en}', false, 3, 'hash', '{}', '{}')", (GAME,))
        self.database.execute("INSERT INTO pulses VALUES (%s, 'watch', clock_timestamp())", (f"watch-{GAME}-1",))
        self.seeds(1, 60)

    def seeds(self, first: int, last: int) -> None:
        self.database.execute("INSERT INTO seed_list (number, commitment) SELECT n, 'c' || n FROM generate_series(%s::int, %s::int) n", (first, last))

    def open(self, entrants: int, *, rounds: int = 2, tables: tuple[int, int, int] = (3, 5, 4), break_ms: int = 0, points: object = None) -> str:
        name, seed = f"t-{secrets.token_hex(4)}", secrets.token_bytes(32)
        accounts = [f"{name}-{number}" for number in range(entrants)]
        with self.database.transaction():
            for account in (name, *accounts):
                self.database.execute("INSERT INTO accounts (account_id, name, name_key, kind) VALUES (%s, %s, %s, 'bot')", (account,) * 3)
            self.database.execute(
                "INSERT INTO championships (championship_id, name, organiser_id, game, game_version, format, planned_rounds, table_min, table_max,"
                " table_preferred, points, options, clock, opponents, round_break_ms, seed, seed_hash)"
                " VALUES (%s, %s, %s, %s, 1, 'round_robin', %s, %s, %s, %s, %s, '{}', '{\"preset\": \"quick\"}', 'bots', %s, %s, %s)",
                (name, name, name, GAME, rounds, *tables, Jsonb(points or {}), break_ms, seed, published(seed)))
            for account in accounts:
                self.database.execute("INSERT INTO entrants (championship_id, account_id) VALUES (%s, %s)", (name, account))
        return name

    def start(self, championship: str) -> None:
        self.database.execute("UPDATE championships SET state = 'running', started_at = clock_timestamp(), version = version + 1"
                              " WHERE championship_id = %s", (championship,))

    def started(self, entrants: int, **wish: object) -> str:
        championship = self.open(entrants, **wish)
        self.start(championship)
        return championship

    def all(self, statement: str, *facts: object) -> list[dict]:
        return self.database.execute(statement, facts).fetchall()

    def running(self, championship: str) -> list[str]:
        return [row["match_id"] for row in self.all(
            "SELECT match_id FROM pairings WHERE championship_id = %s AND state = 'running' ORDER BY round, table_no", championship)]

    def finish(self, match_id: str, places: Sequence[int] | None = None, *, tell: bool = True) -> None:
        """As a worker does: result, state and outbox in one transaction; by default the first seat wins, and so on."""
        with self.database.transaction():
            seats = self.all("SELECT seat, account_id FROM seats WHERE match_id = %s ORDER BY seat", match_id)
            places = places or range(1, len(seats) + 1)
            self.database.execute("UPDATE matches SET state = 'finished', ended_at = clock_timestamp() WHERE match_id = %s", (match_id,))
            self.database.execute("INSERT INTO results (match_id, game, step, rated, ended_at) VALUES (%s, %s, 9, false, clock_timestamp())", (match_id, GAME))
            for seat, place in zip(seats, places, strict=True):
                self.database.execute("INSERT INTO result_seats VALUES (%s, %s, %s, %s, %s, 0, 'played')",
                                      (match_id, seat["seat"], seat["account_id"], place, place))
            if tell:
                self.tell(match_id, 9, "match.finished")

    def end(self, match_id: str, state: str) -> None:
        with self.database.transaction():
            self.database.execute("UPDATE matches SET state = %s, ended_at = clock_timestamp() WHERE match_id = %s", (state, match_id))
            self.database.execute("UPDATE results SET voided_at = clock_timestamp() WHERE match_id = %s", (match_id,))
            self.tell(match_id, 10, f"match.{state}")

    def tell(self, match_id: str, step: int, topic: str) -> None:
        self.database.execute("INSERT INTO outbox (match_id, step, topic, body) VALUES (%s, %s, %s, '{}')", (match_id, step, topic))

    def round_of(self, championship: str) -> int:
        return self.all("SELECT coalesce(max(round), 0) AS round FROM rounds WHERE championship_id = %s", championship)[0]["round"]

    def standing(self, championship: str) -> dict[int, tuple]:
        rows = self.all("SELECT * FROM standings WHERE championship_id = %s", championship)
        return {row["number"]: (row["rank"], f"{row['points_n']}/{row['points_d']}", row["played"]) for row in rows}


@pytest.fixture
def club(settings: Settings) -> Iterator[Club]:
    club = Club(settings)
    yield club
    club.database.close()


@pytest.fixture
def league(settings: Settings) -> Iterator[League]:
    league = League(settings)
    yield league
    league.database.close()


def settle(league: League) -> None:
    """Looks until there is nothing more to do."""
    while league.look(sweep=True):
        pass
