"""Where does a match change? Only here, in `Worker.carry_out`: lock, read, play, write, commit, and then ring."""

from __future__ import annotations

import os
import secrets
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import msgspec
import psycopg
from celery import Celery, signals
from kombu.entity import Queue

from shared.kernel.dice import bot_dice
from shared.kernel.game import Game
from shared.kernel.match import restored
from shared.runtime import log
from shared.runtime.announce import announce
from shared.runtime.bell import LOOK, Bell, queue_name, transport
from shared.runtime.processes import end_with_parent
from shared.runtime.settings import Settings, read
from shared.runtime.store import Database, FateUnknown, Transaction, Unavailable
from shared.runtime.store import Row as Found
from shared.runtime.turn import archive, record, seeds
from shared.runtime.turn.clock import Clock
from shared.runtime.turn.house import House, new_house
from shared.runtime.turn.rows import Deal, Row
from shared.runtime.turn.take import Take
from shared.runtime.turn.writing import SQL, Rows

DEALS_KEPT = 10_000
PULSE = 5.0  # seconds between two signs of life of a worker
DEAF_AFTER = 10.0  # seconds for which rows may wait while a worker takes none (PL-344)

logger = log.get(__name__)


class StepMoved(Exception):
    """PL-333 A match is no longer at the step that was read."""


