"""How does a championship over several games stand?"""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must
from services.gateway.web.league.doing import done
from services.gateway.web.league.lists import called, chosen, countable


@pages.get("/championships/<championship>")
def championship_page(championship: str) -> Response:
    return page("championship/page.html", **facts(championship))


@pages.get("/championships/<championship>/parts")
def championship_parts(championship: str) -> Response:
    return page("championship/parts.html", **facts(championship))


def facts(championship: str, **more: Any) -> dict[str, Any]:
    """Everything its page shows: the table over all games or in one of them, and what counts."""
    told = must(look(f"/championships/{championship}"))
    game = request.args.get("game", "")
    where = f"games/{game}" if game else "standing"
    roles = told.get("mine", {}).get("roles", [])
    titles = {one["game"]: one["title"] for one in items(look("/games"))}
    runs = bool({"owner", "organiser"} & set(roles)) and told["state"] != "finished"
    organisation, counted = told["organisation"]["organisation"], [cup["tournament"] for cup in told["tournaments"]]
    return {"one": told, "cups": countable(organisation, counted) if runs else [], "cup_names": called(organisation, counted), "table": must(look(f"/championships/{championship}/{where}", cursor=request.args.get("cursor", ""))), "game": game,
            "titles": titles, "runs": bool({"owner", "organiser"} & set(roles)), "refusal": None,
            "columns": [cup for cup in told["tournaments"] if not game or cup["game"] == game], **more}


@form("/championships/<championship>/do")
def run_championship(championship: str) -> Response:
    """Adding, removing, publishing, ending: each button of the page is one act."""
    wish: dict[str, Any] = {"kind": text("act")}
    wish |= {name: said for name, said in (("tournament", chosen()), ("weight", text("weight")), ("reason", text("reason"))) if said}
    said = ask("POST", f"/championships/{championship}/acts", wish, key=sent_key())
    back = done(said, f"/championships/{championship}", text("act"))
    return back or page("championship/page.html", said.status, **facts(championship, refusal=said.facts))


@pages.get("/new-championship")
@for_members
def new_championship_page() -> Response:
    return _new()


@form("/new-championship")
def new_championship() -> Response:
    settings: dict[str, Any] = {"name": text("name"), "method": text("method"), "drop": number("drop") or 0, "announced": number("announced") or 0,
                                "visibility": text("visibility") or "public"}
    if text("method") == "table":
        settings["table"] = text("table").replace(",", " ").split()
    said = ask("POST", "/championships", {"organisation": text("organisation"), "settings": settings}, key=sent_key())
    return redirect(f"/championships/{said.facts['championship']}", 303) if said.good else _new(said.status, refusal=said.facts)


def _new(status: int = 200, **more: Any) -> Response:
    return page("championship/new.html", status, organisations=items(look("/organisations", mine="true")), typed=request.form,
                **{"refusal": None, **more})
