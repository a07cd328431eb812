"""Is every setting named once, checked against its range, and shown without its secret?"""

import re
from pathlib import Path

import pytest

from shared.runtime import settings
from shared.runtime.settings import ROWS, SettingRefused, environment_name, read
from tests.ledger import rule

LOCAL = {"CUPBOARD_LOCAL": "1"}
GIVEN = {environment_name(name): "a secret of its own" for name, row in ROWS.items() if row.metadata["unit"] == "secret"}
RANGED = [name for name, row in ROWS.items() if "least" in row.metadata]
# Name, default, least and most as the ledger has them, in seconds and bytes.
LEDGER = {
    "accept_budget": (1.5, 0.2, 5), "timer_grace": (2, 0.5, 10), "watch_period": (1, 0.2, 60),
    "resend_after": (1, 0.5, 60), "inline_after": (10, 2, 600), "wait_max": (20, 0, 60),
    "waiting_per_match": (64, 1, 1000), "commands_per_batch": (50, 1, 1000), "matches_per_take": (16, 1, 200),
    "careful_after": (5, 1, 10), "attempts_before_stuck": (3, 1, 10),
    "idle_in_transaction": (5, 1, 60), "lock_timeout": (2, 1, 60), "statement_timeout": (5, 1, 60),
    "publish_timeout": (0.5, 0.1, 2), "queue_old": (30, 5, 3600),
    "stream_heartbeat": (15, 5, 60), "stream_poll": (5, 1, 30), "stream_life": (3600, 300, 86400),
    "streams_per_account": (10, 1, 1000), "streams_per_bot": (4, 1, 1000),
    "letters_kept": (7 * 86400, 86400, 365 * 86400), "open_match_life": (7 * 86400, 3600, 90 * 86400),
    "outage_credited": (60, 5, 3600), "webhook_attempts": (10, 1, 20), "webhook_pause_after": (50, 5, 1000),
    "keys_kept": (30 * 86400, 86400, 365 * 86400), "command_bytes": (16384, 1024, 4194304), "body_bytes": (262144, 1024, 4194304),
}


@pytest.mark.parametrize("name", LEDGER)
@rule("PL-112")
def test_defaults_and_ranges_are_those_of_the_ledger(name: str):
    row = ROWS[name]
    assert (row.default, row.metadata["least"], row.metadata["most"]) == LEDGER[name]


@rule("PL-112")
def test_time_limit_and_visibility_are_those_of_the_ledger():
    assert (read(LOCAL).visibility_timeout, read(LOCAL).task_time_limit) == (60, 30)


@pytest.mark.parametrize("name", RANGED)
@rule("PL-112")
def test_a_value_beyond_either_end_is_refused_with_name_value_and_range(name: str):
    least, most = ROWS[name].metadata["least"], ROWS[name].metadata["most"]
    for wrong in (f"{most + 1:.0f}", "-1", "many"):
        with pytest.raises(SettingRefused, match=re.escape(f"{environment_name(name)}='{wrong}': allowed are {least:g} to {most:g}")):
            read(LOCAL | {environment_name(name): wrong})


@pytest.mark.parametrize("name", sorted(ROWS))
@rule("PL-112")
def test_every_setting_has_a_meaning_and_a_default_that_is_allowed(name: str):
    row = ROWS[name]
    assert row.metadata["meaning"]
    if name in RANGED:
        assert row.metadata["least"] <= row.default <= row.metadata["most"]


@pytest.mark.parametrize(("written", "value"), [("2", 2.0), ("2.5", 2.5), ("1500ms", 1.5), ("3 s", 3.0), ("0.1m", 6.0)])
def test_durations_may_carry_a_unit(written: str, value: float):
    assert read(LOCAL | {"CUPBOARD_WATCH_PERIOD": written}).watch_period == pytest.approx(value)


def test_days_and_sizes_may_carry_a_unit():
    got = read(LOCAL | {"CUPBOARD_LETTERS_KEPT": "14d", "CUPBOARD_COMMAND_BYTES": "32KiB"})
    assert (got.letters_kept, got.command_bytes) == (14 * 86400, 32768)


@pytest.mark.parametrize("written", ["1.5", "5s", "1kib", ""])
@rule("PL-112")
def test_a_count_is_a_whole_number_without_unit(written: str):
    environ = LOCAL | {"CUPBOARD_COMMANDS_PER_BATCH": written}
    if not written:
        assert read(environ).commands_per_batch == 50
        return
    with pytest.raises(SettingRefused):
        read(environ)


