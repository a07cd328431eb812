"""Who sent this request: a browser with its cookie, a program with its token, or nobody (PL-127 to PL-132, PL-178)?"""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from flask import Response, g, request

from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem
from services.gateway.rights import Caller, caller_by_session, caller_by_token
from services.gateway.tokens import Token, looks_like_token, read_token

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
PLAIN, SECURE = "cupboard", "__Host-cupboard"
MONTH_S = 30 * 86_400


def caller(gate: Gate) -> Caller:
    """The caller of this request, found once."""
    if "caller" not in g:
        g.caller = _caller(gate)
    found: Caller = g.caller
    return found


def _caller(gate: Gate) -> Caller:
    address = request.remote_addr or ""
    if "Authorization" in request.headers:      # PL-132 the cookie is not even looked at
        token = bearer()
        try:
            return caller_by_token(gate.store, token.id, token.secret_hash, address)
        except Problem:     # PL-666 a token that is none has no limit of its own: the address has
            gate.counted("management", Caller(address=address))
            raise
    cookie = request.cookies.get(cookie_name(gate))
    found = caller_by_session(gate.store, cookie, address) if cookie else None
    if found is None:
        return Caller(address=address)
    if request.method not in SAFE:
        refuse_foreign(gate)
    return found


def bearer() -> Token:
    kind, _, written = request.headers["Authorization"].partition(" ")
    if kind.lower() != "bearer":
        raise Problem("bad_token")
    return read_token(written.strip())


def refuse_token_in_url() -> None:
    """PL-178 Whatever its rights: addresses end up in logs."""
    if b"lg_" in request.query_string or b"%" in request.query_string or "lg_" in request.path:     # it may be written in percents
        given = [request.path, *(text for pair in request.args.items(multi=True) for text in pair)]
        if any(looks_like_token(text) for text in given):
            raise Problem("token_in_url")


def refuse_foreign(gate: Gate) -> None:
    """PL-131 Unsafe requests with a cookie come from our own pages only."""
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site != "same-origin" if site is not None else not origin or origin not in {gate.settings.origin, own_origin()}:
        raise Problem("csrf")


def check_form(caller_: Caller, form_token: str) -> None:
    """PL-131 Forms also carry the token of their session."""
    if not caller_.form_token or not hmac.compare_digest(caller_.form_token, form_token):
        raise Problem("csrf")


def own_origin() -> str:
    """The origin under which this request reached us, on loopback only: elsewhere the setting decides."""
    host = urlsplit(f"//{request.host}").hostname
    return f"{request.scheme}://{request.host}" if host in LOOPBACK else ""


def is_secure(gate: Gate) -> bool:
    return gate.settings.origin.startswith("https://")


def cookie_name(gate: Gate) -> str:
    return SECURE if is_secure(gate) else PLAIN


def refuse_plain_http(gate: Gate) -> None:
    """PL-128 Without TLS a cookie is given on loopback addresses only."""
    if not is_secure(gate) and urlsplit(f"//{request.host}").hostname not in LOOPBACK:
        raise Problem("not_allowed")


def give_cookie(gate: Gate, response: Response, cookie: str) -> Response:
    response.set_cookie(cookie_name(gate), cookie, max_age=MONTH_S, path="/", secure=is_secure(gate), httponly=True, samesite="Lax")
    return response


def take_cookie(gate: Gate, response: Response) -> Response:
    response.delete_cookie(cookie_name(gate), path="/", secure=is_secure(gate), httponly=True, samesite="Lax")
    return response
