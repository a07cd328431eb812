"""What does the platform keep beside the kernel's match? Its clocks, its pause, its proposals, and how they move. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.game import Game, Question
from shared.kernel.match import Ask, Gone, Match, is_absent
from shared.runtime.turn.clock import Clock, bank_after, due_at, limit_of, overlap
from shared.runtime.turn.hours import Hours, Ms, after, played


class Running(Struct, frozen=True):
    """The clock of one open ask or phase."""

    number: int  # of the ask, or the step since which the phase lasts
    opened: Ms
    since: Ms  # where the clock would have begun had it never stood still: a question put again goes on with what is left
    limit: Ms | None
    due: Ms | None
    runs_on: str = ""  # what names the clock of an ask

    def later(self, ms: Ms, hours: Hours | None) -> Running:
        """The same clock, moved on by so much playing time; one without a due time stays as it is."""
        return self if self.due is None else replace(self, since=after(self.since, ms, hours), due=after(self.due, ms, hours))


class House(Struct, frozen=True):
    """Stored with the match; a step replaces it, nothing alters it."""

    banks: tuple[Ms, ...]
    timeouts: tuple[int, ...]  # per seat, in all
    acted: tuple[bool, ...]
    asks: dict[str, Running] = {}  # by seat
    standing: dict[str, dict[str, Ms]] = {}  # by seat and name, clocks that stand still: what has been spent of them
    phase: Running | None = None
    no_show: Running | None = None  # PL-492: the time by which everybody must have acted
    last: Ms = 0  # the time of the last step; time never runs backwards within a match
    paused: Ms | None = None
    pause_by: str = ""  # agreed, host or referee: only a pause by agreement ends by a seat's wish (PL-244)
    pause_ends: Ms | None = None  # CH-403, PL-244: by itself
    proposals: dict[str, tuple[int, ...]] = {}  # kind -> seats that want it
    vacant: dict[str, str] = {}  # PL-546: seats that wait for a substitute, and how they were left
    extended: int = 0  # CH-403: extensions of the present phase by the host
    refusals: dict[str, tuple[int, int]] = {}  # PL-525: by seat of a bot, its ask and how many answers to it were refused
    failures: dict[str, int] = {}  # PL-526: by seat of a bot
    stood: Ms = 0  # up to here it is counted that all clocks have stood still
    away: dict[str, tuple[Ms, Ms]] = {}  # PL-504: by seat, the last of the holidays that stopped its clocks

    def counted_at(self, seat: int, at: Ms) -> Ms:
        """PL-504 The moment that counts for the clocks of a seat: while a holiday lasts, its end."""
        begin, until = self.away.get(str(seat), (at, at))
        return until if begin <= at < until else at


def new_house(clock: Clock, seats: int) -> House:
    return House((clock.bank_ms,) * seats, (0,) * seats, (False,) * seats)


def put(row: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """The row with another value for one seat."""
    return (*row[:seat], value, *row[seat + 1 :])


def wound(game: Game, clock: Clock, house: House, match: Match[Any], now: Ms) -> House:
    """PL-240, PL-482, PL-492 The clocks of the asks and of the phase after a step; in a pause they begin where all stand (PL-243)."""
    at = now if house.paused is None else house.paused
    asks, standing = {}, {}
    for seat in range(len(match.missed)):
        here = house.counted_at(seat, at)
        ask, spent = match.ask_of(seat), _spent(game, clock, house, match, seat, here)
        if ask is not None:
            since = after(here, -spent.pop(_clock_of(clock, ask.question), 0), clock.hours)
            asks[str(seat)] = _running(game, clock, house, ask, since, now)
        if spent:
            standing[str(seat)] = spent
    phase, extended = house.phase, house.extended
    limit = limit_of(game, _in_force(game, clock, match), match.armed.phase) if match.armed else None
    if match.armed is None:
        phase = None
    elif phase is None or phase.number != match.armed.since or (phase.limit is None and limit is not None):
        phase, extended = Running(match.armed.since, now, at, limit, None if limit is None else after(at, limit, clock.hours)), 0
    no_show, wait = house.no_show, clock.no_show_ms
    if match.step == 1 and wait is not None:
        no_show = Running(1, now, now, wait, after(now, wait, clock.hours))
    return replace(house, asks=asks, standing=standing, phase=phase, no_show=no_show, last=now, extended=extended)


def charged(clock: Clock, house: House, seat: int, received: Ms, now: Ms) -> House:
    """PL-483, PL-498 The bank after an answer. If the question is put again, its clock goes on with what this time has left."""
    running = house.asks[str(seat)]
    if running.limit is None or running.due is None:
        return house
    begin, _ = house.away.get(str(seat), (running.opened, 0))  # an answer on its way as a holiday begins is charged up to then
    answered = house.counted_at(seat, max(received, running.opened, begin))  # several answers of one batch were received together
    elapsed = min(played(running.since, answered, clock.hours), played(running.since, running.due, clock.hours))
    bank = bank_after(clock, running.limit, house.banks[seat], elapsed)
    asks = house.asks | {str(seat): replace(running, since=after(house.counted_at(seat, now), -min(elapsed, running.limit), clock.hours))}
    return replace(house, banks=put(house.banks, seat, bank), asks=asks)


def run_out(clock: Clock, house: House, seat: int, now: Ms) -> House:
    """PL-484 Nothing is left, neither of the bank nor of the clock."""
    running = house.asks[str(seat)]
    asks = house.asks | {str(seat): replace(running, since=after(house.counted_at(seat, now), -(running.limit or 0), clock.hours))}
    timeouts = put(house.timeouts, seat, house.timeouts[seat] + 1)
    return replace(house, banks=put(house.banks, seat, 0), timeouts=timeouts, asks=asks)


def out_of_time(house: House, match: Match[Any]) -> Ask | None:
    """PL-487 A question put again on a clock of which nothing is left: one time-out answers for all of them."""
    for ask in match.asks if house.paused is None else ():
        running = house.asks.get(str(ask.seat))
        if running is not None and running.due is not None and running.since < running.due <= house.counted_at(ask.seat, running.opened):
            return ask
    return None


def _in_force(game: Game, clock: Clock, match: Match[Any]) -> Clock:
    """CH-417 Where everybody is absent nobody is left to end a phase without a clock: the normal preset runs."""
    nobody = bool(match.missed) and all(is_absent(game, match, seat) for seat in range(len(match.missed)))
    return Clock(preset="normal") if nobody else clock


def moved(clock: Clock, house: House, ms: Ms, seat: int | None = None) -> House:
    """PL-503 Due times moved on by so much playing time: of all, or of one seat."""
    asks = {at: running.later(ms, clock.hours) if seat in {None, int(at)} else running for at, running in house.asks.items()}
    if seat is not None:
        return replace(house, asks=asks)
    return _others_later(replace(house, asks=asks), lambda _: ms, clock.hours)


def stood(clock: Clock, house: House, begin: Ms, end: Ms) -> House:
    """PL-243 Due times moved on by the time for which all clocks stood still; those of a holiday stood anyhow (PL-504)."""
    def still(seat: str) -> Ms:
        return played(house.counted_at(int(seat), begin), house.counted_at(int(seat), end), clock.hours)

    asks = {seat: running.later(still(seat), clock.hours) for seat, running in house.asks.items()}
    house = _others_later(replace(house, asks=asks), lambda _: played(begin, end, clock.hours), clock.hours)
    return replace(house, paused=None, pause_by="", pause_ends=None, stood=end)


def credited(clock: Clock, house: House, outage: tuple[Ms, Ms]) -> House:
    """PL-499 Due times moved on by the part of the outage that fell into them."""
    def missed(running: Running, seat: int | None = None) -> Ms:
        opened, begin, end = (at if seat is None else house.counted_at(seat, at) for at in (running.opened, *outage))
        return overlap(opened, running.due, (begin, end), clock.hours)

    asks = {seat: running.later(missed(running, int(seat)), clock.hours) for seat, running in house.asks.items()}
    return _others_later(replace(house, asks=asks), missed, clock.hours)


def _others_later(house: House, by: Callable[[Running], Ms], hours: Hours | None) -> House:
    """The clocks that belong to no seat, moved on."""
    phase, no_show = (running and running.later(by(running), hours) for running in (house.phase, house.no_show))
    return replace(house, phase=phase, no_show=no_show)


def cleared(house: House) -> House:
    """Nothing is asked any more: the match is over."""
    return House(house.banks, house.timeouts, house.acted, last=house.last, vacant=house.vacant)


def without_vacant(match: Match[Any], house: House) -> Match[Any]:
    """PL-541, PL-546 Whoever left a seat that nobody took is a leaver."""
    left = tuple(Gone(int(seat), match.step, how) for seat, how in house.vacant.items())
    return replace(match, gone=(*left, *match.gone)) if left else match


def given_up(house: House, match: Match[Any]) -> int | None:
    """PL-546 A vacant seat that is asked without a clock: there is no time by which a substitute could come."""
    for ask in match.asks if house.paused is None else ():
        running = house.asks.get(str(ask.seat))
        if str(ask.seat) in house.vacant and ask.question.needed and running is not None and running.due is None:
            return ask.seat
    return None


def _running(game: Game, clock: Clock, house: House, ask: Ask, since: Ms, now: Ms) -> Running:
    old = house.asks.get(str(ask.seat))
    if old is not None and old.number == ask.number:
        return old
    limit = limit_of(game, clock, ask.question)
    due = due_at(clock, limit, house.banks[ask.seat], since) if ask.question.needed else None
    return Running(ask.number, now, since, limit, due, _clock_of(clock, ask.question))


def _clock_of(clock: Clock, question: Question) -> str:
    """PL-481 A limit of the match's own is free time for each ask; the limits of a game go by its budgets."""
    return question.runs_on if clock.limit_ms is None else replace(question, budget="").runs_on


def _spent(game: Game, clock: Clock, house: House, match: Match[Any], seat: int, at: Ms) -> dict[str, Ms]:
    """PL-496 What a seat has spent of each clock that goes on now, or later, once others have answered."""
    ask, old = match.ask_of(seat), house.asks.get(str(seat))
    spent = dict(house.standing.get(str(seat), {}))
    if old is not None and (ask is None or ask.number != old.number):
        spent[old.runs_on] = played(old.since, at, clock.hours)
    if not spent:
        return spent
    later = game.standing(match.state, seat) if clock.limit_ms is None else ()
    wanted = {_clock_of(clock, question) for question in ((*later, ask.question) if ask else later)}
    return {name: ms for name, ms in spent.items() if name in wanted}
