"""With the real tables: are block lists asked when a round is made, and do they stay with the league?"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.league.inbox.api import Api
from tests.league.inbox.conftest import Hall
from tests.ledger import rule


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


@rule("LG-951", "LG-954", "LG-1022")
def test_who_was_kept_apart_is_known_to_the_league_alone(api: Api):
    tournament = api.opened("ada", "bo", "cy", "dee")
    api.act(tournament, "close")
    for one, other in (("ada", "bo"), ("dee", "ada")):
        api.hall.do("INSERT INTO blocks VALUES (%s, %s)", one, other)
    assert api.act(tournament, "start").status_code == 200
    pairings = api.call("GET", f"/tournaments/{tournament}/stages/1/rounds/1").json["pairings"]
    assert {frozenset(seat["account"] for seat in one["seats"]) for one in pairings} == {frozenset({"ada", "cy"}), frozenset({"bo", "dee"})}

    numbers = {seat["account"]: seat["number"] for one in pairings for seat in one["seats"]}
    kept = api.hall.one("SELECT couples, salt FROM competition_couples WHERE competition_id = %s", tournament)
    assert kept["couples"] == sorted(sorted([numbers["ada"], numbers[other]]) for other in ("bo", "dee"))
    assert len(kept["salt"]) == 32
    api.hall.do("DELETE FROM blocks")
    assert api.act(tournament, "explain", "cy", stage=1, round=1).json["answer"]["equal"]

    told = [api.call("GET", f"/tournaments/{tournament}{path}", who).text for who in ("ada", "bo", "dee")
            for path in ("", "/events?limit=500", "/stages/1/rounds/1", "/exports/json", "/audit")]
    assert not [text for text in told if kept["salt"] in text or "couples" in json.loads(text)]
    for role in ("gateway", "stream", "relay", "worker"):
        assert not api.hall.one("SELECT has_table_privilege(%s, 'competition_couples', 'SELECT') AS may", f"cupboard_{role}")["may"]
