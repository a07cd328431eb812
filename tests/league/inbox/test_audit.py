"""Who reads what in the log of an organisation?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from services.league.inbox import checking
from services.league.inbox.office import Office
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


@rule("LG-944", "LG-943", "LG-942")
def test_the_check_names_the_first_entry_that_does_not_fit(hall: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    """Whatever is done to the log by somebody who owns the database: changed, taken out, cut off at its end."""
    monkeypatch.setattr(checking, "AT_ONCE", 2)
    for number in range(5):
        hall.one("SELECT chained(%s, NULL, 'host', %s)", ORG, json.dumps({"act": f"act {number}", "who": "host"}))
    assert list(checking.broken_logs(office.database)) == []
    inside = SimpleNamespace(all=lambda query, **facts: hall.database.execute(query, facts or None).fetchall())
    for number, harm in ((2, "UPDATE organisation_audit SET entry = replace(entry, 'act 1', 'act 9') WHERE number = 2"),
                         (3, "DELETE FROM organisation_audit WHERE number = 3"), (5, "DELETE FROM organisation_audit WHERE number = 5"),
                         (4, "UPDATE organisation_audit SET hash = repeat('a', 64) WHERE number = 4")):
        with hall.database.transaction(force_rollback=True):
            hall.do(harm)
            assert list(checking.broken_logs(inside)) == [(ORG, number)], harm
    assert list(checking.broken_logs(office.database)) == []


@rule("LG-942", "LG-1011")
def test_a_record_whose_end_is_cut_off_does_not_fit(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 2)
    inside = SimpleNamespace(all=lambda query, **facts: hall.database.execute(query, facts or None).fetchall())
    newest = hall.row(competition)["version"]
    with hall.database.transaction(force_rollback=True):
        hall.do("DELETE FROM competition_events WHERE competition_id = %s AND number = %s", competition, newest)
        assert list(checking.all_wrong(inside, 5)) == [(competition, {"event": newest})]
