"""Who has an account, and how does somebody sign in with it (PL-121 to PL-140)?"""

from __future__ import annotations

import hashlib
import json
import secrets
import string
import threading
import unicodedata
from datetime import UTC, datetime
from typing import Any, NamedTuple

import argon2

from services.gateway.problems import Problem, fault, invalid
from services.gateway.rights import Caller
from services.gateway.store import SQL, Store, Work

LETTERS = string.ascii_letters + string.digits
RESERVED = ("admin", "administrator", "operator", "moderator", "auditor", "referee", "cupboard", "system", "root", "support", "host",
            "me", "guest", "guests", "nobody", "onlooker", "onlookers", "audience", "former-player", "formerplayer", "player", "bot")
# PL-122 Letters that pass for others: the digit and capital forms, then Cyrillic and Greek.
LOOK_ALIKE = str.maketrans("01i|!5_аеорсхуіѕјһԁԛԝвкмнтοαινρτυκχεγ", "olllls-aeopcxylsjhdqwbkmhtoalvptukxey")
FORMER = "former player"
HASHES = threading.Semaphore(2)     # PL-123: each takes 64 MiB and a core
HASHER = argon2.PasswordHasher()
NOBODY = HASHER.hash("the password of nobody")
FAILURES, MINUTES = 5, 15


class Opened(NamedTuple):
    """What signing in gives: the account, and the secret for the browser's cookie."""

    account: dict[str, Any]
    cookie: str


def new_id(kind: str) -> str:
    """PL-217 An id that tells nothing."""
    return f"{kind}-{''.join(secrets.choice(LETTERS) for _ in range(16))}"


def at(moment: datetime | None) -> str | None:
    """PL-216 A time as the API writes it."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def name_key(name: str) -> str:
    """PL-122 Equal for names that people cannot tell apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).translate(LOOK_ALIKE)


TAKEN = frozenset(map(name_key, RESERVED))


def checked_name(name: str) -> str:
    """PL-121, PL-122 Three to 24 letters, digits, `-` or `_`, and not a reserved one."""
    plain = unicodedata.normalize("NFKC", name)
    if not 3 <= len(plain) <= 24 or not all(letter.isalnum() or letter in "-_" for letter in plain):
        raise invalid("/name", "3 to 24 letters, digits, - or _")
    if name_key(plain) in TAKEN:
        raise Problem("name_taken")
    return plain


def checked_password(password: str, name: str) -> str:
    weak = len(password) < 10 or len(password) > 512 or len(set(password)) < 2 or name_key(password) == name_key(name)
    if weak:
        raise Problem("weak_password", errors=[fault("/password", "10 to 512 characters, neither the name nor one repeated character")])
    return password


def hashed(password: str) -> str:
    with HASHES:
        return HASHER.hash(password)


def fits(password: str, hash_: str) -> bool:
    with HASHES:
        try:
            return HASHER.verify(hash_, password)
        except (argon2.exceptions.VerifyMismatchError, argon2.exceptions.VerificationError):
            return False


def open_account(work: Work, wish: dict[str, Any], kind: str = "person", owner: str | None = None) -> dict[str, Any]:
    """PL-121 A new account of a person; also of a bot (which has an owner and no password) or a service."""
    name = checked_name(wish["name"])
    password = wish.get("password")
    row = work.one(SQL.account_opened, account=new_id("a"), name=name, name_key=name_key(name), kind=kind, owner=owner,
                   hash=hashed(checked_password(password, name)) if password is not None else None, mail=wish.get("mail"),
                   language=wish.get("language") or "en", about=json.dumps(wish.get("about") or {}))
    if row is None:
        raise Problem("name_taken")
    return account_told(row)


def account_told(row: dict[str, Any]) -> dict[str, Any]:
    """An account as its owner sees it."""
    about = row["about"]
    return {"account": row["account_id"], "name": row["name"], "kind": row["kind"], "owner": row["owner_id"], "language": row["language"],
            "mail": row["mail"], "zone": about.get("zone", "UTC"), "roles": list(row["roles"]), "second_factor": row.get("second_factor", "off"),
            "created_at": at(row["created_at"])}


def profile(store: Store, name: str) -> dict[str, Any]:
    """PL-134 What everybody may know of an account."""
    row = store.one(SQL.account_named, name_key=name_key(name))
    if row is None or row["deleted_at"] is not None:
        raise Problem("not_found")
    return {"account": row["account_id"], "name": row["name"], "kind": row["kind"], "owner": row["owner_name"],
            "created_at": at(row["created_at"])}


