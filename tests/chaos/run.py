"""What does one chaos run do, and what must be true after it? `chaos(folder, seed, seconds)` tells in numbers."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from shared.runtime.store import Database
from shared.runtime.stuck import release
from tests.chaos.crowd import COUNTED, STORED, Crowd
from tests.chaos.faults import carried_out, planned
from tests.chaos.players import Player
from tests.invariants import look_at
from tests.laws.pebbles.game import GAME
from tests.stand import Stand

FASTER = {  # fences and watches in seconds that fit into a short run
    "watch_period": 0.2, "resend_after": 0.5, "inline_after": 2, "idle_in_transaction": 1, "lock_timeout": 1, "statement_timeout": 2,
    "timer_grace": 0.5, "accept_budget": 0.4, "gateway_processes": 1, "gateway_threads": 8, "worker_processes": 2,
}
PROCESSES = ("gateway", "worker", "watch")
LONGEST, MOST_PLAYERS = 3_600, 16
WAITING = "SELECT i.match_id FROM inbox i JOIN matches m USING (match_id) WHERE i.outcome IS NULL AND m.state <> 'stuck' LIMIT 1"


def chaos(folder: Path, seed: int, seconds: float, *, players: int = 4, say: Callable[[str], None] = print) -> dict[str, Any]:
    """PL-785, PL-786 Faults from a seed while clients play; the numbers, and what is wrong."""
    if not 5 <= seconds <= LONGEST or not 1 <= players <= MOST_PLAYERS:
        raise ValueError(f"5 to {LONGEST} seconds and 1 to {MOST_PLAYERS} players")
    faults = planned(seed, seconds)
    say(f"chaos --seed {seed} --seconds {seconds:g}: {len(faults)} faults")
    stand = Stand(folder, **FASTER)
    try:
        stand.start(*PROCESSES)
        stand.until(stand.answers, 30, "the gateway is ready")
        stand.keep_up()
        crowd = [Player(stand, number, seed) for number in range(players)]
        audience = Crowd(stand, seed)
        for player in (*crowd, audience):
            player.start()
        for fault in carried_out(stand, faults):
            say(f"{fault.at:6.2f} s  {fault.kind}")
        time.sleep(1.0)
        for player in (*crowd, audience):
            player.over.set()
        for player in (*crowd, audience):
            player.join(70)
        drained_in, released = drained(stand)
        stand.end("watch")
        stand.until(lambda: not rows(stand, WAITING), 20, "what the watch accepted last is carried out")
        stand.end("worker", "gateway")
        return told(stand, crowd, audience) | {"faults": len(faults), "drained_s": round(drained_in, 1), "released": released, "starts": stand.starts}
    finally:
        stand.close()


def drained(stand: Stand) -> tuple[float, int]:
    """How long until nothing waits any more, and how many matches an operator had to release on the way."""
    began, released = time.monotonic(), 0

    def empty() -> bool:
        nonlocal released
        for row in rows(stand, "SELECT match_id FROM matches WHERE state = 'stuck'"):
            database = Database(stand.settings.database_of("worker"), stand.settings, "operator", size=1)
            release(database, row["match_id"], "retry", "operator", "killed too often")
            database.close()
            released += 1
        return not rows(stand, WAITING)

    stand.until(empty, 40, "everything accepted has its outcome")
    return time.monotonic() - began, released


def told(stand: Stand, crowd: list[Player], audience: Crowd) -> dict[str, Any]:
    """The numbers and the complaints: of the players, of the audience, of the checker, and of what they know together."""
    votes = audience.complaints({"stored": rows(stand, STORED), "counted": rows(stand, COUNTED)})
    steps, complaints = look_at(stand.settings, [GAME])
    known = [one for player in crowd for one in player.known]
    stored = {(row["match_id"], row["key"]): row for row in rows(stand, "SELECT match_id, key, arrival, outcome FROM inbox WHERE key IS NOT NULL")}
    lost = [one for one in known if stored.get((one.match, one.key), {}).get("arrival") != one.arrival]
    return {
        "accepted": len({(one.match, one.key) for one in known}), "steps": steps, "lost": len(lost),
        "twice": sum("answers" in complaint or "accepted" in complaint for complaint in complaints),
        "repeated": sum(player.repeated for player in crowd), "refused": sum(player.refused for player in crowd),
        "votes": audience.votes, "counts": len(rows(stand, COUNTED)),
        "complaints": [*complaints, *votes, *(trouble for player in crowd for trouble in player.trouble), *(f"lost: {one}" for one in lost[:10])],
    }


def rows(stand: Stand, query: str) -> list[dict[str, Any]]:
    with psycopg.connect(stand.settings.database_url, row_factory=dict_row, autocommit=True) as connection:
        return connection.execute(query).fetchall()
