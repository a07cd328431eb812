"""Does a bracket come to its end with the right entrants, whoever leaves and whatever is corrected late?"""

import pytest

from services.league.stages import FORMATS
from services.league.tournament.facts import facts
from services.league.tournament.shelf import every
from tests.league.tournament.desk import Desk, account_at, refused, running, stage, through
from tests.ledger import rule

TABLES = {"least": 3, "most": 4, "preferred": 4}


def better(number):
    """The lower number wins."""
    return -number


def correct(desk, correction, **more):
    desk.referee("correct", correction=correction, reason="the score sheet was misread", expected_version=desk.state.version, **more)


def numbers_of(desk, number):
    return [one.numbers for one in every(desk.stage().rounds[number - 1].pairings) if one.state != "void"]


def ranks(desk):
    return {line["number"]: line["rank"] for line in desk.page("standing/1")["lines"]}


def in_stage(desk, at, number):
    return desk.state.entrants[0].items[desk.stage(at).field[number - 1]].account


def ended(desk, *two):
    """The pairing of these two is won by the first."""
    place, numbers, match = next(one for one in desk.open() if set(one[1]) == set(two))
    desk.end(match, [1 + (number != two[0]) for number in numbers])
    return place


@rule("LG-449", "LG-466", "LG-468")
@pytest.mark.parametrize("leaving", ["withdraw", "disqualify"])
def test_who_leaves_after_a_win_in_the_lower_bracket_brings_nobody_back(leaving):
    desk = running(stage("double_elimination"), 4)
    through(desk, better)
    ended(desk, 3, 4)
    account = account_at(desk, 3)
    desk.own(account, "withdraw") if leaving == "withdraw" else desk.referee("disqualify", account=account, reason="cheating")
    ended(desk, 1, 2)
    desk.play(better=better)
    assert [number for number in numbers_of(desk, 3) if 4 in number] == []
    assert ranks(desk) == {1: 1, 2: 2, 3: 3 if leaving == "withdraw" else None, 4: 4}


@rule("LG-445", "LG-447")
def test_the_match_for_the_third_place_stays_won_by_who_leaves_after_it():
    desk = running(stage("elimination", third_place=True), 4)
    through(desk, better)
    ended(desk, 3, 4)
    desk.own(account_at(desk, 3), "withdraw")
    ended(desk, 1, 2)
    assert ranks(desk) == {1: 1, 2: 2, 3: 3, 4: 4}


@rule("LG-445", "LG-447")
def test_who_leaves_before_the_match_for_the_third_place_is_fourth():
    desk = running(stage("elimination", third_place=True), 4)
    ended(desk, 1, 4)
    desk.own(account_at(desk, 4), "withdraw")
    ended(desk, 2, 3)
    desk.play(better=better)
    assert ranks(desk) == {1: 1, 2: 2, 3: 3, 4: 4}


@rule("LG-918", "LG-806")
@pytest.mark.parametrize("form", ["elimination", "double_elimination"])
def test_a_finished_bracket_is_played_to_its_end_again(form):
    desk = running(stage(form), 8)
    desk.play(better=better)
    place = next(one.table for one in every(desk.stage().rounds[0].pairings) if 8 in one.numbers)
    correct(desk, {"pairing": f"1/1/{place}", "places": {account_at(desk, 8): 1, account_at(desk, 1): 2}}, void_later=True)
    desk.play(better=better)
    assert desk.state.life == "finished"
    assert desk.state.winners == (account_at(desk, 2 if form == "elimination" else 1),)
    assert ranks(desk)[2 if form == "elimination" else 1] == 1
    assert list(ranks(desk).values()).count(1) == list(ranks(desk).values()).count(2) == 1


@rule("LG-918", "LG-487")
def test_larger_tables_are_played_to_their_end_again():
    desk = running(stage("elimination", TABLES, advance=2), 16)
    desk.play(better=better)
    first = every(desk.stage().rounds[0].pairings)
    order = sorted(next(first).numbers, reverse=True)
    correct(desk, {"pairing": "1/1/1", "places": {account_at(desk, number): at for at, number in enumerate(order, start=1)}}, void_later=True)
    desk.play(better=better)
    assert [set(table) for table in numbers_of(desk, 4)] == [{2, 3, 4, 6}]
    assert desk.state.winners == (account_at(desk, 2),)
    assert sorted(ranks(desk).values())[:4] == [1, 2, 3, 4]


@rule("LG-918", "LG-488")
def test_tables_with_fewer_who_go_on_are_dealt_again():
    desk = running(stage("elimination", TABLES, advance=2), 16)
    through(desk, better)
    numbers = next(every(desk.stage().rounds[0].pairings)).numbers
    correct(desk, {"pairing": "1/1/1", "forfeit": [account_at(desk, number) for number in numbers[1:]]})
    desk.until_due()
    seated = {number for table in numbers_of(desk, 3) for number in table} | {bye.number for bye in desk.stage().rounds[2].byes}
    assert numbers_of(desk, 2) == []
    assert seated == {1, 2, 3, 4, 5, 6, 7}
    desk.play(better=better)
    assert desk.state.winners == (account_at(desk, 1),)


@rule("LG-174", "LG-481", "LG-488")
def test_too_few_for_a_table_wait_for_the_officials():
    desk = running(stage("elimination", TABLES, advance=2), 8)
    for _, _, match in desk.open():
        desk.end(match, [1, 2, 3, 4], how=["played", "left", "left", "left"])
    desk.until_due()
    assert desk.stage().waits == "not_enough_players"
    assert len(desk.stage().rounds) == 1
    desk.host("end")
    assert desk.state.life == "finished"
    assert sorted(desk.state.winners) == sorted(account_at(desk, number) for number, rank in ranks(desk).items() if rank == 1)


