"""Do texts inside commands pass the same checks as talk?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from services.gateway import games
from services.gateway.edge.pace import Pace
from services.gateway.problems import Problem
from services.knightly_cup.game import GAME as KNIGHTLY_CUP
from shared.runtime.announce import row_of
from tests.gateway.conftest import House, Player
from tests.ledger import rule

FIELD = "{commands,$defs,NameHeap,properties,name,talk}"


@pytest.fixture
def promising(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game in which the names of heaps are for the others to read, as promises in a deal are."""
    house.do(f"UPDATE games SET schemas = jsonb_set(schemas, '{FIELD}', 'true') WHERE game = 'pebbles'")
    monkeypatch.setattr(house.gate, "pace", Pace(house.gate.store))
    yield
    house.do(f"UPDATE games SET schemas = schemas #- '{FIELD}' WHERE game = 'pebbles'")


def named(house: House, player: Player, match: str, name: str, **more: Any) -> Any:
    ask = house.one("SELECT ask FROM asks WHERE match_id = %s AND NOT needed ORDER BY seat LIMIT 1", match)["ask"]
    return player.post(f"/matches/{match}/commands", {"ask": ask, "seat": 1, "command": {"do": "name_heap", "name": name}}, **more)


@rule("PL-557")
def test_where_talk_is_not_free_nothing_is_promised(house: House, ada: Player, bob: Player, promising: None):
    for talk in ("off", "phrases"):
        match = house.match(ada, bob, talk=talk)
        answer = named(house, bob, match, "Mine")
        assert (answer.status_code, answer.json["code"]) == (422, "talk_off")
        batch = {"ask": 1, "seat": 1, "commands": [{"do": "rest"}, {"do": "name_heap", "name": "Mine"}]}
        assert bob.post(f"/matches/{match}/command-batches", batch).json["code"] == "talk_off"
        envelope = {"match": match, "key": f"{match}-1", "ask": 1, "command": {"do": "name_heap", "name": "Mine"}}
        assert [told["body"]["code"] for told in bob.post("/command-batches", {"envelopes": [envelope]}).json["answers"]] == ["talk_off"]
        assert [row["kind"] for row in house.rows(match)] == ["start"]


@rule("PL-557", "PL-559", "PL-208")
def test_where_it_is_free_a_promise_is_checked_like_any_text(house: House, ada: Player, bob: Player, promising: None):
    match = house.match(ada, bob, talk="free")
    assert named(house, bob, match, "You a$$hole").json["code"] == "text_refused"
    house.do("INSERT INTO silences VALUES (%s, now() + interval '1 hour')", bob.id)
    assert named(house, bob, match, "Mine").json["code"] == "muted"
    house.do("DELETE FROM silences")
    assert named(house, bob, match, "Mine", key=f"{match}-mine").status_code == 202
    house.do("INSERT INTO silences VALUES (%s, now() + interval '1 hour')", bob.id)
    assert named(house, bob, match, "Mine", key=f"{match}-mine").status_code == 202        # said before
    house.work()
    assert house.rows(match)[-1]["outcome"] == "carried_out"


@rule("PL-557")
def test_a_game_is_told_what_talk_its_match_has():
    row = {"options": row_of(KNIGHTLY_CUP)["options"].obj}
    given = {"turn_cap_rounds": 20}
    assert games.told_of_match(row, games.checked_options(row, given), given, talk="phrases")["talk"] == "phrases"
    with pytest.raises(Problem, match="invalid"):
        games.told_of_match(row, games.checked_options(row, {"talk": "free"}), {"talk": "free"}, talk="off")
