"""Who is asking, and may they? One function decides, and it denies what it does not know (PL-811)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from services.gateway.problems import Problem, fault
from services.gateway.store import SQL, Store

SCOPES = (
    "account:read", "account:write", "match:read", "match:play", "match:create", "talk:write", "bot:play", "webhook:manage",
    "organisation:manage", "league:read", "league:enter", "league:run", "league:referee", "operator:read", "operator:write",
)
READING = ("match:read", "match:play", "bot:play")
PLAYING = ("match:play", "bot:play")
REFEREEING = ("match:create", "league:referee", "operator:write")
ACTIVE = ("running", "paused", "stuck")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with an account (by a browser's session or by a token), or nobody."""

    account: str | None = None
    name: str = ""
    kind: str = "nobody"
    roles: frozenset[str] = frozenset()
    address: str = ""
    token: str | None = None            # its public id
    scopes: frozenset[str] | None = None    # None: everything the account itself may do
    bound_to: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None          # the public id of the browser's session
    form_token: str = ""
    waiting: frozenset[str] = frozenset()   # PL-126: roles that give nothing until the account has a second factor

    @property
    def signed_in(self) -> bool:
        return self.account is not None

    @property
    def is_operator(self) -> bool:
        return "operator" in self.roles

    @property
    def id(self) -> str:
        """The account; whoever has none is refused."""
        if self.account is None:
            raise Problem("not_signed_in")
        return self.account

    def has(self, *scopes: str) -> bool:
        return self.scopes is None or not self.scopes.isdisjoint(scopes)


@dataclass(frozen=True, slots=True)
class Thing:
    """What a right is about: a match as this caller stands to it, or something with an owner."""

    match: Mapping[str, Any] = field(default_factory=dict)
    mine: tuple[int, ...] = ()          # the seats that the caller holds
    invited: bool = False
    owner: str | None = None


Rule = Callable[[Caller, Thing], str]   # a problem code, or "" where the caller may


class Right(NamedTuple):
    """The scopes of which a token needs one (none: anybody may try), and what the account itself needs."""

    scopes: tuple[str, ...]
    rule: Rule
    public: bool = False                # also for those who have not signed in
    session_only: bool = False          # never by token: secrets are made by people who signed in


def anybody(_caller: Caller, _thing: Thing) -> str:
    return ""


def owner(caller: Caller, thing: Thing) -> str:
    return "" if thing.owner == caller.account else "not_found"


def keeper(caller: Caller, _thing: Thing) -> str:
    """PL-175 Bots play; they manage nothing."""
    return "not_allowed" if caller.kind == "bot" else ""


def looker(caller: Caller, thing: Thing) -> str:
    """PL-218, PL-418 Who may know of a match: everybody, but for a private one."""
    if not thing.match:
        return "not_found"
    inside = thing.match["host_id"] == caller.account or thing.mine or thing.invited or caller.is_operator or thing.match.get("officiates")
    return "" if thing.match["visibility"] != "private" or (caller.signed_in and caller.has(*READING) and inside) else "not_found"


def host(caller: Caller, thing: Thing) -> str:
    if hidden := looker(caller, thing):
        return hidden
    return "" if thing.match["host_id"] == caller.account or caller.is_operator else "not_allowed"


def holder(caller: Caller, thing: Thing) -> str:
    return looker(caller, thing) or ("" if thing.mine else "not_your_seat")


def sitter(caller: Caller, thing: Thing) -> str:
    """PL-133 Service accounts manage, they never sit."""
    return looker(caller, thing) or ("not_allowed" if caller.kind == "service" else "")


def referee(caller: Caller, thing: Thing) -> str:
    """PL-154, PL-155 Operators, and the referees of the competition it belongs to; whoever sits in a match is no referee of it."""
    if hidden := looker(caller, thing):
        return hidden
    if not caller.is_operator and not thing.match.get("officiates"):
        return "not_allowed"
    return "own_match" if thing.mine else ""


def masker(caller: Caller, thing: Thing) -> str:
    """CH-450, PL-152 Names are a moderator's as they are a host's, but not at the own table."""
    return looker(caller, thing) or moderator(caller, thing) or ("own_match" if thing.mine else "")


def host_or_referee(caller: Caller, thing: Thing) -> str:
    """CH-417 Whoever acts for the host now; before the start, and where nobody else is meant, the host."""
    acts = not looker(caller, thing) and thing.match.get("acting_host") == caller.account
    return "" if acts else referee(caller, thing)


def seating(caller: Caller, _thing: Thing) -> str:
    """Who may seat other accounts without asking them: what runs leagues, and operators."""
    return "" if caller.is_operator or (caller.kind == "service" and caller.has("league:run")) else "not_allowed"


def operator(caller: Caller, _thing: Thing) -> str:
    return "" if caller.is_operator else "not_allowed"


def overseer(caller: Caller, _thing: Thing) -> str:
    """PL-152 Operators and auditors read the pages of operators; only operators change anything there."""
    return "" if caller.roles & {"operator", "auditor"} else "not_allowed"


def moderator(caller: Caller, _thing: Thing) -> str:
    """PL-152 Talk and names; operators may do it too."""
    return "" if caller.is_operator or "moderator" in caller.roles else "not_allowed"


