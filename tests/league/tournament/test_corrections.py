"""What may a referee change of what has happened, and what follows from it?"""

import pytest

from services.league.refusals import Refused
from tests.league.tournament.desk import THREE, Desk, account_at, pairing, points, refused, running, stage, through
from tests.ledger import rule

SWISS = stage("swiss", rounds=3)
REASON = "the score sheet was misread"


def better(number):
    """The lower number wins."""
    return -number


def places(desk, *numbers):
    """The numbers in the order of their places."""
    return {account_at(desk, number): place for place, number in enumerate(numbers, start=1)}


def correct(desk, correction, who="acc-ref", kind="correct", **more):
    return desk.referee(kind, who=who, correction=correction, **({} if kind == "preview" else {
        "reason": REASON, "expected_version": desk.state.version, **more}))


def standing(desk):
    return [(line["number"], line["rank"], line["points"]) for line in desk.page("standing/1")["lines"]]


def decided(form=SWISS, count=4):
    """A first round with one result and the others open."""
    desk = running(form, count)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    return desk, place, numbers, match


@rule("LG-911", "LG-915", "LG-922")
def test_a_changed_result_changes_the_standing_and_is_marked():
    desk, place, numbers, match = decided()
    later = desk.page("round/1/1")["pairings"][1]
    correct(desk, {"pairing": place, "places": places(desk, *numbers[::-1])})
    assert points(desk, place) == ["0", "1"]
    assert pairing(desk, place)["corrected"]
    assert desk.page("round/1/1")["pairings"][1] == later
    shown = desk.page("head")["corrections"][0]
    assert (shown["pairing"], shown["state"], shown["reason"], shown["by"]) == (place, "applied", REASON, "acc-ref")
    assert shown["before"]["places"] == places(desk, *numbers)
    assert shown["after"]["places"] == places(desk, *numbers[::-1])
    assert desk.rated[match].rated
    assert [seat.place for seat in desk.rated[match].seats] == [2, 1]


@rule("LG-912")
def test_a_preview_says_all_and_changes_nothing():
    desk, place, numbers, _ = decided()
    digest = desk.digest()
    correct(desk, {"pairing": place, "places": places(desk, *numbers[::-1])}, kind="preview")
    assert digest == desk.digest()
    assert desk.answer["version"] == desk.state.version
    changed = {line["account"]: (line["before"]["points"], line["after"]["points"]) for line in desk.answer["standing"]}
    assert changed[account_at(desk, numbers[0])] == ("1", "0")
    assert changed[account_at(desk, numbers[1])] == ("0", "1")
    assert set(desk.answer["ratings"]) == {account_at(desk, number) for number in numbers}
    assert desk.answer["blocked"] == desk.answer["void"] == desk.answer["later"] == []


@rule("LG-913", "LG-923", "E-68")
def test_a_correction_needs_a_reason_and_the_version_of_the_preview():
    desk, place, numbers, _ = decided()
    change = {"pairing": place, "places": places(desk, *numbers[::-1])}
    with refused("reason_missing"):
        correct(desk, change, reason="too short")
    version = desk.state.version
    correct(desk, change, expected_version=version)
    with pytest.raises(Refused) as caught:
        correct(desk, {"pairing": place, "void": True}, who="acc-other", expected_version=version)
    assert (caught.value.code, caught.value.named) == ("version_conflict", (desk.state.version,))
    with refused("bad_result"):
        correct(desk, {"pairing": place, "places": {account_at(desk, numbers[0]): 1}})
    with refused("wrong_state"):
        correct(desk, {"pairing": desk.open()[0][0], "void": True})
    with refused("own_match"):
        correct(desk, {"pairing": place, "void": True}, who=account_at(desk, numbers[0]))


