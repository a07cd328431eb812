"""What if a message is lost, a clock runs out, or Redis is away? The watch, against real Postgres and Redis."""

import base64
import json
from dataclasses import replace

import pytest
import redis
from cryptography.exceptions import InvalidTag

from shared.runtime.bell import queue_name
from shared.runtime.turn import seeds
from shared.runtime.turn.writing import SQL
from shared.runtime.watch import Watch
from shared.runtime.worker import Worker, deaf_facts
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.turn.test_pipeline import DONE, REST

QUEUE = queue_name("pebbles", 1)
QUICK = {"preset": "quick"}


@pytest.fixture
def match(hall, worker) -> str:
    match = hall.match(2, clock=QUICK)
    worker.look()
    return match


@pytest.fixture
def broker(settings):
    with redis.Redis.from_url(settings.redis_of("broker")) as connection:
        yield connection


def told(broker) -> list[dict]:
    """The messages that lie in the queue: which matches to look at."""
    bodies = [base64.b64decode(json.loads(raw)["body"]) for raw in broker.lrange(QUEUE, 0, -1)]
    return [json.loads(body)[0][0] for body in bodies]


# Messages --------------------------------------------------------------------------------------------------------------


@rule("PL-336", "EX-10")
def test_a_row_that_waits_is_sent_for_again_once_in_two_seconds(hall, watch, match, broker):
    hall.post(match, 0, 1, REST)
    watch.send_again()
    assert told(broker) == []
    hall.aged(match, 1.5)
    watch.send_again()
    watch.send_again()
    assert told(broker) == [{match: 2}]
    watch._sent[match] -= 2.0
    watch.send_again()
    assert told(broker) == [{match: 2}] * 2
    assert hall.outcomes(match)[-1] == (None, None)


@rule("PL-337")
def test_a_row_that_waits_too_long_is_carried_out_by_the_watch(hall, watch, match):
    hall.post(match, 0, 1, REST)
    hall.aged(match, 11)
    watch.send_again()
    assert hall.outcomes(match) == [DONE, DONE]


@rule("PL-337", "PL-327", "PL-784", "PL-101")
def test_without_redis_the_watch_carries_everything_out(settings, hall, match):
    alone = Watch(GAME, replace(settings, redis_url="redis://127.0.0.1:1", publish_timeout=0.1))
    hall.post(match, 0, 1, REST)
    hall.aged(match, 1.5)
    alone.round()
    assert hall.outcomes(match)[-1] == DONE
    hall.post(match, 1, 2, REST)
    alone.round()
    assert hall.outcomes(match)[-1] == DONE
    alone.database.close()


@rule("PL-101", "PL-347")
def test_a_wiped_redis_takes_nothing_with_it(hall, watch, match, broker):
    hall.post(match, 0, 1, REST)
    broker.flushall()
    hall.aged(match, 1.5)
    watch.send_again()
    assert told(broker) == [{match: 2}]
    assert len(hall.asks(match)) == 1


@rule("PL-652", "PL-336")
def test_nobody_is_sent_for_a_stuck_match(hall, watch, match, broker):
    hall.post(match, 0, 1, REST)
    hall.aged(match, 30)
    hall.connection.execute("UPDATE matches SET state = 'stuck'")
    watch.send_again()
    assert told(broker) == []
    hall.connection.execute("UPDATE matches SET state = 'running'")


@rule("PL-344", "PL-652")
def test_a_worker_that_no_message_reaches_is_deaf(hall, watch, worker, match):
    def deaf() -> bool:
        return bool(hall.one(SQL.deaf, **deaf_facts(GAME))["deaf"])

    hall.post(match, 0, 1, REST)
    assert not deaf()
    hall.aged(match, 11)
    assert deaf()
    watch.send_again()
    assert hall.outcomes(match)[-1] == DONE
    assert deaf()
    worker.pulse()
    assert not deaf()
    hall.connection.execute("UPDATE pulses SET at = at - interval '11 seconds'")
    assert not deaf()


# Bots, records, seeds -------------------------------------------------------------------------------------------------------


@rule("PL-523", "PL-522")
def test_a_built_in_bot_asked_twice_answers_once(hall, watch, worker):
    match = hall.match(2, bots={1: "careful"})
    worker.look()
    hall.post(match, 0, 1, REST)
    worker.carry_out([match])
    rows = hall.all("SELECT seat, ask, account_id FROM inbox WHERE match_id = %s AND seat = 1", match)
    assert rows == [{"seat": 1, "ask": 2, "account_id": None}]
    worker.think(match, 1)
    assert len(hall.outcomes(match)) == 3
    worker.look()
    assert hall.outcomes(match)[2] == DONE


@rule("PL-523")
def test_a_bot_whose_answer_was_lost_is_woken(hall, watch, worker, monkeypatch):
    match = hall.match(2, bots={0: "random", 1: "random"})
    monkeypatch.setattr(Worker, "think", lambda *_: None)
    worker.look()
    assert len(hall.steps(match)) == 1
    monkeypatch.undo()
    hall.back_dated(match, 2)
    hall.connection.execute("UPDATE asks SET opened_at = opened_at - interval '2 seconds'")
    watch.wake_bots()
    watch.worker.look()
    assert len(hall.steps(match)) > 4


@rule("PL-525")
def test_a_bot_that_raises_is_answered_for(settings, hall):
    def broken(view, choices, dice):
        raise ZeroDivisionError

    worker = Worker(replace(GAME, bots={"broken": broken}), settings)
    match = hall.match(2, bots={0: "broken"})
    worker.look()
    assert hall.steps(match)[1]["command"] == '{"do":"rest"}'
    worker.database.close()


@rule("PL-417", "PL-622")
def test_a_record_that_a_killed_worker_did_not_write_is_written_once(hall, watch, worker, match, monkeypatch):
    monkeypatch.setattr(Worker, "_afterwards", lambda *_: None)
    hall.post(match, 0, None, {}, kind="resign")
    worker.look()
    assert hall.all("SELECT FROM records") == []
    watch.write_records()
    watch.write_records()
    (record,) = hall.all("SELECT * FROM records")
    assert record["match_id"] == match


@rule("PL-611", "PL-613", "PL-621")
def test_a_thousand_unused_commitments_are_always_ahead(settings, hall, watch, match):
    watch.lengthen_seeds()
    before = hall.all("SELECT number, commitment FROM seed_list ORDER BY number")
    assert hall.one("SELECT count(*) AS ahead FROM seed_list WHERE used_by IS NULL")["ahead"] >= seeds.AHEAD
    other = Watch(GAME, settings)
    hall.connection.execute("UPDATE seed_list SET used_by = 'x-' || number WHERE used_by IS NULL AND number < 1500")
    for one in (watch, other):
        one.lengthen_seeds()
    after = hall.all("SELECT number, commitment FROM seed_list ORDER BY number")
    assert after[:len(before)] == before
    assert [row["number"] for row in after] == list(range(after[0]["number"], after[-1]["number"] + 1))
    assert hall.one("SELECT count(*) AS ahead FROM seed_list WHERE used_by IS NULL")["ahead"] >= seeds.AHEAD
    sealed = hall.one("SELECT number, seed FROM seeds ORDER BY number DESC LIMIT 1")
    assert len(seeds.unseal(settings, sealed["number"], bytes(sealed["seed"]))) == 32
    with pytest.raises(InvalidTag):
        seeds.unseal(replace(settings, master_key="another"), sealed["number"], bytes(sealed["seed"]))
    other.database.close()
