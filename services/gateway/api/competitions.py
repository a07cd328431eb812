"""Championships over HTTP: make, enter, withdraw, start, and read rounds and standings."""

from __future__ import annotations

from typing import Any

from services.gateway.api.competition_schemas import (
    ChampionshipIn,
    ChampionshipOut,
    ChampionshipsAsked,
    EntrantIn,
    EntrantOut,
    RoundOut,
    StandingsOut,
)
from services.gateway.api.schemas import Page, listed
from services.gateway.competitions import making, reading
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("competitions", __name__, description="Championships: matches that the league pairs, counts and ranks")

HERE = "/championships/<string:championship>"
ENTRY_CODES = ("entry_closed", "already_entered", "not_eligible", "no_consent", "full")


@routes.at("GET", "/championships", Door("championship.see", asks=ChampionshipsAsked, gives=listed(ChampionshipOut), codes=("bad_cursor",)))
def championships(call: Call) -> Any:
    """The championships of this installation, newest first."""
    return reading.listed(call.gate.store, call.query, _cursor(call, "championships"))


@routes.at("POST", "/championships", Door(
    "championship.make", takes=ChampionshipIn, gives=ChampionshipOut, status=201, codes=("no_version", "option_unknown", "bad_setting")))
def make_championship(call: Call) -> Any:
    """Makes a championship whose organiser is the caller; entry is open at once."""
    told = making.create(call.work, call.caller, call.body)
    return Answer(201, told, {"Location": f"/api/v1/championships/{told['championship']}"})


@routes.at("GET", HERE, Door("championship.see", gives=ChampionshipOut))
def championship(call: Call, championship: str) -> Any:
    """One championship, with the version it is at."""
    told = reading.championship(call.gate.store, championship)
    return Answer(200, told, {"ETag": f'"{told["version"]}"'})


@routes.at("GET", f"{HERE}/entrants", Door("championship.see", asks=Page, gives=listed(EntrantOut), codes=("bad_cursor",)))
def championship_entrants(call: Call, championship: str) -> Any:
    """Who has entered, in the order of entry."""
    cursor = _cursor(call, f"entrants of {championship}")
    after = cursor.read(call.query.get("cursor"))
    rows = reading.entrants(call.gate.store, championship, (after[0], after[1]) if after else None, call.query["limit"] + 1)
    return cursor.page([(row, row["place"]) for row in rows], call.query["limit"])


@routes.at("POST", f"{HERE}/entrants", Door("championship.enter", takes=EntrantIn, gives=EntrantOut, status=201, codes=ENTRY_CODES))
def enter_championship(call: Call, championship: str) -> Any:
    """Enters the caller, or a bot of the caller's."""
    return Answer(201, making.enter(call.work, call.caller, championship, call.body.get("account")))


@routes.at("DELETE", f"{HERE}/entrants/<string:account>", Door("championship.enter", codes=("wrong_state", "no_consent")))
def withdraw_from_championship(call: Call, championship: str, account: str) -> Any:
    """Withdraws oneself, or a bot of one's own, before the start."""
    making.withdraw(call.work, call.caller, championship, account)
    return Answer(204)


@routes.at("POST", f"{HERE}/start", Door("championship.run", gives=ChampionshipOut, codes=("wrong_state", "not_enough_players")))
def start_championship(call: Call, championship: str) -> Any:
    """Closes entry and lets the league draw numbers and pair the first round; a second press changes nothing."""
    return Answer(200, making.start(call.work, call.caller, championship))


@routes.at("GET", f"{HERE}/rounds", Door("championship.see", asks=Page, gives=listed(RoundOut), codes=("bad_cursor",)))
def championship_rounds(call: Call, championship: str) -> Any:
    """The rounds with their tables, matches and results."""
    cursor = _cursor(call, f"rounds of {championship}")
    after = cursor.read(call.query.get("cursor"))
    rows = reading.rounds(call.gate.store, championship, after[0] if after else 0, call.query["limit"] + 1)
    return cursor.page([(row, (row["round"],)) for row in rows], call.query["limit"])


@routes.at("GET", f"{HERE}/standings", Door("championship.see", gives=StandingsOut))
def championship_standings(call: Call, championship: str) -> Any:
    """The standing, all of it at one version (`as_of`), with what decided between equals."""
    told = reading.standings(call.gate.store, championship)
    return Answer(200, told, {"ETag": f'"{told["as_of"]}"'})


def _cursor(call: Call, name: str) -> Cursor:
    return Cursor(call.gate.sign_key, name, call.caller.account, call.query)