@rule("LG-914")
def test_a_second_referee_confirms_or_rejects():
    desk = Desk(SWISS, confirmations=2)
    desk.field(4)
    desk.host("start")
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    change = {"pairing": place, "places": places(desk, *numbers[::-1])}
    correct(desk, change)
    assert points(desk, place) == ["1", "0"]
    name = desk.page("head")["corrections"][0]["id"]
    assert desk.page("head")["corrections"][0]["state"] == "waiting"
    with refused("same_person"):
        desk.referee("confirm", correction_id=name, yes=True)
    desk.referee("confirm", who="acc-two", correction_id=name, yes=True)
    assert points(desk, place) == ["0", "1"]
    shown = desk.page("head")["corrections"]
    assert [(one["state"], one["by"], one["second_by"]) for one in shown] == [("applied", "acc-ref", "acc-two")]
    with refused("already_decided"):
        desk.referee("confirm", who="acc-two", correction_id=name, yes=True)
    correct(desk, {"pairing": place, "void": True})
    desk.referee("confirm", who="acc-two", correction_id=desk.page("head")["corrections"][1]["id"], yes=False)
    assert points(desk, place) == ["0", "1"]
    correct(desk, {"pairing": place, "void": True})
    assert desk.until_due() == desk.at
    assert desk.page("head")["corrections"][2]["state"] == "lapsed"
    assert desk.at >= 7 * 86_400_000


@rule("LG-916", "E-64")
def test_the_next_round_of_a_swiss_may_be_paired_again_before_it_begins():
    desk = running(stage("swiss", rounds=3), 8)
    place, numbers, _ = desk.open()[0]
    through(desk)
    before = [order.match for order in desk.orders[4:]]
    change = {"pairing": place, "places": places(desk, *sorted(numbers)[::-1])}
    correct(desk, change, kind="preview")
    assert desk.answer["pair_again"] == 2
    correct(desk, change)
    old = desk.page("round/1/2")["pairings"]
    correct(desk, {"pairing": place, "pair_again": True})
    new = desk.page("round/1/2")["pairings"]
    assert [one["seats"] for one in old] != [one["seats"] for one in new]
    assert {match for match, word in desk.stops if word == "void"} == set(before)
    assert len(desk.orders) == 12
    desk.league("started", match=desk.orders[-1].match)
    with refused("depends_on_played"):
        correct(desk, {"pairing": place, "pair_again": True})
    correct(desk, {"pairing": place, "places": places(desk, *numbers)})
    assert len(desk.orders) == 12


def bracket(**settings):
    """A bracket of eight after its first round, better seeds having won."""
    desk = running(stage("elimination"), 8, **settings)
    for _, numbers, match in desk.open():
        desk.end(match, [1 + (better(numbers[1]) > better(numbers[0])), 1 + (better(numbers[0]) > better(numbers[1]))])
    desk.until_due()
    return desk


def place_of(desk, number, *numbers):
    return next(one["pairing"] for one in desk.page(f"round/1/{number}")["pairings"]
                if {seat["number"] for seat in one["seats"]} == set(numbers) and one["state"] != "void")


@rule("LG-917")
def test_a_corrected_winner_of_a_bracket_takes_the_next_place():
    desk = bracket()
    old = place_of(desk, 2, 1, 4)
    correct(desk, {"pairing": place_of(desk, 1, 1, 8), "places": places(desk, 8, 1)})
    page = desk.page("round/1/2")["pairings"]
    assert next(one["state"] for one in page if one["pairing"] == old) == "void"
    new = place_of(desk, 2, 8, 4)
    assert desk.orders[-1].pairing == f"{new}/1"
    assert desk.stops[-1][1] == "void"
    desk.play(better=better)
    assert desk.state.life == "finished"


@rule("LG-918", "E-51")
def test_what_has_begun_is_in_the_way_unless_the_referee_voids_it():
    desk = bracket()
    semi = place_of(desk, 2, 2, 3)
    desk.end(next(match for place, _, match in desk.open() if place == semi), [1, 2] if pairing(desk, semi)["seats"][0]["number"] == 2 else [2, 1])
    change = {"pairing": place_of(desk, 1, 2, 7), "places": places(desk, 7, 2)}
    with pytest.raises(Refused) as caught:
        correct(desk, change)
    assert (caught.value.code, caught.value.named) == ("depends_on_played", (semi,))
    correct(desk, change, kind="preview")
    assert desk.answer["blocked"] == [semi]
    correct(desk, change, void_later=True)
    assert pairing(desk, semi)["state"] == "void"
    assert place_of(desk, 2, 7, 3)
    desk.play(better=better)
    assert desk.state.winners == (account_at(desk, 1),)


