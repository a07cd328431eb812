"""Ratings over HTTP: leader boards, where an account stands, and how it came there."""

from __future__ import annotations

from typing import Any

from services.gateway.api.league import shapes
from services.gateway.api.schemas import listed
from services.gateway.competitions import ratings
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("ratings", __name__, description="Ratings per game and pool")


@routes.at("GET", "/games/<string:game>/ratings", Door("competition.see", asks=shapes.LeadersAsked, gives=listed(shapes.Leader), codes=("bad_cursor",)))
def leaders(call: Call, game: str) -> Any:
    """The strongest in a game with at least ten rated matches."""
    return ratings.leaders(call.gate, call.caller, game, call.query)


@routes.at("GET", "/accounts/<string:account>/ratings", Door("competition.see", gives=shapes.RatingsOut))
def ratings_of_account(call: Call, account: str) -> Any:
    """The ratings of an account, named by its id, in every game and over all of them."""
    return ratings.of_account(call.gate, account)


@routes.at("GET", "/accounts/<string:account>/ratings/<string:game>", Door("competition.see", asks=shapes.HistoryAsked, example=shapes.HISTORY))
def rating_history(call: Call, account: str, game: str) -> Any:
    """What each rated match changed, newest first."""
    return ratings.history(call.gate, account, game, call.query)
