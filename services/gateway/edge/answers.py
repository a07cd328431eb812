"""What does every answer carry, and how is a problem told (PL-204, PL-205, PL-220, PL-814)?"""

from __future__ import annotations

import re
import secrets
import time
import traceback
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import orjson
import structlog
from flask import Flask, Response, g, render_template_string, request
from werkzeug.exceptions import HTTPException

from services.gateway.edge.gate import Gate, gate
from services.gateway.edge.signing_in import refuse_token_in_url
from services.gateway.problems import MEDIA, Problem, spoken
from shared.runtime import log
from shared.runtime.store import FateUnknown, Unavailable

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
TRACE = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
BY_STATUS = {400: "malformed", 401: "not_signed_in", 403: "not_allowed", 404: "not_found", 405: "not_found", 413: "too_large",
             415: "media_type", 422: "invalid", 429: "rate_limited"}
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})     # anybody may make up others
YEAR_S = 31_536_000
SLOW_S = 1.0
PAGE = """<!doctype html><html lang="{{ language }}"><head><meta charset="utf-8"><title>{{ problem.title }}</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>{{ problem.title }}</h1><p>{{ problem.detail }}</p>
<p><a href="{{ problem.type }}">{{ problem.code }}</a> · {{ problem.request_id }}</p></main></body></html>"""
logger = log.get(__name__)


def register(app: Flask) -> None:
    headers = _headers(app.extensions["gate"])

    def after(response: Response) -> Response:
        return _finished(response, headers)

    app.before_request(_began)
    app.after_request(after)
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(HTTPException, _by_status)
    app.register_error_handler(Unavailable, _unavailable)
    app.register_error_handler(FateUnknown, _fate_unknown)
    app.register_error_handler(Exception, _broken)


def _headers(house: Gate) -> Mapping[str, str]:
    """PL-814 The same for every page; scripts and styles come from files of this site only."""
    stream = house.stream_base or f"{urlsplit(house.settings.origin).scheme}://*:{house.settings.stream_port}"
    told = {
        "Content-Security-Policy": f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
                                   f"connect-src 'self' {stream}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'",
        "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    }
    if house.settings.origin.startswith("https://"):        # browsers keep it for the whole site
        told["Strict-Transport-Security"] = f"max-age={YEAR_S}; includeSubDomains"
    return told


def _began() -> None:
    g.received = time.monotonic()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if REQUEST_ID.fullmatch(given) else f"r-{secrets.token_hex(8)}"
    trace = request.headers.get("traceparent", "")
    g.trace = trace if TRACE.fullmatch(trace) else None
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=g.request_id, **({"trace": g.trace} if g.trace else {}))
    refuse_token_in_url()


def _finished(response: Response, headers: Mapping[str, str]) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if not request.path.startswith("/api/"):        # nobody looks at JSON as at a page
        for name, value in headers.items():
            response.headers[name] = value
        if "form_ends_at" in g:     # PL-179 browsers look at where the answer to a form leads, too
            response.headers["Content-Security-Policy"] = headers["Content-Security-Policy"].replace("form-action 'self'", f"form-action 'self' {g.form_ends_at}")
    response.headers["X-Request-Id"] = g.request_id
    if g.trace:
        response.headers["traceparent"] = g.trace
    if "Cache-Control" not in response.headers and not request.path.startswith("/static"):
        response.headers["Cache-Control"] = "no-store"
    if "limits" in g:
        for name, value in g.limits.headers.items():
            response.headers[name] = value
    _noted(response)
    return response


def _noted(response: Response) -> None:
    """The metrics and one line of log; the route and never the path, so that no id becomes a label."""
    seconds = time.monotonic() - g.received
    route = str(request.url_rule) if request.url_rule else "(none)"
    metrics, method = gate().metrics, request.method if request.method in METHODS else "other"
    metrics.requests.labels(route, method, response.status_code).inc()
    metrics.seconds.labels(route, method).observe(seconds)
    worth_a_line = (response.status_code >= 500 or seconds > SLOW_S) and not route.startswith("/health/")
    note = logger.info if worth_a_line else logger.debug
    note("request", route=route, method=request.method, status=response.status_code, ms=int(seconds * 1000))


# Problems ------------------------------------------------------------------------------------------------------------


def _refused(problem: Problem) -> Response:
    language = spoken(request.headers.get("Accept-Language", ""))
    told = problem.body(request.path if problem.name != "token_in_url" else str(request.url_rule or "/"), g.request_id, language)
    headers = {"Content-Language": language, "Vary": "Accept-Language, Accept", **problem.headers}
    if problem.retry_after is not None:
        headers["Retry-After"] = str(problem.retry_after)
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if _for_people():
        return Response(render_template_string(PAGE, problem=told, language=language), problem.status, headers, content_type="text/html; charset=utf-8")
    return Response(orjson.dumps(told, default=str), problem.status, headers, content_type=MEDIA)


def _for_people() -> bool:
    if request.path.startswith("/api/"):
        return False
    return request.accept_mimetypes.best_match([MEDIA, "application/json", "text/html"]) == "text/html"


def _by_status(error: HTTPException) -> Any:
    """What Flask itself refuses, in the words of the closed list."""
    status = error.code or 500
    if 300 <= status < 400:
        return error
    response = _refused(Problem(BY_STATUS.get(status, "malformed" if status < 500 else "internal"), status=status, fault=error.name))
    if status == 405:
        response.headers["Allow"] = ", ".join(sorted(getattr(error, "valid_methods", None) or ()))
    return response


def _unavailable(error: Unavailable) -> Response:
    logger.warning("database_unavailable", error=type(error).__name__)
    return _refused(Problem("unavailable", retry_after=1))


def _fate_unknown(error: FateUnknown) -> Response:
    logger.warning("fate_unknown", error=type(error).__name__)
    return _refused(Problem("fate_unknown", retry_after=1))


def _broken(error: Exception) -> Response:
    """A fault of ours: noted by where it happened, without the values that took part."""
    places = [f"{frame.name} {frame.filename.rpartition('/services/')[2]}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-8:]]
    logger.error("request_failed", error=type(error).__name__, places=places)
    return _refused(Problem("internal"))
