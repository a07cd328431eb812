"""Where do the rows of an ended match go after some days, and is everything that can be read the same before and after?"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.exceptions import InvalidTag

from shared.desk import replay, verify
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.turn import archive
from shared.runtime.watch import Watch
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

MOVED = ("letters", "steps")
NOW = "SELECT * FROM {} WHERE match_id = %s ORDER BY 1, 2"
TABLES = ("match_states", "views", "letters", "steps", "results", "result_seats", "records")


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    return replace(settings, folder=str(tmp_path))


def ended(hall: Hall, worker: Worker, days: float = 8) -> str:
    """A match of bots that ended some days ago."""
    match = hall.match(2, bots={0: "random", 1: "random"}, options={"rounds": 1}, clock={"preset": "none"})
    for _ in range(200):
        worker.look()
        if hall.state(match) == "finished":
            break
        hall.own(match, "order", body={"kind": "advance", "by": "service", "reason": "no clock runs"})
    aged(hall, match, days)
    return match


def aged(hall: Hall, match: str, days: float) -> None:
    hall.connection.execute("UPDATE matches SET ended_at = ended_at - %s * interval '1 day' WHERE match_id = %s", (days, match))


def rows_of(hall: Hall, match: str) -> dict[str, list[Any]]:
    return {table: hall.all(NOW.format(table), match) for table in TABLES}


def files(settings: Settings) -> list[Path]:
    folder = archive.folder_of(settings)
    return sorted(folder.iterdir()) if folder.exists() else []


@rule("PL-257", "PL-258")
def test_after_the_kept_days_the_rows_are_in_a_file_whose_hash_is_kept(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match, young = ended(hall, worker), ended(hall, worker, days=6)
    before = rows_of(hall, match)
    watch.round()
    after = rows_of(hall, match)
    assert all(before[table] and not after[table] for table in MOVED)
    (state,), (views,) = after["match_states"], after["views"]
    assert (state["match"], state["house"], views["bodies"], views["texts"]) == (None, None, [], [])
    assert state["chain"] == before["match_states"][0]["chain"]
    assert all(before[table] == after[table] for table in ("results", "result_seats", "records"))
    kept, (file,) = hall.one("SELECT * FROM archives WHERE match_id = %s", match), files(settings)
    assert (kept["location"], kept["size"]) == (file.name, file.stat().st_size)
    assert archive.opened(file.parent, kept["location"], kept["hash"]).step == state["step"]
    assert rows_of(hall, young)["letters"], "its week is not over"
    archive.opened.cache_clear()
    bring_back(settings, match)


def bring_back(settings: Settings, match: str) -> None:
    """So that the checker of the pipeline finds every row again."""
    database = Database(settings.database_of("worker"), settings, "test", size=1)
    with database.transaction() as transaction:
        archive.bring_back(transaction, settings, match)
    database.close()


@rule("PL-257")
def test_what_was_brought_back_is_every_row_as_it_was(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match = ended(hall, worker)
    before = rows_of(hall, match)
    watch.archive()
    bring_back(settings, match)
    assert rows_of(hall, match) == before
    assert hall.one("SELECT archived_at FROM matches WHERE match_id = %s", match)["archived_at"] is None


@rule("PL-257", "PL-413", "PL-622")
def test_an_archived_match_is_verified_and_replayed_as_before(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match = ended(hall, worker)
    database = Database(settings.database_url, settings, "test", size=1)
    told = [list(verify._stored_match(settings, {GAME.name: GAME}, match)), list(replay.letters_told(database, settings, match, 0)),
            list(replay.letters_told(database, settings, match, 2))]
    watch.archive()
    assert not rows_of(hall, match)["steps"]
    again = [list(verify._stored_match(settings, {GAME.name: GAME}, match)), list(replay.letters_told(database, settings, match, 0)),
             list(replay.letters_told(database, settings, match, 2))]
    assert again == told
    assert told[0][-1] == ("stored commands", "")
    assert told[1] != told[2]
    assert [row["match"] for row in database.all(replay.SQL.played_matches, game=GAME.name, version=GAME.version)] == [match]
    database.close()
    bring_back(settings, match)


@rule("PL-257")
def test_a_repeated_run_after_a_kill_writes_the_same_file(hall: Hall, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file lies there and the rows have not gone: what a kill between the two leaves behind."""
    match = ended(hall, worker)
    database = Database(settings.database_of("worker"), settings, "test", size=1)
    before = rows_of(hall, match)
    with monkeypatch.context() as patch:
        patch.setattr(archive, "_write_down", interrupted)
        with pytest.raises(KeyboardInterrupt):
            archive.archive(database, settings, match)
    (file,) = files(settings)
    written = file.read_bytes()
    assert rows_of(hall, match) == before
    assert archive.archive(database, settings, match)
    assert not archive.archive(database, settings, match), "a third run finds nothing to do"
    assert [one.read_bytes() for one in files(settings)] == [written]
    database.close()
    bring_back(settings, match)


WRITE_DOWN = archive._write_down


def interrupted(*facts: Any) -> None:
    WRITE_DOWN(*facts)
    raise KeyboardInterrupt


