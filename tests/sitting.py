"""How does a test play one match without a database? Rows go in, verdicts come out, and the clock is moved by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from shared.kernel.game import Game
from shared.kernel.match import Ask, Match, Placing
from shared.runtime.turn.clock import Clock
from shared.runtime.turn.house import House, Running, new_house, wound
from shared.runtime.turn.rows import Deal, Row, Step, Verdict
from shared.runtime.turn.take import Take

KEY = bytes(range(32))


class Sitting:
    """One match in memory, as a worker keeps it between two takes."""

    def __init__(self, game: Game, seats: int, *, options: Mapping[str, Any] | None = None, clock: Mapping[str, Any] | None = None,
                 bots: Mapping[int, str] | None = None) -> None:
        timing = Clock(**(clock or {"preset": "none"}))
        self.deal = Deal("m-1", game, seats, game.read_options(options or {}), timing, KEY, bots or {})
        self.state = "open"
        self.found: Match[Any] | None = None
        self.house: House = new_house(timing, seats)
        self.now = 1_000_000
        self.arrival = 0
        self.steps: list[Step] = []
        self.topics: list[str] = []
        self.placings: tuple[Placing, ...] | None = None
        self.flag: str | None = None
        self.failing: list[tuple[int, int]] = []
        self.cheers: dict[str, int] = {}
        self.counted = 0

    @property
    def match(self) -> Match[Any]:
        assert self.found is not None
        return self.found

    def begun(self) -> Sitting:
        self.give("start")
        return self

    def at(self, state: Any) -> Sitting:
        """The same match with this on the table: everybody is asked now."""
        asked = ((seat, self.deal.game.question(state, seat)) for seat in range(self.deal.seats))
        step = self.match.step
        self.found = replace(self.match, state=state, asks=tuple(Ask(seat, step, step, question) for seat, question in asked if question))
        self.house = wound(self.deal.game, self.deal.clock, new_house(self.deal.clock, self.deal.seats), self.found, self.now)
        return self

    def row(self, kind: str, seat: int | None = None, ask: int | None = None, body: Any = None, received: int | None = None) -> Row:
        self.arrival += 1
        return Row(self.arrival, kind, seat, ask, json.dumps({} if body is None else body), self.now if received is None else received)

    def take(self, *rows: Row) -> list[Verdict]:
        """All rows under one lock."""
        take = Take(self.deal, self.state, self.found, self.house, self.now, self._counts, self.is_bot)
        for row in rows:
            take.carry_out(row)
        self.state, self.found, self.house = take.state, take.match, take.house
        self.steps += take.steps
        self.topics += [topic for topic, _ in take.topics]
        self.placings, self.flag, self.failing = take.placings or self.placings, take.flag, take.failing
        return take.verdicts

    def give(self, kind: str, seat: int | None = None, ask: int | None = None, body: Any = None, received: int | None = None) -> Verdict:
        """One row, taken alone."""
        (verdict,) = self.take(self.row(kind, seat, ask, body, received))
        return verdict

    def act(self, seat: int, do: str, **fields: Any) -> Verdict:
        """A seat answers its open ask now."""
        return self.give("command", seat, self.ask(seat).number, {"do": do, **fields})

    def order(self, kind: str, **facts: Any) -> Verdict:
        return self.give("order", body={"kind": kind, "by": "host", "reason": "a test", **facts})

    def run_out(self, seat: int) -> Verdict:
        """The time-out of the seat's open ask, as the watch accepts it."""
        running = self.clock(seat)
        assert running.due is not None
        self.now = max(self.now, running.due + 2_000)
        return self.give("timeout", seat, running.number, received=running.due)

    def ask(self, seat: int) -> Ask:
        ask = self.match.ask_of(seat)
        assert ask is not None, f"seat {seat} is not asked"
        return ask

    def clock(self, seat: int) -> Running:
        return self.house.asks[str(seat)]

    def is_bot(self, seat: int) -> bool:
        """Nobody here is one, unless a test says so."""
        return False

    def later(self, seconds: float) -> None:
        self.now += int(seconds * 1000)

    def kinds(self) -> list[str]:
        return [step.act.kind for step in self.steps]

    def _counts(self, question: str) -> dict[str, int]:
        self.counted += 1
        return self.cheers


def hiding(game: Game, seats: int = 2, **more: Any) -> Sitting:
    """A match in which all seats are to hide."""
    sitting = Sitting(game, seats, **more).begun()
    for seat in range(seats):
        sitting.act(seat, "rest")
    return sitting


def looking(game: Game, seats: int = 2, **more: Any) -> Sitting:
    """A match in which everybody looks around, until the clock or the host ends it."""
    sitting = hiding(game, seats, **more)
    for seat in range(seats):
        sitting.act(seat, "hide", pebbles=[])
    return sitting


def facts_of(verdict: Verdict) -> tuple[str, str | None]:
    return verdict.outcome, verdict.code
