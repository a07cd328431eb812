"""Pages of mail: a forgotten password, the links that mails carry, and what somebody wants to come by mail."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response

from services.gateway.edge.gate import gate
from services.gateway.mail import boxes
from services.gateway.problems import Problem
from services.gateway.web.account_pages import again, done, refuse_foreign_form
from services.gateway.web.blueprint import form, pages
from services.gateway.web.forms import new_key, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, look

KINDS = {
    "your_turn": "It is my turn in a match with days to think", "answer_due": "My time for an answer in such a match runs out",
    "pairing_published": "I have been paired, or have a bye", "match_started": "A match of mine has begun",
    "deadline_near": "A match of mine must be over soon", "result_recorded": "A result of mine is recorded",
    "correction": "A pairing or result of mine is corrected", "withdrawn": "I have been withdrawn by rule",
    "opened_view": "A referee has looked at a seat of my match", "hook_paused": "A webhook of my organisation is paused",
}


@pages.app_template_global("mail_kinds")
def mail_kinds() -> dict[str, str]:
    """What can come by mail, in the words of its reader."""
    return KINDS


# A forgotten password ----------------------------------------------------------------------------------------------------


@pages.get("/forgotten")
def forgotten_page() -> Response:
    _only_with_mail()
    return page("account/forgotten.html", typed={}, faults={}, refusal=None, asked=False)


@pages.post("/forgotten")
def forgotten() -> Response:
    """PL-140 The same page whether there is such an account or not."""
    _only_with_mail()
    refuse_foreign_form()
    who = text("who")
    said = ask("POST", "/password-resets", {"mail" if "@" in who else "name": who}, key=sent_key())
    if not said.good:
        return again("account/forgotten.html", said, asked=False)
    return page("account/forgotten.html", typed={}, faults={}, refusal=None, asked=True)


# Links in mails: they open a page, and only its button acts, since programs open links too ------------------------------


@pages.get("/mail/confirm/<code>")
def confirm_page(code: str) -> Response:
    return page("account/mail_link.html", what="confirm", code=code, acted=False, refusal=None)


@pages.post("/mail/confirm/<code>")
def confirm_mail(code: str) -> Response:
    return _acted("confirm", code, f"/mail-confirmations/{code}")


@pages.get("/mail/stop/<code>")
def stop_page(code: str) -> Response:
    return page("account/mail_link.html", what="stop", code=code, acted=False, refusal=None, kind=KINDS.get(code.rpartition(".")[2], ""))


@pages.post("/mail/stop/<code>")
def stop_mail(code: str) -> Response:
    """RFC 8058 Also what a mail program sends by one click: it has no session, no form and no key."""
    return _acted("stop", code, f"/mail-stops/{code}")


def _acted(what: str, code: str, path: str) -> Response:
    said = ask("POST", path, key=sent_key() or new_key())
    kind = KINDS.get(code.rpartition(".")[2], "")
    return page("account/mail_link.html", said.status if not said.good else 200, what=what, code=code, acted=said.good, kind=kind,
                refusal=None if said.good else said.facts)


# Settings ------------------------------------------------------------------------------------------------------------------


@form("/account/mail")
def change_mail() -> Response:
    mail, password = text("mail") or None, request.form.get("old_password", "")
    return _changed({"mail": mail, **({"old_password": password} if password else {})}, "mail" if mail else "saved")


@form("/account/mail/again")
def confirm_again() -> Response:
    return done(ask("POST", "/me/mail-confirmation", key=sent_key()), "mail")


@form("/account/notices")
def change_notices() -> Response:
    begins, ends = text("quiet_from"), text("quiet_to")
    return _changed({"notices": {"mail": request.form.getlist("kinds")}, "quiet_hours": {"from": begins, "to": ends} if begins or ends else None}, "saved")


def _changed(wish: dict[str, object], what: str) -> Response:
    seen = look("/me")
    return done(ask("PATCH", "/me", wish, key=sent_key(), If_Match=seen.headers.get("ETag", "")), what)


def _only_with_mail() -> None:
    if not boxes.is_on(gate().settings):
        raise Problem("not_found")
