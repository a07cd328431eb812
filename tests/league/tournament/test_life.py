"""How does a tournament begin, change, pause and end?"""

import hashlib

import pytest

from services.league.kind import Actor
from services.league.refusals import Refused
from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import MINUTE, THREE, TWO, Desk, refused, settings, stage
from tests.ledger import rule

SWISS = stage("swiss", rounds=3)


@rule("LG-161")
def test_the_states_of_a_tournament_follow_each_other():
    desk = Desk(SWISS)
    seen = [desk.state.life]
    for step in (lambda: desk.host("open"), lambda: desk.host("close"), lambda: desk.host("start"), desk.play):
        if seen[-1] == "open":
            for number in range(4):
                desk.own(desk.person(f"a{number}"), "enter")
        step()
        seen.append(desk.state.life)
    assert seen == ["draft", "open", "closed", "running", "finished"]
    with pytest.raises(Refused) as caught:
        desk.host("cancel", reason="too late")
    assert (caught.value.code, caught.value.named) == ("wrong_state", ("finished",))


@rule("LG-161", "LG-178")
def test_cancelling_voids_what_is_not_confirmed_and_keeps_the_rest():
    desk = Desk(SWISS)
    desk.field(6)
    desk.host("start")
    desk.end(desk.open()[0][2], [1, 2])
    left = {match for _, _, match in desk.open()}
    with refused("reason_missing"):
        desk.host("cancel", reason=" ")
    desk.host("cancel", reason="the hall burns")
    states = [pairing["state"] for pairing in desk.page("round/1/1")["pairings"]]
    assert sorted(states) == ["confirmed", "void", "void"]
    assert {(match, "void") for match in left} == set(desk.stops)
    assert desk.state.life == "cancelled"
    assert desk.page("standing/1")["lines"][0]["points"] == "1"
    with refused("wrong_state"):
        desk.host("start")


@rule("LG-102")
@pytest.mark.parametrize("field", ["result", "place", "winner", "status", "score"])
def test_no_result_comes_in_by_another_door(field):
    desk = Desk(SWISS)
    with refused("malformed"):
        desk.host("open", **{field: 1})


@rule("LG-121", "LG-122", "LG-123", "LG-130")
def test_every_act_needs_its_role():
    desk = Desk(SWISS)
    desk.field(4)
    desk.host("start")
    place = desk.open()[0][0]
    for role, kind, body in [
            ("referee", "open", {}), ("organiser", "cancel", {"reason": "no"}), ("organiser", "result", {"pairing": place, "places": {}}),
            ("host", "result", {"pairing": place, "places": {}}), ("host", "cancel", {"reason": "no"}), ("self", "close", {}),
            ("organiser", "disqualify", {"account": "acc-001", "reason": "cheating"}), ("self", "record", {"match": "m-1", "ended": "finished"})]:
        with refused("not_allowed"):
            desk.act(Actor("somebody", frozenset({role})), kind, **body)
    desk.act(Actor("somebody", frozenset({"owner"})), "pause")


@rule("LG-131", "LG-150")
def test_role_comes_before_state_and_state_before_version():
    desk = Desk(SWISS)
    before = desk.digest()
    with refused("not_allowed"):
        desk.own("a", "seed", order=[], expected_version=99)
    with refused("wrong_state"):
        desk.host("seed", order=[], expected_version=99)
    desk.host("open")
    desk.host("close")
    with refused("version_conflict"):
        desk.host("seed", order=["nobody"], expected_version=99)
    with refused("bad_setting"):
        desk.host("seed", order=["nobody"], expected_version=desk.state.version)
    assert before != desk.digest()
    digest = desk.digest()
    with refused("wrong_state"):
        desk.host("open")
    assert digest == desk.digest()


@rule("LG-144")
@pytest.mark.parametrize(("kind", "body"), [("seed", {"order": []}), ("choose", {"option": "x"}), ("pair_again", {}), ("upload", {"tables": []}),
                                            ("swap", {"account": "a", "other": "b"}), ("undo", {"correction_id": "x"})])
