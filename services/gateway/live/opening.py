"""What does a line read by itself? The greeting, and the letters between what its reader has and what is new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from services.gateway.live.feeds import RESYNCS, Feeds
from services.gateway.live.frames import frame, joined, members
from services.gateway.live.lines import Line, Place, last_words, sign_of_life
from services.gateway.live.readers import QUERIES
from shared.runtime.store import Database, FateUnknown, Row, Unavailable
from shared.runtime.turn.archive import folder_of, opened

AT_ONCE = 100  # letters in one answer of the database


class OnlookersLetter(msgspec.Struct):
    """What `hello` takes from a letter for readers behind a delay: such a letter holds the whole view."""

    view: msgspec.Raw = msgspec.Raw(b"null")
    view_hash: str = ""
    clocks: msgspec.Raw = msgspec.Raw(b"null")
    awaited: msgspec.Raw = msgspec.Raw(b"null")


def messages(line: Line, feeds: Feeds, database: Database) -> Iterator[bytes]:
    """The whole life of a line, from `hello` to `bye`."""
    while not line.gone:
        if line.waiting:
            yield line.take()
        elif line.fresh and not line.ending:
            yield from _opened(line, line.fresh.popleft(), feeds, database)
        elif line.ending:
            yield last_words(line, feeds.now())
            return
        elif not line.rest(feeds.settings.stream_heartbeat):
            yield sign_of_life(line, feeds.now())


def _opened(line: Line, place: Place, feeds: Feeds, database: Database) -> Iterator[bytes]:
    if line.kind == "me":
        feeds.settle(place)
        line.dirty = True
        return
    try:
        yield from _greeting(line, place, feeds, database)
        yield from _missing(line, place, feeds, database)
    except (Unavailable, FateUnknown):
        line.end("unavailable")


def _greeting(line: Line, place: Place, feeds: Feeds, database: Database) -> Iterator[bytes]:
    """PL-452 `hello`, unless the reader says where it was; PL-455 a number that cannot be gone on from: resync, then hello."""
    if place.step is not None:
        there = database.one(QUERIES.letters_there, match=place.match_id, delayed=place.delayed) or {"oldest": None, "newest": None}
        if there["oldest"] is not None and there["oldest"] - 1 <= place.step <= there["newest"]:
            return
        RESYNCS.labels(line.kind).inc()
        yield frame("resync", members(match=place.match_id, reason="unknown_step"), feeds.now(), ndjson=line.ndjson)
    step, greeting = hello(database, place, folder_of(feeds.settings))
    place.step = step
    number = f"{place.match_id}:{step}" if line.many else str(step)
    yield frame("hello", greeting, feeds.now(), ndjson=line.ndjson, number=number)


def _missing(line: Line, place: Place, feeds: Feeds, database: Database) -> Iterator[bytes]:
    """PL-454 The letters after what the reader has, until nothing new can have fallen between."""
    while not place.live and not line.gone and (place.match_id, place.reader) in line.places:
        bells = feeds.bells_of(place)
        rows = database.all(QUERIES.letters_of, match=place.match_id, reader=place.reader, after=place.step, delayed=place.delayed, most=AT_ONCE)
        for row in rows:
            place.step = row["step"]
            number = f"{place.match_id}:{place.step}" if line.many else str(place.step)
            yield frame("letter", row["body"], feeds.now(), ndjson=line.ndjson, number=number)
        if not rows and feeds.caught_up(place, bells):
            return


def hello(database: Database, place: Place, folder: Path) -> tuple[int, str]:
    """The step and the greeting for one place; the view of an archived match lies in its file (PL-257)."""
    row = database.one(QUERIES.standing, match=place.match_id, reader=place.reader) or {}
    if row.get("location"):
        row["view"] = opened(folder, row["location"], row["hash"]).views["bodies"][place.reader - 1]
    reader = "host" if place.host else "onlookers" if place.seat is None else "seat"
    if place.delayed:
        return _late_hello(database, place, row)
    facts = members(match=place.match_id, reader=reader, seat=place.seat, step=row["step"], state=row["state"],
                    awaited=row["awaited"] or [], view_hash=row["view_hash"])
    return row["step"], joined(facts, view=row["view"], ask=ask_message(place, row), clocks=row["clocks"],
                               host=row["host"] if place.host else "[]")


def ask_message(place: Place, row: Row) -> str | None:
    """An open ask as its seat gets it: what the worker wrote, with its times."""
    if row.get("ask") is None:
        return None
    facts = members(match=place.match_id, seat=place.seat, ask=row["ask"], opened_at=row["opened_at"], due_at=row["due_at"])
    return f"{facts[:-1]},{row['ask_body'][1:]}"


def _late_hello(database: Database, place: Place, row: Row) -> tuple[int, str]:
    """PL-419 What onlookers may see by now; that the match is over they learn as late as everything else."""
    there = database.one(QUERIES.letters_there, match=place.match_id, delayed=True)
    step = (there and there["newest"]) or 0
    found = database.one(QUERIES.letters_of, match=place.match_id, reader=place.reader, after=step - 1, delayed=True, most=1) if step else None
    letter = msgspec.json.decode(found["body"], type=OnlookersLetter) if found else OnlookersLetter()
    facts = members(match=place.match_id, reader="onlookers", seat=None, step=step, state=row["late_state"], view_hash=letter.view_hash)
    return step, joined(facts, view=str(bytes(letter.view), "utf-8"), ask=None, clocks=str(bytes(letter.clocks), "utf-8"),
                        awaited=str(bytes(letter.awaited), "utf-8"), host="[]")
