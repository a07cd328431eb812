"""What do clocks charge, and what do pauses and orders do to them? The pure part of a take."""

from dataclasses import replace

import pytest
from msgspec import structs

from shared.runtime.turn.clock import Clock, bank_after, due_at
from shared.runtime.turn.house import wound
from shared.runtime.turn.rows import acting_host
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.sitting import Sitting, facts_of, hiding, looking

S = 1000
EX18 = {"preset": "quick", "limit_ms": 20 * S, "bank_ms": 150 * S, "increment_ms": 4 * S, "bank_max_ms": 180 * S}
LIMIT = {"preset": "quick", "limit_ms": 30 * S}

# Clocks ---------------------------------------------------------------------------------------------------------------


@rule("EX-18", "PL-481", "PL-482", "PL-483", "PL-484")
def test_limit_bank_and_increment():
    sitting = Sitting(GAME, 2, options={"rounds": 2}, clock=EX18).begun()
    sitting.later(65)
    sitting.act(0, "rest")
    assert sitting.house.banks[0] == 109 * S
    sitting.act(1, "rest")
    sitting.act(1, "hide", pebbles=[])
    sitting.later(12)
    sitting.act(0, "hide", pebbles=[])
    assert sitting.house.banks[0] == 113 * S
    sitting.order("advance")
    assert sitting.clock(0).due == sitting.clock(0).opened + 133 * S
    sitting.run_out(0)
    assert sitting.house.banks[0] == 0
    sitting.act(1, "rest")
    assert sitting.clock(0).due == sitting.clock(0).opened + 20 * S


@rule("PL-482")
@pytest.mark.parametrize(("cap", "due"), [(None, 170), (100, 100), (500, 170)])
def test_a_cap_shortens_what_limit_and_bank_allow(cap, due):
    clock = Clock(bank_ms=150 * S, cap_ms=cap and cap * S)
    assert due_at(clock, 20 * S, 150 * S, 7 * S) == 7 * S + due * S


@rule("PL-483", "PL-323")
def test_no_elapsed_time_is_below_zero():
    clock = Clock(bank_ms=10 * S, bank_max_ms=60 * S, increment_ms=2 * S)
    assert bank_after(clock, 5 * S, 10 * S, -400) == 12 * S
    assert bank_after(clock, 5 * S, 59 * S, 0) == 60 * S


@rule("PL-484")
def test_a_time_out_without_free_time_ends_the_seat():
    sitting = Sitting(GAME, 3, clock={"preset": "quick", "limit_ms": 0, "bank_ms": 60 * S, "bank_max_ms": 60 * S}).begun()
    sitting.run_out(0)
    assert [(gone.seat, gone.how) for gone in sitting.match.gone] == [(0, "timed_out")]
    assert sitting.house.banks[0] == 0


@rule("PL-485")
def test_a_preset_takes_the_limit_of_each_question_from_the_game_and_no_clock_is_no_due_time():
    assert Sitting(GAME, 2, clock={"preset": "relaxed"}).begun().clock(0).limit == GAME.presets["relaxed"]["throw"] * S
    assert Sitting(GAME, 2).begun().clock(0).due is None


@rule("PL-284", "PL-496")
def test_only_a_needed_ask_has_a_due_time_and_is_charged():
    sitting = Sitting(GAME, 2, clock=EX18).begun()
    assert sitting.clock(1).due is None
    sitting.later(100)
    sitting.act(1, "name_heap", name="Beck")
    assert sitting.house.banks == (150 * S, 150 * S)


@rule("PL-487", "PL-489")
def test_a_time_out_gives_the_default_once_and_is_automatic():
    sitting = Sitting(GAME, 2, clock=LIMIT).begun()
    assert sitting.run_out(0).outcome == "carried_out"
    step = sitting.steps[-1]
    assert (step.act.kind, step.act.seat, step.act.automatic) == ("timeout", 0, True)
    assert sitting.match.missed == (1, 0)
    assert facts_of(sitting.give("timeout", 0, 1, received=sitting.now)) == ("moot", None)
    assert sitting.house.timeouts == (1, 0)


