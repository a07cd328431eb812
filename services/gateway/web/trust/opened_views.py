"""Views opened for a referee, on the page of a match and as a page of their own; the log of acts."""

from __future__ import annotations

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, items, look, must
from services.gateway.web.match_facts import LOG_LENGTH, facts_of


@form("/matches/<match>/opened-views")
def ask_to_look(match: str) -> Response:
    wish = {"seat": number("for_seat"), "reason": text("reason")}
    return _done(ask("POST", f"/matches/{match}/opened-views", wish, key=sent_key()), match, "asked_to_look")


@form("/matches/<match>/opened-views/<opened>/confirm")
def confirm_look(match: str, opened: str) -> Response:
    return _done(ask("POST", f"/matches/{match}/opened-views/{opened}/confirm", key=sent_key()), match, "opened")


@form("/matches/<match>/opened-views/<opened>/look")
def look_at_view(match: str, opened: str) -> Response:
    """Each look is noted, so it is a button and no link that a browser might follow by itself."""
    here = f"/matches/{match}/opened-views/{opened}"
    shown = look(f"{here}/text")
    if not shown.good:
        return page("match/page.html", shown.status, **facts_of(match, refusal=shown.facts))
    step = shown.facts["step"]
    told = items(look(f"{here}/letters", after=max(0, step - LOG_LENGTH), limit=100))
    return page("trust/opened_view.html", match=must(look(f"/matches/{match}")), shown=shown.facts, letters=list(reversed(told)), opened=opened)


@pages.get("/operator/audit")
@for_members
def audit_page() -> Response:
    asked = {name: request.args.get(name, "") for name in ("on", "what", "cursor")}
    return page("trust/audit.html", log=must(look("/operator/audit", limit=50, **asked)), asked=asked)


def _done(said: Said, match: str, what: str) -> Response:
    if said.good:
        return redirect(f"/matches/{match}?said={what}", 303)
    return page("match/page.html", said.status, **facts_of(match, refusal=said.facts))
