"""Who opens a stream, and what may they read?"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path

from flask import Request

from services.gateway import rights
from services.gateway.problems import Problem
from services.gateway.rights import Caller, Thing, authorize
from services.gateway.tokens import looks_like_token, read_token
from shared.runtime.store import Database, Queries, Row

QUERIES = Queries(Path(__file__).with_name("queries.sql"))
COOKIES = ("__Host-cupboard", "cupboard")
HOST_CHAIR = "host"
NO_SEAT = "onlookers"


@dataclass(frozen=True, slots=True)
class Reading:
    """As whom somebody reads a match: the number of the reader, and whether late or from the host's chair."""

    reader: int
    delayed: bool = False
    host: bool = False


def caller_of(request: Request, database: Database) -> Caller:
    """PL-132, PL-181 By ticket, else by bearer token (the cookie is then never looked at), else by cookie, else nobody."""
    address = request.remote_addr or ""
    if any(looks_like_token(text) for pair in request.args.items(multi=True) for text in pair):
        raise Problem("token_in_url")
    if ticket := request.args.get("ticket"):
        return _by_ticket(database, ticket, request.path, address)
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    if scheme:
        return _by_token(database, bearer.strip() if scheme.lower() == "bearer" else "", address)
    cookie = next((request.cookies[name] for name in COOKIES if name in request.cookies), "")
    row = database.one(QUERIES.account_by_session, hash=digest(cookie)) if cookie else None
    return _caller(row, address) if row else Caller(address=address)


def reading_of(caller: Caller, match: Row | None, wanted: str) -> Reading:
    """PL-218, PL-297, PL-389 As whom the caller reads this match; what they may not know of is not found."""
    thing = Thing(match or {}, tuple(match["mine"]) if match else (), bool(match and match["invited"]))
    authorize(caller, "match.see", thing)
    assert match is not None
    hosts = caller.signed_in and caller.account == match["acting_host"] and bool(match["host_chair"]) and not match["deals_elsewhere"]
    if wanted == HOST_CHAIR or (not wanted and not thing.mine and hosts):
        if not hosts:
            raise Problem("not_your_seat")
        return Reading(1, host=True)
    if wanted == NO_SEAT or (not wanted and len(thing.mine) != 1):
        return Reading(1, delayed=match["delayed"])
    seat = thing.mine[0] if not wanted else int(wanted) if wanted.isascii() and wanted.isdigit() else -1
    if seat not in thing.mine:
        raise Problem("not_your_seat")
    authorize(caller, "match.read_seat", thing)
    return Reading(seat + 2)


def owner_of(caller: Caller) -> str:
    """PL-112 Whose streams are counted together: those of an account, of a bot's token, of guests at one address."""
    if caller.account is None:
        return f"address:{caller.address}"
    return f"token:{caller.token}" if caller.kind == "bot" else f"account:{caller.account}"


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _by_ticket(database: Database, ticket: str, path: str, address: str) -> Caller:
    used = database.one(QUERIES.use_ticket, hash=digest(ticket), path=path)
    row = used and database.one(QUERIES.account_by_ticket, account=used["account_id"], token=used["token_id"], session=used["session_id"])
    if not row:
        raise Problem("bad_token")
    return _caller(row, address)


def _by_token(database: Database, bearer: str, address: str) -> Caller:
    token = read_token(bearer)
    row = database.one(QUERIES.account_by_token, token=token.id)
    if row is None or not hmac.compare_digest(token.secret_hash, bytes(row["secret_hash"])):
        raise Problem("bad_token")
    return _caller(row, address)


def _caller(row: Row, address: str) -> Caller:
    if row["suspended_at"] is not None:
        raise Problem("suspended")
    if row.get("token_id"):
        return rights.caller_of(row, address)
    return Caller(row["account_id"], row["name"], row["kind"], frozenset(row["roles"]), address, session=row.get("session_id"))