@rule("LG-918", "LG-806")
def test_a_finished_bracket_is_played_on_after_a_correction_that_voids_its_final():
    desk = bracket()
    desk.play(better=better)
    assert desk.state.winners == (account_at(desk, 1),)
    change = {"pairing": place_of(desk, 2, 1, 4), "places": places(desk, 4, 1)}
    with refused("depends_on_played"):
        correct(desk, change)
    correct(desk, change, void_later=True)
    assert desk.state.life == "running"
    desk.play(better=lambda number: number)
    assert desk.state.life == "finished"
    assert desk.state.winners == (account_at(desk, 4),)
    assert desk.page("standing/1")["revision"] == 2


@rule("LG-919", "LG-806", "LG-805")
def test_a_frozen_stage_whose_follower_has_begun_is_changed_on_paper_only():
    desk = Desk(stage("groups", groups={"count": 2}), stage("elimination", takes={"count": 1}))
    desk.field(4)
    desk.host("start")
    while desk.stage(2).state == "planned":
        for _, numbers, match in desk.open():
            desk.end(match, [1, 2] if numbers[0] < numbers[1] else [2, 1])
        desk.until_due()
    field = desk.stage(2).field
    place, numbers = "1/1/1", [seat["number"] for seat in pairing(desk, "1/1/1")["seats"]]
    change = {"pairing": place, "places": places(desk, *sorted(numbers)[::-1])}
    with refused("depends_on_played"):
        correct(desk, change)
    correct(desk, change, record_only=True)
    assert desk.page("standing/1")["revision"] == 2
    assert desk.stage(2).field == field
    assert points(desk, place) != ["1", "0"] or sorted(numbers) != numbers


@rule("LG-806", "LG-922", "LG-180")
def test_a_correction_after_the_end_names_other_winners():
    desk = running(stage("round_robin"), 2)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    assert desk.state.winners == (account_at(desk, numbers[0]),)
    correct(desk, {"pairing": place, "places": places(desk, *numbers[::-1])})
    assert desk.state.winners == (account_at(desk, numbers[1]),)
    assert desk.page("final")["revision"] == 2
    assert desk.page("final")["places"] == {account_at(desk, numbers[1]): 1, account_at(desk, numbers[0]): 2}


@rule("LG-921")
def test_a_chain_of_corrections_and_undos_ends_in_the_last_one():
    desk, place, numbers, match = decided()
    first = standing(desk)
    correct(desk, {"pairing": place, "places": places(desk, *numbers[::-1])})
    second = standing(desk)
    correct(desk, {"pairing": place, "void": True})
    assert not desk.rated[match].rated
    names = [one["id"] for one in desk.page("head")["corrections"]]
    desk.referee("undo", correction_id=names[1], reason=REASON, expected_version=desk.state.version)
    assert standing(desk) == second
    assert desk.rated[match].rated
    desk.referee("undo", correction_id=names[0], reason=REASON, expected_version=desk.state.version)
    assert standing(desk) == first
    assert [one["state"] for one in desk.page("head")["corrections"]] == ["undone", "undone", "applied", "applied"]
    with refused("already_decided"):
        desk.referee("undo", correction_id=names[0], reason=REASON, expected_version=desk.state.version)
    with refused("reason_missing"):
        desk.referee("undo", correction_id=names[0], reason="no", expected_version=desk.state.version)


@rule("LG-911", "LG-680")
def test_a_decided_pairing_is_played_again_by_correction():
    desk = running(stage("swiss", rounds=3), 4)
    place, _, match = desk.open()[0]
    through(desk)
    correct(desk, {"pairing": place, "replay": True})
    assert desk.orders[-1].pairing.startswith(place)
    assert pairing(desk, place)["state"] == "ready"
    assert not desk.rated[match].rated
    for _, _, open_match in desk.open():
        desk.end(open_match, [2, 1])
    assert points(desk, place) == ["0", "1"]


