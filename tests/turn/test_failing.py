"""What becomes of a bot that does not answer, or not as it should (PL-525 to PL-527)?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from shared.desk.verify import verified
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of

QUICK = {"preset": "quick"}
REFUSED = ("refused", "not_a_choice")
WRONG = {"do": "throw", "dice": 99}


class OfBots(Sitting):
    """All seats, or those named, are held by accounts of bots."""

    def __init__(self, seats: int = 2, *, bots: set[int] | None = None, **more: Any) -> None:
        self.machines = set(range(seats)) if bots is None else bots
        super().__init__(GAME, seats, **{"clock": QUICK, **more})

    def is_bot(self, seat: int) -> bool:
        return seat in self.machines

    def refuse(self, seat: int, times: int = 3) -> None:
        """So many wrong answers, and the row that follows from them."""
        for _ in range(times):
            assert facts_of(self.act(seat, "throw", dice=99)) == REFUSED
        for failing, number in self.failing:
            assert facts_of(self.give("order", failing, number, {"kind": "fail"})) == ("carried_out", None)

    def ended(self) -> list[tuple[int, str]]:
        assert self.placings is not None
        return [(line.place, line.how) for line in self.placings]


def alone_asked(table: Sitting) -> int:
    (seat,) = table.match.awaited()
    return seat


@rule("PL-525", "PL-526")
def test_a_bot_whose_time_is_used_up_has_failed_and_its_seat_plays_on() -> None:
    table = OfBots(3, bots={0}, options={"rounds": 3})
    table.begun()
    table.run_out(alone_asked(table))
    assert [(gone.seat, gone.how) for gone in table.match.gone] == [(0, "bot_failed")]
    assert table.kinds()[:3] == ["start", "fail", "timeout"]
    assert 0 in table.match.state.staying(), "it is not taken out of play"
    assert 0 not in table.match.awaited(), "nobody waits for it"


@rule("PL-525")
def test_a_person_whose_time_is_used_up_stays() -> None:
    table = OfBots(3, bots={1})
    table.begun()
    table.run_out(0)
    assert table.match.gone == ()


@rule("PL-525")
def test_three_refused_answers_to_one_ask_are_a_failure_and_the_default_follows() -> None:
    table = OfBots()
    seat, number = alone_asked(table.begun()), table.ask(0).number
    table.refuse(seat, 2)
    assert (table.ask(seat).number, table.failing, table.house.failures) == (number, [], {}), "two leave the ask open"
    table.refuse(seat, 1)
    assert (table.kinds()[-1], table.house.failures, table.match.gone) == ("default", {str(seat): 1}, ())
    assert table.match.missed == (0, 0), "it was there, and is asked again like anybody else"


@rule("PL-525")
def test_refusals_count_for_one_ask_only_and_for_bots_only() -> None:
    table = OfBots(bots={0})
    table.begun()
    table.refuse(0, 2)
    table.act(0, "rest")
    table.refuse(1, 5)
    table.act(1, "rest")
    table.refuse(0, 2)
    assert (table.failing, table.house.failures) == ([], {})


@rule("PL-525")
def test_a_failure_that_has_been_answered_for_is_none() -> None:
    table = OfBots()
    table.begun()
    number = table.ask(0).number
    for _ in range(3):
        table.act(0, "throw", dice=99)
    table.act(0, "rest")
    assert facts_of(table.give("order", 0, number, {"kind": "fail"})) == ("refused", "stale_ask")
    assert table.house.failures == {}


@rule("PL-526")
def test_more_failures_than_the_match_allows_end_a_bot() -> None:
    table = OfBots(3, clock=QUICK | {"most_failures": 1}, options={"rounds": 5}, bots={0})
    table.begun()
    table.refuse(0)
    assert table.match.gone == ()
    for seat in (1, 2):
        table.act(seat, "rest")
    table.refuse(0)
    assert [(gone.seat, gone.how) for gone in table.match.gone] == [(0, "bot_failed")]


@rule("PL-526")
def test_a_failure_at_the_last_command_counts_and_the_others_keep_their_places() -> None:
    table = hiding_bots()
    for seat in (1, 2):
        table.act(seat, "hide", pebbles=[])
    table.refuse(0)
    if table.placings is None:
        table.order("advance")
    assert table.placings is not None
    lines = {line.seat: line for line in table.placings}
    assert (lines[0].place, lines[0].how) == (3, "bot_failed")
    others = sorted((1, 2), key=lambda seat: lines[seat].table_place)
    assert sorted(lines[seat].place for seat in others) == sorted(1 + sum(lines[other].table_place < lines[seat].table_place for other in others)
                                                                 for seat in others)


def hiding_bots() -> OfBots:
    """The last questions of the last round: where the pebbles are hidden."""
    table = OfBots(3, clock=QUICK | {"most_failures": 0}, options={"rounds": 1}, bots={0})
    table.begun()
    for seat in range(3):
        table.act(seat, "rest")
    return table


@rule("PL-527")
def test_if_all_fail_in_one_step_nobody_wins_and_a_referee_is_told() -> None:
    table = OfBots(3, options={"rounds": 5})
    table.begun()
    for seat in range(3):
        table.act(seat, "rest")
    assert table.match.awaited() == (0, 1, 2)
    for seat in range(3):
        table.run_out(seat)
    assert (table.state, table.ended(), table.flag) == ("finished", [(3, "bot_failed")] * 3, "all_failed")


@rule("PL-527", "PL-542")
def test_bots_that_fail_one_after_the_other_are_placed_by_it() -> None:
    table = OfBots(2, options={"rounds": 5})
    table.begun()
    table.run_out(0)
    table.run_out(alone_asked(table))
    assert (table.state, table.ended(), table.flag) == ("finished", [(2, "bot_failed"), (1, "bot_failed")], None)


# With a database ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def match(hall: Hall, worker: Worker) -> str:
    match = hall.match(2, clock=QUICK | {"most_failures": 0})
    hall.connection.execute("UPDATE accounts SET kind = 'bot' WHERE account_id IN (SELECT account_id FROM seats WHERE match_id = %s)", (match,))
    worker.look()
    return match


def fail(hall: Hall, worker: Worker, match: str, seat: int, ask: int) -> None:
    for _ in range(3):
        hall.post(match, seat, ask, WRONG)
        worker.look()
    worker.look()


@rule("PL-525", "PL-526")
def test_the_worker_counts_what_bots_were_refused(hall: Hall, worker: Worker, match: str) -> None:
    fail(hall, worker, match, 0, 1)
    assert hall.outcomes(match)[1:] == [REFUSED] * 3 + [("carried_out", None)]
    assert hall.one("SELECT how FROM seats WHERE match_id = %s AND seat = 0", match) == {"how": "bot_failed"}
    assert [step["kind"] for step in hall.steps(match)] == ["start", "fail", "timeout"]
    letter = hall.one("SELECT bodies FROM letters WHERE match_id = %s AND step = 2", match)["bodies"][0]
    assert json.loads(letter)["order"] == {"how": "bot_failed", "kind": "fail", "since": 1, "target": 0}


@rule("PL-525")
def test_a_built_in_bot_that_answers_wrongly_holds_nobody_up(settings: Any, hall: Hall) -> None:
    def wrong(view: Any, choices: Any, dice: Any) -> Any:
        return GAME.read_command(json.dumps(WRONG).encode())

    worker = Worker(replace(GAME, bots={"wrong": wrong}), settings)
    match = hall.match(2, bots={0: "wrong"})
    worker.look()
    assert hall.outcomes(match)[1:] == [REFUSED] * 3 + [("carried_out", None)]
    assert [step["kind"] for step in hall.steps(match)] == ["start", "default"]
    worker.database.close()


@rule("PL-527", "PL-413", "PL-622")
def test_a_match_in_which_all_have_failed_is_flagged_and_its_record_is_right(hall: Hall, worker: Worker, match: str) -> None:
    for seat in (0, 1):
        hall.post(match, seat, hall.asks(match)[0]["ask"], {"do": "rest"})
        worker.look()
    asks = [(ask["seat"], ask["ask"]) for ask in hall.asks(match)]
    assert len(asks) == 2
    for seat, ask in asks:
        fail(hall, worker, match, seat, ask)
    result = hall.one("SELECT flag, unfinished FROM results WHERE match_id = %s", match)
    assert result == {"flag": "all_failed", "unfinished": True}
    record = hall.one("SELECT record FROM records WHERE match_id = %s", match)["record"]
    assert [finding for finding in verified({GAME.name: GAME}, record) if finding.difference] == []
