"""Programs of other people: registering them, letting them in, and the addresses by which OAuth 2 knows a service (PL-179)."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Flask, Response, g, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from services.gateway import orders
from services.gateway.api import schemas
from services.gateway.api.trust import client_shapes as shapes
from services.gateway.clients import exchange, registered
from services.gateway.clients.consent import GIVEN, Refused
from services.gateway.edge.gate import Gate, gate
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes, raw
from services.gateway.problems import Problem
from services.gateway.rights import Caller

routes = Routes("clients", __name__, description="Programs of other people, by OAuth 2 with PKCE")
FORM = "application/x-www-form-urlencoded"
PAGE = "/oauth/authorize"
AUTHORIZE = Door("public", asks=shapes.AuthorizeAsked, status=303, lean=True)
TOKEN = Door("public", takes=shapes.TokenWish, gives=shapes.GivenTokens, reads=FORM, refuses=shapes.OAuthError, keyed=False, lean=True)
REVOKE = Door("public", takes=shapes.RevokeWish, example={}, reads=FORM, refuses=shapes.OAuthError, keyed=False, lean=True)


@routes.at("GET", "/clients", Door("account.session", gives=schemas.listed(shapes.Client)))
def list_clients(call: Call) -> object:
    """The programs that one has registered, also in the name of organisations that one owns."""
    return {"items": registered.listed(call.gate.store, call.caller), "next": None}


@routes.at("POST", "/clients", Door("account.session", takes=shapes.ClientIn, gives=shapes.Client, status=201, codes=("name_taken",), bucket="creations"))
def make_client(call: Call) -> Answer:
    """Register a program. Its `client` is the client_id of OAuth 2; there is no secret."""
    return Answer(201, registered.make(call.work, call.caller, call.body))


@routes.at("DELETE", "/clients/<client>", Door("account.session"))
def remove_client(call: Call, client: str) -> None:
    """Remove a program; whatever people have let it do ends at once."""
    registered.remove(call.work, call.caller, client)


@routes.at("DELETE", "/operator/clients/<client>", Door("operator.write", takes=schemas.ReasonIn, codes=("reason_missing",)))
def expel_client(call: Call, client: str) -> None:
    """Remove a program that does harm (operator); whatever people have let it do ends at once."""
    facts = {"who": call.caller.account, "what": "client.expel", "on": client, "reason": orders.reasoned(call.body["reason"])}
    orders.note(call.work, facts, before=registered.expel(call.work, client))


@routes.at("GET", "/me/clients", Door("account.session", gives=schemas.listed(shapes.LetIn)))
def list_let_in(call: Call) -> object:
    """The programs of other people that may act for the account."""
    return {"items": registered.let_in(call.gate.store, call.caller), "next": None}


@routes.at("DELETE", "/me/clients/<client>", Door("account.session"))
def put_out(call: Call, client: str) -> None:
    """Take back what a program was let do; it fails from the next request on."""
    registered.put_out(call.work, call.caller, client)


# OAuth 2 -----------------------------------------------------------------------------------------------------------------


@routes.at("GET", "/oauth/authorize", AUTHORIZE)
def authorize(_house: Gate) -> AnyResponse:
    """Where a program sends the browser: a page asks whether it may. The answer goes to its redirect_uri, with `code` or `error`, `state` and `iss`."""
    return redirect(f"{PAGE}?{request.query_string.decode('latin-1')}", 303)


@routes.at("POST", "/oauth/token", TOKEN)
def give_tokens(house: Gate) -> Response:
    """Tokens for a code or a refresh token (RFC 6749; form-encoded)."""
    try:
        return _said(exchange.exchange(house.store, _form(house)))
    except Refused as problem:
        return _refused(problem)


@routes.at("POST", "/oauth/revoke", REVOKE)
def revoke(house: Gate) -> Response:
    """Revoke a token (RFC 7009; form-encoded); a refresh token takes its whole chain along."""
    try:
        exchange.revoke(house.store, _form(house))
    except Refused as problem:
        return _refused(problem)
    return _said({})


def _form(house: Gate) -> dict[str, str]:
    """Limited as sign-ins are; each parameter once, and by the body alone."""
    g.limits = house.counted("sign_in", Caller(address=request.remote_addr or ""))
    if house.draining:
        raise Problem("draining", retry_after=1)
    request.max_content_length = house.settings.command_bytes
    if request.mimetype != FORM:
        raise Refused("invalid_request", f"the body must be {FORM}")
    if "Authorization" in request.headers:
        raise Refused("invalid_client", "no client has a secret: leave the Authorization header out, and send client_id in the body", 401)
    form: MultiDict[str, str] = request.form
    if twice := [name for name, values in form.lists() if len(values) > 1]:
        raise Refused("invalid_request", f"{len(twice)} of the parameters are given twice")
    return form.to_dict()


def _refused(problem: Refused) -> Response:
    answer = _said({"error": problem.error, "error_description": problem.words}, problem.status)
    if problem.status == 401:
        answer.headers["WWW-Authenticate"] = 'Basic realm="Cupboard"'
    return answer


def _said(body: dict[str, Any], status: int = 200) -> Response:
    return raw(orjson.dumps(body), status, Cache_Control="no-store", Pragma="no-cache")


def register(app: Flask) -> None:
    app.add_url_rule("/.well-known/oauth-authorization-server", "oauth_facts", facts)


def facts() -> Response:
    """RFC 8414 What a program needs to know of this server before it begins."""
    origin = gate().settings.origin
    api = f"{origin}/api/v1/oauth"
    told = {
        "issuer": origin, "authorization_endpoint": f"{api}/authorize", "token_endpoint": f"{api}/token", "revocation_endpoint": f"{api}/revoke",
        "scopes_supported": GIVEN, "response_types_supported": ["code"], "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"], "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"], "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True, "service_documentation": f"{origin}/docs",
    }
    return raw(orjson.dumps(told), Cache_Control="public, max-age=300", Access_Control_Allow_Origin="*")
