"""What may a request say, and what does an answer tell? One schema each way (PL-812); unknown fields are refused (PL-107)."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import marshmallow
from marshmallow import fields, validate

from services.gateway.mail.boxes import KINDS
from services.gateway.rights import SCOPES


class Whole(validate.Regexp):
    """The whole text fits the pattern; Python's `$` alone would let a line end pass, and other languages know no other sign."""

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise marshmallow.ValidationError(self._format_error(value))
        return value


ID = Whole(r"^[A-Za-z0-9_-]{1,40}$", error="an id: 1 to 40 of A-Z a-z 0-9 _ -")
HOUR = Whole(r"^([01][0-9]|2[0-3]):[0-5][0-9]$", error="a time of the day, such as 22:30")
SEAT = validate.Range(0, 15)
STEP = validate.Range(0, 2**31 - 1)
STATES = ("open", "running", "paused", "stuck", "finished", "aborted", "voided", "expired")
A_TIME = "2027-02-03T10:00:05.412Z"


class Shape(marshmallow.Schema):
    """Fields in the order written; what is not listed is refused."""

    example: ClassVar[Any] = None


class Moment(fields.AwareDateTime):
    """PL-216 A time with its offset, of this millennium: what Python and Postgres both can say in UTC."""

    def __init__(self, **more: Any) -> None:
        super().__init__(format="iso", **more)

    def _deserialize(self, value: Any, *where: Any, **more: Any) -> datetime:
        found: datetime = super()._deserialize(value, *where, **more)
        if not 2000 <= found.year < 3000:
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE)
        return found


class Digits(fields.Integer):
    """A number as an address writes it: digits, and nothing else that Python would read as one."""

    def _deserialize(self, value: Any, *where: Any, **more: Any) -> int:
        if not (value.isascii() and value.isdigit()):
            raise self.make_error("invalid", input=value)
        return int(super()._deserialize(value, *where, **more) or 0)


class YesNo(fields.Boolean):
    """True or false, and nothing that merely counts as such."""

    def _deserialize(self, value: Any, *where: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, *where, **more))


def text(most: int = 200, least: int = 1, **more: Any) -> fields.String:
    return fields.String(validate=[validate.Length(least, most), Whole(r"^[^\x00]*$", error="no NUL")], **more)


def an_id(**more: Any) -> fields.String:
    return fields.String(validate=ID, **more)


def whole(least: int = 0, most: int = 2**31 - 1, **more: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(least, most), **more)


def in_query(least: int = 0, most: int = 2**31 - 1, **more: Any) -> fields.Integer:
    """Numbers in an address are written as text."""
    return Digits(validate=validate.Range(least, most), **more)


def one_of(*words: str, **more: Any) -> fields.String:
    return fields.String(validate=validate.OneOf(words), **more)


def told(**more: Any) -> fields.String:
    return fields.String(allow_none=True, **more)


def told_time() -> fields.String:
    return fields.String(allow_none=True, metadata={"format": "date-time"})


@cache
def listed(item: type[Shape]) -> type[Shape]:
    """PL-214 A page of a list."""
    made = Shape.from_dict({"items": fields.List(fields.Nested(item)), "next": told()}, name=f"{item.__name__}List")
    made.example = {"items": [item.example], "next": None}   # type: ignore[attr-defined]
    return made     # type: ignore[return-value]


class Page(Shape):
    """PL-214"""

    cursor = text(600)
    limit = in_query(1, 100, load_default=25)


# Accounts ------------------------------------------------------------------------------------------------------------


class AccountIn(Shape):
    name = text(64, required=True)
    password = text(1024, required=True)
    mail = fields.Email(validate=validate.Length(max=254))
    language = one_of("en", "it")
    example: ClassVar[Any] = {"name": "Ada", "password": "correct horse battery"}


class QuietHours(Shape):
    """PL-577 By the clocks of the account's zone."""

    begins = fields.String(required=True, data_key="from", attribute="from", validate=HOUR)
    ends = fields.String(required=True, data_key="to", attribute="to", validate=HOUR)
    example: ClassVar[Any] = {"from": "22:00", "to": "07:30"}


class Notices(Shape):
    mail = fields.List(one_of(*KINDS), required=True, validate=validate.Length(0, len(KINDS)), metadata={"description": "the kinds that come by mail"})
    example: ClassVar[Any] = {"mail": ["your_turn", "deadline_near"]}


class Account(Shape):
    account, name, kind, owner = told(), told(), told(), told()
    language, mail, zone = told(), told(), told()
    mail_confirmed = fields.Boolean(metadata={"description": "whether mails go to that address"})
    quiet_hours = fields.Nested(QuietHours, allow_none=True)
    notices = fields.Nested(Notices)
    roles = fields.List(fields.String())
    second_factor = told(metadata={"description": "on, off, or needed: without it the roles give nothing"})
    created_at = told_time()
    example: ClassVar[Any] = {"account": "a-9tK2mQ4xZ1bC7dEf", "name": "Ada", "kind": "person", "owner": None, "language": "en", "mail": None, "zone": "UTC",
               "mail_confirmed": False, "quiet_hours": None, "notices": {"mail": []}, "roles": [], "second_factor": "off", "created_at": A_TIME}


