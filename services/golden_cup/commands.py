"""What may a seat ask for?"""

from __future__ import annotations

from shared.kernel.game import Command


class KeepSupporter(Command, frozen=True):
    """GC-119."""

    supporter: str


class Discard(Command, frozen=True):
    """GC-210."""

    champions: tuple[str, ...]


class Scout(Command, frozen=True):
    """GC-250: the hand cards to discard first."""

    champions: tuple[str, ...]


class PlayChampion(Command, frozen=True):
    """GC-255."""

    champion: str


class DevelopScout(Command, frozen=True):
    """GC-260."""


class DevelopStadium(Command, frozen=True):
    """GC-261."""


class Train(Command, frozen=True):
    """GC-265: one token of this value."""

    token: str


class Learn(Command, frozen=True):
    """GC-267: attack or defense."""

    kind: str


class EndCampaign(Command, frozen=True):
    """GC-238."""


class ImproveToken(Command, frozen=True):
    """GC-306."""

    token: str


class DeclineImprovement(Command, frozen=True):
    """GC-306."""


class TakeLower(Command, frozen=True):
    """GC-310."""

    token: str


class TakeNothing(Command, frozen=True):
    """GC-310."""


class DiscardToken(Command, frozen=True):
    """GC-312."""

    token: str


class DiscardChampion(Command, frozen=True):
    """GC-355."""

    champion: str


class LineUp(Command, frozen=True):
    """GC-404: slot to champion; an empty slot is left out."""

    slots: dict[str, str]
