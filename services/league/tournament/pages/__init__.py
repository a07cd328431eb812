"""What does a tournament show? Documents made of the state, each only when something in it has changed."""

from __future__ import annotations

from services.league.kind import Page, Scene
from services.league.tournament.state import State


def pages(state: State, since: int, scene: Scene) -> tuple[Page, ...]:
    """LG-1001 All pages that changed after that version."""
    return ()
