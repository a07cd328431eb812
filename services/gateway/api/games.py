"""What can be played, and the list of commitments."""

from __future__ import annotations

from services.gateway import games, matches
from services.gateway.api import match_schemas as shapes
from services.gateway.api.schemas import listed
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("games", __name__, description="What can be played here")


@routes.at("GET", "/games", Door("public", gives=listed(shapes.GameOut)))
def list_games(call: Call) -> object:
    """Every game with its seats, options, clocks and bots."""
    return {"items": games.games(call.gate.store), "next": None}


@routes.at("GET", "/games/<game>", Door("public", gives=shapes.GameOut))
def one_game(call: Call, game: str) -> object:
    """One game: its newest version, and which others there are."""
    return games.game(call.gate.store, game)


@routes.at("GET", "/games/<game>/versions/<int(max=2147483647):number>", Door("public", gives=shapes.GameVersion))
def one_version(call: Call, game: str, number: int) -> object:
    """The JSON Schemas of commands, events and view of one version."""
    return games.version(call.gate.store, game, number)


@routes.at("GET", "/packs/<pack>", Door("public", gives=shapes.PackOut))
def one_pack(call: Call, pack: str) -> object:
    """The words of a content pack."""
    return games.pack(call.gate.store, pack)


@routes.at("GET", "/seed-commitments", Door("public", asks=shapes.CommitmentsAsked, gives=listed(shapes.Commitment), codes=("bad_cursor",)))
def commitments(call: Call) -> object:
    """The numbered list of commitments to seeds; an entry never changes."""
    return matches.commitments(call.gate.store, call.query, Cursor(call.gate.sign_key, "commitments", None, call.query))
