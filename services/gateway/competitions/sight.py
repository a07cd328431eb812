"""Which competition is meant, and how does the caller stand to it? Whoever may not know of it is told that there is none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.gateway.competitions.deeds import ANYBODY, OFFICIALS, REFEREE, SCOPES, SELF, Deed
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import Store, Work
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("competitions.sql"))
LEAGUE_READ = ("league:read",)


@dataclass(frozen=True, slots=True)
class Seen:
    """A competition and the caller's roles in it."""

    row: Row
    roles: frozenset[str]

    @property
    def id(self) -> str:
        return str(self.row["competition_id"])

    @property
    def is_official(self) -> bool:
        return bool(self.roles & {*OFFICIALS, REFEREE})

    @property
    def looks_on(self) -> bool:
        """LG-810 Behind a spectator delay."""
        return self.row["shown_version"] is not None and not self.is_official

    @property
    def version(self) -> int:
        """The number of the last event that the caller may know of."""
        return int(self.row["shown_version" if self.looks_on else "version"])

    @property
    def pages_version(self) -> int:
        return int(self.row["shown_version" if self.looks_on else "pages_version"])

    def stored(self, page: str) -> str:
        """The name under which the page lies that the caller may read."""
        return f"shown/{page}" if self.looks_on else page


def seen(store: Store | Work, caller: Caller, kind: str, competition: str) -> Seen:
    """LG-103, LG-129 A public one may be read by all; a private one by its entrants and officials only."""
    refuse_bound(caller, competition)
    row = store.one(SQL.seen, competition=competition, kind=kind, account=caller.account)
    if row is None:
        raise Problem("not_found")
    found = Seen(row, frozenset(row["roles"]))
    if row["visibility"] == "private" and not _may_know(caller, found):
        raise Problem("not_found")
    return found


def _may_know(caller: Caller, found: Seen) -> bool:
    inside = found.is_official or found.row["takes_part"] or caller.is_operator
    return caller.signed_in and inside and caller.has(*SCOPES[ANYBODY])


def refuse_bound(caller: Caller, competition: str | None) -> None:
    """PL-175 A token that is bound to something else does nothing here."""
    bound = caller.bound_to.get("tournament") or caller.bound_to.get("championship")
    if caller.bound_to and (bound is None or bound != competition):
        raise Problem("not_allowed")


def roles_for(store: Store | Work, caller: Caller, found: Seen, deed: Deed, target: Any) -> list[str]:
    """LG-126, LG-128, LG-131 The roles in which the caller may do this: first the role is asked, then the scope of the token."""
    held = found.roles | ({SELF} if _is_own(store, caller, target) else frozenset())
    if ANYBODY in deed.who:
        if caller.signed_in and not caller.has(*SCOPES[ANYBODY]):
            raise Problem("scope_missing", scope=" or ".join(LEAGUE_READ))
        return sorted(held)
    usable = held & deed.roles
    if caller.kind == "bot" and not deed.bots:
        raise Problem("not_allowed")
    if not usable:
        _refuse(deed, target)
    granted = {role for role in usable if caller.has(*SCOPES[role])}
    if not granted:
        raise Problem("scope_missing", scope=" or ".join(sorted({SCOPES[role][0] for role in usable})))
    return sorted(granted)


def _refuse(deed: Deed, target: Any) -> None:
    """LG-222 Entering somebody else is a question of consent."""
    raise Problem("no_consent" if "no_consent" in deed.codes and target else "not_allowed")


def _is_own(store: Store | Work, caller: Caller, target: Any) -> bool:
    """Oneself, or bots of one's own."""
    if not target or target == caller.account:
        return caller.signed_in
    named = target if isinstance(target, list) else [target]
    wanted = {one for one in named if isinstance(one, str)}
    return caller.signed_in and len(wanted) == len(named) == len(store.all(SQL.own, targets=sorted(wanted), account=caller.account))


def refuse_unless(caller: Caller, roles: frozenset[str], wanted: frozenset[str], scope: str = "league:run") -> None:
    """A right that is no act: organisations, officials, the audit log."""
    if not roles & wanted:
        raise Problem("not_allowed")
    if not caller.has(scope):
        raise Problem("scope_missing", scope=scope)
