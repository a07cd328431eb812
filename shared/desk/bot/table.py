"""How is a match carried out without any server? One table in memory, by the same code as a worker's, and its letters to one seat."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from shared.kernel.dice import BotDice, step_dice
from shared.kernel.game import Bot, Game, Refused, Seat
from shared.kernel.match import Ask, Match, answer, approved, begin, phase_over, random_bot
from shared.runtime.turn import letters
from shared.runtime.turn.clock import Clock
from shared.runtime.turn.house import new_house
from shared.runtime.turn.rows import Deal, Row, Verdict
from shared.runtime.turn.take import Take

Json = dict[str, Any]
Script = Mapping[int, tuple[Seat | None, Json | None]]  # per step, who did what; the end of a phase is nobody's


class Course(NamedTuple):
    """What is known of a match beforehand: its dice, and in a recorded one everything that was done."""

    key: bytes
    script: Script | None = None
    options: Mapping[str, Any] = {}


_encode = msgspec.json.Encoder(order="deterministic").encode


class Table:
    """One match: the bot that is examined at one seat, random players, or those of a recorded match, at all others."""

    def __init__(self, game: Game, seats: int, seat: Seat, limit_s: float, course: Course | None = None) -> None:
        clock = Clock(preset=next(iter(game.presets), "none"), limit_ms=int(limit_s * 1000))
        self.key, self.script, options = course or Course(secrets.token_bytes(32))
        self.game, self.seat, self.seats = game, seat, seats
        self.name = f"m-{secrets.token_hex(6)}"
        self.deal = Deal(self.name, game, seats, game.read_options(options), clock, self.key, {})
        self.state, self._house = "open", new_house(clock, seats)
        self._match: Match[Any] | None = None
        self._players = [BotDice(self.key, seat) for seat in range(seats)]
        self.letters: list[Json] = []           # to the bot's seat, by step
        self.asks = 0                           # needed ones that were put to the bot
        self._arrival, self._view = 0, b"{}"

    @property
    def match(self) -> Match[Any]:
        assert self._match is not None
        return self._match

    @property
    def ended(self) -> bool:
        return self.state in {"finished", "aborted", "voided"}

    def ask(self) -> Ask | None:
        """What the bot is asked now."""
        return self.match.ask_of(self.seat) if self._match is not None and not self.ended else None

    def now(self) -> int:
        return max(int(time.time() * 1000), self._house.last)

    def give(self, kind: str, seat: Seat | None = None, ask: int | None = None, body: Any = None, received: int | None = None) -> Verdict:
        """One row, carried out as a worker does it; what it leads to is written to the bot."""
        self._arrival += 1
        raw = json.dumps({} if body is None else body)
        row = Row(self._arrival, kind, seat, ask, raw, self.now() if received is None else received)
        take = Take(self.deal, self.state, self._match, self._house, self.now(), lambda _: {})
        take.carry_out(row)
        self.state, self._match, self._house = take.state, take.match, take.house
        bodies = letters.AskBodies(self.game, self.game.words[letters.LANGUAGE])
        for step in take.steps:
            views = [_encode(view) for view in letters.views_of(self.game, step.match, self.seats)]
            hashes = [letters.view_hash(view) for view in views]
            written, _ = letters.letters_of(self.deal, bodies, step, views, hashes, None)
            self.letters.append(json.loads(written[self.seat + 1]))
            self._view = views[self.seat + 1]
        return take.verdicts[0]

    def go_on(self) -> None:
        """Until the bot is to answer, or the match has ended."""
        while not self.ended:
            ask = self.ask()
            if self.script is not None:
                if not self._as_recorded(ask):
                    return
            elif ask is not None and ask.question.needed:
                return
            else:
                self._as_it_comes()

    def command(self, ask: int, command: Any) -> Verdict:
        """The bot answers; in a recorded match what it says must be on offer, and what was recorded is done."""
        if self.script is None:
            return self.give("command", self.seat, ask, command)
        try:
            wanted = self.game.read_command(_encode(command))
            approved(self.game, self.match.state, self.seat, wanted, self.game.legal(self.match.state, self.seat))
        except Refused as refusal:
            return Verdict(0, "refused", refusal.code)
        return self.give("command", self.seat, ask, self.script[self.match.step + 1][1])

    def run_out(self) -> None:
        """The bot's clock has run out: the default is given, or what was recorded."""
        ask = self.ask()
        assert ask is not None
        running = self._house.asks[str(self.seat)]
        if self.script is not None:
            self.give("command", self.seat, ask.number, self.script[self.match.step + 1][1], received=running.opened)
        else:
            self._later(running.due)
            self.give("timeout", self.seat, ask.number, received=running.due)
        if self.ask() == ask:
            self.stop()

    def stop(self) -> None:
        self.give("order", body={"kind": "void", "by": "referee", "reason": "this is enough"})

    def view(self) -> Json:
        return {"match": self.name, "seat": self.seat, "step": self.match.step, "at": letters.moment(self._house.last), "state": self.state,
                "awaited": list(self.match.awaited_openly()), "view_hash": letters.view_hash(self._view), "view": json.loads(self._view),
                "clocks": json.loads(letters.clocks(self.match, self._house))}

    def ask_told(self) -> Json | None:
        """The open ask as its letters carry it."""
        ask = self.ask()
        if ask is None:
            return None
        body = letters.ask_body(self.game, self.game.words[letters.LANGUAGE], self.match, ask)
        told: Json = json.loads(letters.ask_json(self.deal, self.seat, self._house.asks[str(self.seat)], body))
        return told

    def hello(self) -> Json:
        """PL-452 What a reader is greeted with."""
        return {**self.view(), "reader": "seat", "ask": self.ask_told(), "host": []}

    def _as_recorded(self, ask: Ask | None) -> bool:
        """The next recorded step; False if it is the bot's to answer a needed ask, or there is none."""
        assert self.script is not None
        seat, command = self.script.get(self.match.step + 1, (None, None))
        if command is None:
            if self.match.step + 1 in self.script:
                self._end_phase()
            else:
                self.stop()
            return True
        if seat == self.seat and ask is not None and ask.question.needed:
            return False
        asked = self.match.ask_of(seat) if seat is not None else None
        if asked is None or self.give("command", seat, asked.number, command).outcome != "carried_out":
            self.stop()
        return True

    def _as_it_comes(self) -> None:
        """The first of the others who is asked answers anything; where nobody is, the phase ends."""
        for ask in self.match.asks:
            if ask.question.needed:
                command = random_bot(None, self.game.legal(self.match.state, ask.seat), self._players[ask.seat])
                if self.give("command", ask.seat, ask.number, msgspec.to_builtins(command)).outcome != "carried_out":
                    due = self._house.asks[str(ask.seat)].due
                    self._later(due)
                    self.give("timeout", ask.seat, ask.number, received=due)
                return
        self._end_phase()

    def _end_phase(self) -> None:
        phase = self._house.phase
        if phase is not None and phase.due is not None:
            self._later(phase.due)
            self.give("phase", received=phase.due)
        elif self.give("order", body={"kind": "advance", "by": "host"}).outcome != "carried_out":
            self.stop()

    def _later(self, at: int | None) -> None:
        """Time that nobody waits for."""
        self._house = replace(self._house, last=max(self._house.last, at or 0))


