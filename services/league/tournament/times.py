"""When is it? Local times, spans and the instants they mean."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import available_timezones

from shared.runtime.turn import hours as hours_

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
SPAN = re.compile(r"(\d{1,6}) (second|minute|hour|day|week)s?")
LOCAL = "%Y-%m-%dT%H:%M"
ELAPSED = {"second": SECOND, "minute": MINUTE, "hour": HOUR}
LAST_YEAR = 9_000
FIRST_YEAR = 1970


@cache
def zones() -> frozenset[str]:
    """Read once: the list is on disk."""
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    return name in zones()


def is_local(text: str) -> bool:
    """Whether this is a local time, to the minute, in years in which every zone and every span still has an instant."""
    try:
        year = datetime.strptime(text, LOCAL).year  # noqa: DTZ007 the zone stands beside it
    except ValueError:
        return False
    return FIRST_YEAR <= year < LAST_YEAR


def is_clock(text: str) -> bool:
    """Whether this is a time of day."""
    return is_local(f"2000-01-01T{text}")


def parts(span: str) -> tuple[int, str] | None:
    """How many of which unit, or None if this is no span."""
    found = SPAN.fullmatch(span)
    return (int(found[1]), found[2]) if found else None


def length(span: str) -> int:
    """The usual length in milliseconds: what limits are compared with, and what a span of hours or minutes is."""
    count, unit = parts(span) or (0, "second")
    return count * {**ELAPSED, "day": DAY, "week": 7 * DAY}[unit]


def instant(local: str, zone: str) -> tuple[int, bool]:
    """LG-873, LG-874 The instant of a local time, and whether it had to be moved because it does not exist."""
    return hours_.instant_of(datetime.strptime(local, LOCAL), zone)  # noqa: DTZ007 the zone stands beside it


def after(start: int, span: str, zone: str) -> int:
    """LG-876, LG-877 Days and weeks end at the same local time on the later date; hours and minutes are elapsed time."""
    count, unit = parts(span) or (0, "second")
    return start + count * ELAPSED[unit] if unit in ELAPSED else hours_.days_after(start, count * (7 if unit == "week" else 1), zone)


def within_hours(start: int, span: int, hours: tuple[str, str], zone: str) -> int:
    """LG-882 The instant at which so much playing time is used up; a window may reach over midnight."""
    return hours_.after(start, span, hours_.Hours(*hours, zone))


def repeated(first: str, every: str, number: int, zone: str) -> int:
    """LG-875 The start of a repeated round, counted from 1: the local time stays over a change of the clock."""
    count, unit = parts(every) or (0, "second")
    if unit in ELAPSED:
        return instant(first, zone)[0] + (number - 1) * length(every)
    wall = datetime.strptime(first, LOCAL) + timedelta(days=(number - 1) * count * (7 if unit == "week" else 1))  # noqa: DTZ007
    return instant(wall.strftime(LOCAL), zone)[0]
