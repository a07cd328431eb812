"""Who takes part?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services.league.kind import Page
from services.league.tournament.pages.teams import about
from services.league.tournament.shelf import PART
from services.league.tournament.state import Entrant, State


def entrants(state: State, since: int) -> Iterator[Page]:
    """LG-1006 In the order of entry, 500 a part; accounts by id."""
    first = state.stages[0]
    seeds = {} if first.numbers else {account: number for number, account in enumerate(state.seeds, start=1)}
    for part, chunk in enumerate(state.entrants):
        if chunk.version > since or state.numbered > since:
            items = [_line(one, first.numbers.get(PART * part + at) or seeds.get(one.account)) for at, one in enumerate(chunk.items)]
            yield Page("entrants", part, {"items": items})
    if not state.entrants:
        yield Page("entrants", 0, {"items": []})


def _line(one: Entrant, number: int | None) -> dict[str, Any]:
    return {
        "account": one.account, "number": number, "state": one.state, "kind": one.kind, "rating": one.rating, "club": one.club,
        "team": one.team, "country": one.country, "entered_at": one.entered_at, "checked_in": one.checked_in, "entered_as": one.entered_as, **about(one),
    }