def test_what_rests_on_something_seen_names_its_version(kind, body):
    desk = Desk(SWISS)
    desk.field(4)
    if kind != "seed":
        desk.host("start")
    actor = Actor("one", frozenset({"owner", "referee"}))
    with refused("malformed"):
        desk.act(actor, kind, **body)
    with pytest.raises(Refused) as caught:
        desk.act(actor, kind, expected_version=desk.state.version - 1, **body)
    assert (caught.value.code, caught.value.named) == ("version_conflict", (desk.state.version,))


@rule("LG-277")
@pytest.mark.parametrize(("changes", "fault"), [
    ({"stages": [stage(seats={"least": 2, "most": 9, "preferred": 2})]}, "bad_setting"),
    ({"stages": [stage(seats={"least": 3, "most": 4, "preferred": 3}, points=[["2", "1", "0"]])]}, "bad_setting"),
    ({"game_version": "2.0"}, "unknown_game"),
    ({"most": 0}, "bad_setting"), ({"most": 200_000}, "bad_setting"), ({"zone": "Middle/Earth"}, "bad_setting"),
    ({"schedule": {"round_break": "31 days"}}, "bad_setting"), ({"playing": {"leave_after": 11}}, "bad_setting"),
    ({"playing": {"no_show_after": "30 seconds"}}, "bad_setting"), ({"confirm_after": "10 minutes"}, "bad_setting"),
    ({"confirmations": 3}, "bad_setting"), ({"unheard": 1}, "bad_setting"), ({"stages": []}, "bad_setting"),
    ({"schedule": {"starts": "tomorrow"}}, "bad_setting"),
])
def test_settings_outside_their_limits_are_named(changes, fault):
    desk = Desk()
    with pytest.raises(Refused) as caught:
        desk.host("create", tournament="t", organisation="o", settings={**settings(SWISS), **changes})
    assert caught.value.code == fault
    assert caught.value.named
    assert not desk.events


@rule("LG-254")
def test_the_hash_of_the_seed_is_public_at_once_and_the_seed_at_the_end():
    desk = Desk(stage())
    assert desk.page("head")["seed_hash"] == hashlib.sha256(desk.seed).hexdigest()
    desk.field(3)
    desk.host("start")
    assert desk.page("head")["seed"] is None
    desk.play()
    assert desk.page("head")["seed"] == desk.seed.hex()


@rule("LG-251", "LG-253", "LG-255")
def test_the_draw_of_the_ledger():
    desk = Desk()
    desk.host("create", tournament="cup-7", organisation="o", settings=settings(stage()))
    desk.host("open")
    for name in ("ada", "bo", "cy", "dee", "eva"):
        desk.own(desk.person(name), "enter")
    desk.host("close")
    without = Desk()
    without.host("create", tournament="cup-7", organisation="o", settings=settings(stage()))
    without.host("open")
    for name in ("eva", "ada", "dee", "bo"):
        without.own(without.person(name), "enter")
    without.host("close")
    assert [name for name in desk.state.seeds if name != "cy"] == list(without.state.seeds)
    assert desk.page("entrants")["items"][0]["number"] == desk.state.seeds.index("ada") + 1


@rule("LG-252", "LG-105")
def test_seeding_by_rating_uses_the_copies_taken_when_entry_closed():
    desk = Desk(stage(), seeding="rating")
    desk.host("open")
    for name, rating in (("low", "10.00"), ("none", ""), ("high", "30.50"), ("mid", "20.00")):
        desk.own(desk.person(name, rating=rating), "enter")
    desk.person("low", rating="40.00")
    desk.host("close")
    assert desk.state.seeds == ("low", "high", "mid", "none")
    desk.person("low", rating="1.00")
    assert {item["account"]: item["rating"] for item in desk.page("entrants")["items"]}["low"] == "40.00"