@rule("PL-489", "PL-293", "EX-8")
def test_the_receive_time_decides_between_command_and_time_out():
    sitting = Sitting(GAME, 2, clock=LIMIT).begun()
    due = sitting.clock(0).due
    sitting.now = due + 3_100
    assert facts_of(sitting.give("command", 0, 1, {"do": "rest"}, received=due + 30)) == ("refused", "too_late")
    in_time = sitting.row("command", 0, 1, {"do": "rest"}, received=due - 340)
    late = sitting.row("timeout", 0, 1, received=due)
    assert [facts_of(verdict) for verdict in sitting.take(in_time, late)] == [("carried_out", None), ("moot", None)]


@rule("PL-488")
def test_a_time_out_whose_due_time_has_moved_is_moot():
    sitting = Sitting(GAME, 2, clock=LIMIT).begun()
    due = sitting.clock(0).due
    sitting.order("extend", ms=60 * S)
    sitting.now = due + 2_000
    assert facts_of(sitting.give("timeout", 0, 1, received=due)) == ("moot", None)


@rule("EX-9", "PL-490")
def test_two_silent_seats_time_out_in_seat_order_and_the_phase_is_resolved_once():
    sitting = hiding(GAME, 4, clock=LIMIT)
    sitting.act(1, "hide", pebbles=[])
    sitting.act(2, "hide", pebbles=[])
    rows = [sitting.row("timeout", seat, sitting.ask(seat).number, received=sitting.clock(seat).due) for seat in (0, 3)]
    sitting.take(*rows)
    assert [(step.act.kind, step.act.seat) for step in sitting.steps[-2:]] == [("timeout", 0), ("timeout", 3)]
    assert sitting.match.state.stage == "look"
    assert sitting.match.missed == (1, 0, 0, 1)


@rule("EX-25", "PL-491")
def test_an_absent_seat_is_answered_for_at_once_until_it_acts():
    sitting = Sitting(GAME, 2, options={"rounds": 5}, clock=LIMIT).begun()
    for _ in range(2):
        sitting.run_out(0)
        sitting.act(1, "rest")
        sitting.act(1, "hide", pebbles=[])
        if sitting.match.missed[0] < 3:
            sitting.run_out(0)
        sitting.order("advance")
    automatic = [step.act.seat for step in sitting.steps if step.act.kind == "timeout"]
    assert automatic[:3] == [0, 0, 0]
    assert len(automatic) > 3
    assert sitting.match.awaited() == (1,)
    assert sitting.house.timeouts[0] == 3
    sitting.act(1, "rest")
    sitting.give("command", 0, sitting.ask(0).number, {"do": "hide", "pebbles": []})
    assert sitting.match.missed[0] == 0


@rule("PL-491")
def test_too_many_time_outs_in_all_make_a_leaver():
    sitting = Sitting(GAME, 3, clock=LIMIT | {"most_timeouts": 1}).begun()
    sitting.run_out(0)
    assert [(gone.seat, gone.how) for gone in sitting.match.gone] == [(0, "timed_out")]


@rule("PL-502")
def test_a_phase_ends_by_its_clock_alone_and_not_before():
    sitting = looking(GAME, clock={"preset": "quick"})
    due = sitting.house.phase.due
    assert due == sitting.now + GAME.presets["quick"]["look"] * S
    assert facts_of(sitting.give("phase", received=due - 1)) == ("moot", None)
    assert sitting.give("phase", received=due).outcome == "carried_out"
    assert sitting.match.state.round == 2


@rule("PL-503")
def test_an_extension_moves_due_times_and_all_are_told():
    sitting = Sitting(GAME, 2, clock=LIMIT).begun()
    due, step = sitting.clock(0).due, sitting.match.step
    verdict = sitting.order("extend", ms=60 * S)
    assert sitting.clock(0).due == due + 60 * S
    assert (verdict.first_step, sitting.match.step) == (step + 1, step + 1)
    assert sitting.steps[-1].act.command == b'{"by":"host","kind":"extend","ms":60000}'
    sitting.order("extend", by="referee", ms=S, target=1)
    assert sitting.clock(0).due == due + 60 * S


@rule("PL-503")
def test_a_host_extends_three_times_at_most():
    sitting = looking(GAME, clock=LIMIT)
    assert [facts_of(sitting.order("extend", ms=S)) for _ in range(4)] == [("carried_out", None)] * 3 + [("refused", "not_offered")]


