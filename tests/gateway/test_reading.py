"""Does each reader get what is theirs, when it is theirs, and nothing else?"""

from __future__ import annotations

import json

import pytest

from tests.gateway.conftest import NUMBERS, House, Player
from tests.ledger import rule


@pytest.fixture
def over(house: House, ada: Player, bob: Player) -> str:
    """A match that has been played to its end."""
    match = house.match(ada, bob, options={"rounds": 1})
    house.play_out(match, ada, bob)
    house.work()
    return match


@rule("PL-381", "PL-156")
def test_each_seat_and_the_onlookers_get_their_own_view(house: House, ada: Player, bob: Player, nobody: Player, match: str):
    stored = house.one("SELECT bodies, hashes, step FROM views WHERE match_id = %s", match)
    for player, seat, index in ((ada, 0, 1), (bob, 1, 2), (nobody, None, 0)):
        answer = player.get(f"/matches/{match}/view")
        assert answer.json["view"] == json.loads(stored["bodies"][index])
        assert answer.json["view_hash"] == stored["hashes"][index]
        assert (answer.json["seat"], answer.json["step"]) == (seat, stored["step"])
    assert ada.get(f"/matches/{match}/view?seat=onlookers").json["seat"] is None
    for player in (ada, nobody):
        assert player.get(f"/matches/{match}/view?seat=1").json["code"] == "not_your_seat"
    operator = house.player(roles=("operator",))
    assert operator.get(f"/matches/{match}/view?seat=0").json["code"] == "not_your_seat"


