"""What is decided without being played to its end, and what follows from leaving, series and deadlines?"""

import pytest

from services.league.kind import Actor
from tests.league.tournament.desk import MINUTE, Desk, account_at, pairing, points, refused, running, stage, through
from tests.ledger import rule

SWISS = stage("swiss", rounds=3)
FIVE = stage("swiss", {"least": 3, "most": 5, "preferred": 5}, rounds=2)


@rule("LG-124")
def test_nobody_decides_about_their_own_pairing():
    desk = Desk(SWISS)
    desk.host("open")
    for number in range(4):
        desk.own(desk.person(f"a{number}", kind="bot" if number == 3 else "person", owner="ref" if number == 3 else ""), "enter", team=f"t{number % 2}")
    desk.host("close")
    desk.host("start")
    number = next(number for number in range(1, 5) if account_at(desk, number) != "a3")
    mine = next(place for place, numbers, _ in desk.open() if number in numbers)
    account = account_at(desk, number)
    for kind, body in (("result", {"places": {}}), ("void", {"reason": "x"}), ("replay", {"reason": "x"}), ("forfeit", {"accounts": [account]})):
        with refused("own_match"):
            desk.act(Actor(account, frozenset({"referee"})), kind, pairing=mine, **body)
    bots = next(place for place, _, _ in desk.open() if "a3" in {seat["account"] for seat in pairing(desk, place)["seats"]})
    with refused("own_match"):
        desk.referee("void", who="ref", pairing=bots, reason="my bot")
    with refused("own_match"):
        desk.referee("disqualify", who="ref", account="a3", reason="my bot")


@rule("LG-656")
def test_a_bye_has_no_match():
    desk = running(SWISS, 5)
    with refused("is_bye"):
        desk.referee("void", pairing="1/1/0", reason="what")
    with refused("not_found"):
        desk.referee("void", pairing="1/1/9", reason="what")
    with refused("malformed"):
        desk.referee("void", pairing="one", reason="what")


@rule("LG-677", "LG-678")
def test_a_disqualification_ends_what_runs_and_keeps_what_was_played():
    desk = running(stage("swiss", rounds=3), 6)
    through(desk)
    account = account_at(desk, 1)
    place, _, match = next(one for one in desk.open() if 1 in one[1])
    desk.league("started", match=match)
    with refused("reason_missing"):
        desk.referee("disqualify", account=account)
    desk.referee("disqualify", account=account, reason="used an engine")
    assert desk.stops[-1] == (match, f"forfeit:{account}")
    assert pairing(desk, place)["state"] == "confirmed"
    line = next(line for line in desk.page("standing/1")["lines"] if line["account"] == account)
    assert (line["rank"], line["points"], line["state"]) == (None, "1", "disqualified")
    desk.end(match, [1, 2])
    assert desk.answer == {"refused": "not_counted"}
    through(desk)
    assert account not in {seat["account"] for one in desk.page("round/1/3")["pairings"] for seat in one["seats"]}


@rule("LG-678")
@pytest.mark.parametrize(("annul", "worth"), [("keep", "0"), ("void", "0"), ("win", "1")])
def test_annulled_results_count_as_the_referee_says(annul, worth):
    desk = running(SWISS, 4)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    desk.referee("disqualify", account=account_at(desk, numbers[0]), reason="used an engine", annul=annul)
    other = next(line for line in desk.page("standing/1")["lines"] if line["number"] == numbers[1])
    assert other["points"] == worth
    assert pairing(desk, place)["state"] == ("void" if annul == "void" else "confirmed")


@rule("LG-678")
def test_a_disqualification_is_lifted_before_the_next_round_only():
    desk = running(stage("swiss", rounds=3), 6)
    account = account_at(desk, 1)
    desk.referee("disqualify", account=account, reason="used an engine")
    desk.referee("lift", account=account, reason="it was another")
    assert next(item for item in desk.page("entrants")["items"] if item["account"] == account)["state"] == "entered"
    desk.at += 1
    desk.referee("disqualify", account=account, reason="used an engine after all")
    through(desk)
    with refused("depends_on_played"):
        desk.referee("lift", account=account, reason="it was another")


