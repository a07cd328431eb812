"""What can be played here? Told by the workers in the table `games`; the gateway itself knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jsonschema_rs

from services.gateway.problems import Problem, fault
from services.gateway.store import SQL, Store, Work
from shared.runtime.store import Row
from shared.runtime.turn.clock import clock_fault

STAGES = {"league": ("league",), "trial": ("trial", "league"), "draft": ("draft", "trial", "league")}
OPEN_TO_ALL = ("public", "unlisted")


def game_told(row: Row) -> dict[str, Any]:
    return {"game": row["game"], "title": row["title"], "version": row["version"], "stage": row["stage"], "seats": row["seats"],
            "options": row["options"], "clocks": row["presets"], "bots": list(row["bots"]), "languages": list(row["languages"]),
            "host_chair": row["host_chair"], "absent_after": row["absent_after"], "pack": row["pack_hash"], "versions": list(row["versions"])}


def games(store: Store) -> list[dict[str, Any]]:
    """The newest version of every game that anybody may play."""
    return [game_told(row) for row in store.all(SQL.games_offered, stages=["league"], game=None)]


def game(store: Store, name: str) -> dict[str, Any]:
    rows = store.all(SQL.games_offered, stages=list(STAGES["draft"]), game=name)
    if not rows:
        raise Problem("not_found")
    return game_told(rows[0])


def version(store: Store, name: str, number: int) -> dict[str, Any]:
    """The schemas of commands, events and view of one version."""
    row = store.one(SQL.game_version, game=name, version=number)
    if row is None:
        raise Problem("not_found")
    return {"game": row["game"], "version": row["version"], "stage": row["stage"], "pack": row["pack_hash"], "schemas": row["schemas"]}


def pack(store: Store, hash_: str) -> dict[str, Any]:
    row = store.one(SQL.pack_by_hash, hash=hash_)
    if row is None:
        raise Problem("not_found")
    return {"pack": row["pack_hash"], "game": row["game"], "words": row["words"]}


def to_play(work: Work, name: str, stage: str) -> Row:
    """PL-635 The newest version of that stage."""
    rows = work.all(SQL.games_offered, stages=list(STAGES[stage]), game=name)
    if not rows:
        raise Problem("no_version")
    return rows[0]


def checked_options(row: Row, given: Mapping[str, Any], visibility: str = "public") -> dict[str, Any]:
    """PL-232 The options as the game's own schema allows them, every default filled in; a game may keep values for private tables
    (`private_only`), and have another default there (`private_default`). What the league orders was judged with its settings.
    """
    schema: dict[str, Any] = row["options"]
    known = _object(schema).get("properties", {})
    for name in given:
        if name not in known:
            raise Problem("option_unknown", option=name, errors=[fault(f"/options/{name}", "the game has no such option")])
    faults = [fault("/options/" + "/".join(map(str, error.instance_path)), error.message)
              for error in jsonschema_rs.Draft202012Validator(schema).iter_errors(dict(given))]
    private = visibility == "private"
    faults += [fault(f"/options/{name}", "at private tables only")
               for name, value in given.items() if visibility in OPEN_TO_ALL and value in known[name].get("private_only", ())]
    if faults:
        raise Problem("invalid", errors=faults)
    defaults = {name: about["default"] for name, about in known.items() if "default" in about}
    if private:
        defaults |= {name: about["private_default"] for name, about in known.items() if "private_default" in about}
    return {**defaults, **given}


def told_of_match(row: Row, options: Mapping[str, Any], given: Mapping[str, Any], **facts: Any) -> dict[str, Any]:
    """PL-557 Some options are no choice of their own: the game is told in them what the match says of itself (`from_match`)."""
    known = _object(row["options"]).get("properties", {})
    told = {name: facts[about["from_match"]] for name, about in known.items() if about.get("from_match") in facts}
    if other := [name for name, value in told.items() if given.get(name, value) != value]:
        raise Problem("invalid", errors=[fault(f"/options/{name}", f"is {told[name]}, as the match says") for name in other])
    return {**options, **told}


def _object(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of the options themselves, which may stand under a name."""
    named = str(schema.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = schema["$defs"][named] if named else schema
    return found


def seats_allowed(row: Row, options: Mapping[str, Any]) -> Sequence[int]:
    """PL-109 How many may play, which options may change; each of those that do must agree."""
    cases = _cases(row, options)
    return [seats for seats in cases[0]["seats"] if all(seats in case["seats"] for case in cases)] if cases else list(row["seats"]["default"])


def check_seats(row: Row, options: Mapping[str, Any], seats: int) -> None:
    """PL-109 Refused with every option that does not go with so many seats, and what it goes with."""
    allowed = seats_allowed(row, options)
    if seats not in allowed:
        errors = [fault(f"/options/{case['option']}", f"{case['is']} needs one of these numbers of seats: {', '.join(map(str, case['seats']))}")
                  for case in _cases(row, options) if seats not in case["seats"]]
        raise Problem("seats_out_of_range", errors=errors, allowed=list(allowed), game=row["game"])


def _cases(row: Row, options: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What the options say about seats that are not the usual ones."""
    return [case for case in row["seats"].get("when", ()) if case["option"] in options and _same(options[case["option"]], case["is"])]


def _same(one: Any, other: Any) -> bool:
    """1 and True are two values here."""
    return bool(one == other and isinstance(one, bool) == isinstance(other, bool))


def checked_clock(row: Row, wish: Mapping[str, Any], *, in_championship: bool) -> dict[str, Any]:
    """PL-481, PL-485 The five values and the preset, every default shown; `none` is no clock."""
    preset = wish.get("preset", "normal" if "normal" in row["presets"] else next(iter(row["presets"]), "none"))
    if preset != "none" and preset not in row["presets"]:
        raise Problem("invalid", errors=[fault("/clock/preset", "one of " + ", ".join([*row["presets"], "none"]))])
    if preset == "none" and in_championship and wish.get("limit_ms") is None:
        raise Problem("invalid", errors=[fault("/clock/preset", "a match of a championship has a clock")])
    clock: dict[str, Any] = {"preset": preset, "limit_ms": None, "bank_ms": 0, "increment_ms": 0, "bank_max_ms": wish.get("bank_ms", 0),
                             "cap_ms": None, "no_show_ms": None, "most_timeouts": None, "most_failures": 3, "policy": "credit", "hours": None, "holidays": True, "reminder_ms": None, **wish}
    if clock["bank_ms"] > clock["bank_max_ms"]:
        raise Problem("invalid", errors=[fault("/clock/bank_max_ms", "at least bank_ms")])
    where, why = clock_fault(clock)
    if why:
        raise Problem("invalid", errors=[fault(f"/{where}", why)])
    return clock
