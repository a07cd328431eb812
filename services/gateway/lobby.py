"""Who sits where before a match starts, and when does it start (PL-234 to PL-242)?"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from services.gateway.accounts import at, new_id
from services.gateway.problems import Problem, invalid
from services.gateway.rights import Caller, Thing, authorize, match_thing, may_see
from services.gateway.store import SQL, Store, Work
from shared.runtime.store import Row

INVITATION_LIFE = timedelta(days=7)
MEETS = {"persons": ("person",), "bots": ("bot",), "mixed": ("person", "bot")}
EMPTY: Mapping[str, Any] = {"kind": "open", "account": None, "level": None, "ready": False}


def locked(work: Work, match: str) -> Row:
    """The match, with the lock under which its seats change and its start is accepted; only while it is open."""
    work.one(SQL.head_locked, match=match)
    row = work.one(SQL.lobby, match=match)
    if row is None:
        raise Problem("not_found")
    if row["state"] != "open" or row["starting"]:
        raise Problem("wrong_state")
    return row


def seat_wished(work: Work, caller: Caller, game: Row, wish: Mapping[str, Any], number: int) -> dict[str, Any]:
    """PL-234 One seat as the creator of the match wishes it."""
    seat = wish["seats"][number]
    if (seat["kind"] in {"invited", "held"}) != ("account" in seat) or ("level" in seat) != (seat["kind"] == "bot"):
        raise invalid(f"/seats/{number}", "invited and held name an account, bot a level")
    if seat["kind"] == "open":
        return dict(EMPTY)
    if seat["kind"] == "bot":
        return built_in(game["bots"], wish, seat["level"], f"/seats/{number}/level")
    account = seatable(work, caller.id if seat["kind"] == "me" else seat["account"], f"/seats/{number}/account")
    refuse_kind(account, wish["opponents"])
    placed = seat["kind"] == "held" and account["owner_id"] != caller.account and account["account_id"] != caller.account
    if placed:
        authorize(caller, "match.seat_others", Thing())
    kind = "invited" if seat["kind"] == "invited" else "held"
    if kind == "invited":
        refuse_blocked(work, caller.id, account["account_id"])
    return {"kind": kind, "account": account["account_id"], "level": None, "ready": placed or (kind == "held" and account["kind"] == "bot")}


def built_in(levels: list[str], wish: Mapping[str, Any], level: str, pointer: str) -> dict[str, Any]:
    """PL-528 A built-in bot, only where bots may play."""
    if level not in levels:
        raise invalid(pointer, "one of " + ", ".join(levels))
    if wish["opponents"] == "persons":
        raise Problem("not_allowed")
    return {"kind": "bot", "account": None, "level": level, "ready": True}


def take(work: Work, caller: Caller, match: str, seat: int | None, invitation: str | None) -> dict[str, Any]:
    """PL-235 Of two who take the last seat at the same time one gets it; the lock decides."""
    thing = _known(work, caller, match, invitation)
    authorize(caller, "match.sit", thing)
    row = locked(work, match)
    account = seatable(work, caller.id)
    refuse_kind(account, row["opponents"])
    if row["host_id"] is not None:
        refuse_blocked(work, row["host_id"], caller.id)
    table = work.all(SQL.table, match=match)
    if any(one["kind"] == "held" and one["account_id"] == caller.account for one in table) and not row["one_screen"]:
        raise Problem("already_seated")
    free = [one["seat"] for one in table if one["kind"] == "open" or (one["kind"] == "invited" and one["account_id"] == caller.account)]
    own = [one["seat"] for one in table if one["kind"] == "invited" and one["account_id"] == caller.account]
    if seat is not None and seat >= row["seats"]:
        raise invalid("/seat", "there is no such seat")
    if not free or (seat is not None and seat not in free):
        raise Problem("seat_taken")
    if invitation is not None:
        _use(work, caller, invitation)
    chosen = seat if seat is not None else (own or free)[0]
    work.do(SQL.seat_given, match=match, seat=chosen, kind="held", account=caller.account, level=None, ready=account["kind"] == "bot")
    _refuse_twice_in_deal(work, row)
    start_if_ready(work, match)
    return _seat_told(work, match, chosen)


def _known(work: Work, caller: Caller, match: str, invitation: str | None) -> Thing:
    """The match; a valid invitation lets its bearer know of a private one."""
    thing = match_thing(work, caller, match)
    if invitation is not None:
        row = _invitation(work, caller, invitation)
        if row["match_id"] != match:
            raise Problem("invitation_gone")
        thing = Thing(thing.match, thing.mine, invited=True)
    return thing


def leave(work: Work, caller: Caller, match: str, seat: int) -> None:
    """PL-238 The holder leaves, or the host removes him; the seat is open again."""
    thing = may_see(work, caller, match)
    if seat not in thing.mine:
        authorize(caller, "match.change", thing)
    else:
        authorize(caller, "match.play", thing)
    row = locked(work, match)
    if seat >= row["seats"]:
        raise Problem("not_found")
    work.do(SQL.seat_given, match=match, seat=seat, **EMPTY)


def give(work: Work, caller: Caller, match: str, seat: int, wish: Mapping[str, Any]) -> dict[str, Any]:
    """PL-234 The host invites an account to a seat, seats a bot of his own, or gives it to a built-in bot."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.change", thing)
    row = locked(work, match)
    if seat >= row["seats"]:
        raise Problem("not_found")
    if ("account" in wish) == ("level" in wish):
        raise invalid("", "an account or the level of a bot")
    table = {one["seat"]: one for one in work.all(SQL.table, match=match)}
    if table[seat]["kind"] == "held":
        raise Problem("seat_taken")
    given = built_in(row["bots"] or [], row, wish["level"], "/level") if "level" in wish else _for_account(work, caller, row, wish["account"])
    if given["kind"] == "held" and any(one["account_id"] == given["account"] for one in table.values()) and not row["one_screen"]:
        raise Problem("already_seated")
    work.do(SQL.seat_given, match=match, seat=seat, **given)
    _refuse_twice_in_deal(work, row)
    start_if_ready(work, match)
    return _seat_told(work, match, seat)


