"""How does an act reach the league, and how does its sender learn what became of it? Stored first, decided elsewhere, awaited here."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

import orjson

from services.gateway import games
from services.gateway.accounts import at, new_id
from services.gateway.competitions.deeds import DEEDS, OFFICIALS
from services.gateway.competitions.sight import SQL, Seen, refuse_bound, refuse_unless, roles_for, seen
from services.gateway.edge import idempotency
from services.gateway.edge.gate import Gate
from services.gateway.edge.idempotency import Answer, Once
from services.gateway.problems import CODES, Problem, fault, invalid
from services.gateway.rights import Caller
from services.gateway.store import Work
from shared.runtime.store import Row

WAIT_S = 10.0       # for which an answer is held
LOOK_S = 0.25
SEVERAL = "enter"   # may be asked for several accounts at once; elsewhere `accounts` are what an act says, not whom it is done for
# A question costs the league up to 0.3 ms for each entrant: one reader may keep it busy for a small part of a minute only.
QUESTION, ENTRANTS_A_READ = 10, 20
MOST_WAITING = 256  # acts of one competition
LETTER = {"tournament": "t", "championship": "k", "season": "s"}
# The league's ledger and the platform's agree on these words, not on their numbers.
STATUSES = {"malformed": 422, "too_old": 410}
Placing = tuple[str, str, str]      # method, path, key


def do(gate: Gate, caller: Caller, found: Seen, body: Mapping[str, Any], placing: Placing) -> Answer:
    """LG-131 Role, scope and key in this order; state, version and content are the league's to judge."""
    kind = str(body.get("kind"))
    deed = DEEDS[found.row["kind"]].get(kind)
    if deed is None:
        raise invalid("/kind", "there is no such act")
    roles = roles_for(gate.store, caller, found, deed, body.get(deed.subject) or (body.get("accounts") if kind == SEVERAL else None))
    told = {name: value for name, value in body.items() if name != "kind"}

    def act(work: Work) -> Answer:
        _refuse_held(found)
        checked = _checked(work, caller, found, kind, told)
        return Answer(202, {"act": place(work, caller, found.id, (kind, checked, roles)), found.row["kind"]: found.id})

    return _once(gate, caller, placing, body, act)


def create(gate: Gate, caller: Caller, kind: str, body: Mapping[str, Any], placing: Placing) -> Answer:
    """OP-03, OP-43 A new competition of an organisation; until its first act is done nobody sees it."""
    refuse_bound(caller, None)
    organisation = gate.store.one(SQL.organisation, organisation=body["organisation"], account=caller.account)
    if organisation is None:
        raise Problem("not_found")
    roles = frozenset(organisation["roles"])
    refuse_unless(caller, roles, OFFICIALS)

    def act(work: Work) -> Answer:
        competition = new_id(LETTER[kind])
        told = {"document": body["document"]} if "document" in body else {"settings": with_game(work, body.get("settings") or {})}
        work.do(SQL.begun, competition=competition, kind=kind, organisation=body["organisation"], account=caller.id, name="", seed=secrets.token_bytes(32))
        work.do(SQL.inbox_begun, competition=competition)
        verb = "import_export" if "document" in body else "create"
        return Answer(202, {"act": place(work, caller, competition, (verb, told, sorted(roles & OFFICIALS))), kind: competition})

    return _once(gate, caller, placing, body, act)


def place(work: Work, caller: Caller, competition: str, act: tuple[str, Mapping[str, Any], list[str]]) -> str:
    """One row in the competition's inbox, in the transaction of its key."""
    kind, body, roles = act
    name = new_id("c")
    row = work.one(SQL.placed, competition=competition, act=name, kind=kind, body=orjson.dumps(body).decode(), account=caller.account or "",
                   token=caller.token, roles=roles, most=MOST_WAITING)
    if row is None or row["arrival"] is None or row["arrival"] < 0:
        raise Problem("rate_limited", retry_after=1)
    return name


def _once(gate: Gate, caller: Caller, placing: Placing, body: Mapping[str, Any], act: Any) -> Answer:
    """LG-141 to LG-143 The row and its key are one transaction; the bell rings after it."""
    method, path, key = placing
    canonical = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    once = Once(caller.id, method, path, idempotency.key_of(key), idempotency.hash_of(canonical, gate.sign_key))
    answer, work = idempotency.once(gate.store, once, gate.settings.keys_kept, act)
    if work is not None:
        wake(gate, next(value for name, value in answer.body.items() if name != "act"))
    return answer


def wake(gate: Gate, competition: str) -> None:
    gate.bell.ring([(competition, 0)])