@rule("LG-252")
def test_a_list_names_everybody_once():
    desk = Desk(stage(), seeding="given")
    desk.field(3)
    for order in (["acc-001", "acc-002"], ["acc-001", "acc-002", "acc-002"], ["acc-001", "acc-002", "acc-004"]):
        with refused("bad_setting"):
            desk.host("seed", order=order, expected_version=desk.state.version)
    desk.host("seed", order=["acc-003", "acc-001", "acc-002"], expected_version=desk.state.version)
    assert desk.state.seeds == ("acc-003", "acc-001", "acc-002")
    desk.host("start")
    assert desk.page("standing/1")["lines"]
    with refused("wrong_state"):
        desk.host("seed", order=["acc-001", "acc-002", "acc-003"], expected_version=desk.state.version)


@rule("LG-252")
def test_seeding_by_the_ranks_of_another_standing():
    desk = Desk(stage(), seeding="previous", previous={"acc-002": 1, "acc-003": 2})
    desk.field(3)
    assert desk.state.seeds == ("acc-002", "acc-003", "acc-001")


@rule("LG-256")
def test_a_new_seed_shows_the_old_one_and_draws_again():
    desk = Desk(stage())
    desk.field(9)
    old, order = desk.seed, desk.state.seeds
    with refused("reason_missing"):
        desk.referee("new_seed")
    desk.referee("new_seed", reason="somebody saw it")
    assert desk.seed != old
    assert desk.state.seeds != order
    assert desk.page("head")["old_seeds"] == [[old.hex(), hashlib.sha256(old).hexdigest()]]
    assert desk.page("head")["seed_hash"] == hashlib.sha256(desk.seed).hexdigest()
    desk.host("start")
    with refused("wrong_state"):
        desk.referee("new_seed", reason="once more")


@rule("LG-106")
def test_rules_are_frozen_with_the_first_round():
    desk = Desk(SWISS)
    desk.field(4)
    desk.host("set", changes={"stages": [stage("swiss", rounds=2)]})
    assert desk.stage().planned_rounds == 2
    desk.host("start")
    for changes in ({"stages": [SWISS]}, {"rated": False}, {"playing": {"leave_after": 3}}):
        with refused("frozen"):
            desk.host("set", changes=changes)
    desk.host("set", changes={"schedule": {"round_break": "1 minute"}, "name": "Another Cup"})
    assert desk.page("head")["name"] == "Another Cup"


@rule("LG-172")
def test_planned_rounds_change_until_the_last_one_is_published():
    desk = Desk(SWISS)
    desk.field(6)
    desk.host("start")
    desk.host("set", changes={"rounds": 2})
    assert desk.page("head")["stages"][0]["planned_rounds"] == 2
    while len(desk.stage().rounds) < 2:
        for _, _, match in desk.open():
            desk.end(match, [1, 2])
        desk.until_due()
    with refused("frozen"):
        desk.host("set", changes={"rounds": 4})
    with refused("bad_setting"):
        desk.host("set", changes={"rounds": 0})
    desk.play()
    assert len(desk.stage().rounds) == 2
    with refused("wrong_state"):
        desk.host("start")


@rule("LG-179")
def test_a_pause_stops_timers_and_moves_deadlines_by_its_length():
    desk = Desk(SWISS, schedule={"round_deadline": "60 minutes", "round_break": "5 minutes"})
    desk.field(4)
    desk.host("start")
    with refused("wrong_state"):
        desk.host("resume")
    deadline = desk.page("round/1/1")["deadline"]
    desk.wait(10 * MINUTE)
    desk.host("pause")
    with refused("wrong_state"):
        desk.host("pause")
    desk.wait(120 * MINUTE)
    assert len(desk.open()) == 2
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    desk.wait(30 * MINUTE)
    assert len(desk.stage().rounds) == 1
    desk.host("resume")
    assert desk.stage().rounds[0].deadline in {deadline, deadline + 150 * MINUTE}
    assert len(desk.stage().rounds) == 2


