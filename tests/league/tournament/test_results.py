"""What becomes of matches: ordered, recorded, reported?"""

import pytest

from services.league.refusals import Refused
from tests.league.tournament.desk import MINUTE, THREE, Desk, account_at, pairing, points, refused, running, stage
from tests.ledger import rule

SWISS = stage("swiss", rounds=3)
FIVE = stage("swiss", {"least": 3, "most": 5, "preferred": 5}, rounds=2)


@rule("LG-163", "LG-164", "LG-167", "LG-291")
def test_a_round_orders_one_match_for_each_pairing_with_its_seats():
    desk = running(SWISS, 5)
    assert [order.pairing for order in desk.orders] == ["1/1/1/1", "1/1/2/1"]
    assert len({order.match for order in desk.orders}) == 2
    for order, shown in zip(desk.orders, desk.page("round/1/1")["pairings"], strict=True):
        assert list(order.accounts) == [seat["account"] for seat in shown["seats"]]
        assert shown["match"] == order.match
        assert shown["state"] == "ready"
    desk.league("started", match=desk.orders[0].match)
    version = desk.state.version
    desk.league("started", match=desk.orders[0].match)
    assert pairing(desk, "1/1/1")["state"] == "running"
    assert desk.state.version == version


@rule("LG-166")
def test_starting_a_round_that_runs_changes_nothing():
    desk = running(SWISS, 4)
    version = desk.state.version
    for kind in ("start", "publish", "start"):
        desk.host(kind) if kind == "start" else desk.referee(kind)
    assert desk.state.version == version
    assert len(desk.orders) == 2


@rule("LG-710", "LG-964")
def test_an_order_says_what_absence_means():
    desk = Desk(stage("swiss", THREE, rounds=1), rated=False, visibility="private", playing={
        "leaver": "defaults", "level": "easy", "no_show_after": "1 hour", "leave_after": 3, "return_window": "5 minutes",
        "options": {"map": "small"}, "clock": {"turn": 30}, "same_dice": True, "talk": "phrases"}, schedule={"round_deadline": "2 days", "match_deadline": "1 day"})
    desk.field(6)
    desk.host("start")
    one, other = desk.orders
    assert (one.leaver, one.level, one.no_show_after, one.leave_after, one.return_window) == ("defaults", "easy", 60 * MINUTE, 3, 5 * MINUTE)
    assert (one.options, one.clock, one.rated, one.visibility, one.opponents) == ({"map": "small"}, {"turn": 30}, False, "private", "mixed")
    assert one.deadline == desk.at + 24 * 60 * MINUTE
    assert one.dice == other.dice == "1/1"
    assert one.talk == "phrases"


@rule("LG-201", "LG-205", "LG-209", "LG-801")
def test_a_finish_record_is_a_confirmed_result():
    desk = running(SWISS, 4)
    place, _, match = desk.open()[0]
    events = desk.end(match, [1, 1], scores=[7, 7])
    assert [event.__struct_config__.tag for event in events] == ["recorded"]
    assert points(desk, place) == ["1/2", "1/2"]
    assert desk.rated[match].rated
    assert sum(line["played"] for line in desk.page("standing/1")["lines"]) == 2
    assert desk.page("standing/1")["open_pairings"] == 1


@rule("LG-202")
@pytest.mark.parametrize("places", [[2, 2], [1, 3], [0, 1], [1], [1, 2, 3]])
def test_places_that_cannot_be_wait_for_the_referee(places):
    desk = running(SWISS, 2)
    place, _, match = desk.open()[0]
    if places == [2, 2]:
        desk.end(match, places)
        assert pairing(desk, place)["flag"] == "nobody has won"
        return
    desk.end(match, places)
    assert desk.answer == {"refused": "bad_result"}
    assert desk.page("head")["stages"][0]["waits"] == "needs_referee"
    version = desk.state.version
    desk.end(match, places)
    assert desk.state.version == version
    desk.referee("result", pairing=place, places={account_at(desk, 1): 1, account_at(desk, 2): 2})
    assert pairing(desk, place)["kind"] == "by_hand"


