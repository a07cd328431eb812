"""Is a round that was paired again really played, and can it be put back as it was?"""

from services.league.tournament.shelf import every
from tests.league.tournament.desk import account_at, refused, running, stage, through
from tests.ledger import rule

REASON = "the score sheet was misread"


def correct(desk, correction, who="acc-ref"):
    desk.referee("correct", who=who, correction=correction, reason=REASON, expected_version=desk.state.version)
    return desk.state.corrections[-1].id


def undo(desk, name):
    desk.referee("undo", correction_id=name, reason="it was right after all", expected_version=desk.state.version)
    return desk.state.corrections[-1].id


def tables(desk, number=2):
    return [one.numbers for one in every(desk.stage().rounds[number - 1].pairings)]


def second_round(count=8, **settings):
    """The result that decided the second round is turned round, and the round paired again."""
    desk = running(stage("swiss", rounds=4), count, **settings)
    place, numbers, _ = desk.open()[0]
    through(desk)
    before = tables(desk)
    correct(desk, {"pairing": place, "places": {account_at(desk, number): at for at, number in enumerate(sorted(numbers)[::-1], start=1)}})
    return desk, place, before


@rule("LG-167", "LG-916")
def test_each_table_of_a_round_paired_again_has_a_match_of_its_own():
    desk, place, _ = second_round()
    for _ in range(3):
        correct(desk, {"pairing": place, "pair_again": True})
    assert len({order.pairing for order in desk.orders}) == len(desk.orders) == 5 * 4
    assert [order.pairing for order in desk.orders[-4:]] == [f"1/2/{table}/4" for table in range(1, 5)]


@rule("LG-203", "LG-916")
def test_a_late_record_of_a_round_that_is_gone_counts_for_nothing():
    desk, place, _ = second_round()
    match = desk.open()[0][2]
    correct(desk, {"pairing": place, "pair_again": True})
    version = desk.page("standing/1")["lines"]
    assert [event.__struct_config__.tag for event in desk.end(match, [1, 2])] == ["not_counted"]
    assert desk.page("standing/1")["lines"] == version


@rule("LG-921", "LG-916", "LG-167")
def test_a_round_paired_again_is_put_back_and_back_again():
    desk, place, before = second_round(9)
    byes = desk.stage().rounds[1].byes
    named = correct(desk, {"pairing": place, "pair_again": True})
    other = tables(desk)
    assert other != before
    name = named
    for expected in (before, other, before):
        name = undo(desk, name)
        assert tables(desk) == expected
    assert desk.stage().rounds[1].byes == byes
    assert [one.state for one in desk.state.corrections[1:]] == ["undone"] * 3 + ["applied"]
    assert len({order.pairing for order in desk.orders}) == len(desk.orders)
    assert all(pairing.match for pairing in every(desk.stage().rounds[1].pairings))
    desk.play()
    assert desk.state.life == "finished"


@rule("LG-921", "LG-916")
def test_what_has_begun_is_not_put_back():
    desk, place, _ = second_round()
    name = correct(desk, {"pairing": place, "pair_again": True})
    desk.league("started", match=desk.open()[0][2])
    with refused("depends_on_played"):
        undo(desk, name)
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    desk.until_due()
    with refused("depends_on_played"):
        undo(desk, name)


@rule("LG-921", "LG-231")
def test_who_left_since_has_forfeited_in_the_round_that_is_put_back():
    desk, place, before = second_round()
    name = correct(desk, {"pairing": place, "pair_again": True})
    desk.own(account_at(desk, 1), "withdraw")
    undo(desk, name)
    assert tables(desk) == before
    mine = next(one for one in every(desk.stage().rounds[1].pairings) if 1 in one.numbers)
    assert (mine.state, {seat.number: seat.how for seat in mine.games[0].seats}[1]) == ("walkover", "no_show")


@rule("LG-914", "LG-921")
def test_with_two_referees_a_round_is_paired_again_and_put_back():
    desk, place, _ = second_round(confirmations=2)
    desk.referee("confirm", who="acc-ref-2", correction_id=desk.state.corrections[-1].id, yes=True)
    before = tables(desk)
    name = correct(desk, {"pairing": place, "pair_again": True})
    desk.referee("confirm", who="acc-ref-2", correction_id=name, yes=True)
    assert tables(desk) != before
    desk.referee("confirm", who="acc-ref-2", correction_id=undo(desk, name), yes=True)
    assert tables(desk) == before


@rule("LG-921")
def test_a_correction_of_a_table_that_others_sit_at_now_is_not_undone():
    desk, place, before = second_round()
    desk.own(account_at(desk, before[0][0]), "withdraw")
    name = correct(desk, {"pairing": "1/2/1", "void": True})
    correct(desk, {"pairing": place, "pair_again": True})
    assert set(tables(desk)[0]) != set(before[0])
    with refused("depends_on_played"):
        undo(desk, name)


@rule("LG-916", "LG-920", "LG-641")
def test_between_two_matches_of_a_series_a_round_has_begun():
    desk = running(stage("swiss", rounds=3, best_of=3), 4)
    while len(desk.stage().rounds) < 2:
        for _, numbers, match in desk.open():
            desk.end(match, [1, 2] if numbers[0] < numbers[1] else [2, 1])
        desk.until_due()
    desk.end(desk.open()[0][2], [1, 2])
    assert [(one.state, len(one.games)) for one in every(desk.stage().rounds[1].pairings)] == [("ready", 1), ("ready", 0)]
    with refused("depends_on_played"):
        correct(desk, {"pairing": "1/1/1", "pair_again": True})


@rule("LG-167", "LG-678", "LG-848")
def test_a_match_that_is_played_again_after_an_annulled_one_is_another_match():
    desk = running(stage("swiss", rounds=3), 4)
    place, numbers, first = desk.open()[0]
    desk.end(first, [1, 2])
    assert desk.rated[first].rated
    desk.referee("disqualify", account=account_at(desk, numbers[1]), reason="cheating", annul="void")
    assert not desk.rated[first].rated
    desk.referee("lift", account=account_at(desk, numbers[1]), reason="it was another")
    desk.referee("replay", pairing=place, reason="they play it again")
    assert [order.pairing for order in desk.orders if order.pairing.startswith(place)] == [f"{place}/1", f"{place}/2"]
