"""What becomes of a drafted round when something happens before it is published?"""

import pytest

from services.league.tournament.shelf import every
from tests.league.tournament.desk import THREE, Desk, account_at, refused, running, stage, through, through_manual
from tests.ledger import rule


def draft(form=None, count=6, **settings):
    """A first round that only officials have seen."""
    desk = Desk(form or stage("swiss", rounds=3), auto_start=False, **settings)
    desk.field(count)
    desk.host("start")
    assert desk.stage().drafted is not None
    return desk


def published(desk):
    desk.host("publish")
    return {pairing.numbers: pairing.state for pairing in every(desk.stage().rounds[-1].pairings)}


def of(states, number):
    return next(state for numbers, state in states.items() if number in numbers)


@rule("LG-678", "LG-232")
def test_who_is_disqualified_after_the_draft_is_not_paired():
    desk = draft()
    desk.referee("disqualify", account=account_at(desk, 1), reason="cheating")
    assert of(published(desk), 1) == "walkover"
    assert all(account_at(desk, 1) not in order.accounts for order in desk.orders)


@rule("LG-232", "LG-657")
def test_who_left_before_two_others_changed_places_is_away_still():
    desk = draft()
    desk.own(account_at(desk, 1), "withdraw")
    desk.referee("swap", account=account_at(desk, 2), other=account_at(desk, 3), reason="clubmates", expected_version=desk.state.version)
    assert of(published(desk), 1) == "walkover"
    assert len(desk.orders) == 2


@rule("LG-234", "LG-657")
def test_a_table_that_is_lost_by_somebody_who_left_stays_lost_when_others_change_places():
    desk = draft(stage("round_robin"), 6)
    for _ in range(3):
        desk.host("publish")
        through_manual(desk)
        desk.host("start")
    desk.own(account_at(desk, 1), "withdraw")
    desk.referee("pair_again", reason="somebody has left", expected_version=desk.state.version)
    lost = next(pairing for pairing in every(desk.stage().drafted.pairings) if pairing.state == "walkover")
    one, other = (pairing.numbers[0] for pairing in every(desk.stage().drafted.pairings) if pairing.state == "ready")
    with refused("bad_setting"):
        desk.referee("swap", account=account_at(desk, max(lost.numbers)), other=account_at(desk, one), reason="x", expected_version=desk.state.version)
    desk.referee("swap", account=account_at(desk, one), other=account_at(desk, other), reason="clubmates", expected_version=desk.state.version)
    states = published(desk)
    assert states[lost.numbers] == "walkover"
    assert len(desk.open()) == 2


@rule("LG-679", "LG-232")
def test_a_drafted_pairing_of_which_nobody_is_left_is_void():
    desk = draft()
    numbers = next(every(desk.stage().drafted.pairings)).numbers
    for number in numbers:
        desk.own(account_at(desk, number), "withdraw")
    assert published(desk)[numbers] == "void"
    assert {(bye.number, bye.kind) for bye in desk.stage().rounds[0].byes} == {(number, "absent") for number in numbers}


@rule("LG-172")
def test_a_draft_beyond_the_rounds_that_are_planned_now_goes():
    desk = draft()
    desk.host("publish")
    through_manual(desk)
    desk.host("start")
    desk.host("set", changes={"rounds": 1})
    assert desk.stage().drafted is None
    with refused("no_more_rounds"):
        desk.host("publish")
    assert len(desk.stage().rounds) == 1


@rule("LG-236")
def test_a_half_bye_in_the_drafted_round_counts():
    desk = Desk(stage("swiss", rounds=5), auto_start=False)
    desk.field(6)
    who = desk.state.seeds[0]
    desk.own(who, "request_bye", round=1, bye="half")
    desk.host("start")
    for number in (2, 3):
        with refused("bye_not_allowed"):
            desk.own(who, "request_bye", round=number, bye="half")


@rule("LG-271", "LG-232", "LG-673")
def test_no_table_becomes_smaller_than_the_stage_allows():
    desk = draft(stage("swiss", THREE, rounds=3))
    desk.own(account_at(desk, 1), "withdraw")
    desk.host("publish")
    assert [len(order.accounts) for order in desk.orders] == [3, 3]
    assert desk.stage().rounds[0].byes == desk.stage().rounds[0].absent == ()


@rule("LG-271", "LG-232")
def test_a_larger_table_goes_on_without_who_left():
    desk = draft(stage("swiss", {"least": 2, "most": 3, "preferred": 3}, rounds=3))
    desk.own(account_at(desk, 1), "withdraw")
    desk.host("publish")
    assert sorted(len(order.accounts) for order in desk.orders) == [2, 3]
    assert [(bye.number, bye.kind) for bye in desk.stage().rounds[0].byes] == [(1, "absent")]


@rule("LG-275", "LG-234", "LG-271")
@pytest.mark.parametrize(("least", "sizes"), [(2, [2, 3, 3]), (3, [3, 3])])
def test_in_a_schedule_too_few_for_a_table_rest(least, sizes):
    desk = running(stage("round_robin", {"least": least, "most": 3, "preferred": 3}), 9)
    desk.own(account_at(desk, 1), "withdraw")
    through(desk)
    made = desk.stage().rounds[1]
    assert sorted(len(pairing.numbers) for pairing in every(made.pairings)) == sizes
    assert len(made.rests) == 8 - sum(sizes)
