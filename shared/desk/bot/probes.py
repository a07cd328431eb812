"""What is done to a bot on purpose, one thing at a time, and what it must then do? Each probe takes one ask of a match."""

from __future__ import annotations

import time
from typing import Any, Protocol

from shared.desk.bot.host import DROPPED, Answer, Post, problem
from shared.desk.bot.marks import Mark
from shared.desk.bot.table import Json, Table

EARLY = 0.9         # of a waiting time; clocks of two processes may differ a little


class Room(Protocol):
    """What a probe may do: speak on the lines, end them, and have a clock begin anew."""

    pause: float
    marks: dict[str, Mark]

    def send(self, table: Table, letters: list[Json]) -> None: ...
    def say(self, message: Json) -> None: ...
    def greet(self, table: Table) -> None: ...
    def hang_up(self, *, cut: bool) -> None: ...
    def breathe(self) -> None: ...
    def run_out(self, table: Table) -> None: ...
    def told(self, match: str) -> int: ...


class Probe:
    """Tells an ask as it is, and lets its answer be judged as it is."""

    rule = ""

    def __init__(self, room: Room, table: Table, ask: int) -> None:
        self.room, self.table, self.ask = room, table, ask
        self.mark.tried = True

    @property
    def mark(self) -> Mark:
        return self.room.marks[self.rule]

    def put(self, letter: Json) -> None:
        self.room.send(self.table, [letter])

    def heard(self, _post: Post) -> Answer | None:
        """An answer instead of the true one, before anything is done."""
        return None

    def judged(self, _post: Post, answer: Answer) -> Answer:
        """What is answered once it is done."""
        return answer

    def opened(self, _after: dict[str, str]) -> None:
        """The bot has come back while this probe lasts."""


class Again(Probe):
    rule = "once"

    def put(self, letter: Json) -> None:
        self.room.send(self.table, [letter])
        self.room.say({"type": "letter", **letter})
        self.room.greet(self.table)


class Lost(Probe):
    rule = "lost"
    key = ""

    def heard(self, post: Post) -> Answer | None:
        if self.key and post.key != self.key:
            self.mark.fails("asked again with another key")
        return None

    def judged(self, post: Post, answer: Answer) -> Answer:
        if self.key or answer.status >= 400:
            return answer
        self.key = post.key
        return Answer(DROPPED, None)


class Away(Probe):
    rule = "waits"
    at = 0.0

    def heard(self, post: Post) -> Answer | None:
        if not self.at:
            self.at = time.monotonic()
            return problem(503, "unavailable", retry_after=self.room.pause)
        waited = post.at - self.at
        if waited < EARLY * self.room.pause:
            self.mark.fails(f"asked again after {waited:.2f} s, was told {self.room.pause:g}")
        return None


class Refusal(Probe):
    rule = "refused"
    answered: dict[str, Answer]

    def heard(self, post: Post) -> Answer | None:
        self.answered = getattr(self, "answered", {})
        if not self.answered:
            self.answered[post.key] = problem(422, "not_a_choice", match=self.table.name, command="c-refused")
        return self.answered.get(post.key)


class Late(Probe):
    rule = "late"
    gone = False

    def heard(self, _post: Post) -> Answer | None:
        if self.gone:
            self.mark.fails("answered the ask again that it was too late for")
        else:
            self.gone = True
            self.room.run_out(self.table)
        ask = self.table.ask_told()
        present: Any = ask and {name: ask[name] for name in ("seat", "ask", "due_at")}
        return problem(409, "too_late", match=self.table.name, state=self.table.state, step=self.table.match.step, ask=present)


class Cut(Probe):
    rule = "cut"

    def put(self, _letter: Json) -> None:
        self.room.hang_up(cut=True)

    def opened(self, after: dict[str, str]) -> None:
        for match, step in after.items():
            if not step.isdigit() or int(step) > self.room.told(match):
                self.mark.fails(f"says it has read step {step} of a match of which it was told {self.room.told(match)}")


class Bye(Probe):
    rule = "bye"
    at = 0.0

    def put(self, _letter: Json) -> None:
        self.at = time.monotonic()
        self.room.say({"type": "bye", "reason": "draining", "reconnect_after_ms": int(self.room.pause * 1000)})
        self.room.hang_up(cut=False)

    def opened(self, _after: dict[str, str]) -> None:
        waited, self.at = time.monotonic() - self.at, 0.0
        if waited < EARLY * self.room.pause:
            self.mark.fails(f"came back after {waited:.2f} s, was told {self.room.pause:g}")


class Resync(Probe):
    rule = "resync"

    def put(self, _letter: Json) -> None:
        self.room.say({"type": "resync", "reason": "slow"})
        self.room.greet(self.table)


class Unknown(Probe):
    rule = "unknown"

    def put(self, letter: Json) -> None:
        self.room.breathe()
        self.room.say({"type": "presence", "match": self.table.name, "seats": []})
        self.room.say({"type": "weather", "sky": "clear"})
        self.room.send(self.table, [{**letter, "ask": {**letter["ask"], "weather": "fine"}, "weather": {"sky": "clear"}}])


ALL: tuple[type[Probe], ...] = (Again, Refusal, Late, Unknown, Lost, Away, Resync, Cut, Bye)
