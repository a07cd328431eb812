"""Accounts, sessions, one's own things."""

from __future__ import annotations

from flask import Response, request

from services.gateway import accounts, holidays, orders
from services.gateway.api import schemas as shapes
from services.gateway.edge import signing_in
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes, told
from services.gateway.mail import boxes
from services.gateway.problems import Problem, invalid
from services.gateway.trust import second_factor
from shared.runtime import log

routes = Routes("accounts", __name__, description="Who has an account, and signing in")
logger = log.get(__name__)
OPEN = Door("public", takes=shapes.AccountIn, gives=shapes.Account, status=201, codes=("name_taken", "weak_password"), bucket="creations")
SIGN_IN = Door("public", takes=shapes.SessionIn, gives=shapes.Account, status=201, codes=("bad_credentials", "code_needed"), keyed=False,
               bucket="sign_in")
ME = Door("account.read", gives=shapes.Me)
CHANGE_ME = Door("account.write", takes=shapes.MeIn, gives=shapes.Me, matched=True, codes=("changed_meanwhile", "wrong_state", "precondition_missing", "bad_credentials", "weak_password"))


@routes.at("POST", "/accounts", OPEN)
def open_account(call: Call) -> Answer:
    """Open an account. Mail is optional."""
    opened = accounts.open_account(call.work, call.body)
    if opened["mail"] and boxes.is_on(call.gate.settings):
        call.gate.counted("sign_in", call.caller)       # mails to strangers cost more than accounts
        boxes.ask_to_confirm(call.work, opened["account"], call.gate.settings)
    return Answer(201, opened)


@routes.at("GET", "/accounts/<name>", Door("public", gives=shapes.Profile))
def profile(call: Call, name: str) -> object:
    """What everybody may know of an account; bots are marked as bots."""
    return accounts.profile(call.gate.store, name)


@routes.at("POST", "/sessions", SIGN_IN)
def sign_in(call: Call) -> Response:
    """Sign a browser in: the answer sets its cookie. With a second factor it takes a code as well: at once, or after the refusal by `begun`."""
    signing_in.refuse_plain_http(call.gate)
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise Problem("csrf")
    try:
        row = accounts.known(call.gate.store, call.body["name"], call.body["password"], call.caller.address)
        second_factor.demand(call.gate, row, call.body.get("one_time_code"))
    except Problem as problem:
        if "begun" not in problem.facts:     # the first of two steps is no failure
            call.gate.metrics.sign_in_failures.labels(problem.name).inc()
        raise
    opened = accounts.sign_in(call.gate.store, row, request.user_agent.string)
    return signing_in.give_cookie(call.gate, told(SIGN_IN, Answer(201, opened.account)), opened.cookie)


@routes.at("GET", "/sessions", Door("account.leave", gives=shapes.listed(shapes.SessionOut)))
def sessions(call: Call) -> object:
    """Where this account is signed in."""
    return {"items": accounts.sessions(call.gate.store, call.caller), "next": None}


@routes.at("DELETE", "/sessions/<session>", Door("account.leave", keyed=False))
def end_session(call: Call, session: str) -> Response | None:
    """Sign out: this session, or another one of the account; `this` stands for the present one."""
    own = call.caller.session or ""
    with call.gate.work() as work:
        accounts.end_session(work, call.caller, own if session == "this" else session)
    if session not in {"this", own}:
        return None
    return signing_in.take_cookie(call.gate, Response(status=204))


@routes.at("POST", "/password-resets", Door("public", takes=shapes.ResetWish, status=202, bucket="sign_in", example={"accepted": True}))
def ask_for_reset(call: Call) -> Answer:
    """Ask for a link to set a new password. The answer is the same whether there is such an account or not."""
    if not call.body:
        raise invalid("", "a name or a mail address")
    name, mail = call.body.get("name"), call.body.get("mail")
    found = None if boxes.send_reset(call.work, call.gate.settings, name, mail) else accounts.asks_for_reset(call.work, name, mail)
    if found is not None:
        logger.info("reset_wished", account=found)      # an operator makes the link: `cupboard account reset`
    return Answer(202, {"accepted": True})