class Worker:
    """One process that plays one version of one game (PL-342): its connections, and the deals it has seen."""

    def __init__(self, game: Game, settings: Settings, point: Callable[[str], None] = lambda _: None) -> None:
        self.game, self.settings = game, settings
        self.database = Database(settings.database_of("worker"), settings, f"worker-{game.name}", size=3)
        self.bell = Bell(settings)
        self._deals: OrderedDict[str, tuple[Deal, bool]] = OrderedDict()
        self._errors: dict[str, str] = {}  # match -> kind of the last exception of its rules
        self._pulsed = 0.0
        self._point = point  # marked points at which tests kill or stop the process

    def look(self) -> int:
        """PL-330, PL-334 Carries out whatever waits in matches of this game, until nothing is left; tells how many matches."""
        done = 0
        while waiting := self._waiting():
            fresh = [row["match_id"] for row in waiting if not row["old"]]
            self.carry_out(fresh)
            tried = [row["match_id"] for row in waiting if row["old"] and self._carefully(row["match_id"])]
            done += len(fresh) + len(tried)
            if not fresh and not tried:
                break  # somebody else is at them
        return done

    def carry_out(self, matches: Sequence[str]) -> None:
        """PL-331, PL-332 One transaction for these matches; a match whose rules raise drops out and is taken carefully."""
        for match_id in self._transact(matches, self.settings.waiting_per_match) if matches else ():
            self._carefully(match_id)

    def _transact(self, matches: Sequence[str], most_rows: int) -> list[str]:
        """Lock, read, play, write, commit, ring; tells the matches that failed."""
        failed: list[str] = []
        takes: list[Take] = []
        sheet = Rows()
        try:
            with self.database.transaction() as transaction:
                for old, rows in self._locked(transaction, matches, most_rows):
                    take = self._play(transaction, old, rows, sheet)
                    if take is None:
                        failed.append(old["match_id"])
                    else:
                        takes.append(take)
                if takes:
                    self._write(transaction, sheet)
                self._point("before_commit")
        except (psycopg.Error, StepMoved) as error:  # what one match wants to write is refused: each is tried alone
            return self._apart(matches, most_rows, error)
        self._point("after_commit")
        self.bell.ring([(take.deal.match_id, take.match.step) for take in takes if take.match is not None])
        self._point("after_bell")
        for take in takes:
            self._afterwards(take)
        return failed

    def _apart(self, matches: Sequence[str], most_rows: int, error: Exception) -> list[str]:
        """PL-332 A match whose rows cannot be written takes no other with it."""
        if len(matches) > 1:
            return [failed for match_id in matches for failed in self._transact([match_id], most_rows)]
        logger.error("write_refused", match=matches[0], error=type(error).__name__)
        self._errors[matches[0]] = type(error).__name__
        return list(matches)

    def pulse(self) -> None:
        """PL-344 That messages reach this worker, for whoever asks whether it is well."""
        now = time.monotonic()
        if now - self._pulsed >= PULSE:
            self.database.do(SQL.pulse, process=f"worker-{self.game.name}-{self.game.version}", kind="worker")
            self._pulsed = now

    def _waiting(self) -> list[Found]:
        return self.database.all(
            SQL.waiting, game=self.game.name, version=self.game.version, most=self.settings.matches_per_take,
            careful_after=self.settings.careful_after,
        )

    def _locked(self, transaction: Transaction, matches: Sequence[str], most: int) -> list[tuple[Found, list[Found]]]:
        """PL-332 All that can be locked without waiting, each by a statement of its own; if that is none, the first is waited for."""
        return self._read(transaction, SQL.lock_all_free, sorted(matches), most) or self._read(transaction, SQL.lock_all, matches[:1], most)

    def _read(self, transaction: Transaction, statement: str, matches: Sequence[str], most: int) -> list[tuple[Found, list[Found]]]:
        with transaction.connection.pipeline():
            locks = transaction.connection.execute(statement, {"matches": list(matches)})
            olds = transaction.connection.execute(SQL.locked, {"matches": list(matches)})
            rows = transaction.connection.execute(SQL.rows, {"matches": list(matches), "most": most})
        held, waiting = {row["match_id"] for row in locks}, dict[str, list[Found]]()
        for row in rows:
            waiting.setdefault(row["match_id"], []).append(row)
        return [(old, waiting[old["match_id"]]) for old in olds if old["match_id"] in held & waiting.keys()]

    def _play(self, transaction: Transaction, old: Found, rows: list[Found], sheet: Rows) -> Take | None:
        """The pure part; the only place where any exception is caught, since a bug in a rule must not stop other matches."""
        try:
            deal, rated = self._deal(transaction, old["match_id"])
            take = self._begun(transaction, deal, old)
            for row in rows:
                take.carry_out(Row(row["arrival"], row["kind"], row["seat"], row["ask"], row["body"], int(row["received"])))
            sheet.add(self.settings, take, old, rated=rated)
        except psycopg.Error:
            raise
        except Exception as error:
            logger.exception("rules_raised", match=old["match_id"], arrival=rows[0]["arrival"], error=type(error).__name__)
            self._errors[old["match_id"]] = type(error).__name__
            return None
        return take

    def _begun(self, transaction: Transaction, deal: Deal, old: Found) -> Take:
        if old["step"] and not old["match"]:
            self._bring_back(transaction, old)
        match = restored(self.game, old["match"].encode()) if old["match"] else None
        house = msgspec.json.decode(old["house"], type=House) if old["house"] else new_house(deal.clock, deal.seats)

        def counts(question: str) -> dict[str, int]:
            transaction.do(SQL.close_poll, match_id=deal.match_id, question=question)
            totals = transaction.all(SQL.totals, match_id=deal.match_id, question=question)
            return {row["answer"]: row["count"] for row in totals}

        def is_bot(seat: int) -> bool:
            return transaction.one(SQL.bot_at, match_id=deal.match_id, seat=seat) is not None

        return Take(deal, old["state"], match, house, int(old["now"]), counts, is_bot)

    def _bring_back(self, transaction: Transaction, old: Found) -> None:
        """PL-248, PL-257 Whatever is still ordered of an archived match is judged on its rows; without its file it is over."""
        try:
            archive.bring_back(transaction, self.settings, old["match_id"])
        except archive.ArchiveAway as error:
            logger.warning("archive_away", match=old["match_id"], error=str(error))
        else:
            old.update(transaction.one(SQL.peek, match_id=old["match_id"]) or {})

    def _write(self, transaction: Transaction, sheet: Rows) -> None:
        """One call for the rows of all matches; PL-333: none of them if a match is not at the step that was read."""
        with transaction.connection.pipeline() if sheet.rare else nullcontext():
            written = transaction.connection.execute(SQL.write_takes, sheet.packed())
            for statement, facts in sheet.rare:
                transaction.connection.execute(statement, facts)
        saved = written.fetchone()
        if saved is None or saved["saved"] != len(sheet.tables["states"]):
            raise StepMoved

    def _afterwards(self, take: Take) -> None:
        """What follows a commit and can be repeated by the watch: the record of an ended match, answers of built-in bots."""
        if take.state in record.ENDED and take.match is not None:
            self._deals.pop(take.deal.match_id, None)
            record.write(self.database, self.settings, self.game, take.deal.match_id)
        elif take.match is not None:
            for seat, number in take.failing:  # if this is lost its next refusal, or its clock, comes to the same; first of all, for it takes the place of an answer
                self.own_row(take.deal.match_id, "order", seat, number, '{"by":"service","kind":"fail","reason":"three answers were refused"}')
            for ask in take.match.asks:
                if ask.seat in take.deal.bots and ask.question.needed:
                    self.think(take.deal.match_id, ask.seat)

    def think(self, match_id: str, seat: int) -> None:
        """PL-522, PL-523 A built-in bot answers: worked out outside the lock, entering by the inbox like any other answer."""
        with self.database.transaction() as transaction:
            row = transaction.one(SQL.peek, match_id=match_id)
            deal, _ = self._deal(transaction, match_id)
            seed = transaction.one(SQL.seed_of, match_id=match_id)
        match = restored(self.game, row["match"].encode()) if row and row["match"] else None
        ask = match.ask_of(seat) if match else None
        if match is None or ask is None or seed is None:
            return
        plain = seeds.unseal(self.settings, seed["seed_number"], seed["seed"])
        dice = bot_dice(plain, match_id, seat, ask.number)
        try:
            bot = self.game.bots[deal.bots[seat]]
            command = bot(self.game.look(match.state, seat), self.game.legal(match.state, seat), dice)
        except Exception as error:
            logger.exception("bot_raised", match=match_id, seat=seat, level=deal.bots[seat], error=type(error).__name__)
            command = self.game.default(match.state, seat)  # PL-525: a bot's failure holds nobody up
        self.own_row(match_id, "command", seat, ask.number, msgspec.json.encode(command).decode())

    def own_row(self, match_id: str, kind: str, seat: int | None = None, ask: int | None = None, body: str = "{}") -> int | None:
        """A row of the service's own; its arrival, or None if there is no need of it any more."""
        return self._own(match_id=match_id, kind=kind, seat=seat, ask=ask, body=body, due=None, grace=0)

    def timer_row(self, timer: Found) -> int | None:
        """PL-488 The time-out of an ask that is due, no earlier than the grace after it."""
        facts = {name: timer[name] for name in ("match_id", "seat", "ask")}
        return self._own(kind="timeout", body="{}", due=timer["due_at"], grace=int(self.settings.timer_grace * 1000), **facts)

    def _own(self, **facts: Any) -> int | None:
        row = self.database.one(SQL.accept_own, command_id=new_id("c"), **facts)
        return row["arrival"] if row else None

    def _deal(self, transaction: Transaction, match_id: str) -> tuple[Deal, bool]:
        """What is fixed for a match, read once; and whether it is rated."""
        if match_id not in self._deals:
            found = transaction.one(SQL.deal, match_id=match_id)
            seats = transaction.all(SQL.seats_of, match_id=match_id)
            if found is None:
                raise LookupError(match_id)
            deal = _deal(self.game, self.settings, match_id, found, seats)
            if not transaction.one(SQL.has_begun, match_id=match_id):
                return deal, found["rated"]  # before the start seats and contributions may still change
            self._deals[match_id] = deal, found["rated"]
            if len(self._deals) > DEALS_KEPT:
                self._deals.popitem(last=False)
        return self._deals[match_id]

    def _carefully(self, match_id: str) -> bool:
        """PL-651, PL-652 One row at a time, each attempt counted in a committed row before it begins; after three, stuck.

        False if another process is at this match.
        """
        while True:
            with self.database.transaction() as alone:
                mine = alone.one(SQL.careful_alone, match_id=match_id)
                if mine is None or not mine["mine"]:
                    return False
                if not self._attempt(match_id):
                    return True

    def _attempt(self, match_id: str) -> bool:
        """The first waiting row, once; False if there is none, or no more to be done about it."""
        with self.database.transaction() as transaction:
            transaction.one(SQL.lock, match_id=match_id)  # while somebody holds the match nothing is tried, and nothing counted
            attempt = transaction.one(SQL.count_attempt, match_id=match_id)
        if attempt is None:
            return False
        if attempt["count"] > self.settings.attempts_before_stuck:
            self._stick(match_id, attempt["arrival"])
            return False
        self._deals.pop(match_id, None)
        if self._transact([match_id], 1):
            error = self._errors.pop(match_id, "")
            self.database.do(SQL.note_error, match_id=match_id, arrival=attempt["arrival"], error=error)
        return True

    def _stick(self, match_id: str, arrival: int) -> None:
        """PL-652 Only this match stops; its clocks too."""
        with self.database.transaction() as transaction:
            transaction.one(SQL.lock, match_id=match_id)
            noted = transaction.one(SQL.error_of, match_id=match_id, arrival=arrival)
            error = (noted and noted["last_error"]) or "killed"
            transaction.do(SQL.set_stuck, match_id=match_id, arrival=arrival, error=error)
            transaction.do(SQL.stop_clocks, match_id=match_id)
        logger.error("match_stuck", match=match_id, arrival=arrival, error=error)
        self.bell.ring([(match_id, 0)])


