"""Does a reader of a stream get everything, in order, once, and nothing that is not for it?"""

from __future__ import annotations

import json
import signal
import time
from typing import Any

import psycopg
import pytest
import requests

from services.gateway.clients.registered import SQL as CLIENTS
from services.gateway.live.feeds import Feeds
from services.gateway.live.lines import MOST_UNSENT, Line, Place
from services.gateway.rights import Caller
from services.gateway.tokens import write_token
from tests.gateway.conftest import House, Player
from tests.gateway.live.streaming import Streams, bearer, streams
from tests.gateway.talk.test_rooms import say
from tests.gateway.taps import NDJSON, Tap, code, get, tap
from tests.ledger import rule

__all__ = ["streams"]      # a fixture

# Letters ---------------------------------------------------------------------------------------------------------------


@rule("PL-451", "PL-452", "PL-453")
def test_hello_comes_first_and_then_one_letter_per_step(streams: Streams, ada: Player):
    match = streams.match(ada)
    streams.write(match, 1, 2)
    reader = tap(streams.at(match), **bearer(ada))
    hello = reader.wait(lambda message: message["type"] == "hello")
    assert (hello["reader"], hello["seat"], hello["step"], hello["view"]) == ("seat", 0, 2, {"of": 2})
    assert {"ask", "clocks", "now", "awaited"} <= set(hello)
    streams.write(match, 3)
    letter = reader.wait(lambda message: message["type"] == "letter")
    assert (letter["match"], letter["step"], letter["for"]) == (match, 3, "seat 0")
    assert letter["now"].endswith("Z")
    assert reader.numbers == ["2", "3"]
    reader.close()


@rule("EX-16", "PL-454", "PL-455")
def test_a_cut_is_resumed_exactly_and_an_old_number_begins_anew(streams: Streams):
    match = streams.match()
    streams.write(match, *range(40, 77))
    resumed = tap(streams.at(match), Last_Event_ID="71")
    resumed.wait(lambda message: message.get("step") == 76)
    streams.write(match, 77)
    resumed.wait(lambda message: message.get("step") == 77)
    assert resumed.steps() == [72, 73, 74, 75, 76, 77]
    assert "hello" not in resumed.kinds()
    for wrong in ("12", "99", "yesterday"):
        anew = tap(streams.at(match, f"?after={wrong}"))
        anew.wait(lambda message: message["type"] == "hello")
        assert anew.kinds()[:2] == ["resync", "hello"]
        assert anew.messages[1]["step"] == 77
        anew.close()
    resumed.close()


@rule("PL-454")
def test_nothing_falls_between_what_was_read_and_what_is_heard(streams: Streams):
    """Readers come while letters are being written as fast as can be; each gets every later one, once and in order."""
    match = streams.match()
    streams.write(match, 1)
    readers: list[Tap] = []
    for step in range(2, 150):
        streams.write(match, step)
        if step % 15 == 0:
            readers.append(tap(streams.at(match, "?after=1"), Accept=NDJSON))
    for reader in readers:
        reader.wait(lambda message: message.get("step") == 149)
        assert reader.steps() == list(range(2, 150))
        reader.close()


@rule("PL-456")
def test_a_lost_bell_delays_by_one_poll_at_most(streams: Streams):
    match = streams.match()
    streams.write(match, 1)
    reader = tap(streams.at(match))
    reader.wait(lambda message: message["type"] == "hello")
    streams.write(match, 2, ring=False)
    reader.wait(lambda message: message.get("step") == 2 and message["type"] == "letter", seconds=2.5)
    reader.close()


@rule("PL-419", "EX-17")
def test_onlookers_behind_a_delay_see_the_stricter_of_seconds_and_steps(streams: Streams, ada: Player):
    match = streams.match(ada, delay=(90, 4))
    for step, age in ((50, 165), (51, 135), (52, 45), (53, 35), (54, 25)):
        streams.write(match, step, at=f"now() - interval '{age} seconds'")
    reader = tap(streams.at(match, "?seat=onlookers"), **bearer(ada))
    hello = reader.wait(lambda message: message["type"] == "hello")
    assert (hello["reader"], hello["step"], hello["view"]) == ("onlookers", 50, {"of": 50})
    own = tap(streams.at(match), **bearer(ada))
    assert own.wait(lambda message: message["type"] == "hello")["step"] == 54
    streams.write(match, 55, at="now() - interval '20 seconds'")
    reader.wait(lambda message: message.get("step") == 51)
    assert 52 not in reader.steps()
    for one in (reader, own):
        one.close()


