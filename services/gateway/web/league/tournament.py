"""How does a tournament stand? Its page, and one for each thing that can be looked at by itself."""

from __future__ import annotations

from typing import Any

from flask import request
from werkzeug.wrappers import Response

from services.gateway.problems import Problem
from services.gateway.web.blueprint import pages
from services.gateway.web.frame import page
from services.gateway.web.inner import items, look, must

TREES = frozenset({"elimination", "double_elimination"})
LATE = frozenset({"arena", "ladder"})
CROSSED = 64                                            # entrants of a cross table that can still be read


def at(tournament: str, *parts: object) -> str:
    return "/".join(["/tournaments", tournament, *map(str, parts)])


def head(tournament: str, **more: Any) -> dict[str, Any]:
    """What every page of a tournament shows above everything else."""
    told = must(look(at(tournament)))
    stages = told["stages"]
    current = next((stage for stage in reversed(stages) if stage["state"] != "planned"), stages[0])
    roles = told.get("mine", {}).get("roles", [])
    return {"one": told, "current": current, "roles": roles, "runs": bool({"owner", "organiser", "referee"} & set(roles)),
            "tabs": tabs(told, current), "takes_entries": takes_entries(told, current), "refusal": None, **more}


def tabs(told: dict[str, Any], current: dict[str, Any]) -> list[tuple[str, str]]:
    """Which pages there are beside the first one."""
    found = [("standing", "Standing"), ("rounds", "Rounds")]
    if any(stage["format"] in TREES or stage["format"] == "elimination" for stage in told["stages"]):
        found.append(("bracket", "Bracket"))
    if current["format"] == "round_robin" and told["entrants"] <= CROSSED:
        found.append(("cross-table", "Cross table"))
    if any(stage["format"] == "ladder" for stage in told["stages"]):
        found.append(("ladder", "Ladder"))
    return [*found, ("entrants", "Entrants"), ("about", "About"), *([("mine", "Your part")] if has_part(told, current) else [])]