def new_id(kind: str) -> str:
    """PL-217 An opaque id that tells nothing."""
    return f"{kind}-{secrets.token_urlsafe(12)}"


def _deal(game: Game, settings: Settings, match_id: str, found: Found, seats: list[Found]) -> Deal:
    seed = seeds.unseal(settings, found["seed_number"], found["seed"])
    contributions = [row["contribution"] for row in seats]
    key = seeds.key_of(seed, found, contributions)
    bots = {row["seat"]: row["bot_level"] for row in seats if row["kind"] == "bot"}
    clock, options = msgspec.convert(found["clock"], Clock), game.read_options(found["options"])
    holders = ((row["seat"], row["substitute_of"] or row["account_id"]) for row in seats)   # a substitute acts for the host as well
    host = next((seat for seat, account in holders if account is not None and account == found["host_id"]), None)
    return Deal(match_id, game, found["seats"], options, clock, key, bots, host, found["substitutes"], found["delayed"])


def celery_app(game: Game) -> Celery:
    """This game as a Celery worker: one queue of its own, one task, whose message is a doorbell (PL-326, PL-328)."""
    settings = read(process="worker")
    queue = queue_name(game.name, game.version)
    app = Celery(game.name, broker=settings.broker, set_as_current=False)
    app.conf.update(celery_settings(settings, queue))
    here: dict[str, Worker] = {}  # made in the child, so that no connection is older than the fork

    @app.task(name=LOOK)  # type: ignore[untyped-decorator]
    def look(_matches: dict[str, int]) -> None:
        if "worker" not in here:
            here["worker"] = Worker(game, settings)
        here["worker"].pulse()
        here["worker"].look()

    signals.worker_process_init.connect(lambda **_: end_with_parent(), weak=False)
    signals.worker_init.connect(lambda **_: announce(game, settings), weak=False)
    signals.worker_ready.connect(lambda **_: threading.Thread(target=guard, args=(game, settings), daemon=True).start(), weak=False)
    return app


