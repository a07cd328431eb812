"""Who leaves, returns, asks for a bye or does not come?"""


from tests.league.tournament.desk import MINUTE, THREE, Desk, account_at, refused, running, stage, through, through_manual
from tests.ledger import rule

SWISS = stage("swiss", rounds=4)
HOUR = 60 * MINUTE


@rule("LG-231", "LG-235")
def test_a_withdrawal_is_a_forfeit_before_the_match_and_leaving_in_it():
    desk = running(SWISS, 4)
    match, later = (match for _, _, match in desk.open())
    account = desk.page("round/1/1")["pairings"][0]["seats"][0]["account"]
    desk.own(account, "withdraw")
    page = desk.page("round/1/1")["pairings"][0]
    assert (page["state"], page["kind"], page["seats"][1]["points"]) == ("walkover", "forfeit", "1")
    assert desk.stops == [(match, "void")]
    desk.league("started", match=later)
    account = desk.page("round/1/1")["pairings"][1]["seats"][0]["account"]
    desk.own(account, "withdraw")
    assert desk.page("round/1/1")["pairings"][1]["state"] == "running"
    assert desk.stops[-1] == (later, f"forfeit:{account}")
    desk.end(later, [2, 1], how=["left"])
    assert [line["state"] for line in desk.page("standing/1")["lines"]].count("withdrawn") == 2
    assert desk.stage().waits in {"", "not_enough_players"}


@rule("LG-231")
def test_officials_withdraw_others_with_a_reason():
    desk = running(SWISS, 4)
    with refused("reason_missing"):
        desk.host("withdraw", account="acc-001")
    desk.referee("withdraw", account="acc-001", reason="asked by telephone")
    with refused("wrong_state"):
        desk.host("withdraw", account="acc-001", reason="again")


@rule("LG-606", "LG-235")
def test_championships_are_told_who_has_withdrawn():
    """In the tournament itself they keep their line."""
    desk = running(stage("swiss", rounds=2), 6)
    through(desk)
    desk.referee("withdraw", account="acc-004", reason="asked by telephone")
    desk.play()
    page = desk.page("final")
    assert (page["withdrawn"], page["barred"], "acc-004" in page["places"]) == (["acc-004"], [], True)


@rule("LG-232", "LG-173", "E-70")
def test_who_leaves_or_returns_after_the_cut_off_is_absent_in_that_round():
    desk = running(stage("swiss", rounds=6, late_entry_until=5), 8, auto_start=False)
    desk.host("publish")
    through_manual(desk)
    desk.host("start")
    assert desk.stage().drafted.number == 2
    account = account_at(desk, 1)
    desk.own(account, "withdraw")
    desk.own(account, "return")
    desk.host("publish")
    page = desk.page("round/1/2")
    lost = next(pairing for pairing in page["pairings"] for seat in pairing["seats"] if seat["account"] == account)
    assert (lost["state"], [seat["points"] for seat in lost["seats"] if seat["account"] == account]) == ("walkover", ["0"])
    assert account in {one["account"] for one in page["absent"]}


@rule("LG-233")
def test_who_may_return():
    desk = running(SWISS, 6)
    desk.own("acc-001", "withdraw")
    through(desk)
    seated = {seat["account"] for pairing in desk.page("round/1/2")["pairings"] for seat in pairing["seats"]}
    assert "acc-001" not in seated
    desk.own("acc-001", "return")
    through(desk)
    named = {seat["account"] for pairing in desk.page("round/1/3")["pairings"] for seat in pairing["seats"]}
    named |= {bye["account"] for bye in desk.page("round/1/3")["byes"] if bye["kind"] == "allocated"}
    assert "acc-001" in named
    with refused("wrong_state"):
        desk.own("acc-001", "return")
    bracket = running(stage("elimination"), 4)
    bracket.own("acc-001", "withdraw")
    with refused("eliminated"):
        bracket.own("acc-001", "return")
    desk.referee("disqualify", account="acc-002", reason="cheating")
    with refused("eliminated"):
        desk.own("acc-002", "return")


@rule("LG-232", "LG-653")
def test_no_leaving_and_returning_gives_points():
    desk = running(stage("swiss", rounds=4), 9)
    for _ in range(3):
        desk.own("acc-001", "withdraw")
        through(desk)
        desk.own("acc-001", "return")
    line = next(line for line in desk.page("standing/1")["lines"] if line["account"] == "acc-001")
    assert set(line["byes"]) <= {"absent", "allocated"}
    assert line["byes"].get("allocated", 0) <= 1