def as_played(game: Game, seats: int, key: bytes) -> Script:
    """A match of built-in bots, written down as it goes: the strongest of them against the others."""
    dice = [BotDice(key, seat) for seat in range(seats)]
    levels = list(game.bots.values())
    bots = [levels[-1 - seat % len(levels)] for seat in range(seats)]
    script: dict[int, tuple[Seat | None, Json | None]] = {}
    match, _ = begin(game, seats, game.read_options({}), step_dice(key, 1))
    while game.result(match.state) is None:
        needed = match.awaited()
        if needed:
            command = _first_right(game, match, needed[0], (bots[needed[0]], *[random_bot] * 20), dice[needed[0]])
            script[match.step + 1] = needed[0], msgspec.to_builtins(command)
            match, _ = answer(game, match, needed[0], command, step_dice(key, match.step + 1))
        else:
            script[match.step + 1] = None, None
            match, _ = phase_over(game, match, step_dice(key, match.step + 1))
    return script


def _first_right(game: Game, match: Match[Any], seat: Seat, bots: Sequence[Bot], dice: BotDice) -> Any:
    """A text may be refused; then somebody else tries."""
    choices = game.legal(match.state, seat)
    for bot in bots:
        try:
            return approved(game, match.state, seat, bot(game.look(match.state, seat), choices, dice), choices)
        except Refused:
            continue
    raise Refused("not_a_choice")


def of_record(text: str) -> Iterator[tuple[int, tuple[Seat | None, Json | None]]]:
    """The commands of a record, up to the first step that no player made."""
    for line in text.splitlines()[1:-1]:
        step = json.loads(line)
        if step["kind"] == "phase":
            yield step["step"], (None, None)
        elif step["kind"] == "command" and step["command"] is not None:
            yield step["step"], (step["seat"], step["command"])
        elif step["kind"] != "start":
            return
