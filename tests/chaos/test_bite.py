"""Do the tests bite (PL-787)? Each part of the design is taken out on purpose, and something that checks it must fail."""

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from shared.kernel.dice import step_dice
from shared.kernel.game import Event
from shared.kernel.match import begin
from shared.runtime.settings import Settings
from shared.runtime.turn.writing import SQL
from shared.runtime.watch import Watch
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.invariants import look_at
from tests.laws.pebbles.commands import Throw
from tests.laws.pebbles.events import NumberLearned
from tests.laws.pebbles.game import GAME
from tests.laws.pebbles.rules import heaps
from tests.laws.readers import letters, seats_and_chairs
from tests.ledger import rule
from tests.sitting import KEY

REST, NAME = {"do": "rest"}, {"do": "name_heap", "name": "Beck"}


class Killed(BaseException):
    """A kill -9, as the code meets it."""


@pytest.fixture
def hall(settings: Settings) -> Iterator[Hall]:
    hall = Hall(settings, GAME)
    yield hall
    hall.close()


@pytest.fixture
def match(settings, hall) -> str:
    match = hall.match(3)
    take(settings)
    return match


def take(settings: Settings, worker: type[Worker] = Worker, **more) -> None:
    """One look of a worker, as after one message."""
    one = worker(GAME, settings, **more)
    try:
        one.look()
    finally:
        one.database.close()


def complaints(settings: Settings) -> str:
    return "\n".join(look_at(settings, [GAME])[1])


# The lock ----------------------------------------------------------------------------------------------------------------


class Skipping(Worker):
    """Does not wait for the first match either, and looks only once, at the match its message names."""

    def look(self) -> int:
        self.carry_out([row["match_id"] for row in self._waiting()])
        return 0

    def _locked(self, transaction, matches, most):
        return self._read(transaction, SQL.lock_all_free, matches, most)


class Waiting(Skipping):
    """The same with the lock as it is designed."""

    def _locked(self, transaction, matches, most):
        return self._read(transaction, SQL.lock_all, matches[:1], most)


@rule("PL-787", "PL-330")
@pytest.mark.parametrize(("kind", "stranded"), [(Skipping, True), (Waiting, False)])
def test_a_worker_that_skips_what_is_locked_strands_a_command(settings, hall, match, kind, stranded):
    """The second message comes while the first worker has read its rows and not yet committed; no watch runs."""
    read, go_on = threading.Event(), threading.Event()

    def point(name: str) -> None:
        if name == "before_commit":
            read.set()
            go_on.wait(5)

    hall.post(match, 0, 1, REST)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(take, settings, kind, point=point)
        assert read.wait(5)
        hall.post(match, 2, 1, NAME)
        second = pool.submit(take, settings, kind)
        threading.Event().wait(0.3)
        go_on.set()
        first.result(5)
        second.result(5)
    assert ("lost" in complaints(settings)) == stranded


class Unlocked(Worker):
    """Takes a match without its lock."""

    def _read(self, transaction, statement, matches, most):
        return super()._read(transaction, "SELECT match_id FROM match_states WHERE match_id = ANY (%(matches)s)", matches, most)


@rule("PL-787", "PL-333")
def test_without_the_lock_the_old_step_stops_the_second_writer(settings, hall, match):
    """Both have read the same step; the update that names it, and the key of the steps, let only one of them write."""
    refused = []

    class Noting(Unlocked):
        def _apart(self, matches, most_rows, error):
            refused.append(type(error).__name__)
            return []

        def look(self) -> int:
            self.carry_out([match])
            return 0

    read = threading.Barrier(2, timeout=5)

    class Together(Noting):
        def _write(self, transaction, sheet):
            read.wait()
            super()._write(transaction, sheet)

    hall.post(match, 0, 1, REST)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: take(settings, Together), range(2)))
    assert refused in (["StepMoved"], ["UniqueViolation"])
    assert complaints(settings) == ""


# Messages and the watch ------------------------------------------------------------------------------------------------------


@rule("PL-787", "PL-326")
@pytest.mark.parametrize("sent_before", [True, False])
def test_a_doorbell_before_the_commit_is_answered_too_early(settings, hall, match, sent_before):
    """Without a watch the one message is all there is."""
    with hall.connection.transaction():
        hall.post(match, 0, 1, REST)
        if sent_before:
            take(settings)
    if not sent_before:
        take(settings)
    assert ("lost" in complaints(settings)) == sent_before


@rule("PL-787", "PL-336")
@pytest.mark.parametrize("watched", [False, True])
def test_a_lost_message_is_lost_for_ever_without_a_watch(settings, hall, match, watched):
    hall.post(match, 0, 1, REST)
    hall.aged(match, 30)
    if watched:
        watch = Watch(GAME, settings)
        watch.round()
        watch.database.close()
    assert ("lost" in complaints(settings)) != watched


@rule("PL-787", "PL-329")
@pytest.mark.parametrize("early", [True, False])
def test_an_early_acknowledgement_loses_the_message_of_a_killed_worker(settings, hall, match, early):
    """A queue of one message and no watch: it is gone when it is taken, or when its work is done."""
    hall.post(match, 0, 1, REST)
    queue = [match]
    for point in ("before_commit", "nowhere"):
        if not queue:
            break
        if early:
            queue.pop()
        try:
            take(settings, point=_killed_at(point))
        except Killed:
            continue
        queue.clear()
    assert ("lost" in complaints(settings)) == early


def _killed_at(point: str):
    def reached(name: str) -> None:
        if name == point:
            raise Killed
    return reached


# Constraints and order -----------------------------------------------------------------------------------------------------------


