"""Who plays in the demonstration? The example bots of the games, where a game has none players who take anything; many on a few threads."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

import requests

from shared.desk.bot.client import Client, Decide, Json, Refused, anything
from shared.runtime.registry import registered

IDLE, LONGEST_IDLE = 0.25, 2.0      # seconds between two looks of a bot at which nothing happens
LOOKS_A_SECOND = 50
GIVE_UP = 3.0               # an ask still open so long after our answer was probably refused: the safe answer follows


class Player:
    """One bot: looks at what it is asked, thinks for a while, and takes something that is on offer."""

    def __init__(self, client: Client, name: str, pace: float) -> None:
        self.client, self.name, self.pace = client, name, pace
        self.chance = random.Random(name)       # noqa: S311  a taste, not a secret
        self.due, self.busy, self.answers = 0.0, False, 0
        self.matches: set[str] = set()
        self.longest_idle = LONGEST_IDLE
        self._idle = IDLE
        self._think: dict[tuple[str, int, int], float] = {}
        self._sent: dict[tuple[str, int, int], float] = {}
        self._done: set[tuple[str, int, str, str]] = set()

    def turn(self) -> set[str]:
        """One look at all its asks; the matches in which it has answered something."""
        asks = [ask for ask in self.client.get("/me/asks", limit=100)["items"] if self._wanted(ask)]
        now = time.monotonic()
        self.matches |= {ask["match"] for ask in asks}
        self._think = {_key(ask): self._think.get(_key(ask), now + self._pause()) for ask in asks}
        ripe = [ask for ask in asks if self._think[_key(ask)] <= now]
        for ask in ripe:
            self._answer(ask)
        self._idle = IDLE if ripe else min(self.longest_idle, 1.5 * self._idle)
        waits = [at - now for key, at in self._think.items() if key not in self._sent]
        self.due = time.monotonic() + max(0.0, min([self._idle, *waits]) if not ripe else 0.0)
        return {ask["match"] for ask in ripe}

    def wake(self) -> None:
        """Something has happened at one of its tables."""
        self._idle, self.due = IDLE, min(self.due, time.monotonic())

    def _wanted(self, ask: Json) -> bool:
        """What is not needed is answered once: an answer that may be revised would otherwise be revised for ever."""
        sent = self._sent.get(_key(ask))
        if sent is not None:
            return ask["needed"] and time.monotonic() - sent > GIVE_UP
        return ask["needed"] or (ask["match"], ask["seat"], ask["question"], ask.get("about", "")) not in self._done

    def _pause(self) -> float:
        return self.pace * self.chance.uniform(0.4, 1.6)

    def _answer(self, ask: Json) -> None:
        safe = _key(ask) in self._sent and ask["on_timeout"]
        for command in filter(None, [safe or self.take(ask), ask["on_timeout"]]):
            try:
                self._sent[_key(ask)] = time.monotonic()
                body = {"seat": ask["seat"], "ask": ask["ask"], "command": command}
                self.client.post(f"/matches/{ask['match']}/commands", body, wait=2)
            except Refused as refusal:
                if refusal.facts.get("status") == 422:      # not as it should be: the safe answer then
                    continue
            break
        self.answers += 1
        self._done.add((ask["match"], ask["seat"], ask["question"], ask.get("about", "")))

    def take(self, ask: Json) -> Json:
        """What the example of the game says; any choice with any values where there is none, or where it has no opinion."""
        decide = example(ask["game"])
        view = self.client.get(f"/matches/{ask['match']}/view", seat=ask["seat"])["view"] if decide else {}
        try:
            chosen = decide(ask, view) if decide else None
        except (LookupError, TypeError, ValueError):       # the table has gone on since it was asked
            chosen = None
        return chosen or anything(ask["choices"], self.chance)


@cache
def example(game: str) -> Decide | None:
    """The example bot in the folder of a game (PL-529)."""
    place = registered().get(game, "").partition(":")[0].rpartition(".")[0]
    if not place or find_spec(f"{place}.example") is None:
        return None
    decide: Decide = import_module(f"{place}.example.bot").decide
    return decide


def _key(ask: Json) -> tuple[str, int, int]:
    return ask["match"], ask["seat"], ask["ask"]


class Crew:
    """Many players on a few threads: whoever is due first has a look; who sits at a table where something happened is due."""

    def __init__(self, players: Iterable[Player], threads: int = 4) -> None:
        self.players, self._change = list(players), threading.Condition()
        for player in self.players:             # a large crew looks less often, so that looking is not all that the gateway does
            player.longest_idle = max(LONGEST_IDLE, len(self.players) / LOOKS_A_SECOND)
        self.stopping = threading.Event()
        self._threads = [threading.Thread(target=self._work, name=f"crew-{number}", daemon=True) for number in range(threads)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self.stopping.set()
        for thread in self._threads:
            thread.join(0.5)         # one that waits for a gateway ends with the process

    def _work(self) -> None:
        while not self.stopping.is_set():
            player = self._next()
            if player is not None:
                self._let(player)

    def _next(self) -> Player | None:
        with self._change:
            free = min((player for player in self.players if not player.busy), key=lambda player: player.due, default=None)
            wait = 0.2 if free is None else min(0.2, free.due - time.monotonic())
            if free is None or wait > 0:
                self._change.wait(wait)
                return None
            free.busy = True
            return free

    def _let(self, player: Player) -> None:
        played: set[str] = set()
        try:
            played = player.turn()
        except (Refused, requests.RequestException):      # a gateway that is away: the next look will tell
            player.due = time.monotonic() + LONGEST_IDLE
        with self._change:
            player.busy = False
            for other in self.players:
                if other is not player and other.matches & played:
                    other.wake()
            self._change.notify_all()
