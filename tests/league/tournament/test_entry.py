"""Who may enter, and who takes whose place?"""

import pytest

from services.league.refusals import Refused
from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import MINUTE, Desk, refused, running, stage, through, through_manual
from tests.ledger import rule

SWISS = stage("swiss", rounds=4)
HOUR = 60 * MINUTE


@rule("LG-221")
def test_entry_has_its_time():
    desk = Desk(stage())
    with refused("entry_closed"):
        desk.own(desk.person("a"), "enter")
    desk.host("open")
    desk.own("a", "enter")
    desk.host("close")
    with refused("entry_closed"):
        desk.own(desk.person("b"), "enter")


@rule("LG-222")
def test_others_are_entered_only_with_their_consent():
    desk = Desk(stage())
    desk.host("open")
    desk.person("a", invited=False)
    with refused("no_consent"):
        desk.host("enter", account="a")
    desk.host("invite", account="a")
    with refused("no_consent"):
        desk.host("enter", account="a")
    with refused("wrong_state"):
        desk.own("b", "accept_invitation")
    desk.own("a", "accept_invitation")
    desk.host("enter", account="a")
    desk.host("enter", account=desk.person("b", invited=True))
    assert desk.page("head")["entrants"] == 2


@rule("LG-104", "LG-223")
def test_nobody_enters_twice():
    desk = Desk(stage())
    desk.host("open")
    desk.own(desk.person("a"), "enter")
    with pytest.raises(Refused) as caught:
        desk.own("a", "enter")
    assert (caught.value.code, caught.value.named) == ("already_entered", ("a", "entered"))


@rule("LG-224")
def test_a_full_tournament_refuses_or_queues():
    desk = Desk(stage(), most=2)
    desk.host("open")
    for name in ("a", "b"):
        desk.own(desk.person(name), "enter")
    with refused("full"):
        desk.own(desk.person("c"), "enter")
    queue = Desk(stage(), most=2, waiting_list=True)
    queue.host("open")
    for name in "abcd":
        queue.own(queue.person(name), "enter")
    states = {item["account"]: item["state"] for item in queue.page("entrants")["items"]}
    assert states == {"a": "entered", "b": "entered", "c": "waiting", "d": "waiting"}
    queue.own("d", "withdraw")
    queue.host("close")
    queue.own("a", "withdraw")
    assert queue.kinds()[-1] == "moved_up"
    assert sorted(queue.state.seeds) == ["b", "c"]
    queue.host("start")
    assert sorted(queue.orders[0].accounts) == ["b", "c"]


@rule("LG-225", "LG-127", "LG-961")
def test_every_condition_that_fails_is_named():
    desk = Desk(stage(), opponents="humans", conditions={"rating_least": "10", "rating_most": "20", "matches_least": 5, "members_only": True})
    desk.host("open")
    desk.person("weak", rating="9.99", matches=4)
    desk.person("strong", rating="20.01", matches=9, member=True)
    desk.person("bot", kind="bot", rating="15.00", matches=9, member=True)
    desk.person("clerk", kind="automation", rating="15.00", matches=9, member=True)
    desk.person("right", rating="20.00", matches=5, member=True)
    named = {}
    for name in ("weak", "strong", "bot", "clerk"):
        with pytest.raises(Refused) as caught:
            desk.own(name, "enter")
        assert caught.value.code == "not_eligible"
        named[name] = len(caught.value.named)
    assert named == {"weak": 3, "strong": 1, "bot": 1, "clerk": 1}
    desk.own("right", "enter")


@rule("LG-226")
def test_who_does_not_check_in_is_absent_in_swiss_and_taken_out_elsewhere():
    for form, absent in ((SWISS, True), (stage("elimination"), False)):
        desk = Desk(form, most=5, waiting_list=True, schedule={"check_in": {}, "starts": "1970-01-02T00:00"})
        desk.host("open", forecast_seen=True)
        for number in range(6):
            desk.own(desk.person(f"a{number}"), "enter")
        desk.host("close")
        with refused("entry_closed"):
            desk.own("a0", "check_in")
        desk.at = 24 * HOUR - 30 * MINUTE
        for number in range(4):
            desk.own(f"a{number}", "check_in")
        desk.at = 24 * HOUR - 10 * MINUTE
        with refused("entry_closed"):
            desk.own("a4", "check_in")
        assert desk.until_due() == 24 * HOUR
        state = {item["account"]: item["state"] for item in desk.page("entrants")["items"]}
        assert (state["a4"] == "entered") == absent
        if absent:
            assert [bye["kind"] for bye in desk.page("round/1/1")["byes"] if bye["account"] == "a4"] == ["absent"]
        else:
            assert state["a5"] == "entered", "the queue fills the place"


