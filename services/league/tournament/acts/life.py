"""What may be asked of a tournament as a whole?"""

from __future__ import annotations

from typing import Any, Literal

from services.league.kind import OWNER
from services.league.tournament.acts.base import CLOCK, OFFICIALS, REFEREES, Asked


class Create(Asked, frozen=True, kw_only=True, tag="create"):
    tournament: str
    organisation: str
    settings: dict[str, Any]
    who = OFFICIALS


class Set(Asked, frozen=True, kw_only=True, tag="set"):
    changes: dict[str, Any]
    who = OFFICIALS


class Open(Asked, frozen=True, kw_only=True, tag="open"):
    forecast_seen: bool = False
    who = OFFICIALS


class Close(Asked, frozen=True, kw_only=True, tag="close"):
    who = OFFICIALS


class Seed(Asked, frozen=True, kw_only=True, tag="seed"):
    order: tuple[str, ...]
    reason: str = ""
    who = OFFICIALS


class NewSeed(Asked, frozen=True, kw_only=True, tag="new_seed"):
    reason: str = ""
    who = REFEREES


class Constrain(Asked, frozen=True, kw_only=True, tag="constrain"):
    never: tuple[tuple[str, ...], ...] = ()
    soft: tuple[tuple[str, ...], ...] = ()
    same_club: str = ""
    same_team: str = ""
    who = OFFICIALS


class Pause(Asked, frozen=True, kw_only=True, tag="pause"):
    with_clocks: bool = False
    who = OFFICIALS


class Resume(Asked, frozen=True, kw_only=True, tag="resume"):
    who = OFFICIALS


class End(Asked, frozen=True, kw_only=True, tag="end"):
    drain: bool = False
    who = OFFICIALS


class Cancel(Asked, frozen=True, kw_only=True, tag="cancel"):
    reason: str = ""
    who = frozenset({OWNER})


class Outage(Asked, frozen=True, kw_only=True, tag="outage"):
    from_at: int
    to_at: int
    who = frozenset({CLOCK})


class PlanAct(Asked, frozen=True, kw_only=True, tag="plan"):
    entrants: int | None = None


class ForecastAct(Asked, frozen=True, kw_only=True, tag="forecast"):
    entrants: int | None = None


class Explain(Asked, frozen=True, kw_only=True, tag="explain"):
    stage: int
    round: int


class Ties(Asked, frozen=True, kw_only=True, tag="ties"):
    stage: int
    account: str
    as_of: int | None = None                    # LG-804 a version; none: as it stands


class Signals(Asked, frozen=True, kw_only=True, tag="signals"):
    who = REFEREES


class Export(Asked, frozen=True, kw_only=True, tag="export"):
    form: Literal["json", "csv", "trf16"]
    what: Literal["standings", "pairings", "results", "cross"] = "standings"
    stage: int = 1
    round: int | None = None


class ImportExport(Asked, frozen=True, kw_only=True, tag="import_export"):
    tournament: str
    organisation: str
    document: dict[str, Any]
    who = OFFICIALS
