"""How is a tournament made? A short form for what is usual, and a field for everything else."""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import clock, number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look
from services.gateway.web.league.fields import facts_of

SCHEDULED = frozenset({"round_robin", "groups"})        # at tables of two their schedule says how many rounds there are
PAIR = {"least": 2, "most": 2, "preferred": 2}
LIKED = 4       # the most at a table where nobody says otherwise


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
    preset = {"playing": {"clock": clock()}} if clock() else {}
    found = {
        "name": text("name"), "game": text("game"), "opponents": text("opponents"), "visibility": text("visibility"), "seeding": text("seeding"),
        "zone": text("zone") or "UTC", "stages": stages, "schedule": {"round_break": f"{number('break') or 0} minutes"}, **preset, **teams,
    }
    more = facts_of("more")
    return {**found, **more} if isinstance(more, dict) else {**found, "more": more}


def _stage() -> dict[str, Any]:
    seats = _tables()
    stage: dict[str, Any] = {"format": text("format"), "seats": seats}
    if number("rounds") and (text("format") == "swiss" or (text("format") in SCHEDULED and seats["most"] > 2)):
        stage["rounds"] = number("rounds")
    if text("format") == "groups":
        stage["groups"] = {"count": number("groups") or 2}
    return stage


def _tables() -> dict[str, int]:
    """How large tables are; a number that was left out is as the game allows it, from its fewest seats to `LIKED`."""
    game = look(f"/games/{text('game')}")
    allowed = [seats for seats in game.facts["seats"]["default"] if seats > 1] if game.good else list(PAIR.values())
    least = number("least") or min(allowed)
    most = number("most") or max(least, min(LIKED, max(allowed)))
    return {"least": least, "most": most, "preferred": (least + most + 1) // 2}


def _final() -> dict[str, Any]:
    """A final among the best of the first stage."""
    count = number("qualify") or 4
    seats = _tables() if text("final") != "double_elimination" else PAIR
    return {"format": text("final"), "name": "Final", "seats": seats, "takes": {"first": 1, "count": count}}


def _new(status: int = 200, **more: Any) -> Response:
    return page("tournament/new.html", status, games=items(look("/games")), organisations=items(look("/organisations", mine="true")),
                typed=request.form, **{"refusal": None, **more})
