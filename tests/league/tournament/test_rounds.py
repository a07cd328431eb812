"""How are rounds drafted, changed, published and explained, and how do stages follow each other?"""

from collections import Counter

import pytest

from services.league.refusals import Refused
from tests.league.tournament.desk import MINUTE, THREE, TWO, Desk, account_at, refused, running, stage, through
from tests.ledger import rule

SWISS = stage("swiss", rounds=4)


def drafting(count, form=SWISS, **others):
    """A tournament whose first round is a draft."""
    return running(form, count, auto_start=False, **others)


def tables(desk, name="drafted/1/1"):
    return [[seat["account"] for seat in one["seats"]] for one in desk.page(name)["pairings"]]


@rule("LG-163", "LG-1003")
def test_a_draft_is_seen_by_officials_and_published_as_it_is():
    desk = drafting(5)
    drafted = tables(desk)
    assert not desk.orders
    assert not desk.stage().rounds
    desk.referee("publish")
    assert tables(desk, "round/1/1") == drafted
    assert len(desk.orders) == 2
    with pytest.raises(KeyError):
        desk.page("drafted/1/1")
    with pytest.raises(Refused) as caught:
        desk.referee("pair_again", reason="once more", expected_version=desk.state.version)
    assert caught.value.code == "frozen"


@rule("LG-165")
def test_a_round_is_one_event_with_all_of_its_parts():
    desk = running(SWISS, 5)
    event = next(event for event in desk.events if event.__struct_config__.tag == "round_published")
    assert len(event.pairings) == 2
    assert [bye.kind for bye in event.byes] == ["allocated"]
    assert all(one.why and one.match for one in event.pairings)
    assert event.inputs_hash


@rule("LG-169", "LG-170", "LG-171")
def test_the_next_round_comes_after_the_break_and_once():
    desk = running(SWISS, 4, schedule={"round_break": "10 minutes"})
    first, second = desk.open()
    desk.end(first[2], [1, 2])
    assert desk.stage().rounds[0].state == "published"
    desk.wait(MINUTE)
    desk.end(second[2], [1, 2])
    assert desk.stage().rounds[0].state == "complete"
    assert desk.until_due() == desk.stage().rounds[0].completed_at + 10 * MINUTE
    assert len(desk.stage().rounds) == 2
    assert desk.kinds().count("round_published") == 2


@rule("LG-875")
def test_repeated_rounds_keep_their_time():
    desk = Desk(SWISS, at=1_782_810_000_000, zone="Europe/Rome", schedule={
        "entry_until": "2026-06-30T12:00", "starts": "2026-06-30T19:30", "every": "1 week"})
    desk.host("open", forecast_seen=True)
    for number in range(4):
        desk.own(desk.person(f"a{number}"), "enter")
    desk.until_due()
    start = desk.until_due()
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    assert desk.until_due() == start + 7 * 24 * 60 * MINUTE
    assert len(desk.stage().rounds) == 2


@rule("LG-657", "LG-924")
def test_a_bye_is_moved_and_the_round_paired_again_with_it():
    desk = drafting(7)
    bye = next(one["account"] for one in desk.page("drafted/1/1")["byes"])
    other = tables(desk)[0][0]
    with refused("version_conflict"):
        desk.referee("swap", account=bye, other=other, expected_version=desk.state.version - 1)
    desk.referee("swap", account=bye, other=other, expected_version=desk.state.version)
    page = desk.page("drafted/1/1")
    assert [one["account"] for one in page["byes"]] == [other]
    assert bye in {account for table in tables(desk) for account in table}
    assert page["notes"] == ["bye moved by a referee"]
    desk.referee("pair_again", reason="undone", expected_version=desk.state.version)
    assert [one["account"] for one in desk.page("drafted/1/1")["byes"]] == [bye]


