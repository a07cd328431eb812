"""Over HTTP and a real database: does a team enter, line up in secret, play its boards and stand on the pages?"""

from collections.abc import Iterator

import pytest

from services.league.inbox.pages import entrant_lines
from tests.league.inbox.api import TWO, Api, code
from tests.league.inbox.conftest import ORG, Hall
from tests.league.inbox.test_api import until
from tests.ledger import rule

TEAMS = {"stages": [{"format": "round_robin", "seats": TWO}], "teams": {"boards": 2, "reserves": 1}, "opponents": "humans"}
PAGES = ("", "/standing", "/rounds/1/1", "/entrants", "/cross-table")


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


def entered(api: Api) -> str:
    """Cy with Dee and a reserve against Eve with Fay."""
    for name in ("eve", "fay", "gus"):
        api.hall.account(name, "person")
    for name in ("dee", "fay", "gus"):
        api.hall.do("INSERT INTO organisation_guests (organisation_id, account_id, invited_by, accepted_at) VALUES (%s, %s, 'ada', now())", ORG, name)
    tournament = api.made(**TEAMS)
    assert api.act(tournament, "open", forecast_seen=True).status_code == 200
    return tournament


@rule("LG-971", "LG-972", "LG-104", "LG-222")
def test_two_teams_meet_over_http(api: Api):
    tournament = entered(api)
    invited = [api.act(tournament, "invite", account=name) for name in ("cy", "dee", "eve", "fay", "gus")]
    assert {answer.status_code for answer in invited} == {200}
    assert code(api.act(tournament, "enter", "cy", team="Rooks", members=["cy", "robot"])) == (409, "not_eligible")
    assert api.act(tournament, "enter", "cy", team="Rooks", members=["cy", "dee"], reserves=["gus"]).status_code == 200
    assert code(api.act(tournament, "enter", "eve", team="Kings", members=["eve", "dee"])) == (409, "already_entered")
    assert api.act(tournament, "enter", "eve", team="Kings", members=["eve", "fay"]).status_code == 200
    assert api.call("GET", f"/tournaments/{tournament}", "gus").json["mine"]["entrants"] == [{"account": "gus", "number": None, "state": "member"}]
    assert code(api.act(tournament, "line_up", "dee", round=1, accounts=["dee"])) == (403, "not_allowed")
    assert api.act(tournament, "line_up", "cy", round=1, accounts=["gus", "cy"]).status_code == 200
    seen = api.call("GET", f"/tournaments/{tournament}/events", "eve").json["items"][-1]
    assert (seen["kind"], seen["hidden"], seen["body"]) == ("line_up_set", True, {})
    api.act(tournament, "close")
    assert api.act(tournament, "start", accept_imbalance=True).status_code == 200
    [meeting] = api.call("GET", f"/tournaments/{tournament}/stages/1/rounds/1", "eve").json["pairings"]
    assert sorted(sorted(seat["account"] for seat in board["seats"]) for board in meeting["boards"]) == [["cy", "fay"], ["eve", "gus"]]
    until(lambda: len(api.hall.open_matches(tournament)) == 2)
    for match in api.hall.open_matches(tournament):
        api.hall.finish(match)
    until(lambda: api.call("GET", f"/tournaments/{tournament}", "gus").json["state"] == "finished")
    told = api.call("GET", f"/tournaments/{tournament}", "gus").json
    assert set(told["teams"]) == set(told["winners"])
    [meeting] = api.call("GET", f"/tournaments/{tournament}/stages/1/rounds/1", "gus").json["pairings"]
    assert meeting["state"] == "confirmed"
    assert {seat["team"] for seat in meeting["seats"]} == {"Rooks", "Kings"}


@rule("LG-971", "LG-129")
def test_members_are_listed_once_and_the_captain_as_the_team():
    team = {"account": "cy", "number": 2, "state": "entered", "members": [{"account": "cy"}, {"account": "dee"}], "reserves": [{"account": "gus"}]}
    left = {"account": "dee", "number": 1, "state": "withdrawn", "members": [{"account": "dee"}]}
    assert {one["account"]: (one["number"], one["state"]) for one in entrant_lines([team, left])} == {
        "cy": (2, "entered"), "dee": (2, "member"), "gus": (2, "member")}


@rule("LG-1001", "LG-971")
def test_the_pages_of_the_site_show_teams_and_boards(api: Api):
    tournament = entered(api)
    for name, team, members in (("cy", "Rooks", ["cy", "dee"]), ("eve", "Kings", ["eve", "fay"])):
        api.hall.do("INSERT INTO organisation_guests (organisation_id, account_id, invited_by, accepted_at) VALUES (%s, %s, 'ada', now())", ORG, name)
        assert api.act(tournament, "enter", name, team=team, members=members).status_code == 200
    api.act(tournament, "close")
    assert api.act(tournament, "start", accept_imbalance=True).status_code == 200
    for path in PAGES:
        shown = api.app.test_client().get(f"/tournaments/{tournament}{path}")
        assert shown.status_code == 200, path
        assert "Rooks" in shown.text, path
        assert "Kings" in shown.text, path
    assert "Board 2" in api.app.test_client().get(f"/tournaments/{tournament}/rounds/1/1").text
