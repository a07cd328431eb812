"""How does a match go on? Its steps, what follows from each at once, and how it ends; which row asks for them is told in take.py. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.kernel import match as kernel
from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import AUDIENCE, Command, Game
from shared.kernel.match import Match, Placing
from shared.runtime.turn.failing import BOT_FAILED, all_failed, failed, placed
from shared.runtime.turn.hours import Ms
from shared.runtime.turn.house import House, cleared, given_up, out_of_time, wound
from shared.runtime.turn.rows import Act, Deal, Step, Verdict

RUNNING = ("running", "paused")
_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass
class Going:
    """One match while it is carried out; nothing outside changes until the result is written."""

    deal: Deal
    state: str  # of the match row
    match: Match[Any] | None
    house: House
    now: Ms
    counts: Callable[[str], dict[str, int]]  # PL-567: the stored answers of the audience to a question
    is_bot: Callable[[int], bool] = lambda _: False  # is this seat held by the account of a bot? asked when something went wrong
    steps: list[Step] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    topics: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # for the outbox
    placings: tuple[Placing, ...] | None = None
    flag: str | None = None
    seatings: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # PL-546: seats left and taken, as statements by name
    failing: list[tuple[int, int]] = field(default_factory=list)  # PL-525: seats and asks whose default is to follow in a row of its own
    before: Match[Any] | None = None  # as it was when it was taken
    _arrival: int = 0
    _part: int = 0

    def __post_init__(self) -> None:
        self.before = self.match

    @property
    def game(self) -> Game:
        return self.deal.game

    def _take_out(self, seat: int, how: str) -> None:
        assert self.match is not None
        self.house = replace(self.house, vacant={other: kept for other, kept in self.house.vacant.items() if other != str(seat)})
        dice = step_dice(self.deal.key, self.match.step + 1)
        played = kernel.leave(self.game, self.match, seat, how, dice)
        self._add(played, Act("leave", seat, command=msgspec.json.encode({"how": how})), dice)
        self._settle()

    def _fail(self, ask: kernel.Ask) -> None:
        """PL-526 The automaton plays on: whatever the seat is asked is answered by default; alone against a game it leaves."""
        assert self.match is not None
        seat = ask.seat
        if self.deal.seats == 1:
            self._take_out(seat, BOT_FAILED)
            return
        told = msgspec.json.encode({"how": BOT_FAILED, "kind": "fail", "since": ask.number, "target": seat})
        self._add(failed(self.match, seat, ask.number), Act("fail", seat, command=told), None)
        self._settle()

    def _give_default(self, ask: kernel.Ask, *, again: bool = False) -> None:
        """PL-487 For one more question on a clock that has run out already, or that has not (PL-525), no miss is counted."""
        assert self.match is not None
        seat, command = ask.seat, self.game.default(self.match.state, ask.seat)
        dice = step_dice(self.deal.key, self.match.step + 1)
        played = kernel.time_out(self.game, self.match, seat, dice, again=again)
        secret = ask.question.secret
        self._add(played, Act("default" if again else "timeout", seat, ask.number, _encode(command), automatic=True, secret=secret), dice)

    def _end_phase(self) -> None:
        assert self.match is not None
        dice = step_dice(self.deal.key, self.match.step + 1)
        played = kernel.phase_over(self.game, self.match, dice)
        self._add(played, Act("phase", automatic=True), dice)

    def _ordered(self, command: Command) -> tuple[Command, bytes]:
        """PL-411 What stands by name in a command is put in order before it is carried out, so that its record says all there is to it."""
        raw = _encode(command)
        return (command if raw == msgspec.json.encode(command) else self.game.read_command(raw)), raw

    def _count(self, question: str) -> None:
        """PL-567 The stored answers of the audience are counted once, in a step of their own."""
        assert self.match is not None
        totals = self.counts(question)
        make = self.game.counted
        command, raw = self._ordered(make(self.match.state, totals) if make else self.game.default(self.match.state, AUDIENCE))
        dice = step_dice(self.deal.key, self.match.step + 1)
        played = kernel.answer(self.game, self.match, AUDIENCE, command, dice)
        self._add(played, Act("count", AUDIENCE, command=raw, automatic=True), dice)

    def _settle(self) -> None:
        """Whatever follows at once: counting an audience, defaults of absent seats and of spent clocks, phases of no length."""
        while self.match is not None and self.placings is None:
            poll, overdue, phase = self.game.poll(self.match.state), kernel.overdue(self.game, self.match), self.house.phase
            if poll is not None and poll.closed:
                self._count(poll.question)
            elif overdue is not None and (ask := self.match.ask_of(overdue)) is not None:
                self._give_default(ask)
            elif (empty := given_up(self.house, self.match)) is not None:
                self._take_out(empty, self.house.vacant[str(empty)])
            elif (spent := out_of_time(self.house, self.match)) is not None:
                self._give_default(spent, again=True)
            elif phase is not None and phase.limit == 0:
                self._end_phase()
            else:
                return

    def _end(self, state: str, **facts: str) -> None:
        self.state, self.house = state, cleared(self.house)
        self.topics.append((f"match.{state}", facts))

    def _abort(self, reason: str) -> None:
        self._end("aborted", reason=reason)
        self._mark("abort", reason=reason)

    def _void(self, reason: str) -> None:
        """PL-248 The result, if there is one, is withdrawn."""
        self._end("voided", reason=reason)
        self._mark("void", reason=reason)

    def _add(self, played: kernel.Played, act: Act, dice: Dice | None) -> Step:
        self.match, events = played
        self._part += 1
        if self.state in RUNNING:
            self.house = wound(self.game, self.deal.clock, self.house, self.match, self.now)
            self.placings = placed(self.game, self.match, self.house)
        if self.placings is not None and self.state in RUNNING:
            self.flag = "all_failed" if all_failed(self.placings) else None
            self._end("finished")
        drawn = dice.drawn if dice else []
        step = Step(self.match, events, self._arrival, self._part, act, drawn, self.now, self.house, self.state)
        self.steps.append(step)
        return step

    def _mark(self, kind: str, **facts: Any) -> None:
        """A step without events: what everybody is told of an order (PL-503)."""
        assert self.match is not None
        told = msgspec.json.encode({"kind": kind, **facts}, order="sorted")
        self._add((replace(self.match, step=self.match.step + 1), ()), Act("order", command=told), None)
