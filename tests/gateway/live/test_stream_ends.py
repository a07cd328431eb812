"""What does a stream say of matches that are over: archived ones, and those whose deal is still played elsewhere?"""

from __future__ import annotations

import time

from shared.runtime.turn import archive
from tests.gateway.conftest import House, Player
from tests.gateway.live.streaming import Streams, bearer, streams
from tests.gateway.taps import tap
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
