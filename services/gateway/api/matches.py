"""Making matches, finding them, and changing them before the start."""

from __future__ import annotations

from typing import Any

from services.gateway import matches
from services.gateway.api import match_schemas as shapes
from services.gateway.api.schemas import listed
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes
from services.gateway.problems import Problem
from services.gateway.rights import may_see

routes = Routes("matches", __name__, description="Matches: making, finding, changing before the start")
CREATING = ("seats_out_of_range", "option_unknown", "no_version", "already_seated", "blocked", "wrong_state")
SET_EXAMPLE = {"items": [shapes.MatchOut.example], "next": None}


@routes.at("GET", "/matches", Door("public", asks=shapes.MatchesAsked, gives=listed(shapes.MatchOut), codes=("bad_cursor",)))
def list_matches(call: Call) -> object:
    """Matches, newest first: public ones and one's own."""
    return matches.listed(call.gate.store, call.caller, call.query, Cursor(call.gate.sign_key, "matches", call.caller.account, call.query))


@routes.at("POST", "/matches", Door("match.create", takes=shapes.MatchIn, gives=shapes.MatchOut, status=201, codes=CREATING, bucket="creations"))
def create(call: Call) -> Answer:
    """Make a match. The answer shows every default taken, the seed's number and the commitment to it."""
    return _tagged(matches.create(call.work, call.caller, call.body, call.gate.settings.open_match_life), 201)


@routes.at("POST", "/match-sets", Door("match.create", takes=shapes.MatchSetIn, gives=listed(shapes.MatchOut), status=201, also=(200,),
                                       codes=("set_refused",), bucket="creations"))
def create_set(call: Call) -> Answer:
    """Make up to 1,000 matches, all or none. Those whose origin and key exist already are told as they are. With `deal_group` all of
    them are played with the same dice, and nothing hidden of any is shown before all have ended.
    """
    made, told = matches.create_set(call.work, call.caller, shapes.MatchIn(), call.body, call.gate.settings.open_match_life)
    return Answer(201 if made else 200, {"items": told, "next": None})


@routes.at("GET", "/matches/<match>", Door("match.see", gives=shapes.MatchOut, also=(304,)))
def one_match(call: Call, match: str) -> Answer:
    """A match with its seats."""
    may_see(call.gate.store, call.caller, match)
    return _tagged(matches.match_told(call.gate.store, call.caller, match), 200)


@routes.at("PATCH", "/matches/<match>", Door("match.change", takes=shapes.MatchChange, gives=shapes.MatchOut, matched=True,
                                             codes=("wrong_state", "changed_meanwhile", "precondition_missing", "option_unknown", "seats_out_of_range")))
def change(call: Call, match: str) -> Answer:
    """Change an open match (host)."""
    if not call.body:
        raise Problem("invalid", errors=[{"pointer": "", "detail": "nothing to change"}])
    return _tagged(matches.change(call.work, call.caller, match, call.body, call.version, call.gate.settings.open_match_life), 200)


def _tagged(row: dict[str, Any], status: int) -> Answer:
    return Answer(status, row, {"ETag": f'"{row["row_version"]}"', "Location": f"/api/v1/matches/{row['match']}"} if status == 201
                  else {"ETag": f'"{row["row_version"]}"'})
