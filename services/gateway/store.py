"""How does the gateway speak to Postgres? Single statements in one round trip, writes as one transaction with their bells."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolTimeout

from shared.runtime.settings import Settings
from shared.runtime.store import FateUnknown, Queries, Row, Transaction, Unavailable, connection_facts
from shared.runtime.turn.archive import folder_of


class Shelf(Queries):
    """The statements of a folder; a name stands for one of them, whichever file it is in."""

    def __init__(self, folder: Path) -> None:
        self._statements = {}
        for path in sorted(folder.glob("*.sql")):
            self._statements.update(Queries(path)._statements)


SQL = Shelf(Path(__file__).with_name("queries"))
TROUBLE = (psycopg.OperationalError, errors.ReadOnlySqlTransaction)
GONE = (None, "57P01", "57P02", "57P03")   # the connection was lost, or Postgres is being stopped or started
POOL_WAIT_S = 2.0
Bell = tuple[str, int, str, int]  # game, version, match, arrival


class TooSlow(Unavailable):
    """Postgres did not answer in the time that was left."""


class Work(Transaction):
    """An open transaction, and whom to wake once it is committed (PL-326)."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        super().__init__(connection)
        self.bells: list[Bell] = []


class Impatient(psycopg.Connection[Row]):
    """A connection that waits no longer than `patience` seconds for an answer, where that is set."""

    patience: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, timeout if self.patience is None else self.patience)


class Store:
    """The connections of this process, in the role of the gateway; opened at first use, never before a fork."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._patience = settings.statement_timeout + 1.0   # beyond what Postgres itself allows: it does not answer at all
        self._pool: ConnectionPool[Impatient] | None = None
        self._opening = threading.Lock()

    @property
    def pool(self) -> ConnectionPool[Impatient]:
        return self._pool or self._opened()

    def _opened(self) -> ConnectionPool[Impatient]:
        with self._opening:     # the first request and the first look in the background come at the same time
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._settings.database_of("gateway"), connection_class=Impatient, min_size=1, max_size=self._settings.pool_size,
                    timeout=POOL_WAIT_S, name="gateway", open=True, kwargs={**connection_facts(self._settings, "gateway"), "autocommit": True})
            return self._pool

    @property
    def archive(self) -> Path:
        """PL-257 Where the files of archived matches lie."""
        return folder_of(self._settings)

    @property
    def in_use(self) -> int:
        stats = self._pool.get_stats() if self._pool is not None else {}
        return stats.get("pool_size", 0) - stats.get("pool_available", 0)

    def close(self) -> None:
        """For good: whatever still looks on in the background finds the pool closed."""
        if self._pool is not None:
            self._pool.close(timeout=1.0)

    def all(self, query: str, /, **facts: Any) -> list[Row]:
        return self.run(query, facts)

    def one(self, query: str, /, **facts: Any) -> Row | None:
        rows = self.run(query, facts)
        return rows[0] if rows else None

    def run(self, query: str, facts: dict[str, Any], patience: float | None = None) -> list[Row]:
        """One statement that may be repeated, which it is while connections turn out to have been lost."""
        until = time.monotonic() + (self._patience if patience is None else patience)
        sent = False    # on a connection that then broke: nobody told what became of it
        for _ in range(self._settings.pool_size + 1):
            try:
                return self._once(query, facts, until)
            except psycopg.OperationalError as error:
                if isinstance(error, PoolTimeout) or error.sqlstate not in GONE:
                    raise (FateUnknown if sent else Unavailable)(type(error).__name__) from error
                sent = True
        raise FateUnknown("no connection lasts")

    def _once(self, query: str, facts: dict[str, Any], until: float) -> list[Row]:
        left = max(0.01, until - time.monotonic())
        connection = self.pool.getconn(min(left, POOL_WAIT_S))
        try:
            connection.patience = left
            return connection.execute(query, facts or None).fetchall()
        except errors.ReadOnlySqlTransaction as error:
            raise Unavailable(type(error).__name__) from error
        except psycopg.OperationalError as error:
            if connection.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE:     # it did not answer in time
                connection.close()
                raise TooSlow(type(error).__name__) from error
            raise
        finally:
            connection.patience = self._patience
            self.pool.putconn(connection)

    @contextmanager
    def work(self) -> Iterator[Work]:
        """PL-212 One transaction; raises Unavailable if nothing can have been written, FateUnknown if it may have been."""
        connection = self._begun()
        committing = False
        try:
            work = Work(connection)
            yield work
            committing = True
            connection.execute("COMMIT")
        except BaseException as error:
            with suppress(psycopg.Error):
                connection.execute("ROLLBACK")
            if isinstance(error, TROUBLE):
                raise (FateUnknown if committing and _lost(error) else Unavailable)(str(error)) from error
            raise
        finally:
            self.pool.putconn(connection)

    def _begun(self) -> Impatient:
        """A connection on which BEGIN was answered: one that has been lost meanwhile is noticed before anything is written."""
        for _ in range(self._settings.pool_size + 1):
            try:
                connection = self.pool.getconn(POOL_WAIT_S)
            except PoolTimeout as error:
                raise Unavailable(str(error)) from error
            try:
                connection.patience = self._patience
                connection.execute("BEGIN")
            except psycopg.OperationalError:
                self.pool.putconn(connection)
            else:
                return connection
        raise Unavailable("no connection answers")


def _lost(error: Exception) -> bool:
    """The connection broke, so that nobody told what became of the statement."""
    return isinstance(error, psycopg.OperationalError) and not isinstance(error, PoolTimeout) and error.sqlstate is None