@rule("LG-504", "LG-505")
def test_who_leaves_final_a_makes_nobody_fall_between_the_finals():
    groups = stage("groups", groups={"count": 2})
    desk = Desk(groups, stage("elimination", takes={"stage": 1, "count": 2}), stage("elimination", takes={"stage": 1, "first": 3, "count": 2}))
    desk.field(8)
    desk.host("start")
    while desk.stage(2).state == "planned":
        for _, numbers, match in desk.open():
            desk.end(match, [1, 2] if numbers[0] < numbers[1] else [2, 1])
        desk.until_due()
    assert [desk.stage(2).state, len(desk.stage(2).field)] == ["running", 4]
    lines = desk.page("standing/1")["lines"]
    winner = next(line["account"] for line in lines if (line["group"], line["rank"]) == (1, 1))
    desk.own(winner, "withdraw")
    desk.play(better=better)
    assert {in_stage(desk, 3, number) for number in range(1, 5)} == {line["account"] for line in lines if line["rank"] > 2}
    assert desk.state.life == "finished"


@rule("LG-448", "LG-468")
def test_a_final_of_double_elimination_to_which_nobody_comes_has_no_winner():
    desk = running(stage("double_elimination"), 4)
    while not any(place.startswith("final") for place in places(desk)):
        through(desk, better)
    place, numbers, _ = desk.open()[0]
    desk.referee("forfeit", pairing=place, accounts=[account_at(desk, number) for number in numbers], reason="nobody came")
    assert desk.state.life == "finished"
    assert desk.state.winners == ()
    assert ranks(desk) == {1: 2, 2: 2, 3: 3, 4: 4}


@rule("LG-465", "LG-918")
def test_a_final_corrected_after_the_end_is_followed_by_the_second_one():
    desk = running(stage("double_elimination"), 4)
    desk.play(better=better)
    last = len(desk.stage().rounds)
    correct(desk, {"pairing": f"1/{last}/1", "places": {account_at(desk, 2): 1, account_at(desk, 1): 2}})
    assert desk.state.life == "running"
    desk.play(better=better)
    assert places(desk)[-2:] == ["final/1/0", "final/2/0"]
    assert ranks(desk) == {1: 1, 2: 2, 3: 3, 4: 4}


@rule("LG-826", "LG-822", "LG-468")
def test_a_double_forfeit_that_is_possible_still_is_within_the_ranks():
    desk = running(stage("double_elimination"), 6)
    through(desk, better)
    found = FORMATS["double_elimination"].possible(facts(desk.state, desk.stage(), desk.seed))
    for place, numbers, _ in desk.open():
        desk.referee("forfeit", pairing=place, accounts=[account_at(desk, number) for number in numbers], reason="nobody came")
    desk.play(better=better)
    assert all(found[number].best <= rank <= found[number].worst for number, rank in ranks(desk).items())


@rule("LG-917", "LG-918", "LG-680", "LG-921")
def test_a_pairing_that_was_replaced_is_void_for_ever():
    desk = running(stage("elimination"), 4)
    through(desk, better)
    place = next(one.table for one in every(desk.stage().rounds[0].pairings) if 4 in one.numbers)
    correct(desk, {"pairing": f"1/1/{place}", "places": {account_at(desk, 4): 1, account_at(desk, 1): 2}})
    assert [one.state for one in every(desk.stage().rounds[1].pairings)] == ["void", "ready"]
    with refused("depends_on_played"):
        correct(desk, {"pairing": "1/2/1", "places": {account_at(desk, 1): 1, account_at(desk, 2): 2}})
    with refused("depends_on_played"):
        desk.referee("replay", pairing="1/2/1", reason="once more")
    desk.play(better=better)
    assert ranks(desk) == {2: 1, 4: 2, 1: 3, 3: 3}


@rule("LG-231", "LG-447", "LG-822")
def test_who_withdraws_from_a_running_match_is_out_when_it_has_ended():
    desk = running(stage("double_elimination"), 4)
    _, numbers, match = desk.open()[0]
    desk.league("started", match=match)
    desk.own(account_at(desk, numbers[0]), "withdraw")
    found = FORMATS["double_elimination"].possible(facts(desk.state, desk.stage(), desk.seed))
    assert found[numbers[0]].best == found[numbers[1]].best == 1
    desk.end(match, [2, 1], how=["left", "played"])
    desk.play(better=better)
    assert ranks(desk)[numbers[0]] == 4


def places(desk):
    return [one.place for made in desk.stage().rounds for one in every(made.pairings) if one.state != "void"]


@rule("LG-485", "LG-487")
def test_a_tie_at_the_final_table_is_shared_and_nobody_plays_alone():
    desk = running(stage("elimination", TABLES, cut_tie="decider"), 4)
    desk.end(desk.open()[0][2], [1, 1, 3, 4])
    assert desk.state.life == "finished"
    assert sorted(ranks(desk).values()) == [1, 1, 3, 4]
    assert len(desk.orders) == 1


@rule("LG-965", "LG-180")
@pytest.mark.parametrize("form", [stage("elimination"), stage("elimination", TABLES, advance=2)], ids=["two", "tables"])
def test_behind_a_bot_without_a_rank_people_move_up(form):
    desk = Desk(form, bots_rank=False, seeding="rating")
    desk.host("open")
    for number in range(1, 9):
        desk.own(desk.person(f"acc-{number}", kind="bot" if number in {1, 3} else "person", rating=str(90 - number)), "enter")
    desk.host("close")
    desk.host("start")
    desk.play(better=better)
    found = ranks(desk)
    assert (found[1], found[3], found[2]) == (None, None, 1)
    assert desk.state.winners == ("acc-2",)
    assert min(rank for number, rank in found.items() if rank and number != 2) == 2
