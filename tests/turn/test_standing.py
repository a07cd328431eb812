"""What becomes of a seat's clock while another seat is asked? It stands still, and goes on with what is left."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from shared.runtime.turn.house import House
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of

S = 1000
QUICK = {"preset": "quick"}  # 15 s for a throw, 10 s for a pebble
DAY = 86_400 * S


def wishing(seats: int = 2, **clock: Any) -> Sitting:
    """Seat 0 is to throw, and seat 1 has a pebble that it may be asked for."""
    sitting = Sitting(GAME, seats, clock=QUICK | clock).begun()
    state = sitting.match.state.with_heap(1, pebbles=sitting.match.state.bag[:1])
    return sitting.at(replace(state, bag=state.bag[1:]))


@rule("PL-482", "PL-496", "PB-126")
def test_a_clock_stands_still_while_another_seat_is_asked() -> None:
    sitting = wishing()
    sitting.later(5)
    sitting.act(0, "beg", heap=1)
    assert (sitting.clock(1).due, "0" in sitting.house.asks) == (sitting.now + 10 * S, False)
    sitting.later(8)
    sitting.act(1, "keep_all")
    assert (sitting.clock(0).opened, sitting.clock(0).due) == (sitting.now, sitting.now + 10 * S)
    assert sitting.steps[-1].house.asks["0"].due == sitting.now + 10 * S


@rule("PL-487", "PL-488", "PB-126")
def test_the_time_out_falls_when_what_was_left_is_over() -> None:
    sitting = wishing()
    sitting.later(5)
    sitting.act(0, "beg", heap=1)
    sitting.run_out(1)
    due = sitting.now + 10 * S
    assert sitting.clock(0).due == due
    assert facts_of(sitting.give("timeout", 0, sitting.ask(0).number, received=due - 1)) == ("moot", None)
    assert sitting.run_out(0).outcome == "carried_out"
    assert (sitting.match.missed, sitting.house.timeouts) == ((1, 1), (1, 1))


@rule("PL-496")
def test_a_clock_is_forgotten_with_its_question() -> None:
    sitting = wishing()
    sitting.later(14)
    sitting.act(0, "beg", heap=1)
    sitting.act(1, "keep_all")
    assert sitting.house.standing == {}
    sitting.act(0, "rest")
    sitting.act(1, "rest")
    for seat in (0, 1):
        sitting.act(seat, "hide", pebbles=[])
    sitting.order("advance")
    assert sitting.clock(0).due == sitting.now + 15 * S


@rule("PL-323", "PL-498")
def test_what_a_command_waited_for_the_worker_is_charged_to_nobody() -> None:
    sitting = wishing()
    received = sitting.now + 5 * S
    sitting.now += 40 * S
    sitting.give("command", 0, 1, {"do": "beg", "heap": 1}, received=received)
    assert sitting.clock(1).due == sitting.now + 10 * S
    sitting.act(1, "keep_all")
    assert sitting.clock(0).due == sitting.now + 10 * S


@rule("PL-483", "PL-498")
def test_what_the_bank_has_paid_is_not_paid_again() -> None:
    sitting = wishing(bank_ms=100 * S, bank_max_ms=100 * S)
    sitting.later(20)
    sitting.act(0, "beg", heap=1)
    assert sitting.house.banks[0] == 95 * S
    sitting.act(1, "keep_all")
    assert sitting.clock(0).due == sitting.now + 95 * S
    sitting.later(10)
    sitting.act(0, "rest")
    assert sitting.house.banks[0] == 85 * S


@rule("PL-243")
def test_a_pause_takes_nothing_from_a_clock_that_stands() -> None:
    sitting = wishing()
    sitting.later(5)
    sitting.act(0, "beg", heap=1)
    sitting.later(4)
    sitting.order("pause")
    sitting.later(500)
    sitting.order("resume")
    assert sitting.clock(1).due == sitting.now + 6 * S
    sitting.act(1, "keep_all")
    assert sitting.clock(0).due == sitting.now + 10 * S


@rule("PL-243", "PL-246")
def test_a_clock_that_would_go_on_in_a_pause_waits_for_its_end() -> None:
    sitting = wishing(3)
    sitting.later(5)
    sitting.act(0, "beg", heap=1)
    sitting.order("pause")
    sitting.later(300)
    sitting.give("resign", 1)
    assert (sitting.state, sitting.match.awaited(), sitting.kinds()[-1]) == ("paused", (0,), "leave")
    sitting.later(200)
    sitting.order("resume")
    assert sitting.clock(0).due == sitting.now + 10 * S


@rule("PL-503", "PL-499")
@pytest.mark.parametrize("order", ["extend", "credit"])
def test_time_that_was_given_is_kept_while_the_clock_stands(order: str) -> None:
    sitting = wishing()
    sitting.later(5)
    sitting.order(order, **{"ms": 60 * S, "from": sitting.now - 3 * S, "to": sitting.now + 57 * S})
    sitting.act(0, "beg", heap=1)
    sitting.later(2)
    sitting.act(1, "keep_all")
    assert sitting.clock(0).due == sitting.now + 70 * S


@rule("PL-481", "PL-485")
def test_with_a_limit_of_the_match_every_ask_has_all_of_it() -> None:
    sitting = wishing(limit_ms=3 * DAY)
    sitting.later(2 * 86_400)
    sitting.act(0, "beg", heap=1)
    sitting.later(86_400)
    sitting.act(1, "keep_all")
    assert sitting.clock(0).due == sitting.now + 3 * DAY
    assert sitting.house.standing == {}


@rule("PL-414")
def test_clocks_that_stand_are_stored_with_the_match() -> None:
    sitting = wishing()
    sitting.later(5)
    sitting.act(0, "beg", heap=1)
    assert list(sitting.house.standing) == ["0"]
    assert msgspec.json.decode(msgspec.json.encode(sitting.house), type=House) == sitting.house


# In Postgres ----------------------------------------------------------------------------------------------------------


def until_somebody_may_ask(hall, worker, match: str) -> Any:
    """Plays until the seat that is to throw may ask another one for a pebble; its ask."""
    while True:
        asks = hall.asks(match)
        if not asks:
            hall.own(match, "order", body={"kind": "advance", "by": "host"})
        for ask in asks:
            if any(choice["do"] == "beg" for choice in ask["body"]["choices"]):
                return ask
            command = {"do": "throw", "dice": 1} if ask["question"] == "throw" else {"do": "hide", "pebbles": []}
            hall.post(match, ask["seat"], ask["ask"], command)
        worker.look()


def wished(hall, worker, match: str) -> tuple[Any, int]:
    """After 5 seconds a seat has asked another one for a pebble, who has kept all after 7 more; the ask put anew."""
    ask = until_somebody_may_ask(hall, worker, match)
    hall.back_dated(match, 5)
    heap = next(choice for choice in ask["body"]["choices"] if choice["do"] == "beg")["fields"]["heap"]["of"][0]["value"]
    hall.post(match, ask["seat"], ask["ask"], {"do": "beg", "heap": heap})
    worker.look()
    (asked,) = hall.asks(match)
    assert (asked["seat"], asked["question"]) == (heap, "spare")
    hall.back_dated(match, 7)
    hall.post(match, heap, asked["ask"], {"do": "keep_all"})
    worker.look()
    (again,) = hall.asks(match)
    assert (again["seat"], again["question"]) == (ask["seat"], "throw")
    return again, again["seat"]


@rule("PL-497", "PL-482", "PB-126")
def test_rows_letters_and_views_tell_the_same_due_time(hall, worker) -> None:
    match = hall.match(4, clock=QUICK, options={"rounds": 5})
    worker.look()
    again, seat = wished(hall, worker, match)
    assert timedelta(seconds=9) < again["due_at"] - again["opened_at"] <= timedelta(seconds=10)
    due = again["due_at"].strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
    letter = hall.one("SELECT bodies FROM letters WHERE match_id = %s ORDER BY step DESC LIMIT 1", match)["bodies"][seat + 1]
    told = msgspec.json.decode(letter)
    assert (told["ask"]["due_at"], told["clocks"]["seats"][seat]["due_at"]) == (due, due)
    clocks = msgspec.json.decode(hall.one("SELECT clocks FROM views WHERE match_id = %s", match)["clocks"])
    assert clocks["seats"][seat]["due_at"] == due


@rule("PL-486", "PL-488", "PB-126")
def test_the_watch_gives_the_time_out_when_what_was_left_is_over(hall, worker, watch) -> None:
    match = hall.match(4, clock=QUICK, options={"rounds": 5})
    worker.look()
    _, seat = wished(hall, worker, match)
    before = len(hall.outcomes(match))
    hall.back_dated(match, 9)
    watch.time_out()
    assert len(hall.outcomes(match)) == before
    hall.back_dated(match, 4)
    watch.time_out()
    worker.look()
    last = hall.steps(match)[-1]
    assert (last["kind"], last["seat"], last["automatic"]) == ("timeout", seat, True)
