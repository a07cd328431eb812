"""Pages about oneself: signing up, in and out, settings, tokens, bots, blocks; and what everybody sees of an account."""

from __future__ import annotations

import re
from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.clients.consent import WORDS
from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller, own_origin, refuse_foreign
from services.gateway.problems import Problem
from services.gateway.rights import SCOPES
from services.gateway.web.blueprint import HERE, for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, items, look, must
from shared.runtime.store import Queries

INSIDE = re.compile(r"/(?!/)[^\\\x00-\x20\x7f]*")
SQL = Queries(HERE / "queries.sql")
PARTS = ("sessions", "tokens", "bots")
SAID = {
    "saved": "Saved.", "ended": "That session has ended.", "revoked": "The token is revoked.", "blocked": "Blocked.", "unblocked": "No longer blocked.", "unmuted": "No longer muted.",
    "holidays": "Noted; your matches by correspondence are told.",
    "password": "Your password is changed; all other sessions have ended.", "factor_off": "The second factor is off.",
    "put_out": "Taken back: that program can do nothing more for you.",
    "mail": "Saved. A link that confirms the address is on its way.",
}


# Signing up, in and out ------------------------------------------------------------------------------------------------


@pages.get("/sign-up")
def sign_up_page() -> Response:
    return page("account/sign_up.html", typed={}, faults={}, refusal=None)


@pages.post("/sign-up")
def sign_up() -> Response:
    refuse_foreign_form()
    wish = {"name": text("name"), "password": request.form.get("password", ""), **({"mail": text("mail")} if text("mail") else {})}
    said = ask("POST", "/accounts", wish, key=sent_key())
    if not said.good:
        return again("account/sign_up.html", said)
    return _signed_in("/")


@pages.get("/sign-in")
def sign_in_page() -> Response:
    return page("account/sign_in.html", typed={}, faults={}, refusal=None, next=inside(request.args.get("next", "")))


@pages.post("/sign-in")
def sign_in() -> Response:
    refuse_foreign_form()
    return _signed_in(inside(text("next")))


@pages.get("/reset/<code>")
def reset_page(code: str) -> Response:
    return page("account/reset.html", code=code, typed={}, faults={}, refusal=None)


@pages.post("/reset/<code>")
def reset_password(code: str) -> Response:
    """PL-140 The link works once; afterwards one signs in with the new password."""
    refuse_foreign_form()
    said = ask("POST", f"/password-resets/{code}", {"password": request.form.get("password", "")}, key=sent_key())
    return redirect("/sign-in", 303) if said.good else again("account/reset.html", said, code=code)


@form("/sign-out")
def sign_out() -> Response:
    said = ask("DELETE", f"/sessions/{caller(gate()).session}", key=sent_key())
    return with_cookies(redirect("/", 303), said)


def _signed_in(to: str) -> Response:
    said = ask("POST", "/sessions", {"name": text("name"), "password": request.form.get("password", "")})
    if said.code == "code_needed" and "begun" in said.facts:
        return page("trust/code.html", begun=said.facts["begun"], next=to, faults={}, refusal=None)
    if not said.good:
        return again("account/sign_in.html", said, next=to)
    return with_cookies(redirect(arrived(said, to), 303), said)


def arrived(said: Said, to: str) -> str:
    """PL-126 Whose roles wait for a second factor goes there first."""
    return "/account/second-factor" if said.facts["second_factor"] == "needed" else to


def with_cookies(answer: Response, said: Said) -> Response:
    for cookie in said.cookies:
        answer.headers.add("Set-Cookie", cookie)
    return answer


def refuse_foreign_form() -> None:
    """PL-131 Before there is a session there is no form token; where the form came from is all there is to check."""
    if "Sec-Fetch-Site" in request.headers or "Origin" in request.headers:
        refuse_foreign(gate())
    elif not any(origin and f"{request.headers.get('Referer', '')}/".startswith(f"{origin}/") for origin in (gate().settings.origin, own_origin())):
        raise Problem("csrf")


def inside(to: str) -> str:
    """Only to a page of this site; browsers leave out tabs and line ends, and read a backslash as a slash."""
    return to if INSIDE.fullmatch(to) else "/"


def again(template: str, said: Said, **facts: Any) -> Response:
    """PL-724 The form once more, with what was typed, each fault beside its field."""
    problem = said.facts
    faults = {error["pointer"].strip("/"): error["detail"] for error in problem.get("errors", ())}
    if problem.get("code") == "name_taken":
        faults["name"] = problem["title"]
    return page(template, said.status, typed=request.form, faults=faults, refusal={**problem, "errors": []}, **facts)


# Settings ---------------------------------------------------------------------------------------------------------------