@rule("LG-679")
def test_a_pairing_without_anybody_left_holds_up_nobody():
    desk = running(SWISS, 6)
    place, numbers, match = desk.open()[0]
    desk.league("started", match=match)
    for number in numbers:
        desk.own(account_at(desk, number), "withdraw")
    assert pairing(desk, place)["state"] == "void"
    bracket = running(stage("elimination"), 4)
    place, numbers, match = bracket.open()[0]
    bracket.league("started", match=match)
    for number in numbers:
        bracket.own(account_at(bracket, number), "withdraw")
    assert pairing(bracket, place)["kind"] == "double_forfeit"


@rule("LG-680")
def test_a_replay_makes_a_new_match_for_the_same_pairing():
    desk = running(SWISS, 4)
    place, _, match = desk.open()[0]
    desk.end(match, [1, 2])
    with refused("reason_missing"):
        desk.referee("replay", pairing=place)
    desk.referee("replay", pairing=place, reason="agreed")
    assert desk.orders[-1].pairing == f"{place}/2"
    assert not desk.rated[match].rated
    assert points(desk, place) == [None, None]
    desk.end(desk.orders[-1].match, [2, 1])
    through(desk)
    with refused("depends_on_played"):
        desk.referee("replay", pairing=place, reason="once more")


@rule("LG-703")
def test_leaving_a_table_of_two_loses_it():
    desk = running(SWISS, 2)
    place, _, match = desk.open()[0]
    desk.end(match, [1, 2], how=["resigned"])
    assert points(desk, place) == ["0", "1"]


@rule("LG-704", "LG-705")
def test_leavers_come_behind_those_who_stayed():
    desk = running(FIVE, 5)
    place, _, match = desk.open()[0]
    seats = [{"seat": at, "place": at + 1} for at in range(5)]
    seats[0] |= {"how": "left", "step": 12}
    seats[3] |= {"how": "timed_out", "step": 40}
    desk.league("record", match=match, ended="finished", seats=seats)
    assert [seat["place"] for seat in pairing(desk, place)["seats"]] == [5, 1, 2, 4, 3]
    assert points(desk, place) == ["0", "1", "3/4", "0", "1/2"]


@rule("LG-708", "LG-709", "E-65")
def test_a_bot_that_fails_is_a_leaver_and_who_came_back_is_not():
    desk = running(stage("swiss", {"least": 4, "most": 4, "preferred": 4}, rounds=1), 4)
    place, _, match = desk.open()[0]
    seats = [{"seat": at, "place": at + 1} for at in range(4)]
    seats[0] |= {"how": "bot_failed", "step": 80}
    desk.league("record", match=match, ended="finished", seats=seats)
    assert [seat["place"] for seat in pairing(desk, place)["seats"]] == [4, 1, 2, 3]


@rule("LG-641", "LG-642", "LG-297", "LG-644")
def test_a_series_ends_when_nothing_can_change_and_seats_alternate():
    desk = running(stage("swiss", rounds=1, best_of=3), 2)
    place, first, match = desk.open()[0]
    desk.end(match, [1, 2])
    _, second, again = desk.open()[0]
    assert second == first[::-1]
    assert desk.orders[-1].pairing == f"{place}/2"
    assert pairing(desk, place)["state"] == "ready"
    desk.end(again, [2, 1])
    assert pairing(desk, place)["state"] == "confirmed"
    assert points(desk, place) == ["1", "0"]
    assert [desk.rated[name].rated for name in (match, again)] == [True, True]


@rule("LG-645")
def test_a_forfeit_in_a_series_gives_what_is_needed_and_keeps_what_was_played():
    desk = running(stage("swiss", rounds=1, best_of=5), 2)
    place, numbers, match = desk.open()[0]
    desk.end(match, [2, 1])
    leading = account_at(desk, numbers[1])
    desk.referee("forfeit", pairing=place, accounts=[leading], reason="left the hall")
    assert points(desk, place) == ["1", "0"]
    assert len(pairing(desk, place)["games"]) == 2


@rule("LG-446")
def test_a_drawn_pairing_of_a_bracket_goes_on():
    desk = running(stage("elimination", deciders=1), 2)
    _, first, match = desk.open()[0]
    desk.end(match, [1, 1])
    _, second, again = desk.open()[0]
    assert second == first[::-1]
    desk.end(again, [1, 1])
    assert desk.state.life == "finished"
    assert desk.state.winners == (desk.state.seeds[0],)


