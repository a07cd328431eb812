"""What if a message is lost, a clock runs out, or Redis is away? One loop per game that looks at Postgres by itself."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import msgspec

from shared.kernel.game import Game
from shared.runtime import log
from shared.runtime.bell import Doorbell, queue_name
from shared.runtime.registry import load, registered
from shared.runtime.settings import Settings, read
from shared.runtime.store import FateUnknown, Transaction, Unavailable
from shared.runtime.turn import archive, record, seeds
from shared.runtime.turn.writing import SQL
from shared.runtime.worker import Worker, deaf_facts, new_id

SEND_AGAIN_AFTER = 2.0  # seconds: each match is sent for at most once in this time (PL-336)
CLOCK_JUMP = 5.0  # seconds by which the database clock may run away from ours (PL-501)
JUMP_REST = 60.0
ARCHIVE_REST = 60.0  # seconds without a try after the folder of archives could not be written
ENDINGS = ("phase", "no_show")  # timers whose row has their name

logger = log.get(__name__)


class Watch:
    """The loop of one game's service; stateless but for what it has just sent."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game, self.settings = game, settings
        self.worker = Worker(game, settings)
        self.database = self.worker.database
        self._doorbell = Doorbell(settings)
        self._sent: dict[str, float] = {}
        self._redis_away = False
        self._distance: float | None = None
        self._rest_until = 0.0
        self._archive_at = 0.0

    def round(self) -> None:
        """One look at everything; each part can be repeated by any number of watches."""
        self._pulse()
        self.send_again()
        may_time_out = self.may_time_out()  # asked first: a gateway that is back notes the gap together with its pulse
        self.credit_outages()
        if may_time_out:
            self.time_out()
            self.end_timers()
            self.remind()
        self.expire()
        self.leave_suspended()
        self.wake_bots()
        self.write_records()
        self.archive()
        self.lengthen_seeds()

    def send_again(self) -> None:
        """PL-336, PL-337 Rows that have waited are sent for again; old ones, and all without Redis, are carried out here."""
        late = self.database.all(
            SQL.late, game=self.game.name, version=self.game.version, inline_after=self.settings.inline_after,
            resend_after=0.0 if self._redis_away else self.settings.resend_after,
        )
        now = time.monotonic()
        fresh = {row["match_id"]: row["arrival"] for row in late if now - self._sent.get(row["match_id"], 0.0) >= SEND_AGAIN_AFTER}
        reached = not fresh or self._doorbell.send_now(queue_name(self.game.name, self.game.version), fresh)
        self._redis_away = not reached
        if reached:
            self._sent = {match: at for match, at in self._sent.items() if now - at < SEND_AGAIN_AFTER} | dict.fromkeys(fresh, now)
        if late and (not reached or any(row["inline"] for row in late)):
            logger.info("carried_out_inline", matches=len(late), redis=reached)
            if reached:  # the worker was sent for and did not come
                self.database.do(SQL.pulse, process=deaf_facts(self.game)["inline"], kind="inline")
            self.worker.look()

    def time_out(self) -> None:
        """PL-488, PL-490 A row for each ask that is due, oldest first, in seat order."""
        due = self.database.all(
            SQL.due_asks, game=self.game.name, version=self.game.version, grace=self.settings.timer_grace,
        )
        accepted = [row["match_id"] for row in due if self.worker.timer_row(row) is not None]
        self._ring(accepted)

    def end_timers(self) -> None:
        """PL-502 Phases, planned starts, no-shows and pauses whose time has come; a timer goes with what comes of it, so that it comes once."""
        rung = []
        for timer in self.database.all(SQL.due_timers, game=self.game.name, version=self.game.version):
            if timer["kind"] == "planned_start":
                self._start_as_planned(timer["match_id"])
            with self.database.transaction() as transaction:
                due = {name: timer[name] for name in ("match_id", "kind", "due_at")}
                if _comes(transaction, timer) and transaction.do(SQL.drop_due_timer, **due):
                    rung.append(timer["match_id"])
                else:  # an order that waits may move it, its row waits already, or another watch was here
                    transaction.connection.rollback()
        self._ring(rung)

    def remind(self) -> None:
        """PL-578 Those whose answer is due soon; the reminder goes with its ask."""
        for row in self.database.all(SQL.to_remind, game=self.game.name, version=self.game.version):
            self.database.one(SQL.remind, **row)

    def _start_as_planned(self, match_id: str) -> None:
        """PL-239, PL-241, PL-242 A full match starts; empty seats go to bots where the host allowed it, otherwise it expires."""
        with self.database.transaction() as transaction:
            transaction.one(SQL.hold_head, match_id=match_id)
            match = transaction.one(SQL.as_planned, match_id=match_id)
            if match is None or match["state"] != "open":
                return
            if match["fill_with_bots"] and self.game.bots:
                transaction.do(SQL.fill_seats, match_id=match_id, level=next(iter(self.game.bots)))
            empty = transaction.one(SQL.empty_seats, match_id=match_id)
            if empty is not None and empty["count"] == 0:
                transaction.one(SQL.accept_own, **own_row(match_id, "start"))
            elif transaction.do(SQL.expire, match_id=match_id):
                transaction.do(SQL.announce_topic, match_id=match_id, step=0, topic="match.expired", body="{}")

    def expire(self) -> None:
        """PL-241 Open matches that were not full in time."""
        for match in self.database.all(SQL.overripe, game=self.game.name, version=self.game.version):
            with self.database.transaction() as transaction:
                transaction.one(SQL.lock, match_id=match["match_id"])  # it may just be starting
                if transaction.do(SQL.expire, match_id=match["match_id"]):
                    transaction.do(SQL.announce_topic, match_id=match["match_id"], step=0, topic="match.expired", body="{}")

    def leave_suspended(self) -> None:
        """PL-137, PL-541 Once the operator's grace is over the seats of a suspended account are left, and free where nothing has begun."""
        seats = self.database.all(SQL.suspended_seats, game=self.game.name, version=self.game.version)
        for row in seats:
            if row["state"] != "open":
                self.worker.own_row(row["match_id"], "resign", row["seat"], body='{"how":"left"}')
                continue
            with self.database.transaction() as transaction:
                transaction.one(SQL.hold_head, match_id=row["match_id"])
                transaction.do(SQL.free_seat, match_id=row["match_id"], seat=row["seat"])
        self._ring([row["match_id"] for row in seats if row["state"] != "open"])

    def credit_outages(self) -> None:
        """PL-499 Before any time-out, due times move on by an outage; once per outage and game."""
        consumer = f"clocks.{self.game.name}.{self.game.version}"
        for outage in self.database.all(SQL.outages_to_credit, consumer=consumer, game=self.game.name, credited=self.settings.outage_credited):
            span = {"from_ms": int(outage["from_ms"]), "to_ms": int(outage["to_ms"])}
            body = {"kind": "credit", "by": "service", "reason": "outage", "from": span["from_ms"], "to": span["to_ms"]}
            with self.database.transaction() as transaction:  # noted and ordered together, so that two watches credit once
                if transaction.do(SQL.consume, consumer=consumer, match_id="", step=outage["number"], topic="outage"):
                    for match in transaction.all(SQL.clocks_in, game=self.game.name, version=self.game.version, **span):
                        transaction.one(SQL.accept_own, **own_order(match["match_id"], body))
            self.worker.look()  # the clocks stand right before anybody is timed out

    def may_time_out(self) -> bool:
        """PL-499, PL-501 Not while no gateway is there to accept an answer, nor right after the database clock has jumped."""
        row = self.database.one(SQL.last_pulse)
        age = row["age"] if row else None
        self._note_jump()
        return (age is None or age < self.settings.outage_credited) and time.monotonic() >= self._rest_until

    def wake_bots(self) -> None:
        """PL-523 Built-in bots whose answer was lost think again; their row is accepted once."""
        sleepy = self.database.all(
            SQL.sleepy_bots, game=self.game.name, version=self.game.version, resend_after=self.settings.resend_after,
        )
        for row in sleepy:
            self.worker.think(row["match_id"], row["seat"])
        self._ring([row["match_id"] for row in sleepy])

    def write_records(self) -> None:
        """PL-417 Records that a killed worker did not come to write."""
        for row in self.database.all(SQL.unrecorded, game=self.game.name, version=self.game.version):
            record.write(self.database, self.settings, self.game, row["match_id"])

    def archive(self) -> None:
        """PL-257 Where the folder cannot be written everything stays where it is, and is tried again after a while."""
        if time.monotonic() < self._archive_at:
            return
        try:
            archive.archive_ripe(self.database, self.settings, [(self.game.name, self.game.version)])
        except OSError as error:
            logger.warning("archive_not_written", folder=str(archive.folder_of(self.settings)), error=type(error).__name__)
            self._archive_at = time.monotonic() + ARCHIVE_REST

    def lengthen_seeds(self) -> None:
        """PL-611 At least a thousand unused commitments are always public."""
        row = self.database.one(SQL.seeds_ahead)
        if row is None or row["unused"] >= seeds.AHEAD:
            return
        with self.database.transaction() as transaction:
            transaction.do(SQL.one_at_a_time)
            found = transaction.one(SQL.seeds_ahead) or row
            numbers = range(found["last"] + 1, found["last"] + 1 + max(0, 2 * seeds.AHEAD - found["unused"]))
            made = [(number, *seeds.new_seed(self.settings, number)) for number in numbers]
            transaction.many(SQL.add_commitment, [{"number": number, "commitment": promise} for number, promise, _ in made])
            transaction.many(SQL.add_seed, [{"number": number, "seed": sealed} for number, _, sealed in made])

    def _ring(self, matches: list[str]) -> None:
        if matches and not self._doorbell.send_now(queue_name(self.game.name, self.game.version), dict.fromkeys(matches, 0)):
            self.worker.look()

    def _note_jump(self) -> None:
        row = self.database.one("SELECT extract(epoch FROM clock_timestamp()) AS now")
        distance = float(row["now"]) - time.monotonic() if row else None
        if self._distance is not None and distance is not None and abs(distance - self._distance) > CLOCK_JUMP:
            logger.error("clock_jumped", seconds=distance - self._distance)
            self._rest_until = time.monotonic() + JUMP_REST
            if distance > self._distance:
                with self.database.transaction() as transaction:
                    transaction.do(SQL.one_at_a_time)
                    transaction.do(SQL.note_jump, game=self.game.name, seconds=distance - self._distance)
        self._distance = distance

    def _pulse(self) -> None:
        self.database.do(SQL.pulse, process=f"watch-{self.game.name}-{os.getpid()}", kind="watch")


