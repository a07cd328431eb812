"""Which constraints can no round keep? Only what is cheap to see is looked for: sets in which nobody may meet anybody."""

from __future__ import annotations

from collections import Counter

from services.league.stages.facts import HARD
from services.league.stages.rules import limits
from services.league.tables import sizes
from services.league.tournament import shelf
from services.league.tournament.looking import rules_of
from services.league.tournament.state import ENTERED, Bars, Entrant, State


def impossible(state: State, bars: Bars) -> tuple[str, ...]:
    """LG-953 A smallest set of entrants of whom no two may meet, with one more member than a round has tables."""
    here = {one.account: one for one in shelf.every(state.entrants) if one.state == ENTERED}
    rules = rules_of(state.settings, state.stages[0])
    if len(here) < 2:
        return ()
    tables = len(sizes(len(here), limits(rules)))
    groups = [[account for account in group if account in here] for group in bars.never]
    groups += _kinds(here, "club") if bars.same_club == HARD else []
    groups += _kinds(here, "team") if bars.same_team == HARD else []
    if rules.format in {"round_robin", "groups"} and rules.two:
        return next((tuple(group[:2]) for group in groups if len(group) > 1), ())
    spare = max(0, len(here) - sum(sizes(len(here), limits(rules))))
    worst = max(groups, key=len, default=[])
    return tuple(worst[:tables + spare + 1]) if len(worst) > tables + spare else ()


def _kinds(here: dict[str, Entrant], what: str) -> list[list[str]]:
    counted = Counter(getattr(one, what) for one in here.values() if getattr(one, what))
    return [[account for account, one in here.items() if getattr(one, what) == name] for name, count in counted.items() if count > 1]
