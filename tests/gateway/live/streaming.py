"""What do the tests of streams stand on? A stream process on the gateway's database, and matches whose letters are written by hand."""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
import requests

from shared.runtime.bell import Bell
from tests.gateway.conftest import House, Player

NUMBERS = itertools.count(900_000)


class Streams:
    """A stream process on the gateway's database, and matches whose letters are written by hand."""

    def __init__(self, house: House, port: int) -> None:
        self.house, self.base = house, f"http://127.0.0.1:{port}"
        self.bell = Bell(house.settings)
        self.process = subprocess.Popen([sys.executable, "-m", "shared.desk.cli", "serve", "stream"], env={
            **os.environ, "CUPBOARD_LOCAL": "1", "DATABASE_URL": house.settings.database_url, "REDIS_URL": house.settings.redis_url,
            "CUPBOARD_FOLDER": house.settings.folder,
            "CUPBOARD_STREAM_PORT": str(port), "CUPBOARD_STREAM_HEARTBEAT": "5", "CUPBOARD_STREAM_POLL": "1", "CUPBOARD_LOG_LEVEL": "warning"})

    def ready(self) -> Streams:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                if requests.get(f"{self.base}/health/ready", timeout=1).ok:
                    return self
            except requests.RequestException:
                time.sleep(0.05)
        raise AssertionError("the stream does not start")

    def match(self, *holders: Player, visibility: str = "public", delay: tuple[int, int] = (0, 0)) -> str:
        """A running match with nothing written yet."""
        number = next(NUMBERS)
        match = f"m-s{number}"
        self.house.do("INSERT INTO seed_list (number, commitment, used_by) VALUES (%s, %s, %s)", number, f"c{number}", match)
        self.house.do("INSERT INTO matches (match_id, game, version, pack_hash, options, clock, state, seats, visibility, opponents, seed_number, "
                      "delay_s, delay_steps, started_at, expires_at) VALUES "
                      "(%s, 'pebbles', 1, 'h', '{}', '{}', 'running', 2, %s, 'mixed', %s, %s, %s, now(), now())",
                      match, visibility, number, *delay)
        for seat in range(2):
            holder = holders[seat] if seat < len(holders) else None
            self.house.do("INSERT INTO seats (match_id, seat, kind, account_id) VALUES (%s, %s, %s, %s)", match, seat,
                          "held" if holder else "open", holder.id if holder else None)
        self.house.do("INSERT INTO views (match_id, step, at, bodies, texts, hashes, changed, awaited, clocks) VALUES "
                      "(%s, 0, now(), '{}', '{}', '{}', '{}', '{0}', '{}')", match)
        return match

    def write(self, match: str, *steps: int, at: str = "now()", ring: bool = True) -> None:
        """Letters of these steps, each reader's with its own secret."""
        for step in steps:
            bodies = [json.dumps({"match": match, "step": step, "for": reader, "view": {"of": step}, "view_hash": "h", "clocks": {}, "awaited": []})
                      for reader in ("onlookers", "seat 0", "seat 1")]
            self.house.do(f"INSERT INTO letters VALUES (%s, %s, {at}, %s, '{{}}')", match, step, bodies)
            self.house.do("UPDATE views SET step = %s, bodies = %s, hashes = %s WHERE match_id = %s", step, [f'{{"of":{step}}}'] * 3, ["h"] * 3, match)
        if ring:
            self.bell.ring([(match, steps[-1])])

    def at(self, match: str, query: str = "") -> str:
        return f"{self.base}/api/v1/matches/{match}/stream{query}"


@pytest.fixture(scope="module")
def streams(house: House) -> Iterator[Streams]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    running = Streams(house, port)
    yield running.ready()
    running.process.terminate()
    running.process.wait(10)


def bearer(player: Player) -> dict[str, str]:
    return {"Authorization": f"Bearer {player.token}"}
