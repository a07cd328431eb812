"""Who looks on and votes while processes die? A few members of the audience, who say each answer until they know its fate (PL-567)."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from typing import Any

import psycopg
import requests

from tests.chaos.players import PATIENCE, PAUSE, signed_up
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.laws.pebbles.legal import favourite
from tests.stand import Stand

MEMBERS = 3
ASKED = "SELECT match_id, question, answers FROM polls WHERE closed_at IS NULL"
COUNTED = "SELECT match_id, command FROM steps WHERE kind = 'count' ORDER BY match_id, step"
STORED = "SELECT match_id, member, answer FROM audience_answers"
Member = tuple[str, str]  # account and token


class Crowd(threading.Thread):
    """Some members, each of whom votes and now and then thinks again."""

    def __init__(self, stand: Stand, seed: int) -> None:
        super().__init__(name="crowd", daemon=True)
        self.stand = stand
        self.dice = random.Random(f"{seed}|crowd")
        self.over = threading.Event()
        self.accepted: dict[tuple[str, str], str] = {}  # match and member -> the last answer that the gateway has confirmed
        self.votes = self.repeated = 0
        self.trouble: list[str] = []
        self._joined: set[tuple[str, str]] = set()
        self._web = requests.Session()
        hall = Hall(stand.settings, GAME)
        self._members: list[Member] = [signed_up(hall, f"Member {number}") for number in range(MEMBERS)]
        hall.connection.close()

    def run(self) -> None:
        while not self.over.is_set():
            for poll in self._asked():
                for member in self._members:
                    self._vote(poll["match_id"], member, self.dice.choice(poll["answers"]))
            self.over.wait(PAUSE)

    def _asked(self) -> list[dict[str, Any]]:
        try:
            with psycopg.connect(self.stand.settings.database_url, connect_timeout=2) as connection:
                return [{"match_id": match, "answers": answers} for match, _, answers in connection.execute(ASKED).fetchall()]
        except (psycopg.Error, OSError):
            return []

    def _vote(self, match: str, member: Member, answer: str) -> None:
        account, _ = member
        if (match, account) not in self._joined and self._said(match, member, "me", {}) != 200:
            return
        self._joined.add((match, account))
        if self._said(match, member, "answers/cheer", {"answer": answer}) == 200:
            self.votes += 1
            self.accepted[match, account] = answer

    def _said(self, match: str, member: Member, what: str, body: dict[str, str]) -> int:
        """The status once it is known; the same key until then."""
        account, token = member
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"v{self.dice.randrange(10**12)}"}
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                status = self._web.put(f"http://127.0.0.1:{self.stand.settings.port}/api/v1/matches/{match}/audience/{what}", json=body,
                                       headers=headers, timeout=4).status_code
            except requests.RequestException:
                status = 0
            if status in {200, 409, 422}:
                return status
            self.repeated += 1
            time.sleep(PAUSE)
        self.trouble.append(f"the fate of a vote of {account} in {match} stayed unknown")
        return 0

    def complaints(self, rows: dict[str, list[dict[str, Any]]]) -> list[str]:
        """Every confirmed answer is the one that is stored, and each count is that of the stored answers, once each."""
        stored = {(row["match_id"], row["member"]): row["answer"] for row in rows["stored"]}
        found = [f"{match}: the vote of {member} was {answer}, stored is {stored.get((match, member))}"
                 for (match, member), answer in self.accepted.items() if stored.get((match, member)) != answer]
        totals = {match: Counter(answer for (where, _), answer in stored.items() if where == match) for match, _ in stored}
        counts = Counter(row["match_id"] for row in rows["counted"])
        found += [f"{match}: counted {times} times" for match, times in counts.items() if times > 1]
        return found + self.trouble + [
            f"{row['match_id']}: {totals[row['match_id']]} was counted as {row['command']}" for row in rows["counted"]
            if row["match_id"] in totals and row["command"] != f'{{"do":"cheer","heap":{favourite(totals[row["match_id"]])}}}']