# Signing in --------------------------------------------------------------------------------------------------------


def known(store: Store, name: str, password: str, address: str) -> dict[str, Any]:
    """PL-123 to PL-125 The account with this name and password; the same answer and time for an unknown name and a wrong password."""
    key = name_key(name)[:64]
    _slow_down(store, key, address)
    row = store.one(SQL.account_named, name_key=key)
    known = row is not None and row["password_hash"] is not None and row["deleted_at"] is None
    right = fits(password, row["password_hash"] if row is not None and known else NOBODY)
    if row is None or not known or not right:
        store.all(SQL.sign_in_failed, name_key=key, address=address)
        raise Problem("bad_credentials")
    if row["suspended_at"] is not None:
        raise Problem("suspended")
    with store.work() as work:
        work.do(SQL.sign_in_failures_forgotten, name_key=key, address=address)
        if HASHER.check_needs_rehash(row["password_hash"]):
            work.do(SQL.password_set, account=row["account_id"], hash=hashed(password))
            row["version"] += 1
    return row


def sign_in(store: Store, row: dict[str, Any], agent: str) -> Opened:
    """PL-129 A new session for an account that has shown who it is."""
    with store.work() as work:
        return Opened(account_told(row), new_session(work, row["account_id"], agent))


def _slow_down(store: Store, key: str, address: str) -> None:
    """PL-125 By name and address, so that strangers cannot lock a player out."""
    row = store.one(SQL.sign_in_failures_lately, name_key=key, address=address, minutes=MINUTES)
    if row is not None and row["failures"] >= FAILURES:
        raise Problem("rate_limited", retry_after=max(1, int(row["wait_s"])))


def new_session(work: Work, account: str, agent: str) -> str:
    """PL-127 The cookie's 256 random bits; only their SHA-256 is stored."""
    cookie = secrets.token_urlsafe(32)
    work.do(SQL.session_begun, hash=hashlib.sha256(cookie.encode()).digest(), session=new_id("s"), account=account,
            form_token=secrets.token_urlsafe(24), agent=agent[:200])
    return cookie


def sign_out(store: Store, cookie: str) -> None:
    store.all(SQL.session_ended_by_cookie, hash=hashlib.sha256(cookie.encode()).digest())


def sessions(store: Store, caller: Caller) -> list[dict[str, Any]]:
    """PL-129 Where the account is signed in."""
    return [{"session": row["session_id"], "agent": row["agent"], "created_at": at(row["created_at"]), "used_at": at(row["used_at"]),
             "this": row["session_id"] == caller.session} for row in store.all(SQL.sessions_of, account=caller.account)]


def end_session(work: Work, caller: Caller, session: str) -> None:
    if not work.do(SQL.session_ended, session=session, account=caller.account):
        raise Problem("not_found")


# Changing ----------------------------------------------------------------------------------------------------------


def change_password(work: Work, caller: Caller, old: str, new: str) -> None:
    """PL-129 All other sessions end at once."""
    row = _self(work, caller)
    if row["password_hash"] is None or not fits(old, row["password_hash"]):
        raise Problem("bad_credentials")
    work.do(SQL.password_set, account=caller.account, hash=hashed(checked_password(new, row["name"])))
    work.do(SQL.other_sessions_ended, account=caller.account, session=caller.session)


def me(store: Store | Work, caller: Caller) -> dict[str, Any]:
    row = store.one(SQL.account_by_id, account=caller.id)
    if row is None:
        raise Problem("not_found")
    return {**account_told(row), "version": row["version"]}


def change_me(work: Work, caller: Caller, wish: dict[str, Any], version: int) -> dict[str, Any]:
    """PL-213 Only what was seen is changed."""
    row = _self(work, caller)
    if row["version"] != version:
        raise Problem("changed_meanwhile", status=412)
    if "password" in wish:
        if caller.session is None:
            raise Problem("not_allowed")
        change_password(work, caller, wish.get("old_password", ""), wish["password"])
    about = {**row["about"], **({"zone": wish["zone"]} if "zone" in wish else {})}
    work.do(SQL.account_changed, account=caller.account, language=wish.get("language", row["language"]),
            mail=wish.get("mail", row["mail"]), about=json.dumps(about))
    return me(work, caller)


