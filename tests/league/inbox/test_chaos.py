"""Does a tournament come to the same end when processes of the league die at every commit, and when they are killed for real?"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import redis

from services.league.inbox.checking import broken_chain, wrong_pages
from services.league.inbox.kinds import KINDS
from services.league.inbox.office import Office
from shared.runtime.settings import Settings
from tests.league.inbox.conftest import ORG, Hall
from tests.ledger import rule

CUP, ENTRANTS, ROUNDS = "t-cup", 27, 2
THREE = {"least": 3, "most": 3, "preferred": 3}
SETTINGS = {"name": "Cup", "game": "pairs", "game_version": "1", "opponents": "bots", "stages": [{"format": "swiss", "rounds": ROUNDS, "seats": THREE}],
            "playing": {"clock": {"preset": "quick"}}, "schedule": {"round_break": "0 minutes"}}
MOST_KILLS = 8
LONGEST = 45        # commits of a process that lives longest: more than one look at a round needs
Look = Callable[[], None]


def begin(hall: Hall) -> None:
    """Everything is asked for at once, the start twice."""
    hall.do("INSERT INTO competitions (competition_id, kind, organisation_id, created_by, seed) VALUES (%s, 'tournament', %s, 'host', %s)",
            CUP, ORG, bytes(range(32)))
    hall.do("INSERT INTO competition_inbox (competition_id) VALUES (%s)", CUP)
    hall.act(CUP, "create", {"settings": SETTINGS})
    hall.act(CUP, "open", {"forecast_seen": True})
    for number in range(ENTRANTS):
        hall.act(CUP, "enter", by=hall.account(f"e-{number:02}"), roles=("self",))
    for kind in ("close", "start", "start"):
        hall.act(CUP, kind)


def play(hall: Hall, look: Look, halfway: Look = lambda: None, patience: float = 60.0) -> dict[str, Any]:
    """Looks and finishes what can be finished, round by round, until the tournament is over."""
    begin(hall)
    give_up, rounds = time.monotonic() + patience, 0
    while hall.row(CUP)["state"] != "finished":
        assert time.monotonic() < give_up, hall.all("SELECT kind, state, code, sentence FROM competition_acts WHERE state <> 'done'")
        look()
        matches = hall.open_matches(CUP)
        if len(matches) == ENTRANTS // 3:           # the whole round is there
            rounds += 1
            for match in matches:
                hall.finish(match)
            if rounds == 1:
                halfway()
    return told(hall)


def told(hall: Hall) -> dict[str, Any]:
    """What came of it, without what differs from run to run: ids of matches and moments."""
    names = {row["match_id"]: row["pairing"] for row in hall.all("SELECT match_id, pairing FROM competition_matches")}
    events = hall.all("SELECT kind, body FROM competition_events ORDER BY number")
    matches = hall.all("SELECT origin_key, count(*) AS n FROM matches GROUP BY 1 ORDER BY 1")
    ratings = hall.all("SELECT account_id, pool, mu, sigma, matches FROM ratings ORDER BY 1, 2")
    lines = hall.page(CUP, "standing/1")["lines"]
    return {"events": [(row["kind"], plain(row["body"], names)) for row in events], "matches": matches, "ratings": ratings,
            "lines": lines, "entries": hall.one("SELECT count(*) AS n FROM rating_entries")["n"]}


def plain(body: str, names: dict[str, str]) -> str:
    for match, pairing in names.items():
        body = body.replace(match, pairing)
    body = re.sub(r'"inputs_hash":"\w*"', '"inputs_hash":"…"', body)      # when somebody entered is one of the inputs
    return re.sub(r"\b1\d{12}\b", "…", body)


def emptied(hall: Hall) -> None:
    tables = [row["relname"] for row in hall.all("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
                                                 " AND relname NOT IN ('migrations', 'audit_head')")]
    hall.do(f"TRUNCATE {', '.join(tables)} CASCADE")


class Mortal:
    """Two processes of the league in turn: they die before or after their first commit, then at the second, and so on, again and again."""

    def __init__(self, settings: Settings, patch: pytest.MonkeyPatch) -> None:
        self.settings, self.deaths, self._left = settings, 0, 1
        self._offices: list[Office] = []
        commit, here = psycopg.Connection.commit, threading.get_ident()

        def deadly(connection: psycopg.Connection) -> None:
            if threading.get_ident() != here:       # what other tests have left running lives on
                return commit(connection)
            self._left -= 1
            if self._left == 0 and self.deaths % 2:
                raise Death
            commit(connection)
            if self._left <= 0:
                raise Death
            return None

        patch.setattr(psycopg.Connection, "commit", deadly)

    def look(self) -> None:
        while len(self._offices) < 2:
            self._offices.append(Office(self.settings, KINDS))
        office = self._offices.pop(0)
        try:
            for competition in sorted(office.found(sweep=True)):
                office.drain(competition)
            office.look_after_others()
            for game in office.stale():
                office.rate_again(game)
        except Death:
            self.deaths += 1
            self._left = 1 + self.deaths % LONGEST
            office.database.close()
        else:
            self._offices.append(office)

    def close(self) -> None:
        for office in self._offices:
            office.database.close()


class Death(BaseException):
    """Stands for the end of a process."""


@rule("LG-1044", "LG-166", "LG-167", "LG-145", "LG-148", "LG-149", "LG-171", "E-62")
def test_death_at_every_commit_changes_nothing_that_stays(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    """E-62 27 entrants at tables of three, two schedulers, a second press of the button."""
    quiet_office = Office(hall.settings, KINDS)
    quiet = play(hall, lambda: [quiet_office.drain(one) for one in sorted(quiet_office.found(sweep=True))] and None)
    quiet_office.database.close()
    assert [row["n"] for row in quiet["matches"]] == [1] * (ROUNDS * ENTRANTS // 3)
    emptied(hall)
    fresh = Hall(hall.settings)
    mortal = Mortal(hall.settings, monkeypatch)
    chaos = play(fresh, mortal.look, lambda: redis.Redis.from_url(hall.settings.redis_url).flushall())
    mortal.close()
    monkeypatch.undo()
    assert mortal.deaths > 30
    for part in quiet:
        assert chaos[part] == quiet[part], part
    fresh.database.close()


class Killed:
    """Two real processes of the league, of which one is killed after each step forward and started again."""

    def __init__(self, settings: Settings, hall: Hall) -> None:
        self.environ = {**os.environ, "CUPBOARD_LOCAL": "1", "DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}
        self.hall, self.kills, self._seen = hall, 0, 0
        self._running = [self._started() for _ in range(2)]

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "shared.desk.cli", "serve", "league"], env=self.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def look(self) -> None:
        time.sleep(0.01)
        there = self.hall.one("SELECT sum(version) + count(m.made_at) AS n FROM competitions LEFT JOIN competition_matches m USING (competition_id)")["n"] or 0
        if there > self._seen and self.kills < MOST_KILLS:
            self._seen = there
            victim = self._running.pop(0)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            self.kills += 1
            self._running.append(self._started())

    def close(self) -> None:
        for process in self._running:
            process.terminate()
        for process in self._running:
            process.wait(20)


@pytest.fixture
def killed(hall: Hall) -> Iterator[Killed]:
    killed = Killed(hall.settings, hall)
    yield killed
    killed.close()


@rule("LG-1044", "LG-166", "LG-167", "LG-208")
def test_killed_processes_leave_one_match_for_each_pairing_and_a_sound_record(hall: Hall, killed: Killed):
    told_of = play(hall, killed.look, lambda: redis.Redis.from_url(hall.settings.redis_url).flushall())
    assert [row["n"] for row in told_of["matches"]] == [1] * (ROUNDS * ENTRANTS // 3)
    kinds = [kind for kind, _ in told_of["events"]]
    assert (kinds.count("round_published"), kinds.count("recorded"), kinds.count("finished")) == (ROUNDS, ROUNDS * ENTRANTS // 3, 1)
    assert told_of["lines"][0]["rank"] == 1
    assert killed.kills > 3
    assert broken_chain(hall.all("SELECT number, kind, body, previous_hash, hash FROM competition_events ORDER BY number")) is None
    assert hall.one("SELECT count(*) AS n FROM competition_acts WHERE state = 'waiting'")["n"] == 0
    office = Office(hall.settings, KINDS)
    assert wrong_pages(office.database, CUP) == []
    office.database.close()
    assert told_of["entries"] == ROUNDS * ENTRANTS          # one row for each seat, in the pool of all
