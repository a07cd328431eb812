"""Does a remote bot keep the rules (PL-529)? One recorded match, then random ones two at a time, in which the probes are tried."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.desk.bot.host import Answer, Host, Line, Post, moment, problem
from shared.desk.bot.marks import Mark, marks
from shared.desk.bot.probes import ALL, Probe
from shared.desk.bot.table import Course, Json, Table
from shared.kernel.game import Game

ARRIVAL = 20.0      # seconds for the bot to come at all
MOST_MATCHES = 20
REFUSALS = 3        # PL-525
TICK = 0.01
GRACE = 0.05        # seconds for an answer that was on its way when the match ended


@dataclass
class Plan:
    """How a bot is examined."""

    game: Game
    seats: int
    record: Course | None
    limit: float = 5.0          # seconds for an answer
    pause: float = 1.0          # seconds that a bot is told to wait
    asks: int = 60              # after so many a match is broken off
    probes: Sequence[type[Probe]] = ALL
    arrival: float = ARRIVAL
    calm: float = 0.5           # seconds after the end in which something may still be said to matches that are over


@dataclass
class Sitting:
    """A table, and how far the bot is with it."""

    table: Table
    told: int = 0               # letters put on lines
    ask: int = 0                # the number of the ask that is open for the bot
    since: float = 0.0          # when it was told, or could have been
    ended_at: float = 0.0
    refusals: int = 0
    answered: set[int] = field(default_factory=set)


class Exam:
    """The whole course; what the host hears ends here, under one lock."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.pause, self.marks = plan, plan.pause, marks()
        self.sittings: dict[str, Sitting] = {}
        self.matches, self.asks, self.came = 0, 0, False
        self._lines: list[Line] = []
        self._told: dict[str, int] = {}
        self._keys: dict[tuple[str, str], tuple[str, Answer]] = {}
        self._rows: dict[str, Json] = {}
        self._left = list(plan.probes)
        self._probes: dict[tuple[str, int], Probe] = {}
        self._current: Probe | None = None
        self._lock = threading.RLock()
        self.host = Host(self)

    def run(self, gone: Callable[[], bool] = lambda: False) -> dict[str, Mark]:
        """All marks; `gone` tells whether the bot has ended."""
        try:
            if self._wait(lambda: self.came, self.plan.arrival, gone):
                if self.plan.record is not None:
                    self._play([self.plan.record], gone)
                while not gone() and self._lines and self.matches < MOST_MATCHES and (self._left or self.matches < 2):
                    self._play([None, None], gone)
                self._wait(lambda: False, self.plan.calm, gone)
            else:
                self.marks["stream"].fails("nobody came")
            if gone():
                self._mourn()
        finally:
            self.hang_up(cut=False)
            self.host.close()
        return {name: mark for name, mark in self.marks.items() if self._is_asked(name)}

    def _mourn(self) -> None:
        """The bot has ended by itself: whatever it was to do then it has not done."""
        with self._lock:
            open_ones = [one for one in self.sittings.values() if one.ask and not one.ended_at]
            tried = [probe.mark for probe in self._probes.values() if (probe.table.name, probe.ask) in {(one.table.name, one.ask) for one in open_ones}]
            (tried or [self.marks["answers"]])[0].fails("the bot has ended")

    def _is_asked(self, name: str) -> bool:
        """Whether this plan has a rule at all."""
        named = {probe.rule for probe in ALL}
        wanted = {probe.rule for probe in self.plan.probes}
        return (name in wanted or name not in named) and (name != "recorded" or self.plan.record is not None)

    def _wait(self, until: Callable[[], bool], seconds: float, gone: Callable[[], bool]) -> bool:
        end = time.monotonic() + seconds
        while not until():
            if gone() or time.monotonic() > end:
                return until()
            time.sleep(TICK)
        return True

    def _play(self, courses: Sequence[Course | None], gone: Callable[[], bool]) -> None:
        with self._lock:
            sittings = [Sitting(Table(self.plan.game, self.plan.seats, (self.matches + at) % self.plan.seats, self.plan.limit, course))
                        for at, course in enumerate(courses)]
            self.matches += len(sittings)
            for sitting in sittings:
                self.begin(sitting)
        while not gone() and any(not sitting.ended_at for sitting in sittings) and self._patience():
            time.sleep(TICK)

    def begin(self, sitting: Sitting) -> None:
        """A match that begins while a stream is open is told by a greeting."""
        self.sittings[sitting.table.name] = sitting
        sitting.table.give("start")
        sitting.table.go_on()
        sitting.told = len(sitting.table.letters)
        self._asked(sitting)
        self.greet(sitting.table)
        self._publish_all(sitting, [])

    def _patience(self) -> bool:
        """Clocks that run out; False once the bot has been away too long to be waited for."""
        with self._lock:
            now, limit = time.monotonic(), self.plan.limit
            for sitting in [one for one in self.sittings.values() if one.ask and not one.ended_at and now - one.since > limit]:
                self._blamed(sitting).fails(f"no answer within {limit:g} s to {self._question(sitting)!r}")
                if not self._lines:
                    return False
                self.run_out(sitting.table)
            return True

    def _question(self, sitting: Sitting) -> str:
        ask = sitting.table.ask()
        return ask.question.name if ask else ""

    def _blamed(self, sitting: Sitting) -> Mark:
        probe = self._probes.get((sitting.table.name, sitting.ask))
        return probe.mark if probe else self.marks["recorded" if sitting.table.script is not None else "answers"]

    # What happens at a table ---------------------------------------------------------------------------------------------

    def _publish(self, sitting: Sitting) -> None:
        """What is new is told; a new ask perhaps in a way of its own."""
        table, fresh = sitting.table, sitting.table.letters[sitting.told:]
        sitting.told = len(table.letters)
        ask, before = table.ask(), sitting.ask
        if ask is not None and ask.question.needed and table.asks >= self.plan.asks and ask.number != before:
            table.stop()
            self._publish_all(sitting, [{**letter, "ask": None} for letter in fresh])
            return
        self._asked(sitting)
        if sitting.ask and sitting.ask != before:
            probe = self._next_probe(sitting)
            if probe is not None:
                self.send(table, fresh[:-1])
                probe.put(fresh[-1])
                return
        self._publish_all(sitting, fresh)

    def _asked(self, sitting: Sitting) -> None:
        """The ask that the match waits for; a new one has a clock of its own."""
        ask, before = sitting.table.ask(), sitting.ask
        sitting.ask = ask.number if ask is not None and ask.question.needed else 0
        if sitting.ask and sitting.ask != before:
            sitting.since, sitting.refusals = time.monotonic(), 0
            sitting.table.asks, self.asks = sitting.table.asks + 1, self.asks + 1
            self.marks["recorded" if sitting.table.script is not None else "answers"].tried = True

    def _publish_all(self, sitting: Sitting, fresh: Sequence[Json]) -> None:
        table = sitting.table
        self.send(table, [*fresh, *table.letters[sitting.told:]])
        sitting.told = len(table.letters)
        if table.ended and not sitting.ended_at:
            sitting.ended_at, sitting.ask = time.monotonic(), 0
            self.marks["over"].tried = True

    def _next_probe(self, sitting: Sitting) -> Probe | None:
        """One at a time, once the match is under way; the one before must be over."""
        before = self._current
        if before is not None and self.sittings[before.table.name].ask == before.ask:
            return None
        self._current = None
        if not self._left or sitting.table.script is not None or len(sitting.table.letters) < 2:
            return None
        self._current = self._left.pop(0)(self, sitting.table, sitting.ask)
        self._probes[sitting.table.name, sitting.ask] = self._current
        return self._current

    def run_out(self, table: Table) -> None:
        table.run_out()
        table.go_on()
        self._publish(self.sittings[table.name])

    # What the bot hears ----------------------------------------------------------------------------------------------------

    def send(self, table: Table, letters: Sequence[Json]) -> None:
        """Each line gets what it does not have yet."""
        for line in self._lines:
            for letter in letters:
                if line.steps.get(table.name, letter["step"]) < letter["step"]:
                    line.steps[table.name] = letter["step"]
                    line.put({"type": "letter", **letter})
                    self._told[table.name] = max(self.told(table.name), letter["step"])

    def say(self, message: Json) -> None:
        for line in self._lines:
            line.put(message)

    def greet(self, table: Table) -> None:
        for line in self._lines:
            self._hello(line, table)

    def breathe(self) -> None:
        for line in self._lines:
            line.breathe()

    def hang_up(self, *, cut: bool) -> None:
        with self._lock:
            for line in self._lines:
                line.end(cut=cut)
            self._lines = []

    def told(self, match: str) -> int:
        return self._told.get(match, 0)

    def _hello(self, line: Line, table: Table) -> None:
        line.steps[table.name] = table.match.step
        line.put({"type": "hello", **table.hello()})
        self._told[table.name] = table.match.step

    # What the bot does -----------------------------------------------------------------------------------------------------

    def opened(self, line: Line, after: Mapping[str, str]) -> None:
        """PL-452, PL-454, PL-455 A greeting, and for each match that runs what the bot does not have."""
        with self._lock:
            self.came = self.marks["stream"].tried = self.marks["token"].tried = True
            if self._current is not None:
                self._current.opened(dict(after))
            running = [sitting for sitting in self.sittings.values() if not sitting.ended_at]
            line.put({"type": "hello", "reader": "bot", "account": "a-bot", "matches": sorted(one.table.name for one in running)})
            self._lines.append(line)
            for sitting in running:
                self._resumed(line, sitting, after.get(sitting.table.name))
                sitting.since = time.monotonic()

    def _resumed(self, line: Line, sitting: Sitting, step: str | None) -> None:
        table = sitting.table
        if step is not None and step.isdigit() and int(step) <= table.match.step:
            line.steps[table.name] = int(step)
            self.send(table, table.letters)
            return
        if step is not None:
            line.put({"type": "resync", "match": table.name, "reason": "unknown_step"})
        self._hello(line, table)

    def closed(self, line: Line) -> None:
        with self._lock:
            self._lines = [other for other in self._lines if other is not line]

    def shown(self, place: str) -> None:
        self.marks["token"].fails(f"its token stands in the address of {place}")

    def read(self, parts: list[str], _query: Mapping[str, str]) -> Answer:
        """Asks, views and outcomes, for a bot that would rather look than listen."""
        with self._lock:
            tables = {name: one.table for name, one in self.sittings.items()}
            match parts:
                case ["me", "asks"]:
                    asks = [ask for table in tables.values() if (ask := table.ask_told()) is not None]
                    return Answer(200, {"items": asks, "next": None})
                case ["matches", name, "asks"] if name in tables:
                    ask = tables[name].ask_told()
                    return Answer(200, {"items": [ask] if ask else [], "next": None})
                case ["matches", name, "view"] if name in tables:
                    return Answer(200, tables[name].view())
                case ["matches", _, "commands", command] if command in self._rows:
                    return Answer(200, self._rows[command])
            return problem(404, "not_found")

    def command(self, post: Post) -> Answer:
        """One command: the key first, then whatever a probe wants, then the match."""
        with self._lock:
            if not 1 <= len(post.key) <= 128 or not post.key.isascii() or not post.key.isprintable():
                self.marks["keys"].fails("sent a command without a key, or with one that is none")
                return problem(400, "key_missing")
            self.marks["keys"].tried = True
            said, place = json.dumps(post.body, sort_keys=True), (post.match, post.key)
            probe = self._probes.get((post.match, post.body["ask"])) if isinstance(post.body, dict) and type(post.body.get("ask")) is int else None
            instead = probe.heard(post) if probe else None
            if place in self._keys:
                if self._keys[place][0] == said:
                    return self._keys[place][1]
                self.marks["keys"].fails("used a key for two commands")
                return problem(422, "key_reused")
            answer = instead or self._judged(post)
            if answer.status < 500 and answer.status not in {404, 409}:
                self._keys[place] = said, answer
            return probe.judged(post, answer) if probe and not instead else answer

    def _judged(self, post: Post) -> Answer:
        """PL-281, PL-291 As the gateway judges it, and then the worker."""
        sitting, offers, body = self.sittings.get(post.match), self.marks["offers"], post.body
        offers.tried = True
        if sitting is None:
            offers.fails("named a match that it does not play in")
            return problem(404, "not_found")
        table = sitting.table
        if not isinstance(body, dict) or type(body.get("ask")) is not int or not isinstance(body.get("command"), dict) \
                or not set(body) <= {"seat", "ask", "command", "seen"}:
            offers.fails('sent what is no command: {"seat", "ask", "command"}')
            return problem(422, "invalid")
        if body.get("seat", table.seat) != table.seat:
            offers.fails("named a seat that is not its own")
            return problem(403, "not_your_seat")
        return self._overtaken(post, sitting) or self._carried_out(post, sitting)

    def _overtaken(self, post: Post, sitting: Sitting) -> Answer | None:
        table, number = sitting.table, post.body["ask"]
        facts: Any = {"match": table.name, "state": table.state, "step": table.match.step}
        if table.ended:
            if post.at - sitting.ended_at > GRACE:
                self.marks["over"].fails("sent a command to a match that was over")
            return problem(409, "match_over", **facts)
        ask = table.ask_told()
        facts["ask"] = ask and {name: ask[name] for name in ("seat", "ask", "due_at")}
        if number > table.match.step:
            self.marks["offers"].fails("named an ask that has not been put")
            return problem(409, "ask_ahead", **facts)
        if ask is None or number != ask["ask"]:
            if number in sitting.answered and (table.name, number) not in self._lost():
                self.marks["once"].fails(f"answered ask {number} again")
            return problem(409, "stale_ask", **facts)
        return None

    def _lost(self) -> set[tuple[str, int]]:
        """Asks about whose answers a bot may be in doubt."""
        return {place for place, probe in self._probes.items() if probe.rule == "lost"}

    def _carried_out(self, post: Post, sitting: Sitting) -> Answer:
        table, ask, before = sitting.table, post.body["ask"], len(sitting.table.letters)
        verdict = table.command(ask, post.body["command"])
        row: Json = {"command": f"c-{len(self._rows)}", "match": table.name, "state": verdict.outcome, "code": verdict.code, "arrival": verdict.arrival,
                     "seat": table.seat, "received_at": moment(), "first_step": verdict.first_step, "step": verdict.last_step}
        self._rows[row["command"]] = row
        if verdict.outcome != "carried_out":
            return self._refused(post, sitting, row)
        sitting.answered.add(ask)
        table.go_on()
        self._publish(sitting)
        if not post.waits:
            return Answer(202, {**row, "state": "waiting"}, {"Location": f"/api/v1/matches/{table.name}/commands/{row['command']}"})
        return Answer(200, {**row, "letters": table.letters[before:][:1], "ask": table.ask_told()})

    def _refused(self, post: Post, sitting: Sitting, row: Json) -> Answer:
        """PL-295, PL-525 Texts may be refused for reasons that nobody can know beforehand."""
        if row["code"] in {"too_late", "stale_ask"}:
            return problem(409, row["code"], match=sitting.table.name)
        sitting.refusals += 1
        if row["code"] in {"not_a_choice", "invalid"}:
            self.marks["offers"].fails(f"not on offer: {json.dumps(post.body['command'])}")
        if sitting.refusals >= REFUSALS:
            self.run_out(sitting.table)
        return problem(422, row["code"], command=row["command"], match=sitting.table.name)