def asks_for_reset(work: Work, name: str | None, mail: str | None) -> str | None:
    """PL-140 The account that is meant, for whoever makes the link; the asker is never told whether there is one."""
    row = work.one(SQL.account_named_or_mailed, name_key=name_key(name) if name else None, mail=mail)
    return None if row is None else str(row["account_id"])


def new_reset(work: Work, account: str) -> str:
    """PL-140 A code that works once, for 30 minutes."""
    code = secrets.token_urlsafe(24)
    work.do(SQL.reset_made, hash=hashlib.sha256(code.encode()).digest(), account=account)
    return code


def reset_password(work: Work, code: str, password: str) -> None:
    """PL-140 Sets the password and ends every session of the account."""
    row = work.one(SQL.reset_used, hash=hashlib.sha256(code.encode()).digest())
    if row is None:
        raise Problem("link_used")
    work.do(SQL.password_set, account=row["account_id"], hash=hashed(checked_password(password, row["name"])))
    work.do(SQL.other_sessions_ended, account=row["account_id"], session=None)
    work.do(SQL.other_resets_ended, account=row["account_id"])


def block(work: Work, caller: Caller, account: str) -> None:
    """PL-138 They do not join open matches of the caller and do not invite them."""
    if account == caller.account or work.one(SQL.account_by_id, account=account) is None:
        raise Problem("not_found")
    work.do(SQL.blocked, account=caller.account, blocked=account)


def unblock(work: Work, caller: Caller, account: str) -> None:
    work.do(SQL.unblocked, account=caller.account, blocked=account)


def export(store: Store, caller: Caller) -> dict[str, Any]:
    """PL-135 Everything stored about the account, but for hashes of secrets."""
    told: dict[str, Any] = {"account": me(store, caller)}
    for part in ("sessions", "second_factor", "tokens", "clients", "let_in", "bots", "blocks", "seats", "results", "commands", "invitations", "holidays", "audience", "mail", "talk", "mutes"):
        told[part] = [row["line"] for row in store.all(getattr(SQL, f"export_{part}"), account=caller.id)]
    return told


def delete(work: Work, caller: Caller, password: str) -> None:
    """PL-135 Signs out, revokes, forgets; the seats of running matches become leavers."""
    row = _self(work, caller)
    if row["password_hash"] is None or not fits(password, row["password_hash"]):
        raise Problem("bad_credentials")
    for each in (row["account_id"], *(bot["account_id"] for bot in work.all(SQL.bots_of, account=caller.account))):
        _forget(work, each)


def suspend(work: Work, account: str, grace_s: float) -> dict[str, Any]:
    """PL-137 Signed out and refused from now on; its seats are left once the grace is over (the watches see to it)."""
    row = work.one(SQL.account_suspended, account=account, grace=grace_s)
    if row is None:
        raise Problem("not_found")
    return {"account": account, "suspended": True, "seats_left_at": at(row["leaves_at"])}


def lift(work: Work, account: str) -> dict[str, Any]:
    """What has been left stays left."""
    if not work.do(SQL.suspension_lifted, account=account):
        raise Problem("not_found")
    return {"account": account, "suspended": False, "seats_left_at": None}


def _forget(work: Work, account: str) -> None:
    for seat in work.all(SQL.running_seats_of, account=account):
        from services.gateway.orders import leave  # orders know accounts; only this end of a life looks back
        leave(work, account, seat["match_id"], seat["seat"])
    for match in work.all(SQL.open_seats_of, account=account):
        work.one(SQL.head_locked, match=match["match_id"])      # none of them starts meanwhile
    for forgotten in (SQL.open_seats_left, SQL.sessions_forgotten, SQL.tokens_revoked, SQL.grants_forgotten, SQL.clients_forgotten, SQL.recovery_codes_forgotten, SQL.second_factor_forgotten, SQL.blocks_forgotten, SQL.mails_forgotten, SQL.mailbox_forgotten, SQL.talk_forgotten, SQL.audience_forgotten):
        work.do(forgotten, account=account)
    work.do(SQL.account_deleted, account=account, name=FORMER)


def _self(work: Work, caller: Caller) -> dict[str, Any]:
    row = work.one(SQL.account_locked, account=caller.id)
    if row is None:
        raise Problem("not_found")
    return row
