"""What may be said of matches, and what is told of them?"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, validate

from services.gateway.api.schemas import (
    A_TIME,
    HOUR,
    STATES,
    Moment,
    Page,
    Shape,
    Whole,
    YesNo,
    a_zone,
    an_id,
    in_query,
    one_of,
    text,
    told,
    told_time,
    whole,
)

DAY_MS = 86_400_000


class GameOut(Shape):
    game, title, stage, pack = told(), told(), told(), told()
    version = fields.Integer()
    seats, options, clocks = fields.Dict(), fields.Dict(), fields.Dict()
    bots, languages = fields.List(fields.String()), fields.List(fields.String())
    versions = fields.List(fields.Integer())
    host_chair = fields.Boolean()
    absent_after = fields.Integer()
    example: ClassVar[Any] = {"game": "pebbles", "title": "Pebbles", "stage": "league", "pack": "5e…", "version": 1, "seats": {"default": [2, 3], "when": []},
               "options": {}, "clocks": {"normal": {"take": 30}}, "bots": ["random"], "languages": ["en"], "versions": [1],
               "host_chair": False, "absent_after": 3}


class GameVersion(Shape):
    game, stage, pack = told(), told(), told()
    version = fields.Integer()
    schemas = fields.Dict()
    example: ClassVar[Any] = {"game": "pebbles", "version": 1, "stage": "league", "pack": "5e…", "schemas": {"commands": {}, "events": {}, "view": {}}}


class PackOut(Shape):
    pack, game = told(), told()
    words = fields.Dict()
    example: ClassVar[Any] = {"pack": "5e…", "game": "pebbles", "words": {"en": {}}}


class Commitment(Shape):
    number = fields.Integer()
    commitment, match = told(), told()
    published_at = told_time()
    example: ClassVar[Any] = {"number": 214, "commitment": "855a35e7…", "published_at": A_TIME, "match": None}


class CommitmentsAsked(Page):
    first = in_query(0, 2**53, data_key="from")


class SeatWish(Shape):
    """PL-234 `open`, `me`, `invited` or `held` (an account), `bot` (a level)."""

    kind = one_of("open", "me", "invited", "held", "bot", required=True)
    account = an_id()
    level = text(40)


class HoursWish(Shape):
    """PL-493 Closing at or before the opening is closing on the next day."""

    opens = fields.String(required=True, validate=HOUR)
    closes = fields.String(required=True, validate=HOUR)
    zone = fields.String(load_default="UTC", validate=[validate.Length(1, 64), a_zone])


class ClockWish(Shape):
    """PL-481 A preset of the game, or values of one's own."""

    preset = text(40)
    limit_ms = whole(0, 30 * DAY_MS, allow_none=True)
    bank_ms = whole(0, 30 * DAY_MS)
    increment_ms = whole(0, DAY_MS)
    bank_max_ms = whole(0, 30 * DAY_MS)
    cap_ms = whole(1000, 90 * DAY_MS, allow_none=True)
    no_show_ms = whole(1000, 30 * DAY_MS, allow_none=True)
    most_timeouts = whole(1, 1000, allow_none=True)
    most_failures = whole(0, 1000)
    policy = one_of("credit", "charge")
    hours = fields.Nested(HoursWish, allow_none=True, metadata={"description": "time outside of them does not run"})
    holidays = YesNo(metadata={"description": "whether holidays of the players stop their clocks, where limit_ms is an hour or more"})
    reminder_ms = whole(0, 30 * DAY_MS, allow_none=True, metadata={"description": "before an answer is due; null: a quarter of its time, 0: never"})


class DelayWish(Shape):
    """PL-419 The stricter of the two counts."""

    seconds = whole(0, 86_400, load_default=0)
    steps = whole(0, 1_000, load_default=0)


