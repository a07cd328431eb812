"""Does the doctor find each thing that should never be, nothing else, and change only what it is asked to?"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from services.league.inbox.kinds import KINDS
from services.league.inbox.office import Office
from shared.desk import doctor, here
from shared.runtime.settings import Settings
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.league.inbox.conftest import Hall as Club
from tests.league.inbox.conftest import settle
from tests.ledger import rule

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
def club(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    monkeypatch.setattr(here, "settings", lambda: settings)
    club = Club(settings)
    yield club
    club.database.close()


@pytest.fixture
def office(settings: Settings) -> Iterator[Office]:
    office = Office(settings, KINDS)
    yield office
    office.database.close()


def under_way(club: Club, office: Office, entrants: int = 4) -> str:
    """A tournament of one round that has begun."""
    seats = {"least": 2, "most": 2, "preferred": 2}
    tournament = club.made(office, game_version="1", opponents="bots", stages=[{"format": "swiss", "seats": seats, "rounds": 1}],
                           playing={"clock": {"preset": "quick"}}, schedule={"round_break": "0 minutes"})
    club.act(tournament, "open", {"forecast_seen": True})
    for number in range(entrants):
        club.act(tournament, "enter", by=club.account(f"{tournament}-{number}"), roles=("self",))
    for kind in ("close", "start"):
        club.act(tournament, kind)
    settle(office)
    return tournament


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


@rule("PL-654", "PL-411")
@pytest.mark.parametrize(("spoil", "wrong_from"), [
    ("DELETE FROM steps WHERE match_id = %s AND step = 2", 3), ("DELETE FROM steps WHERE match_id = %s AND step = (SELECT max(step) FROM steps)", None),
    ("DELETE FROM letters WHERE match_id = %s AND step = 2", None), ("UPDATE steps SET events = '[]' WHERE match_id = %s AND step = 2", 2),
    ("UPDATE steps SET command = '{}' WHERE match_id = %s AND step = 3", 3), ("UPDATE steps SET chain = '\\x00' WHERE match_id = %s AND step = 2", 2),
    ("UPDATE match_states SET chain = '\\x00' WHERE match_id = %s", None),
])
def test_a_step_that_is_gone_changed_or_was_told_to_nobody_is_found(hall: Hall, worker: Worker, capsys, spoil: str, wrong_from: int | None):
    match = finished(hall, worker)
    assert findings(capsys)[1] == []
    hall.connection.execute(spoil, (match,))
    [found] = findings(capsys, "--repair")[1]
    assert (found["check"], found["on"], found["before"]["wrong_from"], found["after"]) == ("lost_steps", match, wrong_from, None)


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


@rule("PL-654", "PL-655", "LG-1043", "LG-802", "LG-809")
def test_a_page_that_is_not_what_the_events_say_is_written_again(capsys: pytest.CaptureFixture[str], club: Club, office: Office):
    tournament = under_way(club, office)
    club.finish(club.open_matches(tournament)[0])
    settle(office)
    assert findings(capsys) == (0, [])
    club.do("UPDATE competition_pages SET body = replace(body, '\"points\":\"1\"', '\"points\":\"7\"') WHERE name = 'standing/1'")
    [found] = findings(capsys)[1]
    assert (found["check"], found["on"], found["before"]) == ("wrong_pages", tournament, {"pages": ["standing/1"]})
    assert findings(capsys, "--repair")[0] == 0
    club.do("UPDATE competitions SET pages_at = 'epoch'")
    settle(office)
    assert findings(capsys) == (0, [])


@rule("LG-1043", "LG-942", "LG-944")
def test_a_record_that_was_changed_is_named_by_its_first_event(capsys: pytest.CaptureFixture[str], club: Club, office: Office):
    tournament = under_way(club, office)
    club.do("UPDATE competition_events SET body = replace(body, '\"at\":', '\"at\": ') WHERE number = 3")
    [found] = findings(capsys)[1]
    assert (found["check"], found["on"], found["before"]) == ("broken_chain", tournament, {"event": 3})


@rule("PL-654", "LG-1043", "LG-1041")
def test_what_the_league_should_have_done_is_found_and_done_once(capsys: pytest.CaptureFixture[str], club: Club, office: Office):
    tournament = under_way(club, office)
    first, second = club.open_matches(tournament)
    club.finish(first, tell=False)
    club.do(f"UPDATE matches SET ended_at = {AGO} WHERE match_id = %s", first)
    club.do("UPDATE competition_matches SET recorded_at = clock_timestamp() WHERE match_id = %s", first)     # as if a program had erred
    club.do("DELETE FROM competition_matches WHERE match_id = %s", second)
    found = {finding["check"]: finding["on"] for finding in findings(capsys)[1]}
    assert (found["uncounted"], found["unpaired"]) == (first, second)
    findings(capsys, "--repair")
    settle(office)
    assert {finding["check"] for finding in findings(capsys)[1]} == {"unpaired"}
    assert club.events(tournament).count("recorded") == 1


@rule("LG-1041", "LG-1042")
def test_acts_that_wait_and_times_that_passed_are_told(capsys: pytest.CaptureFixture[str], club: Club, office: Office):
    tournament = under_way(club, office)
    club.act(tournament, "pause")
    club.do(f"UPDATE competition_acts SET received_at = {AGO} WHERE state = 'waiting'")
    club.do(f"UPDATE competitions SET due_at = {AGO}")
    assert {finding["check"]: finding["on"] for finding in findings(capsys)[1]} == {"waiting_acts": tournament, "late_competitions": tournament}
    settle(office)
    assert findings(capsys) == (0, [])


@rule("PL-654", "PL-598", "LG-888")
def test_webhooks_and_reminders_that_wait_are_told(capsys: pytest.CaptureFixture[str], club: Club, office: Office):
    tournament = under_way(club, office)
    for hook, state, why in (("w-1", "paused", "attempts"), ("w-2", "paused", "owner"), ("w-3", "active", "")):
        club.do("INSERT INTO hooks (hook_id, organisation_id, address, secret, created_by, state, why) VALUES (%s, 'o-1', 'https://example.org/', '', 'host', %s, %s)",
                hook, state, why)
        club.do(f"INSERT INTO hook_lines (hook_id, competition_id, due_at) VALUES (%s, %s, {AGO})", hook, tournament)
    club.do(f"UPDATE competitions SET remind_at = {AGO}")
    assert {finding["check"]: finding["on"] for finding in findings(capsys)[1]} == {"paused_hooks": "w-1", "late_deliveries": "w-3", "late_reminders": tournament}
    settle(office)
    assert {finding["check"] for finding in findings(capsys)[1]} == {"paused_hooks", "late_deliveries"}


@rule("PL-654")
def test_a_schema_that_is_not_up_to_date_is_all_that_is_said(empty_database: str, settings: Settings, monkeypatch, capsys):
    monkeypatch.setattr(here, "settings", lambda: replace(settings, database_url=empty_database))
    code, found = findings(capsys)
    assert code == 1
    assert {finding["check"] for finding in found} == {"migrations"}