class Holidays(Shape):
    days, left = fields.Integer(metadata={"description": "of a year"}), fields.Integer(metadata={"description": "of this year's"})
    begins_at, ends_at = told_time(), told_time()


class Me(Account):
    holidays = fields.Nested(Holidays)
    example: ClassVar[Any] = {**Account.example, "holidays": {"days": 28, "left": 21, "begins_at": None, "ends_at": None}}


class Profile(Shape):
    account, name, kind, owner = told(), told(), told(), told()
    created_at = told_time()
    example: ClassVar[Any] = {"account": "a-9tK2mQ4xZ1bC7dEf", "name": "Ada", "kind": "person", "owner": None, "created_at": A_TIME}


def a_zone(written: str) -> None:
    """PL-494 The name of a zone that the time tables know."""
    try:
        ZoneInfo(written)
    except (ValueError, KeyError, OSError) as error:
        raise marshmallow.ValidationError("the name of a time zone, such as Europe/Rome") from error


class HolidayIn(Shape):
    days = whole(0, 366, required=True)


class MeIn(Shape):
    language = one_of("en", "it")
    zone = fields.String(validate=[validate.Length(1, 64), a_zone])
    mail = fields.Email(validate=validate.Length(max=254), allow_none=True)
    quiet_hours = fields.Nested(QuietHours, allow_none=True)
    notices = fields.Nested(Notices)
    holidays = fields.Nested(HolidayIn)
    password, old_password = text(1024), text(1024)
    example: ClassVar[Any] = {"language": "it"}


class PasswordIn(Shape):
    password = text(1024, required=True)
    example: ClassVar[Any] = {"password": "correct horse battery"}


class ReasonIn(Shape):
    reason = text(500, least=0, load_default="")
    example: ClassVar[Any] = {"reason": "the appeal was heard"}


class SuspensionIn(ReasonIn):
    grace_ms = whole(0, 30 * 86_400_000)
    example: ClassVar[Any] = {"reason": "sold points", "grace_ms": 3_600_000}


class Suspension(Shape):
    account = told()
    suspended = fields.Boolean()
    seats_left_at = told_time()
    example: ClassVar[Any] = {"account": "a-9", "suspended": True, "seats_left_at": A_TIME}


class SessionIn(Shape):
    name = text(64, required=True)
    password = text(1024, required=True)
    one_time_code = text(64)
    example: ClassVar[Any] = {"name": "Ada", "password": "correct horse battery"}


class SessionOut(Shape):
    session, agent = told(), told()
    created_at, used_at = told_time(), told_time()
    this = fields.Boolean()
    example: ClassVar[Any] = {"session": "s-1", "agent": "Firefox", "created_at": A_TIME, "used_at": A_TIME, "this": True}


class ResetWish(Shape):
    name = text(64)
    mail = fields.Email(validate=validate.Length(max=254))
    example: ClassVar[Any] = {"name": "Ada"}


# Tokens, bots, tickets -----------------------------------------------------------------------------------------------


class Bound(Shape):
    match, tournament, championship = an_id(), an_id(), an_id()


class TokenIn(Shape):
    label = text(80, required=True)
    scopes = fields.List(one_of(*SCOPES), required=True, validate=validate.Length(1, len(SCOPES)))
    ends_at = Moment()
    bound_to = fields.Nested(Bound)
    example: ClassVar[Any] = {"label": "my script", "scopes": ["match:read", "match:play"]}


class BotTokenIn(Shape):
    label = text(80, required=True)
    ends_at = Moment()
    example: ClassVar[Any] = {"label": "nightly"}


class Token(Shape):
    token, kind, account, label = told(), told(), told(), told()
    scopes = fields.List(fields.String())
    bound_to = fields.Dict()
    created_at, ends_at, used_on = told_time(), told_time(), told()
    example: ClassVar[Any] = {"token": "4f9aB2kQ7xYz", "kind": "pat", "account": "a-9tK2mQ4xZ1bC7dEf", "label": "my script", "scopes": ["match:play"],
               "bound_to": {}, "created_at": A_TIME, "ends_at": A_TIME, "used_on": None}


class NewToken(Token):
    secret = fields.String(metadata={"description": "the whole token; shown once"})
    example: ClassVar[Any] = {**Token.example, "secret": "lg_pat_…"}


class BotIn(Shape):
    name = text(64, required=True)
    games = fields.List(text(40), validate=validate.Length(max=50))
    description = text(500, least=0)
    example: ClassVar[Any] = {"name": "ada-bot", "games": ["pebbles"], "description": "Plays the middle."}


class BotChange(Shape):
    games = fields.List(text(40), validate=validate.Length(max=50))
    description = text(500, least=0)
    example: ClassVar[Any] = {"description": "Plays the corners."}


class Bot(Shape):
    bot, name, owner, description = told(), told(), told(), told()
    games = fields.List(fields.String())
    created_at = told_time()
    example: ClassVar[Any] = {"bot": "a-7", "name": "ada-bot", "owner": "a-9", "description": "", "games": [], "created_at": A_TIME}


class TicketIn(Shape):
    stream = text(200, required=True)
    example: ClassVar[Any] = {"stream": "/api/v1/me/stream"}


class Ticket(Shape):
    ticket, stream = told(), told()
    ends_at = told_time()
    example: ClassVar[Any] = {"ticket": "…", "stream": "/api/v1/me/stream", "ends_at": A_TIME}
