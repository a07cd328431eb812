"""What does the page of a match show to this reader? Everything it needs, asked of the API once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import request

from services.gateway.accounts import at
from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web.boards import board_of
from services.gateway.web.inner import items, look, must

LOG_LENGTH = 60
TALK_LENGTH = 50
TALK_ROOMS = (("seats", "At the table"), ("onlookers", "Among onlookers"))
WORDS_OF_BOARDS = ("names", "labels", "prompts", "pages")      # the sentences of the log come with the letters
OVER = frozenset({"finished", "aborted", "voided"})
MESSAGES = {
    "carried_out": "Done.", "accepted": "Accepted. It will be carried out in a moment.", "seated": "You sit at this table.",
    "left": "The seat is open again.", "given": "The seat is given.", "ready": "Noted.", "started": "The match begins.",
    "contributed": "Your part in the dice is noted.", "ordered": "The order is on its way.", "proposed": "Your proposal is on its way.",
    "resigned": "You have resigned.", "joined": "You are in the audience.", "answered": "Your answer is noted; the last one before the close counts.",
    "asked_to_look": "Asked. A second referee or an operator has to confirm it.", "opened": "Confirmed: they may look for an hour.",
    "away": "You have left the audience.", "set": "The table is set.", "said": "Said.", "reported": "A moderator will look at it.",
    "muted": "You read nothing more of them; your settings end that.",
}


def facts_of(match_id: str, **more: Any) -> dict[str, Any]:
    """The match, as whom it is read, and what this reader sees, is asked and may do."""
    match = must(look(f"/matches/{match_id}"))
    me = caller(gate()).account
    mine = [seat["seat"] for seat in match["seats"] if seat["account"] and me and seat["account"]["account"] == me and seat["kind"] == "held"]
    hosts = bool(me and me in {match["acting_host"], match["host"] and match["host"]["account"]})
    reader = _reader(mine, hosts=hosts and match["host_chair"])
    started = match["state"] not in {"open", "expired"}
    return {
        "match": match, "mine": mine, "hosts": hosts, "reader": reader, "seat": int(reader) if reader.isdigit() else None,
        "invited": [seat["seat"] for seat in match["seats"] if seat["kind"] == "invited" and seat["account"] and seat["account"]["account"] == me],
        "over": match["state"] in OVER, "board": board_of(match["game"]), "said": MESSAGES.get(request.args.get("said", ""), ""),
        "opened": _opened(match, signed_in=me is not None) if started else None, "talk": _talk(match, mine=bool(mine)), "invitation": request.args.get("invitation", ""), "refusal": None, "levels": _levels(match) if hosts and match["state"] == "open" else [],
        **(_seen(match, reader) if started else NOTHING_SEEN), **more,
    }


NOTHING_SEEN: dict[str, Any] = {
    "view": None, "text": "", "asks": [], "host_choices": [], "letters": [], "clocks": {}, "due": {}, "away": {}, "awaited": [], "result": None, "audience": None,
    "words": {}, "step": 0,
}


def _reader(mine: list[int], *, hosts: bool) -> str:
    """A seat of one's own if there is one, unless the reader asks to look on; else the host's chair, else the onlookers'."""
    wanted = request.args.get("seat", "")
    if wanted == "onlookers" or wanted in map(str, mine):
        return wanted
    if wanted == "host" and hosts:
        return wanted
    return str(mine[0]) if mine else "host" if hosts else "onlookers"


def _seen(match: dict[str, Any], reader: str) -> dict[str, Any]:
    at = f"/matches/{match['match']}"
    seen = look(f"{at}/view", seat=reader)
    view = seen.facts if seen.good else {"step": 0, "view": None, "awaited": [], "clocks": {}}
    clocks = view["clocks"] or {}
    asked = look(f"{at}/asks", seat=reader) if reader.isdigit() else None
    text = look(f"{at}/text", seat=reader)
    audience = look(f"{at}/audience")
    result = look(f"{at}/result") if match["state"] in OVER else None
    return {
        "view": view["view"], "step": view["step"], "awaited": view["awaited"] or [], "clocks": clocks,
        "due": {one["seat"]: one for one in clocks.get("seats", ())}, "away": _away(clocks), "text": text.facts["text"] if text.good else "",
        "asks": items(asked) if asked else [], "host_choices": view.get("host") or [],
        "letters": list(reversed(items(look(f"{at}/letters", seat=reader, after=max(0, view["step"] - LOG_LENGTH), limit=100)))),
        "audience": _audience(match, audience.facts) if audience.good else None, "result": result.facts if result and result.good else None,
        "words": words_of(match["pack"]),
    }


def _opened(match: dict[str, Any], *, signed_in: bool) -> dict[str, Any] | None:
    """PL-157 For referees while it goes on, for everybody once it is over and something was opened."""
    over = match["state"] in OVER
    told = look(f"/matches/{match['match']}/opened-views") if over or signed_in else None
    return told.facts if told and told.good and (told.facts["items"] or not over) else None


def _talk(match: dict[str, Any], *, mine: bool) -> dict[str, Any] | None:
    """PL-556, PL-558 The rooms that this reader hears, their own first; None where nothing may be said."""
    if match["talk"] == "off":
        return None
    rooms = []
    for name, title in TALK_ROOMS if mine else reversed(TALK_ROOMS):
        heard = look(f"/matches/{match['match']}/talk", room=name, limit=TALK_LENGTH)
        if heard.good:
            rooms.append({"name": name, "title": title, "texts": items(heard), "may_write": caller(gate()).signed_in and (mine or name == "onlookers")})
    return {"rooms": rooms, "phrases": items(look("/talk/phrases"))}


def _away(clocks: dict[str, Any]) -> dict[int, str]:
    """PL-504 Who is on holiday, and until when; nobody writes anything when one ends."""
    now = at(gate().clock.now()) or ""
    return {one["seat"]: one["away_until"] for one in clocks.get("seats", ()) if (one.get("away_until") or "") > now}


def _audience(match: dict[str, Any], told: dict[str, Any]) -> dict[str, Any] | None:
    """Shown where the table has one: somebody is in it, or something has been asked of it."""
    return told if told["open"] or told["members"] or match["options"].get("audience") not in {None, "off", False} or not match["seats"] else None


def _levels(match: dict[str, Any]) -> list[str]:
    return list(must(look(f"/games/{match['game']}"))["bots"]) if match["opponents"] != "persons" else []


@lru_cache(maxsize=64)
def words_of(pack: str) -> dict[str, Any]:
    """What is printed on the content of a pack, for its board; a pack never changes."""
    told = must(look(f"/packs/{pack}"))["words"]
    language = "en" if "en" in told else next(iter(told), "en")
    return {"language": language, **{part: told.get(language, {}).get(part, {}) for part in WORDS_OF_BOARDS}}