@rule("LG-227", "LG-228", "LG-229")
def test_a_late_entrant_plays_from_the_next_round_with_the_next_number():
    desk = running(stage("swiss", rounds=6, late_points="1/2", late_entry_until=3), 8)
    before = dict(desk.stage().numbers)
    desk.own(desk.person("late"), "enter")
    assert {place: number for place, number in desk.stage().numbers.items() if number < 9} == before
    assert desk.stage().joined == {9: 2}
    through(desk)
    assert 9 in {number for pairing in desk.page("round/1/2")["pairings"] for number in [seat["number"] for seat in pairing["seats"]]} | {
        bye["number"] for bye in desk.page("round/1/2")["byes"]}
    line = next(line for line in desk.page("standing/1")["lines"] if line["number"] == 9)
    assert line["byes"].get("late") == 1
    through(desk)
    desk.own(desk.person("later"), "enter")
    assert desk.stage().joined == {9: 2, 10: 4}
    line = next(line for line in desk.page("standing/1")["lines"] if line["number"] == 10)
    assert line["points"] == "3/2"


@rule("LG-227", "LG-230")
def test_late_entry_ends_and_fixed_schedules_have_none():
    desk = running(stage("swiss", rounds=4, late_entry_until=0), 6)
    with refused("entry_closed"):
        desk.own(desk.person("late"), "enter")
    for form in (stage(), stage("elimination")):
        desk = running(form, 4)
        with refused("entry_closed"):
            desk.own(desk.person("late"), "enter")


@rule("LG-230")
def test_a_substitute_takes_over_the_schedule_of_somebody_who_has_played_nothing():
    desk = running(stage(), 4)
    place, numbers, match = desk.open()[0]
    gone, other = (desk.state.entrants[0].items[desk.stage().field[number - 1]].account for number in numbers)
    with refused("reason_missing"):
        desk.referee("substitute", account=gone, by=desk.person("new"))
    with refused("already_entered"):
        desk.referee("substitute", account=gone, by=other, reason="ill")
    desk.referee("substitute", account=gone, by="new", reason="ill")
    assert {seat["account"] for seat in desk.page(f"round/1/{place.split('/')[1]}")["pairings"][0]["seats"]} == {"new", other}
    desk.end(match, [1, 2])
    with refused("wrong_state"):
        desk.referee("substitute", account=other, by=desk.person("newer"), reason="ill")
    assert next(item for item in desk.page("entrants")["items"] if item["account"] == gone)["state"] == "withdrawn"


@rule("LG-128")
def test_a_bot_acts_for_itself_and_not_more():
    desk = Desk(SWISS, opponents="bots")
    desk.host("open", forecast_seen=True)
    for number in range(4):
        desk.own(desk.person(f"b{number}", kind="bot", owner="o"), "enter")
    with refused("not_allowed"):
        desk.own("b1", "request_bye", round=1, bye="zero")
    desk.own("b1", "withdraw")
    desk.own("b1", "return")
    assert desk.page("head")["entrants"] == 4


@rule("LG-962")
def test_nobody_meets_bots_without_having_agreed():
    desk = Desk(SWISS, opponents="humans")
    desk.host("open", forecast_seen=True)
    for name in "abc":
        desk.own(desk.person(name), "enter")
    with pytest.raises(Refused) as caught:
        desk.host("set", changes={"opponents": "mixed"})
    assert (caught.value.code, caught.value.named) == ("no_consent", ("a", "b", "c"))
    desk.own("a", "consent")
    desk.own("b", "consent")
    desk.own("c", "withdraw")
    desk.host("set", changes={"opponents": "mixed"})
    desk.own(desk.person("bot", kind="bot"), "enter")
    assert desk.page("head")["opponents"] == "mixed"


@rule("LG-965", "LG-963")
def test_bots_may_be_listed_without_a_rank_and_sit_apart_from_their_owner():
    desk = Desk(stage("swiss", rounds=1), bots_rank=False)
    desk.host("open", forecast_seen=True)
    for name, kind, owner in (("ann", "person", ""), ("ann-bot", "bot", "ann"), ("ben", "person", ""), ("ben-bot", "bot", "ben")):
        desk.own(desk.person(name, kind=kind, owner=owner), "enter")
    desk.host("close")
    desk.host("start")
    for order in desk.orders:
        assert len({name.removesuffix("-bot") for name in order.accounts}) == 2
    through_manual(desk)
    ranks = {line["account"]: line["rank"] for line in desk.page("standing/1")["lines"]}
    assert ranks["ann-bot"] is None
    assert ranks["ben-bot"] is None
    assert set(ranks.values()) - {None} <= {1, 2}


