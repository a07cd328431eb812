"""Is a tournament followed live without a gap, from any event on, by those who may?"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
import requests

from services.league.inbox.office import Office
from shared.runtime.bell import Bell
from tests.gateway.taps import NDJSON, Tap, tap
from tests.league.inbox.conftest import Hall
from tests.ledger import rule


class Streams:
    """A stream process on this test's database."""

    def __init__(self, hall: Hall) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        self.base, self.bell, self.hall = f"http://127.0.0.1:{port}/api/v1", Bell(hall.settings), hall
        self.process = subprocess.Popen([sys.executable, "-m", "shared.desk.cli", "serve", "stream"], env={
            **os.environ, "CUPBOARD_LOCAL": "1", "DATABASE_URL": hall.settings.database_url, "REDIS_URL": hall.settings.redis_url,
            "CUPBOARD_STREAM_PORT": str(port), "CUPBOARD_STREAM_HEARTBEAT": "5", "CUPBOARD_STREAM_POLL": "1", "CUPBOARD_LOG_LEVEL": "warning"})
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if requests.get(f"http://127.0.0.1:{port}/health/ready", timeout=1).ok:
                    return
            except requests.RequestException:
                time.sleep(0.05)
        raise AssertionError("the stream does not start")

    def tap(self, competition: str, query: str = "", **headers: str) -> Tap:
        return tap(f"{self.base}/tournaments/{competition}/stream{query}", **headers)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture
def streams(hall: Hall) -> Iterator[Streams]:
    streams = Streams(hall)
    yield streams
    streams.close()


def numbers(read: Tap, count: int) -> list[int]:
    read.wait(lambda _: sum(message["type"] == "event" for message in read.messages) >= count, 10.0)
    return [message["number"] for message in read.messages if message["type"] == "event"]


@rule("LG-1011", "LG-1012", "LG-103", "LG-129", "LG-1024")
def test_a_stream_goes_on_from_any_event_without_a_gap(hall: Hall, office: Office, streams: Streams):
    competition = hall.made(office)
    live = streams.tap(competition)
    assert live.wait(lambda message: message["type"] == "hello", 10.0)["version"] == 1
    hall.field(competition, office, 3)
    version = hall.row(competition)["version"]
    assert numbers(live, version - 1) == list(range(2, version + 1))
    assert live.numbers == [str(number) for number in range(1, version + 1)]
    drafted = next(message for message in live.messages if message.get("kind") == "drafted")
    assert drafted["body"] == {}                    # only officials know what it says
    paired = next(message for message in live.messages if message.get("kind") == "paired")
    assert paired["body"]["round"] == 1

    resumed = streams.tap(competition, "?after=2")
    assert numbers(resumed, version - 2) == list(range(3, version + 1))
    assert "hello" not in resumed.kinds()
    plain = streams.tap(competition, Accept=NDJSON, **{"Last-Event-ID": "2"})
    assert numbers(plain, version - 2) == list(range(3, version + 1))
    lost = streams.tap(competition, "?after=999")
    assert lost.wait(lambda message: message["type"] == "resync", 10.0)["version"] == version

    hall.finish(hall.open_matches(competition)[0])
    for one in sorted(office.found(sweep=True)):
        office.drain(one)
    after = hall.row(competition)["version"]
    for read in (live, resumed, plain, lost):
        read.wait(lambda message: message.get("number") == after, 10.0)
    assert [message["number"] for message in lost.messages if message["type"] == "event"] == list(range(version + 1, after + 1))

    hall.do("UPDATE competitions SET visibility = 'private' WHERE competition_id = %s", competition)
    assert live.wait(lambda message: message["type"] == "bye", 15.0)["reason"] == "revoked"
    answer = requests.get(f"{streams.base}/tournaments/{competition}/stream", timeout=5)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert requests.get(f"{streams.base}/championships/{competition}/stream", timeout=5).status_code == 404
    assert json.dumps(live.messages).count('"seed"') == 0


@rule("LG-810")
def test_a_stream_of_onlookers_ends_where_the_delay_does(hall: Hall, office: Office, streams: Streams):
    competition = hall.made(office)
    hall.field(competition, office, 3)
    hall.do("UPDATE competitions SET shown_version = 2 WHERE competition_id = %s", competition)
    late = streams.tap(competition, "?after=0")
    assert numbers(late, 2) == [1, 2]
    begun = streams.tap(competition)
    hello = begun.wait(lambda message: message["type"] == "hello", 10.0)
    assert (hello["version"], hello["state"]) == (2, None)
    hall.do("UPDATE competitions SET shown_version = 4 WHERE competition_id = %s", competition)
    streams.bell.ring([(competition, 4)])
    assert numbers(late, 4) == [1, 2, 3, 4]
    assert numbers(begun, 2) == [3, 4]
