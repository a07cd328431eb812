"""What may be set for a season, and within which limits?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from services.league.reading import refuse_faults, with_changes

Name = Annotated[str, Meta(min_length=1, max_length=80)]
Few = Annotated[int, Meta(ge=0, le=200)]
Range = Annotated[str, Meta(pattern=r"^-?\d{1,4}(\.\d{1,2})?$")]


class Division(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-561 One division; the first of the list is the top one."""

    name: Name
    size: Annotated[int, Meta(ge=2, le=200)]
    up: Few = 0                                 # so many go up from it
    down: Few = 0                               # so many go down from it
    rating_least: Range = "-9999"               # LG-567: which newcomers fit, where they are placed by rating


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-561 to LG-568"""

    name: Name
    divisions: Annotated[tuple[Division, ...], Meta(min_length=1, max_length=64)]
    visibility: Literal["public", "private"] = "public"
    place_newcomers: Literal["lowest", "rating"] = "lowest"


def checked(settings: Settings) -> Settings:
    """The settings, or `bad_setting` with every fault named."""
    refuse_faults(_faults(settings))
    return settings


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with some of them new."""
    return checked(with_changes(settings, changes))


def _faults(settings: Settings) -> Iterator[str]:
    divisions = settings.divisions
    if divisions[0].up:
        yield "divisions.0.up: nobody goes up from the top"
    if divisions[-1].down:
        yield f"divisions.{len(divisions) - 1}.down: nobody goes down from the lowest"
    if len({one.name for one in divisions}) < len(divisions):
        yield "divisions: two have the same name"
    for at, one in enumerate(divisions):
        if one.up + one.down > one.size:
            yield f"divisions.{at}: more move than it has places"
    if any(Fraction(upper.rating_least) < Fraction(lower.rating_least) for upper, lower in pairwise(divisions)):
        yield "divisions: the least rating never rises further down"


def fitting(settings: Settings, rating: str) -> int:
    """LG-567 The highest division whose range a rating fits; who has none fits the lowest."""
    last = len(settings.divisions) - 1
    if settings.place_newcomers == "lowest" or not rating:
        return last
    return next((level for level, one in enumerate(settings.divisions) if Fraction(rating) >= Fraction(one.rating_least)), last)
