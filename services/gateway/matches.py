"""How does a match come about, who may find it, and what is told of it (PL-231 to PL-260)?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import marshmallow

from services.gateway import games, lobby
from services.gateway.accounts import at, new_id
from services.gateway.edge.cursors import Cursor
from services.gateway.problems import Problem, fault, invalid
from services.gateway.rights import Caller, Thing, authorize, may_see, within
from services.gateway.store import SQL, Store, Work
from shared.runtime.store import Row

LEAGUE_ONLY = ("championship", "origin", "origin_key")
SET_MOST = 1_000


class Deal(NamedTuple):
    """PL-392 What matches of a set share: their group, and the number of the one seed that is used for all of them."""

    group: str
    seed: int


def create(work: Work, caller: Caller, wish: Mapping[str, Any], life_s: float, deal: Deal | None = None) -> dict[str, Any]:
    """PL-232, PL-233 A new match with everything fixed: version, pack, seed number; the answer shows every default."""
    if not within(caller, {"match_id": None, "championship": wish.get("championship")}):
        raise Problem("not_allowed")    # PL-175
    _refuse_league_only(caller, wish)
    row = games.to_play(work, wish["game"], _stage(caller, wish))
    if wish.get("pack") not in {None, row["pack_hash"]}:
        raise Problem("no_version")
    options = games.checked_options(row, wish["options"], "" if wish.get("origin") else wish["visibility"])
    options = games.told_of_match(row, options, wish["options"], talk=wish["talk"])
    games.check_seats(row, options, len(wish["seats"]))
    clock = games.checked_clock(row, wish["clock"], in_championship=wish.get("championship") is not None)
    seats = [lobby.seat_wished(work, caller, row, wish, number) for number in range(len(wish["seats"]))]
    _refuse_doubles(seats, one_screen=wish["one_screen"])
    if wish["one_screen"] and wish["rated"]:
        raise invalid("/rated", "a match on one screen is not rated")
    match = _insert(work, caller, row, {**wish, "options": options, "clock": clock, "deal": deal}, life_s)
    work.many(SQL.seat_made, [{"match": match, "seat": number, **seat} for number, seat in enumerate(seats)])
    lobby.start_if_ready(work, match)
    return match_told(work, caller, match)


def _stage(caller: Caller, wish: Mapping[str, Any]) -> str:
    if wish["stage"] == "draft" and not caller.is_operator:
        raise Problem("not_allowed")
    return str(wish["stage"])


def _refuse_league_only(caller: Caller, wish: Mapping[str, Any]) -> None:
    """PL-255 Origins and championships are named by what runs leagues."""
    if any(wish.get(name) is not None for name in LEAGUE_ONLY):
        authorize(caller, "match.seat_others", Thing())
    if (wish.get("origin") is None) != (wish.get("origin_key") is None):
        raise invalid("/origin_key", "origin and origin_key belong together")


def _refuse_doubles(seats: Sequence[Mapping[str, Any]], *, one_screen: bool) -> None:
    """PL-236"""
    held = [seat["account"] for seat in seats if seat["account"] is not None]
    if len(set(held)) != len(held) and not one_screen:
        raise Problem("already_seated")


def _insert(work: Work, caller: Caller, row: Row, wish: Mapping[str, Any], life_s: float) -> str:
    match = new_id("m")
    deal = wish["deal"] or Deal("", _seed_for(work, match))
    planned = _planned(wish)
    _rematch(work, caller, wish.get("rematch_of"))
    work.do(SQL.match_made, match=match, game=row["game"], version=row["version"], pack=row["pack_hash"], options=json.dumps(wish["options"]),
            clock=json.dumps(wish["clock"]), seats=len(wish["seats"]), host=caller.account, visibility=wish["visibility"],
            opponents=wish["opponents"], talk=wish["talk"], rated=wish["rated"], one_screen=wish["one_screen"], fill=wish["fill_with_bots"],
            guests=wish["guests"], substitutes=wish["substitutes"], delay_s=wish["onlooker_delay"]["seconds"], delay_steps=wish["onlooker_delay"]["steps"],
            seed=deal.seed, deal_group=deal.group or None, rematch_of=wish.get("rematch_of"), championship=wish.get("championship"), origin=wish.get("origin"),
            origin_key=wish.get("origin_key"), planned_at=planned, life=life_s)
    return match


def _planned(wish: Mapping[str, Any]) -> datetime | None:
    """PL-239 When the match is to start by itself, if at any time."""
    planned: datetime | None = wish.get("planned_at")
    now = datetime.now(UTC)
    if planned is not None and not now < planned < now + timedelta(days=365):
        raise invalid("/planned_at", "in the future, at most a year ahead")
    return planned


def _seed_for(work: Work, user: str) -> int:
    """PL-613 The lowest unused number, for a match or a deal group."""
    seed = work.one(SQL.seed_taken, match=user)
    if seed is None:
        raise Problem("unavailable", retry_after=2)     # the workers lengthen the list all the time
    return int(seed["number"])


def _rematch(work: Work, caller: Caller, old: str | None) -> None:
    """PL-252 A rematch is a new match that names the old one, which has ended."""
    if old is None:
        return
    thing = may_see(work, caller, old)
    if thing.match["state"] not in {"finished", "aborted", "voided"}:
        raise Problem("wrong_state")


def create_set(work: Work, caller: Caller, schema: marshmallow.Schema, body: Mapping[str, Any], life_s: float) -> tuple[bool, list[dict[str, Any]]]:
    """PL-254, PL-255 All or nothing; a match whose origin exists already is that match. Whether any was made, and all of them."""
    made, faults, matches, group = False, [], [], new_id("d")
    deal = Deal(group, _seed_for(work, group)) if body["deal_group"] else None
    for index, wish in enumerate(body["matches"]):
        try:
            shaped = schema.load(dict(wish))
            there = _by_origin(work, caller, shaped)
            matches.append(match_told(work, caller, there) if there else create(work, caller, shaped, life_s, deal))
            made = made or not there
            if deal is not None:
                _refuse_other_deal(work, matches, new=not there)
        except marshmallow.ValidationError:
            faults.append(fault(f"/matches/{index}", "not the description of a match", code="invalid"))
        except Problem as problem:
            if problem.status >= 500:
                raise
            faults.append(fault(f"/matches/{index}", problem.detail(), code=problem.name))
    if faults:
        raise Problem("set_refused", errors=faults)
    if deal is not None and not made:
        work.do(SQL.seed_given_back, match=group)
    return made, matches


def _refuse_other_deal(work: Work, matches: Sequence[Mapping[str, Any]], *, new: bool) -> None:
    """PL-392 One deal means one game with one pack, options and number of seats, nobody twice, and all made together:
    a match that joined later might be played with a seed that has been shown.
    """
    first, last = ({**match, "seats": len(match["seats"])} for match in (matches[0], matches[-1]))
    same = ("deal_group", *(("game", "version", "pack", "options", "seats") if new else ()))
    if first["deal_group"] is None or any(first[name] != last[name] for name in same):
        raise Problem("wrong_state")
    if work.one(SQL.twice_in_deal, match=last["match"]) is not None:
        raise Problem("already_seated")


def _by_origin(work: Work, caller: Caller, wish: Mapping[str, Any]) -> str | None:
    if wish.get("origin") is None:
        return None
    _refuse_league_only(caller, wish)
    work.one(SQL.origin_locked, origin=wish["origin"], origin_key=wish.get("origin_key"))
    row = work.one(SQL.match_by_origin, origin=wish["origin"], origin_key=wish.get("origin_key"))
    return None if row is None else row["match_id"]


def change(work: Work, caller: Caller, match: str, wish: Mapping[str, Any], version: int, life_s: float) -> dict[str, Any]:
    """PL-213 The host changes an open match that is as he saw it."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.change", thing)
    row = lobby.locked(work, match)
    if row["row_version"] != version:
        raise Problem("changed_meanwhile", status=412)
    options, visibility = row["options"], wish.get("visibility", row["visibility"])
    if "options" in wish or visibility != row["visibility"]:
        if "options" in wish and row["deal_group"] is not None:
            raise Problem("wrong_state")    # PL-392: one deal, one set of options
        game = work.one(SQL.game_version, game=row["game"], version=row["version"])
        if game is None:
            raise Problem("no_version")
        options = games.checked_options(game, wish.get("options", row["options"]), visibility)
        options = games.told_of_match(game, options, wish.get("options", {}), talk=row["talk"])
        games.check_seats({**game, "game": row["game"]}, options, row["seats"])
    planned = _planned(wish) if "planned_at" in wish else row["planned_at"]
    work.do(SQL.match_changed, match=match, visibility=visibility, planned_at=planned, options=json.dumps(options),
            life=life_s)
    return match_told(work, caller, match)


