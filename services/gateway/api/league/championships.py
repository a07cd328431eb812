"""Championships and seasons over HTTP: what counts tournaments, over games or from year to year."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Response

from services.gateway.api.league import shapes, told
from services.gateway.api.league.tournaments import READ, STREAM, read
from services.gateway.api.reading import sent_on
from services.gateway.api.schemas import listed
from services.gateway.competitions import organisations, pages
from services.gateway.competitions.deeds import CHAMPIONSHIP, SEASON, codes_of
from services.gateway.competitions.sight import seen
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("championships", __name__, description="Championships over several games, and seasons with divisions")

CUP, YEAR = "championship", "season"
LIST = Door("competition.see", asks=shapes.CompetitionsAsked, gives=listed(shapes.CompetitionLine), codes=("bad_cursor",))
MAKE = Door("competition.make", takes=shapes.CountingIn, status=201, also=(202,), codes=("bad_setting", "on_hold"), late=True)
ACT = Door("competition.act", takes=shapes.ActIn, gives=shapes.ActOut, also=(202,), codes=(*codes_of({**CHAMPIONSHIP, **SEASON}), "on_hold"), late=True)
OUTCOME = Door("competition.act", gives=shapes.ActOut, codes=ACT.codes)
EVENTS = Door("competition.see", asks=shapes.EventsAsked, example=shapes.EVENTS)
LOG = Door("competition.act", asks=shapes.LogAsked, example=shapes.LOG)


@routes.at("GET", "/championships", LIST)
def championships(call: Call) -> Any:
    """The championships of this installation that the caller may know of, newest first."""
    return pages.listed(call.gate, call.caller, CUP, call.query)


@routes.at("POST", "/championships", replace(MAKE, example=shapes.CUP))
def make_championship(call: Call) -> Any:
    """Make a championship of an organisation; tournaments are added by acts."""
    return told.create(call, CUP)


@routes.at("GET", "/championships/<string:championship>", replace(READ, example=shapes.CUP))
def championship(call: Call, championship: str) -> Any:
    """One championship: settings, what it counts, what is outstanding, its winners."""
    return told.unless_known(pages.head(call.gate, call.caller, seen(call.gate.store, call.caller, CUP, championship)))


@routes.at("POST", "/championships/<string:championship>/acts", ACT)
def act_in_championship(call: Call, championship: str) -> Any:
    """Ask something of a championship: add, remove, publish, finish."""
    return told.act(call, CUP, championship)


@routes.at("GET", "/championships/<string:championship>/acts/<string:act>", OUTCOME)
def act_of_championship(call: Call, championship: str, act: str) -> Any:
    """What became of an act."""
    return told.outcome(call, CUP, championship, act)


@routes.at("GET", "/championships/<string:championship>/standing", read(shapes.STANDING, shapes.StandingAsked))
def championship_standing(call: Call, championship: str) -> Any:
    """The table over all games, gross and net, 500 lines at a time."""
    return told.page(call, CUP, championship, "standing")


@routes.at("GET", "/championships/<string:championship>/games/<string:game>", read(shapes.STANDING, shapes.StandingAsked))
def championship_game(call: Call, championship: str, game: str) -> Any:
    """The table of one game."""
    return told.page(call, CUP, championship, f"game/{game}")


@routes.at("GET", "/championships/<string:championship>/events", EVENTS)
def championship_events(call: Call, championship: str) -> Any:
    """Everything that happened, numbered from 1 without gaps."""
    found = seen(call.gate.store, call.caller, CUP, championship)
    return pages.events(call.gate, found, call.query["after"], call.query["limit"])


@routes.at("GET", "/championships/<string:championship>/stream", STREAM)
def championship_stream(call: Call, championship: str) -> Response:
    """SSE or NDJSON of what happens in a championship. Answered by the stream process."""
    seen(call.gate.store, call.caller, CUP, championship)
    return sent_on(call)


@routes.at("GET", "/championships/<string:championship>/audit", LOG)
def championship_audit(call: Call, championship: str) -> Any:
    """The log of what officials did."""
    found = seen(call.gate.store, call.caller, CUP, championship)
    return organisations.log(call.gate, call.caller, found.row["organisation_id"], found, call.query["after"])


@routes.at("GET", "/seasons", LIST)
def seasons(call: Call) -> Any:
    """The seasons of this installation that the caller may know of, newest first."""
    return pages.listed(call.gate, call.caller, YEAR, call.query)


@routes.at("POST", "/seasons", replace(MAKE, example=shapes.CUP))
def make_season(call: Call) -> Any:
    """Make a season with divisions; each division is decided by a tournament."""
    return told.create(call, YEAR)


@routes.at("GET", "/seasons/<string:season>", replace(READ, example=shapes.CUP))
def season(call: Call, season: str) -> Any:
    """One season: its divisions and their tournaments."""
    return told.unless_known(pages.head(call.gate, call.caller, seen(call.gate.store, call.caller, YEAR, season)))


@routes.at("POST", "/seasons/<string:season>/acts", ACT)
def act_in_season(call: Call, season: str) -> Any:
    """Ask something of a season: add, go_on, join, move, settle."""
    return told.act(call, YEAR, season)


@routes.at("GET", "/seasons/<string:season>/acts/<string:act>", OUTCOME)
def act_of_season(call: Call, season: str, act: str) -> Any:
    """What became of an act."""
    return told.outcome(call, YEAR, season, act)


@routes.at("GET", "/seasons/<string:season>/moves", read({"lines": [], "version": 31, "people": {}}))
def season_moves(call: Call, season: str) -> Any:
    """Who goes up, stays and goes down."""
    return told.page(call, YEAR, season, "moves")


@routes.at("GET", "/seasons/<string:season>/events", EVENTS)
def season_events(call: Call, season: str) -> Any:
    """Everything that happened, numbered from 1 without gaps."""
    found = seen(call.gate.store, call.caller, YEAR, season)
    return pages.events(call.gate, found, call.query["after"], call.query["limit"])


@routes.at("GET", "/seasons/<string:season>/stream", STREAM)
def season_stream(call: Call, season: str) -> Response:
    """SSE or NDJSON of what happens in a season. Answered by the stream process."""
    seen(call.gate.store, call.caller, YEAR, season)
    return sent_on(call)
