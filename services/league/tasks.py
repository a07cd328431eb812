"""What does the league do, over and over? It records results once, keeps the standings, and starts the next round.

Everything is found in Postgres by looking, so any number of these processes may run, be killed and start again.
"""

from __future__ import annotations

import secrets
import signal
import threading
from collections.abc import Iterable, Sequence

import psycopg

from services.league.draws import drawn, round_dice
from services.league.formats.round_robin import Round, next_round
from services.league.scoring import BadResult, points
from services.league.standings import standing
from services.league.store import SQL, counted_tables, limits_of, past_rounds, save_standing, scales_of, seat_of
from shared.runtime import log
from shared.runtime.bell import Bell, Doorbell
from shared.runtime.settings import Settings, read
from shared.runtime.store import Database, FateUnknown, Row, Transaction, Unavailable

PERIOD = 0.5        # seconds between two looks
SWEEP = 60.0        # LG-208: seconds between two looks for results that no message told of
MOST = 64           # outbox rows in one transaction
ENDINGS = frozenset({"match.finished", "match.aborted", "match.voided", "match.expired"})
WITHOUT_RESULT = frozenset({"aborted", "voided", "expired"})

logger = log.get(__name__)


class League:
    """The connections of this process."""

    def __init__(self, settings: Settings) -> None:
        self.database = Database(settings.database_of("league"), settings, "league", size=1)
        self.doorbell = Doorbell(settings)
        self.bell = Bell(settings)

    def look(self, *, sweep: bool) -> bool:
        """One look at everything; tells whether there was something to do."""
        busy = self._consume()
        if sweep:
            self._sweep()
        for row in self.database.all(SQL.behind):
            self._refresh(row["championship_id"])
        for row in self.database.all(SQL.due):
            busy |= self._advanced(row["championship_id"])
        return busy

    def _consume(self) -> bool:
        """PL-345, PL-346 Outbox rows, their effect and their marks in one transaction."""
        with self.database.transaction() as transaction:
            rows = transaction.all(SQL.waiting, most=MOST)
            fresh = [row["match_id"] for row in rows if row["topic"] in ENDINGS and transaction.do(
                SQL.consume, match_id=row["match_id"], step=row["step"], topic=row["topic"])]
            changed = record_all(transaction, fresh)
            if rows:
                transaction.do(SQL.mark_done, numbers=[row["number"] for row in rows])
        self._ring(changed)
        return bool(rows)

    def _sweep(self) -> None:
        """PL-347, LG-208 What no message told of."""
        with self.database.transaction() as transaction:
            changed = record_all(transaction, [row["match_id"] for row in transaction.all(SQL.unrecorded, most=MOST)])
        self._ring(changed)

    def _refresh(self, championship: str) -> None:
        """A standing that is behind is computed from nothing, so that wiping `as_of` mends any projection."""
        with self.database.transaction() as transaction:
            row = transaction.one(SQL.lock, championship=championship)
            if row is not None and row["as_of"] < row["version"]:
                rank(transaction, row)

    def _advanced(self, championship: str) -> bool:
        """A round that cannot be made (no seed is left, its game is gone) holds up no other championship."""
        try:
            return self.advance(championship)
        except psycopg.Error as error:
            logger.warning("round_not_started", championship=championship, error=str(error))
            return False

    def advance(self, championship: str) -> bool:
        """LG-171 Starts the next round or closes the championship; whoever comes second finds it done and does nothing."""
        with self.database.transaction() as transaction:
            row = transaction.one(SQL.championship, championship=championship)
            latest = transaction.one(SQL.latest_round, championship=championship)
            field = transaction.all(SQL.field, championship=championship)
            past = past_rounds(transaction, championship)
        if row is None or row["state"] != "running" or (latest is not None and latest["state"] != "complete"):
            return False
        number = latest["round"] + 1 if latest else 1
        if number > row["planned_rounds"]:
            return self._close(row)
        accounts = numbered(row, field)
        paired = next_round(accounts, past, limits_of(row), round_dice(bytes(row["seed"]), championship, number))
        return self._start(row, number, accounts, paired)

    def _start(self, read_row: Row, number: int, accounts: dict[int, str], paired: Round) -> bool:
        """LG-165, LG-1033 The whole round in one transaction, if the championship is still as it was when the round was computed."""
        championship = read_row["championship_id"]
        with self.database.transaction() as transaction:
            row = transaction.one(SQL.lock, championship=championship)
            if row is None or row["version"] != read_row["version"]:
                return False
            if number == 1:
                transaction.many(SQL.set_number, [
                    {"championship": championship, "number": one, "account": account} for one, account in accounts.items()])
            transaction.do(SQL.make_round, championship=championship, round=number)
            matches = seat_all(transaction, championship, number, accounts, paired)
            transaction.do(SQL.complete_rounds, championship=championship)
            raise_version(transaction, row)
            rank(transaction, row)
        for match_id in matches:
            self.doorbell.send(row["game"], row["game_version"], match_id, 1)
        logger.info("round_started", championship=championship, round=number, tables=len(matches))
        self._ring({championship: row["version"]})
        return True

    def _close(self, read_row: Row) -> bool:
        """LG-180 The standing is final and the seed is shown."""
        championship = read_row["championship_id"]
        with self.database.transaction() as transaction:
            row = transaction.one(SQL.lock, championship=championship)
            if row is None or row["version"] != read_row["version"]:
                return False
            row["version"] += 1
            transaction.do(SQL.finish, championship=championship, version=row["version"])
            rank(transaction, row)
        logger.info("championship_finished", championship=championship)
        self._ring({championship: row["version"]})
        return True

    def _ring(self, versions: dict[str, int]) -> None:
        """Whoever reads a championship's page looks again."""
        if versions:
            self.bell.ring(versions.items())


