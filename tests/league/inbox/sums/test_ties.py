"""Over HTTP: can everybody who may read a standing read what it is made of, and nobody more?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from services.league.inbox.kinds import KINDS
from services.league.kind import Kind
from tests.league.inbox.api import TWO, Api, code
from tests.league.inbox.conftest import Hall
from tests.ledger import rule

STAGES = [{"format": "swiss", "rounds": 2, "seats": TWO, "ties": ["BH", "WON", "LOT"]}]


@pytest.fixture
def kinds() -> Mapping[str, Kind]:
    return KINDS


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


def until(what: Any) -> None:
    give_up = time.monotonic() + 20
    while not what():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def played(api: Api, *names: str, **settings: Any) -> str:
    tournament = api.opened(*(names or ("ada", "bo", "cy", "dee")), **{"stages": STAGES, **settings})
    for kind in ("close", "start"):
        assert api.act(tournament, kind).status_code == 200

    def over() -> bool:
        for match in api.hall.open_matches(tournament):
            api.hall.finish(match)
        return bool(api.hall.row(tournament)["state"] == "finished")
    until(over)
    return tournament


@rule("LG-771", "LG-804", "LG-1002", "LG-103")
def test_a_value_is_told_round_by_round_at_any_version_to_whoever_reads_the_standing(api: Api):
    tournament = played(api)
    here = f"/tournaments/{tournament}/stages/1"
    standing = api.call("GET", f"{here}/standing").json
    for line in standing["lines"]:
        answer = api.call("GET", f"{here}/ties?account={line['account']}")
        told = answer.json
        assert (told["tournament"], told["version"], told["rank"], told["tie_version"]) == (tournament, standing["version"], line["rank"], standing["tie_version"])
        assert {one["code"]: one["value"] for one in told["ties"] if one["used"]} == {one["code"]: one["value"] for one in line["ties"]}
        assert set(told["people"]) == {line["account"]} | {met["account"] for tie in told["ties"] for one in tie["rounds"] for met in one["opponents"]}
    known = {"If-None-Match": answer.headers["ETag"]}
    assert api.call("GET", f"{here}/ties?account=cy", **known).status_code == 304
    asked = "SELECT count(*) AS n FROM competition_acts WHERE kind = 'ties'"
    before = api.hall.one(asked)["n"]
    assert api.call("GET", f"{here}/ties?account={line['account']}", "cy").json == told
    assert api.hall.one(asked)["n"] == before, "it is kept"
    events = api.call("GET", f"/tournaments/{tournament}/events?limit=500").json["items"]
    first = next(item["number"] for item in events if item["kind"] == "round_completed")
    then = api.call("GET", f"{here}/ties?account=cy&as_of={first}").json
    assert (then["version"], then["played"], then["frozen"]) == (first, 1, False)
    assert code(api.call("GET", f"{here}/ties?account=cy&as_of=999")) == (422, "malformed")
    assert code(api.call("GET", f"{here}/ties?account=op")) == (404, "not_found")
    assert code(api.call("GET", f"/tournaments/{tournament}/stages/2/ties?account=cy")) == (404, "not_found")
    assert code(api.call("GET", f"{here}/ties")) == (422, "invalid")
    assert code(api.call("GET", f"{here}/ties?account=cy", api.token("cy", "match:read"))) == (403, "scope_missing")


@rule("LG-771", "LG-810", "LG-103")
def test_nobody_reads_more_of_it_than_of_the_standing(api: Api):
    late = played(api, schedule={"round_break": "0 minutes", "spectator_delay": "1 hour"})
    here, version = f"/tournaments/{late}/stages/1", api.hall.row(late)["version"]
    assert api.call("GET", f"{here}/ties?account=cy", "bo").json["played"] == 2
    for who in (None, "dee"):
        assert code(api.call("GET", f"{here}/ties?account=cy", who)) == (404, "not_found")
        assert code(api.call("GET", f"{here}/ties?account=cy&as_of={version}", who)) == (422, "malformed")
        assert api.call("GET", f"{here}/ties?account=cy", who, **{"If-None-Match": f'"{version}"'}).status_code == 404
    assert code(api.act(late, "ties", "dee", stage=1, account="cy", as_of=version)) == (422, "malformed")
    private = played(api, "ada", "bo", visibility="private", stages=[{**STAGES[0], "rounds": 1}])
    path = f"/tournaments/{private}/stages/1/ties?account=bo"
    assert [api.call("GET", path, who).status_code for who in (None, "dee", "bo", "ada")] == [404, 404, 200, 200]
