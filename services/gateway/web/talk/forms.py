"""Talk on the page of a match, as forms, and the page of moderators."""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.account_pages import done
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, look, must
from services.gateway.web.match_facts import facts_of

LENGTHS = ((3_600, "an hour"), (86_400, "a day"), (604_800, "a week"), (2_592_000, "30 days"), (31_536_000, "a year"))
SAID = {"hide": "The text is hidden.", "keep": "The text stays.", "silenced": "The account is silenced.", "speaks": "The silence is over.",
        "masked": "The name is masked.", "unmasked": "The name is shown again."}


@form("/matches/<match>/talk/<room>")
def say_something(match: str, room: str) -> Response:
    wish = {"room": room, **({"phrase": text("phrase")} if text("phrase") else {"text": request.form.get("text", "")})}
    return _done(ask("POST", f"/matches/{match}/talk", wish, key=sent_key()), match, "said")


@form("/matches/<match>/talk/mute/<account>")
def mute_account(match: str, account: str) -> Response:
    return _done(ask("PUT", f"/me/mutes/{account}", key=sent_key()), match, "muted")


@form("/matches/<match>/talk/report/<said>")
def report_text(match: str, said: str) -> Response:
    return _done(ask("POST", f"/talk/{said}/reports", {"reason": text("reason")}, key=sent_key()), match, "reported")


@form("/account/mutes/<account>/undo")
def unmute_account(account: str) -> Response:
    return done(ask("DELETE", f"/me/mutes/{account}", key=sent_key()), "unmuted")


def _done(said: Said, match: str, what: str) -> Response:
    if said.good:
        return redirect(f"/matches/{match}?said={what}", 303)
    return page("match/page.html", said.status, **facts_of(match, refusal=said.facts))


# Moderators --------------------------------------------------------------------------------------------------------------


@pages.get("/moderation")
@for_members
def moderation_page() -> Response:
    return _reports()


@form("/moderation/texts/<said>")
def decide_text(said: str) -> Response:
    wish = {"kind": text("kind"), "reason": text("reason")}
    return _moderated(ask("POST", f"/talk/{said}/decisions", wish, key=sent_key()), text("kind"))


@form("/moderation/accounts/<account>/silence")
def silence_account(account: str) -> Response:
    wish = {"seconds": number("seconds") or 0, "reason": text("reason")}
    return _moderated(ask("POST", f"/accounts/{account}/silence", wish, key=sent_key()), "silenced")


@form("/moderation/accounts/<account>/speak")
def end_silence(account: str) -> Response:
    return _moderated(ask("DELETE", f"/accounts/{account}/silence", {"reason": text("reason")}, key=sent_key()), "speaks")


@form("/moderation/accounts/<account>/mask")
def mask_account(account: str) -> Response:
    return _moderated(ask("POST", f"/accounts/{account}/mask", {"reason": text("reason")}, key=sent_key()), "masked")


@form("/moderation/accounts/<account>/unmask")
def unmask_account(account: str) -> Response:
    return _moderated(ask("DELETE", f"/accounts/{account}/mask", {"reason": text("reason")}, key=sent_key()), "unmasked")


def _moderated(said: Said, what: str) -> Response:
    return redirect(f"/moderation?said={what}", 303) if said.good else _reports(said.status, refusal=said.facts)


def _reports(status: int = 200, **facts: Any) -> Response:
    found = must(look("/talk/reports", cursor=request.args.get("cursor", "")))
    return page("talk/moderation.html", status, reports=found["items"], next=found["next"], lengths=LENGTHS,
                **{"refusal": None, "said": SAID.get(request.args.get("said", ""), ""), **facts})
