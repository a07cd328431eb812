"""Is a command accepted once, answered rightly, and refused with the right word?"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.gateway.conftest import House, Player
from tests.ledger import rule


def seated(house: House, match: str, *players: Player) -> tuple[Player, int]:
    """Who is asked now, and the number of the ask."""
    ask = house.open_ask(match)
    return players[ask["seat"]], ask["ask"]


@rule("PL-281", "PL-301", "PL-102", "EX-1")
def test_a_command_is_accepted_and_carried_out(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    accepted = player.command(match, ask, {"do": "rest"})
    assert accepted.status_code == 202
    told = accepted.json
    assert told["state"] == "waiting"
    assert told["arrival"] == house.rows(match)[-1]["arrival"]
    assert told["received_at"].endswith("Z")
    where = accepted.headers["Location"]
    assert player.ask("GET", where).json["state"] == "waiting"
    house.work()
    outcome = player.ask("GET", where).json
    assert outcome["state"] == "carried_out"
    assert outcome["step"] == ask + 1


@rule("PL-208", "PL-105", "EX-2")
def test_the_same_key_again_is_the_same_row(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    first = player.command(match, ask, {"do": "rest"}, key="a1")
    again = player.command(match, ask, {"do": "rest"}, key="a1")
    assert (again.status_code, again.json["arrival"]) == (202, first.json["arrival"])
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    house.work()
    third = player.command(match, ask, {"do": "rest"}, key='"a1"')
    assert (third.status_code, third.json["state"], third.json["step"]) == (200, "carried_out", ask + 1)
    assert third.json["received_at"] == first.json["received_at"]


@rule("PL-209", "EX-3")
def test_the_same_key_for_something_else_is_refused(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    player.command(match, ask, {"do": "rest"}, key="a1")
    before = len(house.rows(match))
    other = player.command(match, ask, {"do": "throw", "dice": 1}, key="a1")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert len(house.rows(match)) == before


@rule("PL-209")
def test_the_order_of_fields_makes_no_other_body(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    one = player.post(f"/matches/{match}/commands", f'{{"ask":{ask},"command":{{"do":"throw","dice":1}}}}'.encode(), key="same")
    other = player.post(f"/matches/{match}/commands", f'{{"command":{{"dice":1, "do":"throw"}}, "ask":{ask}}}'.encode(), key="same")
    assert one.json["arrival"] == other.json["arrival"]


@rule("PL-288", "PL-290", "PL-291", "PL-292", "EX-4", "EX-40")
def test_a_second_answer_is_taken_then_stale(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    player.command(match, ask, {"do": "rest"})
    taken = player.command(match, ask, {"do": "throw", "dice": 1})
    assert (taken.status_code, taken.json["code"]) == (409, "ask_taken")
    assert taken.json["step"] == ask
    assert taken.json["state"] == "running"
    house.work()
    stale = player.command(match, ask, {"do": "throw", "dice": 1})
    assert (stale.status_code, stale.json["code"]) == (409, "stale_ask")
    assert stale.json["step"] > ask
    own = house.one("SELECT ask FROM asks WHERE match_id = %s AND seat = %s", match, [ada, bob].index(player))
    assert (stale.json["ask"] or {}).get("ask") == (own and own["ask"])
    assert [row["outcome"] for row in house.rows(match)][-1] == "carried_out"


@rule("PL-289", "PL-295", "EX-5")
def test_a_refusal_frees_the_ask(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    player.command(match, ask, {"do": "throw", "dice": 77}, key="k1")
    house.work()
    refused = player.command(match, ask, {"do": "throw", "dice": 77}, key="k1")
    assert (refused.status_code, refused.json["code"]) == (422, "not_a_choice")
    assert player.command(match, ask, {"do": "rest"}, key="k2").status_code == 202
    house.work()
    steps = house.one("SELECT step FROM views WHERE match_id = %s", match)["step"]
    assert steps == ask + 1


@rule("PL-291")
def test_an_ask_that_was_not_put_is_ahead(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    ahead = player.command(match, ask + 40, {"do": "rest"})
    assert (ahead.status_code, ahead.json["code"], ahead.json["ask"]["ask"]) == (409, "ask_ahead", ask)


@rule("PL-293", "PL-323")
def test_an_answer_after_the_due_time_is_too_late(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    house.do("UPDATE asks SET due_at = clock_timestamp() - interval '10 ms' WHERE match_id = %s", match)
    late = player.command(match, ask, {"do": "rest"})
    assert (late.status_code, late.json["code"]) == (409, "too_late")
    assert late.json["ask"]["due_at"].endswith("Z")


@rule("PL-294")
def test_what_was_seen_guards_against_changes(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    player.command(match, ask, {"do": "rest"})
    house.work()
    player, ask = seated(house, match, ada, bob)
    changed = player.command(match, ask, {"do": "rest"}, seen=1)
    assert (changed.status_code, changed.json["code"]) == (409, "changed_meanwhile")
    assert player.command(match, ask, {"do": "rest"}, seen=ask).status_code == 202


@rule("PL-297")
def test_another_seat_is_not_yours_whether_asked_or_not(house: House, ada: Player, bob: Player, match: str):
    ask = house.open_ask(match)
    other = [ada, bob][1 - ask["seat"]]
    asked = other.command(match, ask["ask"], {"do": "rest"}, seat=ask["seat"])
    unasked = house.player().command(match, ask["ask"], {"do": "rest"}, seat=1 - ask["seat"])
    for answer in (asked, unasked):
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")
        assert "ask" not in answer.json
        assert "step" not in answer.json


@rule("PL-281", "PL-236")
def test_the_seat_must_be_named_by_whoever_holds_several(house: House, ada: Player):
    match = house.match(ada, start=False, seats=[{"kind": "me"}, {"kind": "me"}], one_screen=True)
    ada.post(f"/matches/{match}/ready", {"ready": True})
    house.work()
    ask = house.open_ask(match)
    unnamed = ada.command(match, ask["ask"], {"do": "rest"})
    assert (unnamed.status_code, unnamed.json["errors"][0]["pointer"]) == (422, "/seat")
    assert ada.command(match, ask["ask"], {"do": "rest"}, seat=ask["seat"]).status_code == 202


@rule("PL-298", "PL-235")
def test_of_parallel_answers_exactly_one_is_accepted(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: player.command(match, ask, {"do": "rest"}, key=f"p{n}"), range(16)))
    assert sorted(answer.status_code for answer in answers) == [202] + [409] * 15
    assert {answer.json["code"] for answer in answers if answer.status_code == 409} == {"ask_taken"}


@rule("PL-322", "PL-104", "PL-306")
def test_arrivals_have_no_gaps_whatever_is_refused_between(house: House, ada: Player, bob: Player, match: str):
    for _ in range(3):
        player, ask = seated(house, match, ada, bob)
        player.command(match, ask + 9, {"do": "rest"})
        player.command(match, ask, {"do": "rest"})
        house.work()
    assert [row["arrival"] for row in house.rows(match)] == list(range(1, len(house.rows(match)) + 1))


@rule("PL-107", "EX-28")
def test_forged_fields_are_refused_and_store_nothing(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    before = len(house.rows(match))
    forged = player.post(f"/matches/{match}/commands", {"ask": ask, "command": {"do": "rest"}, "ranking": [1, 0]})
    assert (forged.status_code, forged.json["code"], forged.json["errors"][0]["pointer"]) == (422, "invalid", "/ranking")
    assert len(house.rows(match)) == before
    inside = player.command(match, ask, {"do": "rest", "coins": 99}, key="inside")
    assert inside.status_code == 202
    house.work()
    refused = player.command(match, ask, {"do": "rest", "coins": 99}, key="inside")
    assert refused.json["code"] == "invalid"
    assert house.open_ask(match)["ask"] == ask


@pytest.mark.parametrize("body", [
    {"ask": "31", "command": {"do": "rest"}}, {"ask": 1.5, "command": {"do": "rest"}}, {"ask": True, "command": {"do": "rest"}},
    {"ask": 1}, {"command": {"do": "rest"}}, {"ask": 0, "command": {"do": "rest"}}, {"ask": 2**31, "command": {"do": "rest"}},
    {"ask": 1, "command": []}, {"ask": 1, "command": {"do": 7}}, {"ask": 1, "command": {}}, {"ask": 1, "seat": -1, "command": {"do": "rest"}}, [], "rest",
])
@rule("PL-281", "PL-204")
def test_a_body_of_the_wrong_form_is_told_where(ada: Player, match: str, body: object):
    answer = ada.post(f"/matches/{match}/commands", body)
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")
    assert answer.json["errors"]


@rule("PL-299", "EX-15")
def test_waiting_gives_the_outcome_with_letters_and_the_next_ask(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(lambda: player.command(match, ask, {"do": "rest"}, headers={"Prefer": "wait=5"}))
        while len(house.rows(match)) < 2:
            pass
        house.work()
        done = answer.result()
    assert (done.status_code, done.json["state"], done.json["step"]) == (200, "carried_out", ask + 1)
    assert done.headers["Preference-Applied"] == "wait=5"
    assert [letter["step"] for letter in done.json["letters"]] == [ask + 1]
    assert "ask" in done.json


@rule("PL-299", "EX-15")
def test_waiting_in_vain_gives_202(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    answer = player.command(match, ask, {"do": "rest"}, headers={"Prefer": "wait=1"})
    assert answer.status_code == 202
    assert "Preference-Applied" not in answer.headers


@rule("PL-299", "PL-296")
def test_waiting_for_a_refusal_gives_problem_details(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(lambda: player.command(match, ask, {"do": "throw", "dice": 99}, headers={"Prefer": "wait=5"}))
        while len(house.rows(match)) < 2:
            pass
        house.work()
    refused = answer.result()
    assert (refused.status_code, refused.json["code"], refused.mimetype) == (422, "not_a_choice", "application/problem+json")
    assert house.one("SELECT count(*) AS n FROM letters WHERE match_id = %s", match)["n"] == ask


@rule("PL-300")
def test_only_half_of_the_threads_wait(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    taken = [house.gate.waits.acquire(blocking=False) for _ in range(house.settings.gateway_threads // 2)]
    try:
        assert all(taken)
        assert not house.gate.waits.acquire(blocking=False)
        assert player.command(match, ask, {"do": "rest"}, headers={"Prefer": "wait=9"}).status_code == 202
    finally:
        for _ in taken:
            house.gate.waits.release()


@rule("PL-302", "PL-303", "EX-13")
def test_a_batch_is_one_row_with_an_outcome_for_each_command(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    batch = {"ask": ask, "commands": [{"do": "rest"}, {"do": "rest"}, {"do": "rest"}]}
    accepted = player.post(f"/matches/{match}/command-batches", batch, key="b1")
    assert accepted.status_code == 202
    assert len(house.rows(match)) == 2
    house.work()
    again = player.post(f"/matches/{match}/command-batches", batch, key="b1")
    assert again.json["arrival"] == accepted.json["arrival"]
    outcomes = player.ask("GET", accepted.headers["Location"]).json["outcomes"]
    assert outcomes[0]["outcome"] == "carried_out"
    assert len(outcomes) == 3


@rule("PL-302")
def test_a_batch_has_at_most_50_commands(ada: Player, match: str):
    answer = ada.post(f"/matches/{match}/command-batches", {"ask": 1, "commands": [{"do": "rest"}] * 51})
    assert (answer.status_code, answer.json["code"]) == (422, "too_many")


@rule("PL-207")
def test_a_key_on_another_address_of_the_match_is_another_key(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    player.command(match, ask, {"do": "throw", "dice": 99}, key="one")
    house.work()
    assert player.post(f"/matches/{match}/command-batches", {"ask": ask, "commands": [{"do": "rest"}]}, key="one").status_code == 202
    house.work()
    assert player.post(f"/matches/{match}/resignations", {"sure": True}, key="one").status_code == 202


@rule("PL-304", "EX-14")
def test_envelopes_are_answered_one_by_one(house: House, ada: Player, bob: Player):
    fine, taken = house.match(ada, bob), house.match(ada, bob)
    player, ask = seated(house, fine, ada, bob)
    other = house.open_ask(taken)
    first = other["seat"] == [ada, bob].index(player)
    if not first:
        house.do("UPDATE asks SET seat = %s WHERE match_id = %s AND seat = %s", [ada, bob].index(player), taken, other["seat"])
    player.command(taken, other["ask"], {"do": "rest"})
    answer = player.post("/command-batches", {"envelopes": [
        {"match": fine, "key": "e1", "ask": ask, "command": {"do": "rest"}},
        {"match": taken, "key": "e2", "ask": other["ask"], "command": {"do": "rest"}},
        {"match": "m-nowhere", "key": "e3", "ask": 1, "command": {"do": "rest"}},
        {"match": fine, "key": "e4", "ask": ask, "command": {"do": "rest"}, "seat": "one"}]})
    assert answer.status_code == 200
    told = answer.json["answers"]
    assert [(one["status"], one["body"].get("code")) for one in told] == [(202, None), (409, "ask_taken"), (404, "not_found"), (422, "invalid")]
    assert player.post("/command-batches", {"envelopes": [{"match": fine, "key": "x", "ask": 1, "command": {"do": "rest"}}] * 101}).json["code"] == "too_many"


@rule("PL-668")
def test_a_match_with_too_many_waiting_rows_is_busy(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    house.do("INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, received_at) SELECT %s, 100 + n, 'c-w' || n, 'pebbles', 99, 'order', now() "
             "FROM generate_series(1, 64) n", match)
    busy = player.command(match, ask, {"do": "rest"})
    assert (busy.status_code, busy.json["code"]) == (429, "match_busy")
    assert int(busy.headers["Retry-After"]) > 0
    house.do("DELETE FROM inbox WHERE match_id = %s AND version = 99", match)


@rule("PL-669", "EX-30", "PL-208")
def test_a_game_that_is_behind_takes_nothing_and_bots_stop_first(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    bot = house.player("bot", owner=ada.id)
    other = house.match(ada, start=False, opponents="mixed", seats=[{"kind": "me"}, {"kind": "held", "account": bot.id}])
    try:
        assert bot.get("/me/asks").status_code == 200      # from here on its token is known in one call with the command
        house.gate.queue_ages = {"pebbles": 20.0}
        refused = bot.command(other, 1, {"do": "rest"})
        assert (refused.status_code, refused.json["code"]) == (503, "queue_old")
        assert "Retry-After" in refused.headers
        assert player.command(match, ask + 1, {"do": "rest"}).json["code"] == "ask_ahead"
        house.gate.queue_ages = {"pebbles": 35.0}
        assert player.command(match, ask, {"do": "rest"}).json["code"] == "queue_old"
        assert player.get(f"/matches/{match}/view").status_code == 200
        house.gate.queue_ages = {"another": 35.0}
        assert player.command(match, ask, {"do": "rest"}, key="behind").status_code == 202
        house.gate.queue_ages = {"pebbles": 35.0}       # what is said again is nothing new
        assert player.command(match, ask, {"do": "rest"}, key="behind").headers["Idempotency-Replayed"] == "true"
    finally:
        house.gate.queue_ages = {}


@rule("PL-669", "PL-652")
def test_the_age_of_the_queue_is_looked_up_and_stuck_matches_do_not_count(house: House, ada: Player, bob: Player, match: str):
    player, ask = seated(house, match, ada, bob)
    player.command(match, ask, {"do": "rest"})
    house.do("UPDATE inbox SET accepted_at = now() - interval '50 s' WHERE match_id = %s AND outcome IS NULL", match)
    house.gate.look()
    assert house.gate.queue_ages["pebbles"] > 49
    house.do("UPDATE matches SET state = 'stuck' WHERE match_id = %s", match)
    house.gate.look()
    assert house.gate.queue_ages.get("pebbles", 0) < 40
    stuck = player.command(match, ask, {"do": "rest"})
    assert stuck.json["code"] == "match_stuck"
    house.do("UPDATE matches SET state = 'running' WHERE match_id = %s", match)
    house.work()
    house.gate.queue_ages = {}


@rule("PL-326", "PL-327", "PL-106")
def test_the_message_is_sent_after_the_commit_and_carries_no_command(house: House, ada: Player, bob: Player, match: str, monkeypatch: pytest.MonkeyPatch):
    sent = []

    def send(*facts: object) -> None:
        sent.append((facts, house.one("SELECT count(*) AS n FROM inbox WHERE match_id = %s AND arrival = %s", match, facts[3])["n"]))

    monkeypatch.setattr(house.gate.doorbell, "send", send)
    player, ask = seated(house, match, ada, bob)
    arrival = player.command(match, ask, {"do": "rest"}, key="once").json["arrival"]
    player.command(match, ask, {"do": "rest"}, key="once")
    assert sent == [(("pebbles", 1, match, arrival), 1)]


@rule("PL-325", "PL-323")
def test_a_command_that_comes_too_slowly_is_given_up(house: House, ada: Player, bob: Player, match: str):
    """EX-8 (c): the head of the match is locked by somebody until the budget is over."""
    player, ask = seated(house, match, ada, bob)
    with house.owner.transaction():
        house.do("SELECT 1 FROM inbox_heads WHERE match_id = %s FOR UPDATE", match)
        answer = player.command(match, ask, {"do": "rest"}, key="slow")
        assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert len(house.rows(match)) == 1
    assert player.command(match, ask, {"do": "rest"}, key="slow").status_code == 202


@rule("PL-815")
def test_the_gateway_reads_no_bodies_of_commands_no_states_steps_or_seeds(house: House):
    import psycopg
    with psycopg.connect(house.settings.database_of("gateway"), autocommit=True) as connection:
        for forbidden in ("SELECT body FROM inbox", "SELECT * FROM match_states", "SELECT * FROM steps", "SELECT * FROM seeds", "SELECT * FROM outbox",
                          "UPDATE inbox SET outcome = 'failed'", "DELETE FROM inbox", "UPDATE letters SET step = 1", "DELETE FROM audit",
                          "UPDATE seed_list SET commitment = 'x'", "CREATE TABLE mine (x int)", "SELECT last_error FROM attempts"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden)


def test_the_two_descriptions_of_a_command_agree():
    """The fast shape and the schema of the API document name the same fields."""
    from services.gateway.api.match_schemas import CommandIn
    from services.gateway.commands import Envelope
    assert set(CommandIn().fields) == set(Envelope.__struct_fields__)
    assert {name for name, field in CommandIn().fields.items() if field.required} == {"ask", "command"}
    assert json.loads(json.dumps(CommandIn.example)).keys() <= set(Envelope.__struct_fields__)
