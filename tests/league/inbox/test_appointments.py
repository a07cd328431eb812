"""Over HTTP: do the players of a table agree on a time, and who reads of it?"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.league.inbox.api import Api, code
from tests.league.inbox.conftest import Hall
from tests.ledger import rule

DAY_MS = 86_400_000


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


@rule("LG-881")
def test_a_table_agrees_on_a_time_and_others_learn_the_time_alone(api: Api):
    tournament = api.opened("cy", "dee", "ada", "bo", appointments=True, schedule={"round_deadline": "7 days"})
    api.act(tournament, "close")
    api.act(tournament, "start")
    here = f"/tournaments/{tournament}/stages/1/rounds/1"
    one = next(pairing for pairing in api.call("GET", here).json["pairings"] if "cy" in {seat["account"] for seat in pairing["seats"]})
    partner = next(seat["account"] for seat in one["seats"] if seat["account"] != "cy")
    api.hall.account("gus", "person")
    start = int(time.time() * 1000) + DAY_MS
    assert code(api.act(tournament, "appoint", "cy", pairing=one["pairing"], start=start + 30 * DAY_MS)) == (422, "outside_round")
    assert api.act(tournament, "appoint", "cy", pairing=one["pairing"], start=start).status_code == 200
    assert code(api.act(tournament, "agree", "gus", pairing=one["pairing"], number=1, yes=True)) == (403, "not_allowed")
    assert [item["state"] for item in api.call("GET", f"{here}/appointments", "cy").json["items"]] == ["proposed"]
    assert len(api.call("GET", f"{here}/appointments", "ada").json["items"]) == 1
    assert [api.call("GET", f"{here}/appointments", who).json["items"] for who in ("gus", None)] == [[], []]
    [proposal] = [item for item in api.call("GET", f"/tournaments/{tournament}/events?limit=500").json["items"] if item["kind"] == "appointment_proposed"]
    assert (proposal["hidden"], proposal["body"]) == (True, {})
    assert api.act(tournament, "agree", partner, pairing=one["pairing"], number=1, yes=True).status_code == 200
    shown = next(pairing for pairing in api.call("GET", here).json["pairings"] if pairing["pairing"] == one["pairing"])
    assert (shown["starts_at"], shown["match"]) == (start, "")
    assert not api.hall.open_matches(tournament)
