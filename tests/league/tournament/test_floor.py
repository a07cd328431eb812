"""How do arena and ladder go?"""

import random

from tests.league.tournament.desk import MINUTE, THREE, Desk, account_at, refused, running, stage
from tests.ledger import rule

ARENA = stage("arena", beat=5, length=600)
LADDER = stage("ladder", reach=2, cool_down=3600, answer_time=3600)


def started(form, count):
    desk = running(form, count)
    desk.advance()
    return desk


@rule("LG-521", "LG-522", "LG-526")
def test_an_arena_seats_who_is_free_again_and_again():
    desk = started(ARENA, 4)
    assert len(desk.open()) == 2
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    assert not desk.open()
    assert desk.until_due() is not None
    assert len(desk.stage().rounds) == 2
    _, numbers, match = desk.open()[0]
    desk.end(match, [1, 2], how=["played", "resigned"])
    assert numbers[1] not in desk.stage().ready
    assert numbers[0] in desk.stage().ready
    with refused("engaged"):
        desk.own(account_at(desk, desk.open()[0][1][0]), "ready")
    desk.own(account_at(desk, numbers[1]), "ready")
    assert numbers[1] in {number for _, seated, _ in desk.open() for number in seated} | set(desk.stage().ready)


@rule("LG-521")
def test_who_rests_is_not_drawn():
    desk = started(ARENA, 5)
    (free,) = desk.stage().ready
    desk.own(account_at(desk, free), "rest")
    assert not desk.stage().ready
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    desk.until_due()
    assert free not in {number for _, seated, _ in desk.open() for number in seated}
    desk.own(account_at(desk, free), "ready")
    assert free in desk.stage().ready


@rule("LG-526", "LG-711", "LG-672")
def test_who_does_not_come_to_a_match_of_an_arena_is_paused():
    desk = started(ARENA, 4)
    (place, numbers, match), (other, both, _) = desk.open()
    desk.end(match, [1, 2], how=["played", "no_show"], ended="aborted")
    desk.referee("forfeit", pairing=other, accounts=[account_at(desk, both[0])], reason="said so")
    assert set(desk.stage().ready) == {numbers[0], both[1]}
    assert desk.stage().rounds[0].pairings[0].items[int(place[-1]) - 1].kind == "forfeit"


@rule("LG-227", "LG-522")
def test_a_late_entrant_of_an_arena_waits_from_now_on():
    desk = started(ARENA, 4)
    assert not desk.stage().ready
    desk.at += 5_000
    desk.own(desk.person("late"), "enter")
    assert desk.stage().ready == {5: desk.at}


@rule("LG-525")
def test_after_the_end_running_matches_have_their_drain():
    desk = started(stage("arena", beat=5, length=600, drain=60), 4)
    one, other = desk.open()
    desk.at += 600_000
    desk.advance()
    assert desk.stage().over == "time"
    desk.end(one[2], [1, 2])
    assert desk.state.life == "running"
    assert desk.until_due() == desk.stage().started_at + 660_000
    assert (other[2], "void") in desk.stops
    assert desk.state.life == "finished"


@rule("LG-227", "LG-524")
def test_somebody_comes_late_to_an_arena():
    desk = started(ARENA, 3)
    desk.own(desk.person("late"), "enter")
    desk.wait(5_000)
    assert {4} <= {number for _, seated, _ in desk.open() for number in seated} | set(desk.stage().ready)
    desk.own("late", "withdraw")
    assert 4 not in desk.stage().ready


@rule("LG-527")
def test_a_whole_arena():
    desk = started(stage("arena", THREE, beat=30, length=600), 9)
    dice = random.Random(3)
    while desk.state.life == "running":
        if desk.open() and dice.random() < 0.8:
            desk.end(dice.choice(desk.open())[2], dice.sample([1, 2, 3], 3))
        else:
            desk.wait(20_000)
    ranks = [line["rank"] for line in desk.page("standing/1")["lines"]]
    assert ranks == list(range(1, 10))


@rule("LG-541", "LG-542", "LG-543", "LG-544")
def test_a_ladder_moves_by_challenges():
    desk = started(LADDER, 5)
    assert [rung["number"] for rung in desk.page("ladder/1")["rungs"]] == [1, 2, 3, 4, 5]
    names = {number: account_at(desk, number) for number in range(1, 6)}
    with refused("out_of_reach"):
        desk.own(names[5], "challenge", account=names[2])
    with refused("out_of_reach"):
        desk.own(names[2], "challenge", account=names[5])
    desk.own(names[5], "challenge", account=names[3])
    assert desk.page("ladder/1")["challenges"] == [{"challenger": names[5], "challenged": [names[3]], "at": desk.at, "state": "asked"}]
    with refused("engaged"):
        desk.own(names[4], "challenge", account=names[3])
    with refused("wrong_state"):
        desk.own(names[4], "answer", yes=True)
    desk.own(names[3], "answer", yes=True)
    _, numbers, match = desk.open()[0]
    assert set(numbers) == {3, 5}
    desk.end(match, [1, 2] if numbers[0] == 5 else [2, 1])
    assert [rung["number"] for rung in desk.page("ladder/1")["rungs"]] == [1, 2, 5, 3, 4]


@rule("LG-543", "LG-546")
def test_a_challenge_that_is_not_answered_is_lost():
    desk = started(LADDER, 3)
    names = {number: account_at(desk, number) for number in range(1, 4)}
    desk.own(names[3], "challenge", account=names[1])
    assert desk.until_due() == desk.at
    assert [rung["number"] for rung in desk.page("ladder/1")["rungs"]] == [3, 1, 2]
    desk.own(names[2], "challenge", account=names[1])
    desk.own(names[1], "answer", yes=False)
    assert [rung["number"] for rung in desk.page("ladder/1")["rungs"]] == [3, 2, 1]
    assert not desk.open()


@rule("LG-547")
def test_the_same_two_wait_before_they_play_again():
    desk = started(LADDER, 3)
    names = {number: account_at(desk, number) for number in range(1, 4)}
    desk.own(names[2], "challenge", account=names[1])
    desk.own(names[1], "answer", yes=True)
    _, numbers, match = desk.open()[0]
    desk.end(match, [1, 2] if numbers[0] == 1 else [2, 1])
    with refused("too_soon"):
        desk.own(names[2], "challenge", account=names[1])
    desk.at += 60 * MINUTE
    desk.own(names[2], "challenge", account=names[1])


@rule("LG-925", "LG-541")
def test_rungs_are_set_by_hand_with_a_reason_and_newcomers_stand_at_the_bottom():
    desk = started(LADDER, 3)
    names = [account_at(desk, number) for number in (3, 1, 2)]
    with refused("reason_missing"):
        desk.referee("set_rungs", order=names)
    with refused("bad_setting"):
        desk.referee("set_rungs", order=names[:2], reason="a new season")
    desk.referee("set_rungs", order=names, reason="a new season")
    desk.own(desk.person("new"), "enter")
    assert [rung["account"] for rung in desk.page("ladder/1")["rungs"]] == [*names, "new"]


@rule("LG-522")
def test_nothing_here_runs_where_no_arena_runs():
    desk = Desk(stage())
    desk.field(3)
    desk.host("start")
    for kind, body in (("ready", {}), ("rest", {}), ("challenge", {"account": "acc-001"}), ("answer", {"yes": True})):
        with refused("wrong_state"):
            desk.own("acc-002", kind, **body)
