"""Does the operator's command archive what is ripe, list it, and notice a file that is not what was written?"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shared.desk import archive, doctor, here
from shared.runtime.settings import Settings
from shared.runtime.turn.archive import folder_of, opened
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.ledger import rule


@pytest.fixture
def hall(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    settings = replace(settings, games="tests.laws.pebbles.game:GAME", folder=str(tmp_path))
    monkeypatch.setattr(here, "settings", lambda: settings)
    hall = Hall(settings, GAME)
    yield hall
    hall.connection.close()


@pytest.fixture
def ended(hall: Hall) -> str:
    """A match of an old version that ended nine days ago."""
    match, worker = hall.match(2, bots={0: "random", 1: "random"}, options={"rounds": 1}), Worker(GAME, hall.settings)
    worker.look()
    while hall.state(match) == "running":
        hall.own(match, "order", body={"kind": "advance", "by": "host"})
        worker.look()
    worker.database.close()
    hall.connection.execute("UPDATE matches SET ended_at = ended_at - interval '9 days', version = 0 WHERE match_id = %s", (match,))
    return match


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, object]]]:
    capsys.readouterr()
    code = archive.main([*words, "--json"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@rule("PL-257", "PL-681")
def test_what_is_ripe_is_archived_listed_and_checked(hall: Hall, ended: str, capsys: pytest.CaptureFixture[str]):
    assert told(capsys, "run") == (0, [{"game": "pebbles", "version": 0, "archived": 1}])
    assert told(capsys, "run") == (0, [])
    code, (row,) = told(capsys, "list")
    assert (code, row["match"]) == (0, ended)
    file = folder_of(hall.settings) / str(row["location"])
    assert file.stat().st_size == row["size"]
    assert told(capsys, "check") == (0, [{"match": ended, "location": file.name, "fault": ""}])
    file.write_bytes(b"something else")
    opened.cache_clear()
    code, (row,) = told(capsys, "check")
    assert (code, row["fault"]) == (1, f"{file.name} is not what was written")


@rule("PL-654", "PL-257")
def test_the_doctor_finds_letters_beyond_their_time(hall: Hall, ended: str, capsys: pytest.CaptureFixture[str]):
    found = [finding.on for finding in doctor.look(hall.settings, hall_database(hall)) if finding.check.name == "old_letters"]
    assert found == [ended]
    told(capsys, "run")
    assert not [finding for finding in doctor.look(hall.settings, hall_database(hall)) if finding.check.name == "old_letters"]


def hall_database(hall: Hall) -> doctor.Database:
    return doctor.Database(hall.settings.database_url, hall.settings, "test", size=1)