def doubled(hall: Hall, match: str, ask: int) -> None:
    """A second answer to an ask, past the look of `accept`: as two gateways would without the lock of the head."""
    hall.connection.execute(
        "INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, body, received_at) "
        "SELECT match_id, last_arrival + 1, 'c-doubled', 'pebbles', 1, 'command', 0, %s, '{\"do\":\"rest\"}', now() FROM inbox_heads WHERE match_id = %s",
        (ask, match))
    hall.connection.execute("UPDATE inbox_heads SET last_arrival = last_arrival + 1 WHERE match_id = %s", (match,))


@rule("PL-787", "PL-288")
@pytest.mark.parametrize("there", [True, False])
def test_without_the_unique_index_an_ask_gets_two_answers(settings, hall, match, there):
    hall.post(match, 0, 1, REST)
    if there:
        with pytest.raises(psycopg.errors.UniqueViolation, match="inbox_one_answer"):
            doubled(hall, match, 1)
        return
    hall.connection.execute("DROP INDEX inbox_one_answer")
    doubled(hall, match, 1)
    assert "has 2 answers" in complaints(settings)


class Backwards(Worker):
    """Takes the last arrival first."""

    def _read(self, transaction, statement, matches, most):
        return [(old, rows[::-1]) for old, rows in super()._read(transaction, statement, matches, most)]


@rule("PL-787", "PL-104")
def test_another_order_than_that_of_arrival_is_seen(settings, hall, match):
    for seat in (1, 2):
        hall.post(match, seat, 1, {"do": "name_heap", "name": f"Beck {seat}"})
    take(settings, Backwards)
    assert "not in the order of arrival" in complaints(settings)


@rule("PL-787", "PL-322")
def test_arrivals_from_a_sequence_are_passed_by(settings, hall, match):
    """Numbers that do not commit in order: the later one is carried out while the earlier one is not yet there."""
    other = Hall(settings, GAME)
    with other.connection.transaction():
        other.connection.execute(
            "INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, body, received_at) "
            "VALUES (%s, 2, 'c-2', 'pebbles', 1, 'command', 1, 1, '{\"do\":\"name_heap\",\"name\":\"Bach\"}', now())", (match,))
        hall.connection.execute(
            "INSERT INTO inbox (match_id, arrival, command_id, game, version, kind, seat, ask, body, received_at) "
            "VALUES (%s, 3, 'c-3', 'pebbles', 1, 'command', 2, 1, '{\"do\":\"name_heap\",\"name\":\"Beck\"}', now())", (match,))
        hall.connection.execute("UPDATE inbox_heads SET last_arrival = 3 WHERE match_id = %s", (match,))
        take(settings)
    other.close()
    assert "row 2 waits although row 3 is done" in complaints(settings)


class Telling(Worker):
    """Commits the steps, and the outcomes in a transaction of their own."""

    def _write(self, transaction, sheet):
        outcomes, sheet.tables["outcomes"] = sheet.tables["outcomes"], []
        super()._write(transaction, sheet)
        transaction.connection.commit()
        self._point("between")
        sheet.tables = {name: [] for name in sheet.tables} | {"outcomes": outcomes}
        transaction.one(SQL.write_takes, **sheet.packed())


@rule("PL-787", "PL-331", "PL-105")
def test_steps_and_outcomes_in_two_transactions_do_a_command_twice(settings, hall, match):
    hall.post(match, 0, None, {"kind": "abort", "answer": "propose"}, kind="proposal")
    hall.own(match, "order", body={"kind": "extend", "by": "referee", "ms": 1})
    with pytest.raises(Killed):
        take(settings, Telling, point=_killed_at("between"))
    take(settings)
    assert "does not belong to its row" in complaints(settings)


# Masks ---------------------------------------------------------------------------------------------------------------------------


@rule("PL-787", "PL-382", "PL-383")
@pytest.mark.parametrize("masked", [True, False])
def test_an_event_without_its_mask_breaks_the_law_of_secrets(monkeypatch, masked):
    """The sixth law: what a reader may not know changes nothing of what is told."""
    if not masked:
        monkeypatch.setattr(NumberLearned, "seen_by", Event.seen_by)
    match, events = begin(GAME, 2, GAME.read_options({}), step_dice(KEY, 1))
    others = [replace_number(event) for event in events]
    assert 0 in seats_and_chairs(match)
    assert (letters(GAME, events, 0, frozenset()) == letters(GAME, others, 0, frozenset())) == masked


@rule("PL-787", "PL-383")
def test_a_letter_with_another_readers_events_is_seen(settings, hall, match, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(NumberLearned, "seen_by", Event.seen_by)
        hall.match(2)
        take(settings)
    assert "tells other events than its mask shows" in complaints(settings)


def replace_number(event: Event) -> Event:
    """Another number of the other seat: nothing that seat 0 may know."""
    if isinstance(event, NumberLearned) and event.seat == 1:
        return NumberLearned(1, 1 + event.number % 6)
    return event


@rule("PL-787")
def test_a_worker_whose_rules_depend_on_more_than_the_dice_is_seen(settings, hall, match):
    """Rules that draw from elsewhere cannot be carried out again."""
    def lucky(table, seat, command, dice):
        dice._domain = random.randbytes(32).hex()
        heaps.throw(table, seat, command, dice)

    worker = Worker(replace(GAME, rules={**GAME.rules, Throw: lucky}), settings)
    hall.post(match, 0, 1, {"do": "throw", "dice": 3})
    worker.look()
    worker.database.close()
    assert "plays differently" in complaints(settings)
