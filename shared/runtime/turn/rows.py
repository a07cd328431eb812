"""What goes into a take and what comes out of it: waiting rows, fixed facts of a match, steps and outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.game import Event, Game
from shared.kernel.match import Match, is_absent
from shared.runtime.turn.clock import Clock
from shared.runtime.turn.hours import Ms
from shared.runtime.turn.house import House


class Row(Struct, frozen=True):
    """One waiting row of the inbox."""

    arrival: int
    kind: str
    seat: int | None
    ask: int | None
    body: str
    received: Ms


class Verdict(Struct, frozen=True):
    """The one recorded outcome of a row (PL-103)."""

    arrival: int
    outcome: str
    code: str | None = None
    first_step: int | None = None
    last_step: int | None = None
    report: str | None = None


class Act(Struct, frozen=True):
    """Who did what in a step."""

    kind: str  # start, command, timeout, default, phase, leave, count, vacate, fail, order
    seat: int | None = None
    ask: int | None = None
    command: bytes = b"{}"
    automatic: bool = False
    secret: bool = False  # PL-287: others are not told whose step it was


class Step(Struct, frozen=True):
    """One carried-out step and the match after it."""

    match: Match[Any]
    events: tuple[Event, ...]
    arrival: int
    part: int
    act: Act
    draws: list[tuple[int, int]]
    at: Ms
    house: House  # as it was right after the step
    state: str  # of the match, as everybody may know it

    @property
    def is_news(self) -> bool:
        """PL-303 Did chance speak, or something that not everybody may see?"""
        return bool(self.draws) or any(event.seen_by(None) is not event for event in self.events)


@dataclass(frozen=True)
class Deal:
    """What is fixed for a match from its start."""

    match_id: str
    game: Game
    seats: int
    options: Any
    clock: Clock
    key: bytes
    bots: Mapping[int, str]  # seat -> level of its built-in bot
    host_seat: int | None = None  # the seat of the host, where it holds one
    substitutes: bool = False  # PL-546: a seat that was left waits for somebody else
    delayed: bool = False  # PL-419: onlookers read what the letters of the past hold


def vacated(match: Match[Any], seat: int) -> tuple[Match[Any], tuple[Event, ...]]:
    """PL-546 A step after which nobody holds a seat: whoever takes it has missed nothing yet."""
    missed = tuple(0 if number == seat else misses for number, misses in enumerate(match.missed))
    return replace(match, step=match.step + 1, missed=missed), ()


def acting_host(deal: Deal, match: Match[Any]) -> int | None:
    """CH-417 The host's seat; while it is absent the next seat clockwise that a person or bot of its own holds and that is not."""
    if deal.host_seat is None:
        return None
    clockwise = ((deal.host_seat + turn) % deal.seats for turn in range(deal.seats))
    there = (seat for seat in clockwise if seat not in deal.bots and not is_absent(deal.game, match, seat))
    return next(there, deal.host_seat)
