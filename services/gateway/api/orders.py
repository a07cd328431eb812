"""Resigning, proposals of the seats, orders of host and referee."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, g, request

from services.gateway import orders, substitutes
from services.gateway.api import match_schemas as shapes
from services.gateway.api.commands import said, waiting_time
from services.gateway.commands import Wish, answer
from services.gateway.edge.routes import Call, Door, Routes
from services.gateway.problems import Problem
from shared.runtime.store import Row

routes = Routes("orders", __name__, description="Resigning, proposals, orders")
STATES = ("wrong_state", "match_over", "match_paused", "match_stuck", "match_busy", "not_your_seat", "not_offered")
ROW = Door("match.play", gives=shapes.RowOut, status=202, also=(200,), codes=STATES, stored=False, bucket="commands")
RESIGN = replace(ROW, takes=shapes.ResignIn)
PROPOSE = replace(ROW, takes=shapes.ProposalIn)
ANSWER = replace(ROW, takes=shapes.ProposalAnswerIn)
ORDER = replace(ROW, verb="match.order", takes=shapes.OrderIn, codes=(*STATES, "own_match", "second_person_needed", "reason_missing", "seat_taken", "already_seated", "blocked"))
SUBSTITUTE = replace(ROW, verb="match.sit", takes=shapes.SubstituteIn, codes=(*STATES, "seat_taken", "already_seated", "blocked"))
CONFIRM = replace(ROW, verb="match.referee", codes=(*STATES, "own_match", "same_person"))
NUMBER = "<int(max=2147483647):number>"


@routes.at("POST", "/matches/<match>/resignations", RESIGN)
def resign(call: Call, match: str) -> Response:
    """Give the seat up for good; `sure` confirms it."""
    wish = orders.resign_wish(match, call.key, call.body, call.canonical)
    return _told(call, wish, orders.resign(call.gate, call.caller, wish, call.received))


@routes.at("POST", "/matches/<match>/proposals", PROPOSE)
def propose(call: Call, match: str) -> Response:
    """Propose a pause, its end, or to abort (1, 2, 3 in the address of the answers)."""
    wish = orders.proposal_wish(match, call.key, call.body, call.canonical)
    return _told(call, wish, orders.propose(call.gate, call.caller, wish, call.received))


@routes.at("POST", f"/matches/<match>/proposals/{NUMBER}/answers", ANSWER)
def answer_proposal(call: Call, match: str, number: int) -> Response:
    """Consent to an open proposal, or decline it."""
    wish = orders.answer_wish(match, number, call.key, call.body, call.canonical)
    return _told(call, wish, orders.propose(call.gate, call.caller, wish, call.received))


@routes.at("POST", "/matches/<match>/orders", ORDER)
def order(call: Call, match: str) -> Response:
    """An order of the host (where the game has a host's chair) or of a referee; referees give a reason, which is kept. `replace` seats a substitute."""
    wish = Wish(match, "order", call.key, b"{}", call.canonical, scope="orders")
    with call.gate.work() as work:
        give = substitutes.name if call.body["kind"] == "replace" else orders.order
        row = give(work, call.caller, match, call.body, _facts(call, wish))
    if isinstance(row, Problem):
        raise row
    return _told(call, wish, row)


@routes.at("POST", "/matches/<match>/substitutions", SUBSTITUTE)
def substitute(call: Call, match: str) -> Response:
    """Take a seat that was left, where the match allows substitutes, before its next ask is due."""
    wish = Wish(match, "order", call.key, b"{}", call.canonical, scope="substitutions")
    with call.gate.work() as work:
        row = substitutes.take(work, call.caller, match, call.body["seat"], _facts(call, wish))
    return _told(call, wish, row)


@routes.at("POST", f"/matches/<match>/orders/{NUMBER}/confirm", CONFIRM)
def confirm(call: Call, match: str, number: int) -> Response:
    """Confirm an order that needs a second person."""
    wish = Wish(match, "order", call.key, b"{}", call.canonical, scope=f"orders/{number}/confirm")
    with call.gate.work() as work:
        row = orders.confirm(work, call.caller, match, number, _facts(call, wish))
    return _told(call, wish, row)


def _facts(call: Call, wish: Wish) -> dict[str, object]:
    return {**wish.facts(call.gate, call.received), "trace": g.trace}


def _told(call: Call, wish: Wish, row: Row) -> Response:
    return said(answer(call.gate, wish, row, waiting_time(call.gate, request.headers.get("Prefer"))))
