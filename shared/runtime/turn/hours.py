"""When does time run? Local times and the instants they mean, days by the calendar, and playing hours (PL-493, PL-494)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct

Ms = int
DAY = timedelta(days=1)
LEAST = timedelta(hours=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Hours(Struct, frozen=True, forbid_unknown_fields=True):
    """From when to when, by the clocks of a zone; closing at or before the opening is closing on the next day."""

    opens: str
    closes: str
    zone: str = "UTC"


def hours_fault(hours: Hours) -> str:
    """What is wrong with them; shorter ones would make a clock of days last for centuries."""
    try:
        opens, closes = (datetime.strptime(at, "%H:%M") for at in (hours.opens, hours.closes))  # noqa: DTZ007 the zone stands beside them
        ZoneInfo(hours.zone)
    except (ValueError, KeyError, OSError):
        return "two times of the day, such as 08:00 and 22:00, and the name of a time zone"
    return "an hour a day at least, and not the whole day" if (closes - opens) % DAY < LEAST else ""


def ms_of(at: datetime) -> Ms:
    return (at - EPOCH) // timedelta(milliseconds=1)


def local(at: Ms, zone: str) -> datetime:
    return (EPOCH + timedelta(milliseconds=at)).astimezone(ZoneInfo(zone))


def instant_of(wall: datetime, zone: str) -> tuple[Ms, bool]:
    """PL-494 The instant of a local time, the first of two; and whether it does not exist, so that the end of the gap stands for it."""
    at = wall.replace(tzinfo=ZoneInfo(zone), fold=0)
    if _exists(at):
        return ms_of(at), False
    at = at.replace(second=0, microsecond=0)
    while not _exists(at):  # the clock jumps by whole minutes, and by a day at most
        at += timedelta(minutes=1)
    return ms_of(at), True


def _exists(at: datetime) -> bool:
    return at.astimezone(UTC).astimezone(at.tzinfo).replace(tzinfo=None) == at.replace(tzinfo=None)


def days_after(start: Ms, days: int, zone: str) -> Ms:
    """PL-494 The same local time so many days later."""
    return instant_of(local(start, zone).replace(tzinfo=None) + timedelta(days=days), zone)[0]


def played(begin: Ms, end: Ms, hours: Hours | None) -> Ms:
    """PL-493 How much playing time lies between two instants; below zero where they come the other way round."""
    if hours is None:
        return end - begin
    if end < begin:
        return -played(end, begin, hours)
    total = 0
    for opens, closes in _windows(begin, hours):
        if opens >= end:
            return total
        total += max(0, min(closes, end) - max(opens, begin))
    raise OverflowError("time ends before that")


def after(start: Ms, span: Ms, hours: Hours | None) -> Ms:
    """PL-493, PL-495 The instant at which so much playing time is used up; of a span below zero, at which it had yet to come."""
    if hours is None or span == 0:
        return start + span
    if span < 0:
        return _before(start, -span, hours)
    for opens, closes in _windows(start, hours):
        begins = max(opens, start)
        if span <= closes - begins:
            return begins + span
        span -= max(0, closes - begins)
    raise OverflowError("time ends before that")


def _before(end: Ms, span: Ms, hours: Hours) -> Ms:
    for opens, closes in _windows(end, hours, -1):
        ends = min(closes, end)
        if span <= ends - opens:
            return ends - span
        span -= max(0, ends - opens)
    raise OverflowError("time begins after that")


def _windows(at: Ms, hours: Hours, step: int = 1) -> Iterator[tuple[Ms, Ms]]:
    """The windows of day after day, or the days before, from the first one on that may hold this instant."""
    day = local(at, hours.zone).date() - step * DAY
    while date.min < day < date.max:
        yield _window(day, hours)
        day += step * DAY


@lru_cache(maxsize=4096)
def _window(day: date, hours: Hours) -> tuple[Ms, Ms]:
    opens, closes = time.fromisoformat(hours.opens), time.fromisoformat(hours.closes)
    until = day + DAY if closes <= opens else day
    return instant_of(datetime.combine(day, opens), hours.zone)[0], instant_of(datetime.combine(until, closes), hours.zone)[0]
