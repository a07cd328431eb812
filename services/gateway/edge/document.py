"""What does the API say of itself: `/openapi.json`, a page to read it by, and a page for every problem code (PL-202, PL-205)?"""

from __future__ import annotations

from functools import cache
from typing import Any

import flask_smorest
import orjson
from flask import Flask, Response, current_app, render_template, request

from services.gateway.clients.consent import WORDS
from services.gateway.edge.gate import gate
from services.gateway.edge.routes import raw
from services.gateway.problems import CODES, LANGUAGES, Problem, spoken
from services.gateway.rights import RIGHTS, SCOPES
from shared.runtime.settings import Settings

PROMISE = """\
202 means that the command is on disk in Postgres. Every accepted command gets exactly one recorded outcome (carried out, or refused \
with a reason), in the order of acceptance within its match, whatever is killed: a worker, its child, Redis, Postgres, the gateway. \
Not covered: the loss of Postgres' own disk without a synchronous standby, an fsync that lies, an operator's edits in the database.

Every write needs an `Idempotency-Key`: say the same thing again with the same key and it is done once. Times are RFC 3339 in UTC with \
milliseconds, durations whole milliseconds, fractions strings such as "10/3". Lists answer `items` and `next`. Errors are problem \
details with a `code` from a closed list. The numbers of the dice prove that nobody changed them, not that the operator does not know \
hidden cards."""
PROBLEM = {
    "type": "object", "required": ["type", "title", "status", "detail", "instance", "code", "request_id"],
    "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
        "instance": {"type": "string"}, "code": {"enum": sorted(CODES)}, "request_id": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object", "required": ["pointer", "detail"], "properties": {
            "pointer": {"type": "string"}, "detail": {"type": "string"}}}},
    },
    "example": {"type": "/problems/stale_ask", "title": CODES["stale_ask"].titles["en"], "status": 409, "code": "stale_ask",
                "detail": CODES["stale_ask"].texts["en"], "instance": "/api/v1/matches/m-demo/commands", "request_id": "r-81"},
}


class Api(flask_smorest.Api):  # type: ignore[misc]  # flask_smorest publishes no types
    """Every operation lists its problems itself; there is no default answer besides."""

    DEFAULT_ERROR_RESPONSE_NAME = None


def facts(settings: Settings) -> dict[str, Any]:
    """The head of the document."""
    oauth = f"{settings.origin}/api/v1/oauth"
    return {
        "info": {"description": PROMISE, "license": {"name": "MIT", "identifier": "MIT"}},
        "servers": [{"url": settings.origin}],
        "components": {
            "schemas": {"Problem": PROBLEM},
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "cupboard", "description": "A browser's session (over https `__Host-cupboard`)"},
                "token": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer lg_…`; scopes: " + ", ".join(SCOPES)},
                "program": {"type": "oauth2", "description": "How a program of somebody else comes to such a token: OAuth 2 with PKCE (PL-179)",
                            "flows": {"authorizationCode": {"authorizationUrl": f"{oauth}/authorize", "tokenUrl": f"{oauth}/token",
                                                            "refreshUrl": f"{oauth}/token", "scopes": dict(WORDS)}}},
            },
        },
    }


def register(app: Flask) -> None:
    app.add_url_rule("/openapi.json", "openapi", openapi)
    app.add_url_rule("/docs", "docs", docs)
    app.add_url_rule("/docs.css", "docs_style", style)
    app.add_url_rule("/problems", "problems", problems)
    app.add_url_rule("/problems/<code>", "problem", problem)


def openapi() -> Response:
    return raw(_written(current_app._get_current_object()), Cache_Control="public, max-age=300")    # type: ignore[attr-defined]


@cache
def _written(app: Flask) -> bytes:
    return orjson.dumps(spec(app), option=orjson.OPT_INDENT_2)


def spec(app: Flask) -> dict[str, Any]:
    """PL-202 Made from the running routes and schemas."""
    made: dict[str, Any] = app.extensions["api"].spec.to_dict()
    made["components"].get("responses", {}).clear()     # flask-smorest's own; every operation lists its problems
    made["components"].pop("headers", None)
    made["paths"] = {path: made["paths"][path] for path in sorted(made["paths"])}
    return made


def docs() -> str:
    """The same document to read, without anything from elsewhere."""
    made = spec(current_app._get_current_object())      # type: ignore[attr-defined]
    operations: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            if method in {"get", "post", "put", "patch", "delete"}:
                operations.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    return render_template("document/docs.html", operations=operations, schemas=made["components"]["schemas"], promise=PROMISE,
                           scopes={scope: [verb for verb, right in RIGHTS.items() if scope in right.scopes] for scope in SCOPES},
                           words=WORDS, pretty=_pretty, properties=_properties)


def _pretty(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _properties(schema: dict[str, Any], schemas: dict[str, Any]) -> list[tuple[str, str, bool, str]]:
    """Name, type, whether it must be given, and what it is, of every field."""
    named = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
    return [(name, _type(field), name in named.get("required", ()), field.get("description", ""))
            for name, field in named.get("properties", {}).items()]


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    if "enum" in field:
        return "one of " + ", ".join(map(str, field["enum"]))
    kind = field.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def style() -> Response:
    return Response(render_template("document/docs.css"), content_type="text/css; charset=utf-8", headers={"Cache-Control": "public, max-age=3600"})


def problems() -> str | Response:
    """The closed list."""
    language = spoken(request.headers.get("Accept-Language", ""))
    if _wants_json():
        return raw(orjson.dumps({"items": [_told(code, language) for code in CODES]}))
    return render_template("document/problems.html", codes=CODES.values(), language=language)


def problem(code: str) -> str | Response:
    """PL-205 The page behind `type`."""
    if code not in CODES:
        raise Problem("not_found")
    language = spoken(request.headers.get("Accept-Language", ""))
    if _wants_json():
        return raw(orjson.dumps(_told(code, language)))
    return render_template("document/problem.html", code=CODES[code], language=language, languages=LANGUAGES, origin=gate().settings.origin)


def _told(code: str, language: str) -> dict[str, Any]:
    row = CODES[code]
    return {"code": code, "status": row.status, "title": row.titles[language], "text": row.texts[language]}


def _wants_json() -> bool:
    return request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json"
