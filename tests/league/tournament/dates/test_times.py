"""When is it? Local times, spans and repeated rounds, as the ledger's examples have them."""

from datetime import datetime

import pytest

from services.league.tournament import times
from tests.ledger import rule


def ms(text):
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@rule("LG-874", "E-40")
@pytest.mark.parametrize(("local", "zone", "instant", "moved"), [
    ("2027-03-14T02:15", "America/New_York", "2027-03-14T07:00+00:00", True),
    ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30+00:00", False),
    ("2026-10-04T02:10", "Australia/Lord_Howe", "2026-10-03T15:30+00:00", True),
    ("2026-06-30T19:30", "Europe/Rome", "2026-06-30T17:30+00:00", False),
])
def test_local_times_that_are_missing_or_occur_twice(local, zone, instant, moved):
    assert times.instant(local, zone) == (ms(instant), moved)


@rule("LG-875", "E-41")
def test_a_repeated_round_keeps_its_local_time():
    found = [times.repeated("2027-03-06T19:30", "1 week", number, "America/New_York") for number in (1, 2, 3)]
    assert found == [ms("2027-03-07T00:30+00:00"), ms("2027-03-14T00:30+00:00"), ms("2027-03-20T23:30+00:00")]
    assert times.repeated("2027-03-06T19:30", "24 hours", 2, "America/New_York") - found[0] == times.DAY


@rule("LG-876", "LG-877", "E-42")
def test_days_end_at_the_same_local_time_and_hours_are_elapsed():
    start = ms("2027-03-13T18:00-05:00")
    assert times.after(start, "2 days", "America/New_York") == ms("2027-03-15T22:00+00:00")
    assert times.after(start, "48 hours", "America/New_York") == ms("2027-03-15T23:00+00:00")
    assert times.after(start, "90 seconds", "UTC") == start + 90_000
    assert times.after(ms("2027-03-13T02:30-05:00"), "1 day", "America/New_York") == ms("2027-03-14T03:00-04:00")


@pytest.mark.parametrize("text", ["", "soon", "2 fortnights", "-1 day", "1.5 hours", "9999999 days"])
def test_what_is_no_span(text):
    assert times.parts(text) is None
    assert times.length(text) == 0


def test_what_is_a_local_time_or_a_zone():
    assert times.is_local("2027-03-06T19:30")
    assert not times.is_local("2027-03-06 19:30:11")
    assert times.is_zone("Europe/Rome")
    assert not times.is_zone("Europe/Nowhere")


@rule("LG-882", "E-43")
@pytest.mark.parametrize(("start", "span", "hours", "zone", "end"), [
    ("2026-09-04T17:00+02:00", "10 hours", ("09:00", "21:00"), "Europe/Rome", "2026-09-05T15:00+02:00"),
    ("2026-11-01T01:00-04:00", "270 minutes", ("01:00", "05:00"), "America/New_York", "2026-11-01T09:30+00:00"),
    ("2026-09-04T23:00+02:00", "1 hour", ("22:00", "02:00"), "Europe/Rome", "2026-09-05T00:00+02:00"),
    ("2026-09-05T01:00+02:00", "2 hours", ("22:00", "02:00"), "Europe/Rome", "2026-09-05T23:00+02:00"),
    ("2026-09-04T12:00+02:00", "12 hours", ("09:00", "21:00"), "Europe/Rome", "2026-09-05T12:00+02:00"),
])
def test_playing_time_runs_between_opening_and_closing_only(start, span, hours, zone, end):
    assert times.within_hours(ms(start), times.length(span), hours, zone) == ms(end)
