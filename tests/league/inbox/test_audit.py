"""Who reads what in the log of an organisation?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.league.inbox.api import TWO, Api
from tests.league.inbox.conftest import ORG, Hall
from tests.ledger import rule


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


@rule("LG-945", "LG-941", "LG-944")
def test_officials_read_the_whole_log_and_others_their_own_acts(api: Api):
    tournament = api.opened("cy", "dee")
    assert api.act(tournament, "withdraw", "cy").status_code == 200
    here = f"/tournaments/{tournament}/audit"
    assert [item["entry"]["act"] for item in api.call("GET", here, "bo").json["items"]] == ["create", "open", "withdraw"]
    assert [item["entry"]["act"] for item in api.call("GET", here, "cy").json["items"]] == ["withdraw"]
    assert api.call("GET", here, "dee").json["items"] == []
    assert api.act(tournament, "withdraw", "bo", account="dee", reason="asked by telephone").status_code == 200
    [told] = [item["entry"] for item in api.call("GET", here, "dee").json["items"]]
    assert (told["act"], told["who"], told["reason"], told["version"] - told["before"]) == ("withdraw", "bo", "asked by telephone", 1)
    assert told["token"] == api.hall.one("SELECT token_id FROM competition_acts WHERE kind = 'withdraw' AND account_id = 'bo'")["token_id"] is not None
    head = api.call("GET", f"/organisations/{ORG}").json
    assert (head["audit_number"], len(head["audit_hash"])) == (4, 64)


@rule("LG-945")
def test_entrants_read_what_officials_did_at_their_own_tables(api: Api):
    tournament = api.opened("cy", "dee", "op", "ada", stages=[{"format": "swiss", "rounds": 1, "seats": TWO}])
    assert [api.act(tournament, kind).status_code for kind in ("close", "start")] == [200, 200]
    assert api.call("PUT", f"/tournaments/{tournament}/officials/bo", "ada").status_code == 204
    page = api.call("GET", f"/tournaments/{tournament}/stages/1/rounds/1").json["pairings"]
    tables = {one["table"]: {seat["account"] for seat in one["seats"]} for one in page}
    for table, names in tables.items():
        answer = api.act(tournament, "forfeit", "bo", pairing=f"1/1/{table}", accounts=[min(names)], reason="went home early")
        assert answer.status_code == 200, answer.json
    for name in ("cy", "dee"):
        own = next(table for table, names in tables.items() if name in names)
        told = api.call("GET", f"/tournaments/{tournament}/audit", name).json["items"]
        assert [item["entry"]["pairing"] for item in told if item["entry"]["act"] == "forfeit"] == [f"1/1/{own}"]
