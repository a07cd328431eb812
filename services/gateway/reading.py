"""What may a reader see of a match: view, asks, letters, replay, record (PL-381 to PL-419)?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from services.gateway.accounts import at
from services.gateway.commands import ask_told
from services.gateway.edge.cursors import Cursor
from services.gateway.matches import is_delayed, is_late
from services.gateway.problems import Problem
from services.gateway.rights import Caller, authorize, may_see
from services.gateway.store import SQL, Store
from shared.runtime.store import Row
from shared.runtime.turn.archive import Shown, opened

ENDED = frozenset({"finished", "aborted", "voided"})
ONLOOKERS = 1       # the index of a reader in views and letters; seat n is n + 2


@dataclass(frozen=True, slots=True)
class Reader:
    """As whom somebody reads a match: a place in the row of readers, and whether behind the onlookers' delay."""

    match: Mapping[str, Any]
    index: int
    late: bool = False
    host: bool = False

    @property
    def seat(self) -> int | None:
        return None if self.index == ONLOOKERS else self.index - 2


def reader(store: Store, caller: Caller, match: str, wanted: str | None) -> Reader:
    """PL-297, PL-389, PL-419 The seat wanted, if it is the caller's; the host's chair; or an onlooker like everybody."""
    thing = may_see(store, caller, match)
    facts = thing.match
    hosts = caller.signed_in and facts["acting_host"] == caller.account and bool(facts["host_chair"]) and not facts["deals_elsewhere"]
    if wanted == "host" or (wanted is None and not thing.mine and hosts):
        if not hosts:
            raise Problem("not_your_seat")
        return Reader(facts, ONLOOKERS, host=True)
    if wanted == "onlookers" or (wanted is None and len(thing.mine) != 1):
        return Reader(facts, ONLOOKERS, late=is_delayed(facts))     # also a seat's holder who reads as an onlooker
    seat = thing.mine[0] if wanted is None else int(wanted)
    if seat not in thing.mine:
        raise Problem("not_your_seat")
    authorize(caller, "match.read_seat", thing)
    return Reader(facts, seat + 2)


# Now -------------------------------------------------------------------------------------------------------------------


def view(store: Store, who: Reader) -> tuple[bytes, str]:
    """The view as JSON, made of the texts the worker stored; and its ETag."""
    row = _delayed(store, who) if who.late else _present(store, who)
    if row is None or row["body"] is None:
        raise Problem("not_yet")
    head = {"match": who.match["match_id"], "seat": who.seat, "step": row["step"], "at": at(row["at"]), "state": row["state"],
            "awaited": row["awaited"], "view_hash": row["hash"]}
    host = b',"host":' + row["host"].encode() if who.host else b""
    body = orjson.dumps(head)[:-1] + b',"clocks":' + row["clocks"].encode() + host + b',"view":' + row["body"].encode() + b"}"
    return body, f'"{row["step"]}-{row["hash"][:16]}-{row["state"]}"'


def _present(store: Store, who: Reader) -> Row | None:
    row = store.one(SQL.view_of, match=who.match["match_id"], reader=who.index)
    if row is not None and row["body"] is None and (kept := _archived(store, who.match["match_id"])):
        row["body"] = kept.views["bodies"][who.index - 1]
    return row


def _archived(store: Store, match: str) -> Shown | None:
    """PL-257 The letters and views of a match that has been archived."""
    place = store.one(SQL.archive_of, match=match)
    return opened(store.archive, place["location"], place["hash"]) if place else None


def _delayed(store: Store, who: Reader) -> Row | None:
    """EX-17 The newest letter that onlookers may see carries the whole view of its step."""
    row = store.one(SQL.letter_shown, match=who.match["match_id"])
    if row is None:
        return None
    letter = orjson.loads(row["body"])
    return {"step": row["step"], "at": row["at"], "state": row["late_state"], "awaited": letter["awaited"], "hash": letter["view_hash"],
            "clocks": orjson.dumps(letter["clocks"]).decode(), "body": orjson.dumps(letter["view"]).decode(), "host": "[]"}


def text(store: Store, who: Reader) -> dict[str, Any]:
    """PL-359 The view in lines; behind a delay those of the step that is shown (PL-419)."""
    if who.late:
        return _late_text(store, who)
    row = store.one(SQL.text_of, match=who.match["match_id"], reader=who.index)
    if row is not None and row["text"] is None and (kept := _archived(store, who.match["match_id"])):
        row["text"] = kept.views["texts"][who.index - 1]
    if row is None or row["text"] is None:
        raise Problem("not_yet")
    return {"match": who.match["match_id"], "seat": who.seat, "step": row["step"], "text": row["text"]}


def _late_text(store: Store, who: Reader) -> dict[str, Any]:
    row = store.one(SQL.letter_shown, match=who.match["match_id"])
    lines = orjson.loads(row["body"]).get("text") if row is not None else None
    if row is None or lines is None:
        raise Problem("not_yet")
    return {"match": who.match["match_id"], "seat": None, "step": row["step"], "text": lines}


