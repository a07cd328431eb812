"""Does a broken rule stop its own match only, and does an operator get it going again?"""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from threading import Event

import pytest

from shared.kernel.game import Refused
from shared.runtime.stuck import release
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.commands import Throw
from tests.laws.pebbles.content import FOLDER, Words
from tests.laws.pebbles.game import GAME
from tests.laws.pebbles.rules import heaps
from tests.ledger import rule
from tests.turn.test_pipeline import DONE, REST, Killed, killed_at

BURST = {"do": "throw", "dice": 3}
CLOCK = {"preset": "quick", "no_show_ms": 60_000}


def burst(table, seat, command, dice):
    """A rule with a bug: three dice are too many for it."""
    if command.dice == 3:
        raise ZeroDivisionError("three dice")
    heaps.throw(table, seat, command, dice)


BROKEN = replace(GAME, rules={**GAME.rules, Throw: burst})


@pytest.fixture
def broken(settings):
    worker = Worker(BROKEN, settings)
    yield worker
    worker.database.close()


@pytest.fixture
def stuck(hall, broken) -> str:
    match = hall.match(3, clock=CLOCK)
    broken.look()
    hall.post(match, 0, 1, BURST)
    broken.look()
    return match


@rule("EX-31", "PL-332", "PL-651", "PL-652", "PL-104")
def test_a_poison_command_beside_four_other_matches(settings, hall, broken):
    matches = [hall.match(3) for _ in range(5)]
    broken.look()
    poisoned, *others = matches
    hall.post(poisoned, 0, 1, BURST)
    for seat in (1, 2):
        hall.post(poisoned, seat, 1, {"do": "name_heap", "name": f"Beck {seat}"})
    for match in others:
        hall.post(match, 0, 1, REST)
    broken.look()
    assert [hall.outcomes(match)[-1] for match in others] == [DONE] * 4
    assert hall.outcomes(poisoned)[1:] == [(None, None)] * 3
    assert hall.state(poisoned) == "stuck"
    assert hall.one("SELECT count, last_error FROM attempts WHERE count > 0") == {"count": 4, "last_error": "ZeroDivisionError"}
    release(broken.database, poisoned, "set_aside", "operator", "a rule is broken")
    broken.look()
    assert hall.outcomes(poisoned)[1:] == [("failed", "internal"), DONE, DONE, DONE]      # the last one tells the clocks
    assert [step["arrival"] for step in hall.steps(poisoned)] == [1, 3, 4, 5]


@rule("PL-652")
def test_the_clocks_of_a_stuck_match_stop_and_it_takes_nothing(settings, hall, broken, watch, stuck):
    assert hall.one("SELECT count(*) AS due FROM asks WHERE due_at IS NOT NULL")["due"] == 0
    hall.connection.execute("UPDATE timers SET due_at = now() - interval '1 hour'")
    watch.end_timers()
    watch.time_out()
    assert len(hall.outcomes(stuck)) == 2
    assert hall.post(stuck, 1, 1, {"do": "name_heap", "name": "Beck"})["code"] == "match_stuck"
    assert broken.look() == 0
    row = hall.one("SELECT arrival, error FROM stuck_matches")
    assert (row["arrival"], row["error"]) == (2, "ZeroDivisionError")


@rule("PL-653")
def test_clocks_go_on_with_the_time_they_had(settings, hall, worker, stuck):
    hall.connection.execute("UPDATE stuck_matches SET since = since - interval '100 seconds'")
    before = json.loads(hall.one("SELECT house FROM match_states")["house"])["asks"]["0"]["due"]
    no_show = hall.one("SELECT due_at FROM timers")["due_at"]
    release(worker.database, stuck, "retry", "operator", "the rule is mended")
    after = json.loads(hall.one("SELECT house FROM match_states")["house"])["asks"]["0"]["due"]
    assert 100_000 <= after - before < 110_000
    assert int(hall.asks(stuck)[0]["due_at"].timestamp() * 1000) == after
    assert (hall.one("SELECT due_at FROM timers")["due_at"] - no_show).total_seconds() == pytest.approx((after - before) / 1000)
    worker.look()
    assert hall.outcomes(stuck) == [DONE, DONE]
    assert hall.state(stuck) == "running"


