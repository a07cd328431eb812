"""Which programs does an organisation tell what happens? The page of its webhooks, and one for each of them."""

from __future__ import annotations

from typing import Any

from flask import request
from werkzeug.wrappers import Response

from services.gateway.competitions.hooks import KINDS
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, look, must
from services.gateway.web.league.doing import done
from services.gateway.web.league.organisation import competitions, head

KNOWN = {kind: events.split() for kind, events in KINDS.items()}


def at(organisation: str, *parts: str) -> str:
    return "/".join(["/organisations", organisation, "hooks", *parts])


@pages.get("/organisations/<organisation>/hooks")
@for_members
def hooks_page(organisation: str) -> Response:
    return _hooks(organisation)


def _hooks(organisation: str, status: int = 200, **more: Any) -> Response:
    """LG-126 For those who run it; others are told that it is not theirs."""
    return page("organisation/hooks.html", status, **head(organisation, **more), hooks=must(look(at(organisation)))["items"], typed=request.form,
                known=KNOWN, by_id=_by_id(organisation))


def _by_id(organisation: str) -> dict[str, Any]:
    return {one["id"]: one for one in competitions(organisation)}


@form("/organisations/<organisation>/hooks")
def make_hook(organisation: str) -> Response:
    """PL-592 The secret is shown in this one answer."""
    said = ask("POST", at(organisation), _wish(), key=sent_key())
    if not said.good:
        return _hooks(organisation, said.status, refusal=said.facts)
    return _hook(organisation, said.facts["hook"], secret=said.facts["secret"])


@pages.get("/organisations/<organisation>/hooks/<hook>")
@for_members
def hook_page(organisation: str, hook: str) -> Response:
    return _hook(organisation, hook)


def _hook(organisation: str, hook: str, status: int = 200, **more: Any) -> Response:
    """LG-1015, PL-601 How it stands, what has not arrived, and what was sent."""
    where = at(organisation, hook)
    return page("organisation/hook.html", status, **head(organisation, **more), hook=must(look(where)), known=KNOWN, by_id=_by_id(organisation),
                sent=must(look(f"{where}/deliveries", cursor=request.args.get("cursor", ""))))


@form("/organisations/<organisation>/hooks/<hook>")
def run_hook(organisation: str, hook: str) -> Response:
    """Each button of its page is one request to the API."""
    act = text("act")
    said = _asked(at(organisation, hook), act)
    if said.good and act == "secret":
        return _hook(organisation, hook, secret=said.facts["secret"])
    here = at(organisation) if act == "remove" else at(organisation, hook)
    return done(said, here) or _hook(organisation, hook, said.status, refusal=said.facts)


def _asked(where: str, act: str) -> Said:
    match act:
        case "pause" | "resume":
            return ask("PATCH", where, {"paused": act == "pause"}, key=sent_key())
        case "test" | "secret":
            return ask("POST", f"{where}/{act}", key=sent_key())
        case "replay":
            return ask("POST", f"{where}/replays", {"competition": text("competition"), "event": number("event")}, key=sent_key())
        case "remove":
            return ask("DELETE", where, key=sent_key())
    return ask("PATCH", where, _wish(), key=sent_key())


def _wish() -> dict[str, Any]:
    return {"address": text("address"), "types": text("types").replace(",", " ").split(), "description": text("description")}
