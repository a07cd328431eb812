"""Who is reminded of an answer that is due soon, and when not?"""

import pytest

from shared.runtime.stuck import release
from tests.ledger import rule
from tests.turn.test_pipeline import REST

HOUR = 3_600_000
SLOW = {"preset": "none", "limit_ms": 4 * HOUR}


@pytest.fixture
def match(hall, worker) -> str:
    match = hall.match(2, clock=SLOW)
    worker.look()
    return match


def earlier(hall, match: str, seconds: float) -> None:
    hall.back_dated(match, seconds)
    hall.connection.execute("UPDATE asks SET remind_at = remind_at - %s * interval '1 second' WHERE match_id = %s", (seconds, match))


def told(hall) -> list[tuple[str, int]]:
    return [(row["match_id"], row["facts"]["seat"]) for row in hall.all("SELECT * FROM notices WHERE kind = 'answer_due' ORDER BY notice")]


@rule("PL-578", "PL-576")
def test_a_seat_is_reminded_once_when_a_quarter_of_its_time_is_left(hall, watch, worker, match):
    ask = hall.asks(match)[0]
    assert (ask["due_at"] - ask["remind_at"]).total_seconds() == 3600
    earlier(hall, match, 3 * 3600 - 60)
    watch.round()
    assert told(hall) == []
    earlier(hall, match, 120)
    watch.round()
    watch.round()
    assert told(hall) == [(match, 0)]
    assert hall.asks(match)[0]["remind_at"] is None
    assert hall.one("SELECT count(*) AS rows FROM inbox WHERE kind = 'timeout'")["rows"] == 0
    hall.own(match, "order", body={"kind": "extend", "by": "referee", "ms": 4 * HOUR})
    worker.look()
    assert hall.asks(match)[0]["remind_at"] is not None      # its timer is wound again with the due time, and the notice is one
    earlier(hall, match, 4 * 3600)
    watch.round()
    assert told(hall) == [(match, 0)]


@rule("PL-578", "PL-486")
def test_a_reminder_vanishes_with_its_ask_and_in_a_pause(hall, watch, worker, match):
    hall.post(match, 0, 1, REST)
    earlier(hall, match, 3 * 3600 + 60)
    watch.round()
    assert told(hall) == []                                 # the answer is on its way
    worker.look()
    watch.round()
    assert told(hall) == []
    hall.own(match, "order", body={"kind": "pause", "by": "referee"})
    worker.look()
    assert hall.asks(match)[0]["remind_at"] is None


@rule("PL-578")
@pytest.mark.parametrize("clock", [{"preset": "quick"}, {**SLOW, "reminder_ms": 0}, {"preset": "none"}])
def test_no_reminder_where_time_is_short_or_the_match_wants_none(hall, worker, clock):
    match = hall.match(2, clock=clock)
    worker.look()
    assert hall.asks(match)[0]["remind_at"] is None


@rule("PL-578")
def test_programs_need_no_reminder(hall, watch, worker, match):
    hall.connection.execute("UPDATE accounts SET kind = 'bot'")
    earlier(hall, match, 3 * 3600 + 60)
    watch.round()
    assert (told(hall), hall.asks(match)[0]["remind_at"]) == ([], None)


@rule("PL-493", "PL-653")
def test_a_match_that_stood_is_released_with_the_playing_time_it_had_left(hall, watch, worker):
    """The hours are those in which it does not stand: it stood outside of them."""
    now = hall.one("SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::integer AS hour")["hour"]
    match = hall.match(2, clock={**SLOW, "hours": {"opens": f"{(now + 12) % 24:02}:00", "closes": f"{(now + 16) % 24:02}:00", "zone": "UTC"}})
    worker.look()
    due = hall.asks(match)[0]["due_at"]
    hall.connection.execute("UPDATE matches SET state = 'stuck' WHERE match_id = %s", (match,))
    hall.connection.execute("INSERT INTO stuck_matches (match_id, arrival, error, since) VALUES (%s, 1, 'a test', now() - interval '2 hours')", (match,))
    release(watch.database, match, "retry", "a-1", "a test of hours")
    assert hall.asks(match)[0]["due_at"] == due


@rule("PL-504", "PL-653")
def test_a_holiday_that_began_while_a_match_stood_counts_from_its_release(hall, watch, worker, match):
    due = hall.asks(match)[0]["due_at"]
    hall.connection.execute("UPDATE matches SET state = 'stuck' WHERE match_id = %s", (match,))
    hall.connection.execute("INSERT INTO stuck_matches (match_id, arrival, error, since) VALUES (%s, 1, 'a test', now() - interval '2 hours')", (match,))
    now = int(hall.one("SELECT extract(epoch FROM now()) * 1000 AS now")["now"])
    hall.own(match, "order", body={"kind": "holiday", "by": "account", "target": 0, "at": now - HOUR, "until": now + 3 * HOUR})
    release(watch.database, match, "retry", "a-1", "a test of holidays")
    worker.look()
    assert (hall.asks(match)[0]["due_at"] - due).total_seconds() == pytest.approx(5 * 3600, abs=5)