@rule("LG-924")
def test_entrants_of_a_draft_change_places():
    desk = drafting(6)
    one, other = tables(desk)[0][0], tables(desk)[1][1]
    desk.referee("swap", account=one, other=other, expected_version=desk.state.version)
    assert (tables(desk)[0][0], tables(desk)[1][1]) == (other, one)
    with refused("own_match"):
        desk.referee("swap", who=one, account=one, other=other, expected_version=desk.state.version)
    with refused("bad_setting"):
        desk.referee("swap", account=one, other="nobody", expected_version=desk.state.version)


@rule("LG-658")
def test_an_uploaded_pairing_lists_everybody_who_plays():
    desk = drafting(7)
    names = [account_at(desk, number) for number in range(1, 8)]
    faulty = [
        ({"tables": [[names[0], names[1]], [names[0], names[2]]]}, f"{names[0]}: twice"),
        ({"tables": [[names[0], "nobody"]]}, "nobody: not in this stage"),
        ({"tables": [names[:3]]}, "a table of 3"),
        ({"tables": [], "byes": [{"account": names[0], "kind": "full"}]}, f"{names[0]}: a bye of this kind needs a reason"),
    ]
    for body, fault in faulty:
        with pytest.raises(Refused) as caught:
            desk.referee("upload", expected_version=desk.state.version, **body)
        assert (caught.value.code, caught.value.named[0]) == ("bad_setting", fault)
    desk.referee("upload", expected_version=desk.state.version, tables=[names[:2], names[2:4]],
                 byes=[{"account": names[4], "kind": "full", "reason": "our mistake"}])
    page = desk.page("drafted/1/1")
    assert {one["account"]: (one["kind"], one["points"]) for one in page["byes"]} == {
        names[4]: ("full", "1"), names[5]: ("absent", "0"), names[6]: ("absent", "0")}
    desk.referee("publish")
    with refused("frozen"):
        desk.referee("upload", expected_version=desk.state.version, tables=[])


@rule("LG-421", "LG-422", "LG-426")
def test_a_dead_end_waits_for_a_choice_whose_harm_is_shown():
    desk = running(stage("swiss", rounds=5), 4)
    desk.play()
    head = desk.page("head")["stages"][0]
    assert head["waits"] == "dead_end"
    assert head["options"][-1]["option"] == "finish"
    assert all(way["words"] for way in head["options"])
    with refused("no_pairing"):
        desk.host("start")
    with refused("version_conflict"):
        desk.referee("choose", option="finish", expected_version=1)
    with refused("bad_setting"):
        desk.referee("choose", option="flip a coin", expected_version=desk.state.version)
    rounds = len(desk.stage().rounds)
    desk.referee("choose", option="repeats", expected_version=desk.state.version)
    assert len(desk.stage().rounds) == rounds + 1
    chosen = next(event for event in desk.events if event.__struct_config__.tag == "way_chosen")
    assert (chosen.option, chosen.by) == ("repeats", "acc-ref")
    assert chosen.harm
    assert desk.page(f"round/1/{rounds + 1}")["option"] == "repeats"
    with refused("wrong_state"):
        desk.referee("choose", option="repeats", expected_version=desk.state.version)


@rule("LG-421")
@pytest.mark.parametrize(("setting", "rounds"), [("relax", 5), ("finish", 3)])
def test_a_dead_end_relaxes_or_finishes_as_it_is_set(setting, rounds):
    desk = running(stage("swiss", rounds=5, dead_end=setting), 4)
    desk.play()
    assert desk.state.life == "finished"
    assert len(desk.stage().rounds) == rounds