def asks(store: Store, caller: Caller, match: str, wanted: str | None) -> list[dict[str, Any]]:
    """PL-361 The open asks of the caller's seats, and of no other."""
    thing = may_see(store, caller, match)
    if wanted is not None and (not wanted.isdigit() or int(wanted) not in thing.mine):
        raise Problem("not_your_seat")
    if not thing.mine:
        return []
    authorize(caller, "match.read_seat", thing)
    seats = list(thing.mine) if wanted is None else [int(wanted)]
    return [ask_told(match, row) for row in store.all(SQL.asks_of, match=match, seats=seats)]


def letters(store: Store, who: Reader, asked: Mapping[str, Any], cursor: Cursor) -> dict[str, Any]:
    """One letter per step, in order; the onlookers' without the views that are kept for the delay."""
    after = cursor.read(asked.get("cursor"))
    facts = {"match": who.match["match_id"], "after": after[0] if after else asked.get("after", 0), "most": asked["limit"] + 1}
    rows = store.all(SQL.letters_of, **facts, reader=who.index, late=who.late) or _archived_letters(store, facts, who.index)
    return cursor.page([(_letter(row["body"]), (row["step"],)) for row in rows], asked["limit"])


def _archived_letters(store: Store, facts: Mapping[str, Any], reader: int) -> list[Row]:
    """The same out of the file of an archived match, if it is one; reader 0 means openly."""
    kept = _archived(store, facts["match"])
    return kept.letters_of(reader, facts["after"], facts["most"]) if kept else []


def _letter(body: str) -> dict[str, Any]:
    letter: dict[str, Any] = orjson.loads(body)
    for kept in ("view", "text"):
        letter.pop(kept, None)
    return letter


# After the end -----------------------------------------------------------------------------------------------------------


def replay(store: Store, caller: Caller, match: str, asked: Mapping[str, Any], cursor: Cursor) -> dict[str, Any]:
    """PL-416, PL-417 As a seat saw it, or openly; both only once the match has ended, but for the seat's own account."""
    thing = may_see(store, caller, match)
    wanted = asked.get("reader", "open")
    own = wanted != "open" and int(wanted) in thing.mine
    if own:
        authorize(caller, "match.read_seat", thing)
    elif not _is_open(thing.match, caller):
        raise Problem("not_yet")
    if wanted != "open" and int(wanted) >= thing.match["seats"]:
        raise Problem("not_found")
    after = cursor.read(asked.get("cursor"))
    facts = {"match": match, "after": after[0] if after else asked.get("after", 0), "most": asked["limit"] + 1}
    index = 0 if wanted == "open" else int(wanted) + 2
    rows = store.all(SQL.letters_of, **facts, reader=index, late=False) if index else store.all(SQL.open_letters, **facts)
    rows = rows or _archived_letters(store, facts, index)
    return cursor.page([(_letter(row["body"]), (row["step"],)) for row in rows], asked["limit"])


def is_over(match: Mapping[str, Any], caller: Caller) -> bool:
    """Ended, for this caller: behind a delay the end comes later."""
    return match["state"] in ENDED and not is_late(match, caller)


def _is_open(match: Mapping[str, Any], caller: Caller) -> bool:
    """PL-392 Whether what was hidden is shown: of matches that share a deal, once the last of them has ended."""
    return is_over(match, caller) and bool(match["deal_over"])


def record(store: Store, caller: Caller, match: str) -> str:
    """PL-417 NDJSON: commands, events, hashes, seed."""
    return str(_kept(store, caller, match)["record"])


def proof(store: Store, caller: Caller, match: str) -> dict[str, Any]:
    """PL-622 Seed, key and contributions."""
    proof_: dict[str, Any] = _kept(store, caller, match)["proof"]
    return proof_


def _kept(store: Store, caller: Caller, match: str) -> Row:
    thing = may_see(store, caller, match)
    row = store.one(SQL.record_of, match=match) if _is_open(thing.match, caller) else None
    if row is None:
        raise Problem("not_yet")
    return row


def result(store: Store, caller: Caller, match: str) -> dict[str, Any]:
    """PL-249, PL-250 Place and score of every seat, and apart from them how it ended."""
    thing = may_see(store, caller, match)
    rows = store.all(SQL.result_of, match=match) if is_over(thing.match, caller) else []
    if not rows:
        raise Problem("not_yet")
    first = rows[0]
    seats = [{name: row[name] for name in ("seat", "place", "table_place", "score", "how", "account", "bot_level", "substitute_of", "counts_for")} for row in rows]
    return {"match": match, "game": first["game"], "rated": first["rated"], "unfinished": first["unfinished"], "flag": first["flag"],
            "ended_at": at(first["ended_at"]), "voided_at": at(first["voided_at"]), "seats": seats}


# My things -----------------------------------------------------------------------------------------------------------------


def my_asks(store: Store, caller: Caller, asked: Mapping[str, Any], cursor: Cursor) -> dict[str, Any]:
    """PL-704 All open asks of the account over all matches, the first due first."""
    after = cursor.read(asked.get("cursor"))
    needed = {"true": True, "false": False}.get(asked.get("needed", ""))
    rows = store.all(SQL.my_asks, account=caller.id, bounds=list(caller.bound_to.values()), game=asked.get("game"), needed=needed,
                     due=after[0] if after else None, match_after=after[1] if after else None, seat=after[2] if after else None,
                     most=asked["limit"] + 1)
    return cursor.page([({**ask_told(row["match_id"], row), "game": row["game"]}, (row["due_key"].isoformat(), row["match_id"], row["seat"]))
                        for row in rows], asked["limit"])
