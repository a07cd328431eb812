"""When is an answer due, and what does a seat pay for its time? One formula for every control (PL-481 to PL-484)."""

from __future__ import annotations

from msgspec import Struct

from shared.kernel.game import Game, Phase, Question

Ms = int  # a moment: milliseconds since 1970; or a duration in milliseconds


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
    return opened + (allowed if clock.cap_ms is None else min(allowed, clock.cap_ms))


def bank_after(clock: Clock, limit: Ms, bank: Ms, elapsed: Ms) -> Ms:
    """PL-483 The bank after an answer that took `elapsed`; no elapsed time is counted below zero."""
    return min(clock.bank_max_ms, bank - max(0, max(0, elapsed) - limit) + clock.increment_ms)


def overlap(opened: Ms, due: Ms | None, outage: tuple[Ms, Ms]) -> Ms:
    """PL-499 How much of an outage fell into the time of an open ask."""
    if due is None:
        return 0
    begin, end = outage
    return max(0, end - max(opened, begin)) if due > begin else 0
