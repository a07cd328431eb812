"""One table of a round: who sits there, when those at it play, and what a referee decides about it."""

from __future__ import annotations

import time
from typing import Any

from flask import redirect
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import form, pages
from services.gateway.web.forms import number as a_number
from services.gateway.web.forms import sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must
from services.gateway.web.league.doing import done
from services.gateway.web.league.fields import Acts, act_of, facts_of, flag, moment, places, several, zones
from services.gateway.web.league.running import wish_of
from services.gateway.web.league.tournament import at, head

HERE = "/tournaments/<tournament>/pairings/<int:stage>/<int:number>/<int:table>"
AT_TABLE: Acts = {
    "appoint": {"pairing": text, "account": text, "start": moment}, "agree": {"pairing": text, "account": text, "number": a_number, "yes": flag},
    "report": {"pairing": text, "places": places},
}


@pages.get(HERE)
def pairing_page(tournament: str, stage: int, number: int, table: int) -> Response:
    return page("tournament/pairing.html", **pairing(tournament, (stage, number, table)))


def pairing(tournament: str, where: tuple[int, int, int], **more: Any) -> dict[str, Any]:
    """LG-1006, LG-881 One pairing, found on its part of the round's page, and the time proposed for it, where that is for this reader."""
    stage, number, table = where
    facts, address = head(tournament, shown="rounds", **more), at(tournament, "stages", stage, "rounds", number)
    told = must(look(address))
    while (found := next((one for one in told["pairings"] if one["table"] == table), None)) is None and told.get("next"):
        told = must(look(address, cursor=told["next"]))
    mine = {one["account"] for one in facts["one"].get("mine", {}).get("entrants", ())}
    own = [seat["account"] for seat in found["seats"] if seat["account"] in mine] if found else []
    proposals = items(look(f"{address}/appointments")) if own or facts["runs"] else []
    return {"preview": None, "correction": None, **facts, "round": told, "pairing": found, "people": told["people"], "own": own, "now": time.time_ns() // 1_000_000,
            "proposal": next((one for one in proposals if one["table"] == table), None), "zones": zones(facts["one"]["zone"])}


@form(f"{HERE}/mine")
def at_own_table(tournament: str, stage: int, number: int, table: int) -> Response:
    """LG-881, LG-201 What those at a table say: when they play, and how it ended."""
    said = ask("POST", at(tournament, "acts"), act_of(text("act"), AT_TABLE), key=sent_key())
    return _shown(said, at(tournament, "pairings", stage, number, table), (tournament, (stage, number, table)))


@form(f"{HERE}/decide")
def decide_pairing(tournament: str, stage: int, number: int, table: int) -> Response:
    """LG-123, LG-880 What officials decide about a table without changing what is recorded."""
    said = ask("POST", at(tournament, "acts"), wish_of(text("act")), key=sent_key())
    stays = text("act") in {"extend", "rating_only"}
    back = at(tournament, "pairings", stage, number, table) if stays else at(tournament, "rounds", stage, number)
    return _shown(said, back, (tournament, (stage, number, table)))


def _shown(said: Any, back: str, here: tuple[str, tuple[int, int, int]]) -> Response:
    return done(said, back, text("act")) or page("tournament/pairing.html", said.status, **pairing(*here, refusal=said.facts))


@form(HERE)
def correct_pairing(tournament: str, stage: int, number: int, table: int) -> Response:
    """LG-912, LG-913 First what it would change, then, with a reason and that version, the change itself."""
    where, here = f"{stage}/{number}/{table}", (stage, number, table)
    correction = facts_of("correction") if text("correction") else _correction(where)
    wish: dict[str, Any] = {"kind": text("act"), "correction": correction}
    if text("act") == "correct":
        wish |= {"reason": text("reason"), "expected_version": a_number("version") or 0}
        wish |= {name: True for name in ("void_later", "record_only") if flag(name)}
    said = ask("POST", at(tournament, "acts"), wish, key=sent_key())
    if not said.good:
        return page("tournament/pairing.html", said.status, **pairing(tournament, here, refusal=said.facts))
    if text("act") == "correct":
        return redirect(f"{at(tournament, 'rounds', stage, number)}?done=correct", 303)
    return page("tournament/pairing.html", **pairing(tournament, here, preview=said.facts["answer"], correction=correction))


def _correction(where: str) -> dict[str, Any]:
    """What the form says instead of what is recorded."""
    match text("what"):
        case "void" | "replay" as what:
            return {"pairing": where, what: True}
        case "forfeit":
            return {"pairing": where, "forfeit": several("accounts")}
        case _:
            return {"pairing": where, "places": places("places"), **({"board": a_number("board")} if a_number("board") else {})}
