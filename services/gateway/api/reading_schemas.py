"""What may a reader ask for, and what is told of views, asks, letters, results and audiences?"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, validate

from services.gateway.api.match_schemas import Holder
from services.gateway.api.schemas import A_TIME, STATES, Page, Shape, Whole, in_query, one_of, text, told, told_time

READER = Whole(r"^(\d{1,2}|host|onlookers)$", error="a seat, host or onlookers")


class ReaderAsked(Shape):
    seat = fields.String(validate=READER)
    language = one_of("en", "it")


class LettersAsked(ReaderAsked):
    after = in_query()
    cursor = text(600)
    limit = in_query(1, 100, load_default=25)


class ReplayAsked(Page):
    reader = fields.String(validate=Whole(r"^(\d{1,2}|open)$", error="a seat or open"), data_key="as")
    after = in_query()


class StreamAsked(ReaderAsked):
    after = in_query()
    views = one_of("0", "1")
    ticket = text(200)


class MyAsksAsked(Page):
    game = text(40)
    needed = one_of("true", "false")


class MyMatchesAsked(Page):
    state = one_of(*STATES)


class ViewOut(Shape):
    match = told()
    seat = fields.Integer(allow_none=True)
    step = fields.Integer()
    at, state, view_hash = told_time(), told(), told()
    awaited = fields.List(fields.Integer())
    clocks, view = fields.Dict(), fields.Dict()
    example: ClassVar[Any] = {"match": "m-demo-1", "seat": 2, "step": 32, "at": A_TIME, "state": "running", "awaited": [2], "clocks": {"seats": [], "phase": None},
               "view_hash": "9f1c…", "view": {}}


class AskOut(Shape):
    match = told()
    seat, ask = fields.Integer(), fields.Integer()
    question, rule, prompt = told(), told(), told()
    about = told(metadata={"description": "tells apart two questions of one name"})
    game = told(metadata={"description": "in the list of one's own asks"})
    needed = fields.Boolean()
    opened_at, due_at = told_time(), told_time()
    on_timeout = fields.Dict(allow_none=True)
    choices = fields.List(fields.Dict())
    example: ClassVar[Any] = {"match": "m-demo-1", "seat": 2, "ask": 32, "question": "reroll", "rule": "GG-152", "about": "", "needed": True, "opened_at": A_TIME,
               "due_at": A_TIME, "on_timeout": {"do": "keep"}, "prompt": "Keep the roll of 7?",
               "choices": [{"do": "keep", "label": "Keep 7 and move to square 19", "fields": {}}]}


class LetterOut(Shape):
    match = told()
    step = fields.Integer()
    at = told_time()
    by = fields.Integer(allow_none=True)
    automatic = fields.Boolean()
    state = told(validate=validate.OneOf(STATES), metadata={"description": "of the match after this step"})
    order = fields.Dict(allow_none=True, metadata={"description": "what was ordered, where the step carries out an order or a seat is left"})
    events = fields.List(fields.Dict())
    awaited = fields.List(fields.Integer())
    ask = fields.Dict(allow_none=True)
    clocks = fields.Dict()
    view_hash = told()
    example: ClassVar[Any] = {"match": "m-demo-1", "step": 32, "at": A_TIME, "by": 2, "automatic": False, "state": "running", "order": None,
               "events": [{"what": "rolled", "seat": 2, "dice": [3, 4], "words": "Seat 3 rolls 3 and 4."}], "awaited": [2], "ask": None,
               "clocks": {"seats": [{"seat": 2, "bank_ms": 0, "due_at": A_TIME}], "phase": None}, "view_hash": "9f1c…"}


class Placing(Shape):
    seat, place, table_place, score = fields.Integer(), fields.Integer(), fields.Integer(), fields.Integer()
    how, bot_level = told(), told()
    account = fields.Nested(Holder, allow_none=True)
    substitute_of = fields.Nested(Holder, allow_none=True, metadata={"description": "who held the seat first"})
    counts_for = told(metadata={"description": "the account: in a championship the entrant, elsewhere whoever held the seat at the end"})


class ResultOut(Shape):
    match, game, flag = told(), told(), told()
    rated, unfinished = fields.Boolean(), fields.Boolean()
    ended_at, voided_at = told_time(), told_time()
    seats = fields.List(fields.Nested(Placing))
    example: ClassVar[Any] = {"match": "m-demo-1", "game": "pebbles", "rated": False, "unfinished": False, "flag": None, "ended_at": A_TIME, "voided_at": None,
               "seats": [{"seat": 0, "place": 1, "table_place": 1, "score": 12, "how": "played", "bot_level": None, "substitute_of": None, "counts_for": "a-9",
                          "account": {"account": "a-9", "name": "Ada", "kind": "person"}}]}


# Audience ------------------------------------------------------------------------------------------------------------


class MemberIn(Shape):
    name = text(40)
    example: ClassVar[Any] = {"name": "Row 3"}


class Member(Shape):
    match, member, name, device = told(), told(), told(), told(metadata={"description": "a guest's device token; shown once"})
    example: ClassVar[Any] = {"match": "m-demo-1", "member": "a-9", "name": "Row 3", "device": None}


class AudienceAnswerIn(Shape):
    answer = text(200, required=True)
    example: ClassVar[Any] = {"answer": "circle"}


class AudienceAnswer(Shape):
    match, question, answer = told(), told(), told()
    example: ClassVar[Any] = {"match": "m-demo-1", "question": "duel-3", "answer": "circle"}


class AudienceOut(Shape):
    match = told()
    members = fields.Integer()
    open = fields.List(fields.Dict())
    ranking = fields.List(fields.Dict())
    me = fields.Dict(allow_none=True)
    example: ClassVar[Any] = {"match": "m-demo-1", "members": 41, "open": [{"question": "duel-3", "answers": ["circle", "triangle"]}],
               "ranking": [{"place": 1, "name": "Row 3", "points": 7}], "me": {"place": 1, "points": 7, "answers": {"duel-3": "circle"}}}
