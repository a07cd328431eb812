"""What can be read of a competition? The pages that the league wrote, with the names of the accounts in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from services.gateway.accounts import FORMER, at
from services.gateway.competitions import acts
from services.gateway.competitions.paper import Paper, accounts_in, of_row, paper, sent, stored
from services.gateway.competitions.sight import SQL, Seen
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.edge.idempotency import Answer
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import Store, Work
from shared.runtime.store import Row

EVENTS = 500
SLOW = ("standing", "teams", "bracket", "cross", "game", "moves")      # of a huge field these are written some time after the others
MASKED = "{}"       # the body of what only officials may read yet


def line(row: Row) -> dict[str, Any]:
    """One line of a list."""
    return {**told(row), "title": row["title"], "tournaments": row["tournaments"]}


def told(row: Row) -> dict[str, Any]:
    return {row["kind"]: row["competition_id"], "name": row["name"], "organisation": {"organisation": row["organisation_id"], "name": row["organisation_name"]},
            "game": row["game"], "game_version": row["game_version"], "visibility": row["visibility"], "state": row["state"], "entrants": row["entrants"],
            "version": row["version"], "created_at": at(row["created_at"])}


def listed(gate: Gate, caller: Caller, kind: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """PL-214, LG-129 Newest first."""
    cursor = Cursor(gate.sign_key, f"{kind}s", caller.account, asked)
    after = cursor.read(asked.get("cursor")) or (None, None)
    wanted = {name: asked.get(name) for name in ("organisation", "game", "state", "account")}
    reader = caller.account if caller.has("league:read", "league:enter", "league:run", "league:referee") else None
    rows = gate.store.all(SQL.listed, kind=kind, reader=reader, all=caller.is_operator, before=after[0], before_id=after[1], most=asked["limit"] + 1, **wanted)
    return cursor.page([(line(row), (row["created_at"].isoformat(), row["competition_id"])) for row in rows], asked["limit"])


def head(gate: Gate, caller: Caller, found: Seen) -> Answer:
    """LG-1001 What stands over every page of a competition: the league's first page, the officials, the championships that count it."""
    page = gate.store.one(SQL.page, competition=found.id, name=found.stored("head"), part=0)
    if page is None:
        raise Problem("not_found")
    row = found.row
    entrants = gate.store.all(SQL.mine, competition=found.id, account=caller.account) if caller.signed_in else []
    said = orjson.loads(page["body"])
    if not found.is_official:
        said.pop("bars", None)      # LG-951 who is kept apart is nobody else's affair
    late = {"state": said["state"], "entrants": said["entrants"], "due_at": None} if found.looks_on else {"due_at": at(row["due_at"])}
    body = {**said, **told(row), "version": found.pages_version, "held": row["held"], "fault": bool(row["fault"]), **late,
            "officials": officials(gate, found), "mine": {"roles": sorted(found.roles), "entrants": entrants}}
    if row["kind"] == "tournament":
        title = gate.store.one(SQL.title, game=row["game"])
        body |= {"title": title["title"] if title else row["game"],
                 "counted_in": [one["championship_id"] for one in gate.store.all(SQL.counted_in, competition=found.id)]}
    return Answer(200, with_names(gate.store, body), tag(found.pages_version) if not caller.signed_in else {})


def officials(gate: Gate, found: Seen) -> list[dict[str, Any]]:
    """LG-123 The names of the referees are public, and of those whose role holds everywhere in the organisation."""
    rows = [{**one, "role": "referee", "everywhere": False} for one in gate.store.all(SQL.officials, competition=found.id)]
    rows += [{**one, "everywhere": True} for one in gate.store.all(SQL.roles_of, organisation=found.row["organisation_id"])]
    return [{**one, "given_at": at(one["given_at"])} for one in rows]


def rounds(gate: Gate, found: Seen, stage: int) -> dict[str, Any]:
    """That a round has begun is known at once to those who play in it (LG-810)."""
    like = f"round/{stage}/%"
    like = like if found.row["takes_part"] else found.stored(like)
    return {"items": gate.store.all(SQL.rounds, competition=found.id, like=like), "version": found.pages_version}


def page(gate: Gate, caller: Caller, found: Seen, name: str, asked: Mapping[str, Any], known: str = "") -> Answer:
    """LG-804, LG-1002, LG-1006 One part of a page; the next parts are of the same version, whatever has happened since.

    Whoever knows it already is told so before names are looked up (LG-1034).
    """
    if name.startswith("drafted/") and not found.is_official:
        raise Problem("not_found")
    cursor = Cursor(gate.sign_key, f"{found.id} {name}", caller.account, {"as_of": asked.get("as_of")})
    version, part = cursor.read(asked.get("cursor")) or (asked.get("as_of"), 0)
    there = _with_own(gate, caller, found, name, part) if asked.get("as_of") is None else stored(gate, (found.id, found.stored(name), part))
    newest = found.pages_version if name.startswith(SLOW) else found.version
    if version is None or (there is not None and there.version <= version <= newest):
        if there is None:
            raise Problem("not_found")
        version = max(there.version, found.pages_version) if version is None else version
    elif found.looks_on and version > found.version:
        raise Problem("malformed", status=acts.STATUSES["malformed"])
    else:
        there = _as_of(gate, caller, found, (name, part, version))
    if tag(there.stamp)["ETag"] in known:
        return Answer(304, None, tag(there.stamp))
    following = cursor.write((version, part + 1)) if part < there.last else None
    said = sent(gate.store, there, {found.row["kind"]: found.id, "version": version, "next": following})
    return Answer(200, orjson.Fragment(said), tag(there.stamp))


