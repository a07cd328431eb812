"""What if a clock runs out, nobody comes, or the clocks themselves were away? The watch and its timers."""

import pytest

from shared.runtime.turn.writing import SQL
from shared.runtime.watch import Watch
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.turn.test_pipeline import DONE, HIDE, REST

QUICK = {"preset": "quick"}


@pytest.fixture
def match(hall, worker) -> str:
    match = hall.match(2, clock=QUICK)
    worker.look()
    return match


# Time-outs ---------------------------------------------------------------------------------------------------------------


@rule("PL-488", "PL-487")
def test_a_time_out_gets_its_row_after_the_grace_and_once(hall, watch, worker, match):
    hall.back_dated(match, 15 + 1.5)
    watch.time_out()
    assert len(hall.outcomes(match)) == 1
    hall.back_dated(match, 1)
    watch.time_out()
    watch.time_out()
    assert hall.outcomes(match)[1:] == [(None, None)]
    worker.look()
    assert [(step["kind"], step["automatic"]) for step in hall.steps(match)[1:]] == [("timeout", True)]


@rule("PL-489", "EX-8")
def test_a_command_in_time_makes_its_time_out_impossible(hall, watch, worker, match):
    hall.post(match, 0, 1, REST)
    hall.back_dated(match, 60)
    watch.time_out()
    assert len(hall.outcomes(match)) == 2
    hall.connection.execute("UPDATE inbox SET received_at = received_at - interval '61 seconds' WHERE outcome IS NULL")
    worker.look()
    assert [step["kind"] for step in hall.steps(match)] == ["start", "command"]


@rule("PL-488", "PL-503")
def test_no_time_out_passes_an_order_that_waits(hall, watch, worker, match):
    hall.back_dated(match, 60)
    hall.own(match, "order", body={"kind": "extend", "by": "referee", "ms": 600_000})
    watch.time_out()
    assert len(hall.outcomes(match)) == 2
    worker.look()
    watch.time_out()
    assert hall.outcomes(match) == [DONE, DONE]


@rule("EX-9", "PL-490")
def test_two_silent_seats_time_out_in_seat_order(hall, watch, worker):
    match = hall.match(4, clock=QUICK)
    worker.look()
    for seat in range(4):
        hall.post(match, seat, hall.one("SELECT ask FROM asks WHERE match_id = %s AND seat = %s", match, seat)["ask"], REST)
        worker.look()
    for seat in (1, 2):
        hall.post(match, seat, hall.one("SELECT ask FROM asks WHERE match_id = %s AND seat = %s", match, seat)["ask"], HIDE)
    worker.look()
    hall.back_dated(match, 60)
    watch.time_out()
    worker.look()
    last = hall.steps(match)[-2:]
    assert [(step["kind"], step["seat"]) for step in last] == [("timeout", 0), ("timeout", 3)]
    assert sum("fist_opened" in step["events"] for step in hall.steps(match)) == 1


@rule("PL-500", "PL-800")
def test_whatever_was_due_is_given_once_oldest_first_however_long_the_stop(hall, watch, worker):
    matches = [hall.match(2, clock=QUICK) for _ in range(4)]
    worker.look()
    for number, match in enumerate(matches):
        hall.back_dated(match, 600 + 60 * number)
    for _ in range(2):
        watch.round()
    worker.look()
    order = hall.all("SELECT match_id, received_at, accepted_at FROM inbox WHERE kind = 'timeout' ORDER BY accepted_at")
    assert [row["match_id"] for row in order] == matches[::-1]
    assert all((row["accepted_at"] - row["received_at"]).total_seconds() > 500 for row in order)
    assert [len(hall.steps(match)) for match in matches] == [2] * 4


@rule("PL-502", "PL-486")
def test_a_phase_ends_when_its_timer_is_due(hall, watch, worker, match):
    for seat, ask in ((0, 1), (1, 2)):
        hall.post(match, seat, ask, REST)
        worker.look()
    for seat in (0, 1):
        hall.post(match, seat, 3, HIDE)
    worker.look()
    (timer,) = hall.all("SELECT * FROM timers WHERE match_id = %s", match)
    assert timer["kind"] == "phase"
    watch.end_timers()
    assert hall.steps(match)[-1]["kind"] == "command"
    hall.back_dated(match, 6)
    watch.end_timers()
    worker.look()
    assert hall.steps(match)[-1]["kind"] == "phase"
    assert hall.all("SELECT FROM timers WHERE match_id = %s", match) == []


