"""What may a seat, the host or the audience ask for?"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from shared.kernel.game import Command


class WriteName(Command, frozen=True):
    """CH-123, CH-129, CH-164: on one of the seat's own tiles, counted from 1."""

    secret: ClassVar[bool] = True  # CH-130
    tile: int
    name: Annotated[str, Meta(extra_json_schema={"a_minute": 10})]  # CH-453


class WipeName(Command, frozen=True):
    """CH-128."""

    secret: ClassVar[bool] = True
    tile: int


class CheckNames(Command, frozen=True):
    """CH-162, CH-448: contestants by number, 1 to 8."""

    secret: ClassVar[bool] = True  # CH-163: not even after the end
    unknown: tuple[int, ...]
    report: tuple[int, ...]


class NoteWinner(Command, frozen=True):
    """CH-203: this contestant wins all its duels up to this stage."""

    secret: ClassVar[bool] = True  # CH-204: deleted, so no record keeps them
    contestant: int
    through: str


class ChooseChampion(Command, frozen=True):
    """CH-202."""

    contestant: int


class ConfirmPrediction(Command, frozen=True):
    """CH-207."""


class WithdrawConfirmation(Command, frozen=True):
    """CH-207."""


class BeReady(Command, frozen=True):
    """CH-246, CH-402: enough talked, or enough looked."""


class WithdrawReadiness(Command, frozen=True):
    """CH-247."""


class Vote(Command, frozen=True):
    """CH-242."""

    symbol: str


class WithdrawVote(Command, frozen=True):
    """CH-247."""


class MissClock(Command, frozen=True):
    """CH-250, CH-406: what the clock answers for a seat; never on offer."""

    by_clock: ClassVar[bool] = True


class MaskName(Command, frozen=True):
    """CH-450, by the host."""

    contestant: int


class ApproveName(Command, frozen=True):
    """CH-523, by the host."""

    secret: ClassVar[bool] = True
    name: str


class RefuseName(Command, frozen=True):
    """CH-523, by the host."""

    secret: ClassVar[bool] = True
    name: str


class SetName(Command, frozen=True):
    """CH-524, by the host of a crowd: on one of the tiles, counted from 1."""

    secret: ClassVar[bool] = True
    tile: int
    name: str


class Start(Command, frozen=True):
    """CH-524, by the host of a crowd."""


class CountPresent(Command, frozen=True):
    """CH-524, for the audience: how many voters are there."""

    present: int


class CountVotes(Command, frozen=True):
    """CH-519, for the audience: the stored votes at the close."""

    secret: ClassVar[bool] = True  # CH-511: totals below the quorum are never shown
    circle: int
    triangle: int
