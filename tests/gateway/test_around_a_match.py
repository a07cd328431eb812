"""What does a match know of what is around it: those who play, and the competition that it belongs to?"""

from __future__ import annotations

import json

from tests.gateway.conftest import NUMBERS, House, Player
from tests.ledger import rule


@rule("CH-447", "PL-239", "PL-413")
def test_a_game_that_asks_for_it_is_told_who_plays(house: House, ada: Player, bob: Player):
    """Whoever starts the match; what the host wrote there himself does not count."""
    schema = house.one("SELECT options FROM games WHERE game = 'pebbles'")["options"]
    wanted = json.dumps({**schema, "$defs": {"Options": {"properties": {"players": {"type": "array"}}}}})
    match = house.match(ada, bob, start=False)
    house.do("UPDATE games SET options = %s WHERE game = 'pebbles'", wanted)
    house.do("""UPDATE matches SET options = options || '{"players": ["somebody"]}' WHERE match_id = %s""", match)
    try:
        for player in (ada, bob):
            player.post(f"/matches/{match}/ready", {"ready": True})
        assert house.one("SELECT options FROM matches WHERE match_id = %s", match)["options"]["players"] == [ada.name, bob.name]
    finally:
        house.do("UPDATE games SET options = %s WHERE game = 'pebbles'", json.dumps(schema))
        house.do("UPDATE matches SET options = options - 'players' WHERE match_id = %s", match)
    house.work()
    other = house.match(ada, bob)
    assert "players" not in house.one("SELECT options FROM matches WHERE match_id = %s", other)["options"]


@rule("PL-256")
def test_a_match_outlives_its_competition(house: House, ada: Player, bob: Player, nobody: Player):
    """It is found as before, is played to its end, and has its result."""
    competition = f"t-{next(NUMBERS)}"
    match = house.match(ada, bob, options={"rounds": 1})
    house.do("INSERT INTO organisations (organisation_id, name, name_key, created_by) VALUES (%s, %s, %s, %s)", competition, competition, competition, ada.id)
    house.do("INSERT INTO competitions (competition_id, kind, organisation_id, created_by, seed, state) VALUES (%s, 'tournament', %s, %s, '', 'running')",
             competition, competition, ada.id)
    house.do("UPDATE matches SET championship = %s, origin = %s, origin_key = '1/1/1/1' WHERE match_id = %s", competition, competition, match)
    house.do("UPDATE competitions SET state = 'finished' WHERE competition_id = %s", competition)
    assert [row["state"] for row in nobody.get(f"/matches?championship={competition}").json["items"]] == ["running"]
    house.play_out(match, ada, bob)
    assert nobody.get(f"/matches/{match}/result").json["voided_at"] is None
    assert [row["state"] for row in nobody.get(f"/matches?championship={competition}").json["items"]] == ["finished"]
