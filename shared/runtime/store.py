"""How does a process speak to Postgres? Named queries out of .sql files, a pool opened after the fork, two kinds of failure."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from shared.runtime.settings import Settings

Row = dict[str, Any]
SURE = 1.0  # seconds for which a connection that has answered is taken for alive
AWAY = (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.IdleInTransactionSessionTimeout)  # not among psycopg's OperationalErrors


class Unavailable(Exception):
    """Postgres cannot be reached, is read-only or full; nothing was written."""


class FateUnknown(Exception):
    """PL-221 The connection was lost while committing: the transaction may or may not have happened."""


class Queries:
    """The statements of one .sql file, each under a line `-- name: words`, called as attributes."""

    def __init__(self, path: Path) -> None:
        parts = re.split(r"^-- name: (\w+)[^\n]*\n", path.read_text("utf-8"), flags=re.MULTILINE)
        self._statements = {name: text.strip().rstrip(";") for name, text in zip(parts[1::2], parts[2::2], strict=True)}

    def __getattr__(self, name: str) -> str:
        try:
            return self._statements[name]
        except KeyError:
            raise AttributeError(f"no query is named {name}") from None


class Transaction:
    """An open transaction: statements and their rows."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection

    def all(self, query: str, /, **facts: Any) -> list[Row]:
        return self.connection.execute(query, facts or None).fetchall()

    def one(self, query: str, /, **facts: Any) -> Row | None:
        return self.connection.execute(query, facts or None).fetchone()

    def do(self, query: str, /, **facts: Any) -> int:
        """How many rows the statement touched."""
        return self.connection.execute(query, facts or None).rowcount

    def many(self, query: str, facts: Sequence[Mapping[str, Any]]) -> None:
        with self.connection.cursor() as cursor:
            cursor.executemany(query, facts)


class Connection(psycopg.Connection[Row]):
    """A connection that remembers when it last answered, so that it need not be asked for each transaction whether it lives."""

    answered = 0.0

    def check(self) -> None:
        if time.monotonic() - self.answered > SURE:
            ConnectionPool.check_connection(self)


class Database:
    """The connections of one process to one database, in one role; opened at first use, never before a fork."""

    def __init__(self, url: str, settings: Settings, name: str, size: int | None = None) -> None:
        self._url, self._settings, self._name = url, settings, name
        self._size = size or settings.pool_size
        self._pool: ConnectionPool[Connection] | None = None

    @property
    def pool(self) -> ConnectionPool[Connection]:
        if self._pool is None:
            self._pool = ConnectionPool(
                self._url, connection_class=Connection, min_size=1, max_size=self._size, timeout=2.0, name=self._name, open=True,
                kwargs=connection_facts(self._settings, self._name), check=Connection.check if self._size > 1 else None,
            )
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """One transaction; raises Unavailable if nothing can have been written, FateUnknown if it may have been."""
        committing = False
        try:
            with self.pool.connection() as connection:
                yield Transaction(connection)
                committing = True
                connection.commit()
                connection.answered = time.monotonic()
        except (psycopg.OperationalError, *AWAY, PoolTimeout) as error:
            raise FateUnknown(str(error)) if committing and _lost(error, connection) else Unavailable(str(error)) from error

    @contextmanager
    def _alone(self) -> Iterator[Transaction]:
        """The same for a single statement, which is sent without BEGIN and COMMIT around it: one round trip for three."""
        connection: Connection | None = None
        try:
            with self.pool.connection() as connection:
                connection.autocommit = True
                try:
                    yield Transaction(connection)
                    connection.answered = time.monotonic()
                finally:
                    with suppress(psycopg.Error):
                        connection.autocommit = False
        except (psycopg.OperationalError, *AWAY, PoolTimeout) as error:
            raise FateUnknown(str(error)) if connection and _lost(error, connection) else Unavailable(str(error)) from error

    def all(self, query: str, /, **facts: Any) -> list[Row]:
        with self._alone() as transaction:
            return transaction.all(query, **facts)

    def one(self, query: str, /, **facts: Any) -> Row | None:
        with self._alone() as transaction:
            return transaction.one(query, **facts)

    def do(self, query: str, /, **facts: Any) -> int:
        with self._alone() as transaction:
            return transaction.do(query, **facts)


def _lost(error: Exception, connection: Connection) -> bool:
    """Nobody told what became of what was sent last."""
    return isinstance(error, psycopg.OperationalError) and (error.sqlstate is None or connection.closed)


def connection_facts(settings: Settings, name: str) -> dict[str, Any]:
    """The fences of PIPELINE around every connection; they come with the connection, so transaction pooling stays safe."""
    fences = {
        "idle_in_transaction_session_timeout": settings.idle_in_transaction,
        "lock_timeout": settings.lock_timeout,
        "statement_timeout": settings.statement_timeout,
    }
    options = " ".join(f"-c {fence}={int(limit * 1000)}" for fence, limit in fences.items())
    return {
        "row_factory": dict_row, "application_name": f"cupboard-{name}", "options": options, "connect_timeout": 2,
        "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "prepare_threshold": None,
    }
