"""Where does a stream end: with a match, with the right to read it, and at addresses that are none?"""

from __future__ import annotations

import time

import pytest
import requests

from shared.runtime.turn import archive
from tests.gateway.conftest import API, House, Player
from tests.gateway.live.streaming import Streams, bearer, streams
from tests.gateway.taps import NDJSON, code, tap
from tests.gateway.test_accounts import browser, opened, write
from tests.ledger import rule

__all__ = ["streams"]      # a fixture


@rule("PL-392", "PL-456")
def test_the_end_of_a_shared_deal_is_told_once_all_have_ended(streams: Streams, house: House, ada: Player, bob: Player):
    one, two = streams.match(ada), streams.match(bob)
    house.do("UPDATE matches SET deal_group = %s WHERE match_id = ANY(%s)", f"d-{one}", [one, two])
    streams.write(one, 1)
    own, onlooker = tap(streams.at(one), **bearer(ada)), tap(streams.at(one), **bearer(bob))
    assert own.wait(lambda message: message["type"] == "hello")["view"] == {"of": 1}
    assert onlooker.wait(lambda message: message["type"] == "hello")["view"] is None
    house.do("UPDATE matches SET state = 'finished', ended_at = now() WHERE match_id = %s", one)
    streams.write(one, 2, at="now() + interval '1 second'")
    late = tap(streams.at(one), **bearer(ada))
    assert late.wait(lambda message: message["type"] == "hello")["view"] is None
    time.sleep(1.5)     # more than a poll
    assert (own.steps(), onlooker.steps()) == ([], [])
    house.do("UPDATE matches SET state = 'finished', ended_at = now() WHERE match_id = %s", two)
    assert own.wait(lambda message: message["type"] == "letter")["step"] == 2
    for reader in (own, onlooker, late):
        reader.close()

@rule("PL-257", "PL-452")
def test_an_archived_match_greets_with_the_view_out_of_its_file(streams: Streams, house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, options={"rounds": 1})
    house.play_out(match, ada, bob)
    house.do("UPDATE matches SET ended_at = ended_at - interval '8 days' WHERE match_id = %s", match)
    told = []
    for _ in range(2):
        reader = tap(streams.at(match), **bearer(ada))
        told.append(reader.wait(lambda message: message["type"] == "hello") | {"now": None})
        reader.close()
        archive.archive(house.worker.database, house.settings, match)
    assert told[0] == told[1]
    assert told[1]["view"]


# Whose right is gone --------------------------------------------------------------------------------------------------------


@rule("PL-129", "PL-459", "PL-181")
def test_signing_out_ends_the_streams_that_the_pages_opened(streams: Streams, house: House):
    client = browser(house, opened(house))
    places = [client.get(f"{API}/me/stream", base_url="http://localhost:8000").headers["Location"].replace("http://127.0.0.1:8001", streams.base)
              for _ in range(2)]
    reader = tap(places[0], Accept=NDJSON)
    reader.wait(lambda message: message["type"] == "asks")
    assert write(client, "DELETE", "/sessions/this").status_code == 204
    assert reader.wait(lambda message: message["type"] == "bye", seconds=5)["reason"] == "revoked"
    assert code(places[1]) == (401, "bad_token")


@rule("PL-137", "PL-459")
def test_a_suspended_owner_reads_no_further_by_a_bot(streams: Streams, house: House):
    owner = house.player()
    bot = house.player("bot", owner=owner.id)
    reader = tap(f"{streams.base}/api/v1/bot/stream", Accept=NDJSON, **bearer(bot))
    reader.wait(lambda message: message["type"] == "hello")
    house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", owner.id)
    assert reader.wait(lambda message: message["type"] == "bye", seconds=5)["reason"] == "revoked"
    assert code(f"{streams.base}/api/v1/bot/stream", **bearer(bot)) == (403, "suspended")


@pytest.mark.parametrize("kind", ["match", "championship"])
@rule("PL-175")
def test_a_bound_token_hears_of_nothing_else(streams: Streams, house: House, kind: str):
    bot = house.player("bot")
    first, other = streams.match(bot), streams.match(bot)
    house.do("UPDATE matches SET championship = match_id WHERE match_id = ANY(%s)", [first, other])
    bound = Player(house, bot.id, bot.name, house.token(bot.id, ["bot:play", "match:read"], "bot", {kind: first}))
    all_, asks = (tap(f"{streams.base}/api/v1/{path}/stream", Accept=NDJSON, **bearer(bound)) for path in ("bot", "me"))
    for match in (other, first, third := streams.match(bot)):
        house.do("INSERT INTO asks VALUES (%s, 0, 1, 'throw', true, '{}', now(), now(), now() + interval '1 minute')", match)
        streams.write(match, 1)
    told = asks.wait(lambda message: message["type"] == "asks" and message["asks"])["asks"]
    all_.wait(lambda message: message["type"] == "letter" and message["match"] == first)
    time.sleep(1.5)     # more than a poll
    assert {ask["match"] for ask in told} == {message["match"] for message in all_.messages if "match" in message} == {first}
    assert {row["match"] for row in bound.get("/me/asks").json["items"]} == {first}
    assert third not in str(asks.messages)
    for reader in (all_, asks):
        reader.close()


# Addresses ----------------------------------------------------------------------------------------------------------------


@rule("PL-204", "PL-218")
def test_whatever_is_refused_is_a_problem(streams: Streams):
    assert code(f"{streams.base}/api/v1/matches/a%00b/stream") == code(f"{streams.base}/api/v1/tournaments/a%00b/stream") == (404, "not_found")
    assert code(f"{streams.base}/api/v1/matches/%00/stream?ticket=x") == code(f"{streams.base}/nowhere") == (404, "not_found")
    posted = requests.post(streams.at("m-1"), timeout=5)
    assert (posted.status_code, posted.headers["Content-Type"], "GET" in posted.headers["Allow"]) == (405, "application/problem+json", True)
