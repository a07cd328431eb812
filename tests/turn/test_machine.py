"""Does any order of losses, doublings and deaths lead to another result? Gateway, worker and watch over a store in memory."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.kernel import match as kernel
from shared.kernel.dice import step_dice
from shared.kernel.game import Game
from shared.kernel.match import stored
from shared.runtime.turn.rows import Row, Step, Verdict
from tests.laws.pebbles.game import GAME
from tests.ledger import rule as proves
from tests.sitting import KEY, Sitting

RESEND_MS, GRACE_MS = 1_000, 2_000
SEATS = some.integers(0, 2)
BODIES = some.sampled_from([{"do": "rest"}, {"do": "throw", "dice": 2}, {"do": "throw", "dice": 9}, {"do": "hide", "pebbles": []},
                            {"do": "name_heap", "name": "Beck"}, {"do": "name_heap", "name": "Bach"}, {"do": "beg", "heap": 0},
                            {"do": "beg", "heap": 1}, {"do": "keep_all"}])
CLOCKS = some.sampled_from([{"limit_ms": 20_000, "bank_ms": 10_000, "bank_max_ms": 10_000}, {}, {"bank_ms": 10_000, "bank_max_ms": 10_000}])


@dataclass
class Stored:
    """One row of the inbox, as the database keeps it."""

    row: Row
    key: str | None
    accepted: int
    verdict: Verdict | None = None


@dataclass
class Store:
    """One match in memory. Whatever is not written here is gone when a process dies."""

    game: Game
    sitting: Sitting
    inbox: list[Stored] = field(default_factory=list)

    def waiting(self) -> list[Stored]:
        return [stored for stored in self.inbox if stored.verdict is None]

    def accept(self, kind: str, seat: int | None, ask: int | None, body: Any, key: str | None = None, received: int | None = None) -> Stored | None:
        """T1: the key, the one answer per ask, the open ask and its due time, the next arrival."""
        for old in self.inbox:
            if key is not None and old.key == key:
                return old
        answered = any(old.row.seat == seat and old.row.ask == ask and (old.verdict is None or old.verdict.outcome == "carried_out")
                       for old in self.inbox)
        at = self.sitting.now if received is None else received
        running = self.sitting.house.asks.get(str(seat))
        if ask is not None and (answered or running is None or running.number != ask or (kind == "command" and running.due is not None and at > running.due)):
            return None
        fresh = Stored(self.sitting.row(kind, seat, ask, body, at), key, self.sitting.now)
        self.inbox.append(fresh)
        return fresh

    def take(self, *, most: int = 64, commits: bool = True) -> None:
        """T2: everything that waits, all of it or, if the worker dies before its commit, nothing."""
        batch = self.waiting()[:most]
        if not batch:
            return
        sitting = copy.copy(self.sitting)
        sitting.steps, sitting.topics = list(sitting.steps), list(sitting.topics)
        verdicts = sitting.take(*(one.row for one in batch))
        if commits:
            sitting.arrival = self.sitting.arrival
            self.sitting = sitting
            for one, verdict in zip(batch, verdicts, strict=True):
                one.verdict = verdict


class Pipeline(RuleBasedStateMachine):
    """A client, a lossy queue, workers that die, a watch; time moves by rule."""

    @initialize(clock=CLOCKS)
    def opened(self, clock: dict[str, int]) -> None:
        self.store = Store(GAME, Sitting(GAME, 3, options={"rounds": 2}, clock={"preset": "quick"} | clock))
        self.queue: list[str] = []
        self.keys: list[tuple[str, int, int, Any]] = []
        self.promised: dict[str, int] = {}
        self.store.accept("start", None, None, {})
        self.queue.append("look")

    @rule(seat=SEATS, body=BODIES, told=some.booleans(), rung=some.integers(0, 2))
    def post(self, seat: int, body: Any, told: bool, rung: int) -> None:
        """A command for the seat's open ask; the answer may be lost, and so may the message, or there may be two."""
        running = self.store.sitting.house.asks.get(str(seat))
        key = f"k{len(self.keys)}"
        number = running.number if running else 1
        self.keys.append((key, seat, number, body))
        self._posted(key, seat, number, body, told, rung)

    @precondition(lambda self: self.keys)
    @rule(which=some.integers(0, 50), rung=some.integers(0, 1))
    def post_again(self, which: int, rung: int) -> None:
        self._posted(*self.keys[which % len(self.keys)], True, rung)

    def _posted(self, key: str, seat: int, ask: int, body: Any, told: bool, rung: int) -> None:
        accepted = self.store.accept("command", seat, ask, body, key)
        if accepted is not None:
            self.queue += ["look"] * rung
            if told:
                assert self.promised.setdefault(key, accepted.row.arrival) == accepted.row.arrival

    @rule(seat=SEATS)
    def resign(self, seat: int) -> None:
        if len([one for one in self.store.inbox if one.row.kind == "resign"]) < 2:
            self.store.accept("resign", seat, None, {}, f"resign-{len(self.store.inbox)}")

    @precondition(lambda self: self.queue)
    @rule(which=some.integers(0, 20), fate=some.sampled_from(["done", "done", "done", "killed before", "killed after", "lost"]), most=some.sampled_from([1, 2, 64]))
    def deliver(self, which: int, fate: str, most: int) -> None:
        """Any message, in any order; the worker acknowledges after its work, so a killed one leaves it there."""
        if fate != "lost":
            self.store.take(most=most, commits=fate != "killed before")
        if fate in {"done", "lost"}:
            self.queue.pop(which % len(self.queue))

    @rule(ms=some.sampled_from([100, 1_500, 9_000, 40_000]))
    def later(self, ms: int) -> None:
        self.store.sitting.now += ms

    @rule()
    def watch(self) -> None:
        """One round: time-outs that are due, and what has waited is sent for again."""
        self._give_time_outs()
        if any(self.store.sitting.now - one.accepted > RESEND_MS for one in self.store.waiting()):
            self.queue.append("look")

    def _give_time_outs(self) -> None:
        sitting = self.store.sitting
        for seat, running in sorted(sitting.house.asks.items()):
            if running.due is not None and running.due + GRACE_MS < sitting.now:
                self.store.accept("timeout", int(seat), running.number, {}, received=running.due)
        phase = sitting.house.phase
        if phase is not None and phase.due is not None and phase.due < sitting.now and not any(one.row.kind == "phase" for one in self.store.waiting()):
            self.store.accept("phase", None, None, {}, received=phase.due)

    @rule()
    def redis_is_wiped(self) -> None:
        self.queue.clear()

    @invariant()
    def in_order_and_once(self) -> None:
        inbox, steps = self.store.inbox, self.store.sitting.steps
        assert [one.row.arrival for one in inbox] == list(range(1, len(inbox) + 1))
        done = [one.verdict is not None for one in inbox]
        assert done == sorted(done, reverse=True)
        assert [step.match.step for step in steps] == list(range(1, len(steps) + 1))
        answers = Counter((one.row.seat, one.row.ask) for one in inbox if one.row.ask and (one.verdict is None or one.verdict.outcome == "carried_out"))
        assert max(answers.values(), default=1) == 1
        for key, arrival in self.promised.items():
            assert inbox[arrival - 1].key == key

    @invariant()
    def nobody_has_more_time_than_limit_and_bank(self) -> None:
        """PL-482 From its opening, and some of it may have been spent before; nobody is asked without any time."""
        house = self.store.sitting.house
        for seat, running in house.asks.items():
            if running.due is not None and running.limit is not None:
                assert running.opened < running.due <= running.opened + running.limit + house.banks[int(seat)]

    def teardown(self) -> None:
        """Once the faults are over the watch brings everything to its end, and the steps can be played again."""
        if not hasattr(self, "store"):
            return
        self.store.sitting.now += RESEND_MS + 1
        while self.store.waiting():
            self.store.take()
        self.in_order_and_once()
        sitting = self.store.sitting
        if sitting.steps:
            again = played_again(sitting.steps)
            assert again == [stored(step.match) for step in sitting.steps]
        assert sum(topic == "match.finished" for topic in sitting.topics) == (sitting.state == "finished")


def played_again(steps: list[Step]) -> list[bytes]:
    """PL-413 The matches after each of these steps, from the acts alone."""
    found, match = [], None
    for step in steps:
        dice = step_dice(KEY, step.match.step)
        match, _ = _again(match, step, dice)
        found.append(stored(match))
    return found


def _again(match: Any, step: Step, dice: Any) -> Any:
    act = step.act
    match act.kind:
        case "start":
            return kernel.begin(GAME, 3, GAME.read_options({"rounds": 2}), dice)
        case "command":
            return kernel.answer(GAME, match, act.seat, GAME.read_command(act.command), dice)
        case "timeout":
            return kernel.time_out(GAME, match, act.seat, dice)
        case "phase":
            return kernel.phase_over(GAME, match, dice)
        case "leave":
            return kernel.leave(GAME, match, act.seat, "resigned", dice)
    raise LookupError(act.kind)


class TestPipeline(Pipeline.TestCase):
    """PL-103, PL-104, PL-105, PL-338 under every order that Hypothesis thinks of."""

    settings = settings(max_examples=400, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck))


TestPipeline = proves("PL-103", "PL-104", "PL-105", "PL-336", "PL-338", "PL-413", "PL-482", "PL-785")(TestPipeline)