@rule("PL-653")
def test_a_stuck_match_is_voided(settings, hall, worker, stuck):
    release(worker.database, stuck, "void", "operator", "nobody knows why")
    worker.look()
    assert hall.outcomes(stuck) == [DONE, ("failed", "internal"), DONE]
    assert hall.state(stuck) == "voided"


@rule("PL-653", "PL-231")
def test_a_match_that_got_stuck_at_its_start_is_voided(settings, hall, worker):
    match = hall.match(2)
    hall.connection.execute("UPDATE matches SET state = 'stuck'")
    hall.connection.execute("INSERT INTO stuck_matches (match_id, arrival, error) VALUES (%s, 1, 'x')", (match,))
    release(worker.database, match, "void", "operator", "nobody knows why")
    worker.look()
    assert (hall.state(match), hall.outcomes(match)) == ("voided", [("failed", "internal")])
    assert [row["topic"] for row in hall.all("SELECT topic FROM outbox")] == ["match.voided"]


@rule("PL-653", "PL-497")
def test_everybody_is_told_the_clocks_with_which_a_match_goes_on(settings, hall, worker, stuck):
    hall.connection.execute("UPDATE stuck_matches SET since = since - interval '50 seconds'")
    before = json.loads(hall.one("SELECT clocks FROM views")["clocks"])["seats"][0]["due_at"]
    release(worker.database, stuck, "set_aside", "operator", "a bug in the rules")
    worker.look()
    told = json.loads(hall.one("SELECT clocks FROM views")["clocks"])["seats"][0]["due_at"]
    assert datetime.fromisoformat(told) == hall.asks(stuck)[0]["due_at"]
    assert (datetime.fromisoformat(told) - datetime.fromisoformat(before)).total_seconds() >= 50


@rule("PL-653", "PL-158")
def test_each_release_is_audited_and_given_once(settings, hall, worker, stuck):
    with pytest.raises(Refused, match="reason_missing"):
        release(worker.database, stuck, "retry", "operator", "no")
    with pytest.raises(Refused, match="not_offered"):
        release(worker.database, stuck, "delete", "operator", "a good reason")
    release(worker.database, stuck, "retry", "operator", "a good reason")
    with pytest.raises(Refused, match="wrong_state"):
        release(worker.database, stuck, "retry", "operator", "a good reason")
    (row,) = hall.all('SELECT who, what, "on", reason FROM audit')
    assert row == {"who": "operator", "what": "match.release.retry", "on": stuck, "reason": "a good reason"}
    assert hall.one("SELECT action, released_by FROM stuck_matches") == {"action": "retry", "released_by": "operator"}


@rule("PL-653", "PL-243")
def test_a_pause_in_which_a_match_got_stuck_is_over_with_its_release(settings, hall, broken, worker):
    match = hall.match(2, clock=CLOCK)
    hall.own(match, "order", body={"kind": "pause", "by": "referee"})
    broken.look()
    hall.connection.execute("UPDATE matches SET state = 'stuck'")
    hall.connection.execute("INSERT INTO stuck_matches (match_id, arrival, error) VALUES (%s, 9, 'x')", (match,))
    house = json.loads(hall.one("SELECT house FROM match_states")["house"])
    hall.connection.execute("UPDATE match_states SET house = %s", (json.dumps(house | {"paused": house["paused"] - 50_000}),))
    release(worker.database, match, "retry", "operator", "a good reason")
    after = json.loads(hall.one("SELECT house FROM match_states")["house"])
    assert after["paused"] is None
    assert 50_000 <= after["asks"]["0"]["due"] - house["asks"]["0"]["due"] < 55_000


@rule("PL-651")
def test_an_attempt_counts_before_it_begins_so_that_kills_count(settings, hall, worker):
    match = hall.match(2)
    worker.look()
    hall.post(match, 0, 1, REST)
    hall.aged(match, 6)
    for attempt in (1, 2, 3):
        dying = Worker(GAME, settings, killed_at("before_commit"))
        with pytest.raises(Killed):
            dying.look()
        dying.database.close()
        assert hall.one("SELECT count FROM attempts")["count"] == attempt
    worker.look()
    assert hall.state(match) == "stuck"
    assert hall.one("SELECT error FROM stuck_matches")["error"] == "killed"


