"""What does a player find on their own page, what do others, and is everything told once?"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from services.league.inbox import telling
from services.league.inbox.kinds import KINDS
from services.league.inbox.office import Office
from tests.league.inbox.api import TWO, Api, code
from tests.league.inbox.conftest import Hall, hall, settle  # noqa: F401  fixture
from tests.ledger import rule

LATE = {"round_break": "0 minutes", "round_deadline": "48 hours"}


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:  # noqa: F811  fixture
    api = Api(hall)
    yield api
    api.close()


def until(what, patience: float = 15.0) -> None:
    give_up = time.monotonic() + patience
    while not what():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def begun(api: Api, *entrants: str, private: bool = False, **changes: object) -> str:
    tournament = api.opened(*entrants, **{"schedule": LATE, **changes})
    if private:
        assert api.act(tournament, "set", changes={"visibility": "private"}).status_code == 200
    for kind in ("close", "start"):
        answer = api.act(tournament, kind, **({"accept_imbalance": True} if kind == "start" else {}))
        assert answer.status_code == 200 or answer.json["code"] == "wrong_state", answer.json
    until(lambda: api.hall.open_matches(tournament))
    return tournament


def league(api: Api, account: str, who: str | None = None) -> dict:
    answer = api.call("GET", f"/accounts/{account}/league", who)
    assert answer.status_code == 200, answer.json
    return answer.json


def notices(api: Api, who: str, **query: str) -> list[dict]:
    return api.call("GET", "/me/notices?" + "&".join(f"{name}={value}" for name, value in query.items()), who).json["items"]


@rule("LG-1005", "LG-168", "LG-888")
def test_a_players_page_has_open_tables_deadlines_byes_and_results(api: Api):
    tournament = begun(api, "ada", "cy", "dee", "bo", stages=[{"format": "swiss", "rounds": 3, "seats": TWO, "half_byes": 1}], schedule={**LATE, "round_break": "5 minutes"})
    for who, bye in (("cy", "zero"), ("cy", "half"), ("dee", "half"), ("dee", "none")):
        assert api.act(tournament, "request_bye", who, round=2, bye=bye).status_code == 200
    mine = league(api, "cy")
    [table] = mine["open"]
    assert (table["tournament"], table["pairing"].rpartition("/")[0], len(table["accounts"])) == (tournament, "1/1", 1)
    assert table["match"] in api.hall.open_matches(tournament)
    assert table["deadline"] is not None
    assert mine["people"].keys() >= set(table["accounts"])
    assert [(bye["round"], bye["bye"]) for bye in mine["byes"]] == [(2, "half")]
    assert league(api, "dee")["byes"] == []
    assert mine["results"] == []
    api.hall.finish(table["match"])
    until(lambda: league(api, "cy")["results"])
    after = league(api, "cy")
    assert after["open"] == []
    [result] = after["results"]
    assert (result["match"], result["state"], result["seats"], result["place"] in {1, 2}, result["decided_at"] is not None) == (
        table["match"], "confirmed", 2, True, True)


@rule("LG-1005", "LG-129")
def test_private_tournaments_are_left_out_for_others(api: Api):
    tournament = begun(api, "ada", "cy", "dee", "bo", private=True)
    assert [one["tournament"] for one in league(api, "cy", "cy")["open"]] == [tournament]
    assert [one["tournament"] for one in league(api, "cy", "dee")["open"]] == [tournament]      # who takes part as well
    for match in api.hall.open_matches(tournament):
        api.hall.finish(match)
    until(lambda: league(api, "cy", "cy")["results"])
    stranger = api.token(api.hall.account("stranger", "person"), "league:read")
    for who in (None, stranger, api.token("cy", "match:read")):
        told = league(api, "cy", who)
        assert (told["open"], told["results"], told["byes"]) == ([], [], [])
    assert code(api.call("GET", "/accounts/nobody/league")) == (404, "not_found")


@rule("LG-1005", "LG-1006")
def test_results_are_read_by_cursor_newest_first(api: Api):
    tournament = begun(api, "cy", "dee", stages=[{"format": "round_robin", "seats": TWO, "double": True}], schedule={"round_break": "0 minutes"})
    for count in (1, 2):
        until(lambda: api.hall.open_matches(tournament))
        api.hall.finish(api.hall.open_matches(tournament)[0])
        until(lambda count=count: len(league(api, "cy")["results"]) == count)
    first = api.call("GET", "/accounts/cy/league?limit=1").json
    second = api.call("GET", f"/accounts/cy/league?limit=1&cursor={first['next']}").json
    assert [one["round"] for one in first["results"] + second["results"]] == [2, 1]
    assert second["next"] is None


@rule("LG-1016", "LG-168", "PL-576")
def test_a_player_reads_notices_once_and_marks_them(api: Api):
    tournament = begun(api, "ada", "cy", "dee", "bo")
    [match] = [one["match"] for one in league(api, "cy")["open"]]
    until(lambda: notices(api, "cy"))
    [told] = notices(api, "cy")
    assert (told["kind"], told["tournament"], told["match"], told["name"], told["read_at"]) == ("pairing_published", tournament, match, "Autumn cup", None)
    assert told["event"] == api.hall.one("SELECT number FROM competition_events WHERE kind = 'round_published'")["number"]
    api.hall.tell(match, 1, "match.started")
    api.hall.tell(match, 1, "match.started")
    api.hall.finish(match)
    until(lambda: len(notices(api, "cy")) >= 3)
    assert [one["kind"] for one in notices(api, "cy")][-3:][::-1][:2] == ["pairing_published", "match_started"]
    newest = notices(api, "cy", limit="1")[0]["notice"]
    assert code(api.call("PUT", "/me/notices/read", api.token("cy", "match:read"), {"up_to": newest})) == (403, "scope_missing")
    assert api.call("PUT", "/me/notices/read", api.token("cy", "account:write"), {"up_to": newest}).status_code == 204
    assert [one for one in notices(api, "cy", unread="true") if one["notice"] <= newest] == []
    assert notices(api, "dee", unread="true")
    assert api.call("GET", "/me/notices", None).status_code == 401


@rule("LG-888", "LG-886", "LG-1016")
def test_reminders_are_told_once_and_never_after_the_match_is_over(hall: Hall):  # noqa: F811  fixture
    api = Api(hall)
    tournament = begun(api, "ada", "cy", "dee", "bo")
    api.close()
    office = Office(hall.settings, KINDS)
    settle(office)
    over, going = hall.open_matches(tournament)
    hall.finish(over, tell=False)                       # the league has not heard of it
    due = hall.one("SELECT extract(epoch FROM remind_at - clock_timestamp())::float AS left FROM competitions")["left"]
    assert 23 * 3600 < due < 25 * 3600
    row = hall.row(tournament)
    deadline = int(hall.page(tournament, "round/1/1")["deadline"])
    for moment in (deadline - 24 * 3_600_000, deadline - 3_600_000, deadline - 3_600_000):
        state = office._state({**row, "now": moment})
        rows = KINDS["tournament"].reminders(state, moment)
        with office.database.transaction() as transaction:
            telling._written(transaction, telling.TELLING.tell, tournament, [telling._row(one, row["version"]) for one in rows])
    told = hall.all("SELECT * FROM notices WHERE kind = 'deadline_near'")
    assert {one["match_id"] for one in told} == {going}
    assert len(told) == 2 * 2                           # two players, at two times, however often it is looked at
    hall.do("UPDATE competitions SET remind_at = clock_timestamp()")
    settle(office)
    left = hall.one("SELECT extract(epoch FROM remind_at - clock_timestamp())::float AS left FROM competitions")["left"]
    assert 23 * 3600 < left < 25 * 3600                 # looked at, nothing was due, and it waits for the next time
    office.database.close()


@rule("LG-955")
def test_signals_are_read_by_referees_only(api: Api):
    tournament = begun(api, "ada", "cy", "dee", "bo")
    assert code(api.call("GET", f"/tournaments/{tournament}/signals", "ada")) == (403, "not_allowed")
    api.call("PUT", f"/tournaments/{tournament}/officials/bo", "bo")
    answer = api.call("GET", f"/tournaments/{tournament}/signals", "bo")
    assert (answer.status_code, answer.json["items"]) == (200, [])
