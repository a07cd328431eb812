"""How do programs prove who they are: tokens, bots and tickets for streams (PL-171 to PL-182)?"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from services.gateway.accounts import LETTERS, at, open_account
from services.gateway.problems import Problem, fault, invalid
from services.gateway.rights import SCOPES, Caller, Thing, authorize
from services.gateway.store import SQL, Store, Work

WRITTEN = re.compile(r"lg_(pat|bot|svc|oat)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})")
KINDS = {"person": "pat", "bot": "bot", "service": "svc"}
BOT_SCOPES = ("bot:play", "match:read")
LONGEST, USUAL = timedelta(days=365), timedelta(days=90)
TICKET_LIFE_S = 60
STREAMS = re.compile(r"/api/v1/(?:(?:matches|tournaments|championships|seasons)/([A-Za-z0-9_-]{1,40})/stream|me/stream|bot/stream)")
FOR_ROLES = {"operator:write": {"operator"}, "operator:read": {"operator", "auditor"}}


class Token(NamedTuple):
    """A token taken apart."""

    id: str
    secret_hash: bytes
    kind: str


def read_token(written: str) -> Token:
    """PL-171 Its parts; a typing error is found without the database."""
    parts = WRITTEN.fullmatch(written)
    if parts is None or _check(written[:-7]) != parts[4]:
        raise Problem("bad_token")
    return Token(parts[2], hashlib.sha256(parts[3].encode()).digest(), parts[1])


def looks_like_token(text: str) -> bool:
    """PL-178 Also a mistyped one is somebody's secret."""
    return re.search(r"\blg_(pat|bot|svc|oat)_[0-9A-Za-z]", text) is not None


def write_token(kind: str) -> tuple[str, Token]:
    """A new token and what is stored of it."""
    public = "".join(secrets.choice(LETTERS) for _ in range(12))
    secret = "".join(secrets.choice(LETTERS) for _ in range(43))    # 62 to the 43rd is just above 2 to the 256th
    front = f"lg_{kind}_{public}_{secret}"
    return f"{front}_{_check(front)}", Token(public, hashlib.sha256(secret.encode()).digest(), kind)


def _check(front: str) -> str:
    number, written = zlib.crc32(front.encode()), ""
    for _ in range(6):
        number, rest = divmod(number, 62)
        written = LETTERS[rest] + written
    return written


def make_token(work: Work, account: dict[str, Any], wish: dict[str, Any], *, at_the_machine: bool = False) -> dict[str, Any]:
    """PL-172, PL-175 The full token is in this answer and nowhere else; PL-126 roles count for it only if it was made behind a second factor."""
    kind = KINDS[account["kind"]]
    scopes = sorted(set(BOT_SCOPES if kind == "bot" else wish["scopes"]))
    _refuse_wide(account, scopes)
    ends_at = _end(wish.get("ends_at"))
    written, token = write_token(kind)
    row = work.one(SQL.token_made, token=token.id, kind=kind, account=account["account_id"], hash=token.secret_hash,
                   label=wish["label"], scopes=scopes, bound_to=json.dumps(wish.get("bound_to") or {}), ends_at=ends_at,
                   at_the_machine=at_the_machine)
    if row is None:
        raise Problem("internal")
    return {**token_told(row), "secret": written}


def _refuse_wide(account: dict[str, Any], scopes: list[str]) -> None:
    """PL-174 A scope never gives more than the account's own rights."""
    for position, scope in enumerate(scopes):
        if scope not in SCOPES:
            raise invalid(f"/scopes/{position}", "no such scope")
        roles = FOR_ROLES.get(scope)
        if (roles and not roles & set(account["roles"])) or (scope == "bot:play" and account["kind"] != "bot"):
            raise Problem("scope_too_wide", scope=scope)


def _end(wish: datetime | None) -> datetime:
    now = datetime.now(UTC)
    ends_at = wish or now + USUAL
    if not now < ends_at <= now + LONGEST:
        raise Problem("invalid", errors=[fault("/ends_at", "in the future, at most one year ahead")])
    return ends_at


