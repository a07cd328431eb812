"""What is common to all that can happen in a tournament?"""

from __future__ import annotations

from services.league.kind import Event
from services.league.tournament.state import State


class Happened(Event, frozen=True, kw_only=True, tag_field="kind"):
    """An event carries its own change; the state it gets has the event's number as version."""

    def change(self, state: State) -> State:
        """Nothing, unless the event says otherwise."""
        return state
