"""What becomes of the waiting rows of one match? Pure: from match, rows and time to steps, outcomes and clocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.kernel import match as kernel
from shared.kernel.dice import step_dice
from shared.kernel.game import HOST, Command, Refused
from shared.runtime.turn.away import away, back
from shared.runtime.turn.failing import REFUSALS, failed_once_more, refusals_of, refused_once_more
from shared.runtime.turn.going import RUNNING, Going
from shared.runtime.turn.hours import Ms
from shared.runtime.turn.house import charged, credited, moved, put, run_out, stood
from shared.runtime.turn.rows import Act, Row, Step, Verdict, vacated

_encode = msgspec.json.Encoder(order="deterministic").encode
HOST_EXTENSIONS = 3  # CH-403
PAUSE_MOST = {"host": 600_000, "agreed": 86_400_000}  # CH-403, PL-244; a referee's pause ends by a referee


class Take(Going):
    """The rows of one match, each judged in its turn."""

    def carry_out(self, row: Row) -> None:
        """PL-330 One row: exactly one verdict, and the steps it led to."""
        self._arrival, self._part = row.arrival, 0
        self.now = max(self.now, self.house.last)
        first = self.match.step + 1 if self.match else 1
        try:
            verdict = self._judge(row)
        except Refused as refusal:
            verdict = Verdict(row.arrival, "refused", refusal.code)
            self._count_refusal(row)
        if verdict.outcome == "carried_out" and self.match and self.match.step >= first:
            verdict = replace(verdict, first_step=first, last_step=self.match.step)
        self.verdicts.append(verdict)

    def _count_refusal(self, row: Row) -> None:
        """PL-525 A bot's answer to its open ask was refused in time; after three of them the default follows."""
        ask = self._asked(row)
        if ask is None or row.kind not in {"command", "batch"} or self.state != "running":
            return
        running = self.house.asks[str(ask.seat)]
        if (running.due is None or row.received <= running.due) and (ask.seat in self.deal.bots or self.is_bot(ask.seat)):
            self.house = refused_once_more(self.house, ask.seat, ask.number)
            if refusals_of(self.house, ask.seat, ask.number) >= REFUSALS:
                self.failing.append((ask.seat, ask.number))

    def _judge(self, row: Row) -> Verdict:
        if row.kind == "start":
            return self._start(row)
        if row.kind == "order" and self.state == "finished" and self.match is not None:
            return self._order(row)  # a finished match may still be voided (PL-248)
        if self.state not in RUNNING or self.match is None:
            return Verdict(row.arrival, "moot") if row.kind in {"timeout", "phase", "no_show"} else self._refuse("match_over")
        if self.state == "paused" and row.kind in {"command", "batch", "timeout", "phase", "no_show"}:
            return self._refuse("match_paused") if row.kind in {"command", "batch"} else Verdict(row.arrival, "moot")
        rules = {
            "command": self._command, "batch": self._batch, "timeout": self._timeout, "phase": self._phase,
            "resign": self._resign, "proposal": self._proposal, "no_show": self._no_show,
            "order": self._order if row.ask is None else self._failure,
        }
        return rules[row.kind](row)

    def _refuse(self, code: str) -> Verdict:
        raise Refused(code)

    def _done(self, row: Row) -> Verdict:
        return Verdict(row.arrival, "carried_out")

    def _start(self, row: Row) -> Verdict:
        """PL-240 The set-up is step 1; a second start is moot (PL-239)."""
        if self.state != "open" or self.match is not None:
            return Verdict(row.arrival, "moot")
        self.state = "running"
        dice = step_dice(self.deal.key, 1)
        played = kernel.begin(self.game, self.deal.seats, self.deal.options, dice)
        self._add(played, Act("start"), dice)
        self.topics.append(("match.started", {}))
        self._settle()
        return self._done(row)

    def _command(self, row: Row) -> Verdict:
        self._answer(row, row.ask, self.game.read_command(row.body.encode()))
        return self._done(row)

    def _answer(self, row: Row, number: int | None, command: Command) -> Step:
        """A seat answers its open ask: checked again under the lock (PL-289, PL-291, PL-293)."""
        assert self.match is not None
        assert row.seat is not None
        ask, running = self.match.ask_of(row.seat), self.house.asks.get(str(row.seat))
        if str(row.seat) in self.house.vacant:
            raise Refused("not_your_seat")
        if ask is None or ask.number != number or running is None:
            raise Refused("stale_ask")
        if running.due is not None and row.received > running.due:
            raise Refused("too_late")
        dice = step_dice(self.deal.key, self.match.step + 1)
        command, raw = self._ordered(command)
        played = kernel.answer(self.game, self.match, row.seat, command, dice)
        house = charged(self.deal.clock, self.house, row.seat, row.received, self.now)
        self.house = replace(house, acted=put(house.acted, row.seat, value=True))
        act = Act("command", row.seat, ask.number, raw, secret=ask.question.secret)
        step = self._add(played, act, dice)
        self._settle()
        return step

    def _batch(self, row: Row) -> Verdict:
        """PL-302, PL-303 Each command on the ask then open, until a refusal, until news, or until the seat is no longer asked."""
        body = msgspec.json.decode(row.body)
        report: list[dict[str, Any]] = []
        number, code = row.ask, None
        for command in body["commands"]:
            try:
                step = self._answer(row, number, self.game.read_command(msgspec.json.encode(command)))
            except Refused as refusal:
                code = refusal.code
                report.append({"outcome": "refused", "code": code})
                break
            report.append({"outcome": "carried_out", "step": step.match.step})
            ask = self.match.ask_of(row.seat) if self.match and row.seat is not None else None
            number = ask.number if ask else None
            if number is None or (body.get("stop_on", "news") == "news" and step.is_news):
                break
        untried: list[dict[str, Any]] = [{"outcome": "untried"}] * (len(body["commands"]) - len(report))
        written = msgspec.json.encode(report + untried).decode()
        outcome = "carried_out" if report[0]["outcome"] == "carried_out" else "refused"
        return Verdict(row.arrival, outcome, code, report=written)

    def _timeout(self, row: Row) -> Verdict:
        """PL-487 to PL-491, PL-525 The default is given, the miss counted; too many of them end the seat, and of a bot the first one."""
        assert self.match is not None
        assert row.seat is not None
        ask, running = self.match.ask_of(row.seat), self.house.asks.get(str(row.seat))
        if ask is None or running is None or ask.number != row.ask or running.due is None or running.due > row.received:
            return Verdict(row.arrival, "moot")
        self.house = run_out(self.deal.clock, self.house, row.seat, self.now)
        if str(row.seat) not in self.house.vacant and row.seat not in self.deal.bots and self.is_bot(row.seat):
            self._fail(ask)
            return self._done(row)
        most = self.deal.clock.most_timeouts
        too_often = most is not None and self.house.timeouts[row.seat] >= most
        if str(row.seat) in self.house.vacant or running.limit == 0 or (too_often and not self.deal.substitutes):
            self._take_out(row.seat, self.house.vacant.get(str(row.seat), "timed_out"))
        else:
            self._give_default(ask)
            if too_often and self.state in RUNNING:
                self._leave(row.seat, "timed_out")
            self._settle()
        return self._done(row)

    def _phase(self, row: Row) -> Verdict:
        phase = self.house.phase
        if phase is None or phase.due is None or phase.due > row.received:
            return Verdict(row.arrival, "moot")
        self._end_phase()
        self._settle()
        return self._done(row)

    def _resign(self, row: Row) -> Verdict:
        """PL-246 Before or after every other act, by its arrival."""
        assert row.seat is not None
        self._leave(row.seat, msgspec.json.decode(row.body).get("how", "resigned"))
        return self._done(row)

    def _no_show(self, row: Row) -> Verdict:
        """PL-492 Seats that never acted end; a match in which nobody acted is aborted."""
        assert self.match is not None
        if self.house.no_show is not None and (self.house.no_show.due or 0) > row.received:
            return Verdict(row.arrival, "moot")
        self.house = replace(self.house, no_show=None)
        here = {*self.deal.bots, *(entry.seat for entry in self.match.gone), *map(int, self.house.vacant)}
        absent = [seat for seat, acted in enumerate(self.house.acted) if not acted and seat not in here]
        if not any(self.house.acted) and not self.deal.bots:
            self._abort("no_show")
        for seat in absent:
            if self.state in RUNNING:
                self._leave(seat, "no_show")
        return self._done(row) if absent else Verdict(row.arrival, "moot")

    def _proposal(self, row: Row) -> Verdict:
        """PL-243, PL-247 Pause, resume and abort by agreement of all seats that have not left."""
        body = msgspec.json.decode(row.body)
        kind, seat = body["kind"], row.seat
        assert self.match is not None
        assert seat is not None
        if (kind == "abort" and all(self.house.acted)) or (kind == "resume") != (self.state == "paused"):
            raise Refused("wrong_state")
        gone = {*self.deal.bots, *(entry.seat for entry in self.match.gone), *map(int, self.house.vacant)}
        willing = set(self.house.proposals.get(kind, ())) | {seat}
        if (body["answer"] == "yes" and kind not in self.house.proposals) or (kind == "resume" and self.house.pause_by != "agreed"):
            raise Refused("not_offered")
        open_ones = {other: seats for other, seats in self.house.proposals.items() if other != kind}
        if body["answer"] != "no":
            open_ones[kind] = tuple(sorted(willing))
        self.house = replace(self.house, proposals=open_ones)
        agreed = willing >= set(range(self.deal.seats)) - gone or kind == "resume"  # PL-244: any seat's wish ends a pause
        if agreed and body["answer"] != "no":
            self.house = replace(self.house, proposals={})
            {"pause": self._pause, "resume": self._resume}.get(kind, lambda _: self._abort("agreed"))(row.received)
        return self._done(row)

    def _order(self, row: Row) -> Verdict:
        """PL-305, PL-503 Orders of host, referee and service, judged when their turn comes."""
        body = msgspec.json.decode(row.body)
        match body["kind"]:
            case "pause" if self.state == "running":
                self._pause(row.received, body["by"])
            case "resume" if self.state == "paused":
                self._resume(row.received)
            case "extend" if self.state == "running":
                self._extend(body)
            case "credit" if self.state in RUNNING:
                self._credit((body["from"], body["to"]))
            case "advance" if self.state == "running":
                self._advance()
            case "void":
                self._void(body["reason"])
            case "disqualify" | "replace" | "holiday" if self.state in RUNNING:
                self._order_seat(body)
            case "game" if self.state == "running":
                self._host_command(body["command"])
            case _:
                raise Refused("wrong_state")
        return self._done(row)

    def _order_seat(self, body: Mapping[str, Any]) -> None:
        match body["kind"]:
            case "disqualify":
                self._leave(body["target"], "disqualified")
            case "replace":
                self._replace(body["target"], body["account"])
            case _:
                self._holiday(body["target"], body["at"], body["until"])

    def _asked(self, row: Row) -> kernel.Ask | None:
        """The open ask that a row names."""
        ask = self.match.ask_of(row.seat) if self.match and row.seat is not None else None
        return ask if ask is not None and ask.number == row.ask else None

    def _failure(self, row: Row) -> Verdict:
        """PL-525, PL-526 The default for a bot whose answers were refused; once there are too many failures it has failed for good."""
        ask = self._asked(row)
        if ask is None or self.state != "running":
            raise Refused("stale_ask")
        self.house = failed_once_more(self.house, ask.seat)
        if self.house.failures[str(ask.seat)] > self.deal.clock.most_failures:
            self._fail(ask)
        else:
            self._give_default(ask, again=True)
            self._settle()
        return self._done(row)

    def _leave(self, seat: int, how: str) -> None:
        """PL-541, PL-546 Taken out of play, or where substitutes are allowed vacant until its next ask is due."""
        assert self.match is not None
        if str(seat) in self.house.vacant or any(entry.seat == seat for entry in self.match.gone):
            raise Refused("wrong_state")
        if not self.deal.substitutes:
            self._take_out(seat, how)
            return
        self.house = replace(self.house, vacant={**self.house.vacant, str(seat): how})
        self.seatings.append(("seat_vacated", {"seat": seat, "how": how}))
        told = msgspec.json.encode({"how": how, "kind": "vacate", "target": seat})
        self._add(vacated(self.match, seat), Act("vacate", seat, command=told), None)
        self._settle()

    def _replace(self, seat: int, account: str) -> None:
        """PL-546 Somebody else holds the seat; its open ask and its clock go on."""
        if str(seat) not in self.house.vacant:
            raise Refused("seat_taken")
        house = replace(self.house, vacant={other: how for other, how in self.house.vacant.items() if other != str(seat)})
        self.house = back(self.deal.clock, house, seat, self.now)
        self.seatings.append(("seat_replaced", {"seat": seat, "account": account}))
        self.topics.append(("seat.replaced", {"seat": seat, "account": account}))
        self._mark("replace", target=seat, account=account)

    def _host_command(self, wanted: Any) -> None:
        assert self.match is not None
        command, raw = self._ordered(self.game.read_command(msgspec.json.encode(wanted)))
        dice = step_dice(self.deal.key, self.match.step + 1)
        played = kernel.answer(self.game, self.match, HOST, command, dice)
        self._add(played, Act("command", HOST, command=raw), dice)
        self._settle()

    def _advance(self) -> None:
        """CH-403 The host closes a phase: every needed answer that is missing is given by default, then the phase ends."""
        assert self.match is not None
        before = self.match.step
        for seat in self.match.awaited():
            ask = self.match.ask_of(seat)
            if ask is not None and ask.question.needed and ask.number <= before:
                self._give_default(ask)
        armed = self.match.armed
        if armed is not None and armed.since <= before:
            self._end_phase()
        if self.match.step == before:
            raise Refused("wrong_state")
        self._settle()

    def _pause(self, at: Ms, by: str = "agreed") -> None:
        self.state = "paused"
        ends = at + PAUSE_MOST[by] if by in PAUSE_MOST else None
        self.house = replace(self.house, paused=at, pause_by=by, pause_ends=ends)
        self.topics.append(("match.paused", {}))
        self._mark("pause", by=by)

    def _resume(self, at: Ms) -> None:
        """PL-243 Due times move on by the length of the pause."""
        assert self.house.paused is not None
        self.house = stood(self.deal.clock, self.house, self.house.paused, max(at, self.house.paused))
        self.state = "running"
        self.topics.append(("match.resumed", {}))
        self._mark("resume")

    def _extend(self, body: Mapping[str, Any]) -> None:
        """CH-403 The host extends a phase three times at most."""
        if body["by"] == "host":
            if self.house.extended >= HOST_EXTENSIONS:
                raise Refused("not_offered")
            self.house = replace(self.house, extended=self.house.extended + 1)
        self.house = moved(self.deal.clock, self.house, body["ms"], body.get("target"))
        self._mark("extend", by=body["by"], ms=body["ms"])

    def _credit(self, outage: tuple[Ms, Ms]) -> None:
        self.house = credited(self.deal.clock, self.house, outage)
        self._mark("credit")

    def _holiday(self, seat: int, at: Ms, until: Ms) -> None:
        """PL-504 Seen by all seats, as an extension is; a seat that has been left meanwhile has none."""
        assert self.match is not None
        left = str(seat) in self.house.vacant or any(entry.seat == seat for entry in self.match.gone)
        if left or not self.deal.clock.holidays_count:
            raise Refused("wrong_state")
        self.house = away(self.deal.clock, self.house, seat, at, until)
        self._mark("holiday", target=seat, at=at, until=until)
