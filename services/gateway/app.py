"""How is a gateway put together? `create_app()`: start here."""

from __future__ import annotations

import atexit
import importlib.util
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from services.gateway.api import accounts, audience, commands, games, lobby, mail, matches, orders, reading, talk, tokens
from services.gateway.api.league import championships, hooks, organisations, players, ratings, tournaments
from services.gateway.api.trust import clients, opened_views, second_factor
from services.gateway.edge import answers, document, health
from services.gateway.edge.gate import Gate
from shared.runtime.settings import Settings, read

API = "/api/v1"
HEADINGS = (accounts, tokens, games, matches, lobby, commands, orders, reading, audience, talk, mail, tournaments, championships,
            organisations, hooks, players, ratings, second_factor, opened_views, clients)


def create_app(settings: Settings | None = None, *, attended: bool = True) -> Flask:
    """The gateway of this process; `attended=False` is one without background looks, for its API document."""
    settings = settings or read(process="gateway")
    app = Flask("services.gateway", static_folder=None)
    app.config.update(
        API_TITLE="Cupboard", API_VERSION="v1", OPENAPI_VERSION="3.1.0", MAX_FORM_PARTS=500, MAX_FORM_MEMORY_SIZE=settings.body_bytes,
        MAX_CONTENT_LENGTH=settings.body_bytes, TRAP_HTTP_EXCEPTIONS=False)
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.extensions["gate"] = gate = Gate(settings)
    api = document.Api(app, spec_kwargs=document.facts(settings))
    for heading in HEADINGS:
        api.register_blueprint(heading.routes, url_prefix=API)
    app.extensions["api"] = api
    answers.register(app)
    health.register(app)
    document.register(app)
    clients.register(app)
    _add_pages(app)
    if settings.origin.startswith("https://"):      # TLS ends at a proxy, whose word about the client then counts
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1)     # type: ignore[method-assign]
    if attended:
        gate.attend()
        atexit.register(gate.close)
        _drain_on_term(gate)
    return app


def _add_pages(app: Flask) -> None:
    """The site, where it is installed."""
    if importlib.util.find_spec("services.gateway.web") and importlib.util.find_spec("services.gateway.web.pages"):
        from services.gateway.web.pages import pages
        app.register_blueprint(pages)


def _drain_on_term(gate: Gate) -> None:
    """PL-348 Told to stop, the process first refuses new work; then the server goes on with what it does itself."""
    if threading.current_thread() is not threading.main_thread():
        return
    before: Any = signal.getsignal(signal.SIGTERM)
    if callable(before):
        signal.signal(signal.SIGTERM, _then(gate, before))


def _then(gate: Gate, before: Callable[[int, FrameType | None], Any]) -> Callable[[int, FrameType | None], None]:
    def stop(number: int, frame: FrameType | None) -> None:
        gate.drain()
        before(number, frame)
    return stop