@rule("LG-179")
def test_a_pause_with_clocks_stops_the_matches():
    desk = Desk(SWISS, schedule={"round_deadline": "60 minutes"})
    desk.field(4)
    desk.host("start")
    matches = [match for _, _, match in desk.open()]
    deadline = desk.page("round/1/1")["deadline"]
    desk.host("pause", with_clocks=True)
    assert desk.stops == [(match, "pause") for match in matches]
    desk.stops.clear()
    desk.at += 7 * MINUTE
    desk.host("resume")
    assert desk.page("round/1/1")["deadline"] == deadline + 7 * MINUTE
    assert set(desk.stops) == {(match, word) for match in matches for word in ("resume", f"deadline:{deadline + 7 * MINUTE}")}


@rule("LG-176")
def test_ending_waits_for_what_runs_or_drains_it():
    desk = Desk(SWISS)
    desk.field(6)
    desk.host("start")
    with pytest.raises(Refused) as caught:
        desk.host("end")
    assert (caught.value.code, caught.value.named) == ("match_running", ("1/1/1", "1/1/2", "1/1/3"))
    desk.host("end", drain=True)
    for _, _, match in desk.open():
        assert desk.state.life == "running"
        desk.end(match, [1, 2])
    assert desk.state.life == "finished"
    assert len(desk.stage().rounds) == 1


@rule("LG-180", "LG-808")
def test_who_shares_the_first_rank_wins_together():
    desk = Desk(stage("swiss", rounds=1, ties=[]))
    desk.field(4)
    desk.host("start")
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    assert len(desk.state.winners) == 2
    assert desk.page("head")["winners"] == list(desk.state.winners)
    empty = Desk(stage("elimination"))
    empty.field(2)
    empty.host("start")
    place = empty.open()[0][0]
    empty.referee("forfeit", pairing=place, accounts=["acc-001", "acc-002"], reason="nobody came")
    assert empty.state.life == "finished"
    assert empty.state.winners == ()
    assert empty.page("head")["why_no_winner"]


@rule("LG-1011")
def test_events_are_numbered_without_gaps():
    desk = Desk(SWISS)
    desk.field(5)
    desk.host("start")
    desk.play()
    assert desk.state.version == len(desk.events)
    assert desk.past(7).version == 7


@rule("LG-873", "LG-871")
def test_a_timetable_opens_closes_and_starts():
    desk = Desk(SWISS, at=1_782_810_000_000, zone="Europe/Rome", schedule={
        "opens": "2026-06-30T12:00", "entry_until": "2026-06-30T18:00", "starts": "2026-06-30T19:30"})
    assert desk.page("head")["next_at"] == desk.until_due() == 1_782_813_600_000
    assert desk.state.life == "open"
    for number in range(4):
        desk.own(desk.person(f"a{number}"), "enter")
    assert desk.until_due() == 1_782_813_600_000 + 6 * 60 * MINUTE
    assert desk.state.life == "closed"
    with refused("entry_closed"):
        desk.own(desk.person("late"), "enter")
    assert desk.until_due() == 1_782_813_600_000 + 450 * MINUTE
    assert desk.state.life == "running"


@rule("LG-174", "LG-884", "LG-886")
def test_a_timer_that_finds_too_few_says_so_once_and_a_late_one_is_not_dropped():
    desk = Desk(SWISS, at=1_000, schedule={"opens": "1970-01-02T00:00", "starts": "1970-01-03T00:00"})
    desk.wait(400 * 24 * 60 * MINUTE)
    assert desk.state.life == "closed"
    assert desk.page("head")["stages"][0]["waits"] == "not_enough_players"
    assert TOURNAMENT.due(desk.state) is None


@rule("LG-805", "LG-806")
def test_a_table_of_three_and_more_goes_the_same_way():
    desk = Desk(stage("swiss", THREE, rounds=2))
    desk.field(9)
    desk.host("start")
    desk.play()
    page = desk.page("standing/1")
    assert page["frozen"]
    assert page["revision"] == 1
    assert page["open_pairings"] == 0
    digest = desk.digest()
    with refused("wrong_state"):
        desk.own("acc-001", "withdraw")
    assert digest == desk.digest()
    assert TWO["least"] == 2