def numbered(championship: Row, field: Sequence[Row]) -> dict[int, str]:
    """LG-251, LG-253 The accounts by pairing number, which chance gives before the first round and nothing changes later."""
    if all(row["number"] is not None for row in field):
        return {row["number"]: row["account_id"] for row in field}
    order = drawn(bytes(championship["seed"]), "seeding", championship["championship_id"], [row["account_id"] for row in field])
    return dict(enumerate(order, start=1))


def seat_all(transaction: Transaction, championship: str, number: int, accounts: dict[int, str], paired: Round) -> list[str]:
    """LG-167 The matches of a round, one per pairing."""
    matches = []
    for table_no, table in enumerate(paired.tables, start=1):
        made = transaction.one(
            SQL.seat_pairing, match_id=fresh_id("m"), command_id=fresh_id("c"), championship=championship, round=number,
            table_no=table_no, accounts=[accounts[one] for one in table])
        assert made is not None
        transaction.do(SQL.make_pairing, championship=championship, round=number, table_no=table_no, match_id=made["match_id"])
        matches.append(made["match_id"])
    seated = [(one, "table", table_no, seat) for table_no, table in enumerate(paired.tables, start=1) for seat, one in enumerate(table)]
    resting = [(one, "rest", None, None) for one in paired.rests]
    transaction.many(SQL.make_appearance, [
        {"championship": championship, "round": number, "number": one, "kind": kind, "table_no": table_no, "seat": seat}
        for one, kind, table_no, seat in (*seated, *resting)])
    return matches


def record_all(transaction: Transaction, matches: Iterable[str]) -> dict[str, int]:
    """LG-205 What became of these matches, and the standings after them: the new version of each championship that changed."""
    changed: dict[str, Row] = {}
    for match_id in sorted(set(matches)):
        try:
            with transaction.connection.transaction():      # a savepoint: a bad record holds up no other
                row = record(transaction, match_id)
        except BadResult as error:
            logger.warning("bad_result", match=match_id, error=str(error))
        else:
            changed |= {row["championship_id"]: row} if row else {}
    for championship, row in changed.items():
        transaction.do(SQL.complete_rounds, championship=championship)
        rank(transaction, row)
    return {championship: row["version"] for championship, row in changed.items()}


def record(transaction: Transaction, match_id: str) -> Row | None:
    """LG-203, LG-204 Once per match; the championship, if it has changed."""
    row = transaction.one(SQL.lock_of_match, match_id=match_id)
    pairing = transaction.one(SQL.pairing, match_id=match_id)
    if row is None or pairing is None:
        return None                                          # not one of ours
    match pairing["state"], pairing["match_state"]:
        case "running", "finished":
            raise_version(transaction, row)
            _confirm(transaction, row, match_id)
        case ("running" | "confirmed" as before), state if state in WITHOUT_RESULT:
            raise_version(transaction, row)
            if before == "confirmed":
                transaction.do(SQL.withdraw_record, match_id=match_id, version=row["version"])
            transaction.do(SQL.set_pairing, match_id=match_id, state="void")
        case _:
            return None
    return row


def _confirm(transaction: Transaction, championship: Row, match_id: str) -> None:
    places = transaction.all(SQL.places, match_id=match_id)
    if not places or any(row["place"] is None for row in places):
        raise BadResult("a seat has no place")
    gained = points([seat_of(row) for row in places], scales_of(championship))
    transaction.do(SQL.record, match_id=match_id, championship=championship["championship_id"], version=championship["version"])
    transaction.many(SQL.record_seat, [
        {**row, "match_id": match_id, "points_n": gained[row["number"]].numerator, "points_d": gained[row["number"]].denominator}
        for row in places])
    transaction.do(SQL.set_pairing, match_id=match_id, state="confirmed")


def rank(transaction: Transaction, championship: Row) -> None:
    """LG-801 The standing from nothing but the results that count."""
    name = championship["championship_id"]
    numbers = [row["number"] for row in transaction.all(SQL.field, championship=name) if row["number"] is not None]
    save_standing(transaction, name, standing(numbers, counted_tables(transaction, name), scales_of(championship)))


def raise_version(transaction: Transaction, championship: Row) -> None:
    """LG-804 One more event."""
    championship["version"] += 1
    transaction.do(SQL.set_version, championship=championship["championship_id"], version=championship["version"])


def fresh_id(kind: str) -> str:
    """PL-217 Tells nothing about anything."""
    return f"{kind}-{secrets.token_urlsafe(15)}"


def main() -> int:
    """The league process: until it is told to end."""
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    run(League(read(process="league")), stopping)
    return 0


def run(league: League, stopping: threading.Event) -> None:
    since_sweep = SWEEP
    while not stopping.is_set():
        try:
            busy = league.look(sweep=since_sweep >= SWEEP)
        except (Unavailable, FateUnknown) as error:
            logger.warning("league_waits", error=type(error).__name__)
            busy = False
        else:
            since_sweep = 0.0 if since_sweep >= SWEEP else since_sweep + (0 if busy else PERIOD)
        if not busy:
            stopping.wait(PERIOD)
