"""Which mail goes out next, to whom, and what follows from the attempt? All of it in Postgres, so that any number of relays may run and die.

A relay that dies after the mail server has taken a mail and before that is marked sends it again, under the same Message-ID.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from datetime import time as time_of_day
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidTag

from services.relay.mail.letter import ASKED_FOR, WORDS, letter, zone_of
from services.relay.mail.server import Outcome
from shared.runtime import log
from shared.runtime.outward import unseal
from shared.runtime.settings import Settings
from shared.runtime.store import Database, Queries, Row

SQL = Queries(Path(__file__).with_name("mails.sql"))
MINUTE, HOUR = 60.0, 3_600.0
BUNDLED = 15 * MINUTE       # PL-577
READING = 1 * MINUTE        # between two looks whether a stream is still open
LEASE = 5 * MINUTE          # in which an attempt is over, whatever happens
PAUSES = (1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR)
MORE = 0.1                  # random addition, so that what failed together does not come back together
LONGEST = {"reset": 30 * MINUTE, "confirm": 72 * HOUR}      # the link is of no use afterwards
STALE = 36 * HOUR           # news that could not be sent for so long is on the page anyway
AT_ONCE = 100               # as the SQL function has it
KEPT, FEW = 30 * 24 * HOUR, 1_000
logger = log.get(__name__)


class Owed(NamedTuple):
    """A mail that is to be sent now, by whoever holds its turn."""

    row: Row
    reader: Row
    code: str
    turns: list[Row]

    def letter(self, settings: Settings) -> EmailMessage:
        return letter(settings, self.row, self.reader, self.code, self.turns)


def owe_turns(database: Database, bundled: float = BUNDLED) -> None:
    """PL-577 Open questions become mails once the first of them has waited; so many accounts in one transaction."""
    while (row := database.one(SQL.owe_turns, bundled=bundled)) is not None and row["owed"] == AT_ONCE:
        pass


def take(database: Database, settings: Settings) -> Owed | None:
    """The next mail that may go now; what may not yet is put off, what is of no use any more is over."""
    while True:
        with database.transaction() as transaction:
            row = transaction.one(SQL.take, lease=LEASE)
            if row is None:
                return None
            reader = transaction.one(SQL.reader, account=row["account_id"], notice=row["notice"])
            turns = transaction.all(SQL.turns, mail=row["mail_id"]) if row["kind"] == "your_turn" else []
            facts = {"mail": row["mail_id"], "turn": row["turn"]}
            if reader is None or not _wanted(row, reader, turns):
                transaction.do(SQL.over, **facts, state="moot", reason="")
            elif (wait := _waits(row, reader)) > 0:
                transaction.do(SQL.put_off, **facts, wait=wait)
            elif (code := _code(settings, row)) is None:
                transaction.do(SQL.over, **facts, state="given_up", reason="key")
            else:
                return Owed(row, reader, code, turns)


def _wanted(row: Row, reader: Row, turns: list[Row]) -> bool:
    """Whether somebody is still there who wants it, at an address that is theirs, and it is not too late."""
    kind, age = row["kind"], (reader["now"] - row["made_at"]).total_seconds()
    if not reader["here"] or not reader["news"] or not reader["code_for" if kind == "confirm" else "address"] or kind not in WORDS["en"]:
        return False
    if kind == "your_turn":
        return bool(turns) and kind in reader["kinds"]
    return age < LONGEST.get(kind, STALE) and (kind in ASKED_FOR or kind in reader["kinds"])


def _waits(row: Row, reader: Row) -> float:
    """PL-577 Seconds until it may go: outside quiet hours; news of a turn not while a stream is open."""
    if row["kind"] in ASKED_FOR:
        return 0.0
    quiet = quiet_for(reader["quiet_from"], reader["quiet_to"], reader["zone"], reader["now"])
    return quiet or (READING if row["kind"] == "your_turn" and reader["reading"] else 0.0)


def quiet_for(begins: int | None, ends: int | None, zone: str, now: datetime) -> float:
    """Seconds until the quiet hours are over, by the clocks of the zone; 0 outside of them."""
    if begins is None or ends is None or begins == ends:
        return 0.0
    here = now.astimezone(zone_of(zone))
    minute = here.hour * 60 + here.minute
    inside = begins <= minute < ends if begins < ends else minute >= begins or minute < ends
    if not inside:
        return 0.0
    day = here.date() + timedelta(days=1 if minute >= ends else 0)
    over = datetime.combine(day, time_of_day(ends // 60, ends % 60), here.tzinfo)
    return max(1.0, over.timestamp() - now.timestamp())


def _code(settings: Settings, row: Row) -> str | None:
    """The code of its link; None where the key it was encrypted under is gone."""
    if row["sealed"] is None:
        return ""
    try:
        return unseal(settings, f"mail {row['account_id']}", bytes(row["sealed"])).decode()
    except InvalidTag:
        return None


def mark(database: Database, row: Row, outcome: Outcome) -> None:
    """What became of it; nothing where the turn has passed to somebody else meanwhile."""
    facts = {"mail": row["mail_id"], "turn": row["turn"]}
    if outcome.good:
        database.do(SQL.over, **facts, state="sent", reason="")
    elif outcome.final or row["tries"] > len(PAUSES):
        database.do(SQL.over, **facts, state="given_up", reason=outcome.reason)
        logger.warning("mail_given_up", mail=row["mail_id"], kind=row["kind"], reason=outcome.reason)
    else:
        wait = PAUSES[row["tries"] - 1] * (1 + MORE * random.random())      # noqa: S311  nothing is guessed from it
        database.do(SQL.later, **facts, reason=outcome.reason, wait=wait)
        logger.info("mail_failed", mail=row["mail_id"], kind=row["kind"], reason=outcome.reason)


def tidy(database: Database) -> None:
    database.one(SQL.forget_turns)
    while database.do(SQL.forget_mails, kept=KEPT, most=FEW) == FEW:
        pass
