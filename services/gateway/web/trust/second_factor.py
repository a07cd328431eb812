"""Pages of the second factor: the second step of signing in, setting it up, recovery codes, switching it off."""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from services.gateway.web.account_pages import arrived, inside, refuse_foreign_form, with_cookies
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, look, must

HERE = "/me/second-factor"
GROUP = 4


@pages.app_template_filter("in_groups")
def in_groups(written: str) -> str:
    """A long secret as people copy it."""
    return " ".join(written[at:at + GROUP] for at in range(0, len(written), GROUP))


@pages.post("/sign-in/code")
def sign_in_code() -> Response:
    """The second step; what the first one gave travels in the form, and never the password."""
    refuse_foreign_form()
    to = inside(text("next"))
    said = ask("POST", "/sessions/codes", {"begun": text("begun"), "one_time_code": text("one_time_code")})
    if said.good:
        return with_cookies(redirect(arrived(said, to), 303), said)
    if said.code == "bad_credentials":
        return page("account/sign_in.html", said.status, typed={}, faults={}, next=to,
                    refusal={"title": "That took too long", "detail": "Begin again with your password."})
    return page("trust/code.html", said.status, begun=text("begun"), next=to, **_wrong(said))


@pages.get("/account/second-factor")
@for_members
def second_factor_page() -> Response:
    return _shown()


@form("/account/second-factor")
def begin_second_factor() -> Response:
    """The secret is in this one answer."""
    said = ask("POST", HERE, {"password": request.form.get("password", "")})
    if not said.good:
        return _shown(said.status, **_wrong(said))
    made = said.facts
    picture = Markup(made["picture"])   # noqa: S704  drawn by this gateway out of the secret alone
    return _shown(made={**made, "picture": picture})


@form("/account/second-factor/confirm")
def confirm_second_factor() -> Response:
    said = ask("POST", f"{HERE}/confirm", {"one_time_code": text("one_time_code")})
    if not said.good:
        return _shown(said.status, confirming=said.code == "code_needed", **_wrong(said))
    return with_cookies(page("trust/recovery_codes.html", codes=said.facts["recovery_codes"], first=True), said)


@form("/account/second-factor/recovery-codes")
def make_recovery_codes() -> Response:
    said = ask("POST", f"{HERE}/recovery-codes", _both())
    return page("trust/recovery_codes.html", codes=said.facts["recovery_codes"], first=False) if said.good else _shown(said.status, **_wrong(said))


@form("/account/second-factor/off")
def end_second_factor() -> Response:
    said = ask("DELETE", HERE, _both())
    return with_cookies(redirect("/account?said=factor_off", 303), said) if said.good else _shown(said.status, **_wrong(said))


def _both() -> dict[str, str]:
    return {"password": request.form.get("password", ""), "one_time_code": text("one_time_code")}


def _shown(status: int = 200, **facts: Any) -> Response:
    told = {"made": None, "confirming": False, "refusal": None, "faults": {}, **facts}
    return page("trust/second_factor.html", status, factor=must(look(HERE)), roles=must(look("/me"))["roles"], **told)


def _wrong(said: Said) -> dict[str, Any]:
    """PL-724 What is wrong, beside its field where it has one."""
    problem = said.facts
    faults = {error["pointer"].strip("/"): error["detail"] for error in problem.get("errors", ()) if error["pointer"]}
    titled = {**problem, "title": "This code does not fit", "detail": ""} if "one_time_code" in faults else problem
    return {"faults": faults, "refusal": {**titled, "errors": []}}
