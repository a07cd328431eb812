"""How does a problem look to somebody with a browser? Like every other page, as long as a page can be made at all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Response, g, request
from flask.blueprints import BlueprintSetupState
from werkzeug.exceptions import HTTPException

from services.gateway.edge.answers import BY_STATUS
from services.gateway.problems import Problem, spoken
from services.gateway.web.blueprint import pages
from services.gateway.web.frame import page
from shared.runtime.store import FateUnknown, Unavailable

Plain = Callable[[Any], Any]


@pages.record
def dress(state: BlueprintSetupState) -> None:
    """Takes the plain answers of the rim and puts the site's frame around those that people see."""
    told: dict[type[Exception], Plain] = state.app.error_handler_spec[None][None]
    for kind in (Problem, HTTPException):
        if kind in told:
            state.app.register_error_handler(kind, _dressed(told[kind]))


def _dressed(plain: Plain) -> Plain:
    def answer(error: Any) -> Any:
        response = plain(error)
        if not isinstance(response, Response) or response.mimetype != "text/html":
            return response
        problem = error if isinstance(error, Problem) else Problem(BY_STATUS.get(response.status_code, "internal"))
        body = problem.body(request.path, g.request_id, spoken(request.headers.get("Accept-Language", "")))
        with suppress(Unavailable, FateUnknown, Problem):  # where the frame itself needs what is missing, the plain words stay
            response.set_data(page("problem.html", response.status_code, problem={**body, "status": response.status_code}).get_data())
        return response
    return answer
