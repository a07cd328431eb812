"""What may be set for a championship, and within which limits?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from services.league.counting import championship as counting
from services.league.reading import refuse_faults, with_changes
from services.league.refusals import Refused

Name = Annotated[str, Meta(min_length=1, max_length=80)]
Worth = Annotated[str, Meta(pattern=r"^\d{1,4}(/[1-9]\d{0,3}|\.\d{1,2})?$")]        # "100", "25/2", "12.5"
Few = Annotated[int, Meta(ge=0, le=100)]


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """LG-601 to LG-612 How a championship counts."""

    name: Name
    visibility: Literal["public", "private"] = "public"
    method: Literal["linear", "table", "beaten"] = "linear"
    table: Annotated[tuple[Worth, ...], Meta(max_length=1_000)] = ()    # points by place, for `table`
    drop: Few = 0                               # LG-608: so many of the lowest results are left out
    best_per_game: Annotated[int, Meta(ge=1, le=100)] | None = None
    least_field: Annotated[int, Meta(ge=1, le=131_072)] = 4
    least_tournaments: Few = 0
    least_games: Few = 0
    announced: Few = 0                          # LG-609: how many tournaments there will be; 0 while nobody has said
    ties: tuple[str, ...] = counting.ORDER      # LG-612
    titles: Mapping[str, Annotated[str, Meta(max_length=80)]] = {}      # LG-611: of the leader in one game


def checked(settings: Settings) -> Settings:
    """The settings, or `bad_setting` with every fault named."""
    refuse_faults(_faults(settings))
    return settings


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with some of them new."""
    return checked(with_changes(settings, changes))


def _faults(settings: Settings) -> Iterator[str]:
    places = tuple(map(Fraction, settings.table))
    if (settings.method == counting.TABLE) != bool(places):
        yield "table: a list of points by place belongs to the method `table`, and only to it"
    if any(one < other for one, other in pairwise(places)):
        yield "table: points never rise with the place"
    if len(set(settings.ties)) < len(settings.ties):
        yield "ties: each once"
    try:
        counting.check_tie_breaks(settings.ties)
    except Refused as refused:
        yield f"ties: {refused}"


def as_counted(settings: Settings) -> counting.Settings:
    return counting.Settings(
        settings.method, tuple(map(Fraction, settings.table)), settings.drop, settings.best_per_game, settings.least_field,
        settings.least_tournaments, settings.least_games, settings.announced, settings.ties)