@rule("LG-444", "LG-447", "LG-448")
def test_walkovers_in_a_bracket():
    desk = running(stage("elimination", third_place=True), 4)
    place, numbers, _ = desk.open()[0]
    desk.own(account_at(desk, numbers[0]), "withdraw")
    assert pairing(desk, place)["state"] == "walkover"
    desk.play(better=lambda number: -number)
    assert desk.state.life == "finished"
    assert desk.state.winners
    lines = desk.page("standing/1")["lines"]
    assert len(lines) == 4


@rule("LG-878")
@pytest.mark.parametrize(("at_deadline", "expected"), [("late_forfeits", "late"), ("double_forfeit", "void"), ("referee", "")])
def test_what_happens_at_the_deadline(at_deadline, expected):
    desk = running(SWISS, 2, schedule={"round_deadline": "1 hour", "at_deadline": at_deadline})
    place, _, match = desk.open()[0]
    desk.wait(59 * MINUTE)
    assert not desk.stops
    assert desk.until_due() == desk.page("round/1/1")["deadline"]
    assert [word for _, word in desk.stops] == ([expected] if expected else [])
    if at_deadline == "referee":
        assert pairing(desk, place)["flag"] == "deadline"
    if at_deadline == "late_forfeits":
        desk.end(match, [1, 2], how=["played", "timed_out"])
        assert points(desk, place) == ["1", "0"]
    if at_deadline == "double_forfeit":
        assert points(desk, place) == ["0", "0"]


@rule("LG-880")
def test_a_deadline_is_extended_with_a_reason_and_never_shortened():
    desk = running(SWISS, 4, schedule={"round_deadline": "1 hour"})
    place, _, match = desk.open()[0]
    deadline = desk.page("round/1/1")["deadline"]
    with refused("reason_missing"):
        desk.referee("extend", pairing=place, until=deadline + MINUTE)
    with refused("frozen"):
        desk.referee("extend", pairing=place, until=deadline - MINUTE, reason="no")
    desk.host("extend", pairing=place, until=deadline + 60 * MINUTE, reason="the line was down")
    assert desk.stops == [(match, f"deadline:{deadline + 60 * MINUTE}")]
    desk.until_due()
    assert len(desk.stops) == 2, "only the other table is late"
    desk.until_due()
    assert desk.stops[-1] == (match, "late")


@rule("LG-885", "LG-887", "E-59")
def test_an_outage_moves_each_deadline_by_the_part_it_was_open_for():
    hour = 60 * MINUTE
    desk = Desk(stage(), at=13 * hour, schedule={"round_deadline": "2 hours"})
    desk.field(2)
    desk.host("start")
    deadline = desk.page("round/1/1")["deadline"]
    assert deadline == 15 * hour
    desk.at = 14 * hour + 30 * MINUTE
    desk.league("outage", from_at=14 * hour, to_at=16 * hour + 30 * MINUTE)
    assert desk.page("round/1/1")["deadline"] == 17 * hour + 30 * MINUTE
    late = Desk(stage(), at=15 * hour, schedule={"round_deadline": "6 hours"})
    late.field(2)
    late.host("start")
    late.league("outage", from_at=14 * hour, to_at=16 * hour + 30 * MINUTE)
    assert late.page("round/1/1")["deadline"] == 22 * hour + 30 * MINUTE
    long = Desk(stage(), at=13 * hour, schedule={"round_deadline": "7 hours"})
    long.field(2)
    long.host("start")
    long.at = 17 * hour
    long.league("outage", from_at=14 * hour, to_at=16 * hour + 30 * MINUTE)
    assert long.page("round/1/1")["deadline"] == 22 * hour + 30 * MINUTE
    over = Desk(stage(), at=13 * hour, schedule={"round_deadline": "30 minutes"})
    over.field(2)
    over.host("start")
    over.end(over.open()[0][2], [1, 2])
    over.at = 17 * hour
    over.league("outage", from_at=14 * hour, to_at=16 * hour + 30 * MINUTE)
    assert over.page("round/1/1")["deadline"] == 13 * hour + 30 * MINUTE
    strict = Desk(stage(), at=13 * hour, schedule={"round_deadline": "2 hours", "outage": "strict"})
    strict.field(2)
    strict.host("start")
    strict.league("outage", from_at=14 * hour, to_at=16 * hour)
    assert strict.page("round/1/1")["deadline"] == 15 * hour
    with refused("malformed"):
        desk.league("outage", from_at=2, to_at=1)


