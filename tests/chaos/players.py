"""Who plays while processes die? Clients that post each command under one key until they know its fate."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import psycopg
import requests
from psycopg.types.json import Jsonb

from services.gateway.tokens import write_token
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.stand import Stand

PAUSE = 0.1
CROWDED = 0.5  # of the matches have an audience
CLOCK = {"preset": "quick", "limit_ms": 4_000}
PATIENCE = 60.0  # seconds for one command to become known, whatever happens


class Known(NamedTuple):
    """A command whose acceptance the gateway has confirmed."""

    match: str
    key: str
    arrival: int


def signed_up(hall: Hall, name: str) -> tuple[str, str]:
    """A new account, and a token with which it plays and votes."""
    account, (written, token) = hall.account(f"{name} {time.monotonic_ns()}"), write_token("pat")
    hall.connection.execute(
        "INSERT INTO tokens (token_id, kind, account_id, secret_hash, label, scopes, bound_to, ends_at) VALUES (%s, 'pat', %s, %s, 'play', "
        "%s, %s, now() + interval '1 day')", (token.id, account, token.secret_hash, ["match:play", "match:read"], Jsonb({})))
    return account, written


class Player(threading.Thread):
    """Plays all seats of its matches, one command after the other."""

    def __init__(self, stand: Stand, number: int, seed: int) -> None:
        super().__init__(name=f"player-{number}", daemon=True)
        self.stand, self.number = stand, number
        self.dice = random.Random(f"{seed}|{number}")
        self.over = threading.Event()
        self.known: list[Known] = []
        self.repeated = self.refused = self.posted = 0
        self.trouble: list[str] = []
        self.matches: list[str] = []
        self._answered: set[tuple[str, int, int]] = set()
        self._hall: Hall | None = None
        self._web = requests.Session()
        self.account, self.token = self._anyhow(lambda hall: signed_up(hall, f"Player {self.number}"))

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self._anyhow(self._seated)
                self._turn(self.dice.choice(self.matches))
        except Exception as error:  # noqa: BLE001 - told at the end
            self.trouble.append(f"{self.name}: {type(error).__name__}: {error}")

    def _turn(self, match: str) -> None:
        open_ones = self._anyhow(lambda hall: hall.asks(match, needed=self.dice.random() < 0.9))
        asks = [ask for ask in open_ones if (match, ask["seat"], ask["ask"]) not in self._answered]
        if not asks:
            self._answered = {one for one in self._answered if one[0] in self.matches and self.dice.random() < 0.95}  # a refused ask is free again
            time.sleep(0.02)
            return
        ask = self.dice.choice(asks)
        self._answered.add((match, ask["seat"], ask["ask"]))
        command = self._command(ask["question"])
        if command is not None:
            self.posted += 1
            self._post(match, {"seat": ask["seat"], "ask": ask["ask"], "command": command}, f"p{self.number}-{self.posted}")

    def _command(self, question: str) -> dict[str, Any] | None:
        match question:
            case "throw" if self.dice.random() < 0.05:
                return {"do": "throw", "dice": 9}  # accepted, then refused
            case "throw":
                return self.dice.choice([{"do": "rest"}, {"do": "throw", "dice": self.dice.randint(1, 3)}])
            case "name":
                return {"do": "name_heap", "name": f"Beck {self.dice.randint(1, 10**6)}"}
            case "hide":
                return {"do": "hide", "pebbles": []}
        return None

    def _post(self, match: str, envelope: dict[str, Any], key: str) -> None:
        """Until the fate is known; now and then once more, to see that nothing happens."""
        give_up = time.monotonic() + PATIENCE
        times = self.dice.choice([1, 1, 1, 2])
        arrivals = set()
        while times and time.monotonic() < give_up:
            status, body = self._ask(match, envelope, key)
            if status in {200, 202}:
                arrivals.add(body["arrival"])
                times -= 1
            elif status in {409, 422} and body.get("code") != "fate_unknown":
                self.refused += 1
                times -= 1
            else:
                self.repeated += 1
                time.sleep(PAUSE)
        if times:
            self.trouble.append(f"the fate of {key} stayed unknown")
        if len(arrivals) > 1:
            self.trouble.append(f"{key} was accepted as {sorted(arrivals)}")
        self.known += [Known(match, key, arrival) for arrival in arrivals]

    def _ask(self, match: str, envelope: dict[str, Any], key: str) -> tuple[int, dict[str, Any]]:
        url = f"http://127.0.0.1:{self.stand.settings.port}/api/v1/matches/{match}/commands"
        try:
            answer = self._web.post(url, json=envelope, timeout=4, headers={"Authorization": f"Bearer {self.token}", "Idempotency-Key": key})
            return answer.status_code, answer.json()
        except (requests.RequestException, ValueError):
            return 0, {}

    def _seated(self, hall: Hall) -> None:
        """Three running matches at any time, all of their seats held by this player."""
        self.matches = [match for match in self.matches if hall.state(match) in {"open", "running", "stuck"}]
        while len(self.matches) < 3:
            with hall.connection.transaction():
                match = self._new_match(hall)
            self.matches.append(match)

    def _new_match(self, hall: Hall) -> str:
        options = {"rounds": 1, "crowd": True} if self.dice.random() < CROWDED else {"rounds": self.dice.randint(1, 5)}
        match = hall.match(self.dice.randint(2, 4), options=options, start=False, clock=CLOCK)
        hall.connection.execute("UPDATE seats SET account_id = %s WHERE match_id = %s", (self.account, match))
        hall.own(match, "start")
        return match

    def _anyhow(self, act: Callable[[Hall], Any]) -> Any:
        """The owner's own look into the database, again until Postgres answers."""
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                if self._hall is None:
                    self._hall = Hall(self.stand.settings, GAME)
                return act(self._hall)
            except (psycopg.Error, OSError):
                self._hall = None
                if time.monotonic() > give_up:
                    raise
                time.sleep(PAUSE)
