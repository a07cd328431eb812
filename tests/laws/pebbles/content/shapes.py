"""What may a pack of Pebbles hold?"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pack this is."""

    id: str
    version: int


class Pebble(Struct, frozen=True, forbid_unknown_fields=True):
    """One pebble of the brook."""

    value: Annotated[int, Meta(ge=1, le=4)]


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts besides pebbles."""

    shell: int
    lucky: int


class Base(Struct, frozen=True):
    """The files of the pack."""

    pack: About
    pebbles: dict[str, Pebble]
    points: Points
    names: tuple[str, ...]
