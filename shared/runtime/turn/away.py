"""What does a holiday do to the clocks of a seat? They stand still until it is over, and what is due already stays due (PL-504). Pure."""

from __future__ import annotations

from msgspec.structs import replace

from shared.runtime.turn.clock import Clock
from shared.runtime.turn.hours import Ms, after, played
from shared.runtime.turn.house import House, Running


def away(clock: Clock, house: House, seat: int, at: Ms, until: Ms) -> House:
    """From this moment on the clocks of a seat stand still until then; of a holiday that is to end sooner the rest is given back."""
    at = at if house.paused is None else house.paused  # in a pause they stand already

    def moved(running: Running) -> Running:
        """A clock that goes on later, or sooner; also one without a due time, which may get one that counts from its beginning."""
        here = at if house.paused is not None else max(at, running.opened, house.stood)
        ms = played(house.counted_at(seat, here), max(here, until), clock.hours)
        if running.due is None:
            return replace(running, since=after(running.since, ms, clock.hours))
        return running.later(ms, clock.hours) if running.due > at else running

    asks = {other: moved(running) if other == str(seat) else running for other, running in house.asks.items()}
    no_show = house.no_show if house.no_show is None or house.acted[seat] else moved(house.no_show)
    begin = at if house.counted_at(seat, at) == at else house.away[str(seat)][0]
    return replace(house, asks=asks, no_show=no_show, away={**house.away, str(seat): (begin, until)})


def back(clock: Clock, house: House, seat: int, at: Ms) -> House:
    """Whoever takes the seat over does not inherit the holiday of its holder."""
    return house if house.counted_at(seat, at) == at else away(clock, house, seat, at, at)
