"""The second factor of an account, and signing in with it."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from services.gateway import accounts
from services.gateway.api import schemas
from services.gateway.api.trust import shapes
from services.gateway.edge import signing_in
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes, told
from services.gateway.problems import Problem
from services.gateway.trust import second_factor

routes = Routes("second_factor", __name__, description="A second factor beside the password")
HERE = "/me/second-factor"
PROVED = ("bad_credentials", "code_needed", "already_decided")
# None of them has a key: each takes a password or a code that works once, and most answers hold a secret.
SECOND_STEP = Door("public", takes=shapes.SecondStepIn, gives=schemas.Account, status=201, codes=("bad_credentials", "code_needed"), keyed=False, bucket="sign_in")
BEGIN = Door("account.session", takes=schemas.PasswordIn, gives=shapes.FactorSecret, status=201, codes=PROVED, keyed=False, bucket="sign_in")
CONFIRM = Door("account.session", takes=shapes.CodeIn, gives=shapes.RecoveryCodes, status=201, codes=PROVED, keyed=False, bucket="sign_in")
AGAIN = Door("account.session", takes=shapes.BothIn, gives=shapes.RecoveryCodes, status=201, codes=PROVED, keyed=False, bucket="sign_in")
END = Door("account.session", takes=shapes.BothIn, codes=PROVED, keyed=False, bucket="sign_in")


@routes.at("POST", "/sessions/codes", SECOND_STEP)
def second_step(call: Call) -> Response:
    """Sign a browser in whose password was right: the answer sets its cookie. A code works once; a recovery code may stand in its place."""
    signing_in.refuse_plain_http(call.gate)
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise Problem("csrf")
    try:
        row = second_factor.resumed(call.gate, call.body["begun"], call.body["one_time_code"])
    except Problem as problem:
        call.gate.metrics.sign_in_failures.labels(problem.name).inc()
        raise
    opened = accounts.sign_in(call.gate.store, row, request.user_agent.string)
    return signing_in.give_cookie(call.gate, told(SECOND_STEP, Answer(201, opened.account)), opened.cookie)


@routes.at("GET", HERE, Door("account.session", gives=shapes.SecondFactor))
def standing(call: Call) -> object:
    """Whether a second factor is on, and how many recovery codes are left."""
    return second_factor.standing(call.gate, call.caller)


@routes.at("POST", HERE, BEGIN)
def begin(call: Call) -> Any:
    """Make a secret for an authenticator app, shown this once. It counts once a first code has confirmed it."""
    return second_factor.begin(call.gate, call.caller, call.body["password"])


@routes.at("POST", f"{HERE}/confirm", CONFIRM)
def confirm(call: Call) -> Response:
    """The first code: the second factor is on. Gives recovery codes, once; every session ends, and this browser gets a new one."""
    codes, cookie = second_factor.confirm(call.gate, call.caller, call.body["one_time_code"], request.user_agent.string)
    return signing_in.give_cookie(call.gate, told(CONFIRM, Answer(201, {"recovery_codes": codes})), cookie)


@routes.at("POST", f"{HERE}/recovery-codes", AGAIN)
def codes_again(call: Call) -> Any:
    """Ten new recovery codes; those before work no longer."""
    return {"recovery_codes": second_factor.codes_again(call.gate, call.caller, call.body["password"], call.body["one_time_code"])}


@routes.at("DELETE", HERE, END)
def end(call: Call) -> Response:
    """Switch it off; every session ends, and this browser gets a new one."""
    cookie = second_factor.end(call.gate, call.caller, call.body["password"], call.body["one_time_code"], request.user_agent.string)
    return signing_in.give_cookie(call.gate, Response(status=204), cookie)