@rule("PL-460")
def test_a_slow_reader_is_told_to_begin_anew_instead_of_being_kept_in_memory():
    line = Line("match", Caller(), ndjson=True)
    place = Place("m-1", 1, step=7, live=True)
    line.places[place.match_id, place.reader] = place
    assert all(line.put(b"letter\n") for _ in range(MOST_UNSENT))
    assert not line.put(b"letter\n")
    line.give_up("2027-02-03T10:00:05.412Z")
    assert json.loads(line.take())["type"] == "resync"
    assert (place.live, place.step, list(line.fresh)) == (False, None, [place])


@rule("PL-460", "PL-458")
def test_what_has_no_number_is_not_kept_in_memory_either(house: House):
    feeds, line = Feeds(house.settings), Line("match", Caller(), ndjson=True)
    for _ in range(MOST_UNSENT + 1):
        feeds.send(line, b"presence\n")
    assert json.loads(line.take())["type"] == "resync"


@rule("PL-457")
def test_a_quiet_stream_gives_signs_of_life(streams: Streams):
    match = streams.match()
    named, plain = tap(streams.at(match)), tap(streams.at(match), Accept=NDJSON)
    until = time.monotonic() + 8
    while not (named.beats and plain.beats):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert named.beats[0].endswith("Z")
    named.close()
    plain.close()


@rule("PL-454")
def test_views_are_added_for_those_who_ask_for_them(streams: Streams, ada: Player):
    match = streams.match(ada)
    reader = tap(streams.at(match, "?views=1"), **bearer(ada))
    reader.wait(lambda message: message["type"] == "hello")
    streams.write(match, 1)
    view = reader.wait(lambda message: message["type"] == "view")
    assert (view["step"], view["view"]) == (1, {"of": 1})
    reader.close()


# Beside the letters ------------------------------------------------------------------------------------------------------


@rule("PL-458", "PL-462", "CH-516", "PL-568")
def test_state_presence_and_the_number_of_answers_come_without_a_number(streams: Streams, ada: Player):
    match = streams.match(ada)
    reader = tap(streams.at(match), **bearer(ada))
    assert reader.wait(lambda message: message["type"] == "presence")["here"] == [0]
    time.sleep(1.1)
    house = streams.house
    house.do("INSERT INTO polls (match_id, question, answers, opened_at) VALUES (%s, 'q', '{a,b}', now())", match)
    house.do("INSERT INTO audience_answers VALUES (%s, 'q', 'member', 'a', now())", match)
    house.do("UPDATE matches SET state = 'paused' WHERE match_id = %s", match)
    told = reader.wait(lambda message: message["type"] == "audience" and message["answered"] == 1)
    assert told["question"] == "q"
    assert "answer" not in told
    assert reader.wait(lambda message: message["type"] == "state")["state"] == "paused"
    assert reader.numbers == ["0"]
    reader.close()


@rule("PL-296", "PL-458")
def test_a_refusal_is_told_to_the_account_that_acted_alone(streams: Streams, ada: Player, bob: Player):
    match = streams.match(ada, bob)
    hers, his = tap(streams.at(match), **bearer(ada)), tap(streams.at(match), **bearer(bob))
    his.wait(lambda message: message["type"] == "presence" and message["here"] == [0, 1])
    time.sleep(1.1)
    streams.house.do("INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, account_id, received_at, outcome, code, done_at) "
                     "VALUES (%s, 1, 'c-1', 'pebbles', 1, 'command', %s, now(), 'refused', 'not_a_choice', now())", match, ada.id)
    assert hers.wait(lambda message: message["type"] == "refusal")["code"] == "not_a_choice"
    assert "refusal" not in his.kinds()
    hers.close()
    his.close()


# Talk ------------------------------------------------------------------------------------------------------------------


def talkative(streams: Streams, *players: Player, delay: tuple[int, int] = (0, 0)) -> str:
    match = streams.match(*players, delay=delay)
    streams.house.do("UPDATE matches SET talk = 'free' WHERE match_id = %s", match)
    return match


def back(house: House, match: str) -> None:
    for table in ("talk", "letters"):
        house.do(f"UPDATE {table} SET at = at - interval '61 seconds' WHERE match_id = %s", match)