def guard(game: Game, settings: Settings) -> None:
    """PL-344 A worker that hears nothing although rows wait ends itself, however healthy its connection looks; it is started anew."""
    database = Database(settings.database_of("worker"), settings, f"guard-{game.name}", size=1)
    while True:
        time.sleep(PULSE)
        try:
            deaf = database.one(SQL.deaf, **deaf_facts(game))
        except (Unavailable, FateUnknown):
            continue  # without Postgres nobody can take anything
        if deaf is not None and deaf["deaf"]:
            logger.error("worker_deaf", game=game.name, version=game.version)
            os.kill(os.getpid(), signal.SIGQUIT)


def deaf_facts(game: Game) -> dict[str, Any]:
    """Whose pulse is looked for: the worker's own, and that of a watch that had to do its work."""
    names = {role: f"{role}-{game.name}-{game.version}" for role in ("worker", "inline")}
    return {"process": names["worker"], "inline": names["inline"], "game": game.name, "version": game.version, "after": DEAF_AFTER}


def celery_settings(settings: Settings, queue: str) -> dict[str, Any]:
    """PL-329 and PIPELINE, "Celery settings": acknowledge after the work, one message at a time, no results, no delays."""
    own: Any = Queue  # kombu publishes no types
    return {
        "task_queues": [own(queue, routing_key=queue)], "task_default_queue": queue, "task_ignore_result": True,
        "task_acks_late": True, "task_reject_on_worker_lost": True, "task_acks_on_failure": True, "task_acks_on_timeout": True,
        "worker_prefetch_multiplier": 1, "task_time_limit": settings.task_time_limit,
        "task_soft_time_limit": settings.task_soft_time_limit, "worker_soft_shutdown_timeout": 10.0,
        "broker_connection_retry_on_startup": True, "broker_connection_max_retries": None, "task_serializer": "json",
        "accept_content": ["json"], "broker_transport_options": transport(5.0, settings), "worker_send_task_events": False,
    }