@pages.get("/account")
@for_members
def account_page() -> Response:
    return _settings()


def _settings(status: int = 200, **facts: Any) -> Response:
    lists = {name: items(look(f"/{name}")) for name in PARTS}
    blocks = gate().store.all(SQL.blocks_of, account=caller(gate()).account)
    said = SAID.get(request.args.get("said", ""), "")
    return page("account/settings.html", status, me=must(look("/me")), mutes=items(look("/me/mutes")), let_in=items(look("/me/clients")), scope_words=WORDS, scopes=SCOPES, blocks=blocks, said=said,
                **{"refusal": None, "secret": None, **lists, **facts})


@form("/account")
def change_account() -> Response:
    seen = look("/me")
    wish = {"language": text("language"), "zone": text("zone")}
    return done(ask("PATCH", "/me", wish, key=sent_key(), If_Match=seen.headers.get("ETag", "")), "saved")


@form("/account/holidays")
def change_holidays() -> Response:
    """PL-504 So many days from now on; none ends the holiday that lasts."""
    seen = look("/me")
    wish = {"holidays": {"days": number("days") if number("days") is not None else text("days")}}
    return done(ask("PATCH", "/me", wish, key=sent_key(), If_Match=seen.headers.get("ETag", "")), "holidays")


@form("/account/password")
def change_password() -> Response:
    seen = look("/me")
    wish = {"old_password": request.form.get("old_password", ""), "password": request.form.get("password", "")}
    return done(ask("PATCH", "/me", wish, key=sent_key(), If_Match=seen.headers.get("ETag", "")), "password")


@form("/account/sessions/<session>/end")
def end_session(session: str) -> Response:
    return done(ask("DELETE", f"/sessions/{session}", key=sent_key()), "ended")


@form("/account/tokens")
def make_token() -> Response:
    wish = {"label": text("label"), "scopes": request.form.getlist("scopes")}
    return _secret(ask("POST", "/tokens", wish, key=sent_key()))


@form("/account/tokens/<token>/revoke")
def revoke_token(token: str) -> Response:
    return done(ask("DELETE", f"/tokens/{token}", key=sent_key()), "revoked")


@form("/account/bots")
def make_bot() -> Response:
    wish = {"name": text("name"), "description": text("description")}
    return done(ask("POST", "/bots", wish, key=sent_key()), "saved")


@form("/account/bots/<bot>/tokens")
def make_bot_token(bot: str) -> Response:
    return _secret(ask("POST", f"/bots/{bot}/tokens", {"label": text("label")}, key=sent_key()))


@form("/account/blocks")
def block() -> Response:
    found = look(f"/accounts/{text('name')}")
    return done(ask("PUT", f"/me/blocks/{found.facts.get('account')}", key=sent_key()) if found.good else found, "blocked")


@form("/account/blocks/<account>/undo")
def unblock(account: str) -> Response:
    return done(ask("DELETE", f"/me/blocks/{account}", key=sent_key()), "unblocked")


@form("/account/delete")
def delete_account() -> Response:
    said = ask("DELETE", "/me", {"password": request.form.get("password", "")}, key=sent_key())
    return with_cookies(redirect("/", 303), said) if said.good else _settings(said.status, refusal=said.facts)


def done(said: Said, what: str) -> Response:
    return redirect(f"/account?said={what}", 303) if said.good else _settings(said.status, refusal=said.facts)


def _secret(said: Said) -> Response:
    """PL-172 Shown in this one answer; a repeat says that it cannot be shown again."""
    if not said.good:
        return _settings(said.status, refusal=said.facts)
    return _settings(secret=said.facts["secret"])


# Everybody ---------------------------------------------------------------------------------------------------------------


@pages.get("/people/<name>")
def profile_page(name: str) -> Response:
    """LG-1005 What somebody plays and has played, has asked for and reached, and how strong they are by it."""
    profile = must(look(f"/accounts/{name}"))
    matches = items(look("/matches", account=profile["account"], limit=25))
    tournaments = items(look("/tournaments", account=profile["account"], limit=25))
    ratings = must(look(f"/accounts/{profile['account']}/ratings"))
    histories = [(one["game"], one["pool"], items(look(f"/accounts/{profile['account']}/ratings/{one['game']}", pool=one["pool"], limit=10)))
                 for one in ratings["items"]]
    league = must(look(f"/accounts/{profile['account']}/league", cursor=request.args.get("cursor", "")))
    titles = {game["game"]: game["title"] for game in items(look("/games"))}
    return page("account/profile.html", profile=profile, matches=matches, tournaments=tournaments, ratings=ratings, titles=titles, league=league,
                histories=histories)