@rule("PL-458", "PL-558", "PL-559")
def test_the_stream_tells_that_something_was_said_to_those_who_may_hear_it_and_never_what(streams: Streams, ada: Player, bob: Player):
    match, cleo = talkative(streams, ada, bob), streams.house.player()
    late = talkative(streams, ada, bob, delay=(60, 0))
    streams.write(late, 1)
    seat, onlooker, behind = tap(streams.at(match), **bearer(ada)), tap(streams.at(match), **bearer(cleo)), tap(streams.at(late))
    behind.wait(lambda message: message["type"] == "hello")
    say(cleo, match, "she holds the three", "onlookers")
    say(bob, late, "I go for it")
    assert onlooker.wait(lambda message: message["type"] == "talk") | {"now": ""} == {"type": "talk", "match": match, "room": "onlookers", "now": ""}
    say(bob, match, "my turn")
    for reader in (seat, onlooker):
        reader.wait(lambda message: message["type"] == "talk" and message["room"] == "seats")
    assert "onlookers" not in [message.get("room") for message in seat.messages]
    assert seat.numbers == ["0"]        # the point of resumption stays
    assert "talk" not in behind.kinds()
    back(streams.house, late)
    behind.wait(lambda message: message["type"] == "talk")
    for reader in (seat, onlooker, behind):
        reader.close()


# Several matches ----------------------------------------------------------------------------------------------------------


@rule("PL-451", "PL-461")
def test_an_account_is_told_of_its_open_asks(streams: Streams, ada: Player):
    reader = tap(f"{streams.base}/api/v1/me/stream", Accept=NDJSON, **bearer(ada))
    assert reader.wait(lambda message: message["type"] == "asks")["asks"] == []
    match = streams.match(ada)
    streams.house.do("INSERT INTO asks VALUES (%s, 0, 1, 'throw', true, '{}', now(), now(), now() + interval '1 minute')", match)
    streams.write(match, 1)
    [asked] = reader.wait(lambda message: message["type"] == "asks" and message["asks"])["asks"]
    assert (asked["match"], asked["seat"], asked["ask"], asked["needed"]) == (match, 0, 1, True)
    reader.close()


@rule("PL-451", "PL-453", "PL-524")
def test_a_bot_reads_all_its_matches_in_one_stream(streams: Streams, house: House):
    bot = house.player("bot")
    first, second = streams.match(bot), streams.match(bot)
    streams.write(first, 1, 2)
    streams.write(second, 1)
    reader = tap(f"{streams.base}/api/v1/bot/stream?after={first}:1", Accept=NDJSON, **bearer(bot))
    reader.wait(lambda message: message["type"] == "hello" and message.get("match") == second)
    reader.wait(lambda message: message["type"] == "letter" and message["match"] == first and message["step"] == 2)
    third = streams.match(bot)
    streams.write(third, 1)
    reader.wait(lambda message: message["type"] == "hello" and message.get("match") == third)
    streams.write(third, 2)
    assert reader.wait(lambda message: message["type"] == "letter" and message["match"] == third)["for"] == "seat 0"
    reader.close()


# Who may read --------------------------------------------------------------------------------------------------------------


@rule("PL-218", "PL-297", "PL-178", "PL-132")
def test_what_one_may_not_know_of_is_not_found(streams: Streams, ada: Player, bob: Player):
    private = streams.match(ada, visibility="private")
    assert code(streams.at(private)) == code(streams.at("m-nothing")) == (404, "not_found")
    assert code(streams.at(private), **bearer(bob)) == (404, "not_found")
    assert code(streams.at(private, "?seat=1"), **bearer(ada)) == (403, "not_your_seat")
    assert code(streams.at(private), Authorization="Bearer nonsense") == (401, "bad_token")
    assert code(streams.at(private, f"?token={ada.token}")) == (400, "token_in_url")
    assert code(f"{streams.base}/api/v1/me/stream") == (401, "not_signed_in")
    tap(streams.at(private), **bearer(ada)).close()
    streams.house.do("INSERT INTO invitations (code, match_id, account_id, uses_left, ends_at) VALUES (%s, %s, %s, 1, now() + interval '1 day')",
                     f"i-{private}", private, bob.id)
    tap(streams.at(private), **bearer(bob)).close()


