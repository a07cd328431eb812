"""How does a championship begin: made by an organiser, entered by persons and bots, started once?"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from services.gateway import games
from services.gateway.accounts import new_id
from services.gateway.competitions.reading import MOST_ENTRANTS
from services.gateway.competitions.reading import championship as read
from services.gateway.lobby import MEETS
from services.gateway.orders import audit
from services.gateway.problems import Problem, fault
from services.gateway.rights import Caller, Thing, authorize
from services.gateway.store import SQL as ACCOUNTS
from services.gateway.store import Work
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("queries.sql"))
MOST_POINTS = 1_000


def create(work: Work, caller: Caller, wish: Mapping[str, Any]) -> dict[str, Any]:
    """LG-106, LG-254 Its rule set is fixed, and the hash of its seed is public from now on; the answer shows every default."""
    _refuse_bound(caller, None)
    row = games.to_play(work, wish["game"], "league")
    options = games.checked_options(row, wish["options"])
    limits = _limits(wish["seats"])
    _refuse_tables(limits, list(games.seats_allowed(row, options)), wish["points"])
    seed, championship = secrets.token_bytes(32), new_id("t")
    work.do(SQL.made, championship=championship, name=wish["name"].strip(), organiser=caller.id, game=row["game"], version=row["version"],
            rounds=wish["rounds"], **limits, points=json.dumps(wish["points"]), options=json.dumps(options),
            clock=json.dumps(games.checked_clock(row, wish["clock"], in_championship=True)), opponents=wish["opponents"],
            round_break_ms=wish["round_break_ms"], seed=seed, seed_hash=hashlib.sha256(seed).hexdigest())
    audit(work, caller, "championship.make", championship, "made by its organiser")
    return read(work, championship)


def _limits(seats: Mapping[str, int]) -> dict[str, int]:
    """By default tables are as near as possible to the middle of what is allowed."""
    least, most = seats["least"], seats["most"]
    limits = {"least": least, "most": most, "preferred": seats.get("preferred", (least + most + 1) // 2)}
    if not least <= limits["preferred"] <= most:
        raise Problem("bad_setting", errors=[fault("/seats", "least, preferred and most in this order")])
    return limits


def _refuse_tables(limits: Mapping[str, int], allowed: list[int], points: Mapping[str, list[str]]) -> None:
    """LG-277 Each size must be one of the game's; who gives points gives a list for each size, never rising with the place."""
    sizes = range(limits["least"], limits["most"] + 1)
    if outside := [size for size in sizes if size not in allowed]:
        raise Problem("bad_setting", errors=[fault("/seats", f"the game is not for {outside[0]} seats", allowed=allowed)])
    faults = [fault("/points", "a list for each number of seats, and for no other")] if points and set(points) != set(map(str, sizes)) else []
    for seats, written in points.items():
        scale = [Fraction(one) for one in written]
        if len(scale) != int(seats) or scale != sorted(scale, reverse=True) or max(scale, default=0) > MOST_POINTS:
            faults.append(fault(f"/points/{seats}", f"{seats} values, none above the one before it, at most {MOST_POINTS}"))
    if faults:
        raise Problem("bad_setting", errors=faults)


def enter(work: Work, caller: Caller, championship: str, account: str | None) -> dict[str, Any]:
    """LG-221 to LG-225 An account enters itself; the owner of a bot enters the bot."""
    row = _open(work, caller, championship, "entry_closed")
    entrant = _own_account(work, caller, account or caller.id)
    there = work.one(SQL.entrant, championship=championship, account=entrant["account_id"])
    if there is not None and there["state"] == "entered":
        raise Problem("already_entered", championship=championship, account=entrant["account_id"])
    faults = _ineligible(entrant, row)
    if faults:
        raise Problem("not_eligible", errors=faults)
    count = work.one(SQL.count_entrants, championship=championship)
    if count is not None and count["entrants"] >= MOST_ENTRANTS:
        raise Problem("full", most=MOST_ENTRANTS)
    work.do(SQL.entered, championship=championship, account=entrant["account_id"])
    work.do(SQL.raised, championship=championship)
    return {"championship": championship, "account": entrant["account_id"], "name": entrant["name"], "kind": entrant["kind"],
            "state": "entered", "number": None}


def _own_account(work: Work, caller: Caller, account: str) -> Row:
    """LG-222 Nobody is entered by somebody else."""
    row = work.one(ACCOUNTS.account_by_id, account=account)
    if row is None:
        raise Problem("not_found")
    if caller.account not in {account, row["owner_id"]}:
        raise Problem("no_consent")
    return row


def _ineligible(entrant: Row, championship: Row) -> list[dict[str, Any]]:
    """LG-225, LG-961 Everything that speaks against it."""
    faults = []
    if entrant["kind"] not in MEETS[championship["opponents"]]:
        faults.append(fault("/account", f"this championship is for {championship['opponents']}, the account is a {entrant['kind']}"))
    if entrant["suspended_at"] is not None:
        faults.append(fault("/account", "the account is suspended"))
    return faults


def withdraw(work: Work, caller: Caller, championship: str, account: str) -> None:
    """Until the start; the entrant stays in the list, marked (LG-235)."""
    _open(work, caller, championship, "wrong_state")
    entrant = _own_account(work, caller, account)
    if not work.do(SQL.withdrawn, championship=championship, account=entrant["account_id"]):
        raise Problem("not_found")
    work.do(SQL.raised, championship=championship)
    audit(work, caller, "championship.withdraw", championship, "withdrawn before the start", after={"account": account})


def start(work: Work, caller: Caller, championship: str) -> dict[str, Any]:
    """LG-166 Pressing the button again changes nothing; the league draws and pairs as soon as it sees the new state."""
    row = _locked(work, caller, championship)
    authorize(caller, "championship.run", Thing(owner=row["organiser_id"]))
    if row["state"] == "running":
        return read(work, championship)
    if row["state"] != "open":
        raise Problem("wrong_state")
    count = work.one(SQL.count_entrants, championship=championship)
    if count is None or count["entrants"] < row["table_min"]:
        raise Problem("not_enough_players", least=row["table_min"])
    work.do(SQL.started, championship=championship)
    audit(work, caller, "championship.start", championship, "started by its organiser", after={"entrants": count["entrants"]})
    return read(work, championship)


def _open(work: Work, caller: Caller, championship: str, code: str) -> Row:
    row = _locked(work, caller, championship)
    if row["state"] != "open":
        raise Problem(code)
    return row


def _locked(work: Work, caller: Caller, championship: str) -> Row:
    _refuse_bound(caller, championship)
    row = work.one(SQL.locked, championship=championship)
    if row is None:
        raise Problem("not_found")
    return row


def _refuse_bound(caller: Caller, championship: str | None) -> None:
    """PL-175 A token that is bound to something else does nothing here."""
    if caller.bound_to and caller.bound_to.get("championship") != championship:
        raise Problem("not_allowed")
