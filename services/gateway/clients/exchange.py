"""What does a program get for a code or a refresh token, and what ends a chain (PL-179; RFC 6749, 7636, 7009)?"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any

from services.gateway.clients.consent import Refused, scopes_of
from services.gateway.clients.registered import SQL, known
from services.gateway.problems import Problem
from services.gateway.store import Store, Work
from services.gateway.tokens import Token, read_token, write_token
from shared.runtime import log
from shared.runtime.store import Row

ACCESS_LIFE_S = 3_600
VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
Form = Mapping[str, str]
logger = log.get(__name__)


def exchange(store: Store, form: Form) -> dict[str, Any]:
    """One grant type or the other. What a misused code or token ends has ended before that is told."""
    client = client_of(store, form)
    act = {"authorization_code": _by_code, "refresh_token": _by_refresh}.get(_needed(form, "grant_type"))
    if act is None:
        raise Refused("unsupported_grant_type", "authorization_code or refresh_token")
    with store.work() as work:
        said = act(work, client, form)
    if isinstance(said, Refused):
        raise said
    return said


def client_of(store: Store, form: Form) -> str:
    """A client has no secret: PKCE proves that who asks is who was answered."""
    named = _needed(form, "client_id")
    if form.get("client_secret") or known(store, named) is None:
        raise Refused("invalid_client", "no program is registered under this client_id, or it is shown with a secret, which none has", 401)
    return named


def _needed(form: Form, name: str) -> str:
    if not form.get(name):
        raise Refused("invalid_request", f"{name} is missing")
    return form[name]


def _by_code(work: Work, client: str, form: Form) -> dict[str, Any] | Refused:
    """The first who brings the code uses it up, right or wrong; the second one ends what the first was given."""
    code, redirect, verifier = (_needed(form, name) for name in ("code", "redirect_uri", "code_verifier"))
    row = work.one(SQL.grant_by_code, hash=hashlib.sha256(code.encode()).digest())
    if row is None:
        return Refused("invalid_grant", "this code is unknown, or was used up")
    fits = client == row["client_id"] and redirect == row["redirect"] and _proves(verifier, row["challenge"])
    if row["code_used_at"] is not None or row["late"] or row["barred"] or not fits:
        work.do(SQL.grant_gone, grant=row["grant_id"])
        if row["code_used_at"] is not None:
            logger.warning("code_reused", client=row["client_id"], grant=row["grant_id"])
        return Refused("invalid_grant", "this code was used before, is older than a minute, or belongs to another client_id, redirect_uri or code_verifier")
    work.do(SQL.code_used, grant=row["grant_id"])
    return _given(work, row["grant_id"], row["scopes"])


def _proves(verifier: str, challenge: str) -> bool:
    """RFC 7636 S256"""
    made = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return VERIFIER.fullmatch(verifier) is not None and hmac.compare_digest(made, challenge.encode())


def _by_refresh(work: Work, client: str, form: Form) -> dict[str, Any] | Refused:
    """It changes at each use; an old one that comes back means that two have it, and ends the chain."""
    token = _token(_needed(form, "refresh_token"))
    row = _refresh(work, token, client) if token else None
    if token is None or row is None:
        return Refused("invalid_grant", "this refresh token is unknown, or of another client_id")
    if row["used_at"] is not None:
        work.do(SQL.grant_gone, grant=row["grant_id"])
        logger.warning("refresh_token_reused", client=client, grant=row["grant_id"])
        return Refused("invalid_grant", "this refresh token was used before: nothing of its chain works any more")
    if row["over"] or row["barred"]:
        return Refused("invalid_grant", "the permission has ended, or the account is suspended")
    scopes = scopes_of(form["scope"], row["scopes"]) if form.get("scope") else row["scopes"]
    work.do(SQL.refresh_used, token=token.id)
    work.do(SQL.ended_tokens_gone, grant=row["grant_id"])
    return _given(work, row["grant_id"], scopes)


def _given(work: Work, grant: str, scopes: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """RFC 6749 5.1 Both are in this answer and nowhere else (PL-172)."""
    (access, stored), (refresh, kept) = write_token("oat"), write_token("oat")
    made = work.one(SQL.access_made, token=stored.id, hash=stored.secret_hash, grant=grant, scopes=list(scopes), life=ACCESS_LIFE_S)
    work.do(SQL.refresh_made, token=kept.id, grant=grant, hash=kept.secret_hash)
    if made is None:
        raise Problem("internal")
    return {"access_token": access, "token_type": "Bearer", "expires_in": made["life_s"], "refresh_token": refresh, "scope": " ".join(scopes)}


def revoke(store: Store, form: Form) -> None:
    """RFC 7009 A refresh token takes its whole chain along, an access token goes alone; what is no token needs nothing done."""
    client, token = client_of(store, form), _token(_needed(form, "token"))
    if token is None:
        return
    with store.work() as work:
        if refresh := _refresh(work, token, client):
            work.do(SQL.grant_gone, grant=refresh["grant_id"])
        elif _own(work.one(SQL.access_seen, token=token.id), token, client):
            work.do(SQL.access_gone, token=token.id)


def _refresh(work: Work, token: Token, client: str) -> Row | None:
    """The row of a refresh token of this client, its chain held."""
    work.one(SQL.chain_held, token=token.id)
    return _own(work.one(SQL.refresh_seen, token=token.id), token, client)


def _token(written: str) -> Token | None:
    try:
        return read_token(written)
    except Problem:
        return None


def _own(row: Row | None, token: Token, client: str) -> Row | None:
    """PL-172 Compared in constant time."""
    return row if row is not None and hmac.compare_digest(row["secret_hash"], token.secret_hash) and row["client_id"] == client else None
