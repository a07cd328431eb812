"""What may a seat ask for?"""

from __future__ import annotations

from typing import TypedDict

from shared.kernel.game import Command, Seat

Deal = TypedDict("Deal", {"with": str, "give": dict[str, int], "take": dict[str, int]})


class NameHeap(Command, frozen=True):
    """PB-111."""

    name: str


class Throw(Command, frozen=True):
    """PB-121."""

    dice: int


class Rest(Command, frozen=True):
    """PB-121."""


class Beg(Command, frozen=True):
    """PB-125."""

    heap: Seat


class Spare(Command, frozen=True):
    """PB-125, by the seat that was asked."""

    pebble: str


class KeepAll(Command, frozen=True):
    """PB-125, by the seat that was asked."""


class Hide(Command, frozen=True):
    """PB-131."""

    pebbles: tuple[str, ...]


class Give(Command, frozen=True):
    """PB-142."""

    deal: Deal


class MoveOn(Command, frozen=True):
    """PB-141, by the host."""


class Cheer(Command, frozen=True):
    """PB-143, by the crowd."""

    heap: Seat
