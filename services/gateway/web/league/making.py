"""How is a tournament made? A short form for what is usual, and a field for everything else."""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look
from services.gateway.web.league.fields import facts_of

SCHEDULED = frozenset({"round_robin", "groups"})        # at tables of two their schedule says how many rounds there are


@pages.get("/new-tournament")
@for_members
def new_tournament_page() -> Response:
    return _new()


@form("/new-tournament")
def new_tournament() -> Response:
    said = ask("POST", "/tournaments", {"organisation": text("organisation"), "settings": settings()}, key=sent_key())
    return redirect(f"/tournaments/{said.facts['tournament']}", 303) if said.good else _new(said.status, refusal=said.facts)


def settings() -> dict[str, Any]:
    """What the form means; a table of settings that was typed as JSON goes over the rest."""
    stages = [_stage()]
    if text("final"):
        stages.append(_final())
    teams = {"teams": {"boards": number("boards"), "reserves": number("reserves") or 0}} if number("boards") else {}
    preset = {"playing": {"clock": {"preset": text("preset")}}} if text("preset") else {}
    found = {
        "name": text("name"), "game": text("game"), "opponents": text("opponents"), "visibility": text("visibility"), "seeding": text("seeding"),
        "zone": text("zone") or "UTC", "stages": stages, "schedule": {"round_break": f"{number('break') or 0} minutes"}, **preset, **teams,
    }
    more = facts_of("more")
    return {**found, **more} if isinstance(more, dict) else {**found, "more": more}


def _stage() -> dict[str, Any]:
    least, most = number("least") or 0, number("most") or 0
    stage: dict[str, Any] = {"format": text("format"), "seats": {"least": least, "most": most, "preferred": (least + most + 1) // 2}}
    if number("rounds") and (text("format") == "swiss" or (text("format") in SCHEDULED and most > 2)):
        stage["rounds"] = number("rounds")
    if text("format") == "groups":
        stage["groups"] = {"count": number("groups") or 2}
    return stage


def _final() -> dict[str, Any]:
    """A final among the best of the first stage."""
    count = number("qualify") or 4
    stage = _stage()
    seats = stage["seats"] if text("final") != "double_elimination" else {"least": 2, "most": 2, "preferred": 2}
    return {"format": text("final"), "name": "Final", "seats": seats, "takes": {"first": 1, "count": count}}


def _new(status: int = 200, **more: Any) -> Response:
    return page("tournament/new.html", status, games=items(look("/games")), organisations=items(look("/organisations", mine="true")),
                typed=request.form, **{"refusal": None, **more})
