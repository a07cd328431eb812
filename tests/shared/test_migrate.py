"""Is each migration carried out once, in order, whole or not at all, and by one run at a time?"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from shared.runtime.migrate import MigrationRefused, make_roles, migrate, to_do
from shared.runtime.settings import ROLES, read
from tests.ledger import rule

PASSWORDS = {f"cupboard_{role}": f"{role}-password" for role in ROLES}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_begin.sql").write_text("CREATE TABLE cups (name text); CREATE INDEX ON cups (name);\nGRANT SELECT ON cups TO cupboard_stream;")
    (tmp_path / "0002_fill.sql").write_text("INSERT INTO cups VALUES ('golden'), ('50 % full');")
    return tmp_path


def cups(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM cups ORDER BY name")]


@rule("PL-761")
def test_all_are_carried_out_in_order_and_a_second_run_changes_nothing(empty_database: str, folder: Path):
    assert migrate(empty_database, PASSWORDS, folder) == ["0001_begin.sql", "0002_fill.sql"]
    assert migrate(empty_database, PASSWORDS, folder) == []
    assert cups(empty_database) == ["50 % full", "golden"]


@rule("PL-761")
def test_a_file_changed_since_is_refused_by_name(empty_database: str, folder: Path):
    migrate(empty_database, PASSWORDS, folder)
    (folder / "0001_begin.sql").write_text("CREATE TABLE cups (name text, size int);")
    with pytest.raises(MigrationRefused, match=r"0001_begin\.sql"):
        migrate(empty_database, PASSWORDS, folder)


@rule("PL-761")
def test_a_file_gone_since_is_refused_by_name(empty_database: str, folder: Path):
    migrate(empty_database, PASSWORDS, folder)
    (folder / "0002_fill.sql").unlink()
    with pytest.raises(MigrationRefused, match=r"0002_fill\.sql"):
        migrate(empty_database, PASSWORDS, folder)


@pytest.mark.parametrize("name", ["0003_Fill.sql", "0004_gap.sql", "3_short.sql"])
@rule("PL-761")
def test_a_file_out_of_line_is_refused_by_name(empty_database: str, folder: Path, name: str):
    (folder / name).write_text("SELECT 1;")
    with pytest.raises(MigrationRefused, match="should be called 000"):
        migrate(empty_database, PASSWORDS, folder)


@rule("PL-762")
def test_two_runs_at_once_carry_out_each_file_once(empty_database: str, folder: Path):
    (folder / "0002_fill.sql").write_text("SELECT pg_sleep(0.2); INSERT INTO cups VALUES ('golden');")
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(lambda _: migrate(empty_database, PASSWORDS, folder), range(3)))
    assert sorted(map(len, runs)) == [0, 0, 2]
    assert cups(empty_database) == ["golden"]


@rule("PL-762")
def test_a_file_that_fails_leaves_nothing_behind(empty_database: str, folder: Path):
    (folder / "0002_fill.sql").write_text("INSERT INTO cups VALUES ('golden'); SELECT 1 / 0;")
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(empty_database, PASSWORDS, folder)
    assert cups(empty_database) == []
    (folder / "0002_fill.sql").write_text("INSERT INTO cups VALUES ('silver');")
    assert migrate(empty_database, PASSWORDS, folder) == ["0002_fill.sql"]


@rule("PL-762")
def test_a_half_done_file_is_named_and_continued(empty_database: str, folder: Path):
    third = folder / "0003_index.sql"
    third.write_text("-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_name ON cups (name);\nSELECT 1 / (count(*) - 2) FROM cups;\n")
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(empty_database, PASSWORDS, folder)
    with psycopg.connect(empty_database) as connection:
        assert [migration.name for migration in to_do(connection, folder)] == ["0003_index.sql"]
        connection.execute("INSERT INTO cups VALUES ('silver')")
    assert migrate(empty_database, PASSWORDS, folder) == ["0003_index.sql"]
    assert migrate(empty_database, PASSWORDS, folder) == []


@rule("PL-762")
def test_a_table_in_use_makes_a_file_give_up(empty_database: str, folder: Path):
    migrate(empty_database, PASSWORDS, folder)
    (folder / "0003_wider.sql").write_text("ALTER TABLE cups ADD COLUMN size int;")
    with psycopg.connect(empty_database) as user_of_it:
        user_of_it.execute("SELECT FROM cups")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            migrate(empty_database, PASSWORDS, folder)


@rule("PL-761")
def test_what_is_to_do_is_known_before_anything_was_done(empty_database: str, folder: Path):
    with psycopg.connect(empty_database) as connection:
        assert [migration.name for migration in to_do(connection, folder)] == ["0001_begin.sql", "0002_fill.sql"]


@rule("PL-815")
def test_each_role_signs_in_with_its_password_and_may_make_nothing(empty_database: str, folder: Path):
    migrate(empty_database, PASSWORDS, folder)
    settings = read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": empty_database, "CUPBOARD_STREAM_PASSWORD": "stream-password"})
    with psycopg.connect(settings.database_of("stream")) as connection:
        assert connection.execute("SELECT count(*) FROM cups").fetchone() == (2,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE mine ()")


@rule("PL-815")
def test_a_changed_password_is_in_force_after_the_next_run(empty_database: str, folder: Path):
    migrate(empty_database, PASSWORDS, folder)
    migrate(empty_database, PASSWORDS | {"cupboard_relay": "another"}, folder)
    settings = read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": empty_database, "CUPBOARD_RELAY_PASSWORD": "another"})
    psycopg.connect(settings.database_of("relay")).close()


@rule("PL-815")
def test_a_role_that_cannot_be_made_is_named(empty_database: str, folder: Path):
    migrate(empty_database, PASSWORDS, folder)
    settings = read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": empty_database, "CUPBOARD_LEAGUE_PASSWORD": "league-password"})
    with psycopg.connect(settings.database_of("league")) as connection, pytest.raises(MigrationRefused, match="cupboard_nobody"):
        make_roles(connection, {"cupboard_league": "x", "cupboard_nobody": "y"})


@pytest.fixture(autouse=True)
def passwords_of_the_local_run_again(postgres_server):
    """Roles belong to the whole server, so the other tests need theirs back."""
    yield
    with psycopg.connect(postgres_server.url) as connection:
        make_roles(connection, read({"CUPBOARD_LOCAL": "1"}).passwords())