# Telling ---------------------------------------------------------------------------------------------------------------


def match_told(store: Store | Work, caller: Caller, match: str) -> dict[str, Any]:
    """A match as this caller may know it now."""
    row = store.one(SQL.match_told, match=match, account=caller.account)
    if row is None:
        raise Problem("not_found")
    return told(row, caller)


def told(row: Row, caller: Caller) -> dict[str, Any]:
    """PL-419 For those behind the onlooker delay the match is where they see it."""
    late = is_late(row, caller)
    state, step, ended = (row["late_state"], row["late_step"], None) if late else (row["state"], row["step"], row["ended_at"])
    return {
        "match": row["match_id"], "game": row["game"], "title": row["title"], "version": row["version"], "pack": row["pack_hash"],
        "state": state, "step": step, "options": row["options"], "clock": row["clock"], "seats": [_seat(seat, row, late=late) for seat in row["table"]],
        "host": row["host"], "host_chair": bool(row["host_chair"]), "visibility": row["visibility"], "opponents": row["opponents"], "talk": row["talk"],
        "take_back": row["take_back"], "rated": row["rated"], "one_screen": row["one_screen"], "fill_with_bots": row["fill_with_bots"],
        "guests": row["guests"], "substitutes": row["substitutes"], "onlooker_delay": {"seconds": row["delay_s"], "steps": row["delay_steps"]},
        "seed": {"number": row["seed_number"], "commitment": row["commitment"]}, "rematch_of": row["rematch_of"],
        "deal_group": row["deal_group"], "acting_host": row["acting_host"], "championship": row["championship"], "origin": row["origin"], "origin_key": row["origin_key"], "created_at": at(row["created_at"]),
        "planned_at": at(row["planned_at"]), "expires_at": at(row["expires_at"]) if row["state"] == "open" else None,
        "started_at": at(row["started_at"]), "ended_at": at(ended), "onlookers_delayed": late, "row_version": row["row_version"],
    }


