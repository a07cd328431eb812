"""What is said of second factors, opened views and the log of acts?"""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields

from services.gateway.api.schemas import A_TIME, SEAT, Page, Shape, in_query, text, told, told_time


class CodeIn(Shape):
    one_time_code = text(64, required=True)
    example: ClassVar[Any] = {"one_time_code": "287082"}


class SecondStepIn(CodeIn):
    begun = text(400, required=True, metadata={"description": "what the refusal of the first step gave"})
    example: ClassVar[Any] = {"begun": "YS05…", "one_time_code": "287082"}


class BothIn(CodeIn):
    password = text(1024, required=True)
    example: ClassVar[Any] = {"password": "correct horse battery", "one_time_code": "287082"}


class SecondFactor(Shape):
    second_factor = told(metadata={"description": "on, off, or needed: without it the roles give nothing"})
    on_since = told_time()
    recovery_codes = fields.Integer(metadata={"description": "how many are left"})
    example: ClassVar[Any] = {"second_factor": "on", "on_since": A_TIME, "recovery_codes": 10}


class FactorSecret(Shape):
    secret = fields.String(metadata={"description": "shown once; a first code confirms that it has arrived"})
    address = told(metadata={"description": "the same for devices: otpauth://…"})
    picture = told(metadata={"description": "the same as a square code, in SVG"})
    example: ClassVar[Any] = {"secret": "JBSW…", "address": "otpauth://totp/Cupboard:Ada?secret=JBSW…&issuer=Cupboard", "picture": "<svg>…</svg>"}


class RecoveryCodes(Shape):
    recovery_codes = fields.List(fields.String(), metadata={"description": "each works once in the place of a code; shown once"})
    example: ClassVar[Any] = {"recovery_codes": ["abcd-efgh-ijkm-npqr"]}


class OpenedViewIn(Shape):
    seat = fields.Integer(strict=True, required=True, validate=SEAT)
    reason = text(500, required=True)
    example: ClassVar[Any] = {"seat": 1, "reason": "seat 1 is said to be told the cards of seat 0"}


class OpenedView(Shape):
    number, seat, looks = fields.Integer(), fields.Integer(), fields.Integer()
    by, confirmed_by = fields.Dict(), fields.Dict(allow_none=True)
    reason = told()
    open = fields.Boolean(metadata={"description": "whether whoever asked may look now"})
    asked_at, confirmed_at, closes_at, first_look_at, last_look_at = told_time(), told_time(), told_time(), told_time(), told_time()
    example: ClassVar[Any] = {"number": 1, "seat": 1, "looks": 2, "by": {"account": "a-9", "name": "Ada"}, "confirmed_by": {"account": "a-7", "name": "Bob"},
               "reason": "seat 1 is said to be told the cards of seat 0", "open": True, "asked_at": A_TIME, "confirmed_at": A_TIME, "closes_at": A_TIME,
               "first_look_at": A_TIME, "last_look_at": A_TIME}


class OpenedLettersAsked(Page):
    after = in_query()


class AuditAsked(Page):
    on, what = text(200), text(80)


class AuditLine(Shape):
    number = fields.Integer()
    at = told_time()
    who, name, what, on, reason, chain = told(), told(), told(), told(), told(), told()
    before, after = fields.Raw(allow_none=True), fields.Raw(allow_none=True)
    example: ClassVar[Any] = {"number": 7, "at": A_TIME, "who": "a-9", "name": "Ada", "what": "match.pause", "on": "m-1", "reason": "a fire alarm", "chain": "5e…",
               "before": None, "after": {"command": "c-1"}}
