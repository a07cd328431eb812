"""Where do all pages hang?"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flask import Blueprint, Response, redirect, request, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web import frame

HERE = Path(__file__).parent
pages = Blueprint("pages", __name__, template_folder="templates")
frame.fill(pages)

Page = TypeVar("Page", bound=Callable[..., AnyResponse])


def form(path: str) -> Callable[[Page], Page]:
    """A form's address: what is sent there is one of our forms (PL-131), or it is refused before anything is read of it."""
    def decorator(act: Page) -> Page:
        @pages.post(path, endpoint=act.__name__)
        @functools.wraps(act)
        def sent(**places: str) -> AnyResponse:
            frame.checked_form()
            return act(**places)
        return act
    return decorator


def for_members(show: Page) -> Page:
    """A page for those who are signed in; others sign in first and then come back."""
    @functools.wraps(show)
    def shown(**places: str) -> AnyResponse:
        if not caller(gate()).signed_in:
            return redirect(f"/sign-in?next={request.path}", 303)
        return show(**places)
    return shown  # type: ignore[return-value]  # the same page, behind a door


def file_of(folder: Path, name: str) -> Response:
    """A file of the site; the browser keeps it and asks whether it is still the same."""
    answer = send_from_directory(folder, name, conditional=True)
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@pages.get("/static/<path:name>")
def static_file(name: str) -> Response:
    return file_of(HERE / "static", name)
