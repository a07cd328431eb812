"""How does a season with divisions stand, and who plays where next?"""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must
from services.gateway.web.league.doing import done
from services.gateway.web.league.fields import flag
from services.gateway.web.league.lists import called, chosen, countable

ROWS = 6        # of the form; more divisions by the API
USUALLY = ({"name": "First", "size": 8, "up": 0, "down": 2}, {"name": "Second", "size": 8, "up": 2, "down": 0})


@pages.get("/seasons")
def seasons_page() -> Response:
    said = must(look("/seasons", cursor=request.args.get("cursor", "")))
    return page("season/list.html", seasons=said["items"], next=said.get("next"))


@pages.get("/seasons/<season>")
def season_page(season: str) -> Response:
    return page("season/page.html", **facts(season))


def facts(season: str, **more: Any) -> dict[str, Any]:
    told = must(look(f"/seasons/{season}"))
    moves = look(f"/seasons/{season}/moves")
    roles = told.get("mine", {}).get("roles", [])
    draft = bool({"owner", "organiser"} & set(roles)) and told["state"] == "draft"
    organisation, counted = told["organisation"]["organisation"], [one["tournament"] for one in told["divisions"] if one["tournament"]]
    return {"one": told, "cups": countable(organisation, counted) if draft else [], "cup_names": called(organisation, counted), "moves": moves.facts if moves.good else None, "runs": bool({"owner", "organiser"} & set(roles)), "refusal": None, **more}


@form("/seasons/<season>/do")
def run_season(season: str) -> Response:
    """Each button of the page is one act."""
    wish: dict[str, Any] = {"kind": text("act")}
    wish |= {name: said for name, said in (("tournament", chosen()), ("account", text("account")), ("reason", text("reason"))) if said}
    if number("level") is not None:
        wish["level"] = number("level")
    if text("act") == "go_on":
        wish["yes"] = flag("yes")
    said = ask("POST", f"/seasons/{season}/acts", wish, key=sent_key())
    return done(said, f"/seasons/{season}", text("act")) or page("season/page.html", said.status, **facts(season, refusal=said.facts))


@pages.get("/new-season")
@for_members
def new_season_page() -> Response:
    return _new()


def _divisions() -> list[dict[str, Any]]:
    """The lines of the form that have a name."""
    named = [line for line in range(ROWS) if text(f"division:{line}")]
    return [{"name": text(f"division:{line}"), **{part: number(f"{part}:{line}") or 0 for part in ("size", "up", "down")}} for line in named]


@form("/new-season")
def new_season() -> Response:
    settings = {"name": text("name"), "divisions": _divisions(), "place_newcomers": text("newcomers") or "lowest"}
    said = ask("POST", "/seasons", {"organisation": text("organisation"), "settings": settings}, key=sent_key())
    return redirect(f"/seasons/{said.facts['season']}", 303) if said.good else _new(said.status, refusal=said.facts)


def _new(status: int = 200, **more: Any) -> Response:
    return page("season/new.html", status, organisations=items(look("/organisations", mine="true")), typed=request.form,
                rows=ROWS, usually=USUALLY, **{"refusal": None, **more})
