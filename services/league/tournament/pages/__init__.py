"""What does a tournament show? Documents made of the state, each only when something in it has changed."""

from __future__ import annotations

from collections.abc import Iterator

from services.league.kind import Page, Scene
from services.league.tournament.pages.entrants import entrants
from services.league.tournament.pages.final import final
from services.league.tournament.pages.head import head
from services.league.tournament.pages.rounds import drafted, rounds
from services.league.tournament.pages.standings import standings
from services.league.tournament.state import State


def pages(state: State, since: int, scene: Scene) -> tuple[Page, ...]:
    """LG-1001 All pages that changed after that version."""
    return tuple(_pages(state, since, scene)) if state.version > since else ()


def _pages(state: State, since: int, scene: Scene) -> Iterator[Page]:
    yield head(state, scene)
    yield from entrants(state, since)
    for stage in state.stages:
        yield from rounds(state, stage, since)
        yield from drafted(state, stage, since)
        yield from standings(state, stage, since, scene)
    yield from final(state)
