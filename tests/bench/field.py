"""What does a tournament of 100,000 ask of real servers? A round is started, results come in, and a thousand a second read the standing.

Postgres, gateway and readers run on the same machine, each as in production but for the field, which is written by statements.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from psycopg.types.json import Json, Jsonb

from services.league.inbox.kinds import KINDS
from services.league.inbox.memory import told
from services.league.inbox.office import Office
from services.league.store import INBOX
from services.league.tournament.events.field import Entered
from tests.bench.run import spent
from tests.league.inbox.conftest import Hall
from tests.stand import ROOT, Stand

SIZE, RESULTS, RATE, SECONDS, CONNECTIONS = 100_000, 200, 1_000, 10.0, 32
TWO = {"least": 2, "most": 2, "preferred": 2}
CUP = {"opponents": "mixed", "stages": [{"format": "swiss", "rounds": 5, "seats": TWO}], "playing": {"clock": {"preset": "quick"}},
       "schedule": {"round_break": "0 minutes"}, "game_version": "1"}
AT_ONCE = 5_000
Say = Callable[[str], None]


def entered(hall: Hall, office: Office, size: int) -> str:
    """A tournament open for entry with so many bots in it, as if each had asked."""
    tournament = hall.made(office, **CUP)
    hall.act(tournament, "open", {"forecast_seen": True})
    office.drain(tournament)
    hall.do("INSERT INTO accounts (account_id, name, name_key, kind) SELECT 'bot-' || n, 'Bot ' || n, 'bot ' || n, 'bot' FROM generate_series(1, %s::int) n", size)
    hall.do("INSERT INTO competition_entrants (competition_id, account_id, state) SELECT %s, 'bot-' || n, 'entered' FROM generate_series(1, %s::int) n",
            tournament, size)
    row = hall.row(tournament)
    rows = list(_chained(hall, tournament, row["version"], size))
    for at in range(0, size, AT_ONCE):
        hall.database.execute(INBOX.add_events, {"competition": tournament, "rows": Json(rows[at:at + AT_ONCE])})
    hall.do("UPDATE competitions SET version = version + %s, entrants = %s WHERE competition_id = %s", size, size, tournament)
    return tournament


def _chained(hall: Hall, tournament: str, version: int, size: int) -> Iterator[dict[str, Any]]:
    [last] = hall.all("SELECT hash FROM competition_events WHERE competition_id = %s AND number = %s", tournament, version)
    before, now = last["hash"], int(time.time() * 1000)
    for number in range(1, size + 1):
        kind, body = told(Entered(at=now, account=f"bot-{number}", person="bot"))
        line = msgspec.json.encode({"n": version + number, "kind": kind, "body": body}, order="sorted").decode()
        after = hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()
        yield {"number": version + number, "kind": kind, "body": body, "hidden": False, "at": now, "previous_hash": before, "hash": after}
        before = after


class Clock:
    """Seconds on the wall, and of processor time in this process."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.monotonic(), time.process_time()

    def __str__(self) -> str:
        return f"{time.monotonic() - self._wall:.1f} s ({time.process_time() - self._cpu:.1f} s of processor in the league)"


def started(hall: Hall, office: Office, tournament: str, say: Say) -> None:
    """LG-1031 From closing the entry to the last match of the first round."""
    for kind, body in (("close", {}), ("start", {"accept_imbalance": True})):
        act, clock = hall.act(tournament, kind, body), Clock()
        while office.carry_out(tournament):
            pass
        say(f"{kind}, decided and stored with its pages: {clock}")
        outcome = hall.outcome(act)
        if outcome["state"] != "done":
            raise RuntimeError(f"{kind}: {outcome['code']} {outcome['sentence']} {outcome['named']}")
    clock = Clock()
    office.drain(tournament)
    say(f"{len(hall.open_matches(tournament)):,} matches ordered: {clock}")


def recorded(hall: Hall, office: Office, tournament: str, count: int) -> list[float]:
    """LG-1032 Seconds from the finish record of a match until its result is written, each by itself."""
    taken = []
    for match in hall.open_matches(tournament)[:count]:
        hall.finish(match)
        begun = time.monotonic()
        for found in office.found(sweep=False):
            office.drain(found)
        taken.append(time.monotonic() - begun)
    return sorted(taken)


def read(stand: Stand, tournament: str, **wish: Any) -> dict[str, Any]:
    """LG-1034 What readers of the first page of the standing waited, and what it cost in processor time."""
    facts = {"port": stand.settings.port, "path": f"/api/v1/tournaments/{tournament}/stages/1/standing", "seconds": SECONDS, "connections": CONNECTIONS, **wish}
    before = spent(stand)
    done = subprocess.run([sys.executable, "-m", "tests.bench.readers"], input=json.dumps(facts), capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise RuntimeError(f"{done.stderr}\n{stand.last_words()}")
    found: dict[str, Any] = json.loads(done.stdout)
    after = spent(stand)
    found["cost"] = {name: (after[name] - before[name]) * 1e3 / found["asked"] for name in ("gateway", "postgres")} | {
        "readers": found["cpu_s"] * 1e3 / found["asked"]}
    return found


def in_words(found: dict[str, Any]) -> str:
    cost = ", ".join(f"{name} {value:.2f}" for name, value in found["cost"].items())
    return (f"{found['a_second']:,.0f} a second answered, half of them within {found['p50_ms']:.1f} ms, 95 in 100 within {found['p95_ms']:.1f} ms; "
            f"{found['whole']:,} pages of {found['kilobytes']} kB, {found['unchanged']:,} times unchanged; ms of processor for each: {cost}")


def measured(folder: Path, size: int, say: Say, results: int = RESULTS) -> None:
    folder.mkdir(mode=0o711)
    stand = Stand(folder)
    hall = Hall(stand.settings, seeds=size)
    office = Office(stand.settings, KINDS)
    try:
        hall.do("UPDATE games SET presets = %s", Jsonb({"quick": {"throw": 15}}))
        clock = Clock()
        tournament = entered(hall, office, size)
        say(f"{size:,} entrants written: {clock}")
        started(hall, office, tournament, say)
        taken = recorded(hall, office, tournament, results)
        say(f"one result, read and written: half of {len(taken)} within {taken[len(taken) // 2] * 1e3:.1f} ms, 95 in 100 within "
            f"{taken[len(taken) * 95 // 100] * 1e3:.1f} ms, the slowest {taken[-1] * 1e3:.1f} ms")
        clock = Clock()
        if not office.refresh(tournament):
            time.sleep(1.1)
            office.refresh(tournament)
        say(f"the whole standing computed and written: {clock}")
        stand.start("gateway")
        stand.until(stand.answers, 30, "the gateway is ready")
        for words, wish in (("as many as go, all new", {"rate": 0, "every": 1}), ("as many as go, one in ten new", {"rate": 0, "every": 10}),
                            (f"{RATE:,} a second offered, one in ten new", {"rate": RATE, "every": 10})):
            say(f"readers, {words}: {in_words(read(stand, tournament, **wish))}")
    finally:
        office.database.close()
        hall.database.close()
        stand.close()


def main(argv: list[str]) -> int:
    """Prints what was measured; another number of entrants may be said."""
    size = int(argv[0]) if argv else SIZE
    folder = Path(tempfile.mkdtemp(prefix="cupboard-bench-"))
    folder.chmod(0o711)             # Postgres runs as another user when root starts it

    def say(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    try:
        measured(folder / "field", size, say)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
