"""Does time run in the playing hours alone, whatever the clocks of the zone do? Held against a model that counts minute by minute."""

from datetime import UTC, datetime, time, timedelta
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from shared.runtime.turn.clock import Clock, due_at, overlap, remind_at
from shared.runtime.turn.hours import Hours, after, days_after, hours_fault, instant_of, local, ms_of, played
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ROME = Hours("08:00", "22:00", "Europe/Rome")
FEW = settings(max_examples=25, deadline=None, derandomize=True)
CHANGES = {  # four days around a change of the clock
    "spring": ("Europe/Rome", "2027-03-26T12:00"), "autumn": ("Europe/Rome", "2026-10-23T12:00"),
    "half an hour": ("Australia/Lord_Howe", "2027-04-02T12:00"), "at midnight": ("America/Sao_Paulo", "2018-11-02T12:00"),
}


def ms(text: str) -> int:
    return ms_of(datetime.fromisoformat(text).replace(tzinfo=UTC))


# The naive model ---------------------------------------------------------------------------------------------------------


@lru_cache
def walls(change: str) -> list[datetime]:
    """What the clock on the wall shows, minute after minute."""
    zone, first = CHANGES[change]
    return [local(ms(first) + minute * MINUTE, zone).replace(tzinfo=None) for minute in range(4 * 1440)]


@lru_cache(maxsize=256)
def open_minutes(change: str, opens: str, closes: str) -> list[bool]:
    """A window is open from the first minute at which the wall shows its opening, or more, to the first that shows its closing, or more."""
    shown = walls(change)
    running = [False] * len(shown)
    days = sorted({wall.date() for wall in shown})
    for day in [days[0] - timedelta(days=1), *days]:
        begin = datetime.combine(day, time.fromisoformat(opens))
        end = datetime.combine(day + timedelta(days=closes <= opens), time.fromisoformat(closes))
        first, last = (next((at for at, wall in enumerate(shown) if wall >= edge), len(shown)) for edge in (begin, end))
        running[first:last] = [True] * max(0, last - first)
    return running


@st.composite
def cases(draw):
    change = draw(st.sampled_from(sorted(CHANGES)))
    opens, closes = (f"{draw(st.integers(0, 23)):02}:{draw(st.sampled_from((0, 1, 30, 59))):02}" for _ in range(2))
    begin = draw(st.integers(0, 3 * 1440))
    return change, opens, closes, begin, draw(st.integers(begin, 4 * 1440 - 1))


@rule("PL-493", "PL-494", "PL-498")
@FEW
@given(cases())
def test_playing_time_is_the_sum_of_the_minutes_in_which_a_window_is_open(case):
    change, opens, closes, begin, end = case
    if opens == closes:
        return
    zone, first = CHANGES[change]
    hours, running = Hours(opens, closes, zone), open_minutes(change, opens, closes)
    at = [ms(first) + minute * MINUTE for minute in range(4 * 1440 + 1)]
    minutes = sum(running[begin:end])
    assert played(at[begin], at[end], hours) == minutes * MINUTE
    assert played(at[end], at[begin], hours) == -minutes * MINUTE
    if minutes:
        assert after(at[begin], minutes * MINUTE, hours) == at[max(minute for minute in range(begin, end) if running[minute]) + 1]
        assert after(at[end], -minutes * MINUTE, hours) == at[min(minute for minute in range(begin, end) if running[minute])]


@rule("PL-493")
@FEW
@given(cases(), st.integers(1, 30 * DAY), st.integers(1, 5 * DAY))
def test_spans_of_playing_time_add_up_to_the_millisecond(case, span, more):
    change, opens, closes, begin, _ = case
    hours = Hours(opens, closes, CHANGES[change][0])
    if hours_fault(hours):
        return
    start = ms(CHANGES[change][1]) + begin * MINUTE
    due = after(start, span, hours)
    assert played(start, due, hours) == span
    assert after(due, more, hours) == after(start, span + more, hours)
    assert played(after(due, -span, hours), due, hours) == span
    assert played(start, due, hours) + played(due, due + more, hours) == played(start, due + more, hours)


@rule("PL-494")
def test_days_keep_their_local_time_and_a_time_that_is_missing_is_the_end_of_the_gap():
    assert days_after(ms("2027-03-26T17:00"), 3, "Europe/Rome") == ms("2027-03-29T16:00")
    assert days_after(ms("2027-03-27T01:30"), 1, "Europe/Rome") == ms("2027-03-28T01:00")
    assert instant_of(datetime.fromisoformat("2026-10-25T02:30"), "Europe/Rome") == (ms("2026-10-25T00:30"), False)


@rule("PL-493")
@pytest.mark.parametrize(("hours", "right"), [
    (ROME, True), (Hours("22:00", "02:00"), True), (Hours("08:00", "09:00"), True), (Hours("08:00", "08:59"), False), (Hours("08:00", "08:00"), False),
    (Hours("8 o'clock", "22:00"), False), (Hours("08:00", "24:00"), False), (Hours("08:00", "22:00", "Europe/Nowhere"), False),
])
def test_which_hours_there_may_be(hours, right):
    assert (hours_fault(hours) == "") == right


