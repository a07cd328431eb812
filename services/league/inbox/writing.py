"""How does a decision get onto the disk? Events, outcomes, audit, orders, ratings and pages in one transaction, or none of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from psycopg.types.json import Json, Jsonb

from services.league.inbox.deciding import Became, Happened, Turn
from services.league.inbox.hidden.shown import hold_back
from services.league.inbox.pages import Pages, write_pages
from services.league.inbox.rating_record import write_ratings
from services.league.inbox.telling import Told, told_by, write_told
from services.league.kind import Kind
from services.league.store import INBOX
from shared.runtime.store import Row, Transaction

FIRST_HASH = "0" * 64
AT_ONCE = 500       # events in one statement
OFFICIAL = frozenset({"host", "owner", "organiser", "referee"})
ALWAYS_NOTED = frozenset({"withdraw", "return", "forfeit", "disqualify", "close", "new_seed", "seed"})     # LG-941
DRAWS = frozenset({"seeded", "closed", "seed_replaced"})


class Rows(NamedTuple):
    """What is to be written, ready before the transaction begins: it waits for nothing that can be done without it."""

    events: list[dict[str, Any]]
    acts: list[dict[str, Any]]
    orders: list[dict[str, Any]]
    stops: list[dict[str, Any]]
    told: Told


def rows_of(turn: Turn, before: str) -> Rows:
    """`before` is the hash of the last event that is there."""
    orders = [{"match": order.match, "pairing": order.pairing, "event": event, "wish": msgspec.to_builtins(order, str_keys=True)}
              for event, order in turn.orders]
    stops = [{"event": event, "match": match, "what": what} for event, match, what in turn.stops]
    return Rows(list(_chained(before, turn.happened, turn.kind)), [_closed(one) for one in turn.became], orders, stops, told_by(turn, turn.scene.at))


def write(transaction: Transaction, row: Row, turn: Turn, rows: Rows, due: int | None, pages: Pages | None) -> bool:
    """LG-145 False where something has happened since the competition was read; then nothing is written."""
    competition = row["competition_id"]
    if transaction.one(INBOX.lock, competition=competition, version=row["version"], done=row["done_arrival"], due=row["due_at"]) is None:
        return False
    # LG-146 what other services are to do lies in rows, and leaves after the commit
    for query, several in ((INBOX.add_events, rows.events), (INBOX.close_acts, rows.acts), (INBOX.order_matches, rows.orders), (INBOX.order_stops, rows.stops)):
        for at in range(0, len(several), AT_ONCE):
            transaction.do(query, competition=competition, rows=Json(several[at:at + AT_ONCE]))
    _note(transaction, row, turn)
    write_ratings(transaction, competition, row["game"], turn.rated)
    done = turn.became[-1].act.arrival if turn.became else row["done_arrival"]
    transaction.do(INBOX.move_on, competition=competition, version=turn.version, done=done, due=due, seed=turn.seed)
    write_told(transaction, competition, rows.told)
    if turn.happened and row["kind"] != "tournament":
        _write_counted(transaction, competition, turn.kind, turn.state)
    hold_back(transaction, row, turn)
    if turn.apart is not None:
        turn.apart.write(transaction, (one.event for one in turn.happened))
    if pages is not None:
        write_pages(transaction, competition, pages)
    return True


def _chained(before: str, happened: Iterable[Happened], kind: Kind) -> Iterable[dict[str, Any]]:
    """Each event with the hash over the one before it, so that none can be changed or left out afterwards."""
    for number, event, act, tag, body in happened:
        line = msgspec.json.encode({"n": number, "kind": tag, "body": body}, order="sorted").decode()
        after = hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()
        yield {"number": number, "kind": tag, "body": body, "hidden": tag in kind.hidden, "act_id": act and act.act_id, "account_id": event.by or None,
               "at": event.at, "previous_hash": before, "hash": after}
        before = after


def _closed(one: Became) -> dict[str, Any]:
    """LG-150 A refusal is told with its code and what stands in the way."""
    answer = None if one.answer is None else msgspec.json.encode(one.answer).decode()
    return {"arrival": one.act.arrival, "state": "refused" if one.code else "done", "code": one.code or None, "sentence": one.sentence or None,
            "named": msgspec.to_builtins(one.named, str_keys=True), "version": one.version, "events": one.events, "answer": answer}


def _note(transaction: Transaction, row: Row, turn: Turn) -> None:
    """LG-941 One entry for each act of an official, each withdrawal, return, forfeit and draw; `before` and `version` are those of the competition, at
    which all of it can be read as it was.
    """
    for one in turn.became:
        if one.events and (one.act.kind in ALWAYS_NOTED or one.act.roles & OFFICIAL):
            body = {name: value for name, value in one.act.body.items() if name != "reason"}
            facts = {"act": one.act.kind, "who": one.act.account, "token": one.act.token, "at": one.act.at, "on": row["competition_id"],
                     "before": one.version - one.events, "version": one.version, "reason": str(one.act.body.get("reason", "")),
                     "after": msgspec.json.encode(body, order="sorted").decode(), "pairing": _pairing(turn, one)}
            _noted(transaction, row, None if one.act.own else one.act.account, facts)
    for number, event, act, tag, _ in turn.happened:
        if act is None and tag in DRAWS:
            _noted(transaction, row, None, {"act": f"{tag}", "who": "", "at": event.at, "on": row["competition_id"], "version": number, "reason": "its time came"})


def _pairing(turn: Turn, one: Became) -> str:
    """LG-945 Which pairing an act is about, as it says itself, or as the correction that it confirms or takes back."""
    bodies = [one.act.body, *(msgspec.json.decode(event.body) for event in turn.happened if event.act is one.act)]
    named = [place.get("pairing") for body in bodies for place in (body, body.get("correction")) if isinstance(place, Mapping)]
    return next((pairing for pairing in named if isinstance(pairing, str)), "")


def _noted(transaction: Transaction, row: Row, account: str | None, facts: dict[str, Any]) -> None:
    transaction.one(INBOX.note, organisation=row["organisation_id"], competition=row["competition_id"], account=account, facts=Jsonb(facts))


def _write_counted(transaction: Transaction, championship: str, kind: Kind, state: Any) -> None:
    tournaments = list(kind.counts(state))
    transaction.do(INBOX.counts, competition=championship, tournaments=tournaments)
    transaction.do(INBOX.counts_no_more, competition=championship, tournaments=tournaments)
