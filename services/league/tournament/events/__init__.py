"""What can happen in a tournament, and how is an event stored and folded?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Union

import msgspec
from msgspec.structs import replace

from services.league.tournament.events import appointments, field, life, results, rounds, teams
from services.league.tournament.events.base import Happened
from services.league.tournament.state import State

MODULES = (life, field, rounds, results, teams, appointments)
SHARED = frozenset({"round_made", "of_pairing", "of_board"})        # what others are built on; they never happen themselves
EVENTS: Mapping[str, type[Happened]] = {
    kind.__struct_config__.tag: kind                    # type: ignore[misc]
    for module in MODULES for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Happened) and kind is not Happened and kind.__struct_config__.tag not in SHARED
}
EVENT: Any = Union[tuple(EVENTS.values())]              # noqa: UP007 made of a table
DECODER: Any = msgspec.json.Decoder(EVENT)
HIDDEN = frozenset({"round_drafted", "line_up_set", "appointment_proposed", "appointment_answered"})    # LG-163, LG-971, LG-881
MILESTONES = frozenset({"round_published", "round_completed", "stage_finished", "finished", "cancelled", "closed", "corrected"})


def read(kind: str, body: Mapping[str, Any]) -> Happened:
    """A stored event."""
    return reread({**body, "kind": kind})


def reread(line: Mapping[str, Any]) -> Happened:
    """From plain JSON, in which every key is text."""
    found: Happened = DECODER.decode(msgspec.json.encode(line))
    return found


def fold(state: State | None, event: Happened) -> State:
    """LG-1011 The number of an event is the version that it leads to."""
    if state is None:
        assert isinstance(event, life.Created)
        return event.first()
    return event.change(replace(state, version=state.version + 1))


def grown(state: State, events: Iterable[Happened]) -> State:
    """The state after these events."""
    for event in events:
        state = fold(state, event)
    return state
