"""Do matches that share a deal tell nothing of one another before all of them have ended?"""

from __future__ import annotations

from typing import Any

import pytest

from shared.desk.verify import verified
from shared.runtime.turn import record
from tests.gateway.conftest import NUMBERS, House, Player
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

TABLE = {"game": "pebbles", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": {"preset": "none"}, "options": {"rounds": 1}}
HIDDEN = ("/view", "/text", "/replay", "/replay?as=0", "/record", "/proof")


class Pair:
    """Two tables with one deal, and who plays at them."""

    def __init__(self, house: House) -> None:
        self.house, self.host = house, house.player()
        made = self.host.post("/match-sets", {"matches": [TABLE, TABLE], "deal_group": True})
        assert made.status_code == 201, made.json
        self.one, self.two = (row["match"] for row in made.json["items"])
        self.told = made.json["items"]
        self.players = {match: (house.player(), house.player()) for match in (self.one, self.two)}

    def start(self) -> Pair:
        for match, players in self.players.items():
            for player in players:
                assert player.post(f"/matches/{match}/seats", {}).status_code == 201
                player.post(f"/matches/{match}/ready", {"ready": True})
        self.house.work()
        return self

    def play(self, match: str) -> None:
        self.house.play_out(match, *self.players[match])


@pytest.fixture
def pair(house: House) -> Pair:
    return Pair(house)


def codes(player: Player, match: str) -> set[Any]:
    return {(player.get(f"/matches/{match}{path}").json or {}).get("code") for path in HIDDEN}


@rule("PL-392", "PL-613", "PL-615")
def test_one_number_of_the_list_and_the_same_draws_for_all(house: House, pair: Pair):
    first, second = pair.told
    assert first["deal_group"] == second["deal_group"] is not None
    assert first["seed"] == second["seed"]
    assert house.one("SELECT used_by FROM seed_list WHERE number = %s", first["seed"]["number"])["used_by"] == first["deal_group"]
    pair.start()
    drawn = [row["draws"] for row in house.all("SELECT draws FROM steps WHERE match_id = ANY(%s) AND step = 1", [pair.one, pair.two])]
    assert drawn[0] == drawn[1] != "[]"


@rule("PL-392", "PL-622", "PL-417")
def test_nothing_is_shown_before_the_last_has_ended_and_everything_after(house: House, pair: Pair, nobody: Player):
    pair.start()
    pair.play(pair.one)
    rival = pair.players[pair.two][0]
    for onlooker in (nobody, rival, pair.host):
        assert codes(onlooker, pair.one) == {"not_yet"}
        assert onlooker.get(f"/matches/{pair.one}/letters").json["items"] == []
        assert onlooker.get(f"/matches/{pair.one}/result").json["code"] == "not_yet"
        seen = onlooker.get(f"/matches/{pair.one}").json
        assert (seen["state"], seen["step"], seen["ended_at"], seen["onlookers_delayed"]) == ("running", 0, None, True)
    assert house.all("SELECT * FROM records WHERE match_id = %s", pair.one) == []
    assert house.all("SELECT * FROM opened(%s, 0, 10)", pair.one) == []
    pair.play(pair.two)
    record.write(house.worker.database, house.settings, GAME, pair.one)     # as the watch does within a second
    assert codes(nobody, pair.one) == codes(nobody, pair.two) == {None}
    for match in (pair.one, pair.two):
        text = nobody.get(f"/matches/{match}/record").text
        assert all(not finding.difference for finding in verified({GAME.name: GAME}, text))
        assert nobody.get(f"/matches/{match}/proof").json["deal_group"] == pair.told[0]["deal_group"]


@rule("PL-392")
def test_its_own_seats_see_what_the_end_shows_only_then_too(house: House, pair: Pair):
    """A game turns up at the end what was hidden, and at the other table it still is."""
    pair.start()
    pair.play(pair.one)
    ada = pair.players[pair.one][0]
    last = house.one("SELECT step FROM results WHERE match_id = %s", pair.one)["step"]
    assert codes(ada, pair.one) == {"not_yet", None}     # of its own letters it has those before the end
    assert ada.get(f"/matches/{pair.one}/view").json["code"] == "not_yet"
    assert [letter["step"] for letter in ada.get(f"/matches/{pair.one}/letters?limit=100").json["items"]] == list(range(1, last))
    assert ada.get(f"/matches/{pair.one}/result").json["seats"][0]["place"] in {1, 2}
    pair.play(pair.two)
    assert ada.get(f"/matches/{pair.one}/view").status_code == 200
    assert ada.get(f"/matches/{pair.one}/letters?limit=100").json["items"][-1]["step"] == last


@rule("PL-392")
def test_the_letters_that_come_with_an_answer_stop_before_the_end_as_well(house: House, pair: Pair):
    pair.start()
    pair.play(pair.one)
    ada = pair.players[pair.one][0]
    row = house.one("SELECT * FROM inbox WHERE match_id = %s AND last_step = (SELECT step FROM results WHERE match_id = %s)", pair.one, pair.one)
    letters = house.app.extensions["gate"].store.all(
        "SELECT l.step FROM letters l JOIN matches m USING (match_id) WHERE l.match_id = %(match)s AND l.at >= sealed_at(m)", match=pair.one)
    assert {letter["step"] for letter in letters} >= {row["last_step"]}
    told = ada.get(f"/matches/{pair.one}/commands/{row['command_id']}").json
    assert row["last_step"] not in {letter["step"] for letter in told.get("letters", [])}


@rule("PL-392", "PL-236")
def test_nobody_sits_at_two_tables_of_one_deal(house: House, pair: Pair):
    ada = house.player()
    assert ada.post(f"/matches/{pair.one}/seats", {}).status_code == 201
    assert ada.post(f"/matches/{pair.two}/seats", {}).json["code"] == "already_seated"
    twice = {**TABLE, "seats": [{"kind": "me"}, {"kind": "open"}]}
    refused = ada.post("/match-sets", {"matches": [twice, twice], "deal_group": True})
    assert (refused.json["code"], refused.json["errors"][0]["pointer"], refused.json["errors"][0]["code"]) == ("set_refused", "/matches/1", "already_seated")


@rule("PL-392", "PL-389")
def test_a_host_who_plays_at_another_table_has_no_chair_at_this_one(house: House):
    host = house.player()
    house.do("UPDATE games SET host_chair = true WHERE game = 'pebbles'")
    try:
        made = host.post("/match-sets", {"matches": [TABLE, TABLE], "deal_group": True}).json["items"]
        one, two = (row["match"] for row in made)
        assert host.post(f"/matches/{two}/seats", {}).status_code == 201
        assert host.get(f"/matches/{one}/view?seat=host").json["code"] == "not_your_seat"
    finally:
        house.do("UPDATE games SET host_chair = false WHERE game = 'pebbles'")


@rule("PL-392", "PL-615")
def test_one_deal_means_one_game_one_set_of_options_and_no_contributions(house: House, pair: Pair):
    ada = house.player()
    for other in ({"options": {"rounds": 2}}, {"seats": [{"kind": "open"}] * 3}):
        refused = ada.post("/match-sets", {"matches": [TABLE, {**TABLE, **other}], "deal_group": True})
        assert (refused.status_code, refused.json["code"]) == (422, "set_refused")
    assert ada.post(f"/matches/{pair.one}/seats", {}).status_code == 201
    assert ada.post(f"/matches/{pair.one}/contributions", {"value": "beef"}).json["code"] == "wrong_state"
    etag = pair.host.get(f"/matches/{pair.one}").headers["ETag"]
    changed = pair.host.patch(f"/matches/{pair.one}", {"options": {"rounds": 3}}, headers={"If-Match": etag})
    assert changed.json["code"] == "wrong_state"


@rule("PL-392", "PL-255")
def test_pressed_again_it_is_the_same_group_and_nothing_joins_it_later(house: House):
    league = house.player("service", roles=("operator",))
    origin = f"o-{next(NUMBERS)}"
    tables = [{**TABLE, "origin": origin, "origin_key": f"1/{number}"} for number in (1, 2, 3)]
    made = league.post("/match-sets", {"matches": tables[:2], "deal_group": True})
    free = "SELECT count(*) AS n FROM seed_list WHERE used_by IS NULL"
    before = house.one(free)["n"]
    again = league.post("/match-sets", {"matches": tables[:2], "deal_group": True})
    assert (made.status_code, again.status_code) == (201, 200)
    assert [row["deal_group"] for row in again.json["items"]] == [row["deal_group"] for row in made.json["items"]]
    assert house.one(free)["n"] == before
    late = league.post("/match-sets", {"matches": tables, "deal_group": True})
    assert (late.json["code"], [error["pointer"] for error in late.json["errors"]]) == ("set_refused", ["/matches/2"])
