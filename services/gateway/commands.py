"""How is a command accepted, and how does its sender learn what became of it (PL-281 to PL-306, PL-321 to PL-327)?

T1 is one call of the database: `accept(...)`. Where the caller shows a token, the same call looks the token up.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import orjson

from services.gateway.accounts import at
from services.gateway.edge.gate import Gate
from services.gateway.edge.idempotency import REPLAYED, Answer
from services.gateway.problems import Problem, invalid
from services.gateway.rights import PLAYING, Caller, Thing, authorize, match_thing, may_see, within
from services.gateway.store import SQL, TooSlow
from services.gateway.talk import promises
from services.gateway.tokens import Token
from shared.runtime.store import FateUnknown, Row, Unavailable

ABOUT_ASKS = frozenset({"stale_ask", "ask_ahead", "ask_taken", "too_late", "changed_meanwhile"})
SAYING_NOTHING = frozenset({"key_reused", "not_your_seat"})      # PL-297
MARGIN_S = 0.1      # the commit itself has to fit into the budget as well
LOOK_S = 0.25
ENVELOPES = 100
SCOPES = f"{{{','.join(PLAYING)}}}"      # as Postgres writes an array, which is cheaper than to have it written for each command


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """PL-281 The body of a command; the same fields as the schema of the API document, which tells what is wrong."""

    ask: int
    command: dict[str, Any]
    seat: int | None = None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """A row that somebody wants accepted; `scope` keeps the keys of different addresses apart (PL-207)."""

    match: str
    kind: str
    key: str
    body: bytes
    canonical: bytes
    seat: int | None = None
    ask: int | None = None
    seen: int | None = None
    scope: str = ""
    verbs: tuple[str, ...] = ()

    @property
    def full_key(self) -> str:
        return f"{self.scope} {self.key}" if self.scope else self.key

    def facts(self, gate: Gate, received: float) -> dict[str, Any]:
        return {
            "match": self.match, "seat": self.seat, "kind": self.kind, "ask": self.ask, "seen": self.seen,
            "key": self.full_key, "body": self.body.decode(),
            "hash": hashlib.sha256(self.canonical).digest(), "received_at": gate.clock.at(received), "command": f"c-{secrets.token_hex(10)}",
            "budget_ms": int((gate.settings.accept_budget - MARGIN_S) * 1000), "most": gate.settings.waiting_per_match,
        }


def command_wish(match: str, key: str, envelope: Envelope, canonical: bytes) -> Wish:
    """A command as a row: its body is the command's own JSON."""
    if not isinstance(envelope.command.get("do"), str):
        raise invalid("/command/do", "a text is expected")
    return Wish(match, "command", key, orjson.dumps(envelope.command), canonical, envelope.seat, envelope.ask, envelope.seen,
                verbs=(envelope.command["do"],))


def batch_wish(match: str, key: str, body: Mapping[str, Any], canonical: bytes, most: int) -> Wish:
    """PL-302 One row with several commands."""
    if len(body["commands"]) > most:
        raise Problem("too_many", most=most)
    for position, command in enumerate(body["commands"]):
        if not isinstance(command.get("do"), str):
            raise invalid(f"/commands/{position}/do", "a text is expected")
    told = orjson.dumps({"commands": body["commands"], "stop_on": body["stop_on"]})
    return Wish(match, "batch", key, told, canonical, body.get("seat"), body["ask"], scope="command-batches",
                verbs=tuple(command["do"] for command in body["commands"]))


# Accepting ---------------------------------------------------------------------------------------------------------------


def accept(gate: Gate, caller: Caller, wish: Wish, received: float, trace: str | None = None) -> Row:
    """T1 for a caller who is known; the row of the acceptance, or the problem it met."""
    refuse_backlog(gate, wish, is_bot=caller.kind == "bot")
    refuse_flood(gate, caller, wish)
    if not gate.pace.talk.keys().isdisjoint(wish.verbs):
        promises.refuse(gate.store, caller, wish.match, wish.full_key, promises.texts(wish.body, gate.pace.talk))
    row = _called(gate, SQL.accepted, {**wish.facts(gate, received), "account": caller.account, "trace": trace}, received)
    if row is None:
        raise Problem("internal")
    return _judged(gate, caller, wish, row)


def accept_by_token(gate: Gate, token: Token, wish: Wish, received: float, trace: str | None = None) -> tuple[Caller, Row] | None:
    """T1 and the look at the token in one call; None where the token needs a closer look."""
    refuse_backlog(gate, wish, is_bot=token.kind == "bot")
    nonce = secrets.token_bytes(16)
    facts = {**wish.facts(gate, received), "token": token.id, "nonce": nonce, "proof": hashlib.sha256(token.secret_hash + nonce).digest(),
             "scopes": SCOPES, "trace": trace}
    row = _called(gate, SQL.accepted_by_token, facts, received)
    if row is None:
        return None
    caller = Caller(row["account_id"], row["name"], row["account_kind"], token=token.id, scopes=frozenset(row["scopes"]), bound_to=row["bound_to"])
    gate.limits.learned(token.id, row["account_id"])
    return caller, _judged(gate, caller, wish, row)


