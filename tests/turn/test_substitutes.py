"""What becomes of a seat that was left where substitutes are allowed (PL-546)?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from shared.kernel import match as kernel
from shared.runtime.watch import Watch
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of

NORMAL = {"preset": "normal"}


def sitting(seats: int = 3, **more: Any) -> Sitting:
    table = Sitting(GAME, seats, **{"clock": NORMAL, **more})
    table.deal = replace(table.deal, substitutes=True)
    return table.begun()


def turn_of(table: Sitting) -> int:
    (ask,) = [ask for ask in table.match.asks if ask.question.needed]
    return ask.seat


@rule("PL-546", "PL-541")
def test_a_left_seat_waits_until_its_next_ask_is_due_and_then_is_a_leaver() -> None:
    table = sitting()
    seat = turn_of(table)
    ask = table.ask(seat)
    assert facts_of(table.give("resign", seat)) == ("carried_out", None)
    assert table.ask(seat) == ask, "its question stands, on its clock"
    assert (table.match.gone, table.house.vacant) == ((), {str(seat): "resigned"})
    assert facts_of(table.run_out(seat)) == ("carried_out", None)
    assert [(gone.seat, gone.how) for gone in table.match.gone] == [(seat, "resigned")]
    assert table.house.vacant == {}
    assert table.kinds() == ["start", "vacate", "leave"]


@rule("PL-546")
def test_a_substitute_plays_on_from_the_same_question() -> None:
    table = sitting()
    seat = turn_of(table)
    number, due = table.ask(seat).number, table.clock(seat).due
    table.give("resign", seat)
    assert facts_of(table.order("replace", target=seat, account="a-new")) == ("carried_out", None)
    assert (table.ask(seat).number, table.clock(seat).due) == (number, due)
    assert facts_of(table.act(seat, "rest")) == ("carried_out", None)
    assert table.match.gone == ()


@rule("PL-546")
def test_nobody_plays_a_vacant_seat_and_nobody_takes_one_twice() -> None:
    table = sitting()
    seat = turn_of(table)
    table.give("resign", seat)
    assert facts_of(table.act(seat, "rest")) == ("refused", "not_your_seat")
    assert facts_of(table.give("resign", seat)) == ("refused", "wrong_state")
    assert facts_of(table.order("disqualify", target=seat)) == ("refused", "wrong_state")
    assert facts_of(table.order("replace", target=(seat + 1) % 3, account="a-new")) == ("refused", "seat_taken")
    table.order("replace", target=seat, account="a-new")
    assert facts_of(table.order("replace", target=seat, account="a-late")) == ("refused", "seat_taken")


@rule("PL-546", "PL-491")
def test_whoever_takes_the_seat_of_an_absent_one_has_missed_nothing() -> None:
    table = sitting(clock={**NORMAL, "most_timeouts": GAME.absent_after}, options={"rounds": 5})
    seat = turn_of(table)
    for _ in range(40):
        if str(seat) in table.house.vacant:
            break
        asked = {ask.seat: ask.question.name for ask in table.match.asks if ask.question.needed}
        if set(asked) == {seat}:
            table.run_out(seat)
        elif asked:
            other, question = next((other, question) for other, question in asked.items() if other != seat)
            table.act(other, **{"throw": {"do": "rest"}}.get(question, {"do": "hide", "pebbles": []}))
        else:
            table.order("advance")
    assert table.match.missed[seat] == 0
    table.order("replace", target=seat, account="a-new")
    assert not kernel.is_absent(GAME, table.match, seat), "it is waited for again"


@rule("PL-546")
def test_where_no_clock_runs_a_left_seat_is_out_of_play_at_once() -> None:
    table = sitting(clock={"preset": "none"})
    seat = turn_of(table)
    table.give("resign", seat)
    assert [(gone.seat, gone.how) for gone in table.match.gone] == [(seat, "resigned")]


@rule("PL-546", "PL-542", "PL-544")
def test_a_vacant_seat_that_nobody_took_is_a_leaver_at_the_end() -> None:
    table = sitting(2, options={"rounds": 1})
    while table.match.step < 2 or turn_of(table) == 0:
        table.act(turn_of(table), "rest")
    table.give("resign", 0)
    while table.placings is None:
        asked = [ask for ask in table.match.asks if ask.question.needed and ask.seat != 0]
        if asked:
            table.give("command", 1, asked[0].number, {"do": "rest"} if asked[0].question.name == "throw" else {"do": "hide", "pebbles": []})
        elif table.match.ask_of(0) is not None and table.ask(0).question.needed:
            table.run_out(0)
        else:
            table.order("advance")
    assert {(placing.seat, placing.place, placing.how) for placing in table.placings} == {(0, 2, "resigned"), (1, 1, "played")}


@rule("PL-546", "PL-247")
def test_a_vacant_seat_consents_to_nothing_and_is_not_asked_for_it() -> None:
    table = sitting(2)
    table.give("resign", 0)
    assert facts_of(table.give("proposal", 1, body={"kind": "pause", "answer": "propose"})) == ("carried_out", None)
    assert table.state == "paused"


@rule("PL-546", "PL-381", "PL-413")
def test_the_rows_name_both_and_the_result_counts_for_whoever_played_to_the_end(hall: Hall, worker: Worker, watch: Watch) -> None:
    """The checker of the pipeline plays all of it again afterwards."""
    for championship in (None, "c-1"):
        match = hall.match(2, clock=NORMAL, options={"rounds": 1}, start=False)
        hall.connection.execute("UPDATE matches SET substitutes = true, championship = %s WHERE match_id = %s", (championship, match))
        hall.own(match, "start")
        worker.look()
        (ask,) = hall.asks(match)
        seat, holder = ask["seat"], hall.one("SELECT account_id FROM seats WHERE match_id = %s AND seat = %s", match, ask["seat"])["account_id"]
        hall.own(match, "resign", seat, body={"how": "resigned"})
        worker.look()
        assert hall.one("SELECT how, vacant FROM seats WHERE match_id = %s AND seat = %s", match, seat) == {"how": "resigned", "vacant": True}
        new = hall.account()
        hall.own(match, "order", body={"kind": "replace", "by": "substitute", "reason": "", "target": seat, "account": new})
        worker.look()
        row = hall.one("SELECT account_id, substitute_of, how, vacant FROM seats WHERE match_id = %s AND seat = %s", match, seat)
        assert row == {"account_id": new, "substitute_of": holder, "how": None, "vacant": False}
        while hall.state(match) == "running":
            for asked in hall.asks(match):
                hall.post(match, asked["seat"], asked["ask"], asked["body"]["on_timeout"])
            if not hall.asks(match):
                hall.own(match, "order", body={"kind": "advance", "by": "host", "reason": ""})
            worker.look()
        told = hall.one("SELECT account_id, substitute_of, counts_for, how FROM result_seats WHERE match_id = %s AND seat = %s", match, seat)
        assert told == {"account_id": new, "substitute_of": holder, "counts_for": holder if championship else new, "how": "played"}
        orders = [json.loads(letter["bodies"][0])["order"] for letter in hall.all("SELECT bodies FROM letters WHERE match_id = %s ORDER BY step", match)]
        assert {"kind": "replace", "target": seat, "account": new} in orders
        assert {"kind": "vacate", "target": seat, "how": "resigned"} in orders
