"""What does the platform keep beside the kernel's match? Its clocks, its pause, its proposals, and how they move. Pure."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.game import Game
from shared.kernel.match import Ask, Match, is_absent
from shared.runtime.turn.clock import Clock, Ms, due_at, limit_of, overlap


class Running(Struct, frozen=True):
    """The clock of one open ask or phase."""

    number: int  # of the ask, or the step since which the phase lasts
    opened: Ms
    since: Ms  # where the clock began: a question put again keeps the clock of the first time
    limit: Ms | None
    due: Ms | None

    def later(self, ms: Ms) -> Running:
        """The same clock, moved on; one without a due time stays as it is."""
        return self if self.due is None else Running(self.number, self.opened, self.since + ms, self.limit, self.due + ms)


class House(Struct, frozen=True):
    """Stored with the match; a step replaces it, nothing alters it."""

    banks: tuple[Ms, ...]
    timeouts: tuple[int, ...]  # per seat, in all
    acted: tuple[bool, ...]
    asks: dict[str, Running] = {}  # by seat
    phase: Running | None = None
    last: Ms = 0  # the time of the last step; time never runs backwards within a match
    paused: Ms | None = None
    pause_by: str = ""  # agreed, host or referee: only a pause by agreement ends by a seat's wish (PL-244)
    pause_ends: Ms | None = None  # CH-403, PL-244: by itself
    proposals: dict[str, tuple[int, ...]] = {}  # kind -> seats that want it
    extended: int = 0  # CH-403: extensions of the present phase by the host


def new_house(clock: Clock, seats: int) -> House:
    return House((clock.bank_ms,) * seats, (0,) * seats, (False,) * seats)


def put(row: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """The row with another value for one seat."""
    return (*row[:seat], value, *row[seat + 1 :])


def wound(game: Game, clock: Clock, house: House, match: Match[Any], now: Ms) -> House:
    """PL-240, PL-482 The clocks of the asks and of the phase after a step."""
    asks = {str(ask.seat): _running(game, clock, house, ask, now) for ask in match.asks}
    phase, extended = house.phase, house.extended
    limit = limit_of(game, _in_force(game, clock, match), match.armed.phase) if match.armed else None
    if match.armed is None:
        phase = None
    elif phase is None or phase.number != match.armed.since or (phase.limit is None and limit is not None):
        phase, extended = Running(match.armed.since, now, now, limit, None if limit is None else now + limit), 0
    return replace(house, asks=asks, phase=phase, last=now, extended=extended)


def _in_force(game: Game, clock: Clock, match: Match[Any]) -> Clock:
    """CH-417 Where everybody is absent nobody is left to end a phase without a clock: the normal preset runs."""
    nobody = bool(match.missed) and all(is_absent(game, match, seat) for seat in range(len(match.missed)))
    return Clock(preset="normal") if nobody else clock


def moved(house: House, ms: Ms, seat: int | None = None) -> House:
    """PL-503 Due times moved on: of all, or of one seat."""
    asks = {at: running.later(ms) if seat in {None, int(at)} else running for at, running in house.asks.items()}
    phase = house.phase.later(ms) if house.phase and seat is None else house.phase
    return replace(house, asks=asks, phase=phase)


def credited(house: House, outage: tuple[Ms, Ms]) -> House:
    """PL-499 Due times moved on by the part of the outage that fell into them."""
    asks = {at: running.later(overlap(running.opened, running.due, outage)) for at, running in house.asks.items()}
    phase = house.phase and house.phase.later(overlap(house.phase.opened, house.phase.due, outage))
    return replace(house, asks=asks, phase=phase)


def cleared(house: House) -> House:
    """Nothing is asked any more: the match is over."""
    return House(house.banks, house.timeouts, house.acted, last=house.last)


def _running(game: Game, clock: Clock, house: House, ask: Ask, now: Ms) -> Running:
    old = house.asks.get(str(ask.seat))
    if old is not None and old.number == ask.number:
        return old
    since = old.since if old is not None and ask.since < ask.number else now
    limit = limit_of(game, clock, ask.question)
    due = due_at(clock, limit, house.banks[ask.seat], since) if ask.question.needed else None
    return Running(ask.number, now, since, limit, due)
