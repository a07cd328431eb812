"""How does a page ask the API? As a client of it inside this process: same rights, same checks, same words for what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, abort, current_app, request
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

API = "/api/v1"


class Said:
    """What the API answered."""

    def __init__(self, response: Response) -> None:
        self.status = response.status_code
        self.headers: Headers = response.headers
        self.raw = response.get_data()
        self.cookies = response.headers.getlist("Set-Cookie")

    @property
    def good(self) -> bool:
        return self.status < 400

    @property
    def facts(self) -> Any:
        """The body, read; an empty object where it is none."""
        return orjson.loads(self.raw) if "json" in self.headers.get("Content-Type", "") else {}

    @property
    def code(self) -> str:
        return "" if self.good else str(self.facts.get("code", "internal"))


def ask(method: str, path: str, body: Any = None, *, key: str = "", **headers: str) -> Said:
    """One request to the API on behalf of whoever asked for the page."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # Flask's own way to leave the proxy
    builder = EnvironBuilder(
        f"{API}{path}", request.host_url, method=method, headers=_headers(key, headers), environ_overrides={"REMOTE_ADDR": request.remote_addr},
        data=orjson.dumps(body) if body is not None else None, content_type="application/json" if body is not None else None)
    with app.app_context(), app.request_context(builder.get_environ()):
        return Said(app.full_dispatch_request())


def look(path: str, **query: Any) -> Said:
    """A reading request; members of the query that are None or empty are left out."""
    given = {name: value for name, value in query.items() if value not in {None, ""}}
    return ask("GET", f"{path}?{urlencode(given)}" if given else path)


def must(said: Said) -> Any:
    """What was read; a page of a thing that is not there, or not for this reader, is that problem's page."""
    if not said.good:
        abort(problem_page(said))
    return said.facts


def items(said: Said) -> list[Any]:
    """The entries of a list, nothing where it cannot be read."""
    found: list[Any] = said.facts.get("items", []) if said.good else []
    return found


def problem_page(said: Said) -> Response:
    from services.gateway.web.frame import page  # a page shows problems, and asking shows pages
    return page("problem.html", status=said.status, problem=said.facts)


def _headers(key: str, more: Mapping[str, str]) -> Headers:
    """The browser's own credentials and language. The form's token has been checked, so the request is the site's own (PL-131)."""
    kept = {name: request.headers[name] for name in ("Cookie", "Accept-Language", "User-Agent", "X-Forwarded-For") if name in request.headers}
    own = {"Sec-Fetch-Site": "same-origin", **({"Idempotency-Key": key} if key else {})}
    return Headers({**kept, **own, **{name.replace("_", "-"): value for name, value in more.items()}})
