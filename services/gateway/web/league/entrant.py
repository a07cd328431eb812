"""What does an entrant do for itself, for its bot or for its team? Everything that an entrant may ask for, on one page."""

from __future__ import annotations

from typing import Any

from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look
from services.gateway.web.league.doing import done
from services.gateway.web.league.fields import Acts, accounts, act_of, flag, several, unknown
from services.gateway.web.league.tournament import at, head, ladder, overview

OWN = {"account": text}
ACTS: Acts = {
    "enter": {**OWN, "club": text, "country": text, "team": text, "members": accounts, "reserves": accounts}, "withdraw": OWN, "return": OWN,
    "check_in": OWN, "consent": OWN, "accept_invitation": OWN, "ready": OWN, "rest": OWN, "request_bye": {**OWN, "round": number, "bye": text},
    "line_up": {**OWN, "round": number, "accounts": accounts}, "answer": {**OWN, "yes": flag},
    "challenge": {"account": lambda _: next(iter(several("challenged")), ""), "others": lambda _: several("challenged")[1:], "challenger": text},
}


@pages.get("/tournaments/<tournament>/mine")
@for_members
def own_page(tournament: str) -> Response:
    return page("tournament/own/page.html", **part(tournament))


def part(tournament: str, **more: Any) -> dict[str, Any]:
    """One's entrants with their byes and open tables, and what can be asked for each."""
    facts = head(tournament, shown="mine", **more)
    told = facts["one"]
    own = [{**one, **_asked(tournament, one["account"])} for one in told["mine"]["entrants"]]
    stage = facts["current"]
    coming = stage["round"] + (2 if stage["drafted"] else 1)
    return facts | {"own": own, "names": {one["account"]: told["people"].get(one["account"], {}).get("name", one["account"]) for one in own},
                    "bots": items(look("/bots")), "coming": coming, "proposals": _proposals(tournament, own)}


def _asked(tournament: str, account: str) -> dict[str, Any]:
    """LG-1005 What an account has asked for and has to play in this tournament."""
    league = look(f"/accounts/{account}/league", limit=1).facts
    return {name: [one for one in league.get(name, ()) if one["tournament"] == tournament] for name in ("open", "byes")}


def _proposals(tournament: str, own: list[dict[str, Any]]) -> dict[str, Any]:
    """LG-881 By pairing, what has been proposed at one's own tables."""
    rounds = {(table["stage"], table["round"]) for one in own for table in one["open"] if not table["match"]}
    found = [items(look(at(tournament, "stages", stage, "rounds", number, "appointments"))) for stage, number in sorted(rounds)]
    return {one["pairing"]: one for some in found for one in some}


@form("/tournaments/<tournament>/mine")
def mine(tournament: str) -> Response:
    """Each button of an entrant is one act; it is seen where it was pressed."""
    wish, back = act_of(text("act"), ACTS), text("back")
    if (refusal := unknown()) and back == "mine":
        return page("tournament/own/page.html", refusal["status"], **part(tournament, refusal=refusal))
    said = ask("POST", at(tournament, "acts"), wish, key=sent_key())
    if back == "ladder":
        return done(said, at(tournament, back), text("act")) or page("tournament/own/ladder.html", said.status, **ladder(tournament, refusal=said.facts))
    if back == "mine":
        return done(said, at(tournament, back), text("act")) or page("tournament/own/page.html", said.status, **part(tournament, refusal=said.facts))
    return done(said, at(tournament), text("act")) or page("tournament/page.html", said.status, **overview(tournament, refusal=said.facts))
