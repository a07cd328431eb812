"""What may every test ask for? Real servers, started once and only if somebody asks, and a fresh database for each test."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from hypothesis import settings as hypothesis_settings

from shared.runtime.migrate import migrate
from shared.runtime.servers import Server, start_postgres, start_redis
from shared.runtime.settings import Settings, read
from tests.databases import Lender, dropped, made, url_of

hypothesis_settings.register_profile("cupboard", deadline=None)    # how long an example takes is the machine's affair
hypothesis_settings.load_profile("cupboard")


FIRST = ("laws", "journeys", "chaos", "web", "turn")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Laws come before anything that leaves threads behind, then what takes longest, so that nobody waits for it at the end."""
    items.sort(key=lambda item: min((at for at, folder in enumerate(FIRST) if folder in item.path.parts), default=len(FIRST)))


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


@pytest.fixture(scope="session")
def lender(postgres_server: Server, migrated: str) -> Lender:
    return Lender(postgres_server, migrated)


@pytest.fixture
def empty_database(postgres_server: Server) -> Iterator[str]:
    """The address of a database with nothing in it."""
    name = made(postgres_server, "template0")
    yield url_of(postgres_server, name)
    if postgres_server.alive():
        dropped(postgres_server, name)


@pytest.fixture
def database(lender: Lender) -> Iterator[str]:
    """The address of an empty, migrated database, as its owner sees it."""
    yield from lender.lent()


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