@rule("LG-203")
def test_a_record_of_a_match_that_no_longer_counts_changes_no_standing():
    desk = running(SWISS, 4)
    place, _, match = desk.open()[0]
    desk.referee("replay", pairing=place, reason="the server failed")
    again = desk.open()[0][2]
    assert again != match
    assert desk.stops == [(match, "void")]
    before = desk.page("standing/1")["lines"]
    desk.end(match, [1, 2])
    assert desk.answer == {"refused": "not_counted"}
    assert [line["points"] for line in before] == [line["points"] for line in desk.page("standing/1")["lines"]]
    desk.end(again, [2, 1])
    assert points(desk, place) == ["0", "1"]
    with refused("not_found"):
        desk.end("m-unknown", [1, 2])


@rule("LG-204", "E-63")
def test_a_match_has_one_result():
    desk = running(SWISS, 4)
    place, _, match = desk.open()[0]
    desk.end(match, [1, 2])
    version = desk.state.version
    desk.end(match, [1, 2])
    assert desk.state.version == version
    desk.end(match, [2, 1])
    assert desk.answer == {"refused": "result_exists"}
    assert desk.kinds()[-1] == "record_refused"
    assert points(desk, place) == ["1", "0"]


@rule("LG-207")
def test_the_reason_of_the_end_changes_nothing():
    standings = []
    for reason in ("last turn", "resigned", "clock"):
        desk = running(SWISS, 2)
        desk.league("record", match=desk.open()[0][2], ended="finished", reason=reason, seats=[{"seat": 0, "place": 1}, {"seat": 1, "place": 2}])
        standings.append([(line["number"], line["points"]) for line in desk.page("standing/1")["lines"]])
    assert standings[0] == standings[1] == standings[2]


@rule("LG-210", "LG-211")
def test_a_reported_result_needs_a_second_voice():
    desk = running(stage("swiss", rounds=2), 4, reporting=True)
    assert not desk.orders
    (first, second) = desk.page("round/1/1")["pairings"]
    one, other = (seat["account"] for seat in first["seats"])
    stranger = second["seats"][0]["account"]
    places = {one: 1, other: 2}
    with refused("not_allowed"):
        desk.own(stranger, "report", pairing="1/1/1", places=places)
    with refused("bad_result"):
        desk.own(one, "report", pairing="1/1/1", places={one: 1, other: 3})
    desk.own(one, "report", pairing="1/1/1", places=places)
    assert pairing(desk, "1/1/1")["state"] == "reported"
    with pytest.raises(Refused) as caught:
        desk.host("start")
    assert (caught.value.code, caught.value.named) == ("results_unconfirmed", ("1/1/1",))
    assert desk.page("standing/1")["lines"][0]["points"] == "0"
    desk.own(other, "report", pairing="1/1/1", places=places)
    assert pairing(desk, "1/1/1")["state"] == "confirmed"
    with refused("wrong_state"):
        desk.own(one, "report", pairing="1/1/1", places=places)
    three, four = (seat["account"] for seat in second["seats"])
    desk.own(three, "report", pairing="1/1/2", places={three: 1, four: 2})
    desk.own(four, "report", pairing="1/1/2", places={three: 2, four: 1})
    assert pairing(desk, "1/1/2")["flag"] == "disputed"
    desk.own(three, "report", pairing="1/1/2", places={three: 2, four: 1})
    assert pairing(desk, "1/1/2")["state"] == "reported", "only a referee decides now"
    desk.referee("result", pairing="1/1/2", places={three: 1, four: 1})
    assert points(desk, "1/1/2") == ["1/2", "1/2"]


@rule("LG-210")
def test_a_report_that_nobody_contradicts_counts_in_time():
    desk = running(stage("swiss", rounds=2), 2, reporting=True, confirm_after="2 hours")
    one, other = (seat["account"] for seat in pairing(desk, "1/1/1")["seats"])
    desk.own(one, "report", pairing="1/1/1", places={one: 2, other: 1})
    desk.wait(119 * MINUTE)
    assert pairing(desk, "1/1/1")["state"] == "reported"
    desk.wait(MINUTE)
    assert points(desk, "1/1/1") == ["0", "1"]