@rule("PL-495")
def test_a_window_without_an_end_never_closes_and_others_end_after_exactly_their_length():
    start = ms("2027-03-27T19:30")
    assert after(start, 9 * HOUR + 1, None) == start + 9 * HOUR + 1
    assert due_at(Clock(limit_ms=9 * HOUR), None, 0, start) is None
    assert due_at(Clock(limit_ms=9 * HOUR), 9 * HOUR, 0, start) == start + 9 * HOUR
    sitting = Sitting(GAME, 2).begun()
    sitting.later(3_000 * 86_400)
    assert sitting.clock(0).due is None
    assert facts_of(sitting.act(0, "rest")) == ("carried_out", None)


# Clocks -----------------------------------------------------------------------------------------------------------------


def sat(at: str, **clock) -> Sitting:
    """A match that begins at this time in Rome and is played from eight to ten."""
    sitting = Sitting(GAME, 2, options={"rounds": 2}, clock={"preset": "none", "limit_ms": 3 * HOUR, "hours": ROME, **clock})
    sitting.now = instant_of(datetime.fromisoformat(at), "Europe/Rome")[0]
    return sitting.begun()


def shown(at: int | None) -> str:
    return "never" if at is None else local(at, "Europe/Rome").strftime("%a %H:%M")


@rule("EX-20", "PL-493", "PL-497")
def test_the_due_time_is_computed_with_the_hours():
    sitting = sat("2027-02-01T21:10")
    assert shown(sitting.clock(0).due) == "Tue 10:10"
    sitting.later(9 * 3600)
    assert facts_of(sitting.act(0, "rest")) == ("carried_out", None)


@rule("PL-493", "PL-483", "PL-498")
def test_a_night_is_charged_to_nobody():
    sitting = sat("2027-02-01T21:10", limit_ms=HOUR, bank_ms=5 * HOUR, bank_max_ms=5 * HOUR)
    assert shown(sitting.clock(0).due) == "Tue 13:10"
    sitting.later(11 * 3600)                                    # ten minutes of the morning
    sitting.act(0, "rest")
    assert sitting.house.banks[0] == 5 * HOUR
    assert shown(sitting.clock(1).due) == "Tue 14:10"
    sitting.later(5 * 3600)
    sitting.act(1, "rest")
    assert sitting.house.banks == (5 * HOUR, HOUR)


@rule("PL-493", "PL-503", "PL-243", "PL-499")
def test_extensions_pauses_and_outages_move_due_times_by_playing_time():
    sitting = sat("2027-02-01T21:10")
    sitting.order("extend", by="referee", ms=30 * MINUTE)
    assert shown(sitting.clock(0).due) == "Tue 10:40"
    sitting.later(20 * 60)                                      # half past nine: a pause over night, to nine in the morning
    sitting.order("pause", by="referee")
    sitting.later(11.5 * 3600)
    sitting.order("resume", by="referee")
    assert shown(sitting.clock(0).due) == "Tue 12:10"
    evening, morning = (instant_of(datetime.fromisoformat(at), "Europe/Rome")[0] for at in ("2027-02-01T23:00", "2027-02-02T08:15"))
    sitting.order("credit", **{"from": evening, "to": morning})
    assert shown(sitting.clock(0).due) == "Tue 12:25"


@rule("PL-493", "PL-502", "PL-492")
def test_phases_and_the_wait_for_those_who_do_not_come_keep_the_hours():
    sitting = sat("2027-02-01T21:59", preset="quick", no_show_ms=2 * HOUR)
    assert shown(sitting.house.no_show.due) == "Tue 09:59"
    for seat in (0, 1):
        sitting.act(seat, "rest")
    for seat in (0, 1):
        sitting.act(seat, "hide", pebbles=[])
    sitting.later(59)
    assert sitting.house.phase.due == sitting.house.phase.opened + GAME.presets["quick"]["look"] * 1000


@rule("PL-499")
def test_an_outage_outside_the_hours_is_no_loss():
    night = ms("2027-02-01T22:00"), ms("2027-02-02T05:00")
    assert overlap(ms("2027-02-01T20:10"), ms("2027-02-02T09:10"), night, ROME) == 0
    assert overlap(ms("2027-02-01T20:10"), ms("2027-02-02T09:10"), night, None) == 7 * HOUR


@rule("PL-578")
@pytest.mark.parametrize(("clock", "left"), [
    (Clock(limit_ms=4 * HOUR), HOUR), (Clock(limit_ms=4 * HOUR, reminder_ms=20 * MINUTE), 20 * MINUTE), (Clock(limit_ms=4 * HOUR, reminder_ms=0), None),
    (Clock(limit_ms=30 * MINUTE), None),
])
def test_a_reminder_comes_when_a_quarter_of_the_time_is_left_or_as_the_match_says(clock, left):
    since = ms("2027-02-01T20:10")
    due = due_at(clock, clock.limit_ms, 0, since)
    assert remind_at(clock, since, due) == (left and due - left)
    assert remind_at(clock, since, None) is None
    if left:
        by_day = structs.replace(clock, hours=ROME)
        assert played(remind_at(by_day, since, after(since, 4 * HOUR, ROME)), after(since, 4 * HOUR, ROME), ROME) == left
