"""Can a match be told, carried out again, and verified by anybody, and is the smallest change found and named?"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from shared.desk import here, replay, verify
from shared.runtime.settings import Settings
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting


@pytest.fixture
def hall(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    settings = replace(settings, games="tests.laws.pebbles.game:GAME")
    monkeypatch.setattr(here, "settings", lambda: settings)
    hall = Hall(settings, GAME)
    yield hall
    hall.connection.close()


@pytest.fixture
def played(hall: Hall) -> str:
    """A whole match of built-in bots."""
    level = next(iter(GAME.bots))
    match = hall.match(3, bots=dict.fromkeys(range(3), level))
    worker = Worker(GAME, hall.settings)
    worker.look()
    while hall.state(match) == "running":       # no clock runs, so somebody has to end its phases
        hall.own(match, "order", body={"kind": "advance", "by": "host"})
        worker.look()
    worker.database.close()
    return match


@rule("PL-413")
def test_every_stored_match_goes_the_same_way_again(hall: Hall, played: str, capsys: pytest.CaptureFixture[str]):
    assert replay.main(["--all"]) == 0
    assert capsys.readouterr().out == "1 matches went the same way again\n"


@rule("PL-681")
@pytest.mark.parametrize("words", [["replay", "{match}"], ["replay", "{match}", "--json"], ["verify", "{match}"], ["rulebook"], []])
def test_whoever_stops_reading_gets_no_traceback(hall: Hall, played: str, words: list[str]):
    """As `cupboard replay MATCH | head -0` does: the reader has gone before the first word."""
    reading, writing = os.pipe()
    os.close(reading)
    environ = {**os.environ, "CUPBOARD_LOCAL": "1", "DATABASE_URL": hall.settings.database_url, "CUPBOARD_GAMES": hall.settings.games}
    told = subprocess.run([sys.executable, "-m", "shared.desk.cli", *(word.format(match=played) for word in words)],
                          stdout=writing, stderr=subprocess.PIPE, env=environ, check=False)
    os.close(writing)
    assert (told.returncode, told.stderr) == (0, b"")


@rule("PL-413", "PL-415")
@pytest.mark.parametrize(("change", "word"), [
    ("draws = '[[6, 6]]'", "other dice"), ("events = '[]'", "other events"), ("state_hash = '\\x00'", "another state")])
def test_the_first_difference_is_named(hall: Hall, played: str, capsys: pytest.CaptureFixture[str], change: str, word: str):
    hall.connection.execute(f"UPDATE steps SET {change} WHERE match_id = %s AND step = 2", (played,))
    assert replay.main(["--all", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told == {"matches": 1, "different": {played: f"step 2: {word}"}}


@rule("PL-416", "PL-417")
def test_after_the_end_a_match_is_told_openly_or_as_a_seat_was_told(hall: Hall, played: str, capsys: pytest.CaptureFixture[str]):
    assert replay.main([played]) == 0
    openly = capsys.readouterr().out.splitlines()
    assert replay.main([played, "--seat", "1"]) == 0
    assert len(openly) >= 2
    assert openly[0].startswith("    1 ")
    assert replay.main([played, "--seat", "3"]) == 1
    assert replay.main(["m-nothing"]) == 1


@rule("PL-416")
def test_a_running_match_is_told_as_onlookers_know_it(hall: Hall, capsys: pytest.CaptureFixture[str]):
    match = hall.match(3)
    worker = Worker(GAME, hall.settings)
    worker.look()
    worker.database.close()
    assert replay.main([match, "--json"]) == 0
    assert [json.loads(line)["ask"] for line in capsys.readouterr().out.splitlines()] == [None]
    assert replay.main([match, "--seat", "0"]) == 1


@rule("PL-622", "PL-623", "PL-411")
def test_a_record_is_verified_by_itself_and_from_the_stored_commands(hall: Hall, played: str, tmp_path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "record.ndjson"
    file.write_text(hall.one("SELECT record FROM records WHERE match_id = %s", played)["record"])
    assert verify.main([str(file)]) == 0
    assert verify.main([played]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.endswith(": right") for line in lines)
    assert [line.split(":")[0] for line in lines[:4]] == ["commitment", "key", "draws", "chain"]
    assert lines[-1] == "stored commands: right"


def changed(record: str, line: int, **facts: object) -> str:
    lines = [json.loads(one) for one in record.splitlines()]
    lines[line] |= facts
    return "".join(json.dumps(one) + "\n" for one in lines)


@rule("PL-622", "EX-38")
def test_whatever_is_changed_in_a_record_is_found(hall: Hall, played: str, tmp_path, capsys: pytest.CaptureFixture[str]):
    record = hall.one("SELECT record FROM records WHERE match_id = %s", played)["record"]
    steps = [json.loads(line) for line in record.splitlines()]
    rolled = next(number for number, step in enumerate(steps) if step.get("draws"))
    [n, drawn] = steps[rolled]["draws"][0]
    changes = {
        "commitment": changed(record, 0, seed="00" * 32), "key": changed(record, 0, contributions=["aa", "bb", "cc"]),
        "draws": changed(record, rolled, draws=[[n, (drawn + 1) % n], *steps[rolled]["draws"][1:]]),
        "result": changed(record, -1, result=[{**line, "place": line["place"] + 1} for line in steps[-1]["result"]]),
        "chain": changed(record, 2, state_hash="00" * 32), "whole match": changed(record, 2, seat=(steps[2]["seat"] + 1) % 3),
    }
    for what, spoilt in changes.items():
        file = tmp_path / "record.ndjson"
        file.write_text(spoilt)
        assert verify.main([str(file), "--json"]) == 1, what
        told = json.loads(capsys.readouterr().out)["findings"]
        assert any(finding["what"].startswith(what) and finding["difference"] for finding in told), (what, told)


@rule("PL-622", "PL-390")
def test_changed_events_a_kept_back_command_and_a_seat_that_is_not_there_are_found(hall: Hall, played: str, tmp_path, capsys: pytest.CaptureFixture[str]):
    record = hall.one("SELECT record FROM records WHERE match_id = %s", played)["record"]
    for change, difference in (({"events": []}, "step 2: other events"), ({"seat": 77}, "step 2: cannot be carried out"),
                               ({"command": None, "seat": None}, "step 2: its command is kept back, and pebbles has none that stays secret")):
        file = tmp_path / "record.ndjson"
        file.write_text(changed(record, 2, **change))
        assert verify.main([str(file)]) == 1
        assert f"whole match: {difference}" in capsys.readouterr().out


@rule("PL-622")
@pytest.mark.parametrize("text", ["[]\n[]\n[]\n", '{"seed": 1}\n{}\n', "[" * 5_000 + "\n{}\n"])
def test_any_other_file_is_told_to_be_no_record(hall: Hall, tmp_path, text: str, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "record.ndjson"
    file.write_text(text)
    assert verify.main([str(file)]) == 1
    assert capsys.readouterr().out.startswith("record: it is no whole record")


@rule("PL-622")
def test_what_is_no_record_is_refused(hall: Hall, tmp_path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "record.ndjson"
    file.write_text("{}\n")
    assert verify.main([str(file)]) == 1
    assert verify.main(["m-nothing"]) == 1


@rule("PL-411", "PL-413")
def test_what_stands_by_name_in_a_command_is_carried_out_and_hashed_in_order():
    """Whoever names lots or slots sends them in any order; the record, whose names are sorted, fits the hash all the same."""
    sitting = Sitting(GAME, 2).begun()
    one, other = "w2", "w1"
    table = sitting.match.state
    sitting.at(structs.replace(table.with_heap(0, pebbles=(other, one)), stage="look"))
    ask = sitting.ask(0)
    verdict = sitting.give("command", 0, ask.number, {"do": "give", "deal": {"with": "1", "take": {}, "give": {one: 1, other: 1}}})
    assert verdict.outcome == "carried_out", verdict
    stored = sitting.steps[-1].act.command
    assert list(msgspec.json.decode(stored)["deal"]["give"]) == [other, one]
    told = msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(stored), order="deterministic"))
    line = {"kind": "command", "step": 1, "seat": 0, "command": told, "draws": [], "salt": "00", "state_hash": "", "events": []}
    assert verify._told(GAME, line).command == stored