@rule("PL-498")
def test_the_time_charged_is_the_sum_of_the_intervals():
    sitting = Sitting(GAME, 2, clock={"preset": "quick", "limit_ms": 0, "bank_ms": 600 * S, "bank_max_ms": 600 * S}).begun()
    for seat, pause in ((0, 7), (1, 31)):
        sitting.later(pause)
        sitting.act(seat, "rest")
    sitting.later(9)
    sitting.act(0, "hide", pebbles=[])
    assert sitting.house.banks == ((600 - 7 - 9) * S, (600 - 31) * S)


@rule("EX-22", "PL-499")
def test_an_outage_moves_due_times_by_its_overlap():
    sitting = Sitting(GAME, 2, clock={"preset": "quick", "limit_ms": 90 * 60 * S}).begun()
    opened, due = sitting.clock(0).opened, sitting.clock(0).due
    nine_twelve, nine_nineteen_thirty = opened + 72 * 60 * S, opened + 79 * 60 * S + 30 * S
    sitting.order("credit", **{"by": "service", "from": nine_twelve, "to": nine_nineteen_thirty})
    assert sitting.clock(0).due == due + 7 * 60 * S + 30 * S
    sitting.order("credit", **{"by": "service", "from": due + 3600 * S, "to": due + 3700 * S})
    assert sitting.clock(0).due == due + 7 * 60 * S + 30 * S


@rule("PL-323")
def test_time_never_runs_backwards_within_a_match():
    sitting = Sitting(GAME, 2, clock=LIMIT).begun()
    sitting.later(-3600)
    sitting.act(0, "rest")
    assert sitting.steps[-1].at == sitting.steps[-2].at


# Pauses, proposals, orders --------------------------------------------------------------------------------------------


@rule("PL-243", "PL-244")
def test_a_pause_by_agreement_stops_the_clocks_and_any_seat_ends_it():
    sitting = Sitting(GAME, 2, clock=LIMIT).begun()
    due = sitting.clock(0).due
    sitting.later(5)
    sitting.give("proposal", 1, body={"kind": "pause", "answer": "propose"})
    assert sitting.state == "running"
    sitting.give("proposal", 0, body={"kind": "pause", "answer": "yes"})
    assert sitting.state == "paused"
    assert facts_of(sitting.act(0, "rest")) == ("refused", "match_paused")
    assert facts_of(sitting.give("timeout", 0, 1, received=due)) == ("moot", None)
    sitting.later(600)
    sitting.give("proposal", 1, body={"kind": "resume", "answer": "propose"})
    assert (sitting.state, sitting.clock(0).due) == ("running", due + 600 * S)
    assert sitting.topics[-2:] == ["match.paused", "match.resumed"]


@rule("PL-492", "PL-243", "PL-499")
def test_nobody_is_waited_for_while_the_clocks_stand_still_or_were_away():
    sitting = Sitting(GAME, 2, clock=LIMIT | {"no_show_ms": 60 * S}).begun()
    due = sitting.now + 60 * S
    sitting.order("pause", by="referee")
    sitting.later(600)
    assert facts_of(sitting.give("no_show", received=due)) == ("moot", None)
    sitting.order("resume", by="referee")
    sitting.order("credit", **{"from": sitting.now, "to": sitting.now + 30 * S})
    assert sitting.house.no_show.due == due + 630 * S
    assert facts_of(sitting.give("no_show", received=due + 600 * S)) == ("moot", None)
    sitting.later(60)
    sitting.give("no_show", received=due + 630 * S)
    assert (sitting.state, sitting.house.no_show) == ("aborted", None)


@rule("PL-243")
def test_a_proposal_that_is_declined_or_was_never_made_does_nothing():
    sitting = Sitting(GAME, 2).begun()
    sitting.give("proposal", 1, body={"kind": "pause", "answer": "propose"})
    sitting.give("proposal", 0, body={"kind": "pause", "answer": "no"})
    assert facts_of(sitting.give("proposal", 0, body={"kind": "pause", "answer": "yes"})) == ("refused", "not_offered")
    assert sitting.state == "running"


@rule("PL-244")
def test_rows_that_arrived_before_the_pause_are_still_carried_out():
    sitting = Sitting(GAME, 2).begun()
    rows = [sitting.row("command", 0, 1, {"do": "rest"}), sitting.row("order", body={"kind": "pause", "by": "referee"}),
            sitting.row("command", 1, 2, {"do": "rest"})]
    assert [facts_of(verdict) for verdict in sitting.take(*rows)] == [("carried_out", None), ("carried_out", None), ("refused", "match_paused")]