def refuse_flood(gate: Gate, caller: Caller, wish: Wish) -> None:
    """CH-453, PL-208 What a game slows down is counted by player and match, and what is said again is nothing new."""
    slowed = gate.pace.slowed(wish.verbs)
    row = gate.store.one(SQL.game_of, match=wish.match, key=wish.full_key) if slowed else None
    if row is None or row["repeated"]:
        return
    for verb in slowed:
        most = gate.pace.most(row["game"], verb)
        if most is not None:
            gate.paced(f"{wish.match}:{caller.account or caller.address}:{verb}", most)


def refuse_backlog(gate: Gate, wish: Wish, *, is_bot: bool) -> None:
    """PL-669, PL-208 Only where some game is behind is it asked which game this match is of; what is said again is nothing new."""
    if any(age > gate.settings.queue_old / 2 for age in gate.queue_ages.values()):
        row = gate.store.one(SQL.game_of, match=wish.match, key=wish.full_key)
        if row is not None and not row["repeated"]:
            gate.refuse_backlog(row["game"], is_bot=is_bot)


def _called(gate: Gate, query: str, facts: dict[str, Any], received: float) -> Row | None:
    """PL-325 Given up when the budget is used up, however silent the database is."""
    left = gate.settings.accept_budget - (time.monotonic() - received)
    try:
        rows = gate.store.run(query, facts, patience=max(left, 0.0))
    except (TooSlow, Unavailable, FateUnknown):
        gate.metrics.in_time_refused.labels("").inc()
        raise
    return rows[0] if rows else None


def _judged(gate: Gate, caller: Caller, wish: Wish, row: Row) -> Row:
    """Counts and wakes; raises what the match answered instead of accepting."""
    code = row["code"]
    if not code:
        if not row["replayed"]:
            origin = "order" if wish.kind == "order" else caller.kind
            gate.metrics.accepted.labels(row["game"], wish.kind, origin).inc()
            gate.doorbell.send(row["game"], row["version"], wish.match, row["arrival"])
        return row
    if code == "not_found" or (code == "not_your_seat" and caller.account is not None):
        may_see(gate.store, caller, wish.match)     # PL-218 whoever may not know of the match learns nothing of it
    gate.metrics.refused.labels(row["game"] or "", code, "gateway").inc()
    raise _problem(wish, row)


def _problem(wish: Wish, row: Row) -> Problem:
    code = row["code"]
    if code == "invalid":
        return invalid("/seat", "you hold several seats: name one")
    if code == "match_busy":
        return Problem("match_busy", retry_after=1)
    if code == "unavailable":
        return Problem("unavailable", retry_after=1)
    facts: dict[str, Any] = {"match": wish.match, "state": row["match_state"], "step": row["step"]}
    if code in ABOUT_ASKS:      # PL-292
        facts["ask"] = None if row["ask"] is None else {"seat": row["seat"], "ask": row["ask"], "due_at": at(row["due_at"])}
    return Problem(code) if code in SAYING_NOTHING else Problem(code, **facts)


# Telling -----------------------------------------------------------------------------------------------------------------


def answer(gate: Gate, wish: Wish, row: Row, wait_s: float = 0.0) -> Answer:
    """PL-301, PL-299, PL-208 202 with the row; 200 or the refusal once the outcome is known."""
    headers = {"Location": f"/api/v1/matches/{wish.match}/commands/{row['command_id']}"}
    if row["replayed"]:
        headers.update(REPLAYED)
    if row["outcome"] is None and wait_s > 0:
        row = _waited(gate, wish.match, row, wait_s, headers)
    if row["outcome"] is None:
        return Answer(202, row_told(wish.match, row), headers)
    if row["outcome"] == "refused" and wish.kind != "batch":
        raise refusal(wish.match, row, headers)
    told = row_told(wish.match, row)
    return Answer(200, {**told, **_news(gate, wish.match, row)} if wait_s > 0 else told, headers)


def refusal(match: str, row: Row, headers: Mapping[str, str]) -> Problem:
    """PL-295, PL-296 A refusal as problem details, with where the outcome can be read."""
    problem = Problem(row["refusal"] or "not_a_choice", command=row["command_id"], arrival=row["arrival"], match=match)
    problem.headers = dict(headers)
    return problem


def row_told(match: str, row: Row) -> dict[str, Any]:
    return {"command": row["command_id"], "match": match, "state": row["outcome"] or "waiting", "code": row["refusal"], "arrival": row["arrival"],
            "seat": row["seat"], "received_at": at(row["received_at"]), "first_step": row["first_step"], "step": row["last_step"],
            **({"outcomes": orjson.loads(row["report"])} if row.get("report") else {})}


