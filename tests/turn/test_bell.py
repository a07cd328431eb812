"""Do processes wake each other, and does nothing wait for Redis?"""

import base64
import json
import socket
import threading
import time
from dataclasses import replace

import pytest
import redis

from shared.runtime.bell import CHANNEL, LOOK, Bell, Doorbell, Listener, queue_name
from shared.runtime.worker import celery_settings
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

QUEUE = queue_name("pebbles", 1)


def eventually(is_so, within: float = 5.0):
    give_up = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.fixture
def broker(settings):
    with redis.Redis.from_url(settings.redis_of("broker")) as connection:
        yield connection


@rule("PL-326", "PL-328")
def test_a_doorbell_names_the_match_and_nothing_else(settings, broker):
    Doorbell(settings).send("pebbles", 1, "m-1", 7)
    eventually(lambda: broker.llen(QUEUE))
    message = json.loads(broker.lindex(QUEUE, 0))
    assert (message["headers"]["task"], message["content-type"]) == (LOOK, "application/json")
    assert json.loads(base64.b64decode(message["body"]))[0] == [{"m-1": 7}]
    assert message["headers"].get("eta") is None
    assert message["properties"]["priority"] == 0


@rule("PL-328")
def test_each_game_and_version_has_a_queue_of_its_own(settings, broker):
    bell = Doorbell(settings)
    assert bell.send_now(queue_name("pebbles", 1), {"m-1": 1})
    assert bell.send_now(queue_name("pebbles", 2), {"m-2": 1})
    assert broker.llen("turns.pebbles.1") == broker.llen("turns.pebbles.2") == 1


@rule("PL-326")
def test_matches_gather_while_a_message_is_sent(settings, broker, monkeypatch):
    bell, free, sent = Doorbell(settings), threading.Event(), []

    def slowly(name, looks):
        sent.append(looks)
        return free.wait(5)

    monkeypatch.setattr(bell, "send_now", slowly)
    bell.send("pebbles", 1, "m-0", 1)
    eventually(lambda: sent)
    for number in range(1, 6):
        bell.send("pebbles", 1, f"m-{number}", number)
    free.set()
    eventually(lambda: len(sent) == 2)
    assert sent[1] == {f"m-{number}": number for number in range(1, 6)}


@pytest.fixture
def hanging():
    """An address that accepts and never answers, as a hung Redis does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}"


@rule("PL-327")
@pytest.mark.parametrize("away", ["refused", "hanging"])
def test_sending_never_delays_anybody(settings, hanging, away):
    bell = Doorbell(replace(settings, redis_url=hanging if away == "hanging" else "redis://127.0.0.1:1", publish_timeout=0.3))
    began = time.monotonic()
    for number in range(50):
        bell.send("pebbles", 1, f"m-{number}", 1)
    assert time.monotonic() - began < 0.1
    began = time.monotonic()
    assert not bell.send_now(QUEUE, {"m-1": 1})
    assert time.monotonic() - began < 2.5
    eventually(lambda: bell.failed, within=8)


@rule("PL-334")
def test_a_bell_wakes_who_listens_for_that_match(settings):
    listener, bell = Listener(settings), Bell(settings)
    with listener.listening("m-1") as one, listener.listening("m-2") as other:
        eventually(lambda: bell.ring([("m-1", 4)]) and one.wait(0.05))
        assert not other.is_set()


@rule("PL-815", "PL-334")
def test_what_is_no_bell_wakes_nobody_and_breaks_nothing(settings):
    listener, bell = Listener(settings), Bell(settings)
    with listener.listening("m-1") as rung, redis.Redis.from_url(settings.redis_of("bells")) as connection:
        eventually(lambda: bell.ring([("m-1", 4)]) and rung.wait(0.05))
        for nonsense in (b"no bell", b"\xff", b"7", b'[["m-1"]]', b'[["m-1", null]]', b"[" * 100_000):
            connection.publish(CHANNEL, nonsense)
        time.sleep(0.2)
        rung.clear()
        bell.ring([("m-1", 5)])
        assert rung.wait(2)


@rule("PL-334")
def test_a_lost_redis_is_found_again(settings, redis_server):
    listener, bell = Listener(settings), Bell(settings)
    with listener.listening("m-1") as rung:
        eventually(lambda: bell.ring([("m-1", 4)]) and rung.wait(0.05))
        with redis.Redis.from_url(settings.redis_of("bells")) as connection:
            connection.client_kill_filter(_type="pubsub")
        rung.clear()
        eventually(lambda: bell.ring([("m-1", 5)]) and rung.wait(0.05), within=10)


@rule("PL-334", "PL-101")
def test_a_bell_that_nobody_can_hear_breaks_nothing(settings):
    assert Bell(replace(settings, redis_url="redis://127.0.0.1:1")).ring([("m-1", 4)]) is False


@rule("PL-329", "PL-328")
def test_a_worker_acknowledges_after_its_work_and_takes_one_message_at_a_time(settings):
    found = celery_settings(settings, QUEUE)
    assert found["task_acks_late"]
    assert found["task_reject_on_worker_lost"]
    assert found["worker_prefetch_multiplier"] == 1
    assert found["task_time_limit"] < found["broker_transport_options"]["visibility_timeout"]
    assert (found["accept_content"], found["task_serializer"], found["task_ignore_result"]) == (["json"], "json", True)
    (queue,) = found["task_queues"]
    assert (queue.name, queue.routing_key, queue.exchange.name) == (QUEUE, QUEUE, "")
    assert queue_name(GAME.name, GAME.version) == QUEUE
