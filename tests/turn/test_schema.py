"""Is the schema what its file says, and has each process the least rights?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

import shared.runtime
from shared.runtime.migrate import make_roles
from shared.runtime.settings import Settings, read
from tests.ledger import rule

FOLDER = Path(shared.runtime.__file__).parent
ROOT = FOLDER.parents[1]
SHAPES = {
    "columns": "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public'",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "constraints": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
    "functions": "SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "triggers": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "table rights": "SELECT grantee, table_name, privilege_type FROM information_schema.role_table_grants WHERE grantee LIKE 'cupboard_%'",
    "column rights": "SELECT grantee, table_name, column_name, privilege_type FROM information_schema.role_column_grants WHERE grantee LIKE 'cupboard_%'",
    "routine rights": "SELECT grantee, routine_name, privilege_type FROM information_schema.role_routine_grants WHERE grantee LIKE 'cupboard_%'",
}
TURN_TABLES = ("match_states", "inbox_heads", "inbox", "attempts", "stuck_matches", "steps", "asks", "timers", "views", "letters", "results",
               "result_seats", "records", "seats")
DENIED = [
    *[("gateway", f"SELECT * FROM {table}") for table in ("match_states", "steps", "seeds", "attempts")],
    ("gateway", "SELECT body FROM inbox"), ("gateway", "SELECT step FROM match_states"), ("gateway", "UPDATE inbox SET outcome = 'moot'"),
    ("gateway", "UPDATE seed_list SET commitment = ''"), ("gateway", "INSERT INTO results (match_id) VALUES ('')"),
    ("gateway", "INSERT INTO outages (from_at, to_at, reason) VALUES (now(), now(), '')"),
    *[("stream", f"SELECT * FROM {table}") for table in ("match_states", "steps", "seeds", "inbox", "audience_answers", "records")],
    *[("stream", f"DELETE FROM {table}") for table in ("letters", "views", "matches", "asks")],
    *[("league", f"SELECT * FROM {table}") for table in ("match_states", "steps", "seeds", "inbox", "letters", "views")],
    ("league", "UPDATE results SET rated = true"), ("league", "INSERT INTO matches (match_id) VALUES ('')"),
    *[("relay", f"SELECT * FROM {table}") for table in ("matches", "match_states", "steps", "seeds", "inbox", "accounts", "tokens")],
    *[("relay", f"SELECT {column} FROM {table}") for table, column in (("asks", "body"), ("mailboxes", "code_hash"), ("accounts", "password_hash"), ("seats", "seat"))],
    ("relay", "INSERT INTO mails (account_id, kind) VALUES ('', '')"), ("relay", "SELECT * FROM password_resets"), ("gateway", "UPDATE mails SET state = 'sent'"),
    *[(role, f"SELECT * FROM {table}") for role in ("stream", "worker", "league") for table in ("mailboxes", "mails")],
    *[("worker", f"{act} steps") for act in ("DELETE FROM", "TRUNCATE")], ("worker", "UPDATE steps SET events = ''"),
    *[(role, "SELECT open FROM letters") for role in ("gateway", "stream", "league", "relay")],
    ("worker", "UPDATE letters SET open = ''"), ("worker", "SELECT secret_hash FROM tokens"), ("worker", "UPDATE seed_list SET commitment = ''"),
    *[(role, f"SELECT {column} FROM second_factors") for role, column in (("stream", "secret"), ("worker", "on_since"), ("league", "on_since"), ("relay", "secret"))],
    *[(role, "SELECT * FROM recovery_codes") for role in ("stream", "worker", "league", "relay")],
    ("gateway", "UPDATE opened_views SET reason = ''"), ("gateway", "DELETE FROM opened_views"), ("gateway", "INSERT INTO notices (account_id) VALUES ('')"),
    ("worker", "SELECT * FROM sessions"), ("worker", "DELETE FROM inbox"),
]


def shape_of(url: str) -> dict[str, set]:
    with psycopg.connect(url) as connection:
        return {name: {row for row in connection.execute(query).fetchall() if "migrations" not in row[:2]} for name, query in SHAPES.items()}


@rule("PL-761")
def test_the_readable_schema_is_what_the_migrations_lead_to(database: str, empty_database: str):
    with psycopg.connect(empty_database) as connection:
        make_roles(connection, read({"CUPBOARD_LOCAL": "1"}).passwords())
        connection.execute((FOLDER / "schema.sql").read_text())
    by_hand, by_steps = shape_of(empty_database), shape_of(database)
    for name in SHAPES:
        ours = {row for row in by_steps[name] if not any("migration" in str(part) for part in row)}
        assert by_hand[name] == ours, name


@pytest.fixture(scope="module")
def of_role(postgres_server, migrated: str) -> Iterator[dict[str, psycopg.Connection]]:
    with psycopg.connect(postgres_server.url, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE rights TEMPLATE {migrated}")
    url = urlunsplit(urlsplit(postgres_server.url)._replace(path="/rights"))
    settings: Settings = read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": url})
    open_ones = {role: psycopg.connect(settings.database_of(role)) for role in ("gateway", "stream", "worker", "league", "relay")}
    yield open_ones
    for connection in open_ones.values():
        connection.close()


@rule("PL-815", "PL-381", "PL-411", "PL-621")
@pytest.mark.parametrize(("role", "statement"), DENIED)
def test_what_a_role_must_not_do_is_denied(of_role, role: str, statement: str):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        of_role[role].execute(statement)
    of_role[role].rollback()


@rule("PL-815")
def test_no_role_changes_the_schema(of_role):
    for connection in of_role.values():
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("ALTER TABLE steps ADD COLUMN mine text")
        connection.rollback()


@rule("PL-796")
def test_every_turn_table_begins_its_keys_with_the_match(database: str):
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index WHERE indisunique AND indrelid::regclass::text = ANY (%s)",
            (list(TURN_TABLES),)).fetchall()
    assert {table for table, _ in found} == set(TURN_TABLES)
    for table, definition in found:
        assert re.search(r"\(match_id\b", definition), (table, definition)


@rule("PL-288")
def test_one_answer_per_ask_is_a_constraint_of_the_database(database: str):
    with psycopg.connect(database) as connection:
        row = "INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, received_at) VALUES ('m', {0}, 'c{0}', 'g', 1, 'command', 0, 7, now())"
        connection.execute(row.format(1))
        with pytest.raises(psycopg.errors.UniqueViolation, match="inbox_one_answer"):
            connection.execute(row.format(2))
        connection.rollback()
        connection.execute(row.format(1))
        connection.execute("UPDATE inbox SET outcome = 'refused'")
        connection.execute(row.format(2))


def statements() -> Iterator[tuple[str, str]]:
    for path in [*ROOT.glob("shared/**/*.sql"), *ROOT.glob("services/**/*.sql"), *ROOT.glob("shared/**/*.py"), *ROOT.glob("services/**/*.py")]:
        yield str(path.relative_to(ROOT)), path.read_text("utf-8")


@rule("PL-340")
def test_no_code_keeps_anything_in_a_connection():
    kept = re.compile(r"pg_advisory_lock\(|pg_try_advisory_lock\(|pg_advisory_lock_shared\(|\bLISTEN \w+;|CREATE TEMP|\bPREPARE \w+ AS|SET SESSION|WITH HOLD")
    found = [(path, match.group()) for path, text in statements() for match in kept.finditer(text)]
    assert found == []


@rule("PL-797")
def test_no_statement_locks_rows_of_several_matches():
    """On the path of a command a lock names its match; the outbox is taken by rows, not by matches."""
    text = (FOLDER / "queries.sql").read_text()
    for name, statement in re.findall(r"^-- name: (\w+)[^\n]*\n(.*?)(?=^-- name|\Z)", text, re.MULTILINE | re.DOTALL):
        if "FOR UPDATE" in statement and name != "audit_head":
            assert "match_id = %(match_id)s" in statement, name
    for name, body in re.findall(r"^CREATE FUNCTION (\w+)(.*?)\$\$;", (FOLDER / "schema.sql").read_text(), re.MULTILINE | re.DOTALL):
        for statement in re.findall(r"FROM (?:match_states|inbox_heads|inbox)\b[^;]*FOR UPDATE", body):
            assert re.search(r"match_id = (p_match|one)\b", statement), name
