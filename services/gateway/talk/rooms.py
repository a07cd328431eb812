"""Who may say something in a room of a match, and who hears what (PL-556, PL-558, PL-559)?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.gateway.accounts import at, new_id
from services.gateway.edge.cursors import Cursor
from services.gateway.matches import is_late
from services.gateway.problems import Problem, invalid
from services.gateway.rights import ACTIVE, READING, Caller, Thing, authorize, may_see
from services.gateway.store import SQL, Store, Work
from services.gateway.talk import checks
from shared.runtime.store import Row

SEATS, ONLOOKERS = ROOMS = ("seats", "onlookers")
TALKS = ("off", "phrases", "free")


def say(work: Work, caller: Caller, match: str, wish: Mapping[str, Any], language: str) -> dict[str, Any]:
    """PL-556, PL-558 One text or phrase, from whoever belongs to the room."""
    thing = may_see(work, caller, match)
    authorize(caller, "talk.write", thing)
    refuse_room(caller, thing, wish["room"], reading=False)
    words, phrase = _said(str(thing.match["talk"]), wish)
    refuse_silenced(work, caller, match)
    seat = thing.mine[0] if wish["room"] == SEATS and len(thing.mine) == 1 else None
    row = work.one(SQL.said, text=new_id("t"), match=match, room=wish["room"], account=caller.account, seat=seat, phrase=phrase, words=words)
    if row is None:
        raise Problem("talk_off")       # some time after the end nobody is there any more
    return told(row, caller, language)


def _said(talk: str, wish: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The words or the phrase, as the match allows them."""
    if ("text" in wish) == ("phrase" in wish):
        raise invalid("", "a text or a phrase")
    if talk == "off" or ("text" in wish and talk != "free"):
        raise Problem("talk_off")
    if "phrase" in wish:
        return None, str(wish["phrase"])
    words = checks.cleaned(wish["text"])
    if not checks.may_be_said(words):
        raise Problem("text_refused")
    return words, None


def refuse_silenced(store: Store | Work, caller: Caller, match: str) -> None:
    """PL-559 For the time that a moderator has set."""
    silence = store.one(SQL.silence_of, account=caller.account)
    if silence is not None:
        raise Problem("muted", match=match, until=at(silence["until"]))


def heard(store: Store, caller: Caller, match: str, asked: Mapping[str, Any], cursor: Cursor, language: str) -> dict[str, Any]:
    """PL-558, PL-559, PL-419, PL-138 The newest first: nothing of those who are blocked or muted, nothing before its time."""
    thing = may_see(store, caller, match)
    if thing.match["talk"] == "off":
        raise Problem("talk_off")
    refuse_room(caller, thing, asked["room"], reading=True)
    inside = caller.signed_in and caller.has(*READING)
    late = is_late({**thing.match, "mine": thing.mine if inside else ()}, caller if inside else Caller())
    before = cursor.read(asked.get("cursor"))
    rows = store.all(SQL.heard, match=match, room=asked["room"], account=caller.account, late=late, before=before[0] if before else None,
                     most=asked["limit"] + 1)
    return cursor.page([(told(row, caller, language), (row["number"],)) for row in rows], asked["limit"])


def refuse_room(caller: Caller, thing: Thing, room: str, *, reading: bool) -> None:
    """PL-558 At the table sit the seats and whoever hosts from a chair; what is said there may be heard by all who look on.
    Behind it are the onlookers, whom no seat hears while the match runs.
    """
    chair = caller.signed_in and thing.match["acting_host"] == caller.account and bool(thing.match["host_chair"])
    if room == ONLOOKERS and thing.mine and thing.match["state"] in ACTIVE:
        raise Problem("not_allowed")
    if room == SEATS and not reading and not (thing.mine or chair):
        raise Problem("not_your_seat")


def told(row: Row, caller: Caller, language: str) -> dict[str, Any]:
    """A text as its readers get it; of one that a moderator has hidden they learn that it is gone."""
    hidden = row["hidden_at"] is not None
    words = None if hidden else checks.phrase(row["phrase"], language) if row["phrase"] else row["words"]
    return {"text": row["text_id"], "match": row["match_id"], "room": row["room"], "account": {name: row[name] for name in ("account", "name", "kind")},
            "seat": row["seat"], "at": at(row["at"]), "phrase": None if hidden else row["phrase"], "words": words, "hidden": hidden,
            "own": caller.signed_in and row["account"] == caller.account}


def mute(work: Work, caller: Caller, account: str) -> None:
    """PL-559 Everybody chooses whom to read."""
    if account == caller.account or work.one(SQL.account_by_id, account=account) is None:
        raise Problem("not_found")
    work.do(SQL.muted, account=caller.account, muted=account)


def unmute(work: Work, caller: Caller, account: str) -> None:
    work.do(SQL.unmuted, account=caller.account, muted=account)


def mutes(store: Store, caller: Caller) -> dict[str, Any]:
    return {"items": store.all(SQL.mutes_of, account=caller.account), "next": None}