@rule("LG-911", "LG-656")
def test_a_forfeit_and_the_points_of_a_bye_by_correction():
    desk = running(SWISS, 5)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    correct(desk, {"pairing": place, "forfeit": [account_at(desk, numbers[0])]})
    assert points(desk, place) == ["0", "1"]
    assert pairing(desk, place)["kind"] == "forfeit"
    bye = desk.page("round/1/1")["byes"][0]["account"]
    for change in ({"bye": "win"}, {"bye": "half", "places": {bye: 1}}):
        with refused("is_bye"):
            correct(desk, {"pairing": "1/1/0", "bye_of": bye, **change})
    with refused("bad_result"):
        correct(desk, {"pairing": "1/1/0", "bye_of": bye, "bye": "half", "points": "many"})
    with refused("own_match"):
        correct(desk, {"pairing": "1/1/0", "bye_of": bye, "bye": "half"}, who=bye)
    correct(desk, {"pairing": "1/1/0", "bye_of": bye, "bye": "given_half"})
    assert [(one["kind"], one["points"]) for one in desk.page("round/1/1")["byes"]] == [("given_half", "1/2")]
    desk.referee("undo", correction_id=desk.page("head")["corrections"][1]["id"], reason=REASON, expected_version=desk.state.version)
    assert [(one["kind"], one["points"]) for one in desk.page("round/1/1")["byes"]] == [("allocated", "1")]


@rule("LG-920")
def test_pairing_again_removes_no_confirmed_result():
    desk = running(stage("swiss", rounds=3), 4)
    through(desk)
    place = desk.open()[0][0]
    desk.end(desk.open()[0][2], [1, 2])
    with refused("depends_on_played"):
        correct(desk, {"pairing": "1/1/1", "pair_again": True})
    assert pairing(desk, place)["state"] == "confirmed"


@rule("LG-911")
def test_a_table_of_three_is_corrected_by_places_and_scores():
    desk = running(stage("swiss", THREE, rounds=1), 3)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2, 3], scores=[30, 20, 10])
    accounts = [account_at(desk, number) for number in numbers]
    correct(desk, {"pairing": place, "places": dict(zip(accounts, [1, 1, 3], strict=True)), "scores": {accounts[1]: 30}})
    assert points(desk, place) == ["3/4", "3/4", "0"]
    assert [seat["score"] for seat in pairing(desk, place)["seats"]] == [30, 30, 10]


@rule("LG-921", "LG-167")
def test_a_replay_that_is_taken_back_and_ordered_again_is_another_match():
    desk = running(stage(), 2)
    (place, _, first), = desk.open()
    desk.end(first, [1, 2])
    for _ in range(2):
        desk.referee("correct", correction={"pairing": place, "replay": True}, reason="the server failed", expected_version=desk.state.version)
        new = desk.orders[-1].match
        desk.referee("undo", correction_id=desk.state.corrections[-1].id, reason="it had not failed", expected_version=desk.state.version)
        assert desk.stops[-1] == (new, "void")
    assert len({order.pairing for order in desk.orders}) == len(desk.orders) == 3
    assert pairing(desk, place)["matches"] == [first]


@rule("LG-918", "LG-919")
def test_a_bracket_that_runs_is_never_changed_on_paper_only():
    desk = running(stage("elimination"), 4)
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    desk.until_due()
    desk.league("started", match=desk.open()[0][2])
    numbers = [seat["number"] for seat in pairing(desk, "1/1/1")["seats"]]
    with refused("depends_on_played"):
        correct(desk, {"pairing": "1/1/1", "places": places(desk, *numbers[::-1])}, record_only=True)


@rule("LG-914", "LG-923")
def test_a_waiting_correction_is_of_the_fact_that_was_seen():
    desk = running(SWISS, 4, confirmations=2)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2])
    correct(desk, {"pairing": place, "places": places(desk, *numbers[::-1])})
    correct(desk, {"pairing": place, "void": True}, who="acc-ref-2")
    one, other = (known.id for known in desk.state.corrections)
    desk.referee("confirm", who="acc-ref-3", correction_id=one, yes=True)
    with refused("version_conflict"):
        desk.referee("confirm", who="acc-ref-3", correction_id=other, yes=True)
    assert points(desk, place) == ["0", "1"]
    desk.referee("confirm", who="acc-ref-3", correction_id=other, yes=False)
    for _ in range(2):
        desk.referee("undo", correction_id=one, reason=REASON, expected_version=desk.state.version)
    first, second = (known.id for known in desk.state.corrections if known.state == "waiting")
    desk.referee("confirm", who="acc-ref-2", correction_id=first, yes=True)
    with refused("already_decided"):
        desk.referee("confirm", who="acc-ref-2", correction_id=second, yes=True)
