"""The desk of those who run a tournament: every act as a form, corrections with what they would change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must
from services.gateway.web.league.doing import done
from services.gateway.web.league.tournament import at, head

Reader = Callable[[str], Any]


def flag(name: str) -> bool:
    return request.form.get(name) == "yes"


def several(name: str) -> list[str]:
    return [one for one in request.form.getlist(name) if one]


def lines(name: str) -> list[str]:
    return text(name).split()


def facts_of(name: str) -> Any:
    """What was typed as JSON; what is none goes on as it is, so that the API names the fault."""
    try:
        return orjson.loads(text(name) or "{}")
    except orjson.JSONDecodeError:
        return text(name)


def places(name: str) -> dict[str, int]:
    """One input for each seat: `places:ACCOUNT`."""
    found = {field.partition(":")[2]: number(field) for field in request.form if field.startswith(f"{name}:")}
    return {account: place for account, place in found.items() if place is not None}


REASON: Mapping[str, Reader] = {"reason": text}
ACTS: Mapping[str, Mapping[str, Reader]] = {
    "set": {"changes": facts_of}, "open": {"forecast_seen": flag}, "close": {}, "start": {"accept_imbalance": flag}, "publish": {}, "pause": {"with_clocks": flag},
    "resume": {}, "pair_again": REASON, "choose": {"option": text}, "end": {"drain": flag}, "cancel": REASON, "invite": {"account": text},
    "withdraw": {"account": text, **REASON}, "return": {"account": text}, "substitute": {"account": text, "by": text, **REASON},
    "disqualify": {"account": text, "annul": text, **REASON}, "lift": {"account": text, **REASON}, "seed": {"order": lines}, "new_seed": REASON,
    "import_entrants": {"csv": text, "dry_run": flag, "update": flag}, "result": {"pairing": text, "board": number, "places": places, **REASON},
    "forfeit": {"pairing": text, "accounts": several, **REASON}, "void": {"pairing": text, **REASON}, "replay": {"pairing": text, "board": number, **REASON},
    "extend": {"pairing": text, "until": number, **REASON}, "confirm": {"correction_id": text, "yes": flag}, "undo": {"correction_id": text, **REASON},
}
SEEN = frozenset({"choose", "start", "publish", "pair_again", "seed", "end", "undo", "confirm"})   # LG-144: these rest on what somebody saw


def wish_of(kind: str) -> dict[str, Any]:
    """The act that a form means; an unknown one goes to the API as it is and is refused there."""
    wish: dict[str, Any] = {"kind": kind, **{name: read(name) for name, read in ACTS.get(kind, {}).items()}}
    wish = {name: value for name, value in wish.items() if value not in ("", None, False, [], {})}
    if kind in SEEN and number("version") is not None:
        wish["expected_version"] = number("version")
    return wish


@pages.get("/tournaments/<tournament>/run")
@for_members
def run_page(tournament: str) -> Response:
    return page("tournament/run.html", **desk(tournament))


def desk(tournament: str, **more: Any) -> dict[str, Any]:
    """What there is to be decided."""
    facts = head(tournament, shown="run", **more)
    stage = facts["current"]
    draft = look(at(tournament, "stages", stage["number"], "rounds", stage["round"] + 1, "draft"))
    told = must(look(at(tournament, "entrants")))
    entrants = [(one["account"], told["people"].get(one["account"], {}).get("name", one["account"])) for one in told["items"]]
    return facts | {"draft": draft.facts if draft.good else None, "entrants": sorted(entrants, key=lambda one: one[1].casefold()),
                    "officials": items(look(at(tournament, "officials"))), "answer": facts.get("answer")}


@form("/tournaments/<tournament>/run")
def run_tournament(tournament: str) -> Response:
    said = ask("POST", at(tournament, "acts"), wish_of(text("act")), key=sent_key())
    answer = said.facts.get("answer") if said.good else None
    if answer:
        return page("tournament/run.html", **desk(tournament, answer=answer))
    back = text("back") if text("back").startswith(at(tournament)) else at(tournament, "run")
    return done(said, back) or page("tournament/run.html", said.status, **desk(tournament, refusal=said.facts))


@form("/tournaments/<tournament>/officials")
def name_referee(tournament: str) -> Response:
    """LG-123 Referees are named, and taken back, by organisers."""
    found = look(f"/accounts/{text('name')}")
    account = found.facts.get("account", text("name"))
    method = "DELETE" if flag("remove") else "PUT"
    said = ask(method, at(tournament, "officials", account), key=sent_key())
    return done(said, at(tournament, "run")) or page("tournament/run.html", said.status, **desk(tournament, refusal=said.facts))


@pages.get("/tournaments/<tournament>/pairings/<int:stage>/<int:number>/<int:table>")
@for_members
def pairing_page(tournament: str, stage: int, number: int, table: int) -> Response:
    return page("tournament/pairing.html", **_pairing(tournament, stage, number, table))


def _pairing(tournament: str, stage: int, number: int, table: int, **more: Any) -> dict[str, Any]:
    """LG-1006 One pairing, found on its part of the round's page."""
    facts, where = head(tournament, shown="rounds", **more), at(tournament, "stages", stage, "rounds", number)
    told = must(look(where))
    while (found := next((one for one in told["pairings"] if one["table"] == table), None)) is None and told.get("next"):
        told = must(look(where, cursor=told["next"]))
    return facts | {"round": told, "pairing": found, "people": told["people"], "preview": facts.get("preview"), "correction": facts.get("correction")}


@form("/tournaments/<tournament>/pairings/<int:stage>/<int:number>/<int:table>")
def correct_pairing(tournament: str, stage: int, number: int, table: int) -> Response:
    """LG-912, LG-913 First what it would change, then, with a reason and that version, the change itself."""
    where = f"{stage}/{number}/{table}"
    correction = facts_of("correction") if text("correction") else _correction(where)
    wish: dict[str, Any] = {"kind": text("act"), "correction": correction}
    if text("act") == "correct":
        wish |= {"reason": text("reason"), "expected_version": int(text("version") or 0)}
        wish |= {name: True for name in ("void_later", "record_only") if flag(name)}
    said = ask("POST", at(tournament, "acts"), wish, key=sent_key())
    if not said.good:
        return page("tournament/pairing.html", said.status, **_pairing(tournament, stage, number, table, refusal=said.facts))
    if text("act") == "correct":
        return redirect(at(tournament, "rounds", stage, number), 303)
    return page("tournament/pairing.html", **_pairing(tournament, stage, number, table, preview=said.facts["answer"], correction=correction))


def _correction(where: str) -> dict[str, Any]:
    """What the form says instead of what is recorded."""
    match text("what"):
        case "void" | "replay" as what:
            return {"pairing": where, what: True}
        case "forfeit":
            return {"pairing": where, "forfeit": several("accounts")}
        case _:
            return {"pairing": where, "places": places("places"), **({"board": number("board")} if number("board") else {})}
