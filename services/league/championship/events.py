"""What can happen to a championship?"""

from __future__ import annotations

from collections.abc import Mapping

from services.league.championship.settings import Settings
from services.league.kind import Event


class Created(Event, frozen=True, tag="created"):
    """LG-103 There is a championship, and it belongs to an organisation."""

    championship: str
    organisation: str
    settings: Settings
    seed_hash: str


class Set(Event, frozen=True, tag="set"):
    settings: Settings


class Added(Event, frozen=True, tag="added"):
    """LG-601 A tournament counts from now on."""

    tournament: str
    game: str
    weight: str
    reason: str = ""


class Removed(Event, frozen=True, tag="removed"):
    """LG-617 A tournament counts no longer."""

    tournament: str
    reason: str


class Published(Event, frozen=True, tag="published"):
    """From now on everybody may rely on what counts."""


class Counted(Event, frozen=True, tag="counted"):
    """LG-602, LG-614 The frozen standing of a tournament, or a corrected one: a new revision of the championship."""

    tournament: str
    revision: int                                       # of the tournament's final standing
    finished_at: int
    places: Mapping[str, int]
    barred: tuple[str, ...] = ()
    tables: tuple[Mapping[str, int], ...] = ()          # places at the tables, for head-to-head


class Finished(Event, frozen=True, tag="finished"):
    """The last table is the final one; the seed of the last draw may be shown."""

    winners: tuple[str, ...]
    seed: str = ""
    reason: str = ""


AnyEvent = Created | Set | Added | Removed | Published | Counted | Finished
