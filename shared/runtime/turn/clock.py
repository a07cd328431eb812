"""When is an answer due, and what does a seat pay for its time? One formula for every control (PL-481 to PL-484)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from shared.kernel.game import Game, Phase, Question
from shared.runtime.turn.hours import Hours, Ms, after, hours_fault, played

HOUR = 3_600_000


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """PL-481 What a match says about time; every duration in milliseconds."""

    preset: str = "normal"
    limit_ms: Ms | None = None  # free time per ask; None: the preset's limit of each question
    bank_ms: Ms = 0
    increment_ms: Ms = 0
    bank_max_ms: Ms = 0
    cap_ms: Ms | None = None
    no_show_ms: Ms | None = None  # PL-492
    most_timeouts: int | None = None  # PL-491: in all, before a seat is a leaver
    most_failures: int = 3  # PL-526: of a bot, before it has failed for good
    policy: str = "credit"  # PL-499: what becomes of due times after an outage
    hours: Hours | None = None  # PL-493: when time runs; None: always
    holidays: bool = True  # PL-504: whether those of its players stop their clocks, where it is by correspondence
    reminder_ms: Ms | None = None  # PL-578: so long before an answer is due its seat is reminded; None: a quarter of its time, 0: never

    @property
    def by_correspondence(self) -> bool:
        """PL-485 One limit of hours or days."""
        return self.limit_ms is not None and self.limit_ms >= HOUR

    @property
    def holidays_count(self) -> bool:
        return self.by_correspondence and self.holidays


def clock_fault(given: Mapping[str, Any]) -> tuple[str, str]:
    """What is wrong with a clock that somebody asks for: where, and why; nothing if it is right."""
    try:
        hours = msgspec.convert(dict(given), Clock).hours
    except msgspec.ValidationError as error:
        return "clock", str(error)
    why = hours_fault(hours) if hours is not None else ""
    return ("clock/hours", why) if why else ("", "")


def limit_of(game: Game, clock: Clock, asked: Question | Phase) -> Ms | None:
    """PL-485 The free time for a question or the length of a phase; None where no clock runs."""
    preset = game.presets.get(clock.preset, {})
    if clock.limit_ms is not None and isinstance(asked, Question):
        return clock.limit_ms
    seconds = preset.get(asked.limit_name)
    return None if seconds is None else seconds * asked.times * 1000


def due_at(clock: Clock, limit: Ms | None, bank: Ms, opened: Ms) -> Ms | None:
    """PL-482 Opening plus limit plus bank, at most opening plus cap."""
    if limit is None:
        return None
    allowed = limit + bank
    return after(opened, allowed if clock.cap_ms is None else min(allowed, clock.cap_ms), clock.hours)


def remind_at(clock: Clock, since: Ms, due: Ms | None) -> Ms | None:
    """PL-578 When somebody is reminded of an answer by correspondence: once a quarter of its time is left, or as the match says."""
    if due is None or not clock.by_correspondence or clock.reminder_ms == 0:
        return None
    return after(due, -(played(since, due, clock.hours) // 4 if clock.reminder_ms is None else clock.reminder_ms), clock.hours)


def bank_after(clock: Clock, limit: Ms, bank: Ms, elapsed: Ms) -> Ms:
    """PL-483 The bank after an answer that took `elapsed`; no elapsed time is counted below zero."""
    return min(clock.bank_max_ms, bank - max(0, max(0, elapsed) - limit) + clock.increment_ms)


def overlap(opened: Ms, due: Ms | None, outage: tuple[Ms, Ms], hours: Hours | None) -> Ms:
    """PL-499 How much of an outage fell into the time of an open ask."""
    if due is None:
        return 0
    begin, end = outage
    return max(0, played(max(opened, begin), end, hours)) if due > begin else 0