# What can be done at all. Whatever is not named here is denied.
RIGHTS: Mapping[str, Right] = {
    "public": Right((), anybody, public=True),
    "account.read": Right(("account:read",), anybody),
    "account.write": Right(("account:write",), keeper),
    "account.session": Right((), keeper, session_only=True),
    "account.leave": Right((), anybody, session_only=True),
    "bot.list": Right(("account:write", "account:read"), keeper),
    "bot.make": Right(("account:write",), keeper),
    "bot.change": Right(("account:write",), owner),
    "bot.token": Right((), owner, session_only=True),
    "ticket.make": Right(READING, anybody),
    "match.see": Right((), looker, public=True),
    "match.create": Right(("match:create",), keeper),
    "match.seat_others": Right(("league:run", "match:create"), seating),
    "match.change": Right(("match:create",), host),
    "match.start": Right(("match:create",), host),
    "match.sit": Right(PLAYING, sitter),
    "match.play": Right(PLAYING, holder),
    "match.read_seat": Right(READING, holder),
    "match.mask": Right((*REFEREEING, "talk:write"), masker),
    "match.order": Right(REFEREEING, host_or_referee),
    "match.referee": Right(("league:referee", "operator:write"), referee),
    "my.matches": Right(READING, anybody),
    "my.notices": Right((*READING, "account:read", "league:read", "league:enter"), anybody),
    "talk.read": Right((), looker, public=True),
    "talk.write": Right(("talk:write",), looker),
    "talk.mute": Right(("talk:write", "account:write"), anybody),
    "talk.moderate": Right(("talk:write", "operator:write"), moderator),
    "audience.join": Right(READING, looker, public=True),
    "competition.see": Right(("league:read",), anybody, public=True),
    "competition.make": Right(("league:run",), keeper),
    "competition.act": Right(("league:read", "league:enter", "league:run", "league:referee", "bot:play"), anybody),   # which one, the act says
    "competition.officials": Right(("league:run",), keeper),
    "organisation.make": Right(("organisation:manage",), operator),
    "organisation.manage": Right(("organisation:manage", "league:run"), keeper),
    "hook.manage": Right(("webhook:manage",), keeper),
    "organisation.accept": Right(("league:enter", "bot:play"), anybody),
    "operator.read": Right(("operator:read",), overseer),
    "operator.write": Right(("operator:write",), operator),
}


def authorize(caller: Caller, verb: str, thing: Thing | None = None) -> None:
    """Who, does what, to what: returns if they may, raises Problem if not."""
    right = RIGHTS.get(verb)
    if right is None:
        raise Problem("not_allowed")
    enter(caller, right)
    if thing is None:
        return
    if thing.match and not within(caller, thing.match):
        raise Problem("not_allowed")
    if code := right.rule(caller, thing):
        raise refused(caller, code)


def refused(caller: Caller, code: str) -> Problem:
    """PL-126 Whose role waits for a second factor is told so."""
    if code != "not_allowed" or not caller.waiting:
        return Problem(code)
    roles = " and ".join(sorted(caller.waiting))
    return Problem(code, errors=[fault("", f"your role of {roles} gives nothing here until it stands behind a second factor: "
                                           "set it up in your settings, and make tokens anew after that")])


def within(caller: Caller, match: Mapping[str, Any]) -> bool:
    """PL-175 A token that is bound reaches its match or championship only."""
    fits = {"match": match["match_id"], "championship": match["championship"], "tournament": match["championship"]}
    return all(fits[kind] == bound for kind, bound in caller.bound_to.items() if kind in fits)


def enter(caller: Caller, right: Right) -> None:
    """PL-174 What can be decided before the thing is looked at: signed in, by a session or with a scope."""
    if right.public:
        return
    if not caller.signed_in:
        raise Problem("not_signed_in")
    if right.session_only and caller.session is None:
        raise Problem("not_allowed")
    if right.scopes and not caller.has(*right.scopes):
        raise Problem("scope_missing", scope=" or ".join(right.scopes))


def knock(caller: Caller, verb: str) -> None:
    """The part of `authorize` that every route asks at its door; things without an owner end here as well."""
    right = RIGHTS[verb]
    enter(caller, right)
    if right.rule in {anybody, keeper, operator, overseer, moderator} and (code := right.rule(caller, Thing())):
        raise refused(caller, code)


def caller_by_session(store: Store, cookie: str, address: str) -> Caller | None:
    """PL-127 The account behind a browser's cookie, if its session is still open."""
    row = store.one(SQL.session_seen, hash=hashlib.sha256(cookie.encode()).digest())
    if row is None or row["suspended_at"] is not None:
        return None
    return Caller(row["account_id"], row["name"], row["kind"], frozenset(row["roles"]), address,
                  session=row["session_id"], form_token=row["form_token"], waiting=_waiting(row))


def caller_by_token(store: Store, token_id: str, secret_hash: bytes, address: str) -> Caller:
    """PL-172, PL-177 The account behind a token, as it stands at this request."""
    row = store.one(SQL.token_seen, token=token_id)
    right = row is not None and hmac.compare_digest(row["secret_hash"], secret_hash)
    if row is None or not right or row["over"]:
        raise Problem("bad_token")
    if row["suspended_at"] is not None:
        raise Problem("suspended")
    return caller_of(row, address)


def caller_of(row: Mapping[str, Any], address: str) -> Caller:
    """The caller whom a row of `tokens` beside `accounts` describes."""
    return Caller(row["account_id"], row["name"], row["kind"], frozenset(row["roles"]), address, token=row["token_id"],
                  scopes=frozenset(row["scopes"]), bound_to=row["bound_to"], waiting=_waiting(row))


def _waiting(row: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(row.get("given_roles") or ()) - frozenset(row["roles"])


def match_thing(store: Any, caller: Caller, match_id: str) -> Thing:
    """A match as this caller stands to it; `store` may also be an open transaction."""
    row = store.one(SQL.match_for, match=match_id, account=caller.account)
    if row is None:
        return Thing()
    return Thing(row, tuple(row["mine"]), row["invited"])


def may_see(store: Any, caller: Caller, match_id: str) -> Thing:
    """PL-218 The match, or `not_found` for whoever may not know of it."""
    thing = match_thing(store, caller, match_id)
    authorize(caller, "match.see", thing)
    return thing