@pytest.mark.parametrize(("less", "more", "values"), [
    ("accept_budget", "timer_grace", ("2", "2")),
    ("task_time_limit", "visibility_timeout", ("60", "60")),
    ("task_soft_time_limit", "task_time_limit", ("30", "30")),
    ("resend_after", "inline_after", ("10", "10")),
])
@rule("PL-112")
def test_what_must_be_less_is_refused_when_it_is_not(less: str, more: str, values: tuple[str, str]):
    with pytest.raises(SettingRefused, match=f"{environment_name(less)}.*{environment_name(more)}"):
        read(LOCAL | {environment_name(less): values[0], environment_name(more): values[1]})


@rule("PL-771")
def test_an_unknown_name_is_refused():
    with pytest.raises(SettingRefused, match="CUPBOARD_ACCEPT_BUGDET"):
        read(LOCAL | {"CUPBOARD_ACCEPT_BUGDET": "1"})


def test_other_programs_variables_are_let_be():
    assert read(LOCAL | {"CUPBOARDS": "1", "PATH": "/bin"}) == read(LOCAL)


@pytest.mark.parametrize("name", sorted(GIVEN))
@rule("PL-771")
def test_a_secret_nobody_has_chosen_is_refused_outside_the_local_run(name: str):
    with pytest.raises(SettingRefused, match=name):
        read({key: value for key, value in GIVEN.items() if key != name})
    with pytest.raises(SettingRefused, match=name):
        read(GIVEN | {name: settings.UNMARKED})
    assert not read(GIVEN).local


@rule("PL-771", "PL-815")
def test_a_process_answers_for_its_own_secrets_only():
    assert read({"CUPBOARD_STREAM_PASSWORD": "x"}, "stream").stream_password == "x"
    with pytest.raises(SettingRefused, match="CUPBOARD_MASTER_KEY"):
        read({"CUPBOARD_WORKER_PASSWORD": "x"}, "worker")


@rule("PL-112", "PL-771")
def test_what_differs_is_told_and_no_secret_with_it():
    got = read(LOCAL | {"CUPBOARD_MASTER_KEY": "hush", "DATABASE_URL": "postgresql://me:hush@db:5432/x", "CUPBOARD_WAIT_MAX": "5"})
    told = {name: value for name, value, _ in got.changed()}
    assert told == {"local": "True", "wait_max": "5.0", "master_key": "********", "database_url": "postgresql://me:********@db:5432/x"}


@rule("PL-815")
def test_each_role_has_its_own_name_and_password_in_the_address():
    got = read(LOCAL | {"DATABASE_URL": "postgresql://me:hush@db:5432/x?sslmode=require", "CUPBOARD_RELAY_PASSWORD": "p@ss/word"})
    assert got.database_of("relay") == "postgresql://cupboard_relay:p%40ss%2Fword@db:5432/x?sslmode=require"


@rule("PL-770")
def test_broker_bells_and_limits_do_not_share_a_redis_database():
    got = read(LOCAL | {"REDIS_URL": "redis://:pw@r:6379"})
    assert [got.broker, got.redis_of("bells"), got.redis_of("limits")] == [f"redis://:pw@r:6379/{number}" for number in range(3)]


@rule("PL-769")
def test_the_broker_may_be_elsewhere():
    assert read(LOCAL | {"BROKER_URL": "amqp://rabbit"}).broker == "amqp://rabbit"


@rule("PL-112")
def test_each_setting_is_read_in_one_place():
    """Nobody but settings.py, the programs of the local run, which pass it on, who notes who asked, and remote bots looks into the environment."""
    root = Path(settings.__file__).parents[2]
    looking = [str(path.relative_to(root)) for part in ("shared", "services") for path in (root / part).rglob("*.py")
               if "os.environ" in path.read_text(encoding="utf-8") or "getenv" in path.read_text(encoding="utf-8")]
    assert set(looking) <= {"shared/runtime/settings.py", "shared/runtime/servers.py", "shared/desk/up.py", "shared/desk/here.py", "shared/desk/account.py",
                            "shared/desk/bot/client.py", "shared/desk/bot/program.py"}


@pytest.mark.parametrize(("address", "shown"), [
    ("postgresql://ada:se:cret@db:5432/cup", "postgresql://ada:********@db:5432/cup"),
    ("postgresql://ada:se/c@ret@db/cup", "postgresql://ada:********@db/cup"),
    ("redis://:secret@redis:6379/0", "redis://:********@redis:6379/0"),
    ("postgresql://db/cup?user=ada&password=secret&sslmode=require", "postgresql://db/cup?user=ada&password=********&sslmode=require"),
    ("postgresql://db:5432/cup", "postgresql://db:5432/cup"),
])
@rule("PL-112")
def test_no_part_of_a_password_in_an_address_is_shown(address: str, shown: str):
    assert settings.shown(ROWS["database_url"], address) == shown
