"""Does the doctor find each thing that should never be, nothing else, and change only what it is asked to?"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from shared.desk import doctor, here
from shared.runtime.settings import Settings
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.league.conftest import Club, club, league, settle
from tests.ledger import rule

__all__ = ["club", "league"]      # fixtures of the league's tests, used here as well

AGO = "clock_timestamp() - interval '5 minutes'"


@pytest.fixture
def hall(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    settings = replace(settings, games="tests.laws.pebbles.game:GAME")
    monkeypatch.setattr(here, "settings", lambda: settings)
    hall = Hall(settings, GAME)
    hall.connection.execute("INSERT INTO pulses VALUES ('watch-pebbles-1', 'watch', clock_timestamp())")
    yield hall
    hall.connection.close()


@pytest.fixture
def worker(hall: Hall) -> Iterator[Worker]:
    worker = Worker(GAME, hall.settings)
    yield worker
    worker.database.close()


def findings(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]]]:
    capsys.readouterr()
    code = doctor.main(["--json", *words])
    return code, json.loads(capsys.readouterr().out)


def running(hall: Hall, worker: Worker) -> str:
    match = hall.match(3, clock={"preset": "normal"})
    worker.look()
    return match


def finished(hall: Hall, worker: Worker) -> str:
    match = hall.match(3, bots=dict.fromkeys(range(3), next(iter(GAME.bots))))
    worker.look()
    while hall.state(match) == "running":
        hall.own(match, "order", body={"kind": "advance", "by": "host"})
        worker.look()
    return match


@rule("PL-654")
def test_a_healthy_installation_shows_nothing(hall: Hall, worker: Worker, capsys: pytest.CaptureFixture[str]):
    running(hall, worker)
    finished(hall, worker)
    hall.connection.execute("UPDATE outbox SET done_at = clock_timestamp()")
    assert doctor.main([]) == 0
    assert capsys.readouterr().out == "nothing is wrong\n"


@rule("PL-654", "PL-655")
@pytest.mark.parametrize(("check", "spoil"), [
    ("waiting_rows", f"UPDATE inbox SET outcome = NULL, accepted_at = {AGO} WHERE match_id = %s"),
    ("late_asks", f"UPDATE asks SET due_at = {AGO} WHERE match_id = %s"),
    ("late_timers", f"INSERT INTO timers VALUES (%s, 'no_show', 1, {AGO})"),
    ("clockless_asks", "UPDATE asks SET due_at = NULL, question = 'throw', needed = true WHERE match_id = %s"),
    ("idle_matches", "DELETE FROM asks WHERE match_id = %s"),
    ("views_behind", "UPDATE views SET step = 0 WHERE match_id = %s"),
    ("nobody_plays", "UPDATE matches SET version = 7 WHERE match_id = %s"),
    ("lost_seats", "UPDATE accounts SET deleted_at = clock_timestamp() WHERE account_id = (SELECT account_id FROM seats WHERE match_id = %s AND seat = 0)"),
    ("old_outbox", f"UPDATE outbox SET created_at = {AGO}, done_at = NULL WHERE match_id = %s"),
])
def test_what_is_wrong_with_a_running_match_is_found_and_left_alone(hall: Hall, worker: Worker, capsys, check: str, spoil: str):
    match = running(hall, worker)
    hall.connection.execute(spoil, (match,))
    before = hall.all("SELECT (SELECT count(*) FROM asks) + (SELECT count(*) FROM timers) AS n")
    code, found = findings(capsys, "--repair")
    assert code == 1
    assert check in {finding["check"] for finding in found}
    assert all(finding["on"] == match and finding["after"] is None for finding in found)
    assert hall.all("SELECT (SELECT count(*) FROM asks) + (SELECT count(*) FROM timers) AS n") == before


@rule("PL-654")
@pytest.mark.parametrize(("check", "spoil"), [
    ("no_result", "WITH seats AS (DELETE FROM result_seats WHERE match_id = %(m)s) DELETE FROM results WHERE match_id = %(m)s"),
    ("no_record", f"WITH old AS (UPDATE matches SET ended_at = {AGO} WHERE match_id = %(m)s) DELETE FROM records WHERE match_id = %(m)s"),
])
def test_what_is_wrong_with_an_ended_match_is_found(hall: Hall, worker: Worker, capsys, check: str, spoil: str):
    match = finished(hall, worker)
    if check == "no_result":
        hall.connection.execute("DELETE FROM result_seats WHERE match_id = %s", (match,))
        spoil = "DELETE FROM results WHERE match_id = %(m)s"
    hall.connection.execute(spoil, {"m": match})
    assert [finding["check"] for finding in findings(capsys)[1]] == [check]


@rule("PL-655")
@pytest.mark.parametrize(("check", "spoil", "after"), [
    ("left_timers", "INSERT INTO timers VALUES (%s, 'phase', 1, clock_timestamp())", {"kinds": ["phase"]}),
    ("left_asks", "INSERT INTO asks VALUES (%s, 1, 2, 'throw', true, '{}', clock_timestamp(), clock_timestamp(), NULL)", {"seats": [1]}),
])
def test_what_is_safe_to_mend_is_mended_once_with_an_audit_row(hall: Hall, worker: Worker, capsys, check: str, spoil: str, after: dict):
    match = finished(hall, worker)
    hall.connection.execute(spoil, (match,))
    code, [found] = findings(capsys)
    assert (code, found["check"], found["after"]) == (1, check, None)
    code, [found] = findings(capsys, "--repair")
    assert (code, found["before"], found["after"]) == (0, {"state": "finished"}, after)
    assert findings(capsys, "--repair") == (0, [])
    [row] = hall.all('SELECT who, what, "on", before, after FROM audit')
    assert (row["who"], row["what"], row["on"], row["after"]) == ("doctor", f"doctor.mend_{check}", match, after)


@rule("PL-654", "PL-655", "LG-1043")
def test_a_standing_that_is_not_the_sum_of_its_results_is_computed_again(settings: Settings, monkeypatch, capsys, club: Club, league):
    monkeypatch.setattr(here, "settings", lambda: settings)
    championship = club.started(4, rounds=1)
    settle(league)
    club.finish(club.running(championship)[0])
    settle(league)
    assert findings(capsys) == (0, [])
    club.database.execute("UPDATE standings SET points_n = 9 WHERE number = 2")
    [found] = findings(capsys)[1]
    assert (found["check"], found["on"], found["before"]) == ("wrong_standings", championship, {"numbers": [2]})
    assert findings(capsys, "--repair")[0] == 0
    settle(league)
    assert findings(capsys) == (0, [])


@rule("PL-654")
def test_a_result_the_league_does_not_know_and_a_match_without_pairing_are_found(settings: Settings, monkeypatch, capsys, club: Club, league):
    monkeypatch.setattr(here, "settings", lambda: settings)
    championship = club.started(8, rounds=1)
    settle(league)
    first, second = club.running(championship)
    club.finish(first, tell=False)
    club.database.execute(f"UPDATE matches SET ended_at = {AGO} WHERE match_id = %s", (first,))
    club.database.execute("DELETE FROM appearances WHERE table_no = 2")
    club.database.execute("DELETE FROM pairings WHERE match_id = %s", (second,))
    found = {finding["check"]: finding["on"] for finding in findings(capsys)[1]}
    assert (found["uncounted"], found["unpaired"]) == (first, second)


@rule("PL-654")
def test_a_schema_that_is_not_up_to_date_is_all_that_is_said(empty_database: str, settings: Settings, monkeypatch, capsys):
    monkeypatch.setattr(here, "settings", lambda: replace(settings, database_url=empty_database))
    code, found = findings(capsys)
    assert code == 1
    assert {finding["check"] for finding in found} == {"migrations"}