def token_told(row: dict[str, Any]) -> dict[str, Any]:
    return {"token": row["token_id"], "kind": row["kind"], "account": row["account_id"], "label": row["label"],
            "scopes": list(row["scopes"]), "bound_to": row["bound_to"], "created_at": at(row["created_at"]),
            "ends_at": at(row["ends_at"]), "used_on": row["used_on"].isoformat() if row["used_on"] else None}


def tokens(store: Store, caller: Caller) -> list[dict[str, Any]]:
    """The tokens of the account and of its bots that still work."""
    return [token_told(row) for row in store.all(SQL.tokens_of, account=caller.id)]


def own_token(work: Work, caller: Caller, wish: dict[str, Any]) -> dict[str, Any]:
    return make_token(work, {**_account(work, caller.id), "roles": sorted(caller.roles)}, wish)


def revoke(work: Work, caller: Caller, token: str) -> None:
    """PL-177 Works at the next request, since every request reads the row."""
    if not work.do(SQL.token_revoked, token=token, account=caller.account):
        raise Problem("not_found")


def _account(work: Work, account: str) -> dict[str, Any]:
    row = work.one(SQL.account_by_id, account=account)
    if row is None:
        raise Problem("not_found")
    return row


# Bots --------------------------------------------------------------------------------------------------------------


def bot_told(row: dict[str, Any]) -> dict[str, Any]:
    about = row["about"]
    return {"bot": row["account_id"], "name": row["name"], "owner": row["owner_id"], "games": about.get("games", []),
            "description": about.get("description", ""), "created_at": at(row["created_at"]), "version": row["version"]}


def bots(store: Store, caller: Caller) -> list[dict[str, Any]]:
    return [bot_told(row) for row in store.all(SQL.bots_of, account=caller.id)]


def make_bot(work: Work, caller: Caller, wish: dict[str, Any]) -> dict[str, Any]:
    """PL-134 An account that belongs to the caller and is marked as a bot everywhere."""
    about = {"games": wish.get("games", []), "description": wish.get("description", "")}
    told = open_account(work, {"name": wish["name"], "about": about}, kind="bot", owner=caller.id)
    return bot_told(_account(work, told["account"]))


def own_bot(work: Work | Store, caller: Caller, bot: str, verb: str) -> dict[str, Any]:
    """The bot, if it is the caller's."""
    row = work.one(SQL.account_by_id, account=bot)
    owner = row["owner_id"] if row is not None and row["kind"] == "bot" else None
    authorize(caller, verb, Thing(owner=owner))
    if row is None:
        raise Problem("not_found")
    return row


def change_bot(work: Work, caller: Caller, bot: str, wish: dict[str, Any], version: int) -> dict[str, Any]:
    row = own_bot(work, caller, bot, "bot.change")
    about = {**row["about"], **{name: wish[name] for name in ("games", "description") if name in wish}}
    if not work.do(SQL.bot_changed, account=bot, about=json.dumps(about), version=version):
        raise Problem("changed_meanwhile", status=412)
    return bot_told(_account(work, bot))


def bot_token(work: Work, caller: Caller, bot: str, wish: dict[str, Any]) -> dict[str, Any]:
    """PL-175 A token with which the bot plays its own seats, and nothing else."""
    return make_token(work, own_bot(work, caller, bot, "bot.token"), wish)


# Tickets for streams -----------------------------------------------------------------------------------------------


def make_ticket(store: Store, caller: Caller, stream: str) -> dict[str, Any]:
    """PL-181 Works once, for a minute, for this one stream."""
    if STREAMS.fullmatch(stream) is None:
        raise invalid("/stream", "the path of a stream, without a query")
    ticket = secrets.token_urlsafe(32)
    rows = store.all(SQL.ticket_made, hash=hashlib.sha256(ticket.encode()).digest(), account=caller.id, path=stream,
                     token=caller.token, session=caller.session, life=TICKET_LIFE_S)
    return {"ticket": ticket, "stream": stream, "ends_at": at(rows[0]["ends_at"])}