@rule("PL-492", "PL-486")
def test_who_has_not_come_by_the_no_show_time_is_out(hall, watch, worker):
    match = hall.match(2, clock=QUICK | {"no_show_ms": 30_000})
    worker.look()
    hall.post(match, 0, 1, REST)
    worker.look()
    hall.back_dated(match, 35)
    hall.own(match, "order", body={"kind": "extend", "by": "referee", "ms": 1000})
    watch.end_timers()
    assert hall.one("SELECT count(*) AS rows FROM inbox WHERE kind = 'no_show'")["rows"] == 0
    worker.look()
    watch.end_timers()
    worker.look()
    assert [(row["seat"], row["place"], row["how"]) for row in hall.all("SELECT * FROM result_seats ORDER BY seat")] == [(0, 1, "played"), (1, 2, "no_show")]
    assert hall.one("SELECT rated FROM results")["rated"] is False


@rule("PL-244")
def test_a_pause_ends_by_itself(hall, watch, worker, match):
    hall.own(match, "order", body={"kind": "pause", "by": "host"})
    worker.look()
    assert hall.state(match) == "paused"
    assert hall.asks(match)[0]["due_at"] is None
    hall.connection.execute("UPDATE timers SET due_at = now() - interval '1 second' WHERE kind = 'pause'")
    watch.end_timers()
    worker.look()
    assert hall.state(match) == "running"
    assert hall.asks(match)[0]["due_at"] is not None


@rule("PL-338", "PL-244", "PL-502")
def test_a_timer_that_two_watches_have_seen_comes_once(hall, watch, worker, match, monkeypatch):
    """The second watch has read the end of a pause, and comes to it when the match stands in its next one."""
    def pause() -> None:
        hall.own(match, "order", body={"kind": "pause", "by": "host"})
        worker.look()
    pause()
    hall.connection.execute("UPDATE timers SET due_at = now() - interval '1 second' WHERE kind = 'pause'")
    seen = watch.database.all(SQL.due_timers, game=GAME.name, version=GAME.version)
    watch.end_timers()
    worker.look()
    pause()
    monkeypatch.setattr(watch.database, "all", lambda *_, **__: seen)
    watch.end_timers()
    worker.look()
    assert hall.state(match) == "paused"


@rule("PL-241", "PL-239")
def test_a_match_that_is_about_to_start_does_not_expire(hall, watch, worker):
    match = hall.match(2)
    hall.connection.execute("UPDATE matches SET expires_at = now() - interval '1 second'")
    watch.expire()
    worker.look()
    assert hall.state(match) == "running"


@rule("PL-241")
def test_an_open_match_that_is_not_full_in_time_expires(hall, watch, worker):
    match = hall.match(2, start=False)
    hall.connection.execute("UPDATE matches SET expires_at = now() - interval '1 second'")
    watch.expire()
    watch.expire()
    assert hall.state(match) == "expired"
    assert [row["topic"] for row in hall.all("SELECT topic FROM outbox")] == ["match.expired"]
    hall.own(match, "start")
    worker.look()
    assert hall.outcomes(match) == [("moot", None)]


@rule("PL-240", "PL-239")
def test_a_planned_start_comes_once(hall, watch, worker):
    match = hall.match(2, start=False)
    hall.connection.execute("INSERT INTO timers VALUES (%s, 'planned_start', 0, now() - interval '1 second')", (match,))
    watch.end_timers()
    watch.end_timers()
    worker.look()
    assert hall.outcomes(match) == [DONE]


@rule("PL-241")
def test_a_planned_match_that_is_not_full_expires(hall, watch, worker):
    match = hall.match(2, start=False)
    hall.connection.execute("UPDATE seats SET kind = 'open', account_id = NULL WHERE match_id = %s AND seat = 1", (match,))
    hall.connection.execute("INSERT INTO timers VALUES (%s, 'planned_start', 0, now() - interval '1 second')", (match,))
    watch.end_timers()
    assert hall.state(match) == "expired"