def takes_entries(told: dict[str, Any], current: dict[str, Any]) -> bool:
    """LG-221, LG-227 Whether somebody may come in now: while entry is open, and later where the format lets them."""
    if told["state"] != "running":
        return bool(told["state"] == "open")
    if current["format"] != "swiss" or current["number"] != 1:
        return current["format"] in LATE and current["number"] == 1
    until = current["rules"].get("late_entry_until")
    return bool(current["round"] + bool(current["drafted"]) <= ((current["planned_rounds"] or 0) // 2 if until is None else until))


def has_part(told: dict[str, Any], current: dict[str, Any]) -> bool:
    """Whether somebody takes part, or may still come in."""
    return "mine" in told and (bool(told["mine"]["entrants"]) or told["state"] == "draft" or takes_entries(told, current))


@pages.get("/tournaments/<tournament>")
def tournament_page(tournament: str) -> Response:
    return page("tournament/page.html", **overview(tournament))


@pages.get("/tournaments/<tournament>/parts")
def tournament_parts(tournament: str) -> Response:
    return page("tournament/overview.html", **overview(tournament))


def overview(tournament: str, **more: Any) -> dict[str, Any]:
    """The present standing, the present round, and what can be done."""
    facts = head(tournament, **more)
    told, stage = facts["one"], facts["current"]
    begun = stage["round"] > 0
    return facts | {
        "standing": must(look(at(tournament, "stages", stage["number"], "standing"))) if begun else None,
        "round": must(look(at(tournament, "stages", stage["number"], "rounds", stage["round"]))) if begun else None,
        "entrants": None if begun else must(look(at(tournament, "entrants"))),
        "bots": items(look("/bots")) if _may_enter_bots(told) else [],
    }


def _may_enter_bots(told: dict[str, Any]) -> bool:
    return "mine" in told and told["state"] == "open" and told["opponents"] != "humans"


@pages.get("/tournaments/<tournament>/standing")
def standing_page(tournament: str) -> Response:
    return _staged(tournament, "standing", "tournament/standing.html", as_of=request.args.get("as_of", ""), cursor=request.args.get("cursor", ""))


@pages.get("/tournaments/<tournament>/stages/<int:stage>/ties/<account>")
def ties_page(tournament: str, stage: int, account: str) -> Response:
    """LG-771 How an entrant's tie-breaks came about, round by round."""
    facts, as_of = head(tournament, shown="standing"), request.args.get("as_of", "")
    told = must(look(at(tournament, "stages", stage, "ties"), account=account, as_of=as_of))
    return page("tournament/ties/page.html", **facts, stage=facts["one"]["stages"][stage - 1], told=told, as_of=as_of)


@pages.get("/tournaments/<tournament>/bracket")
def bracket_page(tournament: str) -> Response:
    return _staged(tournament, "bracket", "tournament/bracket.html")


@pages.get("/tournaments/<tournament>/cross-table")
def cross_table_page(tournament: str) -> Response:
    return _staged(tournament, "cross-table", "tournament/cross.html")


def _staged(tournament: str, what: str, template: str, **query: str) -> Response:
    """A page of one stage, by default of the latest that has something to show."""
    facts = head(tournament, shown=what)
    stage = _stage(facts, what)
    said = look(at(tournament, "stages", stage["number"], what), **query)
    teams = look(at(tournament, "stages", stage["number"], "teams")) if what == "standing" and facts["one"]["settings"].get("teams") else None
    return page(template, **facts, stage=stage, as_of=query.get("as_of", ""), table=said.facts if said.good else None, teams=teams.facts if teams and teams.good else None)


def _stage(facts: dict[str, Any], what: str) -> dict[str, Any]:
    stages = facts["one"]["stages"]
    wanted = request.args.get("stage", "")
    fitting = [stage for stage in stages if what != "bracket" or stage["format"] in TREES]
    named = [stage for stage in stages if str(stage["number"]) == wanted]
    begun = [stage for stage in fitting if stage["state"] != "planned"]
    found: list[dict[str, Any]] = named or begun[-1:] or fitting[:1]
    if not found:
        raise Problem("not_found")
    return found[0]


@pages.get("/tournaments/<tournament>/rounds")
def rounds_page(tournament: str) -> Response:
    facts = head(tournament, shown="rounds")
    rounds = [(stage, items(look(at(tournament, "stages", stage["number"], "rounds")))) for stage in facts["one"]["stages"]]
    return page("tournament/rounds.html", **facts, rounds=rounds)


@pages.get("/tournaments/<tournament>/rounds/<int:stage>/<int:number>")
def round_page(tournament: str, stage: int, number: int) -> Response:
    facts = head(tournament, shown="rounds")
    said = must(look(at(tournament, "stages", stage, "rounds", number), cursor=request.args.get("cursor", "")))
    return page("tournament/round.html", **facts, round=said, drafted=False)


@pages.get("/tournaments/<tournament>/entrants")
def entrants_page(tournament: str) -> Response:
    facts = head(tournament, shown="entrants")
    return page("tournament/entrants.html", **facts, entrants=must(look(at(tournament, "entrants"), cursor=request.args.get("cursor", ""))))


@pages.get("/tournaments/<tournament>/ladder")
def ladder_page(tournament: str) -> Response:
    return page("tournament/own/ladder.html", **ladder(tournament))


def ladder(tournament: str, **more: Any) -> dict[str, Any]:
    """LG-541 Who stands on which rung, and which challenges wait for an answer."""
    facts = head(tournament, shown="ladder", **more)
    stage = next((one for one in reversed(facts["one"]["stages"]) if one["format"] == "ladder"), None)
    if stage is None:
        raise Problem("not_found")
    said = look(at(tournament, "stages", stage["number"], "ladder"))
    rungs = said.facts["rungs"] if said.good else []
    return facts | {"stage": stage, "ladder": said.facts if said.good else None, "rung_of": {one["account"]: one["rung"] for one in rungs}}


@pages.get("/tournaments/<tournament>/about")
def about_page(tournament: str) -> Response:
    facts = head(tournament, shown="about")
    return page("tournament/about.html", **facts, officials=items(look(at(tournament, "officials"))))


@pages.get("/tournaments/<tournament>/widget")
def widget(tournament: str) -> Response:
    """LG-1003 The standing for other people's pages: public facts, no account, no script."""
    response = page("tournament/widget.html", **overview(tournament))
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'self'; frame-ancestors *"
    response.headers.pop("X-Frame-Options", None)
    return response
