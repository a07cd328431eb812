"""What can happen to a season?"""

from __future__ import annotations

from services.league.kind import Event
from services.league.season.settings import Settings


class Created(Event, frozen=True, tag="created"):
    season: str
    organisation: str
    settings: Settings


class Set(Event, frozen=True, tag="set"):
    settings: Settings


class Added(Event, frozen=True, tag="added"):
    """LG-561 This tournament decides a division; the top one is level 0."""

    tournament: str
    level: int


class Removed(Event, frozen=True, tag="removed"):
    tournament: str
    reason: str


class Published(Event, frozen=True, tag="published"):
    """The season runs."""


class Counted(Event, frozen=True, tag="counted"):
    """LG-564 A division's standing is frozen, or was corrected: its entrants, best first."""

    tournament: str
    revision: int
    standing: tuple[str, ...]
    barred: tuple[str, ...] = ()


class Going(Event, frozen=True, tag="going"):
    """LG-564 Whether somebody goes on next season."""

    account: str
    on: bool


class Came(Event, frozen=True, tag="came"):
    """LG-567 Somebody wants to join next season."""

    account: str
    rating: str = ""


class Moved(Event, frozen=True, tag="moved"):
    """LG-568 An organiser's change of the computed moves."""

    account: str
    level: int
    reason: str


class Settled(Event, frozen=True, tag="settled"):
    """LG-568 The moves are published, and nothing changes them any more."""

    places: tuple[tuple[str, int, str], ...]    # account, level, cause


AnyEvent = Created | Set | Added | Removed | Published | Counted | Going | Came | Moved | Settled
