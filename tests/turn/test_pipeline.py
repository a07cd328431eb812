"""Is every accepted command carried out once and in order? Accepting and taking on real Postgres."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Event

import psycopg
import pytest

from shared.runtime.store import FateUnknown, Unavailable
from shared.runtime.turn.writing import SQL
from shared.runtime.worker import StepMoved, Worker, celery_app
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

REST, THROW, HIDE = {"do": "rest"}, {"do": "throw", "dice": 2}, {"do": "hide", "pebbles": []}
DONE = ("carried_out", None)


@pytest.fixture
def match(hall, worker) -> str:
    """Two seats, started."""
    match = hall.match(2)
    worker.look()
    return match


class Killed(BaseException):
    """What a kill -9 is to the code that it meets: no handler of exceptions sees it."""


def killed_at(point: str):
    def reached(name: str) -> None:
        if name == point:
            raise Killed
    return reached


# Accepting ------------------------------------------------------------------------------------------------------------


@rule("EX-1", "PL-103", "PL-321")
def test_accepted_and_carried_out(hall, worker, match):
    answer = hall.post(match, 0, 1, REST)
    assert (answer["code"], answer["arrival"]) == ("", 2)
    worker.look()
    assert hall.outcomes(match) == [DONE, DONE]
    assert hall.asks(match)[0]["ask"] == 2
    (letter,) = hall.all("SELECT * FROM letters WHERE match_id = %s AND step = 2", match)
    assert len(letter["bodies"]) == 3
    assert [json.loads(body)["step"] for body in letter["bodies"]] == [2, 2, 2]


@rule("EX-2", "PL-105", "EX-10")
def test_the_same_key_again_finds_its_row(hall, worker, match):
    first = hall.post(match, 0, 1, REST, key="a1")
    repeats = [hall.post(match, 0, 1, REST, key="a1")]
    worker.look()
    repeats += [hall.post(match, 0, 1, REST, key="a1") for _ in range(2)]
    assert {(row["arrival"], row["command_id"], row["replayed"]) for row in repeats} == {(first["arrival"], first["command_id"], True)}
    assert [row["outcome"] for row in repeats] == [None, "carried_out", "carried_out"]
    assert len(hall.steps(match)) == 2


@rule("EX-3")
def test_the_same_key_with_another_body_is_refused(hall, match):
    hall.post(match, 0, 1, REST, key="a1")
    assert hall.post(match, 0, 1, THROW, key="a1")["code"] == "key_reused"
    assert len(hall.outcomes(match)) == 2


@rule("EX-4", "PL-288", "PL-290", "PL-292")
def test_another_key_for_the_same_ask(hall, worker, match):
    hall.post(match, 0, 1, REST)
    assert hall.post(match, 0, 1, REST)["code"] == "ask_taken"
    worker.look()
    late = hall.post(match, 0, 1, REST)
    assert (late["code"], late["step"], late["match_state"]) == ("stale_ask", 2, "running")
    assert len(hall.outcomes(match)) == 2


@rule("EX-5", "PL-289", "PL-295")
def test_a_refusal_frees_the_ask(hall, worker, match):
    hall.post(match, 0, 1, {"do": "throw", "dice": 9})
    worker.look()
    hall.post(match, 0, 1, REST)
    worker.look()
    assert hall.outcomes(match) == [DONE, ("refused", "not_a_choice"), DONE]
    assert len(hall.steps(match)) == 2


@rule("PL-291", "PL-296")
def test_old_asks_and_asks_ahead_store_nothing(hall, worker, match):
    hall.post(match, 0, 1, REST)
    worker.look()
    assert [hall.post(match, 1, ask, REST)["code"] for ask in (1, 2, 3)] == ["stale_ask", "", "ask_ahead"]
    assert hall.post(match, 0, 1, REST)["code"] == "stale_ask"
    assert len(hall.outcomes(match)) == 3


@rule("PL-294")
def test_a_command_may_name_the_view_it_was_decided_on(hall, worker, match):
    hall.post(match, 1, 1, {"do": "name_heap", "name": "Beck"})
    worker.look()
    assert [hall.post(match, 0, 1, REST, seen=seen)["code"] for seen in (1, 2)] == ["changed_meanwhile", ""]


@rule("PL-297")
def test_another_persons_seat(hall, match):
    stranger = hall.account()
    assert hall.post(match, 0, 1, REST, account=stranger)["code"] == "not_your_seat"
    assert hall.post(match, 1, 1, REST, account=stranger)["code"] == "not_your_seat"


@rule("PL-298", "PL-322")
def test_of_parallel_posts_one_is_accepted(settings, hall, match):
    halls = [Hall(settings, GAME) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        codes = sorted(pool.map(lambda hall: hall.post(match, 0, 1, REST)["code"], halls))
    assert codes == ["", *["ask_taken"] * 5]
    for other in halls:
        other.close()


@rule("PL-322", "PL-306")
def test_a_transaction_that_is_rolled_back_takes_no_number(hall, match):
    with hall.connection.transaction(force_rollback=True):
        assert hall.post(match, 0, 1, REST)["arrival"] == 2
    assert hall.post(match, 0, 1, REST)["arrival"] == 2
    assert hall.post(match, 1, 1, {"do": "name_heap", "name": "Beck"})["arrival"] == 3


@rule("EX-8", "PL-293", "PL-323", "PL-325")
def test_the_receive_time_is_what_counts(hall, worker):
    match = hall.match(2, clock={"preset": "quick"})
    worker.look()
    hall.back_dated(match, 14)
    due = hall.asks(match)[0]["due_at"]
    assert hall.post(match, 0, 1, REST, received=due + timedelta(milliseconds=30))["code"] == "too_late"
    hall.back_dated(match, 30)
    due = hall.asks(match)[0]["due_at"]
    assert hall.post(match, 0, 1, REST, received=due - timedelta(milliseconds=100))["code"] == "unavailable"
    hall.back_dated(match, -28)
    due = hall.asks(match)[0]["due_at"]
    hall.post(match, 0, 1, REST, received=due - timedelta(milliseconds=340))
    assert hall.own(match, "timeout", 0, 1) is None
    worker.look()
    assert hall.outcomes(match)[-1] == DONE


@rule("PL-231", "PL-244")
@pytest.mark.parametrize(("state", "code"), [
    ("open", "wrong_state"), ("paused", "match_paused"), ("stuck", "match_stuck"), ("finished", "match_over"), ("voided", "match_over"),
])
def test_a_match_that_does_not_run_takes_no_command(hall, state, code):
    match = hall.match(2, start=False)
    hall.connection.execute("UPDATE matches SET state = %s WHERE match_id = %s", (state, match))
    assert hall.post(match, 0, 1, REST)["code"] == code
    hall.connection.execute("UPDATE matches SET state = 'open' WHERE match_id = %s", (match,))


@rule("PL-101", "PL-666")
def test_a_match_with_too_many_waiting_rows_is_busy(hall, match):
    hall.post(match, 0, 1, REST)
    assert hall.post(match, 1, 1, {"do": "name_heap", "name": "Beck"}, waiting=1)["code"] == "match_busy"


# Taking ---------------------------------------------------------------------------------------------------------------


@rule("EX-6", "PL-286", "PL-104")
def test_all_orders_of_secret_answers_give_the_same_state(hall, worker):
    ends = set()
    for order in itertools.permutations(range(3)):
        match = hall.match(3)
        worker.look()
        for seat in range(3):
            hall.post(match, seat, hall.one("SELECT ask FROM asks WHERE match_id = %s AND seat = %s", match, seat)["ask"], REST)
            worker.look()
        asks = {ask["seat"]: ask["ask"] for ask in hall.asks(match)}
        for seat in order:
            hall.post(match, seat, asks[seat], HIDE)
        worker.look()
        assert [step["seat"] for step in hall.steps(match)[-3:]] == list(order)
        view = json.loads(hall.one("SELECT bodies FROM views WHERE match_id = %s", match)["bodies"][0])
        ends.add(json.dumps(view))
    assert len(ends) == 1


@rule("PL-330", "PL-334")
def test_rows_that_come_meanwhile_are_taken_before_the_worker_rests(settings, hall, worker):
    match, posted = hall.match(3), []
    worker.look()

    def point(name: str) -> None:
        if name == "before_commit" and not posted:
            posted.append(hall.post(match, 2, 1, {"do": "name_heap", "name": "Beck"}))

    late = Worker(GAME, settings, point)
    hall.post(match, 0, 1, REST)
    late.look()
    assert posted[0]["code"] == ""
    assert hall.outcomes(match) == [DONE] * 3
    late.database.close()


@rule("PL-330")
def test_a_take_is_at_most_64_rows(settings, hall, match):
    points = []
    worker = Worker(GAME, settings, points.append)
    for _ in range(70):
        hall.post(match, 0, None, {"kind": "pause", "answer": "propose"}, kind="proposal", waiting=1000)
    worker.look()
    assert points.count("after_commit") == 2
    assert hall.outcomes(match) == [DONE] * 71
    worker.database.close()


@rule("PL-331", "PL-106", "EX-11")
@pytest.mark.parametrize(("point", "steps"), [("before_commit", 1), ("after_commit", 2), ("after_bell", 2)])
def test_a_worker_that_dies_leaves_all_or_nothing(settings, hall, worker, match, point, steps):
    hall.post(match, 0, 1, THROW)
    dying = Worker(GAME, settings, killed_at(point))
    with pytest.raises(Killed):
        dying.look()
    dying.database.close()
    assert len(hall.steps(match)) == steps
    tables = ("views", "letters", "steps")
    assert {hall.one(f"SELECT max(step) AS step FROM {table} WHERE match_id = %s", match)["step"] for table in tables} == {steps}
    worker.look()
    assert len(hall.steps(match)) == 2
    assert hall.outcomes(match) == [DONE, DONE]


@rule("PL-619", "EX-11")
def test_the_second_try_throws_the_same_dice(settings, hall, worker, match):
    seen = []

    class Peeping(Worker):
        def _write(self, transaction, sheet):
            seen.extend(step["draws"] for step in sheet.tables["steps"])
            super()._write(transaction, sheet)

    dying = Peeping(GAME, settings, killed_at("before_commit"))
    hall.post(match, 0, 1, THROW)
    with pytest.raises(Killed):
        dying.look()
    worker.look()
    assert seen == [hall.steps(match)[1]["draws"]]
    dying.database.close()


@rule("PL-106")
def test_nothing_of_a_step_is_read_before_its_commit(settings, hall, match):
    seen = []

    def point(name: str) -> None:
        if name == "before_commit":
            seen.append(hall.one("SELECT (SELECT max(step) FROM letters) AS letter, (SELECT count(*) FROM outbox) AS topics, "
                                 "(SELECT max(step) FROM views) AS view"))

    worker = Worker(GAME, settings, point)
    before = hall.one("SELECT count(*) AS topics FROM outbox")["topics"]
    hall.post(match, 0, None, {}, kind="resign")
    worker.look()
    assert seen == [{"letter": 1, "topics": before, "view": 1}]
    worker.database.close()


@rule("EX-12", "PL-339")
def test_a_frozen_worker_loses_its_lock_and_cannot_commit(settings, hall, match):
    settings = replace(settings, idle_in_transaction=1.0)
    frozen, thaw = Event(), Event()

    def point(name: str) -> None:
        if name == "before_commit":
            frozen.set()
            thaw.wait(20)

    one, other = Worker(GAME, settings, point), Worker(GAME, settings)
    hall.post(match, 0, 1, THROW)
    with ThreadPoolExecutor(1) as pool:
        sleeper = pool.submit(one.look)
        assert frozen.wait(5)
        other.look()
        assert len(hall.steps(match)) == 2
        thaw.set()
        with pytest.raises((Unavailable, FateUnknown)):
            sleeper.result(10)
    assert hall.outcomes(match) == [DONE, DONE]
    one.database.close()
    other.database.close()


@rule("PL-333")
def test_a_step_is_written_only_on_the_step_that_was_read(settings, hall, worker, match):
    class Stale(Worker):
        def _locked(self, transaction, matches, most):
            return [(old | {"step": old["step"] - (old["match_id"] == match)}, rows) for old, rows in super()._locked(transaction, matches, most)]

    other = hall.match(2)
    worker.look()
    stale = Stale(GAME, settings)
    hall.post(match, 0, 1, REST)
    hall.post(other, 0, 1, REST)
    with stale.database.transaction() as transaction:
        failed = stale._read(transaction, SQL.lock_all, [match, other], 64)
        assert len(failed) == 2
    stale.carry_out([match, other])
    assert hall.state(match) == "stuck"
    assert hall.one("SELECT error FROM stuck_matches")["error"] == StepMoved.__name__
    assert len(hall.steps(match)) == 1
    assert hall.outcomes(other) == [DONE, DONE]
    stale.database.close()
    with pytest.raises(psycopg.errors.UniqueViolation):
        hall.connection.execute("INSERT INTO steps SELECT * FROM steps WHERE match_id = %s", (match,))


@rule("PL-335", "PL-326")
def test_a_message_without_news_has_no_effect(settings, hall, worker, match, monkeypatch):
    monkeypatch.setenv("CUPBOARD_LOCAL", "1")
    monkeypatch.setenv("DATABASE_URL", settings.database_url)
    monkeypatch.setenv("REDIS_URL", settings.redis_url)
    look = celery_app(GAME).tasks["look"]
    look({match: 1})
    look({"m-gone": 7})
    assert len(hall.steps(match)) == 1
    hall.post(match, 0, 1, REST)
    look({"m-gone": 7})
    assert hall.outcomes(match) == [DONE, DONE]


@rule("PL-338", "PL-330")
def test_any_number_of_workers_do_each_thing_once(settings, hall, worker):
    matches = [hall.match(4) for _ in range(12)]
    worker.look()
    for match in matches:
        for seat in (1, 2, 3):
            hall.post(match, seat, 1, {"do": "name_heap", "name": f"Beck {seat}"})
        hall.post(match, 0, 1, REST)
        hall.post(match, 0, None, {}, kind="resign")
    workers = [Worker(GAME, settings) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: one.look(), workers))
    for match in matches:
        assert hall.outcomes(match) == [DONE] * 6
        assert len(hall.steps(match)) == 6
    for one in workers:
        one.database.close()


@rule("PL-251", "EX-39")
def test_who_waited_for_the_lock_reads_the_match_as_it_is_then(settings, hall, match):
    """Two ends by two workers: the second has waited while the first ended the match."""
    holding, go_on = Event(), Event()

    def point(name: str) -> None:
        if name == "before_commit":
            holding.set()
            go_on.wait(5)

    one, other = Worker(GAME, settings, point), Worker(GAME, settings)
    hall.post(match, 1, None, {}, kind="resign")
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(one.look)
        assert holding.wait(5)
        hall.post(match, 0, None, {}, kind="resign")
        second = pool.submit(other.look)
        while not hall.all("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"):
            assert not second.done()
        go_on.set()
        first.result(10)
        second.result(10)
    assert hall.outcomes(match) == [DONE, DONE, ("refused", "match_over")]
    assert hall.one("SELECT count(*) AS results FROM results")["results"] == 1
    one.database.close()
    other.database.close()


@rule("PL-342")
def test_a_worker_touches_no_match_of_another_version(settings, hall, match):
    hall.post(match, 0, 1, REST)
    newer = Worker(replace(GAME, version=2), settings)
    assert newer.look() == 0
    assert hall.outcomes(match)[-1] == (None, None)
    newer.database.close()