KILLED = """
import os, signal, sys
from shared.runtime.turn import archive
from shared.runtime.settings import read
from shared.runtime.store import Database
settings = read()
at, match = sys.argv[1:]
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
if at == "fsync":
    os.fsync = die
else:
    write = archive._write_down
    archive._write_down = lambda *facts: (write(*facts), die())
archive.archive(Database(settings.database_of("worker"), settings, "killed", size=1), settings, match)
"""


@rule("PL-257", "PL-786")
@pytest.mark.parametrize("at", ["fsync", "before the rows go"])
def test_a_kill_at_either_point_loses_nothing(at: str, hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match = ended(hall, worker)
    before = rows_of(hall, match)
    environ = {**os.environ, "CUPBOARD_LOCAL": "1", "DATABASE_URL": settings.database_url, "CUPBOARD_FOLDER": settings.folder,
               "PYTHONPATH": str(Path(__file__).parents[2])}
    killed = subprocess.run([sys.executable, "-c", KILLED, at, match], env=environ, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert rows_of(hall, match) == before
    hall.one("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cupboard-killed'")
    watch.archive()
    assert not rows_of(hall, match)["letters"]
    bring_back(settings, match)
    assert rows_of(hall, match) == before


@rule("PL-257", "PL-411")
def test_steps_leave_by_the_archive_alone(hall: Hall, worker: Worker, settings: Settings) -> None:
    """No role may delete them, and the function that moves them takes no match that runs or has just ended."""
    fresh, running = ended(hall, worker, days=0.5), hall.match(2)
    worker.look()
    call = "SELECT archive_rows(%s, %s, 'x', 'x', 1)"
    with psycopg.connect(settings.database_of("worker"), autocommit=True) as connection:
        for match in (fresh, running):
            step = hall.one("SELECT step FROM match_states WHERE match_id = %s", match)["step"]
            assert connection.execute(call, (match, step)).fetchone() == (False,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM steps WHERE match_id = %s", (fresh,))
    with psycopg.connect(settings.database_of("gateway"), autocommit=True) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(call, (fresh, 1))


@rule("PL-248", "PL-257", "PL-258")
def test_an_archived_match_can_still_be_voided_and_is_archived_anew(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match = ended(hall, worker)
    watch.archive()
    hall.own(match, "order", body={"kind": "void", "by": "operator", "reason": "a collusion came out"})
    worker.look()
    assert hall.state(match) == "voided"
    assert hall.one("SELECT voided_at FROM results WHERE match_id = %s", match)["voided_at"] is not None
    steps = hall.steps(match)
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert json.loads(steps[-1]["command"])["kind"] == "void"
    aged(hall, match, 8)
    watch.archive()
    assert hall.one("SELECT count(*) AS count FROM archives WHERE match_id = %s", match)["count"] == 1
    bring_back(settings, match)


@rule("PL-257")
def test_a_file_that_was_changed_or_is_gone_is_noticed(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match = ended(hall, worker)
    watch.archive()
    (file,) = files(settings)
    kept, written = hall.one("SELECT * FROM archives"), file.read_bytes()
    for spoil in (lambda: file.write_bytes(written[:-1] + b"x"), file.unlink):
        spoil()
        archive.opened.cache_clear()
        with pytest.raises(archive.ArchiveAway):
            archive.opened(file.parent, kept["location"], kept["hash"])
    hall.own(match, "order", body={"kind": "void", "by": "operator", "reason": "nothing to void it on"})
    worker.look()
    assert hall.outcomes(match)[-1] == ("refused", "match_over")
    file.write_bytes(written)
    bring_back(settings, match)
    hall.connection.execute("UPDATE match_states SET done_arrival = (SELECT last_arrival FROM inbox_heads h WHERE h.match_id = match_states.match_id)")


@rule("PL-257", "PL-381", "PL-390")
def test_steps_and_state_are_sealed_in_the_file(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    """Gateways read these files, and may read neither steps nor states."""
    match = ended(hall, worker)
    steps = hall.steps(match)
    watch.archive()
    kept = hall.one("SELECT * FROM archives")
    shown = archive.opened(archive.folder_of(settings), kept["location"], kept["hash"])
    assert {"salt", "state_hash", "draws"}.isdisjoint({name for letter in shown.letters for name in letter})
    assert bytes(steps[0]["salt"]).hex() not in str(shown.letters) + str(shown.views)
    with pytest.raises(InvalidTag):
        archive._kept(replace(settings, master_key="another"), shown)
    bring_back(settings, match)


@rule("PL-257")
def test_a_folder_that_cannot_be_written_keeps_the_rows(hall: Hall, worker: Worker, watch: Watch, settings: Settings) -> None:
    match = ended(hall, worker)
    Path(settings.folder, "archive").write_text("a file where the folder should be")
    watch.round()
    assert rows_of(hall, match)["letters"]
    Path(settings.folder, "archive").unlink()
    watch.archive()
    assert rows_of(hall, match)["letters"], "it rests for a while"
    watch._archive_at = 0.0
    watch.archive()
    assert not rows_of(hall, match)["letters"]
    bring_back(settings, match)