def _for_account(work: Work, caller: Caller, row: Row, account_id: str) -> dict[str, Any]:
    account = seatable(work, account_id)
    refuse_kind(account, row["opponents"])
    refuse_blocked(work, caller.id, account_id)
    own = caller.account in {account_id, account["owner_id"]}
    return {"kind": "held" if own else "invited", "account": account_id, "level": None, "ready": own and account["kind"] == "bot"}


# Invitations -------------------------------------------------------------------------------------------------------------


def invite(work: Work, caller: Caller, match: str, wish: Mapping[str, Any]) -> dict[str, Any]:
    """PL-237 For one account, or a link with an end and a number of uses."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.change", thing)
    locked(work, match)
    if "account" in wish:
        seatable(work, wish["account"])
        refuse_blocked(work, caller.id, wish["account"])
    ends_at = wish.get("ends_at") or datetime.now(UTC) + INVITATION_LIFE
    if ends_at <= datetime.now(UTC):
        raise invalid("/ends_at", "in the future")
    code = f"i-{secrets.token_urlsafe(12)}"
    work.do(SQL.invitation_made, code=code, match=match, account=wish.get("account"), ends_at=ends_at,
            uses=1 if "account" in wish else wish["uses"])
    return {"code": code, "match": match, "account": wish.get("account"), "game": thing.match["game"], "ends_at": at(ends_at),
            "uses_left": 1 if "account" in wish else wish["uses"]}


def withdraw(work: Work, caller: Caller, match: str, code: str) -> None:
    authorize(caller, "match.change", may_see(work, caller, match))
    if not work.do(SQL.invitation_withdrawn, code=code, match=match):
        raise Problem("not_found")


def accept(work: Work, caller: Caller, code: str) -> dict[str, Any]:
    """PL-237 Accepting twice has the effect of once."""
    authorize(caller, "my.matches")
    row = work.one(SQL.invitation_seen, code=code, account=caller.account)
    if row is not None and row["seat"] is not None and row["used"]:
        return _seat_told(work, row["match_id"], row["seat"])
    return take(work, caller, _invitation(work, caller, code)["match_id"], None, code)


def decline(work: Work, caller: Caller, code: str) -> None:
    row = _invitation(work, caller, code)
    if row["account_id"] == caller.account:
        work.do(SQL.invitation_withdrawn, code=code, match=row["match_id"])


def invitations(store: Store, caller: Caller) -> list[dict[str, Any]]:
    """The open invitations of an account, whether by a seat kept for it or by name."""
    return [{"code": row["code"], "match": row["match_id"], "account": caller.account, "game": row["game"], "uses_left": row["uses_left"],
             "ends_at": at(row["ends_at"])} for row in store.all(SQL.invitations_of, account=caller.id)]


def _invitation(work: Work, caller: Caller, code: str) -> Row:
    row = work.one(SQL.invitation_seen, code=code, account=caller.account)
    if row is None or row["account_id"] not in {None, caller.account}:
        raise Problem("not_found")
    if row["withdrawn"] or row["over"] or (row["uses_left"] < 1 and not row["used"]):
        raise Problem("invitation_gone")
    return row


def _use(work: Work, caller: Caller, code: str) -> None:
    """One use for each account, however often it comes."""
    if work.do(SQL.invitation_used, code=code, account=caller.account) and not work.do(SQL.invitation_counted, code=code):
        raise Problem("invitation_gone")


# Readiness ---------------------------------------------------------------------------------------------------------------


def contribute(work: Work, caller: Caller, match: str, seat: int | None, value: str) -> dict[str, Any]:
    """PL-614 A holder's part in the dice, until the start."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.play", thing)
    if locked(work, match)["deal_group"] is not None:
        raise Problem("wrong_state")    # PL-615: a deal group takes no contributions
    chosen = own_seat(thing, seat)
    work.do(SQL.contributed, match=match, seat=chosen, account=caller.account, value=value.lower())
    return _seat_told(work, match, chosen)


