"""Who has a place that becomes free, until the first round is published?"""

import msgspec
import pytest

from services.league.refusals import Refused
from services.league.tournament.shelf import every
from tests.league.tournament.desk import Desk, account_at, refused, stage
from tests.ledger import rule

SWISS = stage("swiss", rounds=4)


def queued(form=SWISS, places=4, count=6, **settings):
    """A tournament that is full, with others waiting."""
    desk = Desk(form, auto_start=False, most=places, waiting_list=True, seeding="given", **settings)
    desk.host("open", forecast_seen=True)
    for number in range(1, count + 1):
        desk.own(desk.person(f"acc-{number:03d}"), "enter")
    return desk


def drafted(form=SWISS, **settings):
    desk = queued(form, **settings)
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    assert desk.stage().drafted is not None
    return desk


def sitting(desk):
    return {account_at(desk, number) for pairing in every((desk.stage().rounds[0] if desk.stage().rounds else desk.stage().drafted).pairings)
            for number in pairing.numbers}


@rule("LG-224")
@pytest.mark.parametrize("form", [SWISS, stage("round_robin"), stage("elimination")], ids=["swiss", "round_robin", "elimination"])
@pytest.mark.parametrize("leaving", ["withdraw", "disqualify"])
def test_the_first_of_the_queue_takes_over_a_place_in_the_draft(form, leaving):
    desk = drafted(form)
    number = next(number for number in range(1, 5) if account_at(desk, number) == "acc-002")
    desk.own("acc-002", "withdraw") if leaving == "withdraw" else desk.referee("disqualify", account="acc-002", reason="cheating")
    assert desk.events[-1].account == "acc-005"
    assert account_at(desk, number) == "acc-005"
    assert (desk.state.queue, desk.state.counted) == (("acc-006",), 4)
    desk.host("publish")
    assert sitting(desk) == {"acc-001", "acc-003", "acc-004", "acc-005"}
    assert {pairing.state for pairing in every(desk.stage().rounds[0].pairings)} == {"ready"}
    assert msgspec.json.encode(desk.past(desk.state.version)) == msgspec.json.encode(desk.state)
    lines = {line["account"]: line["state"] for line in desk.page("entrants")["items"]}
    assert (lines["acc-005"], lines["acc-002"]) == ("entered", "withdrawn" if leaving == "withdraw" else "disqualified")


@rule("LG-224")
def test_nobody_moves_up_once_the_first_round_is_published():
    desk = drafted()
    desk.host("publish")
    desk.own("acc-002", "withdraw")
    assert desk.state.queue == ("acc-005", "acc-006")
    assert desk.state.counted == 3


@rule("LG-224", "LG-236")
def test_a_bye_that_was_asked_for_is_not_taken_over():
    desk = queued()
    desk.own("acc-002", "request_bye", round=1, bye="half")
    desk.host("close")
    desk.host("start")
    desk.own("acc-002", "withdraw")
    assert "acc-005" in sitting(desk)
    assert not desk.stage().drafted.byes
    desk.own("acc-005", "request_bye", round=2, bye="half")


@rule("LG-224", "LG-233")
def test_whose_place_has_gone_waits_for_another_one():
    desk = drafted()
    desk.own("acc-002", "withdraw")
    with refused("full"):
        desk.own("acc-002", "return")
    assert "acc-002" not in sitting(desk)


@rule("LG-224")
@pytest.mark.parametrize("late", [False, True])
def test_a_disqualification_that_is_lifted_makes_nobody_too_many(late):
    desk = drafted() if late else queued()
    desk.referee("disqualify", account="acc-001", reason="a mix-up")
    desk.referee("lift", account="acc-001", reason="it was another")
    assert desk.state.counted == 4
    assert desk.state.queue == ("acc-001", "acc-006")
    desk.own("acc-003", "withdraw")
    assert desk.state.queue == ("acc-006",)


@rule("LG-224")
def test_without_a_queue_a_place_that_was_taken_since_stays_taken():
    desk = Desk(SWISS, most=2)
    desk.host("open", forecast_seen=True)
    for number in (1, 2):
        desk.own(desk.person(f"acc-{number}"), "enter")
    desk.referee("disqualify", account="acc-1", reason="a mix-up")
    desk.own(desk.person("acc-3"), "enter")
    with refused("full"):
        desk.referee("lift", account="acc-1", reason="it was another")
    desk.own("acc-3", "withdraw")
    desk.referee("lift", account="acc-1", reason="it was another")
    assert desk.state.counted == 2


@rule("LG-236", "LG-982")
def test_byes_of_a_file_have_the_limits_of_all_that_are_asked_for():
    desk = Desk(stage("swiss", rounds=4, half_byes=2))
    desk.host("open")
    desk.person("ada")
    for cell, words in (("4", "round 4"), ("1 5", "round 5"), ("1 2 3", "at most 2")):
        with pytest.raises(Refused) as caught:
            desk.host("import_entrants", csv=f"account,given_byes\nada,{cell}\n")
        assert caught.value.code == "bad_file"
        assert words in caught.value.named[0]
    desk.host("import_entrants", csv="account,given_byes\nada,1 3\n")
    with refused("bad_file"):
        desk.host("import_entrants", csv="account,given_byes\nada,1 4\n", update=True)
    desk.host("import_entrants", csv="account,given_byes\nada,2\n", update=True)
    assert {number: list(byes.values()) for number, byes in desk.stage().asked.items() if byes} == {2: ["half"]}