def wish_to_wait(prefer: str, most: float) -> float:
    """PL-299 The N of `Prefer: wait=N`, at most `wait_max`."""
    for part in prefer.split(","):
        name, _, value = (said.strip() for said in part.partition("="))
        if name.lower() == "wait" and value.isascii() and value.isdigit():
            return min(float(value[:6]), most)
    return 0.0


def _waited(gate: Gate, match: str, row: Row, wait_s: float, headers: dict[str, str]) -> Row:
    """PL-300 At most half of the threads wait; a bell or a quarter of a second makes us look."""
    if not gate.waits.acquire(blocking=False):
        return row
    try:
        until = time.monotonic() + wait_s
        with gate.listener.listening(match) as rung:
            while True:
                seen = gate.store.one(SQL.row_by_arrival, match=match, arrival=row["arrival"])
                left = until - time.monotonic()
                if seen is not None and (seen["outcome"] is not None or left <= 0):
                    break
                rung.wait(min(LOOK_S, max(left, 0.0)))
                rung.clear()
    finally:
        gate.waits.release()
    if seen["outcome"] is not None:
        headers["Preference-Applied"] = f"wait={int(wait_s)}"
    return {**row, **seen}


def _news(gate: Gate, match: str, row: Row) -> dict[str, Any]:
    """What the seat was told by the steps of this row, and what it is asked next."""
    if row["seat"] is None or row["first_step"] is None:
        return {}
    reader = row["seat"] + 2
    letters = gate.store.all(SQL.letters_between, match=match, reader=reader, first=row["first_step"], last=row["last_step"])
    ask = gate.store.one(SQL.ask_of, match=match, seat=row["seat"])
    return {"letters": [orjson.loads(letter["body"]) for letter in letters], "ask": None if ask is None else ask_told(match, ask)}


def ask_told(match: str, row: Row) -> dict[str, Any]:
    """PL-351 An ask as its seat gets it."""
    return {"match": match, "seat": row["seat"], "ask": row["ask"], "opened_at": at(row["opened_at"]), "due_at": at(row["due_at"]),
            **orjson.loads(row["body"])}


def outcome(gate: Gate, caller: Caller, match: str, command: str) -> dict[str, Any]:
    """PL-301 For its sender alone, for as long as the record of the match exists."""
    authorize(caller, "my.matches")
    row = gate.store.one(SQL.row_by_command, match=match, command=command, account=caller.account)
    if row is None:
        raise Problem("not_found")
    if caller.bound_to and not within(caller, match_thing(gate.store, caller, match).match):
        raise Problem("not_allowed")
    return row_told(match, row)


# Batches over several matches ------------------------------------------------------------------------------------------------


def post_envelopes(gate: Gate, caller: Caller, wishes: Sequence[Wish | Problem], received: float, wait_s: float) -> list[dict[str, Any]]:
    """PL-304 Each by itself, in order; a problem of one is its own answer."""
    rows: list[tuple[Wish, Row] | Problem] = []
    for wish in wishes:
        try:
            rows.append(wish if isinstance(wish, Problem) else (wish, _accept_for(gate, caller, wish, received)))
        except Problem as problem:
            rows.append(problem)
        except (Unavailable, FateUnknown) as error:
            rows.append(Problem("fate_unknown" if isinstance(error, FateUnknown) else "unavailable", retry_after=1))
    until = time.monotonic() + wait_s
    return [_envelope_told(gate, row, max(0.0, until - time.monotonic())) for row in rows]


def _accept_for(gate: Gate, caller: Caller, wish: Wish, received: float) -> Row:
    for kind in ("match", "tournament", "championship"):
        if caller.bound_to.get(kind):
            authorize(caller, "match.play", may_see(gate.store, caller, wish.match))
            break
    # each envelope has the whole budget: those before it are not its fault
    return accept(gate, caller, wish, max(received, time.monotonic() - gate.settings.accept_budget / 3))


def _envelope_told(gate: Gate, row: tuple[Wish, Row] | Problem, wait_s: float) -> dict[str, Any]:
    try:
        if isinstance(row, Problem):
            raise row
        said = answer(gate, *row, wait_s)
    except Problem as problem:
        instance = "/api/v1/command-batches" if isinstance(row, Problem) else f"/api/v1/matches/{row[0].match}/commands"
        return {"status": problem.status, "body": problem.body(instance, "")}
    return {"status": said.status, "body": said.body}


def may_play(gate: Gate, caller: Caller, match: str) -> Thing:
    """What is asked of a caller whose token or session was looked up apart: scope, binding, sight."""
    authorize(caller, "match.play")
    if not caller.bound_to:
        return Thing()      # whose seat it is, T1 finds out
    thing = may_see(gate.store, caller, match)
    authorize(caller, "match.play", thing)
    return thing