@rule("PL-382")
def test_a_view_has_an_etag_and_is_not_sent_twice(house: House, ada: Player, bob: Player, match: str):
    first = ada.get(f"/matches/{match}/view")
    again = ada.get(f"/matches/{match}/view", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    ask = house.open_ask(match)
    [ada, bob][ask["seat"]].command(match, ask["ask"], {"do": "rest"})
    house.work()
    assert ada.get(f"/matches/{match}/view", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


@rule("PL-361", "PL-351", "PL-292")
def test_asks_are_shown_to_their_seat_alone(house: House, ada: Player, bob: Player, nobody: Player, match: str):
    ask = house.open_ask(match)
    asked, other = ([ada, bob][ask["seat"]], [bob, ada][ask["seat"]])
    shown = asked.get(f"/matches/{match}/asks").json["items"]
    told = next(one for one in shown if one["ask"] == ask["ask"] and one["needed"])
    assert {"match", "seat", "ask", "question", "rule", "needed", "opened_at", "due_at", "on_timeout", "prompt", "choices"} <= told.keys()
    assert all({"do", "label", "fields"} <= choice.keys() for choice in told["choices"])
    assert all(one["seat"] != ask["seat"] for one in other.get(f"/matches/{match}/asks").json["items"])
    assert nobody.get(f"/matches/{match}/asks").json["items"] == []
    assert other.get(f"/matches/{match}/asks?seat={ask['seat']}").json["code"] == "not_your_seat"


@rule("PL-704", "PL-215")
def test_my_asks_are_those_of_all_matches_the_first_due_first(house: House, ada: Player, bob: Player):
    matches = [house.match(ada, bob) for _ in range(3)]
    house.do("UPDATE asks SET due_at = now() + interval '1 hour' WHERE match_id = %s", matches[1])
    house.do("UPDATE asks SET due_at = now() + interval '2 hours' WHERE match_id = %s", matches[2])
    rows = ada.get("/me/asks?limit=100").json["items"]
    order = list(dict.fromkeys(row["match"] for row in rows))
    assert order == [matches[1], matches[2], matches[0]]
    pages, cursor = [], ""
    while True:
        page = ada.get(f"/me/asks?limit=1{cursor}").json
        pages += page["items"]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert pages == rows
    needed = ada.get("/me/asks?needed=true&limit=100").json["items"]
    assert needed == [row for row in rows if row["needed"]]


@rule("PL-359")
def test_the_text_is_the_view_in_lines(house: House, ada: Player, match: str):
    told = ada.get(f"/matches/{match}/text").json
    assert told["seat"] == 0
    assert told["text"] == house.one("SELECT texts[2] AS t FROM views WHERE match_id = %s", match)["t"]


@rule("PL-383", "PL-416")
def test_letters_come_in_order_and_each_reader_gets_his_own(house: House, ada: Player, bob: Player, nobody: Player, match: str):
    for _ in range(2):
        ask = house.open_ask(match)
        [ada, bob][ask["seat"]].command(match, ask["ask"], {"do": "rest"})
        house.work()
    letters = ada.get(f"/matches/{match}/letters").json["items"]
    assert [letter["step"] for letter in letters] == [1, 2, 3]
    assert [letter["step"] for letter in ada.get(f"/matches/{match}/letters?after=2").json["items"]] == [3]
    stored = [json.loads(row["b"]) for row in house.all("SELECT bodies[2] AS b FROM letters WHERE match_id = %s ORDER BY step", match)]
    assert letters == stored
    shown = nobody.get(f"/matches/{match}/letters").json["items"]
    assert all("view" not in letter and letter["ask"] is None for letter in shown)
    page = ada.get(f"/matches/{match}/letters?limit=2").json
    assert [letter["step"] for letter in ada.get(f"/matches/{match}/letters?cursor={page['next']}").json["items"]] == [3]
    assert bob.get(f"/matches/{match}/letters?cursor={page['next']}").json["code"] == "bad_cursor"


def slow(house: House, ada: Player, bob: Player, **delay: int) -> str:
    """A match behind a delay, three steps on, all of them a moment ago."""
    match = house.match(ada, bob, onlooker_delay=delay)
    for _ in range(3):
        ask = house.open_ask(match)
        [ada, bob][ask["seat"]].command(match, ask["ask"], ask["body"]["on_timeout"])
        house.work()
    return match


@rule("PL-419", "EX-17")
def test_of_seconds_and_steps_the_stricter_counts(house: House, ada: Player, bob: Player, nobody: Player):
    """Steps 50 to 54 of the example are steps 1 to 5 here, at the same distances."""
    match = slow(house, ada, bob, seconds=90, steps=4)
    ask = house.open_ask(match)
    [ada, bob][ask["seat"]].command(match, ask["ask"], ask["body"]["on_timeout"])
    house.work()
    for step, ago in ((1, 165), (2, 135), (3, 45), (4, 35), (5, 25)):
        house.do("UPDATE letters SET at = now() - %s * interval '1 second' WHERE match_id = %s AND step = %s", ago, match, step)
    shown = nobody.get(f"/matches/{match}/view").json
    first = json.loads(house.one("SELECT bodies[1] AS b FROM letters WHERE match_id = %s AND step = 1", match)["b"])
    assert (shown["step"], shown["view"]) == (1, first["view"])
    assert [letter["step"] for letter in nobody.get(f"/matches/{match}/letters").json["items"]] == [1]
    told = nobody.get(f"/matches/{match}").json
    assert (told["step"], told["onlookers_delayed"]) == (1, True)
    listed = next(row for row in nobody.get(f"/matches?account={ada.id}").json["items"] if row["match"] == match)
    assert listed["step"] == 1
    house.do("UPDATE matches SET delay_steps = 0 WHERE match_id = %s", match)
    assert nobody.get(f"/matches/{match}/view").json["step"] == 2      # by seconds alone


@rule("PL-419")
def test_a_holder_sees_the_present_as_a_seat_and_the_past_as_an_onlooker(house: House, ada: Player, bob: Player):
    match = slow(house, ada, bob, steps=2)
    assert ada.get(f"/matches/{match}/view").json["step"] == 4
    assert ada.get(f"/matches/{match}/view?seat=onlookers").json["step"] == 2
    assert ada.get(f"/matches/{match}").json["step"] == 4


@rule("PL-419", "PL-359")
def test_lines_of_text_are_those_of_the_step_that_is_shown(house: House, ada: Player, bob: Player, nobody: Player):
    match, lines = house.match(ada, bob, onlooker_delay={"steps": 2}), {}
    assert nobody.get(f"/matches/{match}/text").json["code"] == "not_yet"
    for _ in range(4):
        row = house.one("SELECT step, texts[1] AS text FROM views WHERE match_id = %s", match)
        lines[row["step"]] = row["text"]
        ask = house.open_ask(match)
        [ada, bob][ask["seat"]].command(match, ask["ask"], ask["body"]["on_timeout"])
        house.work()
    told = nobody.get(f"/matches/{match}/text").json
    assert (told["step"], told["text"]) == (3, lines[3])
    assert ada.get(f"/matches/{match}/text?seat=onlookers").json == told
    assert ada.get(f"/matches/{match}/text").json["step"] == 5
    assert "text" not in nobody.get(f"/matches/{match}/letters").text

@rule("PL-419", "PL-421")
def test_behind_a_delay_the_end_comes_later(house: House, ada: Player, bob: Player, nobody: Player):
    match = house.match(ada, bob, options={"rounds": 1}, onlooker_delay={"seconds": 600})
    house.play_out(match, ada, bob)
    house.work()
    assert (ada.get(f"/matches/{match}").json["state"], ada.get(f"/matches/{match}/result").status_code) == ("finished", 200)
    told = nobody.get(f"/matches/{match}").json
    assert (told["state"], told["ended_at"]) == ("running", None)
    assert all(seat["how"] is None for seat in told["seats"])
    for path in ("result", "record", "proof", "replay"):
        assert nobody.get(f"/matches/{match}/{path}").json["code"] == "not_yet", path
    assert nobody.get(f"/matches/{match}/view").json["code"] == "not_yet"
    running = {row["match"] for row in nobody.get(f"/matches?account={ada.id}&state=running").json["items"]}
    assert match in running
    assert nobody.get(f"/matches?account={ada.id}&state=finished").json["items"] == []
    assert {row["match"] for row in ada.get("/me/matches?state=finished").json["items"]} == {match}
    house.do("UPDATE matches SET ended_at = now() - interval '11 minutes' WHERE match_id = %s", match)
    house.do("UPDATE letters SET at = now() - interval '11 minutes' WHERE match_id = %s", match)
    assert nobody.get(f"/matches/{match}").json["state"] == "finished"
    assert nobody.get(f"/matches/{match}/result").status_code == 200


@rule("PL-419")
def test_the_delay_is_fixed_at_creation(house: House, ada: Player):
    made = ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}], "onlooker_delay": {"seconds": 5}})
    answer = ada.patch(f"/matches/{made.json['match']}", {"onlooker_delay": {"seconds": 0}}, headers={"If-Match": made.headers["ETag"]})
    assert answer.json["errors"][0]["pointer"] == "/onlooker_delay"


