"""What may every test ask for? Real servers, started once and only if somebody asks, and a fresh database for each test."""

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis

from shared.runtime.migrate import migrate
from shared.runtime.servers import Server, start_postgres, start_redis
from shared.runtime.settings import Settings, read

NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    """Not under pytest's own folder, whose rights keep the user of Postgres out when root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="cupboard-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server(servers_folder: Path) -> Iterator[Server]:
    server = start_postgres(servers_folder / "postgres")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_server(servers_folder: Path) -> Iterator[Server]:
    server = start_redis(servers_folder / "redis")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def migrated(postgres_server: Server) -> str:
    """The name of a migrated database that no test touches: the others are copies of it."""
    migrate(postgres_server.url, read({"CUPBOARD_LOCAL": "1"}).passwords())
    return urlsplit(postgres_server.url).path.strip("/")


@pytest.fixture
def empty_database(postgres_server: Server) -> Iterator[str]:
    """The address of a database with nothing in it."""
    yield from _database(postgres_server, "template0")


@pytest.fixture
def database(postgres_server: Server, migrated: str) -> Iterator[str]:
    """The address of a fresh, migrated database, as its owner sees it."""
    yield from _database(postgres_server, migrated)


@pytest.fixture
def redis_url(redis_server: Server) -> str:
    """The address of a Redis with nothing in it."""
    with redis.Redis.from_url(redis_server.url) as connection:
        connection.flushall()
    return redis_server.url


@pytest.fixture
def settings(database: str, redis_url: str) -> Settings:
    """The settings of a local run on this test's database and Redis."""
    return read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": database, "REDIS_URL": redis_url})


def _database(server: Server, template: str) -> Iterator[str]:
    name = f"test_{next(NUMBERS)}"
    with psycopg.connect(server.url, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield urlunsplit(urlsplit(server.url)._replace(path=f"/{name}"))
    if server.alive():
        with psycopg.connect(server.url, dbname="postgres", autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
