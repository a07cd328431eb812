"""How does each test get an empty database soon? One that an earlier test has left, emptied; a fresh copy only where there is none."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

import psycopg

from shared.runtime.servers import Server

NUMBERS = itertools.count(1)
SHAPE = """
    SELECT md5(string_agg(part, '|' ORDER BY part)) FROM (
        SELECT concat(relname, relkind, relnatts, relacl) FROM pg_class WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT concat(proname, prosrc, proacl) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT concat(setconfig) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE datname = current_database()
    ) AS parts(part)"""
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
OTHERS = "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
EMPTY = """
    DO $$ DECLARE one text; BEGIN
        FOR one IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ('{kept}') LOOP
            EXECUTE format('DELETE FROM %I', one);
        END LOOP;
        PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S';
    END $$"""


class Lender:
    """The databases of one server that are copies of one template."""

    def __init__(self, server: Server, template: str) -> None:
        self.server, self.template = server, template
        self._spare: list[str] = []
        with psycopg.connect(self._url(template), autocommit=True) as connection:
            tables = [name for (name,) in connection.execute(TABLES).fetchall()]
            self._kept = [name for name in tables if connection.execute(f"SELECT FROM {name} LIMIT 1").fetchone() is not None]
            self._print = self._print_of(connection)

    def lent(self) -> Iterator[str]:
        """The address of an empty database for one test."""
        name = self._spare.pop() if self._spare else self._made()
        yield self._url(name)
        if self.server.alive():
            if self._emptied(name):
                self._spare.append(name)
            else:
                dropped(self.server, name)

    def _made(self) -> str:
        return made(self.server, self.template)

    def _emptied(self, name: str) -> bool:
        """False where the test has changed more than rows, or rows that belong to the schema."""
        with suppress(psycopg.Error), psycopg.connect(self._url(name), autocommit=True) as connection:
            connection.execute(OTHERS)
            connection.execute("SET session_replication_role = replica")    # no trigger and no foreign key stands in the way
            if self._print_of(connection) == self._print:
                connection.execute(EMPTY.format(kept="{" + ",".join(self._kept) + "}"))
                return True
        return False

    def _print_of(self, connection: psycopg.Connection) -> list[object]:
        """What tells whether schema and first rows are those of the template."""
        rows = [connection.execute(f"SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM {name} AS t").fetchone() for name in self._kept]
        return [connection.execute(SHAPE).fetchone(), *rows]

    def _url(self, name: str) -> str:
        return url_of(self.server, name)


def url_of(server: Server, name: str) -> str:
    return urlunsplit(urlsplit(server.url)._replace(path=f"/{name}"))


def made(server: Server, template: str) -> str:
    name = f"test_{next(NUMBERS)}"
    with psycopg.connect(server.url, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return name


def dropped(server: Server, name: str) -> None:
    with psycopg.connect(server.url, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