@rule("PL-389")
def test_the_hosts_chair_sees_what_onlookers_see_without_delay(house: House, ada: Player, bob: Player):
    host = house.player()
    match = host.post("/matches", {"game": "pebbles", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": {"preset": "none"},
                                   "onlooker_delay": {"steps": 2}}).json["match"]
    for player in (ada, bob):
        player.post(f"/matches/{match}/seats", {})
        player.post(f"/matches/{match}/ready", {"ready": True})
    house.work()
    assert host.get(f"/matches/{match}/view").json["code"] == "not_yet"       # the game has no such chair
    house.do("UPDATE games SET host_chair = true")
    try:
        seen = host.get(f"/matches/{match}/view").json
        stored = house.one("SELECT bodies, host FROM views WHERE match_id = %s", match)
        assert (seen["step"], seen["view"], seen["host"]) == (1, json.loads(stored["bodies"][0]), json.loads(stored["host"]))
        assert ada.get(f"/matches/{match}/view?seat=host").json["code"] == "not_your_seat"
    finally:
        house.do("UPDATE games SET host_chair = false")


@rule("PL-416")
def test_while_a_match_runs_only_its_account_replays_a_seat(house: House, ada: Player, bob: Player, nobody: Player, match: str):
    own = ada.get(f"/matches/{match}/replay?as=0")
    assert own.status_code == 200
    assert own.json["items"] == ada.get(f"/matches/{match}/letters").json["items"]
    for player, seat in ((bob, "0"), (nobody, "0"), (ada, "open"), (nobody, "open")):
        assert player.get(f"/matches/{match}/replay?as={seat}").json["code"] == "not_yet"


