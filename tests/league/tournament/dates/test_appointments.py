"""Do those at a table agree on a time, and does it hold?"""

import pytest

from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import MINUTE, Desk, account_at, pairing, refused, running, settings, stage
from tests.ledger import rule

DAY = 24 * 60 * MINUTE
SWISS = stage("swiss", rounds=2)
DATED = {"schedule": {"round_deadline": "7 days"}, "appointments": True}


def table(desk, number=1):
    """A table of round 1, and the accounts at it."""
    one = desk.page("round/1/1")["pairings"][number - 1]
    return one["pairing"], [seat["account"] for seat in one["seats"]]


@rule("LG-881")
def test_all_accept_and_the_no_show_clock_starts_at_the_appointment():
    desk = running(SWISS, 4, **DATED)
    where, (one, other) = table(desk)
    start = desk.at + 2 * DAY
    assert not desk.orders
    desk.own(one, "appoint", pairing=where, start=start)
    desk.own(other, "agree", pairing=where, number=1, yes=True)
    assert pairing(desk, where)["starts_at"] == start
    desk.wait(DAY)
    assert not desk.orders
    assert desk.until_due() == start
    [order] = desk.orders
    assert (order.pairing, desk.at, order.no_show_after) == (f"{where}/1", start, 10 * MINUTE)
    with refused("wrong_state"):
        desk.own(one, "appoint", pairing=where, start=desk.at + DAY)
    desk.end(order.match, [1, 2])
    assert pairing(desk, where)["state"] == "confirmed"


@rule("LG-881")
def test_at_a_larger_table_everybody_must_have_said_yes():
    desk = running(stage("swiss", {"least": 3, "most": 3, "preferred": 3}, rounds=1), 3, **DATED)
    where, (one, other, third) = table(desk)
    desk.own(one, "appoint", pairing=where, start=desk.at + DAY)
    for _ in range(2):
        desk.own(other, "agree", pairing=where, number=1, yes=True)
    assert pairing(desk, where)["starts_at"] is None
    assert desk.page("appointments/1/1")["items"][0]["agreed"]["accounts"] == [one, other]
    desk.own(third, "agree", pairing=where, number=1, yes=False)
    with refused("wrong_state"):
        desk.own(other, "agree", pairing=where, number=1, yes=True)
    desk.wait(DAY)
    assert not desk.orders


@rule("LG-881")
def test_what_was_agreed_holds_until_another_time_is_agreed():
    desk = running(SWISS, 2, **DATED)
    where, (one, other) = table(desk)
    first, second = desk.at + DAY, desk.at + 2 * DAY
    desk.own(one, "appoint", pairing=where, start=first)
    desk.own(other, "agree", pairing=where, number=1, yes=True)
    desk.own(other, "appoint", pairing=where, start=second)
    assert pairing(desk, where)["starts_at"] == first
    with refused("wrong_state"):
        desk.own(one, "agree", pairing=where, number=1, yes=True)
    desk.own(one, "agree", pairing=where, number=2, yes=True)
    assert pairing(desk, where)["starts_at"] == second
    assert desk.until_due() == second


@rule("LG-881")
@pytest.mark.parametrize("late", [-1, 7 * DAY, 8 * DAY])
def test_a_start_outside_the_round_is_refused(late):
    desk = running(SWISS, 2, **DATED)
    where, (one, _) = table(desk)
    with refused("outside_round"):
        desk.own(one, "appoint", pairing=where, start=desk.at + late)
    assert "appointment_proposed" not in desk.kinds()


@rule("LG-881")
def test_only_who_sits_there_and_only_in_time():
    desk = running(SWISS, 4, **DATED)
    where, (one, other) = table(desk)
    _, (stranger, _) = table(desk, 2)
    with refused("not_allowed"):
        desk.own(stranger, "appoint", pairing=where, start=desk.at + DAY)
    desk.own(one, "appoint", pairing=where, start=desk.at + DAY)
    with refused("not_allowed"):
        desk.own(stranger, "agree", pairing=where, number=1, yes=True)
    desk.wait(2 * DAY)
    with refused("outside_round"):
        desk.own(other, "agree", pairing=where, number=1, yes=True)


@rule("LG-881", "LG-878")
def test_without_an_appointment_the_deadline_of_the_round_holds():
    desk = running(SWISS, 2, **DATED)
    where, _ = table(desk)
    assert desk.until_due() == desk.page("round/1/1")["deadline"]
    assert pairing(desk, where)["flag"] == "deadline"
    forfeit = running(SWISS, 2, schedule={"round_deadline": "7 days", "at_deadline": "double_forfeit"}, appointments=True)
    forfeit.until_due()
    assert pairing(forfeit, where)["kind"] == "double_forfeit"


@rule("LG-881")
def test_proposals_are_for_the_table_and_the_officials():
    desk = running(SWISS, 2, **DATED)
    where, (one, _) = table(desk)
    desk.own(one, "appoint", pairing=where, start=desk.at + DAY)
    assert {"appointment_proposed", "appointment_answered"} <= TOURNAMENT.hidden
    assert "agreed" not in pairing(desk, where)
    desk.host("export", form="json")
    assert "withheld" in {event["kind"] for event in desk.answer["events"]}
    desk.own(account_at(desk, 1), "withdraw")
    assert pairing(desk, where)["state"] == "walkover"


@rule("LG-881", "LG-277")
@pytest.mark.parametrize("others", [
    {"schedule": {}}, {"stages": [stage("arena")]}, {"stages": [stage("round_robin", any_order=True, open_matches=2)]}])
def test_appointments_need_rounds_with_a_deadline(others):
    desk = Desk()
    wish = {**settings(SWISS, **DATED), **others}
    with refused("bad_setting"):
        desk.host("create", tournament="t-1", organisation="o-1", settings=wish)


@rule("LG-881")
def test_a_running_round_keeps_its_way_of_starting():
    desk = running(SWISS, 2, **DATED)
    with refused("frozen"):
        desk.host("set", changes={"appointments": False})