@rule("LG-428", "LG-430")
def test_a_likely_dead_end_is_seen_before_entry_opens():
    desk = Desk(stage("swiss", rounds=6), most=6)
    desk.host("forecast", entrants=6)
    assert not desk.answer["safe"]
    with refused("forecast_not_seen"):
        desk.host("open")
    desk.host("open", forecast_seen=True)
    desk.host("forecast", entrants=60)
    assert (desk.answer["safe"], desk.answer["trials"]) == (True, 0)
    wide = Desk(stage("swiss", rounds=5))
    wide.host("open")
    for number in range(4):
        wide.own(wide.person(f"a{number}"), "enter")
    wide.host("close")
    assert any("worse" in words for words in wide.page("head")["warnings"])


@rule("LG-327", "LG-328")
def test_an_uneven_schedule_is_accepted_before_it_starts():
    desk = Desk(stage("round_robin", THREE, rounds=4))
    desk.field(10)
    desk.host("plan")
    assert desk.answer["imbalance"] == (desk.answer["meetings"]["most"] - desk.answer["meetings"]["least"] > 1)
    assert sum(desk.answer["meetings"]["couples"].values()) == 45
    if desk.answer["imbalance"]:
        with refused("imbalance_not_accepted"):
            desk.host("start")
    desk.host("start", accept_imbalance=True)
    assert desk.state.life == "running"


@rule("LG-481", "LG-174")
def test_a_stage_that_needs_more_entrants_is_not_started():
    desk = Desk(stage("elimination", THREE))
    desk.field(2)
    with refused("not_enough_players"):
        desk.host("start")


@rule("LG-308")
def test_pairings_in_any_order_up_to_so_many_at_a_time():
    desk = running(stage("round_robin", any_order=True, open_matches=2), 6)
    assert set(busy(desk).values()) == {2}
    assert len(desk.stage().rounds) == 5
    while desk.open():
        assert max(busy(desk).values()) <= 2
        desk.end(desk.open()[-1][2], [1, 2])
    desk.play()
    assert desk.state.life == "finished"
    assert {line["played"] for line in desk.page("standing/1")["lines"]} == {5}


def busy(desk):
    """How many matches everybody has open."""
    return Counter(number for _, numbers, _ in desk.open() for number in numbers)


@rule("LG-503", "LG-504", "LG-162")
def test_a_final_takes_its_field_from_frozen_groups():
    desk = Desk(stage("groups", groups={"count": 2}), stage("elimination", takes={"count": 2}))
    desk.field(8)
    desk.host("start")
    while desk.stage(1).state == "running":
        if not desk.open():
            desk.until_due()
        for _, numbers, match in desk.open():
            desk.end(match, [1, 2] if numbers[0] < numbers[1] else [2, 1])
    lines = desk.page("standing/1")["lines"]
    assert desk.page("standing/1")["frozen"]
    assert {line["group"] for line in lines} == {1, 2}
    gone = next(line["account"] for line in lines if line["group"] == 1 and line["rank"] == 1)
    desk.referee("withdraw", account=gone, reason="ill")
    assert [line["rank"] for line in desk.page("standing/1")["lines"]] == [line["rank"] for line in lines]
    desk.until_due()
    field = {account_in(desk, 2, number) for number in range(1, 5)}
    assert field == {line["account"] for line in lines if line["rank"] == 2 or (line["group"] == 2 and line["rank"] == 1) or (
        line["group"] == 1 and line["rank"] == 3)}
    desk.play()
    assert desk.state.life == "finished"
    final = desk.page("final")
    assert sorted(final["places"].values())[:2] == [1, 2]
    assert set(final["places"]) >= field


def account_in(desk, number, entrant):
    return desk.state.entrants[0].items[desk.stage(number).field[entrant - 1]].account


@rule("LG-505")
def test_two_finals_take_from_the_same_groups():
    desk = Desk(stage("groups", groups={"count": 2}), stage("elimination", takes={"count": 1}),
                stage("elimination", takes={"stage": 1, "first": 2, "count": 1}))
    desk.field(6)
    desk.host("start")
    desk.play(better=lambda number: -number)
    assert desk.state.life == "finished"
    places = desk.page("final")["places"]
    assert sorted(places.values()) == [1, 2, 3, 4, 5, 5]
    assert [places[account_in(desk, 3, number)] for number in (1, 2)] in ([3, 4], [4, 3])
    assert desk.state.winners == tuple(account for account, place in places.items() if place == 1)


