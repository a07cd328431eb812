"""What becomes of the waiting rows of one match? The pure part of a take: asks, batches, ends, leavers."""

import itertools
import json
from dataclasses import replace

import msgspec
import pytest

from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of, hiding, looking

# Asks and outcomes ----------------------------------------------------------------------------------------------------


@rule("PL-240", "PL-282")
def test_the_start_is_step_1_and_puts_the_first_asks():
    sitting = Sitting(GAME, 2, clock={"preset": "quick", "limit_ms": 30_000})
    verdict = sitting.give("start")
    assert (verdict.outcome, verdict.first_step, verdict.last_step) == ("carried_out", 1, 1)
    assert sitting.ask(0).number == 1
    assert sitting.clock(0).due == sitting.now + 30_000
    assert sitting.topics == ["match.started"]


@rule("PL-239", "PL-105")
def test_a_second_start_is_moot():
    sitting = Sitting(GAME, 2).begun()
    assert facts_of(sitting.give("start")) == ("moot", None)
    assert sitting.match.step == 1


@rule("EX-1", "PL-281", "PL-103")
def test_a_command_is_a_step_and_the_next_ask_bears_its_number():
    sitting = Sitting(GAME, 2).begun()
    verdict = sitting.act(0, "rest")
    assert (verdict.outcome, verdict.first_step, verdict.last_step) == ("carried_out", 2, 2)
    assert sitting.ask(1).number == 2


@rule("PL-283", "PL-284")
def test_an_ask_keeps_its_number_while_others_act():
    sitting = Sitting(GAME, 3).begun()
    assert sitting.ask(2).number == 1
    assert not sitting.ask(2).question.needed
    sitting.act(1, "name_heap", name="Beck")
    assert sitting.ask(2).number == 1
    assert sitting.ask(0).number == 1
    assert sitting.match.awaited() == (0,)


@rule("PL-285", "EX-7")
def test_an_answer_may_be_revised_until_the_last_seat_has_answered():
    sitting = Sitting(GAME, 2).begun()
    state = sitting.match.state.with_heap(0, pebbles=("star",))
    sitting.found = msgspec.structs.replace(sitting.match, state=state)
    sitting.act(0, "rest")
    sitting.act(1, "rest")
    sitting.act(0, "hide", pebbles=[])
    assert not sitting.ask(0).question.needed
    sitting.act(0, "hide", pebbles=["star"])
    sitting.act(1, "hide", pebbles=[])
    assert sitting.match.state.heaps[0].fist == ("star",)


@rule("PL-289", "EX-5", "PL-295", "PL-296")
def test_a_refusal_changes_nothing_and_frees_the_ask():
    sitting = Sitting(GAME, 2).begun()
    before = sitting.match
    assert facts_of(sitting.act(0, "throw", dice=9)) == ("refused", "not_a_choice")
    assert sitting.match is before
    assert sitting.ask(0).number == 1
    assert sitting.act(0, "throw", dice=2).last_step == 2
    assert len(sitting.steps) == 2


@rule("PL-107", "EX-28")
def test_a_command_with_a_field_too_many_is_invalid():
    sitting = Sitting(GAME, 2).begun()
    assert facts_of(sitting.act(0, "rest", coins=99)) == ("refused", "invalid")
    assert facts_of(sitting.act(0, "win")) == ("refused", "invalid")


@rule("PL-291", "EX-4")
def test_an_old_ask_is_stale_under_the_lock_too():
    sitting = Sitting(GAME, 2).begun()
    first, second = (sitting.row("command", 0, 1, {"do": "rest"}) for _ in range(2))
    assert [facts_of(verdict) for verdict in sitting.take(first, second)] == [("carried_out", None), ("refused", "stale_ask")]


@rule("PL-104", "PL-330")
def test_rows_are_carried_out_in_the_order_of_arrival():
    sitting = Sitting(GAME, 2).begun()
    rows = sitting.row("command", 0, 1, {"do": "rest"}), sitting.row("command", 1, 2, {"do": "rest"})
    assert [verdict.last_step for verdict in sitting.take(*rows)] == [2, 3]
    assert [step.arrival for step in sitting.steps] == [1, 2, 3]


@rule("EX-6", "PL-286")
def test_all_orders_of_secret_answers_lead_to_the_same_state():
    states = set()
    for order in itertools.permutations(range(4)):
        sitting = hiding(GAME, 4)
        for seat in order:
            sitting.act(seat, "hide", pebbles=[])
        states.add(repr(sitting.match.state))
    assert len(states) == 1


# Batches --------------------------------------------------------------------------------------------------------------


def batch(sitting: Sitting, seat: int, *commands, **more):
    return sitting.give("batch", seat, sitting.ask(seat).number, {"commands": list(commands), **more})


def last_to_throw() -> Sitting:
    sitting = Sitting(GAME, 2).begun()
    sitting.act(0, "rest")
    return sitting


REST, THROW, HIDE = {"do": "rest"}, {"do": "throw", "dice": 2}, {"do": "hide", "pebbles": []}


@rule("PL-302", "PL-303", "EX-13")
@pytest.mark.parametrize(("commands", "stop_on", "report"), [
    ((THROW, HIDE), "news", ["carried_out", "untried"]),
    ((REST, HIDE, HIDE), "refusal", ["carried_out", "carried_out", "carried_out"]),
    ((THROW, HIDE), "refusal", ["carried_out", "carried_out"]),
    ((REST, {"do": "throw", "dice": 9}, HIDE), "refusal", ["carried_out", "refused", "untried"]),
])
def test_a_batch_of_one_seat_stops_at_news_or_a_refusal(commands, stop_on, report):
    sitting = last_to_throw()
    verdict = batch(sitting, 1, *commands, stop_on=stop_on)
    lines = json.loads(verdict.report)
    assert [line["outcome"] for line in lines] == report
    assert verdict.last_step - verdict.first_step + 1 == report.count("carried_out")


