"""What may be said of competitions, and what is told of them? What a page holds is the league's own, and described in API.md."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import INCLUDE, fields, validate

from services.gateway.api.schemas import A_TIME, Page, Shape, YesNo, an_id, in_query, one_of, text, told, told_time

LIVES = ("draft", "open", "closed", "running", "finished", "cancelled")
POOLS = ("human", "open")
ORGANISATION = {"organisation": "o-4kQz", "name": "Club"}
PEOPLE = {"a-7": {"name": "ada-bot", "kind": "bot", "owner": {"account": "a-9", "name": "Ada"}}}


class TournamentIn(Shape):
    organisation = an_id(required=True)
    settings = fields.Dict(metadata={"description": "the settings of a tournament, see API.md"})
    document = fields.Dict(metadata={"description": "an export of form json, to be taken in instead of settings"})
    example: ClassVar[Any] = {"organisation": "o-4kQz", "settings": {"name": "Autumn cup", "game": "some_game", "opponents": "mixed",
               "stages": [{"format": "swiss", "rounds": 5}], "playing": {"clock": {"preset": "quick"}}}}


class CountingIn(Shape):
    organisation = an_id(required=True)
    settings = fields.Dict(required=True)
    example: ClassVar[Any] = {"organisation": "o-4kQz", "settings": {"name": "The year", "method": "linear", "drop": 1, "announced": 4}}


class ActIn(Shape):
    """An act and its fields, which depend on its kind; what does not belong to it is refused as malformed."""

    class Meta:
        unknown = INCLUDE

    kind = text(40, required=True)
    example: ClassVar[Any] = {"kind": "enter"}


class ActOut(Shape):
    act, kind = told(), told()
    tournament, championship, season = told(), told(), told()
    state = told(validate=validate.OneOf(("waiting", "done")))
    version, events = fields.Integer(allow_none=True), fields.Integer()
    answer = fields.Raw(allow_none=True, metadata={"description": "what a question was answered with"})
    received_at = told_time()
    example: ClassVar[Any] = {"act": "c-5fQ", "kind": "enter", "tournament": "t-4kQz", "championship": None, "state": "done", "version": 12, "events": 1,
               "answer": None, "received_at": A_TIME}


class CompetitionLine(Shape):
    tournament, championship, season, name, game, title, visibility, state = (told() for _ in range(8))
    organisation = fields.Dict()
    game_version, entrants, version, tournaments = fields.Integer(allow_none=True), fields.Integer(), fields.Integer(), fields.Integer()
    created_at = told_time()
    example: ClassVar[Any] = {"tournament": "t-4kQz", "name": "Autumn cup", "organisation": ORGANISATION, "game": "some_game", "title": "Some Game", "game_version": 1,
               "visibility": "public", "state": "running", "entrants": 24, "version": 31, "created_at": A_TIME}


class CompetitionsAsked(Page):
    organisation, account = an_id(), an_id()
    game = text(40)
    state = one_of(*LIVES)


class PageAsked(Shape):
    cursor = text(600)
    example: ClassVar[Any] = {}


class StandingAsked(PageAsked):
    as_of = in_query(1)


class TiesAsked(Shape):
    account = an_id(required=True)
    as_of = in_query(1)
    example: ClassVar[Any] = {"account": "a-7"}


class EventsAsked(Shape):
    after = in_query(load_default=0)
    limit = in_query(1, 500, load_default=100)


class StreamAsked(Shape):
    after = in_query(0, 2**31 - 1, metadata={"description": "the number of the last event that is known; also as Last-Event-ID"})
    ticket = text(200)


class ExportAsked(Shape):
    what = one_of("standings", "pairings", "results", "cross", load_default="standings")
    stage = in_query(1, 64, load_default=1)
    round = in_query(1, 10_000)


class LogAsked(Shape):
    after = in_query(load_default=0)


class HoldIn(Shape):
    held = YesNo(required=True)
    reason = text(500, required=True)
    example: ClassVar[Any] = {"held": True, "reason": "a complaint is looked into"}


class OfficialsOut(Shape):
    items = fields.List(fields.Dict())
    example: ClassVar[Any] = {"items": [{"account": "a-9", "name": "Ada", "role": "referee", "given_at": A_TIME}]}


class OrganisationIn(Shape):
    name = text(80, least=3, required=True)
    zone = text(64, load_default="UTC")
    owner = an_id(metadata={"description": "the first owner; the caller where it is left out"})
    example: ClassVar[Any] = {"name": "Club", "zone": "Europe/Rome", "owner": "a-9"}


class OrganisationOut(Shape):
    organisation, name, zone, audit_hash = told(), told(), told(), told()
    created_at = told_time()
    roles = fields.List(fields.Dict())
    my_roles = fields.List(fields.String())
    audit_number = fields.Integer()
    example: ClassVar[Any] = {**ORGANISATION, "zone": "Europe/Rome", "created_at": A_TIME, "my_roles": ["owner"], "audit_number": 3, "audit_hash": "80…",
               "roles": [{"account": "a-9", "name": "Ada", "role": "owner", "given_at": A_TIME}]}


class OrganisationLine(Shape):
    organisation, name, zone = told(), told(), told()
    created_at = told_time()
    example: ClassVar[Any] = {**ORGANISATION, "zone": "Europe/Rome", "created_at": A_TIME}


class OrganisationsAsked(Page):
    account = an_id()
    mine = one_of("true", "false")


class RoleIn(Shape):
    role = one_of("owner", "organiser", "referee", required=True)
    example: ClassVar[Any] = {"role": "organiser"}


class RoleAsked(Shape):
    role = one_of("owner", "organiser", "referee")


class LeadersAsked(Page):
    pool = one_of(*POOLS, load_default="open")


class Leader(Shape):
    account, name, kind, estimate, rank_value = (told() for _ in range(5))
    matches = fields.Integer()
    example: ClassVar[Any] = {"account": "a-7", "name": "ada-bot", "kind": "bot", "estimate": "31.04", "rank_value": "8.59", "matches": 40}


class RatingsOut(Shape):
    account = told()
    items = fields.List(fields.Dict())
    overall = fields.Dict()
    example: ClassVar[Any] = {"account": "a-7", "overall": {"human": None, "open": "8.59"}, "items": [
        {"game": "some_game", "pool": "open", "matches": 40, "estimate": "31.04", "rank_value": "8.59"}]}


class HistoryAsked(Shape):
    pool = one_of(*POOLS, load_default="open")
    before = in_query(1, 2**62)
    limit = in_query(1, 100, load_default=25)


HEAD = {"tournament": "t-4kQz", "name": "Autumn cup", "organisation": ORGANISATION, "game": "some_game", "title": "Some Game", "state": "running", "version": 31,
        "entrants": 24, "seed_hash": "63…", "seed": None, "winners": [], "stages": [{"number": 1, "format": "swiss", "state": "running", "round": 2}],
        "mine": {"roles": [], "entrants": []}, "people": PEOPLE}
CUP = {"championship": "k-4kQz", "name": "The year", "organisation": ORGANISATION, "state": "running", "version": 3, "revision": 1, "tournaments": [],
       "winners": [], "mine": {"roles": [], "entrants": []}, "people": {}}
ENTRANTS = {"items": [{"account": "a-7", "number": 12, "state": "entered"}], "version": 31, "next": None, "people": PEOPLE}
ROUND = {"stage": 1, "round": 2, "state": "published", "pairings": [], "byes": [], "version": 31, "next": None, "people": PEOPLE}
STANDING = {"stage": 1, "version": 31, "lines": [{"rank": 1, "number": 12, "account": "a-7", "points": "10/3", "points_shown": "3.3333"}], "next": None,
            "people": PEOPLE}
TIES = {"stage": 1, "version": 31, "revision": 0, "frozen": False, "tie_version": "virtual-2", "number": 12, "account": "a-7", "rank": 1, "points": "3",
        "points_shown": "3.0000", "played": 3, "decided": "BH-C1", "group": None, "people": PEOPLE, "ties": [
            {"code": "BH-C1", "used": True, "value": "4", "shown": "4.0000", "how": "sum", "among": 2, "rounds": [
                {"round": 1, "kind": "played", "contribution": "1", "contribution_shown": "1.0000", "left_out": True, "virtual": False,
                 "opponents": [{"number": 3, "account": "a-8"}]}]}]}
ROUNDS = {"items": [{"round": 1, "state": "complete", "open_pairings": 0, "published_at": A_TIME}]}
EVENTS: dict[str, Any] = {"items": [{"number": 1, "kind": "created", "at": A_TIME, "by": "a-9", "body": {}, "hidden": False, "hash": "9c…"}], "next": None, "version": 1,
          "people": {}}
SIGNALS = {"version": 31, "people": PEOPLE, "items": [{"signal": "in_turn", "accounts": ["a-7", "a-8"], "pairings": ["1/1/3", "1/2/1", "1/3/2", "1/4/2"],
           "words": "At tables of three or more each of them won with the other in last place: 2 and 2 times."}]}
LOG = {"items": [{"number": 1, "at": A_TIME, "on": "t-4kQz", "account": "a-9", "previous_hash": "00…", "hash": "9c…", "entry": {"act": "start", "n": 1}}],
       "next": None}
HISTORY = {"items": [{"number": 7, "match": "m-demo-1", "tournament": "t-4kQz", "at": A_TIME, "rule_version": "openskill-bt-1", "counted": True, "revision": 1,
                      "before": {"estimate": "25.00", "rank_value": "0.00"}, "after": {"estimate": "26.12", "rank_value": "2.07"}}], "next": None}