def ask(gate: Gate, caller: Caller, found: Seen, question: tuple[str, Mapping[str, Any]]) -> Any:
    """A question that changes nothing, and its answer; it is computed, so that it counts as many reads."""
    gate.counted("reads", caller, QUESTION + (found.row["entrants"] or 0) // ENTRANTS_A_READ)
    kind, body = question
    deed = DEEDS[found.row["kind"]].get(kind)
    roles = roles_for(gate.store, caller, found, deed, None) if deed else []
    with gate.store.work() as work:
        act = place(work, caller, found.id, (kind, body, roles))
    wake(gate, found.id)
    row = waited(gate, act, WAIT_S)
    if row["state"] == "waiting":
        raise Problem("unavailable", retry_after=2)
    return told_of(row)["answer"]


# What the league must be told that only the gateway's tables know ---------------------------------------------------------


def _checked(work: Work, caller: Caller, found: Seen, kind: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    if kind == "set" and found.row["kind"] == "tournament" and isinstance(body.get("changes"), dict):
        changes = _with_playing(work, found, body["changes"])
        game = {"game": found.row["game"]} if "playing" in changes and "game" not in changes else {}
        checked = with_game(work, {"visibility": found.row["visibility"], **changes, **game})
        return {**body, "changes": {name: value for name, value in checked.items() if name in changes or (name == "game_version" and not game)}}
    if kind == "add":
        counted = seen(work, caller, "tournament", str(body.get("tournament")))
        return {**body, "game": counted.row["game"]}
    return body


def _with_playing(work: Work, found: Seen, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """OP-04 Options, clock and talk that a change does not name stay as they are, and get no defaults."""
    playing = changes.get("playing")
    page = work.one(SQL.page, competition=found.id, name="head", part=0) if isinstance(playing, dict) and "game" not in changes else None
    if page is None or not isinstance(playing, dict):
        return changes
    known: dict[str, Any] = orjson.loads(page["body"])["settings"]["playing"]
    return {**changes, "playing": {**{name: known[name] for name in ("options", "clock", "talk") if known.get(name)}, **playing}}


def with_game(work: Work, settings: Mapping[str, Any]) -> dict[str, Any]:
    """LG-101 The newest version where none is named; options and clock as the game has them, with every default shown."""
    name = settings.get("game")
    if not isinstance(name, str) or not isinstance(settings.get("playing", {}), dict):
        return dict(settings)
    try:
        row = games.to_play(work, name, "league")
    except Problem as problem:
        raise Problem("unknown_game", named=[name]) from problem
    playing: dict[str, Any] = settings.get("playing", {})
    if not all(isinstance(playing.get(part, {}), dict) for part in ("options", "clock")):
        raise Problem("bad_setting", errors=[fault("/settings/playing", "options and clock are objects")])
    clock = games.checked_clock(row, playing.get("clock", {}), in_championship=True)
    options = games.checked_options(row, playing.get("options", {}), settings.get("visibility", "public"))
    options = games.told_of_match(row, options, {}, talk=playing.get("talk", "off"))
    checked = {**playing, "options": options, "clock": clock}
    return {"game_version": str(row["version"]), **settings, "playing": checked}


def _refuse_held(found: Seen) -> None:
    """LG-130"""
    if found.row["held"]:
        raise Problem("on_hold", retry_after=60)


# Waiting for the outcome ---------------------------------------------------------------------------------------------------


def outcome(gate: Gate, act: str) -> Row:
    row = gate.store.one(SQL.outcome, act=act)
    if row is None:
        raise Problem("not_found")
    return row


def waited(gate: Gate, act: str, wait_s: float) -> Row:
    """LG-142 Listens first and looks second; at most half of the threads wait (PL-300)."""
    until = time.monotonic() + wait_s
    if not gate.waits.acquire(blocking=False):
        return outcome(gate, act)
    try:
        with gate.listener.listening(act) as rung:
            while True:
                row = outcome(gate, act)
                left = until - time.monotonic()
                if row["state"] != "waiting" or left <= 0:
                    return row
                rung.wait(min(LOOK_S, max(left, 0.0)))
                rung.clear()
    finally:
        gate.waits.release()


def told_of(row: Row) -> dict[str, Any]:
    """What became of an act; a refusal as the problem that it is (LG-150)."""
    if row["state"] == "refused":
        raise refusal(row)
    answer = None if row["answer"] is None else orjson.loads(row["answer"])
    return {"act": row["act_id"], "state": row["state"], "kind": row["kind"], "version": row["version"], "events": row["events"] or 0, "answer": answer,
            "received_at": at(row["received_at"])}


def refusal(row: Row) -> Problem:
    code = row["code"] if row["code"] in CODES else "wrong_state"
    named = row["named"] or []
    facts = {"sentence": row["sentence"] or "", "named": named, "act": row["act_id"]}
    if code == "version_conflict":
        facts["version"] = row["now"]
    errors = [fault(one if isinstance(one, str) and one.startswith("/") else "", one if isinstance(one, str) else orjson.dumps(one).decode())
              for one in named]
    return Problem(code, errors=errors, status=STATUSES.get(code), **facts)


def exported(answer: Any) -> bytes:
    """LG-984 to LG-987 The file itself: the same version, the same bytes."""
    text = answer.get("text") if isinstance(answer, dict) else answer
    return text.encode() if isinstance(text, str) else orjson.dumps(answer, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
