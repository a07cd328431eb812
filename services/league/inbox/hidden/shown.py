"""What may everybody read of a competition with a spectator delay, and since when? Its pages as they were, beside those of the present."""

from __future__ import annotations

from msgspec.structs import replace

from services.league.inbox.deciding import Turn
from services.league.inbox.memory import Memory, folded
from services.league.inbox.pages import put_pages, ready
from services.league.inbox.scene import scene_of
from services.league.kind import Kind, Page
from services.league.store import HIDDEN, INBOX
from shared.runtime.store import Database, Row, Transaction

SHOWN = "shown/"        # before the names of pages
FOR_FEW = ("drafted/", "appointments/")


def hold_back(transaction: Transaction, row: Row, turn: Turn) -> None:
    """LG-810 From the moment at which there is a delay, readers stay where they are; without one they are where everybody is."""
    competition, late = row["competition_id"], turn.kind.delay(turn.state) if turn.happened else 0
    if late and row["shown_version"] is None:
        transaction.do(HIDDEN.begin_pages, competition=competition)
        transaction.do(HIDDEN.begin, competition=competition)
    if late:
        transaction.do(HIDDEN.look_again, competition=competition, late=late)
    elif turn.happened and row["shown_version"] is not None:
        transaction.do(HIDDEN.end_pages, competition=competition)
        transaction.do(HIDDEN.end, competition=competition)


def show(database: Database, memory: Memory, kind: Kind, row: Row, late: int) -> int | None:
    """LG-810 What is older than the delay now: the version that everybody may read from now on, or None if it is the same as before."""
    competition, before = row["competition_id"], row["shown_version"]
    found = database.one(HIDDEN.old, competition=competition, shown=before, late=late)
    version: int | None = found["number"] if found else None
    pages = [] if version is None else _pages(database, memory, kind, row, version)
    with database.transaction() as transaction:
        if transaction.one(HIDDEN.lock, competition=competition, shown=before) is None:
            return None
        if version is not None:
            put_pages(transaction, competition, ready(pages, version))
            transaction.do(HIDDEN.show, competition=competition, version=version)
        transaction.do(HIDDEN.look_again, competition=competition, late=late)
        if any(page.name == f"{SHOWN}final" for page in pages):
            transaction.do(INBOX.wake_championships, competition=competition)
    return version


def _pages(database: Database, memory: Memory, kind: Kind, row: Row, version: int) -> list[Page]:
    """Those that have changed since what was shown before; what is old is kept in mind as the present is."""
    name = f"{SHOWN}{row['competition_id']}"
    known, state = memory.kept(name, version)
    rows = database.all(INBOX.events_after, competition=row["competition_id"], after=known, until=version)
    state = folded(kind, state, rows)
    memory.keep(name, version, state)
    scene = scene_of(database, row, (), kind.counts(state))
    return [replace(page, name=f"{SHOWN}{page.name}") for page in kind.pages(state, row["shown_version"], scene) if not page.name.startswith(FOR_FEW)]