@rule("PL-303")
def test_a_batch_ends_when_the_seat_is_no_longer_asked():
    sitting = Sitting(GAME, 3, options={"rounds": 2}).begun()
    for seat in (0, 1, 2):
        sitting.act(seat, "rest")
    for seat in (0, 1):
        sitting.act(seat, "hide", pebbles=[])
    verdict = batch(sitting, 2, HIDE, HIDE, stop_on="refusal")
    assert '"untried"' in verdict.report


@rule("PL-303")
def test_a_batch_whose_first_command_is_refused_is_refused():
    sitting = last_to_throw()
    verdict = batch(sitting, 1, {"do": "throw", "dice": 9}, HIDE)
    assert facts_of(verdict) == ("refused", "not_a_choice")
    assert sitting.ask(1).number == 2


# Ends -----------------------------------------------------------------------------------------------------------------


@rule("EX-39", "PL-251", "PL-246")
def test_of_two_ends_at_once_the_first_arrival_decides():
    sitting = Sitting(GAME, 2).begun()
    verdicts = sitting.take(sitting.row("resign", 1), sitting.row("resign", 0), sitting.row("timeout", 0, 1), sitting.row("command", 0, 1, REST))
    assert [facts_of(verdict) for verdict in verdicts] == [("carried_out", None), ("refused", "match_over"), ("moot", None), ("refused", "match_over")]
    assert [(placing.seat, placing.place, placing.how) for placing in sitting.placings] == [(0, 1, "played"), (1, 2, "resigned")]
    assert sitting.topics.count("match.finished") == 1


@rule("PL-541", "PL-542", "EX-23")
def test_a_leaver_is_below_all_who_stayed_and_the_later_one_is_higher():
    sitting = Sitting(GAME, 4).begun()
    sitting.give("resign", 3)
    sitting.act(0, "rest")
    sitting.order("disqualify", by="referee", target=1)
    sitting.give("resign", 0)
    placings = {placing.seat: (placing.place, placing.how) for placing in sitting.placings}
    assert placings == {2: (1, "played"), 0: (2, "resigned"), 1: (3, "disqualified"), 3: (4, "resigned")}
    assert all(placing.table_place for placing in sitting.placings)


@rule("PL-544", "PL-545")
def test_with_one_seat_left_the_other_wins():
    sitting = Sitting(GAME, 2).begun()
    sitting.give("resign", 0)
    assert [placing.place for placing in sitting.placings] == [2, 1]
    assert sitting.state == "finished"
    assert not sitting.house.asks


@rule("PL-305")
def test_a_seat_leaves_once():
    sitting = Sitting(GAME, 3).begun()
    sitting.give("resign", 1)
    assert facts_of(sitting.give("resign", 1)) == ("refused", "wrong_state")


@rule("PL-492", "PL-250")
def test_seats_that_never_acted_end_as_no_shows():
    sitting = Sitting(GAME, 4).begun()
    sitting.act(0, "rest")
    sitting.act(3, "name_heap", name="Beck")
    sitting.give("resign", 2)
    assert sitting.give("no_show").outcome == "carried_out"
    assert [(gone.seat, gone.how) for gone in sitting.match.gone] == [(2, "resigned"), (1, "no_show")]
    assert sitting.state == "running"


@rule("PL-492")
def test_a_match_in_which_nobody_acted_is_aborted():
    sitting = Sitting(GAME, 3).begun()
    sitting.give("no_show")
    assert (sitting.state, sitting.placings) == ("aborted", None)
    moot = hiding(GAME)
    assert facts_of(moot.give("no_show")) == ("moot", None)


@rule("PL-492")
def test_a_built_in_bot_is_never_a_no_show():
    sitting = Sitting(GAME, 3, bots={2: "random"}).begun()
    sitting.act(0, "rest")
    sitting.give("no_show")
    assert [gone.seat for gone in sitting.match.gone] == [1]


@rule("EX-37", "PL-567")
def test_an_audience_is_counted_once_in_a_step_of_its_own():
    sitting = looking(GAME, options={"rounds": 1, "crowd": True})
    sitting.cheers = {"1": 23, "0": 18}
    sitting.order("game", command={"do": "move_on"})
    assert (sitting.kinds().count("count"), sitting.counted) == (1, 1)
    assert sitting.steps[-1].act.seat == -2
    assert sum(heap.cheers for heap in sitting.match.state.heaps) == 1


@rule("PL-619", "EX-11")
def test_a_take_that_was_lost_is_repeated_with_the_same_dice():
    sitting = Sitting(GAME, 2).begun()
    row = sitting.row("command", 0, 1, THROW)
    before = sitting.found, sitting.house
    sitting.take(row)
    once = sitting.steps.pop()
    sitting.found, sitting.house = before
    sitting.later(60)
    sitting.take(row)
    assert (sitting.steps[-1].draws, sitting.steps[-1].events) == (once.draws, once.events)


@rule("PL-287")
def test_a_secret_question_is_answered_without_telling_whose_step_it_was():
    secret = replace(GAME, question=_secretly)
    sitting = Sitting(secret, 2).begun()
    sitting.act(0, "rest")
    assert sitting.steps[-1].act.secret
    assert sitting.match.awaited_openly() == ()


def _secretly(state, seat):
    asked = GAME.question(state, seat)
    return None if asked is None else msgspec.structs.replace(asked, secret=True)
