"""What concerns a player, over HTTP: open tables, byes, results, notices."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields

from services.gateway.api.league.shapes import PEOPLE
from services.gateway.api.schemas import A_TIME, Page, Shape, in_query, one_of, whole
from services.gateway.competitions import players
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("players", __name__, description="What concerns one player in the league")
AT_TABLE = {"tournament": "t-4kQz", "name": "Autumn cup", "game": "some_game", "stage": 1, "round": 2, "table": 3, "pairing": "1/2/3", "match": "m-demo-1", "seats": 2,
            "accounts": ["a-7"]}
LEAGUE = {"account": "a-9", "open": [{**AT_TABLE, "state": "running", "deadline": A_TIME}],
          "byes": [{"tournament": "t-4kQz", "name": "Autumn cup", "game": "some_game", "stage": 1, "round": 4, "bye": "half"}],
          "results": [{**AT_TABLE, "round": 1, "pairing": "1/1/3", "state": "confirmed", "kind": "", "place": 1, "how": "played", "points": "1", "corrected": False,
                       "decided_at": A_TIME}], "next": None, "people": PEOPLE}
NOTICES: Any = {"items": [{"notice": 7, "kind": "pairing_published", "tournament": "t-4kQz", "name": "Autumn cup", "game": "some_game", "event": 31, "pairing": "1/2/3",
                      "match": "m-demo-1", "facts": {}, "at": A_TIME, "read_at": None}], "next": None}


class NoticesAsked(Shape):
    unread = one_of("true", "false")
    before = in_query(1, 2**62)
    limit = in_query(1, 100, load_default=25)


class ReadIn(Shape):
    up_to = whole(1, 2**62, required=True, metadata={"description": "the number of the newest notice that has been seen"})
    example: ClassVar[Any] = {"up_to": 7}


class LeagueOut(Shape):
    account = fields.String()
    open = fields.List(fields.Dict(), metadata={"description": "tables that are not decided, with their deadlines, the nearest first"})
    byes = fields.List(fields.Dict(), metadata={"description": "asked for in rounds that are not published"})
    results = fields.List(fields.Dict(), metadata={"description": "newest first"})
    next = fields.String(allow_none=True)
    people = fields.Dict()
    example: ClassVar[Any] = LEAGUE


@routes.at("GET", "/accounts/<string:account>/league", Door("competition.see", asks=Page, gives=LeagueOut, codes=("bad_cursor",)))
def league_of_account(call: Call, account: str) -> Any:
    """What an account, named by its id, has to play, has asked for and has reached; private tournaments are left out for others."""
    return players.league(call.gate, call.caller, account, call.query)


@routes.at("GET", "/me/notices", Door("my.notices", asks=NoticesAsked, example=NOTICES))
def notices(call: Call) -> Any:
    """What one was told: each cause once, newest first, with the match that counts now."""
    return players.notices(call.gate, call.caller, call.query)


@routes.at("PUT", "/me/notices/read", Door("account.write", takes=ReadIn))
def read_notices(call: Call) -> None:
    """Mark notices as read, up to one of them."""
    players.read(call.work, call.caller, call.body["up_to"])