@rule("PL-242")
def test_empty_seats_go_to_bots_at_the_planned_time_where_the_host_allowed_it(hall, watch, worker):
    match = hall.match(2, start=False)
    hall.connection.execute("UPDATE matches SET fill_with_bots = true WHERE match_id = %s", (match,))
    hall.connection.execute("UPDATE seats SET kind = 'open', account_id = NULL WHERE match_id = %s AND seat = 1", (match,))
    hall.connection.execute("INSERT INTO timers VALUES (%s, 'planned_start', 0, now() - interval '1 second')", (match,))
    watch.end_timers()
    worker.look()
    assert hall.state(match) == "running"
    assert hall.one("SELECT kind, bot_level FROM seats WHERE match_id = %s AND seat = 1", match) == {"kind": "bot", "bot_level": "random"}


# Outages ------------------------------------------------------------------------------------------------------------------


def pulse(hall, seconds_ago: float = 0) -> None:
    hall.connection.execute("INSERT INTO pulses VALUES ('gateway-1', 'gateway', now() - %s * interval '1 second') "
                            "ON CONFLICT (process) DO UPDATE SET at = excluded.at", (seconds_ago,))


@rule("EX-22", "PL-499")
def test_a_gap_of_all_pulses_is_credited_before_any_time_out(hall, watch, worker):
    """All asks are open since 08:00, the gap lasts from 09:12:00 to 09:19:30, and now it is 09:19:30."""
    clock = {"preset": "quick", "limit_ms": 90 * 60_000}
    long, short, charged = hall.match(2, clock=clock), hall.match(2, clock=clock), hall.match(2, clock=clock | {"policy": "charge"})
    worker.look()
    hall.back_dated(long, 90 * 60 - 630)                    # due at 09:30
    for match in (short, charged):
        hall.back_dated(match, 90 * 60 + 330)               # due at 09:14
    due = {match: hall.asks(match)[0]["due_at"] for match in (long, short, charged)}
    pulse(hall, 450)
    watch.round()
    assert hall.one("SELECT count(*) AS rows FROM inbox WHERE kind = 'timeout'")["rows"] == 0
    pulse(hall)
    other = Watch(GAME, watch.settings)
    for one in (watch, other, watch):
        one.round()
    worker.look()
    moved = [(hall.asks(match)[0]["due_at"] - due[match]).total_seconds() for match in (long, short)]
    assert moved == pytest.approx([450, 450], abs=3)
    assert [[step["kind"] for step in hall.steps(match)] for match in (long, short, charged)] == [["start", "order"]] * 2 + [["start", "timeout"]]
    assert hall.one("SELECT count(*) AS rows FROM outages")["rows"] == 1
    other.database.close()


@rule("PL-499", "PL-492")
def test_a_gap_of_all_pulses_makes_nobody_a_no_show(hall, watch, worker):
    match = hall.match(2, clock={"preset": "none", "no_show_ms": 300_000})
    worker.look()
    hall.back_dated(match, 460)
    for seconds_ago in (450, 0):
        pulse(hall, seconds_ago)
    watch.round()
    worker.look()
    assert (hall.state(match), hall.one("SELECT count(*) AS rows FROM inbox WHERE kind = 'no_show'")["rows"]) == ("running", 0)
    assert hall.one("SELECT extract(epoch FROM due_at - now())::float AS left FROM timers")["left"] == pytest.approx(290, abs=5)


@rule("PL-499")
def test_short_gaps_are_no_outage(hall, watch, worker, match):
    due = hall.asks(match)[0]["due_at"]
    pulse(hall, 30)
    pulse(hall)
    watch.round()
    assert hall.asks(match)[0]["due_at"] == due


@rule("PL-501")
@pytest.mark.parametrize(("jump", "credited"), [(-8.0, True), (8.0, False)])
def test_when_the_clock_jumps_time_outs_wait_and_a_jump_forward_is_credited(hall, watch, worker, match, jump, credited):
    watch.round()
    hall.back_dated(match, 9)
    due = hall.asks(match)[0]["due_at"]
    watch._distance += jump
    watch.round()
    hall.back_dated(match, 30)
    watch.round()
    assert hall.one("SELECT count(*) AS rows FROM inbox WHERE kind = 'timeout'")["rows"] == 0
    moved = (hall.asks(match)[0]["due_at"] - due).total_seconds() + 30
    assert moved == pytest.approx(8.0 if credited else 0.0, abs=0.5)
