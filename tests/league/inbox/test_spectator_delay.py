"""Who sees what before a spectator delay has passed, and what is there for all when it has?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from services.gateway.competitions import ratings
from tests.league.inbox.api import TWO, Api, code
from tests.league.inbox.conftest import GAME, ORG, Hall
from tests.ledger import rule

LATE = {"round_break": "0 minutes", "spectator_delay": "1 hour"}
STAGES = [{"format": "swiss", "rounds": 2, "seats": TWO}]


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    for name in ("eve", "fay"):
        hall.account(name, "person")
    yield api
    api.close()


def until(what: Any) -> None:
    give_up = time.monotonic() + 15
    while not what():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def begun(api: Api, **schedule: Any) -> str:
    tournament = api.opened("cy", "dee", "eve", "fay", stages=STAGES, playing={"clock": {"preset": "quick"}, "talk": "phrases"}, schedule={**LATE, **schedule})
    assert api.act(tournament, "close").status_code == 200
    assert api.act(tournament, "start").status_code == 200
    until(lambda: len(api.hall.open_matches(tournament)) == 2)
    return tournament


def ended(api: Api, tournament: str, match: str) -> None:
    before = api.hall.row(tournament)["version"]
    api.hall.finish(match)
    until(lambda: api.hall.row(tournament)["version"] > before)


def an_hour_later(api: Api, tournament: str) -> None:
    """What has happened lies back further than the delay."""
    api.hall.do("ALTER TABLE competition_events DISABLE TRIGGER USER")
    api.hall.do("UPDATE competition_events SET at = at - interval '2 hours' WHERE competition_id = %s", tournament)
    api.hall.do("ALTER TABLE competition_events ENABLE TRIGGER USER")
    api.hall.do("UPDATE competition_seats SET decided_at = decided_at - interval '2 hours' WHERE competition_id = %s", tournament)
    api.hall.do("UPDATE competitions SET show_at = clock_timestamp() WHERE competition_id = %s", tournament)
    until(lambda: api.hall.row(tournament)["shown_version"] == api.hall.row(tournament)["version"])


def states(api: Api, path: str, who: str | None) -> dict[int, str]:
    answer = api.call("GET", path, who)
    return {one["table"]: one["state"] for one in answer.json["pairings"]} if answer.status_code == 200 else {}


@rule("LG-810")
def test_results_are_seen_at_once_by_the_table_and_the_officials_and_later_by_all(api: Api):
    tournament = begun(api)
    here = f"/tournaments/{tournament}"
    round_one = f"{here}/stages/1/rounds/1"
    shown = api.hall.row(tournament)["shown_version"]
    assert api.call("GET", here).json["state"] == "closed"
    assert len(states(api, round_one, "bo")) == 2
    assert code(api.call("GET", round_one)) == (404, "not_found")
    [table] = states(api, round_one, "cy")
    others = next(name for name in ("dee", "eve", "fay") if states(api, round_one, name) != {table: "ready"})

    match = next(one for one in api.hall.open_matches(tournament) if api.hall.all("SELECT FROM seats WHERE match_id = %s AND account_id = 'cy'", one))
    assert api.hall.one("SELECT delay_s, talk FROM matches WHERE match_id = %s", match) == {"delay_s": 3600, "talk": "phrases"}    # PL-556
    ended(api, tournament, match)
    assert [len(api.call("GET", "/accounts/cy/league", who).json["results"]) for who in ("bo", "cy", others, None)] == [1, 1, 0, 0]
    assert states(api, round_one, "bo")[table] == "confirmed"
    assert states(api, round_one, "cy") == {table: "confirmed"}
    assert table not in states(api, round_one, others)
    assert code(api.call("GET", round_one)) == (404, "not_found")
    events = api.call("GET", f"{here}/events?limit=500", others).json
    assert (events["version"], events["items"][-1]["number"]) == (shown, shown)
    assert api.call("GET", f"{here}/events?limit=500", "bo").json["version"] == api.hall.row(tournament)["version"]
    assert code(api.call("GET", f"{here}/stages/1/standing?as_of={shown + 1}", others)) == (422, "malformed")
    assert code(api.call("GET", f"{here}/stages/1/standing")) == (404, "not_found")
    assert code(api.call("GET", f"{here}/exports/csv?what=results")) == (409, "not_exportable")
    assert api.call("GET", f"{here}/exports/csv?what=results", "bo").status_code == 200
    assert code(api.act(tournament, "explain", others, stage=1, round=1)) == (404, "not_found")
    assert api.act(tournament, "explain", "bo", stage=1, round=1).json["answer"]["equal"]
    assert len(api.call("GET", f"{here}/exports/json", others).json["events"]) == shown

    an_hour_later(api, tournament)
    assert states(api, round_one, None)[table] == "confirmed"
    assert len(api.call("GET", "/accounts/cy/league").json["results"]) == 1
    assert sum(line["played"] for line in api.call("GET", f"{here}/stages/1/standing").json["lines"]) == 2
    ended(api, tournament, api.hall.open_matches(tournament)[0])
    assert sorted(states(api, round_one, None).values()) == ["confirmed", "ready"]
    assert sorted(states(api, round_one, others).values()) == ["confirmed", "confirmed"]
    [round_two] = [one["round"] for one in api.call("GET", f"{here}/stages/1/rounds", "cy").json["items"] if one["state"] == "published"]
    assert len(states(api, f"{here}/stages/1/rounds/{round_two}", "cy")) == 1
    assert code(api.call("GET", f"{here}/stages/1/rounds/{round_two}")) == (404, "not_found")


@rule("LG-810", "PL-419", "LG-845", "LG-851")
def test_ratings_do_not_tell_a_result_before_its_time(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ratings, "LEAST_MATCHES", 1)
    open_to_all = api.opened("cy", "dee", stages=[{"format": "swiss", "rounds": 1, "seats": TWO}])
    assert api.act(open_to_all, "close").status_code == 200
    assert api.act(open_to_all, "start").status_code == 200
    until(lambda: len(api.hall.open_matches(open_to_all)) == 1)
    ended(api, open_to_all, api.hall.open_matches(open_to_all)[0])

    def told() -> list[Any]:
        paths = (f"/games/{GAME}/ratings", *(f"/accounts/{name}/ratings{more}" for name in ("cy", "dee", "eve") for more in ("", f"/{GAME}")))
        return [api.call("GET", path, who).json for path in paths for who in (None, "eve")]

    before = told()
    assert [one["account"] for one in before[0]["items"]] == ["cy", "dee"]
    tournament = begun(api)
    for match in api.hall.open_matches(tournament):
        ended(api, tournament, match)
    assert api.hall.one("SELECT count(*) AS count FROM rating_record")["count"] == 3
    assert told() == before
    an_hour_later(api, tournament)
    after = told()
    assert {one["account"] for one in after[0]["items"]} == {"cy", "dee", "eve", "fay"}
    assert [one["matches"] for one in after[2]["items"] if one["pool"] == "open"] == [2]
    assert len(after[4]["items"]) == 2


@rule("LG-810", "LG-105", "LG-225", "LG-252")
def test_who_enters_elsewhere_is_rated_as_everybody_may_know(api: Api):
    """Their entry, their seed and what is asked of entrants tell nothing of a result that is held back."""
    tournament = begun(api)
    for match in api.hall.open_matches(tournament):
        ended(api, tournament, match)
    assert api.hall.one("SELECT count(*) AS count FROM ratings")["count"] == 8

    def rating_of(name: str) -> str:
        elsewhere = api.opened(name, name="Another cup")
        [entrant] = api.call("GET", f"/tournaments/{elsewhere}/entrants").json["items"]
        return str(entrant["rating"])

    assert {rating_of(name) for name in ("cy", "dee", "eve", "fay")} == {""}
    an_hour_later(api, tournament)
    assert len({rating_of(name) for name in ("cy", "dee", "eve", "fay")} - {""}) == 2


@rule("LG-810", "LG-602")
def test_a_championship_counts_a_standing_when_everybody_may_know_it(api: Api):
    tournament = begun(api)
    settings = {"name": "The year", "announced": 1, "least_field": 2}
    championship = api.call("POST", "/championships", "ada", {"organisation": ORG, "settings": settings}).json["championship"]
    path = f"/championships/{championship}"
    for act in ({"kind": "add", "tournament": tournament}, {"kind": "publish"}):
        assert api.call("POST", f"{path}/acts", "ada", act).status_code == 200
    while api.hall.row(tournament)["state"] != "finished":
        for match in api.hall.open_matches(tournament):
            ended(api, tournament, match)
        until(lambda: api.hall.open_matches(tournament) or api.hall.row(tournament)["state"] == "finished")
    api.league.look(sweep=True)
    assert not api.call("GET", f"{path}/standing").json.get("lines")
    lists = [[one["state"] for one in api.call("GET", "/tournaments" + asked, who).json["items"]] for who in (None, "cy", "bo") for asked in ("", "?state=finished")]
    assert lists == [["closed"], [], ["closed"], [], ["finished"], ["finished"]]
    an_hour_later(api, tournament)
    until(lambda: api.call("GET", f"{path}/standing").json.get("lines"))
    assert api.call("GET", f"/tournaments/{tournament}").json["state"] == "finished"


@rule("LG-810")
def test_without_a_delay_any_more_everything_is_there_at_once(api: Api):
    tournament = begun(api)
    assert code(api.call("GET", f"/tournaments/{tournament}/stages/1/rounds/1")) == (404, "not_found")
    assert api.act(tournament, "set", changes={"schedule": {"spectator_delay": ""}}).status_code == 200
    assert len(states(api, f"/tournaments/{tournament}/stages/1/rounds/1", None)) == 2
    assert not api.hall.all("SELECT FROM competition_pages WHERE competition_id = %s AND name LIKE 'shown/%%'", tournament)