@rule("PL-651", "PL-652")
def test_rows_that_are_only_old_are_carried_out(settings, hall, worker):
    match = hall.match(3)
    worker.look()
    for seat, command in ((1, {"do": "name_heap", "name": "Beck"}), (0, REST)):
        hall.post(match, seat, 1, command)
    hall.aged(match, 40)
    worker.look()
    assert hall.outcomes(match) == [DONE] * 3
    assert hall.all("SELECT FROM stuck_matches") == []


@rule("PL-652", "PL-338")
def test_many_workers_at_one_old_row_count_no_attempts_that_did_not_fail(settings, hall, worker):
    matches = [hall.match(2) for _ in range(6)]
    worker.look()
    for match in matches:
        hall.post(match, 0, 1, REST)
        hall.aged(match, 40)
    workers = [Worker(GAME, settings) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda one: one.look(), workers))
    worker.look()
    assert [hall.outcomes(match)[-1] for match in matches] == [DONE] * 6
    assert hall.one("SELECT max(count) AS most FROM attempts")["most"] == 1
    for one in workers:
        one.database.close()


@rule("PL-652", "PL-339")
def test_a_match_held_by_a_frozen_worker_is_not_taken_for_a_broken_one(settings, hall, worker):
    settings = replace(settings, idle_in_transaction=5.0, lock_timeout=1.0)
    match, other = hall.match(2), hall.match(2)
    worker.look()
    holding, go_on = Event(), Event()

    def point(name: str) -> None:
        if name == "before_commit":
            holding.set()
            go_on.wait(10)

    frozen, awake = Worker(GAME, settings, point), Worker(GAME, settings)
    hall.post(match, 0, 1, REST)
    with ThreadPoolExecutor(1) as pool:
        sleeper = pool.submit(frozen.look)
        assert holding.wait(5)
        hall.post(match, 1, 1, {"do": "name_heap", "name": "Beck"})
        hall.connection.execute("UPDATE inbox SET accepted_at = accepted_at - interval '20 seconds' WHERE match_id = %s AND arrival = 3", (match,))
        hall.post(other, 0, 1, REST)
        with pytest.raises(Exception, match="lock timeout"):
            awake.look()
        assert hall.outcomes(other)[-1] == DONE
        assert hall.all("SELECT FROM attempts") == []
        go_on.set()
        sleeper.result(10)
    assert hall.outcomes(match)[1] == DONE
    frozen.database.close()
    awake.database.close()


@rule("PL-332", "PL-651")
@pytest.mark.parametrize("fault", ["view", "text", "words"])
def test_a_bug_in_what_readers_are_told_stops_its_own_match_only(settings, hall, worker, fault):
    other, match = hall.match(2), hall.match(2)
    worker.look()

    def look(state, seat):
        if fault == "view" and state.faces:
            raise KeyError("faces")
        return GAME.look(state, seat)

    def text(view, words):
        return words.sections["labels"]["nothing"] if fault == "text" and view.faces else GAME.text(view, words)

    if fault == "words":
        game = replace(GAME, words={name: _without(words) for name, words in GAME.words.items()})
    else:
        game = replace(GAME, look=look, text=text)
    one = Worker(game, settings)
    hall.post(match, 0, 1, {"do": "throw", "dice": 1})
    hall.post(other, 0, 1, REST)
    one.look()
    assert hall.outcomes(other)[-1] == DONE
    assert hall.outcomes(match)[-1] == (None, None)
    assert hall.state(match) == "stuck"
    one.database.close()


def _without(words):
    fewer = Words(FOLDER / "words" / "en.toml")
    del fewer.sections["log"]["threw"]
    return fewer


@rule("PL-332")
def test_rows_that_postgres_refuses_stop_their_own_match_only(settings, hall: Hall, worker):
    matches = [hall.match(2) for _ in range(3)]
    worker.look()
    for match in matches:
        hall.post(match, 0, 1, REST)
    hall.connection.execute("INSERT INTO letters VALUES (%s, 2, now(), '{}', '')", (matches[1],))
    worker.look()
    assert [hall.outcomes(match)[-1] for match in matches] == [DONE, (None, None), DONE]
    assert hall.one("SELECT match_id, error FROM stuck_matches") == {"match_id": matches[1], "error": "UniqueViolation"}
    hall.connection.execute("DELETE FROM letters WHERE step = 2 AND match_id = %s", (matches[1],))
