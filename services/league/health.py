"""Does this process still take up what comes in? Its readiness asks, so that one that has stopped is replaced."""

from __future__ import annotations

import time

from services.league.inbox.office import HUGE
from services.league.store import INBOX
from shared.runtime.settings import Settings
from shared.runtime.store import Database, FateUnknown, Unavailable
from shared.runtime.vitals import Checks

PATIENCE = 30.0     # seconds


def checks(settings: Settings) -> Checks:
    """LG-1042 Beside what every process is asked for."""
    database, begun = Database(settings.database_of("league"), settings, "league-health", size=1), time.monotonic()
    return {"progress": lambda: progresses(database, time.monotonic() - begun)}


def progresses(database: Database, up: float) -> bool:
    """LG-1042 No message has waited too long since this process says that it is up; what came before counts from its start."""
    if up <= PATIENCE:
        return True
    try:
        row = database.one(INBOX.oldest_unworked, huge=HUGE)
    except (Unavailable, FateUnknown):
        return False
    return row is None or row["age"] is None or bool(min(row["age"], up) <= PATIENCE)
