"""Which tournaments and championships are there?"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from flask import request
from werkzeug.wrappers import Response

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web.blueprint import pages
from services.gateway.web.forms import text
from services.gateway.web.frame import page
from services.gateway.web.inner import items, look, must
from services.gateway.web.league.words import STATES as WORDS

STATES = ("running", "open", "finished")
FEW, MOST = 6, 100


@pages.get("/league")
def league_page() -> Response:
    """Championships first, then the tournaments by what can be done with them."""
    found = {state: items(look("/tournaments", state=state, limit=FEW)) for state in STATES}
    mine = items(look("/organisations", mine="true")) if caller(gate()).signed_in else []
    return page("league/page.html", organisations=mine, championships=items(look("/championships", limit=FEW)),
                seasons=items(look("/seasons", limit=FEW)), tournaments=found)


@pages.get("/tournaments")
def tournaments_page() -> Response:
    asked = {name: request.args.get(name, "") for name in ("state", "game", "cursor")}
    said = must(look("/tournaments", **asked))
    return page("league/list.html", tournaments=said["items"], next=said.get("next"), asked=asked, games=items(look("/games")))


@pages.get("/championships")
def championships_page() -> Response:
    said = must(look("/championships", cursor=request.args.get("cursor", "")))
    return page("championship/list.html", championships=said["items"], next=said.get("next"))


@pages.get("/games/<game>/ratings")
def ratings_page(game: str) -> Response:
    """LG-845 The leader board of one game."""
    pool = request.args.get("pool", "open")
    said = must(look(f"/games/{game}/ratings", pool=pool, cursor=request.args.get("cursor", ""), limit=100))
    return page("league/ratings.html", game=must(look(f"/games/{game}")), leaders=said["items"], next=said.get("next"), pool=pool)


def called(organisation: str, some: Collection[str]) -> Mapping[str, str]:
    """Names of tournaments that something of an organisation counts, as far as the reader may know of them."""
    found = {one["tournament"]: str(one["name"]) for one in items(look("/tournaments", organisation=organisation, limit=MOST))} if some else {}
    others = [one for one in some if one not in found][:FEW]
    return found | {one: str(said.facts["name"]) for one in others if (said := look(f"/tournaments/{one}")).good}


def countable(organisation: str, taken: Collection[str]) -> list[tuple[str, str]]:
    """Which tournaments of an organisation may be added to something of it, newest first: identifiers, and what they are called."""
    found = items(look("/tournaments", organisation=organisation, limit=MOST))
    return [(one["tournament"], f"{one['name']} ({one['title'] or one['game']}, {WORDS.get(one['state'], one['state'])})")
            for one in found if one["tournament"] not in taken and one["state"] != "cancelled"]


def chosen() -> str:
    """The tournament that was chosen, or another one by its address or identifier."""
    return text("other").rstrip("/").rpartition("/")[2] or text("tournament")