class MatchIn(Shape):
    game = text(40, required=True)
    seats = fields.List(fields.Nested(SeatWish), required=True, validate=validate.Length(0, 16))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    pack = text(80)
    stage = one_of("league", "trial", "draft", load_default="league")
    clock = fields.Nested(ClockWish, load_default=dict)
    visibility = one_of("public", "unlisted", "private", load_default="public")
    opponents = one_of("persons", "bots", "mixed", load_default="persons")
    talk = one_of("off", "phrases", "free", load_default="off")
    take_back = one_of("none", load_default="none")
    rated = YesNo(load_default=False)
    one_screen = YesNo(load_default=False)
    fill_with_bots = YesNo(load_default=False)
    guests = YesNo(load_default=False)
    onlooker_delay = fields.Nested(DelayWish, load_default=lambda: {"seconds": 0, "steps": 0})
    planned_at = Moment()
    rematch_of = an_id()
    championship = an_id()
    origin, origin_key = an_id(), text(80)
    organisation = fields.String(allow_none=True, validate=validate.Equal(None))        # none so far
    substitutes = YesNo(load_default=False)
    example: ClassVar[Any] = {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": {"preset": "normal"}, "options": {}}


class MatchSetIn(Shape):
    matches = fields.List(fields.Dict(), required=True, validate=validate.Length(1, 1000))
    deal_group = YesNo(load_default=False)
    example: ClassVar[Any] = {"matches": [{**MatchIn.example, "origin": "autumn-cup", "origin_key": "1/1"}]}


class MatchChange(Shape):
    visibility = one_of("public", "unlisted", "private")
    planned_at = Moment(allow_none=True)
    options = fields.Dict(keys=fields.String())
    example: ClassVar[Any] = {"visibility": "unlisted"}


class Holder(Shape):
    account, name, kind = told(), told(), told()


class SeatOut(Shape):
    seat = fields.Integer()
    match, kind, bot_level, how, contribution = told(), told(), told(), told(), told()
    account = fields.Nested(Holder, allow_none=True)
    ready, vacant = fields.Boolean(), fields.Boolean(metadata={"description": "left, and open to a substitute until its next ask is due"})
    substitute_of = fields.Nested(Holder, allow_none=True, metadata={"description": "who held it first"})
    example: ClassVar[Any] = {"match": "m-demo-1", "seat": 0, "kind": "held", "account": {"account": "a-9", "name": "Ada", "kind": "person"}, "bot_level": None, "ready": False,
               "how": None, "contribution": None, "vacant": False, "substitute_of": None}


class Seed(Shape):
    number = fields.Integer()
    commitment = told()


class MatchOut(Shape):
    match, game, title, pack, state = told(), told(), told(), told(), told(validate=validate.OneOf(STATES))
    version, step = fields.Integer(), fields.Integer()
    options, clock = fields.Dict(), fields.Dict()
    seats = fields.List(fields.Nested(SeatOut))
    host = fields.Nested(Holder, allow_none=True)
    host_chair = fields.Boolean()
    visibility, opponents, talk, take_back = told(), told(), told(), told()
    rated, one_screen, fill_with_bots, guests, substitutes = (fields.Boolean() for _ in range(5))
    onlooker_delay = fields.Dict()
    seed = fields.Nested(Seed)
    rematch_of, championship, origin, origin_key = told(), told(), told(), told()
    acting_host, deal_group = told(), told()
    created_at, planned_at, expires_at, started_at, ended_at = told_time(), told_time(), told_time(), told_time(), told_time()
    onlookers_delayed = fields.Boolean()
    example: ClassVar[Any] = {"match": "m-demo-1", "game": "pebbles", "title": "Pebbles", "state": "open", "version": 1, "step": 0, "pack": "5e…",
               "options": {}, "clock": {"preset": "normal", "policy": "credit"}, "seats": [SeatOut.example],
               "host": {"account": "a-9", "name": "Ada", "kind": "person"}, "host_chair": False, "visibility": "public",
               "opponents": "persons", "talk": "off", "take_back": "none", "rated": False, "one_screen": False, "fill_with_bots": False,
               "guests": False, "substitutes": False, "onlooker_delay": {"seconds": 0, "steps": 0}, "seed": {"number": 214, "commitment": "855a35e7…"},
               "rematch_of": None, "acting_host": None, "deal_group": None, "championship": None, "origin": None, "origin_key": None, "created_at": A_TIME, "planned_at": None,
               "expires_at": A_TIME, "started_at": None, "ended_at": None, "onlookers_delayed": False}


class MatchesAsked(Page):
    game, championship = text(40), an_id()
    state = one_of(*STATES)
    account = an_id()


class TakeSeatIn(Shape):
    seat = whole(0, 15)
    invitation = an_id()
    example: ClassVar[Any] = {"seat": 1}


class GiveSeatIn(Shape):
    account = an_id()
    level = text(40)
    example: ClassVar[Any] = {"level": "random"}


class InvitationIn(Shape):
    account = an_id()
    uses = whole(1, 1000, load_default=1)
    ends_at = Moment()
    example: ClassVar[Any] = {"uses": 3}


class Invitation(Shape):
    code, match, account, game = told(), told(), told(), told()
    uses_left = fields.Integer()
    ends_at = told_time()
    example: ClassVar[Any] = {"code": "i-5fGh", "match": "m-demo-1", "account": None, "game": "pebbles", "uses_left": 3, "ends_at": A_TIME}


class ContributionIn(Shape):
    seat = whole(0, 15)
    value = fields.String(required=True, validate=Whole(r"^[0-9a-fA-F]{1,64}$", error="1 to 64 hexadecimal digits"))
    example: ClassVar[Any] = {"value": "0badcafe"}


class ReadyIn(Shape):
    ready = YesNo(required=True)
    seat = whole(0, 15)
    example: ClassVar[Any] = {"ready": True}


class StateOut(Shape):
    match, state = told(), told()
    starting = fields.Boolean()
    example: ClassVar[Any] = {"match": "m-demo-1", "state": "open", "starting": True}


# Commands ------------------------------------------------------------------------------------------------------------


class CommandIn(Shape):
    """PL-281 `command` is one of the choices of the ask: what to do, and a value for each of its fields."""

    seat = whole(0, 15)
    ask = whole(1, required=True)
    command = fields.Dict(keys=fields.String(), required=True)
    seen = whole(0)
    example: ClassVar[Any] = {"seat": 2, "ask": 31, "command": {"do": "roll"}}


class BatchIn(Shape):
    seat = whole(0, 15)
    ask = whole(1, required=True)
    commands = fields.List(fields.Dict(keys=fields.String()), required=True, validate=validate.Length(1, 1000))
    stop_on = one_of("news", "refusal", load_default="news")
    example: ClassVar[Any] = {"ask": 60, "commands": [{"do": "train"}, {"do": "learn"}]}


class EnvelopeIn(Shape):
    match = an_id(required=True)
    key = fields.String(required=True, validate=Whole(r"^[\x21-\x7e]{1,128}$", error="1 to 128 visible ASCII characters"))
    seat = whole(0, 15)
    ask = whole(1, required=True)
    command = fields.Dict(keys=fields.String(), required=True)
    seen = whole(0)


class EnvelopesIn(Shape):
    envelopes = fields.List(fields.Dict(keys=fields.String()), required=True, validate=validate.Length(min=1))
    example: ClassVar[Any] = {"envelopes": [{"match": "m-demo-1", "key": "k1", "ask": 31, "command": {"do": "roll"}}]}


class RowOut(Shape):
    """PL-301 What became, or is to become, of an accepted row."""

    command, match, state, code = told(), told(), told(validate=validate.OneOf(("waiting", "carried_out", "refused", "moot", "failed"))), told()
    arrival, seat = fields.Integer(), fields.Integer(allow_none=True)
    received_at = told_time()
    first_step, step = fields.Integer(allow_none=True), fields.Integer(allow_none=True)
    outcomes = fields.List(fields.Dict(), metadata={"description": "of a batch: one entry per command"})
    letters = fields.List(fields.Dict(), metadata={"description": "with Prefer: wait, what the seat was told"})
    ask = fields.Dict(allow_none=True, metadata={"description": "with Prefer: wait, the seat's next ask"})
    example: ClassVar[Any] = {"command": "c-5f1dQ", "match": "m-demo-1", "state": "waiting", "code": None, "arrival": 18, "seat": 2,
               "received_at": A_TIME, "first_step": None, "step": None}


class AnswersOut(Shape):
    answers = fields.List(fields.Dict())
    example: ClassVar[Any] = {"answers": [{"status": 202, "body": RowOut.example}]}


class ResignIn(Shape):
    seat = whole(0, 15)
    sure = YesNo(required=True, validate=validate.Equal(True))
    example: ClassVar[Any] = {"sure": True}


class ProposalIn(Shape):
    seat = whole(0, 15)
    kind = one_of("pause", "resume", "abort", required=True)
    example: ClassVar[Any] = {"kind": "pause"}


class ProposalAnswerIn(Shape):
    seat = whole(0, 15)
    answer = one_of("yes", "no", required=True)
    example: ClassVar[Any] = {"answer": "yes"}


class SubstituteIn(Shape):
    seat = whole(0, 15, required=True)
    example: ClassVar[Any] = {"seat": 2}


class OrderIn(Shape):
    kind = one_of("pause", "resume", "extend", "advance", "void", "disqualify", "mask", "game", "replace", required=True)
    reason = text(500, least=0, load_default="")
    target = whole(0, 15)
    ms = whole(1000, 30 * DAY_MS)
    account = an_id()
    command = fields.Dict(keys=fields.String())
    example: ClassVar[Any] = {"kind": "extend", "reason": "the network was down", "ms": 30000}
