"""How does the schema come about? By numbered SQL files, each carried out once, in order, by one run at a time."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

FOLDER = Path(__file__).parent / "migrations"
BY_ITSELF = "-- outside a transaction"      # the first line of a file whose statements refuse to run in one, such as
                                            # CREATE INDEX CONCURRENTLY; each must then bear being repeated
TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
    number   integer PRIMARY KEY,
    name     text NOT NULL,
    checksum text NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT now(),
    done_at  timestamptz
)"""
TURN = "INSERT INTO migrations (number, name, checksum, done_at) VALUES (0, 'the row that a run locks', '', now()) ON CONFLICT DO NOTHING"
Connection = psycopg.Connection[Any]


class MigrationRefused(RuntimeError):
    """Names the file and what is wrong with it."""


@dataclass(frozen=True)
class Migration:
    """One file: `0007_add_letters.sql` has the number 7."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrate(url: str, passwords: Mapping[str, str], folder: Path = FOLDER) -> list[str]:
    """PL-761, PL-762 Carries out what is still to be done and tells the names; roles are made first, since files grant to them."""
    with _our_turn(url), psycopg.connect(url, autocommit=True) as connection:
        make_roles(connection, passwords)
        waiting = to_do(connection, folder)
        for migration in waiting:
            _carry_out(connection, migration)
        return [migration.name for migration in waiting]


def to_do(connection: Connection, folder: Path = FOLDER) -> list[Migration]:
    """What has not been done, or only by half; refused is a file that has changed or gone since it was carried out."""
    there = {migration.number: migration for migration in migrations_in(folder)}
    known = connection.execute("SELECT to_regclass('migrations') IS NOT NULL").fetchone() == (True,)
    rows = connection.execute("SELECT number, name, checksum, done_at FROM migrations WHERE number > 0").fetchall() if known else []
    for number, name, checksum, _ in rows:
        if number not in there or there[number].checksum != checksum:
            raise MigrationRefused(f"{name} was carried out, and has been changed or removed since")
    done = {number for number, _, _, done_at in rows if done_at}
    return [there[number] for number in sorted(there.keys() - done)]


def migrations_in(folder: Path) -> list[Migration]:
    found = []
    for position, path in enumerate(sorted(folder.glob("*.sql")), start=1):
        named = re.fullmatch(r"(\d{4})_[a-z0-9_]+\.sql", path.name)
        if not named or int(named[1]) != position:
            raise MigrationRefused(f"{path.name} should be called {position:04}_words.sql")
        found.append(Migration(position, path.name, path.read_text(encoding="utf-8")))
    return found


def make_roles(connection: Connection, passwords: Mapping[str, str]) -> None:
    """PL-815 The roles with their passwords, if whoever is connected may make roles; else they must be there already."""
    may = connection.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user").fetchone() == (True,)
    there = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
    for role, password in passwords.items():
        if not may and role not in there:
            raise MigrationRefused(f"the database role {role} is missing, and {connection.info.user} may not make it")
        if may:
            coded = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
            verb = sql.SQL("ALTER" if role in there else "CREATE")
            connection.execute(sql.SQL("{} ROLE {} LOGIN PASSWORD {}").format(verb, sql.Identifier(role), coded))


@contextmanager
def _our_turn(url: str) -> Iterator[None]:
    """Holds the row that says whose turn it is; a second run waits here and then finds nothing to do."""
    with psycopg.connect(url) as guard:
        guard.execute("SET idle_in_transaction_session_timeout = 0")
        guard.execute("SELECT pg_advisory_xact_lock(hashtext('migrations'))")   # two first runs would both make the table
        guard.execute(TABLE)
        guard.execute(TURN)
        guard.execute("GRANT SELECT ON migrations TO PUBLIC")     # every process tells whether it lacks one
        guard.commit()
        guard.execute("SELECT FROM migrations WHERE number = 0 FOR UPDATE")
        yield


def _carry_out(connection: Connection, migration: Migration) -> None:
    begin = "INSERT INTO migrations (number, name, checksum) VALUES (%s, %s, %s) ON CONFLICT (number) DO NOTHING"
    end = "UPDATE migrations SET done_at = clock_timestamp() WHERE number = %s"
    if migration.text.startswith(BY_ITSELF):
        connection.execute(begin, (migration.number, migration.name, migration.checksum))
        for statement in re.split(r";\s*\n", migration.text):
            if re.sub(r"--.*", "", statement).strip():
                connection.execute(sql.SQL(statement))
        connection.execute(end, (migration.number,))
        return
    with connection.transaction():
        connection.execute("SET LOCAL lock_timeout = '1s'")     # PL-762: rather give up than hold up the matches
        connection.execute(begin, (migration.number, migration.name, migration.checksum))
        connection.execute(sql.SQL(migration.text))
        connection.execute(end, (migration.number,))