@rule("LG-212", "LG-213")
def test_what_is_not_confirmed_or_is_void_adds_nothing():
    desk = running(SWISS, 4)
    first, second = (place for place, _, _ in desk.open())
    desk.referee("void", pairing=first, reason="the server failed")
    lines = desk.page("standing/1")["lines"]
    assert {line["points"] for line in lines} == {"0"}
    assert {line["played"] for line in lines} == {0}
    assert pairing(desk, first)["state"] == "void"
    with refused("wrong_state"):
        desk.referee("void", pairing=first, reason="again")
    assert pairing(desk, second)["state"] == "ready"


@rule("LG-214", "LG-707")
@pytest.mark.parametrize("how", [[], ["left", "left", "left"]])
def test_when_nobody_wins_all_are_last_and_a_referee_looks(how):
    desk = running(stage("swiss", THREE, rounds=1), 3)
    place, _, match = desk.open()[0]
    desk.end(match, [3, 3, 3] if not how else [1, 2, 3], how=how)
    assert points(desk, place) == ["0", "0", "0"]
    assert pairing(desk, place)["flag"] == "nobody has won"
    assert all(not line["places"] or line["places"][0] == 0 for line in desk.page("standing/1")["lines"])
    assert not desk.rated[match].rated


@rule("LG-215")
def test_joint_winners_share_the_first_place():
    desk = running(stage("swiss", THREE, rounds=1), 3)
    place, _, match = desk.open()[0]
    desk.end(match, [1, 1, 3])
    assert points(desk, place) == ["3/4", "3/4", "0"]


@rule("LG-216", "LG-673", "E-66")
def test_a_smaller_table_is_scored_by_those_who_sat_down():
    desk = running(stage("swiss", {"least": 3, "most": 5, "preferred": 5}, rounds=1), 5, playing={"absent_seats": "shrink"})
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 1, 1, 1, 5], how=["played"] * 4 + ["no_show"], ended="aborted")
    _, seated, again = desk.open()[0]
    assert seated == numbers[:4]
    assert desk.orders[-1].pairing == "1/1/1/2"
    desk.end(again, [1, 2, 3, 4])
    assert points(desk, place) == ["1", "2/3", "1/3", "0"]
    line = next(line for line in desk.page("standing/1")["lines"] if line["number"] == numbers[4])
    assert (line["points"], line["played"]) == ("0", 0)


@rule("LG-672", "LG-848", "LG-671")
def test_at_a_table_of_two_a_no_show_loses_by_forfeit():
    desk = running(SWISS, 2)
    place, _, match = desk.open()[0]
    desk.end(match, [1, 2], how=["played", "no_show"])
    assert points(desk, place) == ["1", "0"]
    assert not desk.rated[match].rated
    assert {line["played"] for line in desk.page("standing/1")["lines"]} == {0}


@rule("LG-673", "LG-674")
def test_at_larger_tables_no_shows_come_last_without_points():
    desk = running(FIVE, 5)
    place, _, match = desk.open()[0]
    desk.end(match, [2, 1, 3, 4, 5], how=["played", "no_show", "played", "played", "played"])
    assert points(desk, place) == ["1", "0", "3/4", "1/2", "1/4"]
    alone = running(stage("swiss", THREE, rounds=1), 3)
    place, _, match = alone.open()[0]
    alone.end(match, [1, 2, 2], how=["played", "no_show", "no_show"])
    assert points(alone, place) == ["1", "0", "0"]


@rule("LG-675", "LG-676")
def test_a_double_forfeit_gives_nobody_points():
    desk = running(SWISS, 4)
    place = desk.open()[0][0]
    accounts = [seat["account"] for seat in pairing(desk, place)["seats"]]
    desk.referee("forfeit", pairing=place, accounts=accounts, reason="neither came")
    assert points(desk, place) == ["0", "0"]
    assert (pairing(desk, place)["state"], pairing(desk, place)["kind"]) == ("walkover", "double_forfeit")
    other = desk.open()[0][0]
    desk.referee("forfeit", pairing=other, accounts=[pairing(desk, other)["seats"][0]["account"]], reason="did not come")
    assert points(desk, other) == ["0", "1"]
    assert pairing(desk, other)["kind"] == "forfeit"
