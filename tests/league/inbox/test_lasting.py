"""What stays as it is: turns that came in time, results of accounts and matches that are gone, a round that two would pair at once?"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.gateway.accounts import _forget
from services.gateway.store import Store
from services.league.inbox import finished as finished_matches
from services.league.inbox import sending
from services.league.inbox.office import Office, _asked
from services.league.inbox.sending import send_stops
from services.league.store import INBOX
from shared.runtime.store import Database
from shared.runtime.turn import archive
from tests.league.inbox.api import Api
from tests.league.inbox.conftest import ORG, Hall
from tests.ledger import rule

BODY = '{"kind": "throw"}'


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


def finished(api: Api) -> str:
    tournament = api.opened("ada", "bo", "cy", "dee")
    api.act(tournament, "close")
    api.act(tournament, "start")
    give_up = time.monotonic() + 20
    while api.hall.row(tournament)["state"] != "finished":
        assert time.monotonic() < give_up
        for match in api.hall.open_matches(tournament):
            api.hall.finish(match)
        time.sleep(0.05)
    return tournament


def public(api: Api, tournament: str) -> dict[str, Any]:
    """Everything that can be read of it and of its ratings, without names."""
    paths = ("", "/entrants", "/stages/1/rounds/1", "/stages/1/rounds/2", "/stages/1/standing", "/events?limit=500", "/exports/json", "/exports/csv?what=standings")
    told = {path: api.call("GET", f"/tournaments/{tournament}{path}") for path in paths}
    rated = [api.call("GET", f"/accounts/{name}/ratings").json["items"] for name in ("ada", "bo", "cy")]
    return {"ratings": rated, **{path: {name: value for name, value in one.json.items() if name != "people"} if one.is_json else one.text
                                 for path, one in told.items()}}


@rule("LG-879")
def test_before_the_late_forfeit_everything_that_came_in_time_is_played(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 2)
    (match,) = hall.open_matches(competition)
    event = hall.row(competition)["version"]
    deadline = hall.one("SELECT at FROM competition_events WHERE competition_id = %s AND number = %s", competition, event)["at"]
    hall.do("UPDATE matches SET state = 'running' WHERE match_id = %s", match)
    hall.do("UPDATE inbox SET outcome = 'carried_out' WHERE match_id = %s", match)
    hall.do("INSERT INTO asks (match_id, seat, ask, question, needed, body, opened_at, since_at) VALUES (%s, 0, 1, 'throw', true, '{}', now(), now())", match)
    hall.do("INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, body, received_at)"
            " SELECT match_id, 90, 'c-in-time', game, version, 'command', 0, 1, %s, %s - interval '1 second' FROM matches WHERE match_id = %s",
            BODY, deadline, match)
    hall.do("INSERT INTO competition_stops (competition_id, event, match_id, what) VALUES (%s, %s, %s, 'late')", competition, event, match)
    send_stops(office.database, office.doorbell)
    assert not hall.all("SELECT FROM inbox WHERE match_id = %s AND kind = 'order'", match)

    hall.do("UPDATE inbox SET outcome = 'carried_out' WHERE command_id = 'c-in-time'")       # now the other seat is on turn
    hall.do("UPDATE asks SET seat = 1 WHERE match_id = %s", match)
    hall.do("INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, body, received_at)"
            " SELECT match_id, 91, 'c-too-late', game, version, 'command', 1, 1, %s, %s + interval '1 second' FROM matches WHERE match_id = %s",
            BODY, deadline, match)
    send_stops(office.database, office.doorbell)
    order = hall.one("SELECT body FROM inbox WHERE match_id = %s AND kind = 'order'", match)
    assert json.loads(order["body"])["target"] == 1


@rule("LG-1035", "LG-149")
def test_an_order_that_has_to_wait_or_fails_holds_up_no_other(hall: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    """As many as are sent at once wait for a worker that is away; what another tournament has ordered goes out."""
    monkeypatch.setattr(sending, "AT_ONCE", 1)
    order = sending._order

    def ordered(row: dict[str, Any]) -> str | None:
        return "no order at all" if row["competition_id"] == "t-0" else order(row)

    monkeypatch.setattr(sending, "_order", ordered)
    hall.do("INSERT INTO competitions (competition_id, kind, organisation_id, created_by, seed) VALUES ('t-0', 'tournament', %s, 'host', %s)", ORG, bytes(32))
    competition = hall.made(office)
    hall.field(competition, office, 4)
    one, other = hall.open_matches(competition)
    hall.do("UPDATE competition_matches SET competition_id = 't-0' WHERE match_id = %s", one)
    for name, match in (("t-0", one), (competition, other)):
        hall.do("INSERT INTO competition_stops (competition_id, event, match_id, what) VALUES (%s, 1, %s, 'void')", name, match)
    hall.do("ALTER TABLE inbox ADD CONSTRAINT orders_are_json CHECK (kind <> 'order' OR body NOT LIKE 'no order%%')")
    assert send_stops(office.database, office.doorbell) == 2
    assert [row["match_id"] for row in hall.all("SELECT match_id FROM inbox WHERE kind = 'order'")] == [other]
    assert [row["competition_id"] for row in hall.all("SELECT competition_id FROM competition_stops WHERE done_at IS NULL")] == ["t-0"]


@rule("LG-208", "LG-149")
def test_one_sweep_finds_every_end_that_was_not_told(hall: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(finished_matches, "MOST", 2)
    competition = hall.made(office)
    hall.field(competition, office, 10)
    for match in hall.open_matches(competition):
        hall.finish(match, tell=False)
    assert office.found(sweep=True) == {competition}
    assert hall.one("SELECT count(*) AS n FROM competition_acts WHERE kind = 'record'")["n"] == 5


@rule("LG-1033")
def test_what_was_worked_out_from_an_older_version_is_not_written(hall: Hall, office: Office):
    competition = hall.made(office)
    for number in range(3):
        hall.act(competition, "enter", by=hall.account(f"bot-{number}"), roles=("self",))
    office.drain(competition)
    hall.act(competition, "start")
    row = office.database.one(INBOX.competition, competition=competition)
    assert row is not None
    acts = [_asked(act) for act in office.database.all(INBOX.acts_waiting, competition=competition, done=row["done_arrival"], most=9)]
    slow = office._turn(row, acts)
    assert slow.happened
    other = Office(hall.settings, office.kinds)
    other.drain(competition)
    before = hall.events(competition)
    assert office._written(row, slow, full=False), "it looks again"
    assert hall.events(competition) == before
    office.drain(competition)
    assert hall.events(competition) == before
    other.database.close()


@rule("LG-946")
def test_a_removed_account_is_a_former_player_and_nothing_else_changes(api: Api):
    tournament = finished(api)
    before = public(api, tournament)
    with api._store.work() as work:
        _forget(work, "dee")
    assert public(api, tournament) == before
    people = api.call("GET", f"/tournaments/{tournament}/stages/1/standing").json["people"]
    assert (people["dee"]["name"], people["cy"]["name"]) == ("former player", "cy")
    assert '"name":"dee"' not in json.dumps(api.call("GET", f"/tournaments/{tournament}/exports/json").json, separators=(",", ":"))
    assert api.act(tournament, "explain", "cy", stage=1, round=2).json["answer"]["equal"]


@rule("LG-181")
def test_matches_that_are_archived_change_nothing_of_their_tournament(api: Api, tmp_path: Path):
    tournament = finished(api)
    before = public(api, tournament)
    hall = api.hall
    hall.do("UPDATE matches SET ended_at = ended_at - interval '30 days' WHERE match_id IN (SELECT match_id FROM competition_matches)")
    hall.do("UPDATE match_states SET step = 9, match = '{}', house = '{}'")
    hall.do("INSERT INTO records (match_id, record, proof, hash) SELECT match_id, '', '{}', '' FROM competition_matches")
    settings = replace(hall.settings, folder=str(tmp_path))
    database = Database(settings.database_of("worker"), settings, "worker", size=1)
    moved = [archive.archive(database, settings, row["match_id"]) for row in hall.all("SELECT match_id FROM competition_matches")]
    database.close()
    assert moved
    assert all(moved)
    api.league.look(sweep=True)
    assert public(api, tournament) == before


@rule("LG-1034", "LG-1006")
def test_a_page_of_a_standing_costs_the_same_whatever_the_field(api: Api, monkeypatch: pytest.MonkeyPatch):
    tournament = finished(api)
    statements: list[str] = []
    for name in ("one", "all"):
        real = getattr(Store, name)
        monkeypatch.setattr(Store, name, lambda store, query, _real=real, **facts: statements.append(query) or _real(store, query, **facts))

    def cost() -> int:
        statements.clear()
        answer = api.call("GET", f"/tournaments/{tournament}/stages/1/standing")
        assert answer.status_code == 200
        assert len(answer.json["lines"]) <= 500
        return len(statements)

    first, small = cost(), cost()
    assert small < first, "its text is read once for each writing of it"
    api.hall.do("INSERT INTO competition_pages (competition_id, name, part, version, body) SELECT competition_id, name, n, version, body"
                " FROM competition_pages, generate_series(1, 199) n WHERE competition_id = %s AND name = 'standing/1' AND part = 0", tournament)
    assert cost() == small
    plan = "\n".join(row["QUERY PLAN"] for row in api.hall.all(
        "EXPLAIN SELECT body FROM competition_pages WHERE competition_id = %s AND name = 'standing/1' AND part = 7", tournament))
    assert "Index" in plan


@rule("LG-1034", "LG-1002", "LG-1043")
def test_whoever_knows_a_page_is_told_so_and_one_that_is_mended_is_read_again(api: Api):
    path = f"/tournaments/{finished(api)}/stages/1/standing"
    known = api.call("GET", path)
    unchanged = api.call("GET", path, **{"If-None-Match": known.headers["ETag"]})
    assert (unchanged.status_code, unchanged.data, unchanged.headers["ETag"]) == (304, b"", known.headers["ETag"])
    api.hall.do("UPDATE competition_pages SET body = replace(body, '\"rank\":1,', '\"rank\":9,') WHERE name = 'standing/1'")
    assert [line["rank"] for line in api.call("GET", path).json["lines"]] == [9 if line["rank"] == 1 else line["rank"] for line in known.json["lines"]]


@rule("LG-883")
def test_the_time_is_the_servers_whatever_a_caller_says(api: Api):
    tournament = api.opened()
    before = api.hall.one("SELECT clock_timestamp() AS now")["now"]
    wrong = {"Date": "Fri, 01 Jan 1999 00:00:00 GMT", "X-Client-Time": "915148800"}
    assert api.call("POST", f"/tournaments/{tournament}/acts", "cy", {"kind": "enter"}, **wrong).status_code == 200
    after = api.hall.one("SELECT clock_timestamp() AS now")["now"]
    [entered] = api.hall.all("SELECT at FROM competition_events WHERE competition_id = %s AND kind = 'entered'", tournament)
    assert before.timestamp() - 0.001 <= entered["at"].timestamp() <= after.timestamp()
    [entrant] = api.call("GET", f"/tournaments/{tournament}/entrants").json["items"]
    assert entrant["entered_at"] == round(entered["at"].timestamp() * 1000)
    refused = api.call("POST", f"/tournaments/{tournament}/acts", "cy", {"kind": "withdraw", "at": 915148800000})
    assert refused.json["code"] == "malformed"