@rule("LG-485")
def test_a_tie_at_the_border_is_played_out():
    desk = running(stage("elimination", {"least": 3, "most": 4, "preferred": 4}, advance=2, cut_tie="decider"), 8)
    _, numbers, match = desk.open()[0]
    desk.end(match, [1, 2, 2, 4])
    _, seated, again = desk.open()[0]
    assert set(seated) == {numbers[1], numbers[2]}
    desk.end(again, [1, 2])
    desk.play(better=lambda number: -number)
    assert desk.state.life == "finished"


@rule("LG-953", "LG-951", "LG-954")
def test_constraints_bind_the_next_round_and_impossible_ones_are_named():
    desk = Desk(SWISS)
    desk.field(6)
    names = [f"acc-00{number}" for number in range(1, 7)]
    with pytest.raises(Refused) as caught:
        desk.host("constrain", never=[names[:4]])
    assert (caught.value.code, set(caught.value.named)) == ("bad_setting", set(names[:4]))
    desk.host("constrain", never=[names[:3]])
    desk.host("start")
    for table in tables(desk, "round/1/1"):
        assert len(set(table) & set(names[:3])) < 2
    drafted = drafting(6)
    with refused("frozen"):
        drafted.host("constrain", never=[names[:2]])


@rule("LG-1022", "LG-1021")
def test_a_round_is_computed_again_and_comes_out_equal():
    desk = running(stage("swiss", rounds=3), 9)
    through(desk)
    desk.own("acc-003", "withdraw")
    through(desk)
    for number in (1, 2, 3):
        desk.host("explain", stage=1, round=number)
        assert desk.answer["equal"], number
    with refused("not_found"):
        desk.host("explain", stage=1, round=9)


@rule("LG-298", "LG-404")
def test_the_page_shows_seats_and_repeats():
    desk = running(stage("swiss", rounds=2), 4)
    desk.play()
    page = desk.page("standing/1")
    assert page["repeats"] == 0
    assert page["seat_difference"] <= 2
    assert all(sum(line["seats"]) == 2 for line in page["lines"])


@rule("LG-821", "LG-825")
def test_possible_ranks_and_who_has_won_already():
    desk = running(stage("round_robin"), 3)
    assert {line["possible"]["worst"] for line in desk.page("standing/1")["lines"]} == {3}
    for _ in range(3):
        for _, numbers, match in desk.open():
            desk.end(match, [1, 2] if numbers[0] < numbers[1] else [2, 1])
        if desk.state.life == "running" and len(desk.stage().rounds) == 2:
            marks = {line["number"]: line["possible"]["mark"] for line in desk.page("standing/1")["lines"]}
        desk.until_due()
    assert set(marks) == {1, 2, 3}


@rule("LG-1001")
def test_bracket_and_cross_table_have_their_pages():
    desk = running(stage("elimination"), 5)
    assert desk.page("bracket/1")["sides"][0]["rounds"]
    assert desk.page("bracket/1")["accounts"]["1"] == account_at(desk, 1)
    table = running(stage("round_robin", TWO), 4)
    table.play()
    assert len(table.page("cross/1")["rows"]) == 4
    with pytest.raises(KeyError):
        table.page("bracket/1")


@rule("LG-924")
def test_no_hand_makes_the_pairings_of_a_bracket():
    desk = drafting(4, stage("elimination"))
    names = [account_at(desk, number) for number in range(1, 5)]
    with refused("bad_setting"):
        desk.referee("upload", tables=[names[:2]], expected_version=desk.state.version)
    with refused("bad_setting"):
        desk.referee("swap", account=names[0], other=names[1], expected_version=desk.state.version)
