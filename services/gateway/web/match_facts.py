"""What does the page of a match show to this reader? Everything it needs, asked of the API once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import request

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.web.boards import board_of
from services.gateway.web.inner import items, look, must

LOG_LENGTH = 60
WORDS_OF_BOARDS = ("names", "labels", "prompts", "pages")      # the sentences of the log come with the letters
OVER = frozenset({"finished", "aborted", "voided"})
MESSAGES = {
    "carried_out": "Done.", "accepted": "Accepted. It will be carried out in a moment.", "seated": "You sit at this table.",
    "left": "The seat is open again.", "given": "The seat is given.", "ready": "Noted.", "started": "The match begins.",
    "contributed": "Your part in the dice is noted.", "ordered": "The order is on its way.", "proposed": "Your proposal is on its way.",
    "resigned": "You have resigned.", "joined": "You are in the audience.", "answered": "Your answer is noted; the last one before the close counts.",
    "away": "You have left the audience.", "set": "The table is set.",
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
        "invitation": request.args.get("invitation", ""), "refusal": None, "levels": _levels(match) if hosts and match["state"] == "open" else [],
        **(_seen(match, reader) if started else NOTHING_SEEN), **more,
    }


NOTHING_SEEN: dict[str, Any] = {
    "view": None, "text": "", "asks": [], "host_choices": [], "letters": [], "clocks": {}, "due": {}, "awaited": [], "result": None, "audience": None,
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
        "due": {one["seat"]: one for one in clocks.get("seats", ())}, "text": text.facts["text"] if text.good else "",
        "asks": items(asked) if asked else [], "host_choices": view.get("host") or [],
        "letters": list(reversed(items(look(f"{at}/letters", seat=reader, after=max(0, view["step"] - LOG_LENGTH), limit=100)))),
        "audience": _audience(match, audience.facts) if audience.good else None, "result": result.facts if result and result.good else None,
        "words": words_of(match["pack"]),
    }


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
