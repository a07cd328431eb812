"""Does the league obey at the machine as it does over HTTP?"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from shared.desk import here
from shared.desk.league import acts, organisation, ratings
from tests.league.inbox.api import Api
from tests.league.inbox.conftest import GAME, ORG, Hall
from tests.league.inbox.test_api import played
from tests.ledger import rule


@pytest.fixture
def api(settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.setattr(here, "settings", lambda: settings)
    hall = Hall(settings)
    api = Api(hall)
    yield api
    api.close()
    hall.database.close()


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert acts.main(list(words)) == code
    told = capsys.readouterr()
    return (told.err if code else told.out).strip()


@rule("PL-681")
def test_every_way_tells_it_as_json_and_wrong_fields_are_wrong_use(api: Api, capsys: pytest.CaptureFixture[str]):
    tournament = api.opened()
    assert json.loads(said(capsys, "list", "--json"))[0]["tournament"] == tournament
    assert json.loads(said(capsys, "show", tournament, "--json"))["tournament"] == tournament
    assert json.loads(said(capsys, "hold", tournament, "--reason", "a complaint", "--json")) == {tournament: {"held": True}}
    assert json.loads(said(capsys, "organisation", "Fifth club", "--owner", "cy", "--json"))["organisation"].startswith("o-")
    assert said(capsys, "act", tournament, "set", "changes", "--as", "bo", code=2) == "cupboard: changes: fields are written NAME=VALUE"
    assert said(capsys, "act", tournament, "close", "--as", "nobody", code=1) == "not_found: no account is called 'nobody'"
    assert said(capsys, "list", "--kind", "championship", "--state", "open", code=2) == \
        "cupboard: a championship is never open; its states are draft, running, finished"
    with pytest.raises(SystemExit, match="2"):
        acts.main(["list", "--state", "nosuch"])
    assert "choose from 'cancelled', 'closed', 'draft'" in capsys.readouterr().err


@rule("PL-681", "LG-130", "LG-987")
def test_acts_pages_and_exports_at_the_machine(api: Api, capsys: pytest.CaptureFixture[str]):
    tournament = api.opened(visibility="private")
    assert said(capsys, "list").split()[:4] == [tournament, "open", "0", GAME]
    told = json.loads(said(capsys, "act", tournament, "enter", "--as", "ada"))
    assert (told["state"], told["events"]) == ("done", 1)
    assert said(capsys, "act", tournament, "enter", "--as", "ada", code=1).startswith("already_entered: ")
    assert said(capsys, "act", tournament, "close", "--as", "cy", code=1).startswith("not_found")        # a private one is not there for others
    assert json.loads(said(capsys, "act", tournament, "set", 'changes={"name": "Winter cup"}', "--as", "bo"))["state"] == "done"
    assert json.loads(said(capsys, "show", tournament))["name"] == "Winter cup"
    assert [item["account"] for item in json.loads(said(capsys, "show", tournament, "--page", "entrants"))["items"]] == ["ada"]
    export = said(capsys, "export", tournament)
    assert export == said(capsys, "export", tournament)
    assert json.loads(export)["version"] == api.hall.row(tournament)["version"]
    assert said(capsys, "hold", tournament, "--reason", "a complaint") == "on hold"
    assert said(capsys, "act", tournament, "enter", "--as", "bo", code=1).startswith("on_hold")
    assert said(capsys, "hold", tournament, "--release", "--reason", "it was settled") == "goes on"
    noted = [json.loads(row["entry"])["act"] for row in api.hall.all("SELECT entry FROM organisation_audit WHERE subject = %s ORDER BY number", tournament)]
    assert noted[-2:] == ["hold", "release"]


@rule("LG-122", "PL-158")
def test_an_organisation_is_founded_once_and_gets_its_owners(api: Api, capsys: pytest.CaptureFixture[str]):
    first = said(capsys, "organisation", "Chess friends", "--owner", "cy", "--zone", "Europe/Rome")
    assert said(capsys, "organisation", "chess FRIENDS", "--owner", "dee") == first
    assert organisation(api.hall.settings, "Chess friends", "dee") == first
    roles = api.call("GET", f"/organisations/{first}").json["roles"]
    assert {(one["account"], one["role"]) for one in roles} == {("cy", "owner"), ("dee", "owner")}
    assert first != ORG
    assert said(capsys, "organisation", "Others", "--owner", "nobody-at-all", code=1).startswith("not_found")
    assert api.hall.one("SELECT count(*) AS n FROM audit WHERE what = 'organisation.owner'")["n"] == 3


@rule("LG-852", "LG-845")
def test_ratings_are_computed_again_to_the_same_values(api: Api, capsys: pytest.CaptureFixture[str]):
    tournament = api.opened("ada", "bo", "cy", "dee", opponents="humans")
    played(api, tournament)
    before = api.hall.all("SELECT * FROM ratings ORDER BY account_id, pool")
    capsys.readouterr()
    assert ratings.main(["recompute"]) == 0
    assert capsys.readouterr().out == "1 games computed again; 0 entries were different\n"
    assert ratings.main(["recompute", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"games": 1, "different": 0}
    assert api.hall.all("SELECT * FROM ratings ORDER BY account_id, pool") == before
    assert ratings.main(["show", GAME, "--pool", "human"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split()[-1] == "ada"
    assert ratings.main(["show", GAME, "--pool", "human", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "ada"
    assert ratings.main(["show", "chess", "--json"]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"cupboard: no game is called 'chess'; there are: {GAME}\n")
