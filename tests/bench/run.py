"""What is measured, and how? Each measurement on a fresh stack of servers and processes, one after the other."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from psycopg.types.json import Jsonb

from services.gateway.tokens import write_token
from shared.desk.workshop.games import key_of, named, names
from shared.kernel.game import Game
from shared.kernel.match import Observer, play_out
from shared.runtime.bell import Doorbell
from tests.bench.game import GAME
from tests.hall import Hall
from tests.laws.pebbles.game import GAME as PEBBLES
from tests.stand import ROOT, Stand

OURS, NAIVE = ("gateway", "stream", "worker", "watch"), ("naive-gateway", "stream", "naive-worker")
GATEWAYS = max(1, (os.cpu_count() or 2) // 2)  # the other cores have the worker, Postgres and the client to carry
MEMBERS, VOTERS = 1_000, 16  # audience members, and connections that vote for them


def turns(folder: Path, processes: tuple[str, ...], sizes: tuple[int, ...], seconds: float, say: Callable[[str], None]) -> dict[str, Any]:
    """Turns a second and waiting times, for each number of matches at once."""
    folder.mkdir(mode=0o711)
    stand = Stand(folder, games="tests.bench.game:GAME", gateway_processes=GATEWAYS)
    hall = Hall(stand.settings, GAME)
    try:
        stand.start("worker", "watch")
        found = {}
        tables = [table(stand, hall) for _ in range(max(sizes))]
        stand.until(lambda: all(hall.asks(match["match"]) for match in tables), 30, "all matches have begun")
        stand.end(*(name for name in ("worker", "watch") if name not in processes))
        stand.start(*(name for name in processes if name not in stand.children))
        stand.until(lambda: stand.answers() and stand.answers(stand.settings.stream_port), 30, "gateway and stream are ready")
        for size in sizes:
            found[str(size)] = closed_loop(stand, tables[:size], seconds)
            say(f"{processes[0]:>14}, {size:>2} matches: {found[str(size)]}")
        return found
    finally:
        hall.close()
        stand.close()


def closed_loop(stand: Stand, tables: list[dict[str, str]], seconds: float) -> dict[str, Any]:
    before = spent(stand)
    facts = {"port": stand.settings.port, "stream_port": stand.settings.stream_port, "matches": tables, "seconds": seconds}
    done = subprocess.run([sys.executable, "-m", "tests.bench.client"], input=json.dumps(facts), capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise RuntimeError(f"{done.stderr}\n{stand.last_words()}")
    found: dict[str, Any] = json.loads(done.stdout)
    after, all_turns = spent(stand), max(1, found.pop("all_turns"))
    found["cpu_ms_per_turn"] = {name: round((after[name] - before[name]) / all_turns * 1000, 2) for name in after} | {
        "client": round(found.pop("cpu_s") / all_turns * 1000, 2)}
    return found


def spent(stand: Stand) -> dict[str, float]:
    """Seconds of processor time of each process with its children: they depend little on what else this machine does."""
    pids = {name: child.pid for name, child in stand.children.items()} | {"postgres": stand.postgres.pid, "redis": stand.redis.pid}
    return {name: sum(sum(one.cpu_times()[:4]) for one in [psutil.Process(pid)]) + _of_children(pid) for name, pid in pids.items()}


def _of_children(pid: int) -> float:
    return sum(sum(child.cpu_times()[:2]) for child in psutil.Process(pid).children(recursive=True))


def table(stand: Stand, hall: Hall, preset: str = "bench", **options: Any) -> dict[str, str]:
    """A match whose seats are all held by one account, and a token of it."""
    match = hall.match(2, options=options, clock={"preset": preset}, start=False)
    account, (written, token) = hall.account(), write_token("pat")
    hall.connection.execute("UPDATE seats SET account_id = %s WHERE match_id = %s", (account, match))
    hall.connection.execute("UPDATE matches SET one_screen = true, guests = true, host_id = %s WHERE match_id = %s", (account, match))
    hall.connection.execute(
        "INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, bound_to, ends_at) VALUES (%s, 'pat', %s, %s, 'bench', %s, "
        "%s, now() + interval '1 day')", (token.id, account, token.secret_hash, ["match:play", "match:read"], Jsonb({})))
    hall.own(match, "start")
    return {"match": match, "token": written}


class Counting(Observer):
    """Counts decisions."""

    def __init__(self) -> None:
        self.decisions = 0

    def before(self, *_: object) -> None:
        self.decisions += 1


def decisions(seconds: float = 1.0) -> dict[str, dict[int, int]]:
    """Decisions a second of `play_out` on one core, random bots, for every game and every number of seats."""
    found = {}
    for game in (PEBBLES, *map(named, names())):
        allowed = game.seats_allowed(game.read_options({}))
        found[game.name] = {seats: _decisions(game, seats, seconds) for seats in allowed}
    return found


def _decisions(game: Game, seats: int, seconds: float) -> int:
    options = game.read_options({})
    bots = [next(iter(game.bots.values()))] * seats
    counting, took, seed = Counting(), 0.0, 0
    while took < seconds:
        seed += 1
        play_out(game, seats, options, key_of(seed), bots, [counting])  # how many they are, without the clock
        began = time.process_time()
        play_out(game, seats, options, key_of(seed), bots)
        took += time.process_time() - began
    return round(counting.decisions / took)


def audience(folder: Path, say: Callable[[str], None], size: int = MEMBERS) -> dict[str, Any]:
    """A thousand members vote in one window while the table goes on; every vote counts once."""
    folder.mkdir(mode=0o711)
    stand = Stand(folder, games="tests.bench.game:GAME")
    hall = Hall(stand.settings, GAME)
    try:
        stand.start("gateway", "worker", "watch")
        match = table(stand, hall, preset="open", crowd=True)["match"]
        stand.until(stand.answers, 30, "the gateway is ready")
        _to_the_poll(stand, hall, match)
        devices = _all(stand, [("PUT", f"/api/v1/matches/{match}/audience/me", {"name": f"Voter {number}"}, "") for number in range(size)])
        votes = [("PUT", f"/api/v1/matches/{match}/audience/answers/cheer", {"answer": str(number % 3 % 2)}, device["device"])
                 for number, device in enumerate(devices)]
        began = time.monotonic()
        _all(stand, votes)
        took = time.monotonic() - began
        _all(stand, votes[:100])
        hall.own(match, "order", body={"kind": "advance", "by": "host"})
        stand.until(lambda: any(step["kind"] == "count" for step in hall.steps(match)), 10, "the votes are counted")
        stored = hall.one("SELECT count(*) AS votes, count(DISTINCT member) AS members FROM audience_answers WHERE match_id = %s", match)
        found = {"members": size, "votes_stored": stored["votes"], "votes_in_s": round(took, 2), "votes_per_s": round(size / took),
                 "counts": sum(step["kind"] == "count" for step in hall.steps(match))}
        say(f"audience: {found}")
        return found
    finally:
        hall.close()
        stand.close()


def _to_the_poll(stand: Stand, hall: Hall, match: str) -> None:
    doorbell = Doorbell(stand.settings)
    for seat, command in ((0, {"do": "rest"}), (1, {"do": "rest"}), (0, {"do": "hide", "pebbles": []}), (1, {"do": "hide", "pebbles": []})):
        asked: list[Any] = []

        def open_ask(seat: int = seat, asked: list[Any] = asked) -> bool:
            asked[:] = [ask for ask in hall.asks(match) if ask["seat"] == seat]
            return bool(asked)

        stand.until(open_ask, 20, "the seat is asked")
        placed = hall.post(match, seat, asked[0]["ask"], command)
        doorbell.send(GAME.name, GAME.version, match, placed["arrival"])
    stand.until(lambda: bool(hall.all("SELECT FROM polls WHERE match_id = %s AND closed_at IS NULL", match)), 20, "the audience is asked")


def _all(stand: Stand, requests: list[tuple[str, str, dict[str, Any], str]]) -> list[Any]:
    """All of them over a few connections that are kept; every one must be answered with 200."""
    answers: list[Any] = [None] * len(requests)
    failed: list[str] = []

    def some(first: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", stand.settings.port, timeout=30)
        for number in range(first, len(requests), VOTERS):
            method, path, body, device = requests[number]
            headers = {"Content-Type": "application/json", "Idempotency-Key": f"{method}-{number}-{len(path)}"} | ({"Cupboard-Device": device} if device else {})
            connection.request(method, path, json.dumps(body), headers)
            answer = connection.getresponse()
            raw = answer.read()
            if answer.status != 200:
                failed.append(f"{answer.status} {raw!r}")
                return
            answers[number] = json.loads(raw)
        connection.close()

    threads = [threading.Thread(target=some, args=(first,)) for first in range(VOTERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise RuntimeError(f"{failed[0]}\n{stand.last_words()}")
    return answers