def _comes(transaction: Transaction, timer: dict[str, Any]) -> bool:
    """What a timer leads to becomes a row of its match; of those that a start has to do with nothing is left to do."""
    match_id, kind = timer["match_id"], timer["kind"]
    if kind not in {"pause", *ENDINGS}:
        return True
    resume = {"kind": "resume", "by": "service", "reason": "the pause is over"}
    row = own_order(match_id, resume) if kind == "pause" else own_row(match_id, kind) | {"due": timer["due_at"]}
    accepted = transaction.one(SQL.accept_own, **row)
    return accepted is not None and accepted["arrival"] is not None


def own_order(match_id: str, body: dict[str, Any]) -> dict[str, Any]:
    """An order that the service gives by itself."""
    return own_row(match_id, "order", msgspec.json.encode(body).decode())


def own_row(match_id: str, kind: str, body: str = "{}") -> dict[str, Any]:
    """A row of the service's own that answers no ask."""
    return {"match_id": match_id, "kind": kind, "seat": None, "ask": None, "body": body, "due": None, "grace": 0, "command_id": new_id("c")}


def main(name: str) -> int:
    """The process `cupboard serve watch NAME`."""
    settings = read(process="worker")
    watch = Watch(load(registered(settings.games)[name]), settings)
    rest = threading.Event()
    while True:
        try:
            watch.round()
        except (Unavailable, FateUnknown) as error:
            logger.warning("database_away", error=type(error).__name__)
        rest.wait(settings.watch_period)