@rule("PL-416", "PL-417")
def test_after_the_end_everybody_replays_as_a_seat_or_openly(house: House, ada: Player, nobody: Player, over: str):
    seat = nobody.get(f"/matches/{over}/replay?as=0&limit=100").json["items"]
    assert seat == ada.get(f"/matches/{over}/letters?limit=100").json["items"]
    opened = nobody.get(f"/matches/{over}/replay?limit=100").json["items"]
    assert [letter["step"] for letter in opened] == [letter["step"] for letter in seat]
    assert nobody.get(f"/matches/{over}/replay?as=9").status_code == 404
    house.do("UPDATE matches SET visibility = 'private' WHERE match_id = %s", over)
    assert nobody.get(f"/matches/{over}/replay").status_code == 404


@rule("PL-417", "PL-622", "PL-421")
def test_record_and_proof_are_there_after_the_end_and_not_before(house: House, nobody: Player, match: str, over: str):
    for path in ("record", "proof"):
        assert nobody.get(f"/matches/{match}/{path}").json["code"] == "not_yet"
    record = nobody.get(f"/matches/{over}/record")
    assert record.mimetype == "application/x-ndjson"
    assert all(json.loads(line) for line in record.text.splitlines())
    proof = nobody.get(f"/matches/{over}/proof").json
    assert proof == house.one("SELECT proof FROM records WHERE match_id = %s", over)["proof"]


@rule("PL-249", "PL-250", "PL-252")
def test_a_result_names_place_and_score_and_apart_how_a_seat_ended(house: House, ada: Player, nobody: Player, over: str):
    told = nobody.get(f"/matches/{over}/result").json
    assert told["match"] == over
    assert sorted(row["seat"] for row in told["seats"]) == [0, 1]
    assert {row["how"] for row in told["seats"]} == {"played"}
    assert all({"place", "table_place", "score"} <= row.keys() for row in told["seats"])
    assert {row["account"]["account"] for row in told["seats"]} >= {ada.id}


@rule("PL-388", "PL-385")
def test_pages_of_a_running_match_show_public_facts_only(house: House, nobody: Player, match: str):
    shown = nobody.get(f"/matches/{match}").text + nobody.get(f"/matches/{match}/letters").text + nobody.get("/matches?limit=100").text
    seed = house.one("SELECT e.seed FROM seeds e JOIN matches m ON m.seed_number = e.number WHERE m.match_id = %s", match)["seed"]
    chain = house.one("SELECT chain FROM match_states WHERE match_id = %s", match)["chain"]
    assert seed.hex() not in shown
    assert chain.hex() not in shown
    assert "state_hash" not in shown


# Audience ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def crowd(house: House, ada: Player, bob: Player) -> str:
    """A match whose audience is being asked, guests allowed."""
    match = house.match(ada, bob, guests=True, options={"rounds": 1, "crowd": True})
    house.do("INSERT INTO polls (match_id, question, answers, opened_at) VALUES (%s, 'duel-1', %s, now())", match, ["circle", "triangle"])
    return match


@rule("PL-566", "PL-567", "CH-505", "CH-518", "CH-519")
def test_a_members_last_answer_counts_once(house: House, crowd: str):
    member = house.player()
    assert member.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": "circle"}).json["code"] == "not_allowed"
    assert member.put(f"/matches/{crowd}/audience/me", {}).status_code == 200
    for answer, key in (("circle", "one"), ("circle", "one"), ("circle", "two"), ("triangle", "three")):
        assert member.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": answer}, key=key).status_code == 200
    rows = house.all("SELECT member, answer FROM audience_answers WHERE match_id = %s", crowd)
    assert rows == [{"member": member.id, "answer": "triangle"}]
    reused = member.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": "circle"}, key="three")
    assert reused.json["code"] == "key_reused"
    assert member.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": "square"}).json["code"] == "not_a_choice"
    assert member.put(f"/matches/{crowd}/audience/answers/duel-9", {"answer": "circle"}).json["code"] == "closed"
    house.do("UPDATE polls SET closed_at = now() WHERE match_id = %s", crowd)
    assert member.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": "circle"}).json["code"] == "closed"


