"""Organisations over HTTP: who owns and runs competitions, and who did what."""

from __future__ import annotations

from typing import Any

from services.gateway.api.league import shapes
from services.gateway.api.schemas import listed
from services.gateway.competitions import organisations
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("organisations", __name__, description="Organisations: who owns competitions and runs them")

HERE = "/organisations/<string:organisation>"
MANAGE = Door("organisation.manage")


@routes.at("GET", "/organisations", Door("competition.see", asks=shapes.OrganisationsAsked, gives=listed(shapes.OrganisationLine), codes=("bad_cursor",)))
def all_organisations(call: Call) -> Any:
    """The organisations here; with `mine=true` those in which the caller has a role."""
    return organisations.listed(call.gate, call.caller, call.query)


@routes.at("POST", "/organisations", Door("organisation.make", takes=shapes.OrganisationIn, gives=shapes.OrganisationOut, status=201, codes=("name_taken",)))
def make_organisation(call: Call) -> Any:
    """Make an organisation and name its first owner, as the host of the installation."""
    made = organisations.make(call.work, call.caller, call.body)
    return Answer(201, made, {"Location": f"/api/v1/organisations/{made['organisation']}"})


@routes.at("GET", HERE, Door("competition.see", gives=shapes.OrganisationOut))
def organisation(call: Call, organisation: str) -> Any:
    """One organisation, with its owners and organisers and the head of its log."""
    return organisations.organisation(call.gate.store, call.caller, organisation)


@routes.at("PUT", f"{HERE}/roles/<string:account>", Door("organisation.manage", takes=shapes.RoleIn))
def give_role(call: Call, organisation: str, account: str) -> None:
    """Make an account an owner or an organiser, as an owner."""
    organisations.give(call.work, call.caller, organisation, call.body["role"], account)


@routes.at("DELETE", f"{HERE}/roles/<string:account>", Door("organisation.manage", asks=shapes.RoleAsked, codes=("last_owner",)))
def take_role(call: Call, organisation: str, account: str) -> None:
    """Take a role back, or lay one's own down; the last owner stays."""
    organisations.take(call.work, call.caller, organisation, call.query.get("role"), account)


@routes.at("PUT", f"{HERE}/guests/<string:account>", MANAGE)
def invite_guest(call: Call, organisation: str, account: str) -> None:
    """Invite an account once for all tournaments of the organisation."""
    organisations.invite(call.work, call.caller, organisation, account)


@routes.at("POST", f"{HERE}/guests/<string:account>/accept", Door("organisation.accept", codes=("no_consent",)))
def accept_guest(call: Call, organisation: str, account: str) -> None:
    """Accept the standing invitation, for oneself or for a bot of one's own."""
    organisations.accept(call.work, call.caller, organisation, account)


@routes.at("DELETE", f"{HERE}/guests/<string:account>", Door("organisation.accept"))
def part_guest(call: Call, organisation: str, account: str) -> None:
    """Take an invitation back, or give it up."""
    organisations.part(call.work, call.caller, organisation, account)


@routes.at("GET", f"{HERE}/audit", Door("competition.act", asks=shapes.LogAsked, example=shapes.LOG))
def organisation_audit(call: Call, organisation: str) -> Any:
    """The log of the organisation, entry after entry; each holds the hash of the one before."""
    return organisations.log(call.gate, call.caller, organisation, None, call.query["after"])