@rule("LG-981", "LG-982", "LG-983")
def test_entrants_from_a_file_all_or_none():
    desk = Desk(SWISS, seeding="given")
    for name in "abc":
        desk.person(name)
    desk.person("stranger", invited=False)
    head = "account,name,team,club,country,rating,seed,given_byes\n"
    with refused("bad_file"):
        desk.host("import_entrants", csv=head + "a,A,,,,x,1,\n")
    with refused("bad_file"):
        desk.host("import_entrants", csv=head + "a,A,,,,1,1,\nnobody,,,,,,2,\n")
    with refused("no_consent"):
        desk.host("import_entrants", csv=head + "a,A,,,,1,1,\nstranger,,,,,,2,\n")
    text = head + "a,A,,north,,12.5,2,\nb,B,,south,,,1,\nc,C,,,,,3,2\n"
    desk.host("import_entrants", csv=text, dry_run=True)
    assert desk.answer == {"new": ["a", "b", "c"], "changed": []}
    assert desk.page("head")["entrants"] == 0
    desk.host("import_entrants", csv=text)
    version = desk.state.version
    desk.host("import_entrants", csv=text)
    assert desk.state.version == version
    other = text.replace("north", "west")
    with refused("bad_file"):
        desk.host("import_entrants", csv=other)
    desk.host("import_entrants", csv=other, update=True)
    assert desk.page("entrants")["items"][0]["club"] == "west"
    desk.host("open", forecast_seen=True)
    desk.host("close")
    assert desk.state.seeds == ("b", "a", "c")
    desk.host("start")
    with refused("frozen"):
        desk.host("import_entrants", csv=other, update=True)
    assert desk.stage().asked == {2: {3: "half"}}


@rule("LG-222")
def test_several_of_ones_own_enter_together_or_not_at_all():
    desk = Desk(SWISS, most=3, opponents="bots")
    desk.host("open", forecast_seen=True)
    bots = [desk.person(f"b{number}", kind="bot", owner="o") for number in range(4)]
    with refused("full"):
        desk.own("o", "enter", accounts=bots)
    assert desk.page("head")["entrants"] == 0
    desk.own("o", "enter", accounts=bots[:3])
    assert desk.page("head")["entrants"] == 3


@rule("LG-104", "LG-223", "LG-228")
@pytest.mark.parametrize("form", [stage("swiss", rounds=6), stage("arena", length=3_600)])
def test_who_withdrew_from_a_running_tournament_does_not_get_a_second_number(form):
    desk = running(form, 5)
    desk.own("acc-003", "withdraw")
    field = desk.stage().field
    with refused("already_entered"):
        desk.own("acc-003", "enter")
    with refused("already_entered"):
        desk.referee("substitute", account="acc-004", by="acc-003", reason="ill")
    desk.own("acc-003", "return")
    assert desk.stage().field == field


@rule("LG-222", "LG-233", "LG-982")
def test_a_file_brings_nobody_back_who_is_disqualified_or_has_not_agreed():
    desk = Desk(stage())
    desk.host("open")
    for name in ("a", "b"):
        desk.own(desk.person(name, invited=False), "enter")
    desk.referee("disqualify", account="a", reason="two accounts")
    desk.own("b", "withdraw")
    with pytest.raises(Refused) as caught:
        desk.host("import_entrants", csv="account\na\n")
    assert (caught.value.code, caught.value.named) == ("bad_file", ("a: disqualified",))
    with refused("no_consent"):
        desk.host("import_entrants", csv="account\nb\n")
    assert desk.state.counted == 0


@rule("LG-981", "LG-983")
def test_the_accounts_of_a_file_are_found_in_whichever_column_and_its_byes_can_change():
    desk = Desk(SWISS)
    desk.host("open", forecast_seen=True)
    desk.person("a")
    text = 'given_byes,"account"\r1,"a"\r'
    assert TOURNAMENT.needs(desk.state, TOURNAMENT.act("import_entrants", {"csv": text})) == {"a"}
    desk.host("import_entrants", csv=text)
    with refused("bad_file"):
        desk.host("import_entrants", csv="given_byes,account\n2,a\n")
    desk.host("import_entrants", csv="given_byes,account\n2,a\n", update=True)
    assert desk.stage().asked == {1: {}, 2: {-1: "half"}}
    count = len(desk.events)
    desk.host("import_entrants", csv="given_byes,account\n2,a\n\n")
    assert desk.events[-1].__struct_config__.tag == "imported"
    assert len(desk.events) == count + 1


@rule("LG-224")
def test_places_that_are_added_go_to_those_who_wait():
    desk = Desk(stage(), most=1, waiting_list=True)
    desk.host("open")
    for name in ("a", "b", "c"):
        desk.own(desk.person(name), "enter")
    desk.host("set", changes={"most": 2})
    desk.own(desk.person("d"), "enter")
    assert desk.state.queue == ("c", "d")
    assert desk.state.counted == 2


@rule("LG-224", "LG-678")
@pytest.mark.parametrize(("name", "was"), [("a", "withdrawn"), ("c", "waiting")])
def test_a_disqualification_that_is_lifted_gives_nobody_more_than_they_had(name, was):
    desk = Desk(stage(), most=2, waiting_list=True)
    desk.host("open")
    for one in ("a", "b", "x", "c"):
        desk.own(desk.person(one), "enter")
    desk.own("a", "withdraw")
    desk.referee("disqualify", account=name, reason="two accounts")
    desk.referee("lift", account=name, reason="it was the brother")
    assert {one.account: one.state for one in desk.state.entrants[0].items}[name] == was
    assert desk.state.counted == 2
    assert desk.state.queue == ("c",)