@rule("PL-381", "PL-815")
def test_the_stream_can_read_no_state_no_step_no_seed_and_no_answer(house: House):
    with psycopg.connect(house.settings.database_of("stream"), autocommit=True) as connection:
        for secret in ("match_states", "steps", "seeds"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT * FROM {secret}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT answer FROM audience_answers")


@rule("PL-181", "PL-132")
def test_the_gateway_sends_on_with_a_ticket_that_works_once(streams: Streams, ada: Player):
    match = streams.match(ada)
    sent_on = ada.get(f"/matches/{match}/stream?seat=0")
    assert sent_on.status_code == 307
    place = sent_on.headers["Location"].replace("http://127.0.0.1:8001", streams.base)
    reader = tap(place, Origin="http://127.0.0.1:8000")
    assert reader.wait(lambda message: message["type"] == "hello")["seat"] == 0
    assert reader.answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in reader.answer.headers
    assert code(place) == (401, "bad_token")
    other = ada.get(f"/matches/{match}/stream").headers["Location"].rpartition("ticket=")[2]
    assert code(f"{streams.base}/api/v1/me/stream?ticket={other}") == (401, "bad_token")
    reader.close()


@rule("PL-813")
def test_a_bot_has_four_streams_and_those_that_were_closed_do_not_count(streams: Streams, house: House):
    bot = house.player("bot")
    match = streams.match(bot)
    readers = [tap(streams.at(match), **bearer(bot)) for _ in range(4)]
    refused = get(streams.at(match), **bearer(bot))
    assert (refused.status_code, refused.json()["code"], "Retry-After" in refused.headers) == (429, "too_many_streams", True)
    readers.pop().close()
    time.sleep(0.2)
    readers.append(tap(streams.at(match), **bearer(bot)))
    for reader in readers:
        reader.close()


@rule("PL-177", "PL-459")
def test_a_revoked_token_ends_its_streams_within_five_seconds(streams: Streams, house: House):
    eve = house.player()
    match = streams.match(eve)
    reader = tap(streams.at(match), **bearer(eve))
    reader.wait(lambda message: message["type"] == "hello")
    house.do("UPDATE tokens SET revoked_at = now() WHERE account_id = %s", eve.id)
    bye = reader.wait(lambda message: message["type"] == "bye", seconds=5)
    assert bye["reason"] == "revoked"
    assert bye["reconnect_after_ms"] > 0


@rule("PL-177", "PL-179")
def test_a_program_that_is_put_out_has_no_stream_five_seconds_later(streams: Streams, house: House):
    eve, maker = house.player(), house.player()
    match = streams.match(eve)
    house.do("INSERT INTO clients (client_id, account_id, name, name_key, homepage, redirects) VALUES ('p-live', %s, 'Live', 'live', '', '{}')", maker.id)
    house.do("INSERT INTO client_grants (grant_id, client_id, account_id, scopes, code_hash, challenge, redirect, code_ends_at, code_used_at, ends_at) "
             "VALUES ('g-live', 'p-live', %s, '{match:read}', '', '', '', now(), now(), now() + interval '1 day')", eve.id)
    written, token = write_token("oat")
    house.do("INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, ends_at, made_by, grant_id) "
             "VALUES (%s, 'oat', %s, %s, '', '{match:read}', now() + interval '1 hour', 'client', 'g-live')", token.id, eve.id, token.secret_hash)
    reader = tap(streams.at(match, "?seat=0"), Authorization=f"Bearer {written}")
    reader.wait(lambda message: message["type"] == "hello")
    with house.gate.store.work() as work:
        work.do(CLIENTS.put_out, client="p-live", account=eve.id)
    assert reader.wait(lambda message: message["type"] == "bye", seconds=5)["reason"] == "revoked"


@rule("PL-459")
def test_a_seat_that_is_given_away_is_read_no_further(streams: Streams, ada: Player, bob: Player):
    match = streams.match(ada)
    reader = tap(streams.at(match), **bearer(ada))
    reader.wait(lambda message: message["type"] == "hello")
    streams.house.do("UPDATE seats SET account_id = %s WHERE match_id = %s AND seat = 0", bob.id, match)
    reader.wait(lambda message: message["type"] == "bye", seconds=5)


@rule("PL-736", "PL-739")
def test_health_and_metrics(streams: Streams):
    assert requests.get(f"{streams.base}/health/live", timeout=5).status_code == 200
    assert requests.get(f"{streams.base}/health/ready", timeout=5).json() == {"ready": True, "missing": []}
    assert 'cupboard_streams_open{kind="match"}' in requests.get(f"{streams.base}/metrics", timeout=5).text


@rule("PL-348", "PL-459")
def test_draining_says_bye(streams: Streams):
    """The last test: it ends the process."""
    match = streams.match()
    reader = tap(streams.at(match))
    reader.wait(lambda message: message["type"] == "hello")
    streams.process.send_signal(signal.SIGTERM)
    bye: dict[str, Any] = reader.wait(lambda message: message["type"] == "bye", seconds=3)
    assert bye["reason"] == "draining"
    assert streams.process.wait(10) == 0