@rule("LG-853")
def test_a_match_is_left_out_of_the_ratings_and_stays_in_the_standing():
    desk = running(SWISS, 4)
    place, _, match = desk.open()[0]
    desk.end(match, [1, 2])
    with refused("reason_missing"):
        desk.referee("rating_only", match=match)
    desk.referee("rating_only", match=match, reason="an agreed result")
    assert not desk.rated[match].rated
    assert points(desk, place) == ["1", "0"]
    with refused("not_found"):
        desk.referee("rating_only", match="m-9999", reason="an agreed result")


@rule("LG-1004", "LG-1024", "LG-651", "LG-652")
def test_every_pairing_and_bye_says_itself_in_one_line():
    desk = running(SWISS, 5)
    page = desk.page("round/1/1")
    assert page["byes"][0]["words"].startswith("Bye:")
    for one in page["pairings"]:
        assert one["text"] == f"Round 1, table {one['table']}: no. {one['seats'][0]['number']}, no. {one['seats'][1]['number']}. Not started."
        assert one["explanation"]["words"]
    assert [line["points"] for line in desk.page("standing/1")["lines"]] == ["1", "0", "0", "0", "0"]
    desk.end(page["pairings"][0]["match"], [2, 1])
    assert "Result: 1. no." in pairing(desk, "1/1/1")["text"]


@rule("LG-124")
def test_nobody_decides_about_their_own_bye():
    desk = Desk(SWISS, confirmations=2)
    desk.host("open", forecast_seen=True)
    for number in range(5):
        desk.own(desk.person(f"a{number}", kind="bot", owner=f"o{number}"), "enter")
    desk.host("close")
    desk.host("start")
    bye = desk.page("round/1/1")["byes"][0]["account"]
    owner = f"o{bye[1:]}"
    change = {"pairing": "1/1/0", "bye_of": bye, "bye": "half"}
    asked = {"correction": change, "reason": "it was asked for", "expected_version": desk.state.version}
    with refused("own_match"):
        desk.referee("correct", who=owner, **asked)
    with refused("own_match"):
        desk.referee("give_bye", who=owner, account=bye, round=2, bye="full", reason="travel")
    desk.referee("correct", **asked)
    with refused("own_match"):
        desk.referee("confirm", who=owner, correction_id=desk.state.corrections[0].id, yes=True)
    desk.referee("confirm", who="acc-ref-2", correction_id=desk.state.corrections[0].id, yes=True)
    with refused("own_match"):
        desk.referee("undo", who=owner, correction_id=desk.state.corrections[0].id, reason="it was not asked for", expected_version=desk.state.version)


@rule("LG-678", "LG-675")
def test_two_whose_results_are_annulled_win_nothing_of_each_other():
    desk = running(SWISS, 4)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    for number, expected in zip(numbers, (["0", "1"], ["0", "0"]), strict=True):
        desk.referee("disqualify", account=account_at(desk, number), reason="they agreed on it", annul="win")
        assert points(desk, place) == expected
    assert pairing(desk, place)["kind"] == "double_forfeit"


@rule("LG-179")
def test_nobody_makes_a_round_in_a_pause():
    desk = running(SWISS, 4, auto_start=False)
    assert desk.stage().drafted is not None
    desk.host("pause")
    with refused("wrong_state"):
        desk.host("publish")
    desk.host("start")
    assert desk.stage().rounds == ()
    desk.host("resume")
    desk.host("publish")
    assert len(desk.stage().rounds) == 1


@rule("LG-873", "LG-277")
@pytest.mark.parametrize("local", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_time_that_no_zone_can_tell_is_refused(local):
    with refused("bad_setting"):
        Desk(SWISS, zone="America/New_York", schedule={"starts": local})
