"""Pages of one match: before it starts, while it runs, after its end; and everything that can be done there, as forms."""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.edge.gate import gate
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import command_of, number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, look, must
from services.gateway.web.match_facts import facts_of

GUEST = "Cupboard-Device"  # the cookie in which the API looks for a guest's device token
WAIT = "wait=3"


@pages.get("/matches/<match>")
def match_page(match: str) -> Response:
    return page("match/page.html", **facts_of(match))


@pages.get("/matches/<match>/parts")
def match_parts(match: str) -> Response:
    """What changes while a page is open, for the script that keeps it up to date."""
    return page("match/parts.html", **facts_of(match))


@pages.get("/matches/<match>/proof")
def proof_page(match: str) -> Response:
    said = look(f"/matches/{match}/proof")
    return page("match/proof.html", match=must(look(f"/matches/{match}")), proof=said.facts if said.good else None, refusal=said.facts)


# Before the start --------------------------------------------------------------------------------------------------------


@form("/matches/<match>/seats")
def take_seat(match: str) -> Response:
    invited = {"invitation": text("invitation")} if text("invitation") else {}
    wish = {**({"seat": number("seat")} if number("seat") is not None else {}), **invited}
    return _done(ask("POST", f"/matches/{match}/seats", wish, key=sent_key()), match, "seated")


@form("/matches/<match>/seats/<seat>/leave")
def leave_seat(match: str, seat: str) -> Response:
    return _done(ask("DELETE", f"/matches/{match}/seats/{seat}", key=sent_key()), match, "left")


@form("/matches/<match>/seats/<seat>/give")
def give_seat(match: str, seat: str) -> Response:
    """To a built-in bot, or to somebody by name, who is then invited."""
    if name := text("name"):
        found = look(f"/accounts/{name}")
        if not found.good:
            return _done(found, match, "")
        return _done(ask("PUT", f"/matches/{match}/seats/{seat}", {"account": found.facts["account"]}, key=sent_key()), match, "given")
    return _done(ask("PUT", f"/matches/{match}/seats/{seat}", {"level": text("level")}, key=sent_key()), match, "given")


@form("/matches/<match>/invitations")
def make_link(match: str) -> Response:
    said = ask("POST", f"/matches/{match}/invitations", {"uses": number("uses") or 1}, key=sent_key())
    if not said.good:
        return _done(said, match, "")
    return page("match/page.html", **facts_of(match, link=f"{gate().settings.origin}/invitations/{said.facts['code']}"))


@pages.get("/invitations/<code>")
@for_members
def invitation_page(code: str) -> Response:
    return page("match/invitation.html", code=code, refusal=None)


@form("/invitations/<code>")
def answer_invitation(code: str) -> Response:
    verb = "accept" if text("answer") == "accept" else "decline"
    said = ask("POST", f"/invitations/{code}/{verb}", key=sent_key())
    if not said.good:
        return page("match/invitation.html", said.status, code=code, refusal=said.facts)
    return redirect(f"/matches/{said.facts['match']}?said=seated" if verb == "accept" else "/my", 303)


@form("/matches/<match>/contribution")
def contribute(match: str) -> Response:
    wish = {"seat": number("seat"), "value": text("value")}
    return _done(ask("POST", f"/matches/{match}/contributions", wish, key=sent_key()), match, "contributed")


@form("/matches/<match>/ready")
def be_ready(match: str) -> Response:
    return _done(ask("POST", f"/matches/{match}/ready", {"ready": text("ready") == "yes"}, key=sent_key()), match, "ready")


@form("/matches/<match>/start")
def start_match(match: str) -> Response:
    return _done(ask("POST", f"/matches/{match}/start", key=sent_key()), match, "started")


# While it runs -----------------------------------------------------------------------------------------------------------


@form("/matches/<match>/commands")
def give_command(match: str) -> Response:
    wish = {"seat": number("seat"), "ask": number("ask") or 0, "command": command_of(request.form)}
    said = ask("POST", f"/matches/{match}/commands", wish, key=sent_key(), Prefer=WAIT)
    return _done(said, match, "carried_out" if said.status == 200 else "accepted", seat=text("seat"))


@form("/matches/<match>/host-commands")
def give_host_command(match: str) -> Response:
    wish = {"kind": "game", "command": command_of(request.form)}
    return _done(ask("POST", f"/matches/{match}/orders", wish, key=sent_key(), Prefer=WAIT), match, "ordered", seat="host")


@form("/matches/<match>/orders")
def give_order(match: str) -> Response:
    wish = {"kind": text("kind"), **({"ms": number("ms")} if number("ms") else {})}
    return _done(ask("POST", f"/matches/{match}/orders", wish, key=sent_key(), Prefer=WAIT), match, "ordered")


@form("/matches/<match>/proposals")
def propose(match: str) -> Response:
    wish = {"kind": text("kind"), "seat": number("seat")}
    return _done(ask("POST", f"/matches/{match}/proposals", wish, key=sent_key(), Prefer=WAIT), match, "proposed")


@form("/matches/<match>/substitutions")
def substitute(match: str) -> Response:
    return _done(ask("POST", f"/matches/{match}/substitutions", {"seat": number("seat")}, key=sent_key(), Prefer=WAIT), match, "seated")


@form("/matches/<match>/resign")
def resign(match: str) -> Response:
    wish = {"seat": number("seat"), "sure": text("sure") == "yes"}
    return _done(ask("POST", f"/matches/{match}/resignations", wish, key=sent_key(), Prefer=WAIT), match, "resigned")


# The audience --------------------------------------------------------------------------------------------------------------


@form("/matches/<match>/audience")
def join_audience(match: str) -> Response:
    wish = {"name": text("name")} if text("name") else {}
    said = ask("PUT", f"/matches/{match}/audience/me", wish, key=sent_key())
    answer = _done(said, match, "joined", seat="onlookers")
    device = said.facts.get("device") if said.good else None
    if device:
        answer.set_cookie(GUEST, device, max_age=86_400, path="/", httponly=True, samesite="Lax", secure=gate().settings.origin.startswith("https://"))
    return answer


@form("/matches/<match>/audience/answers/<question>")
def answer_audience(match: str, question: str) -> Response:
    wish = {"answer": text("answer")}
    return _done(ask("PUT", f"/matches/{match}/audience/answers/{question}", wish, key=sent_key()), match, "answered", seat="onlookers")


def _done(said: Said, match: str, what: str, **query: Any) -> Response:
    """Back to the page after a form (so that reloading sends nothing again), or the present page with what went wrong (EX-40)."""
    refused = said.good and said.status == 200 and said.facts.get("state") in {"refused", "failed"}
    if said.good and not refused:
        kept = "".join(f"&{name}={value}" for name, value in query.items() if value)
        return redirect(f"/matches/{match}?said={what}{kept}", 303)
    problem = said.facts if not said.good else {"title": "This was not carried out", "detail": f"The rules did not allow it: {said.facts.get('code')}."}
    return page("match/page.html", said.status if not said.good else 422, **facts_of(match, refusal=problem))
