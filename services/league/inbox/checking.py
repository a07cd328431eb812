"""Is what is stored what the events say? Numbers, hashes and pages of a competition, computed from nothing and compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from services.league.inbox.kinds import KINDS
from services.league.inbox.memory import folded
from services.league.inbox.scene import scene_of
from services.league.inbox.writing import FIRST_HASH
from services.league.kind import Kind, Page
from services.league.store import INBOX
from shared.runtime.store import Database, Row

OF_THE_MOMENT = frozenset({"seen_at", "version"})      # members that tell when a page was written
AT_ONCE = 5_000     # entries of a log
Names = dict[tuple[str, int], Any]


def wrong_pages(database: Database, competition: str, kinds: Mapping[str, Kind] = KINDS) -> list[str]:
    """LG-802 The names of pages that differ from those computed from all events; only where they are of the present version."""
    row = database.one(INBOX.competition, competition=competition)
    if row is None or not row["version"] or row["pages_version"] != row["version"]:
        return []
    kind = kinds[row["kind"]]
    rows = database.all(INBOX.events_after, competition=competition, after=0, until=row["version"])
    state = folded(kind, None, rows)
    scene = replace(scene_of(database, row, (), kind.counts(state)), at=int(row["pages_at"].timestamp() * 1000))
    wanted = _plain(kind.pages(state, 0, scene))
    there = {(one["name"], one["part"]): _timeless(msgspec.json.decode(one["body"])) for one in database.all(INBOX.all_pages, competition=competition)}
    return sorted({name for name, part in {*wanted, *there} if wanted.get((name, part)) != there.get((name, part))})


def broken_chain(rows: Sequence[Row]) -> int | None:
    """LG-942, LG-944, LG-1011 The number of the first event that does not fit: a gap, or not what was hashed."""
    before = FIRST_HASH
    for number, row in enumerate(rows, start=1):
        line = msgspec.json.encode({"n": number, "kind": row["kind"], "body": row["body"]}, order="sorted").decode()
        wanted = hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()
        if (row["number"], row["previous_hash"], row["hash"]) != (number, before, wanted):
            return number
        before = wanted
    return None


def broken_log(database: Database, head: Row) -> int | None:
    """LG-942 to LG-944 The number of the first entry of an organisation's audit log that does not fit: a gap, not what was hashed, or cut off."""
    before, after = FIRST_HASH, 0
    while rows := database.all(INBOX.audit_log, organisation=head["organisation_id"], after=after, until=head["number"], most=AT_ONCE):
        for row in rows:
            wanted = hashlib.sha256(f"{before}\n{row['entry']}".encode()).hexdigest()
            if (row["number"], row["previous_hash"], row["hash"]) != (after + 1, before, wanted):
                return after + 1
            before, after = wanted, after + 1
    return None if (after, before) == (head["number"], head["hash"]) else after + 1


def broken_logs(database: Database) -> Iterator[tuple[str, int]]:
    """Organisations whose audit log does not fit, each with the first entry that does not."""
    for head in database.all(INBOX.audit_heads):
        if (number := broken_log(database, head)) is not None:
            yield head["organisation_id"], number


def all_wrong(database: Database, most: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """What does not fit in the newest competitions."""
    for row in database.all(INBOX.newest, most=most):
        competition = row["competition_id"]
        chain = database.all(INBOX.chain, competition=competition)
        if (number := broken_chain(chain) or (len(chain) + 1 if len(chain) < row["version"] else None)) is not None:
            yield competition, {"event": number}
        elif names := wrong_pages(database, competition):
            yield competition, {"pages": names}


def _plain(pages: Sequence[Page]) -> Names:
    return {(page.name, page.part): _timeless(msgspec.json.decode(msgspec.json.encode(page.body))) for page in pages if page.body}


def _timeless(body: Any) -> Any:
    return {name: value for name, value in body.items() if name not in OF_THE_MOMENT}