@rule("PL-243", "PL-244")
@pytest.mark.parametrize(("by", "ends"), [("host", 600 * S), ("referee", None)])
def test_a_pause_of_host_or_referee_is_not_ended_by_a_seat(by, ends):
    sitting = Sitting(GAME, 2).begun()
    sitting.order("pause", by=by)
    assert sitting.house.pause_ends == (ends and sitting.now + ends)
    assert facts_of(sitting.give("proposal", 1, body={"kind": "resume", "answer": "propose"})) == ("refused", "not_offered")
    assert sitting.order("resume", by=by).outcome == "carried_out"
    assert sitting.house.pause_by == ""


@rule("PL-247")
def test_a_match_is_aborted_with_the_consent_of_all_until_all_have_answered():
    sitting = Sitting(GAME, 2).begun()
    sitting.act(0, "rest")
    sitting.give("proposal", 0, body={"kind": "abort", "answer": "propose"})
    sitting.give("proposal", 1, body={"kind": "abort", "answer": "yes"})
    assert (sitting.state, sitting.placings) == ("aborted", None)
    later = hiding(GAME)
    assert facts_of(later.give("proposal", 0, body={"kind": "abort", "answer": "propose"})) == ("refused", "wrong_state")


@rule("PL-305")
def test_an_order_is_judged_by_the_state_when_its_turn_comes():
    sitting = Sitting(GAME, 2).begun()
    assert facts_of(sitting.order("resume")) == ("refused", "wrong_state")
    assert facts_of(sitting.order("game", command={"do": "move_on"})) == ("refused", "not_a_choice")
    sitting = looking(GAME)
    assert sitting.order("game", command={"do": "move_on"}).outcome == "carried_out"
    assert sitting.steps[-1].act.seat == -1


@rule("PL-502", "PL-307")
def test_the_host_closes_a_phase_and_missing_answers_are_given():
    sitting = hiding(GAME, 3, clock=LIMIT)
    sitting.act(1, "hide", pebbles=[])
    assert sitting.order("advance").outcome == "carried_out"
    assert [step.act.seat for step in sitting.steps if step.act.automatic] == [0, 2]
    assert sitting.match.state.stage == "look"


@rule("PL-248", "PL-231")
def test_a_referee_voids_a_match_running_or_finished():
    sitting = Sitting(GAME, 2).begun()
    sitting.order("void", by="referee")
    assert (sitting.state, sitting.topics[-1]) == ("voided", "match.voided")
    sitting = Sitting(GAME, 2).begun()
    sitting.give("resign", 1)
    assert sitting.state == "finished"
    assert sitting.order("void", by="referee").outcome == "carried_out"
    assert sitting.topics.count("match.voided") == 1
    assert facts_of(sitting.order("void", by="referee")) == ("refused", "match_over")


@rule("PL-231")
@pytest.mark.parametrize("kind", ["resume", "extend", "advance", "game", "disqualify", "credit"])
def test_no_other_order_is_carried_out_once_the_match_is_over(kind):
    sitting = Sitting(GAME, 2).begun()
    sitting.give("resign", 1)
    step = sitting.match.step
    assert sitting.order(kind, ms=1, target=0, command={"do": "move_on"}).outcome == "refused"
    assert sitting.match.step == step


@rule("CH-417")
def test_the_hosts_rights_pass_to_the_next_seat_that_is_there():
    sitting = Sitting(GAME, 3, options={"rounds": 2}).begun()
    hosted = replace(sitting.deal, host_seat=1, bots={2: "random"})
    assert acting_host(sitting.deal, sitting.match) is None
    assert acting_host(hosted, sitting.match) == 1
    away = structs.replace(sitting.match, missed=(0, GAME.absent_after, 0))
    assert acting_host(hosted, away) == 0
    assert acting_host(hosted, structs.replace(away, missed=(3, 3, 3))) == 1


@rule("CH-417")
def test_where_everybody_is_absent_a_phase_without_a_clock_gets_one():
    sitting = looking(GAME)
    assert sitting.house.phase.due is None
    gone = structs.replace(sitting.match, missed=(GAME.absent_after, GAME.absent_after))
    assert wound(GAME, Clock(preset="none"), sitting.house, gone, sitting.now).phase.due == sitting.now + 10 * S