@rule("PL-139", "PL-566", "CH-518", "PL-182")
def test_a_guest_has_a_device_token_where_guests_are_allowed(house: House, ada: Player, bob: Player, nobody: Player, crowd: str):
    joined = nobody.put(f"/matches/{crowd}/audience/me", {"name": "Row 3"}, key=f"g{next(NUMBERS)}")
    device = {"Cupboard-Device": joined.json["device"]}
    assert nobody.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": "circle"}, headers=device).status_code == 200
    for wrong in ({}, {"Cupboard-Device": joined.json["member"] + ".00"}, {"Cupboard-Device": "ä"}):
        assert nobody.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": "circle"}, headers=wrong).json["code"] == "not_signed_in"
    assert nobody.get(f"/matches/{crowd}/audience", headers=device).json["me"]["answers"] == {"duel-1": "circle"}
    closed = house.match(ada, bob, options={"rounds": 1, "crowd": True})
    house.do("INSERT INTO polls (match_id, question, answers, opened_at) VALUES (%s, 'q', '{}', now())", closed)
    assert nobody.put(f"/matches/{closed}/audience/me", {}).json["code"] == "audience_off"


@rule("PL-566", "CH-501", "CH-502", "CH-503", "CH-514")
def test_an_audience_is_there_only_where_the_table_has_one_and_has_a_size(house: House, ada: Player, crowd: str, match: str):
    member, other = house.player(), house.player()
    assert member.put(f"/matches/{match}/audience/me", {}).json["code"] == "audience_off"
    assert ada.put(f"/matches/{crowd}/audience/me", {}).json["code"] == "already_seated"
    house.do("""UPDATE matches SET options = options || '{"most_members": 1}' WHERE match_id = %s""", crowd)
    assert member.put(f"/matches/{crowd}/audience/me", {}).status_code == 200
    assert other.put(f"/matches/{crowd}/audience/me", {}).json["code"] == "audience_full"
    assert member.put(f"/matches/{crowd}/audience/me", {"name": "again"}).status_code == 200     # one member, however often he comes
    assert member.delete(f"/matches/{crowd}/audience/me").status_code == 204
    assert other.put(f"/matches/{crowd}/audience/me", {}).status_code == 200
    assert member.delete(f"/matches/{crowd}/audience/me").json["code"] == "not_found"
    assert house.one("SELECT count(*) AS n FROM seats WHERE match_id = %s", crowd)["n"] == 2


@rule("PL-568", "CH-512", "CH-513", "CH-515", "CH-516")
def test_everybody_sees_places_and_each_member_his_own_part(house: House, nobody: Player, crowd: str):
    members = [house.player() for _ in range(3)]
    for member, answer in zip(members, ("circle", "circle", "triangle"), strict=True):
        member.put(f"/matches/{crowd}/audience/me", {})
        member.put(f"/matches/{crowd}/audience/answers/duel-1", {"answer": answer})
    during = nobody.get(f"/matches/{crowd}/audience").json
    assert (during["members"], during["open"], during["me"]) == (3, [{"question": "duel-1", "answers": ["circle", "triangle"]}], None)
    assert {row["points"] for row in during["ranking"]} == {0}
    assert "answer" not in json.dumps(during["ranking"])
    house.do("""UPDATE polls SET closed_at = now(), points = '{"circle": 3}' WHERE match_id = %s""", crowd)
    after = members[2].get(f"/matches/{crowd}/audience").json
    assert [(row["place"], row["points"]) for row in after["ranking"]] == [(1, 3), (1, 3), (3, 0)]
    assert (after["me"]["place"], after["me"]["points"], after["open"]) == (3, 0, [])


