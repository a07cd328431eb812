"""Whose are the competitions? An organisation with those who run it, its guests, and the log of who did what."""

from __future__ import annotations

from typing import Any

from flask import request
from werkzeug.wrappers import Response

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must
from services.gateway.web.league import fields
from services.gateway.web.league.doing import done

KINDS = ("tournament", "championship", "season")
FEW = 25


@pages.get("/organisations/<organisation>")
def organisation_page(organisation: str) -> Response:
    return page("organisation/page.html", **facts(organisation))


def head(organisation: str, **more: Any) -> dict[str, Any]:
    """What every page of an organisation shows above everything else."""
    told = must(look(f"/organisations/{organisation}"))
    return {"one": told, "owns": "owner" in told["my_roles"], "runs": bool({"owner", "organiser"} & set(told["my_roles"])), "refusal": None, **more}


def facts(organisation: str, **more: Any) -> dict[str, Any]:
    held = {kind: items(look(f"/{kind}s", organisation=organisation, limit=FEW)) for kind in KINDS}
    found = head(organisation, **more) | {"held": held}
    return found | {"bots": items(look("/bots")) if caller(gate()).signed_in else []}


def competitions(organisation: str) -> list[dict[str, Any]]:
    """The newest of every kind, with the address of each."""
    found = [(kind, one) for kind in KINDS for one in items(look(f"/{kind}s", organisation=organisation, limit=100))]
    return [{"id": one[kind], "name": one["name"], "address": f"/{kind}s/{one[kind]}"} for kind, one in found]


@form("/organisations/<organisation>/roles")
def change_role(organisation: str) -> Response:
    """LG-122, LG-125 Owners give and take roles; anybody may lay down their own."""
    where = f"/organisations/{organisation}/roles/{fields.account('name')}"
    if refusal := fields.unknown():
        return page("organisation/page.html", refusal["status"], **facts(organisation, refusal=refusal))
    if fields.flag("take"):
        said = ask("DELETE", f"{where}?role={text('role') if text('role') in {'owner', 'referee'} else 'organiser'}", key=sent_key())
    else:
        said = ask("PUT", where, {"role": text("role")}, key=sent_key())
    here = f"/organisations/{organisation}"
    return done(said, here, "role") or page("organisation/page.html", said.status, **facts(organisation, refusal=said.facts))


@form("/organisations/<organisation>/guests")
def change_guest(organisation: str) -> Response:
    """LG-222 Invited once for all tournaments; the guest accepts for itself or for a bot of its own, and may give it up."""
    guest = fields.account("name") or caller(gate()).account
    where = f"/organisations/{organisation}/guests/{guest}"
    if refusal := fields.unknown():
        return page("organisation/page.html", refusal["status"], **facts(organisation, refusal=refusal))
    asked = {"invite": ("PUT", where), "accept": ("POST", f"{where}/accept")}
    method, path = asked.get(text("do"), ("DELETE", where))
    said = ask(method, path, key=sent_key())
    here = f"/organisations/{organisation}"
    return done(said, here, "guest") or page("organisation/page.html", said.status, **facts(organisation, refusal=said.facts))


@pages.get("/organisations/<organisation>/log")
@for_members
def organisation_log(organisation: str) -> Response:
    """LG-945 Officials read it whole, everybody else their own entries."""
    facts = head(organisation)
    return page("organisation/log.html", **facts, log=log_of(f"/organisations/{organisation}", facts["one"]["roles"]))


def log_of(where: str, known: list[dict[str, Any]]) -> dict[str, Any]:
    """Entries of a log, with the names of those who are known to act there."""
    told: dict[str, Any] = must(look(f"{where}/audit", after=request.args.get("after", "")))
    return {**told, "names": {one["account"]: one["name"] for one in known}}