def _as_of(gate: Gate, caller: Caller, found: Seen, wanted: tuple[str, int, int]) -> Paper:
    """LG-804 Computed by the league from the events up to that version, which never changes; the last few are kept."""
    name, part, version = wanted
    place = (found.id, "as_of", name, version, part)
    kept: Paper | None = gate.kept.get(place, version)
    if kept is None:
        parts = {one["part"]: one["body"] for one in acts.ask(gate, caller, found, ("page_at", {"version": version, "name": name}))}
        if part not in parts:
            raise Problem("not_found")
        kept = paper(parts[part], version, version, max(parts))
        gate.kept.keep(place, version, kept)
    return kept


def _with_own(gate: Gate, caller: Caller, found: Seen, name: str, part: int) -> Paper | None:
    """What lies there, and to an entrant of a tournament that is shown late their own table as well."""
    if not (found.looks_on and found.row["takes_part"] and name.startswith("round/")):
        return stored(gate, (found.id, found.stored(name), part))
    shown = gate.store.one(SQL.page, competition=found.id, name=found.stored(name), part=part)
    newest = gate.store.one(SQL.page, competition=found.id, name=name, part=part)
    return of_row(with_own_tables(shown, newest, _own(gate, caller, found), found.version))


def appointments(gate: Gate, caller: Caller, found: Seen, stage: int, number: int) -> Answer:
    """LG-881 What tables have proposed, for officials; whoever plays reads of their own table."""
    row = gate.store.one(SQL.page, competition=found.id, name=f"appointments/{stage}/{number}", part=0)
    said: dict[str, Any] = orjson.loads(row["body"]) if row else {"stage": stage, "round": number, "items": []}
    own = _own(gate, caller, found) if caller.signed_in else frozenset()
    items = [one for one in said["items"] if found.is_official or own & set(one["accounts"])]
    return Answer(200, with_names(gate.store, {**said, "items": items}))


def _own(gate: Gate, caller: Caller, found: Seen) -> frozenset[str]:
    return frozenset(one["account"] for one in gate.store.all(SQL.mine, competition=found.id, account=caller.account))


def with_own_tables(shown: Row | None, newest: Row | None, own: frozenset[str], version: int) -> Row | None:
    """LG-810 A round as everybody may know it, but the entrant's own table, bye or rest as it is."""
    if newest is None:
        return shown
    now = orjson.loads(newest["body"])
    mine = {one["table"]: one for one in now["pairings"] if own & {seat["account"] for seat in one["seats"]}}
    if shown is None:
        alone = {name: [one for one in now[name] if one["account"] in own] for name in ("byes", "rests", "absent") if name in now}
        quiet: dict[str, Any] = {"notes": []} if "notes" in now else {}
        return {**newest, "body": orjson.dumps({**now, **alone, **quiet, "pairings": list(mine.values())}), "version": version}
    old = orjson.loads(shown["body"])
    old["pairings"] = [mine.pop(one["table"], one) for one in old["pairings"]] + list(mine.values())
    return {**shown, "body": orjson.dumps(old), "stamp": shown["version"] + newest["version"]}       # either of them may be news


def events(gate: Gate, found: Seen, after: int, most: int) -> dict[str, Any]:
    """LG-1011 In order, without gaps; of what only officials may know yet, everybody else sees that it happened."""
    rows = gate.store.all(SQL.events, competition=found.id, after=after, until=found.version, most=most + 1)
    items = [event(row, masked=row["hidden"] and not found.is_official) for row in rows[:most]]
    return with_names(gate.store, {"items": items, "next": items[-1]["number"] if len(rows) > most else None, "version": found.version})


def event(row: Row, *, masked: bool) -> dict[str, Any]:
    return {"number": row["number"], "kind": row["kind"], "at": at(row["at"]), "by": row["account_id"], "hash": row["hash"], "hidden": masked,
            "body": orjson.loads(MASKED if masked else row["body"])}


def tag(version: int) -> dict[str, str]:
    return {"ETag": f'"{version}"'}


def with_names(store: Store | Work, body: dict[str, Any]) -> dict[str, Any]:
    """LG-946, LG-961, LG-963 Who the accounts in it are: names as of now, bots marked and with their owners."""
    accounts = sorted(set(accounts_in(body)))
    rows = store.all(SQL.names, accounts=accounts, former=FORMER) if accounts else []
    return {**body, "people": {row["account_id"]: {"name": row["name"], "kind": row["kind"], "owner": _owner(row)} for row in rows}}


def _owner(row: Row) -> dict[str, str] | None:
    return None if row["owner_id"] is None else {"account": row["owner_id"], "name": row["owner_name"]}
