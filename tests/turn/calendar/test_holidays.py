"""What does a holiday do to the clocks of a seat, and to nothing else? Also held against a model that counts minute by minute."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.runtime.turn.hours import instant_of
from shared.runtime.turn.letters import clocks
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of
from tests.turn.calendar.test_hours import DAY, HOUR, MINUTE, ROME, shown

SLOW = {"preset": "none", "limit_ms": 12 * HOUR}


def sat(**clock) -> Sitting:
    """A match by correspondence that begins on a Monday at ten in the morning in Rome."""
    sitting = Sitting(GAME, 2, options={"rounds": 2}, clock={**SLOW, **clock})
    sitting.now = instant_of(datetime.fromisoformat("2027-02-01T10:00"), "Europe/Rome")[0]
    return sitting.begun()


def rest_for(sitting: Sitting, ms: int, seat: int = 0, at: int | None = None):
    at = sitting.now if at is None else at
    return sitting.order("holiday", by="account", target=seat, at=at, until=at + ms)


@rule("PL-504", "PL-503")
def test_a_holiday_moves_the_open_due_time_and_all_are_told():
    sitting = sat()
    due, step = sitting.clock(0).due, sitting.match.step
    sitting.later(3600)
    assert facts_of(rest_for(sitting, 3 * DAY)) == ("carried_out", None)
    assert sitting.clock(0).due == due + 3 * DAY
    assert (sitting.match.step, sitting.steps[-1].act.kind) == (step + 1, "order")
    assert sitting.steps[-1].act.command.startswith(b'{"at":')
    assert b'"away_until":"2027-02-04T10:00:00.000Z"' in clocks(sitting.match, sitting.house)
    sitting.later(4 * 86_400)
    sitting.order("credit", **{"from": 0, "to": 0})
    assert b"away_until" not in clocks(sitting.match, sitting.house)


@rule("PL-504", "PL-498", "PL-483")
def test_who_answers_in_a_holiday_is_charged_up_to_its_beginning():
    sitting = sat(limit_ms=HOUR, bank_ms=5 * HOUR, bank_max_ms=5 * HOUR)
    sitting.later(3 * 3600)
    rest_for(sitting, 3 * DAY)
    sitting.later(86_400)
    sitting.act(0, "rest")
    assert sitting.house.banks[0] == 3 * HOUR
    sitting.act(1, "rest")
    assert sitting.clock(0).due == sitting.now + 2 * DAY + 4 * HOUR     # what is asked meanwhile counts from its end
    sitting.later(86_400)
    rest_for(sitting, 0)                                                # it ends a day sooner
    assert sitting.clock(0).due == sitting.now + 4 * HOUR
    sitting.later(2 * 3600)
    sitting.act(0, "hide", pebbles=[])
    assert sitting.house.banks[0] == 2 * HOUR


@rule("PL-504")
def test_a_holiday_that_ends_sooner_gives_the_rest_back():
    sitting = sat()
    due = sitting.clock(0).due
    sitting.later(3600)
    rest_for(sitting, 3 * DAY)
    sitting.later(86_400)
    rest_for(sitting, 0)
    assert sitting.clock(0).due == due + DAY
    assert sitting.house.counted_at(0, sitting.now) == sitting.now


@rule("PL-504", "PL-484", "PL-489")
def test_what_is_due_already_stays_due():
    sitting = sat()
    due = sitting.clock(0).due
    sitting.now = due + 1
    late = sitting.row("command", 0, 1, {"do": "rest"}, received=due - 5)
    holiday = sitting.row("order", body={"kind": "holiday", "by": "account", "target": 0, "at": due + 1, "until": due + DAY})
    sitting.take(holiday)
    assert sitting.clock(0).due == due
    assert facts_of(*sitting.take(late)) == ("carried_out", None)       # it came in time
    assert sitting.house.banks == (0, 0)
    other = sat()
    other.now = other.clock(0).due + 2_500
    rest_for(other, DAY)
    assert facts_of(other.give("timeout", 0, 1, received=other.clock(0).due)) == ("carried_out", None)
    assert other.house.timeouts == (1, 0)


@rule("PL-504")
@pytest.mark.parametrize("clock", [{"holidays": False}, {"limit_ms": 30 * MINUTE}, {"limit_ms": None, "preset": "quick"}])
def test_a_match_that_excludes_them_or_is_not_by_correspondence_knows_no_holidays(clock):
    sitting = sat(**clock)
    due = sitting.clock(0).due
    assert facts_of(rest_for(sitting, DAY)) == ("refused", "wrong_state")
    assert sitting.clock(0).due == due


@rule("PL-504", "PL-492")
def test_who_is_on_holiday_is_still_waited_for():
    sitting = sat(no_show_ms=DAY)
    due = sitting.house.no_show.due
    rest_for(sitting, 3 * DAY)
    assert sitting.house.no_show.due == due + 3 * DAY
    rest_for(sitting, DAY, seat=1)
    sitting.later(2 * 3600)
    rest_for(sitting, 0)
    assert sitting.house.no_show.due == due + DAY + 2 * HOUR


@rule("PL-504", "PL-546")
def test_a_seat_that_was_left_has_no_holidays():
    sitting = Sitting(GAME, 3, clock=SLOW).begun()
    sitting.give("resign", 0)
    assert facts_of(rest_for(sitting, DAY)) == ("refused", "wrong_state")


@rule("PL-504", "PL-493")
def test_holidays_and_playing_hours_stop_the_clock_together():
    sitting = sat(hours=ROME, limit_ms=10 * HOUR)
    assert shown(sitting.clock(0).due) == "Mon 20:00"
    sitting.later(2 * 3600)
    rest_for(sitting, DAY + 6 * HOUR)                                   # to Tuesday, six in the evening
    assert shown(sitting.clock(0).due) == "Wed 12:00"
    sitting.later(20 * 3600)
    rest_for(sitting, 0)                                                # ended on Tuesday at eight
    assert shown(sitting.clock(0).due) == "Tue 16:00"


@rule("PL-504", "PL-499")
def test_an_outage_is_credited_as_far_as_no_holiday_has_stopped_the_clock_anyhow():
    sitting = sat()
    due, begun = sitting.clock(0).due, sitting.now
    rest_for(sitting, DAY)
    sitting.later(2 * 86_400)
    sitting.order("credit", by="service", **{"from": begun + DAY // 2, "to": begun + DAY + 3 * HOUR})
    assert sitting.clock(0).due == due + DAY + 3 * HOUR


# Everything together -----------------------------------------------------------------------------------------------------

DEEDS = ("wait", "wait", "holiday", "home", "pause", "resume", "outage", "extend")
STORY = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(1, 3_000)), min_size=4, max_size=14)


class Model:
    """Every minute by itself: does the clock of seat 0 run in it?"""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting, self.begun = sitting, sitting.now
        self.stands: list[tuple[int, int]] = []     # stretches of time, each of which may be open
        self.home = self.paused = self.ordered = sitting.now
        self.given = 0

    def tell(self, deed: str, minutes: int) -> None:
        now, sitting = self.sitting.now, self.sitting
        resting, paused = self.home > now, sitting.state == "paused"
        match deed:
            case "holiday" if not resting:
                self.home = now + minutes * MINUTE
                self.stands.append((now, self.home))
                rest_for(sitting, minutes * MINUTE)
            case "home" if resting:
                self.home = now
                begin, _ = self.stands.pop(max(at for at, (_, end) in enumerate(self.stands) if end > now))
                self.stands.append((begin, now))
                rest_for(sitting, 0)
            case "pause" if not paused:
                self.paused = now
                sitting.order("pause", by="referee")
            case "resume" if paused:
                self.stands.append((self.paused, now))
                sitting.order("resume", by="referee")
            case "outage" if not paused and now - minutes * MINUTE > self.ordered:      # nothing is ordered while nobody is there
                self.stands.append((now - minutes * MINUTE, now))
                sitting.order("credit", by="service", **{"from": now - minutes * MINUTE, "to": now})
            case "extend" if not paused:
                self.given += minutes
                sitting.order("extend", by="referee", ms=minutes * MINUTE)
            case _:
                sitting.later(minutes * 60)
                return
        self.ordered = now

    def played(self, until: int, hours: bool) -> int:
        wall = {at: datetime.fromtimestamp(at / 1000, tz=ZoneInfo(ROME.zone)).hour for at in range(self.begun, until, MINUTE)} if hours else {}
        return sum((not hours or 8 <= wall[at] < 22) and not any(begin <= at < end for begin, end in self.stands)
                   for at in range(self.begun, until, MINUTE))


@rule("PL-498", "PL-504", "PL-493", "PL-503", "PL-243", "PL-499")
@settings(max_examples=60, derandomize=True)
@given(STORY, st.booleans())
def test_the_time_charged_is_the_time_in_which_nothing_stood_still(story, hours):
    bank = 60 * DAY
    sitting = sat(limit_ms=HOUR, bank_ms=bank, bank_max_ms=bank, **({"hours": ROME} if hours else {}))
    model = Model(sitting)
    for deed, minutes in story:
        model.tell(deed, minutes)
    model.tell("resume", 1)
    spent = model.played(sitting.now, hours) - model.given
    assert sitting.clock(0).due is not None
    assert facts_of(sitting.act(0, "rest")) == ("carried_out", None)
    assert sitting.house.banks[0] == bank - max(0, spent * MINUTE - HOUR)
