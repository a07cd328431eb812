"""Seats, invitations and readiness before the start."""

from __future__ import annotations

from services.gateway import lobby
from services.gateway.api import match_schemas as shapes
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("lobby", __name__, description="Seats, invitations and readiness before the start")
SEAT = "<int(max=99):seat>"
TAKING = ("seat_taken", "already_seated", "blocked", "wrong_state", "consent_missing", "invitation_gone", "not_your_seat")


@routes.at("POST", "/matches/<match>/seats", Door("match.sit", takes=shapes.TakeSeatIn, gives=shapes.SeatOut, status=201, codes=TAKING))
def take(call: Call, match: str) -> Answer:
    """Take a seat; the one named, or any that is free."""
    return Answer(201, lobby.take(call.work, call.caller, match, call.body.get("seat"), call.body.get("invitation")))


@routes.at("DELETE", f"/matches/<match>/seats/{SEAT}", Door("match.sit", codes=("wrong_state", "not_your_seat")))
def leave(call: Call, match: str, seat: int) -> None:
    """Leave a seat, or (host) remove its holder."""
    lobby.leave(call.work, call.caller, match, seat)


@routes.at("PUT", f"/matches/<match>/seats/{SEAT}", Door("match.change", takes=shapes.GiveSeatIn, gives=shapes.SeatOut,
                                                         codes=("seat_taken", "wrong_state", "own_match", "already_seated", "blocked")))
def give(call: Call, match: str, seat: int) -> object:
    """Invite an account to a seat, or give it to a built-in bot (host)."""
    return lobby.give(call.work, call.caller, match, seat, call.body)


@routes.at("POST", "/matches/<match>/invitations", Door("match.change", takes=shapes.InvitationIn, gives=shapes.Invitation, status=201,
                                                        codes=("wrong_state", "blocked")))
def invite(call: Call, match: str) -> Answer:
    """Invite one account, or make a link for several (host)."""
    return Answer(201, lobby.invite(call.work, call.caller, match, call.body))


@routes.at("DELETE", "/matches/<match>/invitations/<code>", Door("match.change"))
def withdraw(call: Call, match: str, code: str) -> None:
    """Withdraw an invitation (host)."""
    lobby.withdraw(call.work, call.caller, match, code)


@routes.at("POST", "/invitations/<code>/accept", Door("match.sit", gives=shapes.SeatOut, codes=TAKING))
def accept(call: Call, code: str) -> Answer:
    """Accept an invitation and take a seat; twice has the effect of once."""
    return Answer(200, lobby.accept(call.work, call.caller, code))


@routes.at("POST", "/invitations/<code>/decline", Door("match.sit", codes=("invitation_gone",)))
def decline(call: Call, code: str) -> None:
    """Decline an invitation."""
    lobby.decline(call.work, call.caller, code)


@routes.at("POST", "/matches/<match>/contributions", Door("match.play", takes=shapes.ContributionIn, gives=shapes.SeatOut,
                                                          codes=("wrong_state", "not_your_seat")))
def contribute(call: Call, match: str) -> object:
    """Give 1 to 64 hexadecimal digits to the dice of this match; they become public at its start."""
    return lobby.contribute(call.work, call.caller, match, call.body.get("seat"), call.body["value"])


@routes.at("POST", "/matches/<match>/ready", Door("match.play", takes=shapes.ReadyIn, gives=shapes.StateOut, status=202,
                                                  codes=("wrong_state", "not_your_seat")))
def ready(call: Call, match: str) -> Answer:
    """Say that you are ready, or not any more; the last one who is ready starts the match."""
    return Answer(202, lobby.ready(call.work, call.caller, match, call.body.get("seat"), is_ready=call.body["ready"]))


@routes.at("POST", "/matches/<match>/start", Door("match.start", gives=shapes.StateOut, status=202, codes=("wrong_state", "not_full")))
def start(call: Call, match: str) -> Answer:
    """Start a full match (host)."""
    return Answer(202, lobby.start(call.work, call.caller, match))