def ready(work: Work, caller: Caller, match: str, seat: int | None, *, is_ready: bool) -> dict[str, Any]:
    """PL-239 The last one who says ready starts the match."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.play", thing)
    locked(work, match)
    for number in thing.mine if seat is None else [own_seat(thing, seat)]:
        work.do(SQL.readied, match=match, seat=number, account=caller.account, ready=is_ready)
    return {"match": match, "state": "open", "starting": start_if_ready(work, match)}


def start(work: Work, caller: Caller, match: str) -> dict[str, Any]:
    """PL-239, PL-242 The host starts; open seats go to built-in bots where he allowed that, else they must be full and ready."""
    thing = may_see(work, caller, match)
    authorize(caller, "match.start", thing)
    row = locked(work, match)
    if row["fill_with_bots"] and row["bots"]:
        work.do(SQL.seats_filled, match=match, level=row["bots"][-1])
    if not start_if_ready(work, match, waiting_for_persons=False):
        raise Problem("not_full")
    return {"match": match, "state": "open", "starting": True}


def start_if_ready(work: Work, match: str, *, waiting_for_persons: bool = True) -> bool:
    """Accepts the start once: every seat is held, and every person has said ready (or the host says so)."""
    row = work.one(SQL.readiness, match=match)
    if row is None or not row["full"] or (waiting_for_persons and not row["all_ready"]):
        return False
    accepted = work.one(SQL.start_accepted, match=match, command=new_id("c"))
    if accepted is None or accepted["code"]:
        raise Problem("wrong_state")
    work.do(SQL.timers_gone, match=match)
    work.bells.append((accepted["game"], accepted["version"], match, accepted["arrival"]))
    return True


def own_seat(thing: Thing, seat: int | None) -> int:
    """The seat meant by a caller who holds one or several."""
    if seat is None and len(thing.mine) > 1:
        raise invalid("/seat", "you hold several seats: name one")
    if seat is not None and seat not in thing.mine:
        raise Problem("not_your_seat")
    return thing.mine[0] if seat is None else seat


def seatable(work: Work, account: str, pointer: str = "/account") -> Row:
    row = work.one(SQL.account_by_id, account=account)
    if row is None or row["kind"] == "service":
        raise invalid(pointer, "no account that can hold a seat")
    return row


def refuse_kind(account: Row, opponents: str) -> None:
    """PL-528 A person never sits with a bot unawares."""
    if account["kind"] not in MEETS[opponents]:
        raise Problem("not_allowed")


def refuse_blocked(work: Work, one: str, other: str) -> None:
    if work.one(SQL.blocking, one=one, other=other) is not None:
        raise Problem("blocked")


def _refuse_twice_in_deal(work: Work, row: Row) -> None:
    """PL-392 Nobody plays the same deal at two tables, where the one would tell what the other hides."""
    if row["deal_group"] is None:
        return
    work.one(SQL.deal_locked, group=row["deal_group"])      # two seats at two tables, taken at the same time
    if work.one(SQL.twice_in_deal, match=row["match_id"]) is not None:
        raise Problem("already_seated")


def _seat_told(work: Work, match: str, seat: int) -> dict[str, Any]:
    row = work.one(SQL.seat_told, match=match, seat=seat)
    if row is None:
        raise Problem("not_found")
    return {**row, "match": match, "contribution": None}
