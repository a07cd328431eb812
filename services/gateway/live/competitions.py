"""How is a competition followed live? Its events in order, from any number on; hidden ones without what is in them."""

from __future__ import annotations

import time
from collections.abc import Iterator

from services.gateway.live.feeds import RESYNCS, Feeds
from services.gateway.live.frames import frame, joined, members
from services.gateway.live.lines import Line, last_words, sign_of_life
from services.gateway.live.readers import QUERIES
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from shared.runtime.store import Database, FateUnknown, Row, Unavailable

AT_ONCE = 100
LOOK_S = 5.0        # how often it is asked whether the reader may still know of a private competition
SCOPES = ("league:read", "league:enter", "league:run", "league:referee")
KINDS = {"tournaments": "tournament", "championships": "championship", "seasons": "season"}


def readable(database: Database, caller: Caller, kind: str, competition: str) -> Row:
    """LG-103, LG-129 The competition as this caller may read it, or `not_found`."""
    row = database.one(QUERIES.competition_to_read, competition=competition, account=caller.account)
    bound = caller.bound_to.get("tournament") or caller.bound_to.get("championship")
    if caller.bound_to and bound != competition:
        raise Problem("not_allowed")
    if row is None or row["kind"] != kind:
        raise Problem("not_found")
    inside = row["official"] or row["takes_part"] or caller.is_operator
    if row["visibility"] == "private" and not (caller.signed_in and inside and caller.has(*SCOPES)):
        raise Problem("not_found")
    return row


def messages(line: Line, competition: Row, after: int | None, feeds: Feeds, database: Database) -> Iterator[bytes]:
    """LG-1012 The whole life of a stream: hello or what was missed, then every event as it happens."""
    name = competition["competition_id"]
    feeds.watchers[name].add(line)
    try:
        version, first = _greeting(line, competition, after, feeds)
        yield from first
        yield from _live(line, competition, version, feeds, database)
    except (Unavailable, FateUnknown):
        line.end("unavailable")
    except Problem:
        line.end("revoked")
    else:
        return
    finally:
        feeds.watchers[name].discard(line)
        if not feeds.watchers[name]:
            del feeds.watchers[name]
    yield last_words(line, feeds.now())


def _live(line: Line, competition: Row, version: int, feeds: Feeds, database: Database) -> Iterator[bytes]:
    name, heartbeat = competition["competition_id"], feeds.settings.stream_heartbeat
    beaten = looked = time.monotonic()
    while not line.gone:
        if line.ending:
            yield last_words(line, feeds.now())
            return
        if time.monotonic() - looked >= LOOK_S:
            looked, competition = time.monotonic(), readable(database, line.caller, competition["kind"], name)
        rows = database.all(QUERIES.events_after, competition=name, after=version, official=competition["official"], most=AT_ONCE)
        for row in rows:
            version = row["number"]
            yield frame("event", _told(row), feeds.now(), ndjson=line.ndjson, number=str(version))
        if not rows and time.monotonic() - beaten >= heartbeat:
            yield sign_of_life(line, feeds.now())
        if rows or time.monotonic() - beaten >= heartbeat:
            beaten = time.monotonic()
        if not rows:
            line.rest(max(0.05, min(LOOK_S, beaten + heartbeat - time.monotonic())))


def _greeting(line: Line, competition: Row, after: int | None, feeds: Feeds) -> tuple[int, list[bytes]]:
    """`hello` for who begins; nothing but what was missed for who resumes; `resync` where the number is none of this competition."""
    newest, state = competition["version"], competition["state"]
    if competition["shown_version"] is not None and not competition["official"]:
        newest, state = competition["shown_version"], None      # LG-810: what it was then, the pages tell
    if after is not None and 0 <= after <= newest:
        return after, []
    facts = members(competition=competition["competition_id"], state=state, version=newest)
    if after is None:
        return newest, [frame("hello", facts, feeds.now(), ndjson=line.ndjson, number=str(newest))]
    RESYNCS.labels(line.kind).inc()
    return newest, [frame("resync", facts, feeds.now(), ndjson=line.ndjson, number=str(newest))]


def _told(row: Row) -> str:
    return joined(members(number=row["number"], kind=row["kind"], at=row["at"], by=row["account_id"]), body=row["body"])
