"""Pages of championships: which there are, how one stands, entering and withdrawing, making one."""

from __future__ import annotations

from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import Said, ask, items, look, must

OVER = frozenset({"confirmed", "void"})


@pages.get("/championships")
def championships_page() -> Response:
    said = look("/championships", cursor=request.args.get("cursor", ""))
    return page("league/list.html", championships=must(said)["items"], next=said.facts.get("next"))


@pages.get("/championships/<championship>")
def championship_page(championship: str) -> Response:
    return page("league/page.html", **_facts(championship))


@pages.get("/championships/<championship>/parts")
def championship_parts(championship: str) -> Response:
    return page("league/parts.html", **_facts(championship))


def _facts(championship: str, **more: Any) -> dict[str, Any]:
    at = f"/championships/{championship}"
    told = must(look(at))
    entrants = items(look(f"{at}/entrants", limit=100))
    me = caller(gate())
    rounds = items(look(f"{at}/rounds", limit=100))
    return {
        "one": told, "standings": must(look(f"{at}/standings")), "rounds": list(reversed(rounds)), "entrants": entrants, "over": OVER,
        "entered": any(entrant["account"] == me.account and entrant["state"] == "entered" for entrant in entrants),
        "organises": bool(me.account) and told["organiser"]["account"] == me.account, "refusal": None,
        "bots": items(look("/bots")) if me.signed_in and told["state"] == "open" and told["opponents"] != "persons" else [], **more,
    }


@form("/championships/<championship>/enter")
def enter(championship: str) -> Response:
    wish = {"account": text("account")} if text("account") else {}
    return _done(ask("POST", f"/championships/{championship}/entrants", wish, key=sent_key()), championship)


@form("/championships/<championship>/withdraw")
def withdraw(championship: str) -> Response:
    account = text("account") or caller(gate()).account
    return _done(ask("DELETE", f"/championships/{championship}/entrants/{account}", key=sent_key()), championship)


@form("/championships/<championship>/start")
def start_championship(championship: str) -> Response:
    return _done(ask("POST", f"/championships/{championship}/start", key=sent_key()), championship)


def _done(said: Said, championship: str) -> Response:
    if said.good:
        return redirect(f"/championships/{championship}", 303)
    return page("league/page.html", said.status, **_facts(championship, refusal=said.facts))


@pages.get("/new-championship")
@for_members
def new_championship_page() -> Response:
    return _new()


@form("/new-championship")
def new_championship() -> Response:
    wish = {
        "name": text("name"), "game": text("game"), "rounds": number("rounds") or 0, "opponents": text("opponents"),
        "seats": {"least": number("least") or 0, "most": number("most") or 0}, "clock": {"preset": text("preset")},
        "round_break_ms": 60_000 * (number("break") or 0),
    }
    said = ask("POST", "/championships", wish, key=sent_key())
    return redirect(f"/championships/{said.facts['championship']}", 303) if said.good else _new(said.status, refusal=said.facts)


def _new(status: int = 200, **facts: Any) -> Response:
    return page("league/new.html", status, games=items(look("/games")), typed=request.form, **{"refusal": None, **facts})