def is_late(row: Mapping[str, Any], caller: Caller) -> bool:
    """Whether this caller looks on behind a delay that has not passed."""
    inside = bool(row["mine"]) or (caller.signed_in and row["acting_host"] == caller.account and bool(row["host_chair"]))
    return is_delayed(row) and row["started_at"] is not None and not inside


def is_delayed(row: Mapping[str, Any]) -> bool:
    """PL-392, PL-419 Whether onlookers see less than there is: behind a delay, or while a match that shares the deal goes on."""
    return bool(row["delay_s"] or row["delay_steps"] or row["deal_group"]) and not row["delay_over"]


def _seat(seat: Mapping[str, Any], row: Row, *, late: bool) -> dict[str, Any]:
    """PL-614 Contributions are public from the start on."""
    return {**seat, "contribution": (seat["contribution"] or "-") if row["started_at"] is not None else None, "how": None if late else seat["how"]}


def listed(store: Store, caller: Caller, asked: Mapping[str, Any], cursor: Cursor) -> dict[str, Any]:
    """PL-214, PL-215 Newest first; what one may not know of is not in it."""
    after = cursor.read(asked.get("cursor"))
    rows = store.all(SQL.matches_listed, caller=caller.account if caller.has("match:read", "match:play", "bot:play") else None,
                     bounds=list(caller.bound_to.values()), game=asked.get("game"), state=asked.get("state"), account=asked.get("account"), championship=asked.get("championship"),
                     before=after[0] if after else None, before_id=after[1] if after else None, most=asked["limit"] + 1)
    return cursor.page([(told(row, caller), (row["created_at"].isoformat(), row["match_id"])) for row in rows], asked["limit"])


def commitments(store: Store, asked: Mapping[str, Any], cursor: Cursor) -> dict[str, Any]:
    """PL-611 The numbered list."""
    after = cursor.read(asked.get("cursor"))
    rows = store.all(SQL.commitments, after=after[0] if after else asked.get("first", 1) - 1, most=asked["limit"] + 1)
    return cursor.page([({"number": row["number"], "commitment": row["commitment"], "published_at": at(row["published_at"]),
                          "match": row["match_id"]}, (row["number"],)) for row in rows], asked["limit"])