@routes.at("POST", "/password-resets/<code>", Door("public", takes=shapes.PasswordIn, codes=("link_used", "weak_password"), bucket="sign_in"))
def reset_password(call: Call, code: str) -> None:
    """Set a new password by a link that works once, for 30 minutes; all sessions end."""
    accounts.reset_password(call.work, code, call.body["password"])


@routes.at("GET", "/me", ME)
def me(call: Call) -> Answer:
    """One's own account, with its ETag."""
    return _tagged({**accounts.me(call.gate.store, call.caller), **boxes.told(call.gate.store, call.caller.id),
                    **holidays.told(call.gate.store, call.caller.id, call.gate.settings.holiday_days)})


@routes.at("PATCH", "/me", CHANGE_ME)
def change_me(call: Call) -> Answer:
    """Change language, zone, mail, what comes by it, quiet hours or the password; in a browser, password and address with the old password.

    `holidays` begins a holiday of so many days, by the calendar of one's zone, or ends the one that lasts: `{"days": 0}`.
    """
    moved = boxes.guard(call.work, call.caller, call.gate.settings, call.body)
    changed = accounts.change_me(call.work, call.caller, call.body, call.version)
    boxes.change(call.work, call.caller.id, call.body)
    if moved:
        call.gate.counted("sign_in", call.caller)
        boxes.ask_again(call.work, call.caller, call.gate.settings)
    yearly = call.gate.settings.holiday_days
    if "holidays" in call.body:
        holidays.change(call.work, call.caller.id, call.body["holidays"]["days"], yearly)
    return _tagged({**changed, **boxes.told(call.work, call.caller.id), **holidays.told(call.work, call.caller.id, yearly)})


@routes.at("DELETE", "/me", Door("account.leave", takes=shapes.PasswordIn, codes=("bad_credentials", "last_owner")))
def delete_me(call: Call) -> None:
    """Delete the account: signed out, tokens revoked, personal data gone, seats of running matches left."""
    accounts.delete(call.work, call.caller, call.body["password"])


@routes.at("GET", "/me/export", Door("account.leave", example={"account": shapes.Account.example, "sessions": []}))
def export(call: Call) -> Answer:
    """Everything stored about the account as one JSON file."""
    return Answer(200, accounts.export(call.gate.store, call.caller), {"Content-Disposition": 'attachment; filename="cupboard-account.json"'})


@routes.at("PUT", "/me/blocks/<account>", Door("account.write"))
def block(call: Call, account: str) -> None:
    """Block an account: it does not join one's open matches and does not invite one."""
    accounts.block(call.work, call.caller, account)


@routes.at("DELETE", "/me/blocks/<account>", Door("account.write"))
def unblock(call: Call, account: str) -> None:
    """Take a block back."""
    accounts.unblock(call.work, call.caller, account)


SUSPENDED = "/operator/accounts/<account>/suspension"


@routes.at("POST", SUSPENDED, Door("operator.write", takes=shapes.SuspensionIn, gives=shapes.Suspension, codes=("reason_missing",)))
def suspend(call: Call, account: str) -> object:
    """Suspend an account (operator): signed out at once, its seats left after the grace."""
    told = accounts.suspend(call.work, account, call.body.get("grace_ms", call.gate.settings.suspension_grace * 1000) / 1000)
    orders.audit(call.work, call.caller, "account.suspend", account, orders.reasoned(call.body["reason"]), after=told)
    return told


@routes.at("DELETE", SUSPENDED, Door("operator.write", takes=shapes.ReasonIn, gives=shapes.Suspension, codes=("reason_missing",)))
def lift(call: Call, account: str) -> object:
    """Lift a suspension (operator); what has been left stays left."""
    told = accounts.lift(call.work, account)
    orders.audit(call.work, call.caller, "account.lift", account, orders.reasoned(call.body["reason"]), after=told)
    return told


def _tagged(row: dict[str, object]) -> Answer:
    return Answer(200, row, {"ETag": f'"{row["version"]}"'})
