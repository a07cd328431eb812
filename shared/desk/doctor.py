"""What is wrong in this installation, and what of it can be mended safely? `cupboard doctor [--repair] [--json]`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg

from services.league.inbox.checking import all_wrong, broken_logs
from shared.desk import here
from shared.desk.replay import SQL
from shared.runtime.migrate import to_do
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.stuck import audit


class Check(NamedTuple):
    """Something that should never be found; `mend` names the statement that puts it right, where that is safe."""

    name: str
    meaning: str
    mend: str = ""


class Finding(NamedTuple):
    """One thing that was found, and what it was mended to."""

    check: Check
    on: str
    before: dict[str, Any]
    after: dict[str, Any] | None = None

    def told(self) -> dict[str, Any]:
        return {"check": self.check.name, "meaning": self.check.meaning, "on": self.on, "before": self.before, "after": self.after}


# Each name is that of a statement in queries.sql.
CHECKS = (
    Check("waiting_rows", "accepted rows wait, and no worker carries them out"),
    Check("late_asks", "the time of a seat is up, and no time-out was given"),
    Check("late_timers", "a timer is due, and nothing happened"),
    Check("clockless_asks", "a seat is asked, and no clock runs although the match has one"),
    Check("idle_matches", "a match runs and waits neither for a seat nor for a phase to end"),
    Check("views_behind", "readers are shown an older step"),
    Check("lost_steps", "the record of a match has been changed, or has a gap"),
    Check("stuck_matches", "the rules of a game failed; `cupboard match release` goes on"),
    Check("no_result", "a match is finished and has no result"),
    Check("no_record", "a match has ended and has no record"),
    Check("old_letters", "a match ended long ago and has not been archived; `cupboard archive run` tries it now"),
    Check("uncounted", "a match has ended and the league knows nothing of it", "mend_uncounted"),
    Check("unpaired", "a tournament has a match that belongs to no pairing"),
    Check("unmade", "a match was ordered by the league and is not there", "mend_unmade"),
    Check("late_competitions", "a time has come in a competition, and nothing happened"),
    Check("waiting_acts", "nobody decides what was asked of a competition"),
    Check("pages_behind", "a competition is shown at an older version"),
    Check("paused_hooks", "what a webhook is to be told does not arrive; its owners resume it"),
    Check("late_deliveries", "what is due for a webhook is not sent: no relay runs"),
    Check("late_mails", "mails are not sent: no relay sends any, or its mail server takes none"),
    Check("late_reminders", "a deadline has come near, and nobody was reminded"),
    Check("old_outbox", "news of a match reached nobody"),
    Check("nobody_plays", "a match goes on under a version of its game that nobody plays here"),
    Check("lost_seats", "a seat is held by an account that is gone"),
    Check("left_asks", "a question is open in a match that is over", "mend_left_asks"),
    Check("left_timers", "a timer is left of a match that is over", "mend_left_timers"),
)
WRONG_PAGES = Check("wrong_pages", "what is shown of a competition is not what its events say", "mend_pages")
BROKEN_CHAIN = Check("broken_chain", "the record of a competition has been changed")
BROKEN_LOG = Check("broken_log", "the audit log of an organisation has been changed")
COMPETITIONS = 200      # of the newest, whose pages are computed again
MATCHES = 200           # of the newest, whose steps are chained again
MIGRATIONS = Check("migrations", "the schema is not up to date; `cupboard migrate` goes on")


def main(argv: list[str]) -> int:
    """Ends with 1 while something is found that was not mended."""
    parser = argparse.ArgumentParser(prog="cupboard doctor", description="Looks for what should never be there.")
    parser.add_argument("--repair", action="store_true", help="mend what can be mended safely, with an audit row each")
    parser.add_argument("--json", action="store_true", help="tell it as JSON")
    wanted = parser.parse_args(argv)
    settings = here.settings()
    database = Database(settings.database_url, settings, "doctor", size=1)
    try:
        findings = [mended(database, finding) if wanted.repair else finding for finding in look(settings, database)]
    finally:
        database.close()
    if wanted.json:
        print(json.dumps([finding.told() for finding in findings], indent=2, default=str))
    else:
        print("\n".join(map(in_words, findings)) or "nothing is wrong")
    return 1 if any(finding.after is None for finding in findings) else 0


def look(settings: Settings, database: Database) -> Iterator[Finding]:
    """PL-654 Everything there is to find; without the whole schema nothing else can be asked."""
    with psycopg.connect(settings.database_url) as connection:
        waiting = to_do(connection)
    if waiting:
        yield from (Finding(MIGRATIONS, migration.name, {}) for migration in waiting)
        return
    for check in CHECKS:
        for row in database.all(getattr(SQL, check.name), kept=settings.letters_kept, newest=MATCHES):
            yield Finding(check, row["on"], row["facts"])
    for competition, facts in all_wrong(database, COMPETITIONS):
        yield Finding(BROKEN_CHAIN if "event" in facts else WRONG_PAGES, competition, facts)
    for organisation, entry in broken_logs(database):
        yield Finding(BROKEN_LOG, organisation, {"entry": entry})


def mended(database: Database, finding: Finding) -> Finding:
    """PL-655 One transaction with its audit row; a repeat finds nothing left to do."""
    if not finding.check.mend:
        return finding
    with database.transaction() as transaction:
        row = transaction.one(getattr(SQL, finding.check.mend), on=finding.on)
        if row is None:
            return finding
        facts = {"who": "doctor", "what": f"doctor.{finding.check.mend}", "on": finding.on, "reason": finding.check.meaning}
        audit(transaction, facts, finding.before, row["after"])
    return finding._replace(after=row["after"])


def in_words(finding: Finding) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in finding.before.items())
    done = f"\n{'':>16}  mended: {json.dumps(finding.after)}" if finding.after is not None else ""
    return f"{finding.check.name:>16}  {finding.on}: {finding.check.meaning} ({facts or 'no more is known'}){done}"
