"""What may be said of championships, and what is told of them?"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, validate

from services.gateway.api.match_schemas import ClockWish
from services.gateway.api.schemas import A_TIME, Page, Shape, Whole, an_id, one_of, text, told, told_time, whole

FRACTION = Whole(r"^\d{1,6}(/[1-9]\d{0,5}|\.\d{1,2})?$", error='a number such as "3", "10/3" or "2.5"')
SIZE = Whole(r"^[2-8]$", error="a number of seats")
MONTH_MS = 30 * 86_400_000
STATES = ("open", "running", "finished")


class SeatsWish(Shape):
    """How many sit at a table."""

    least = whole(2, 8, required=True)
    most = whole(2, 8, required=True)
    preferred = whole(2, 8)


class ChampionshipIn(Shape):
    name = text(80, required=True)
    game = text(40, required=True)
    rounds = whole(1, 64, required=True)
    seats = fields.Nested(SeatsWish, required=True)
    points = fields.Dict(keys=fields.String(validate=SIZE), values=fields.List(fields.String(validate=FRACTION)), load_default=dict,
                         metadata={"description": "points by place for each number of seats; without them (n - p) / (n - 1)"})
    options = fields.Dict(keys=fields.String(), load_default=dict)
    clock = fields.Nested(ClockWish, load_default=dict)
    opponents = one_of("persons", "bots", "mixed", load_default="persons")
    round_break_ms = whole(0, MONTH_MS, load_default=300_000)
    example: ClassVar[Any] = {"name": "Autumn cup", "game": "pebbles", "rounds": 5, "seats": {"least": 3, "most": 4}, "clock": {"preset": "quick"}, "opponents": "mixed"}


class ChampionshipOut(Shape):
    championship, name, game, title, format = told(), told(), told(), told(), told()
    organiser, seats, points, options, clock = fields.Dict(), fields.Dict(), fields.Dict(), fields.Dict(), fields.Dict()
    game_version, rounds, round, entrants, open_pairings = (fields.Integer() for _ in range(5))
    opponents, seed_hash, seed, state = told(), told(), told(), told(validate=validate.OneOf(STATES))
    round_break_ms, version, as_of = fields.Integer(), fields.Integer(), fields.Integer()
    created_at, started_at, ended_at = told_time(), told_time(), told_time()
    example: ClassVar[Any] = {"championship": "t-4kQz", "name": "Autumn cup", "organiser": {"account": "a-9", "name": "Ada"}, "game": "pebbles", "title": "Pebbles",
               "game_version": 1, "format": "round_robin", "rounds": 5, "seats": {"least": 3, "most": 4, "preferred": 4}, "points": {}, "options": {},
               "clock": {"preset": "quick", "policy": "credit"}, "opponents": "mixed", "round_break_ms": 300_000, "seed_hash": "63…", "seed": None,
               "state": "running", "version": 31, "as_of": 31, "entrants": 24, "round": 2, "open_pairings": 4, "created_at": A_TIME,
               "started_at": A_TIME, "ended_at": None}


class ChampionshipsAsked(Page):
    game = text(40)
    state = one_of(*STATES)
    account = an_id()


class EntrantIn(Shape):
    account = an_id(metadata={"description": "a bot of one's own; oneself where it is left out"})
    example: ClassVar[Any] = {"account": "a-7"}


class EntrantOut(Shape):
    championship, account, name, kind, owner, state = told(), told(), told(), told(), told(), told()
    number = fields.Integer(allow_none=True)
    entered_at = told_time()
    example: ClassVar[Any] = {"account": "a-7", "name": "ada-bot", "kind": "bot", "owner": "Ada", "state": "entered", "number": 12, "entered_at": A_TIME}


class Paired(Shape):
    seat, number, place, score = fields.Integer(), fields.Integer(), fields.Integer(allow_none=True), fields.Integer(allow_none=True)
    account, name, kind, how, points = told(), told(), told(), told(), told()
    example: ClassVar[Any] = {"seat": 0, "number": 12, "account": "a-7", "name": "ada-bot", "kind": "bot", "place": 1, "score": 23, "how": "played", "points": "1"}


class PairingOut(Shape):
    table = fields.Integer()
    match, state, match_state = told(), told(), told()
    seats = fields.List(fields.Nested(Paired))
    example: ClassVar[Any] = {"table": 1, "match": "m-demo-1", "state": "confirmed", "match_state": "finished", "seats": [Paired.example]}


class RoundOut(Shape):
    round = fields.Integer()
    state = told()
    published_at, completed_at = told_time(), told_time()
    pairings = fields.List(fields.Nested(PairingOut))
    rests = fields.List(fields.Dict())
    example: ClassVar[Any] = {"round": 1, "state": "complete", "published_at": A_TIME, "completed_at": A_TIME, "pairings": [PairingOut.example], "rests": []}


class StandingLine(Shape):
    rank, number, played = fields.Integer(), fields.Integer(), fields.Integer()
    account, name, kind, points, points_shown = told(), told(), told(), told(), told()
    places = fields.List(fields.Integer(), metadata={"description": "how often first, second and so on"})
    ties = fields.List(fields.Dict(), metadata={"description": "the tie-breaks that were asked, in order"})
    decided = told(metadata={"description": "what put this entrant behind the one above; empty where the rank is shared"})
    example: ClassVar[Any] = {"rank": 2, "number": 12, "account": "a-7", "name": "ada-bot", "kind": "bot", "points": "10/3", "points_shown": "3.3333", "played": 5,
               "places": [2, 1, 1, 1], "ties": [{"code": "P1", "value": "2"}], "decided": "P1"}


class StandingsOut(Shape):
    championship, state = told(), told()
    as_of, open_pairings = fields.Integer(), fields.Integer()
    items = fields.List(fields.Nested(StandingLine))
    example: ClassVar[Any] = {"championship": "t-4kQz", "state": "running", "as_of": 31, "open_pairings": 4, "items": [StandingLine.example]}