@rule("LG-234")
def test_who_leaves_a_round_robin_early_counts_for_nobody():
    desk = running(stage(), 6)
    through(desk)
    through(desk)
    gone = account_at(desk, 1)
    desk.own(gone, "withdraw")
    desk.play(better=lambda number: -number)
    played = {line["number"]: line["played"] for line in desk.page("standing/1")["lines"]}
    assert played[1] == 0
    assert all(count == 4 for number, count in played.items() if number > 1)


@rule("LG-236", "LG-651")
def test_a_bye_is_asked_for_in_time():
    desk = running(stage("swiss", rounds=4, half_byes=1), 6)
    for number, bye in ((1, "half"), (4, "half"), (4, "zero"), (5, "half")):
        with refused("bye_not_allowed"):
            desk.own("acc-001", "request_bye", round=number, bye=bye)
    desk.own("acc-001", "request_bye", round=2, bye="half")
    with refused("bye_not_allowed"):
        desk.own("acc-001", "request_bye", round=3, bye="half")
    desk.own("acc-001", "request_bye", round=3, bye="zero")
    desk.own("acc-001", "request_bye", round=3, bye="none")
    through(desk)
    kinds = {bye["account"]: (bye["kind"], bye["points"]) for bye in desk.page("round/1/2")["byes"]}
    assert kinds["acc-001"] == ("half", "1/2")
    through(desk)
    assert "acc-001" in {seat["account"] for pairing in desk.page("round/1/3")["pairings"] for seat in pairing["seats"]} | {
        bye["account"] for bye in desk.page("round/1/3")["byes"] if bye["kind"] == "allocated"}


@rule("LG-236")
def test_a_bye_may_be_asked_for_before_the_start():
    desk = Desk(SWISS)
    desk.host("open", forecast_seen=True)
    for number in range(6):
        desk.own(desk.person(f"a{number}"), "enter")
    desk.own("a3", "request_bye", round=1, bye="zero")
    desk.host("close")
    desk.host("start")
    assert {bye["account"]: bye["kind"] for bye in desk.page("round/1/1")["byes"]}["a3"] == "zero"


@rule("LG-651")
def test_a_referee_gives_a_full_bye_with_a_reason():
    desk = running(SWISS, 6)
    with refused("reason_missing"):
        desk.referee("give_bye", account="acc-001", round=2, bye="full")
    desk.referee("give_bye", account="acc-001", round=2, bye="full", reason="our mistake")
    with refused("frozen"):
        desk.referee("give_bye", account="acc-001", round=1, bye="full", reason="our mistake")
    through(desk)
    assert {bye["account"]: (bye["kind"], bye["points"]) for bye in desk.page("round/1/2")["byes"]}["acc-001"] == ("full", "1")


@rule("LG-682")
def test_after_two_no_shows_somebody_is_withdrawn_and_may_be_brought_back():
    desk = running(stage("swiss", rounds=5), 6)
    for _ in range(2):
        for _, numbers, match in desk.open():
            desk.end(match, [1, 2] if numbers[0] != 1 else [2, 1], how=["played", "no_show"] if numbers[1] == 1 else ["no_show" if numbers[0] == 1 else "played"])
        desk.until_due()
    gone = account_at(desk, 1)
    assert next(item for item in desk.page("entrants")["items"] if item["account"] == gone)["state"] == "withdrawn"
    desk.referee("return", account=gone)
    assert next(item for item in desk.page("entrants")["items"] if item["account"] == gone)["state"] == "entered"


@rule("LG-174")
def test_with_fewer_than_two_left_the_stage_waits_and_a_return_leads_out():
    desk = running(stage("swiss", rounds=4), 3)
    for name in ("acc-001", "acc-002"):
        desk.own(name, "withdraw")
    desk.play()
    assert desk.page("head")["stages"][0]["waits"] == "not_enough_players"
    desk.own("acc-001", "return")
    desk.play()
    assert len(desk.stage().rounds) > 1


@rule("LG-175", "LG-274")
def test_a_round_without_a_table_is_complete_at_once():
    desk = running(stage("swiss", THREE, rounds=2), 4)
    for number in (1, 2):
        desk.own(account_at(desk, number), "withdraw")
    desk.play()
    assert desk.state.life == "finished" or desk.stage().waits
    assert all(one.state == "complete" for one in desk.stage().rounds)
