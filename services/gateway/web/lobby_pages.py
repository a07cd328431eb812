"""Pages before a match: start, games, lists of matches, one's own matches, and the making of a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import redirect, request
from werkzeug.wrappers import Response

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.boards import short_rules_of
from services.gateway.web.forms import clock, number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must

STATES = ("open", "running", "paused", "finished", "aborted", "expired")
VISIBILITIES = (("public", "everybody"), ("unlisted", "whoever has the address"), ("private", "only those who sit or are invited"))

TALKS = (("off", "none"), ("phrases", "phrases from a list"), ("free", "free texts"))


@pages.get("/")
def start_page() -> Response:
    return page("lobby/start.html", games=items(look("/games")), running=items(look("/matches", state="running", limit=6)),
                waiting=items(look("/matches", state="open", limit=6)),
                championships=items(look("/championships", limit=2)), tournaments=items(look("/tournaments", limit=6)))


@pages.get("/accessibility")
def accessibility_page() -> Response:
    return page("accessibility.html")


@pages.get("/games")
def games_page() -> Response:
    return page("lobby/games.html", games=items(look("/games")))


@pages.get("/games/<game>")
def game_page(game: str) -> Response:
    found = must(look(f"/games/{game}"))
    return page("lobby/game.html", game=found, options=options_of(found), waiting=items(look("/matches", game=game, state="open", limit=6)),
                running=items(look("/matches", game=game, state="running", limit=6)), rules=short_rules_of(game))


@pages.get("/matches")
def matches_page() -> Response:
    asked = {name: request.args.get(name, "") for name in ("game", "state", "cursor")}
    if "state" not in request.args:
        asked["state"] = ""
    said = look("/matches", **asked)
    return page("lobby/matches.html", asked=asked, matches=must(said)["items"], next=said.facts.get("next"), games=items(look("/games")), states=STATES)


@pages.get("/my")
@for_members
def my_page() -> Response:
    """PL-704 All open asks, by due time, over all games."""
    matches = items(look("/me/matches", limit=100))
    league = look(f"/accounts/{caller(gate()).account}/league", limit=1).facts
    return page("lobby/my.html", league=league, notices=items(look("/me/notices", limit=10)), asks=items(look("/me/asks", limit=100)), matches=[one for one in matches if one["state"] in {"open", "running", "paused", "stuck"}],
                past=[one for one in matches if one["state"] not in {"open", "running", "paused", "stuck"}], invitations=items(look("/me/invitations")),
                titles={game["game"]: game["title"] for game in items(look("/games"))})


@form("/my/notices/read")
def read_notices() -> Response:
    """PL-576 Up to the newest one that was on the page."""
    ask("PUT", "/me/notices/read", {"up_to": number("up_to") or 1}, key=sent_key())
    return redirect("/my", 303)


# A new match -------------------------------------------------------------------------------------------------------------


@pages.get("/games/<game>/new")
@for_members
def new_page(game: str) -> Response:
    return _new(game)


@form("/games/<game>/new")
def new_match(game: str) -> Response:
    found = must(look(f"/games/{game}"))
    seats = [_seat(request.form[name]) for name in sorted(request.form) if name.startswith("seat:") and request.form[name]]
    wish = {
        "game": game, "seats": seats, "options": _options_sent(found), "clock": clock(), "visibility": text("visibility"),
        "opponents": _opponents(seats), "fill_with_bots": "fill_with_bots" in request.form, "guests": "guests" in request.form,
        "substitutes": "substitutes" in request.form, "talk": text("talk") or "off",
        "onlooker_delay": {"seconds": number("delay_s") or 0, "steps": number("delay_steps") or 0},
    }
    said = ask("POST", "/matches", wish, key=sent_key())
    return redirect(f"/matches/{said.facts['match']}", 303) if said.good else _new(game, said.status, refusal=said.facts)


def _new(game: str, status: int = 200, **facts: Any) -> Response:
    found = must(look(f"/games/{game}"))
    most = max([*found["seats"]["default"], *(count for case in found["seats"]["when"] for count in case["seats"])])
    typed = dict(request.form) if status != 200 else {}
    return page("lobby/new.html", status, game=found, options=options_of(found), most=most, least=min(found["seats"]["default"]), typed=typed,
                visibilities=VISIBILITIES, talks=TALKS, zone=look("/me").facts.get("zone", "UTC"), **{"refusal": None, **facts})


def _seat(wish: str) -> dict[str, Any]:
    kind, _, level = wish.partition(":")
    return {"kind": kind, "level": level} if kind == "bot" else {"kind": kind}


def _opponents(seats: list[dict[str, Any]]) -> str:
    """PL-528 Bots sit where they were asked to; whoever comes sees it beforehand."""
    kinds = {seat["kind"] for seat in seats}
    if kinds == {"bot"}:
        return "bots"
    return "mixed" if "bot" in kinds or "bots_welcome" in request.form or "fill_with_bots" in request.form else "persons"


# Options, as a game's own schema tells them ---------------------------------------------------------------------------


def options_of(game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each option with the kind of field that asks for it; what a form cannot ask for keeps its default."""
    return [told for name, about in properties_of(game["options"]).items() if (told := _option(name, about))]


def properties_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    named = str(schema.get("$ref", "")).rpartition("/")[2]
    found: dict[str, Any] = (schema["$defs"][named] if named else schema).get("properties", {})
    return found


def _option(name: str, about: Mapping[str, Any]) -> dict[str, Any] | None:
    if "from_match" in about:
        return None
    option = {"name": name, "default": about.get("default"), "of": about.get("enum"), "least": about.get("minimum"), "most": about.get("maximum")}
    if option["of"]:
        return {**option, "kind": "pick"}
    kind = {"boolean": "flag", "integer": "number", "string": "text"}.get(about.get("type", ""))
    return {**option, "kind": kind} if kind else None


def _options_sent(game: Mapping[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = {}
    for option in options_of(game):
        written = text(f"option:{option['name']}")
        match option["kind"]:
            case "flag":
                sent[option["name"]] = bool(written)
            case "number":
                sent[option["name"]] = number(f"option:{option['name']}") if number(f"option:{option['name']}") is not None else written
            case "pick":
                sent[option["name"]] = next((value for value in option["of"] if str(value) == written), written)
            case _:
                sent[option["name"]] = written
    return sent
