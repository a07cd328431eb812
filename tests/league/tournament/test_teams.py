"""Do teams enter, line up, meet board by board and come to a result as the ledger says?"""

import random
from fractions import Fraction

import pytest

from tests.league.tournament.desk import THREE, Desk, pairing, refused, stage
from tests.ledger import rule

F = Fraction
SWISS = stage("swiss", rounds=2)
ROBIN = stage()
TEAMS = {"boards": 4, "reserves": 1}


def entry(desk, name, members=4, reserves=1, **others):
    """A team of people who have accepted; its first member is the captain."""
    seated = [desk.person(f"{name}-{at}") for at in range(1, members + 1)]
    spare = [desk.person(f"{name}-r{at}") for at in range(1, reserves + 1)]
    return desk.own(seated[0], "enter", team=name.title(), members=seated, reserves=spare, **others)


def opened(*stages, teams=TEAMS, **others):
    desk = Desk(*(stages or (ROBIN,)), teams=teams, **others)
    desk.host("open", forecast_seen=True)
    return desk


def started(names=("ant", "bee"), *, members=None, **others):
    desk = opened(**others)
    for name in names:
        entry(desk, name, **(members or {}).get(name, {}))
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    return desk


def meeting(desk):
    return desk.page("round/1/1")["pairings"][0]


def boards_of(desk, place="1/1/1"):
    """Accounts by board and seat, and the match."""
    return [([seat["account"] for seat in board["seats"]], board["match"]) for board in pairing(desk, place)["boards"]]


def won(desk, place, board, account, places=(1, 2)):
    """A finish record in which that account came first."""
    accounts, match = boards_of(desk, place)[board - 1]
    at = accounts.index(account)
    return desk.end(match, list(places) if at == 0 else list(places)[::-1])


def first(desk):
    """The team that sits first at board 1, and the other."""
    return [seat["account"].split("-")[0] for seat in meeting(desk)["seats"]]


@rule("LG-971")
def test_a_captain_enters_the_team():
    desk = opened()
    entry(desk, "ant")
    (line,) = desk.page("entrants")["items"]
    assert (line["account"], line["team"], line["kind"], line["rating"]) == ("ant-1", "Ant", "team", "")
    assert [one["account"] for one in line["members"]] == ["ant-1", "ant-2", "ant-3", "ant-4"]
    assert [one["account"] for one in line["reserves"]] == ["ant-r1"]
    assert desk.page("head")["entrants"] == 1


@rule("LG-971")
@pytest.mark.parametrize(("body", "code"), [
    ({"members": ["a", "b"], "team": " "}, "malformed"), ({"team": "A"}, "malformed"), ({"accounts": ["a", "b"], "team": "A"}, "malformed"),
    ({"members": ["b", "c"], "team": "A"}, "bad_setting"), ({"members": ["a", "b", "b"], "team": "A"}, "bad_setting"),
    ({"members": ["a", "b", "c", "d", "e"], "team": "A"}, "bad_setting"), ({"members": ["a"], "reserves": ["b", "c"], "team": "A"}, "bad_setting"),
    ({"members": ["a", "nobody"], "team": "A"}, "not_found"), ({"members": ["a"], "team": "Ant"}, "already_entered"),
])
def test_teams_that_cannot_enter(body, code):
    desk = opened()
    entry(desk, "ant")
    for name in "abcde":
        desk.person(name)
    events = len(desk.events)
    with refused(code):
        desk.own("a", "enter", **body)
    assert len(desk.events) == events


@rule("LG-971")
@pytest.mark.parametrize("teams", [{"boards": 0}, {"boards": 13}, {"boards": 4, "size": 12, "reserves": 1}, {"boards": 4, "reserves": -1}])
def test_settings_that_cannot_be(teams):
    with refused("bad_setting"):
        Desk(ROBIN, teams=teams)


@rule("LG-971", "LG-975")
@pytest.mark.parametrize("others", [{"reporting": True}, {"seeding": "rating"}])
def test_what_does_not_go_with_teams(others):
    with refused("bad_setting"):
        Desk(ROBIN, teams=TEAMS, **others)


@rule("LG-971")
@pytest.mark.parametrize("stages", [[stage("arena")], [stage(best_of=3)], [stage(), stage("swiss", seats=THREE, rounds=2)], [stage(boards=3)]])
def test_stages_that_do_not_go_with_teams(stages):
    with refused("bad_setting"):
        Desk(*stages, teams=TEAMS)
    with refused("bad_setting"):
        Desk(stage(boards=3))


@rule("LG-104")
def test_nobody_is_in_two_teams():
    desk = opened()
    entry(desk, "ant")
    desk.person("bee-1")
    for members in (["bee-1", "ant-2"], ["bee-1", "ant-r1"]):
        with refused("already_entered"):
            desk.own("bee-1", "enter", team="Bee", members=members)
    with refused("already_entered"):
        desk.own("ant-2", "enter", team="Bee", members=["ant-2", "bee-1"])
    desk.own("ant-1", "withdraw")
    desk.own("ant-2", "enter", team="Bee", members=["ant-2", "bee-1"])
    with refused("already_entered"):
        desk.own("ant-1", "return")
    assert [(one["team"], one["state"]) for one in desk.page("entrants")["items"]] == [("Ant", "withdrawn"), ("Bee", "entered")]


@rule("LG-222")
def test_everybody_in_a_team_has_agreed():
    desk = opened()
    desk.person("ant-1", invited=False)
    desk.person("ant-2", invited=False)
    desk.person("bot-1", invited=False, kind="bot", owner="ant-1")
    with refused("no_consent"):
        desk.own("ant-1", "enter", team="Ant", members=["ant-1", "ant-2", "bot-1"])
    desk.host("invite", account="ant-2")
    desk.own("ant-2", "accept_invitation")
    desk.own("ant-1", "enter", team="Ant", members=["ant-1", "ant-2", "bot-1"])
    desk.person("bee-1", invited=False)
    with refused("no_consent"):
        desk.host("enter", account="bee-1", team="Bee", members=["bee-1"])


@rule("LG-225", "LG-961")
def test_everybody_in_a_team_meets_the_conditions():
    desk = opened(opponents="humans")
    desk.person("bot", kind="bot")
    desk.person("ant-1")
    with refused("not_eligible"):
        desk.own("ant-1", "enter", team="Ant", members=["ant-1", "bot"])


@rule("LG-971")
def test_only_the_captain_speaks_for_the_team():
    desk = opened()
    entry(desk, "ant")
    for kind, body in (("withdraw", {}), ("line_up", {"round": 1, "accounts": ["ant-2"]}), ("request_bye", {"round": 1, "bye": "zero"})):
        with refused("not_allowed"):
            desk.own("ant-2", kind, **body)
    with refused("not_found"):
        desk.referee("disqualify", account="ant-3", reason="named wrongly")
    with refused("wrong_state"):
        desk.referee("substitute", account="ant-1", by=desk.person("other"), reason="ill")
    desk.own("ant-1", "withdraw")
    assert desk.page("entrants")["items"][0]["state"] == "withdrawn"


@rule("LG-972", "LG-167")
def test_board_meets_board_with_a_match_each():
    desk = started()
    one, other = first(desk)
    assert [accounts for accounts, _ in boards_of(desk)] == [
        [f"{one}-1", f"{other}-1"], [f"{other}-2", f"{one}-2"], [f"{one}-3", f"{other}-3"], [f"{other}-4", f"{one}-4"]]
    assert [(order.match, order.pairing, list(order.accounts)) for order in desk.orders] == [
        (match, f"1/1/1/{at}", accounts) for at, (accounts, match) in enumerate(boards_of(desk), start=1)]
    assert meeting(desk)["state"] == "ready"
    desk.league("started", match=boards_of(desk)[0][1])
    assert [meeting(desk)["state"], meeting(desk)["boards"][0]["state"]] == ["running", "running"]


@rule("LG-972")
def test_board_points_add_up_to_match_points():
    desk = started()
    one, other = first(desk)
    won(desk, "1/1/1", 1, f"{one}-1")
    won(desk, "1/1/1", 2, f"{one}-2", (1, 1))
    won(desk, "1/1/1", 4, f"{one}-4")
    assert meeting(desk)["state"] == "running"
    assert meeting(desk)["seats"][0]["points"] is None
    won(desk, "1/1/1", 3, f"{other}-3")
    found = meeting(desk)
    assert found["state"] == "confirmed"
    assert [(seat["board_points"], seat["points"]) for seat in found["seats"]] == [("5/2", "1"), ("3/2", "0")]
    assert [line["account"] for line in desk.page("standing/1")["lines"]] == [f"{one}-1", f"{other}-1"]
    assert desk.state.winners == (f"{one}-1",)


@rule("LG-203", "LG-204", "LG-972")
def test_a_board_is_recorded_once():
    desk = started()
    accounts, match = boards_of(desk)[1]
    desk.end(match, [1, 2])
    assert not desk.end(match, [1, 2])
    assert [event.__struct_config__.tag for event in desk.end(match, [2, 1])] == ["record_refused"]
    assert [seat["place"] for seat in meeting(desk)["boards"][1]["seats"]] == [1, 2]
    assert accounts == [seat["account"] for seat in meeting(desk)["boards"][1]["seats"]]


@rule("LG-975")
def test_boards_are_rated_for_the_accounts():
    desk = started()
    accounts, match = boards_of(desk)[1]
    desk.end(match, [1, 2])
    assert desk.rated[match].rated
    assert [(seat.account, seat.place) for seat in desk.rated[match].seats] == [(accounts[0], 1), (accounts[1], 2)]
    _, absent = boards_of(desk)[2]
    desk.end(absent, [2, 1], how=["no_show"])
    assert not desk.rated[absent].rated


@rule("LG-971")
def test_a_line_up_holds_for_its_round_and_the_ones_after_it():
    desk = opened(SWISS)
    for name in ("ant", "bee"):
        entry(desk, name)
    desk.own("ant-1", "line_up", round=1, accounts=["ant-1"])
    desk.own("ant-1", "line_up", round=1, accounts=["ant-r1", "ant-3", "ant-2", "ant-1"])
    assert "ant-r1" not in str(desk.page("head")) + str([desk.page("entrants")["items"][0]["members"]])
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    ants = [next(account for account in accounts if account.startswith("ant")) for accounts, _ in boards_of(desk)]
    assert ants == ["ant-r1", "ant-3", "ant-2", "ant-1"]
    with refused("wrong_state"):
        desk.own("ant-1", "line_up", round=1, accounts=["ant-1"])
    desk.own("bee-1", "line_up", round=2, accounts=["bee-2", "bee-1"])
    for accounts in (["bee-1", "bee-1"], ["ant-1"], ["bee-1", "bee-2", "bee-3", "bee-4", "bee-r1"]):
        with refused("bad_setting"):
            desk.own("bee-1", "line_up", round=2, accounts=accounts)


@rule("LG-971", "LG-163")
def test_a_line_up_is_hidden_until_the_round_is_there():
    desk = opened()
    for name in ("ant", "bee"):
        entry(desk, name)
    from services.league.tournament.doors import TOURNAMENT
    (event,) = desk.own("ant-1", "line_up", round=1, accounts=["ant-2", "ant-1"])
    assert event.__struct_config__.tag in TOURNAMENT.hidden
    desk.host("export", form="json")
    assert "line_up_set" not in str(desk.answer)
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    desk.host("export", form="json")
    assert "line_up_set" in str(desk.answer)


@rule("LG-973")
def test_a_missing_board_is_lost_at_once_and_the_others_play():
    desk = started(members={"bee": {"members": 3, "reserves": 0}})
    board = meeting(desk)["boards"][3]
    assert (board["match"], board["state"]) == ("", "decided")
    assert sorted((seat["account"], seat["how"]) for seat in board["seats"]) == [("", "no_show"), ("ant-4", "played")]
    assert len(desk.orders) == 3
    for at in (1, 2, 3):
        won(desk, "1/1/1", at, f"bee-{at}")
    assert sorted((seat["account"], seat["board_points"], seat["points"]) for seat in meeting(desk)["seats"]) == [("ant-1", "1", "0"), ("bee-1", "3", "1")]


@rule("LG-973")
def test_fewer_than_half_of_the_boards_lose_the_pairing():
    desk = started(members={"bee": {"members": 1, "reserves": 0}})
    assert not desk.orders
    found = meeting(desk)
    assert found["state"] == "walkover"
    assert sorted((seat["account"], seat["how"], seat["points"]) for seat in found["seats"]) == [("ant-1", "played", "1"), ("bee-1", "no_show", "0")]
    late = started()
    for at, (_, match) in enumerate(boards_of(late), start=1):
        if at == 1:
            won(late, "1/1/1", 1, "bee-1")
        else:
            missing = boards_of(late)[at - 1][0].index(f"bee-{at}")
            late.end(match, [2, 1] if missing == 0 else [1, 2], how=["no_show", "played"] if missing == 0 else ["played", "no_show"])
    assert sorted((seat["account"], seat["points"]) for seat in meeting(late)["seats"]) == [("ant-1", "1"), ("bee-1", "0")]


@rule("LG-973", "LG-672")
def test_a_match_that_nobody_came_to_is_a_lost_board():
    desk = started()
    _, match = boards_of(desk)[0]
    desk.league("record", match=match, ended="aborted", seats=[{"seat": 0, "place": 2, "how": "no_show"}, {"seat": 1, "place": 1}])
    assert [seat["how"] for seat in meeting(desk)["boards"][0]["seats"]] == ["no_show", "played"]
    other = boards_of(desk)[1][1]
    desk.league("record", match=other, ended="voided", seats=[], reason="server fault")
    assert meeting(desk)["flag"] == "voided"
    assert desk.page("head")["stages"][0]["waits"] == "needs_referee"


@rule("LG-231", "LG-973")
def test_a_team_that_leaves_loses_the_boards_that_are_open():
    desk = started()
    one, _ = first(desk)
    for at in (1, 2):
        won(desk, "1/1/1", at, f"{one}-{at}")
    third, fourth = boards_of(desk)[2][1], boards_of(desk)[3][1]
    desk.league("started", match=third)
    desk.own(f"{one}-1", "withdraw")
    assert desk.stops == [(third, f"forfeit:{one}-3"), (fourth, "void")]
    found = meeting(desk)
    assert found["state"] == "confirmed"
    assert [seat["board_points"] for seat in found["seats"]] == ["2", "2"]
    assert not desk.end(third, [1, 2])[1:]
    assert meeting(desk)["boards"] == found["boards"]


@rule("LG-124")
def test_a_referee_decides_single_boards():
    desk = started()
    one, other = first(desk)
    matches = [match for _, match in boards_of(desk)]
    desk.referee("result", pairing="1/1/1", board=1, places={f"{one}-1": 1, f"{other}-1": 2}, reason="agreed")
    desk.referee("forfeit", pairing="1/1/1", board=2, accounts=[f"{one}-2"], reason="phone")
    assert desk.stops == [(matches[0], "void"), (matches[1], "void")]
    with refused("own_match"):
        desk.referee("result", who=f"{one}-3", pairing="1/1/1", board=3, places={f"{one}-3": 1, f"{other}-3": 2}, reason="me")
    with refused("bad_result"):
        desk.referee("result", pairing="1/1/1", board=3, places={f"{one}-1": 1, f"{other}-3": 2}, reason="mistaken")
    with refused("not_found"):
        desk.referee("result", pairing="1/1/1", board=5, places={}, reason="none such")
    with refused("bad_setting"):
        desk.referee("replay", pairing="1/1/1", reason="which board?")
    won(desk, "1/1/1", 3, f"{one}-3")
    desk.referee("replay", pairing="1/1/1", board=3, reason="server fault")
    again = boards_of(desk)[2][1]
    assert again != matches[2]
    assert (desk.orders[-1].match, desk.orders[-1].pairing) == (again, "1/1/1/7")
    assert not desk.rated[matches[2]].rated
    won(desk, "1/1/1", 3, f"{other}-3")
    won(desk, "1/1/1", 4, f"{one}-4")
    assert [seat["board_points"] for seat in meeting(desk)["seats"]] == ["2", "2"]


@rule("LG-123")
def test_a_referee_decides_the_whole_pairing():
    for kind, body, state in (("result", {"places": {"ant-1": 1, "bee-1": 2}}, "confirmed"), ("void", {}, "void")):
        desk = started(("ant", "bee"))
        matches = [match for _, match in boards_of(desk)]
        desk.referee(kind, pairing="1/1/1", reason="flooded hall", **body)
        assert desk.stops == [(match, "void") for match in matches]
        assert meeting(desk)["state"] == state
        assert [event.__struct_config__.tag for event in desk.end(matches[0], [1, 2])] == ["not_counted"]


@rule("LG-911", "LG-921", "LG-972")
def test_one_board_is_corrected_and_back():
    desk = started(("ant", "bee", "cow"))
    place = "1/1/1"
    one, other = [seat["account"].split("-")[0] for seat in pairing(desk, place)["seats"]]
    for at in range(1, 5):
        won(desk, place, at, f"{one if at < 3 else other}-{at}")
    before = pairing(desk, place)
    change = {"pairing": place, "board": 3, "places": {f"{one}-3": 1, f"{other}-3": 2}}
    desk.referee("preview", correction=change)
    assert {line["account"] for line in desk.answer["standing"]} >= {f"{one}-1", f"{other}-1"}
    desk.referee("correct", correction=change, reason="the record was wrong", expected_version=desk.state.version)
    assert [seat["board_points"] for seat in pairing(desk, place)["seats"]] == ["3", "1"]
    match = boards_of(desk, place)[2][1]
    assert [(seat.account, seat.place) for seat in sorted(desk.rated[match].seats, key=lambda seat: seat.place)] == [(f"{one}-3", 1), (f"{other}-3", 2)]
    desk.referee("undo", correction_id=desk.state.corrections[-1].id, reason="the record was right", expected_version=desk.state.version)
    assert [seat["board_points"] for seat in pairing(desk, place)["seats"]] == ["2", "2"]
    assert [board["seats"] for board in pairing(desk, place)["boards"]] == [board["seats"] for board in before["boards"]]


@rule("LG-178", "LG-179", "LG-880")
def test_every_board_is_paused_extended_and_ended():
    desk = started(schedule={"round_deadline": "1 hour"})
    matches = [match for _, match in boards_of(desk)]
    desk.host("pause", with_clocks=True)
    assert desk.stops == [(match, "pause") for match in matches]
    desk.host("resume")
    desk.stops.clear()
    won(desk, "1/1/1", 2, boards_of(desk)[1][0][0])
    until = desk.at + 9_000_000
    desk.host("extend", pairing="1/1/1", until=until, reason="storm")
    assert desk.stops == [(match, f"deadline:{until}") for match in matches if match != matches[1]]
    desk.stops.clear()
    desk.act(type(desk.scene.actor)("acc-host", frozenset({"owner"})), "cancel", reason="no light")
    assert desk.stops == [(match, "void") for match in matches if match != matches[1]]


@rule("LG-878", "LG-973")
@pytest.mark.parametrize(("rule_of", "stop"), [("late_forfeits", "late"), ("double_forfeit", "void")])
def test_every_board_has_the_deadline(rule_of, stop):
    desk = started(schedule={"round_deadline": "1 hour", "at_deadline": rule_of})
    matches = [match for _, match in boards_of(desk)]
    desk.wait(3_600_000)
    assert desk.stops == [(match, stop) for match in matches]
    if rule_of == "double_forfeit":
        assert [seat["points"] for seat in meeting(desk)["seats"]] == ["0", "0"]


@rule("LG-981", "LG-104", "LG-971")
def test_teams_come_from_a_file():
    desk = opened()
    for name in ("ant-1", "ant-2", "bee-1", "bee-2", "bee-3", "bee-4", "bee-5"):
        desk.person(name)
    lines = ["account,team,club", "ant-1,Ant,North", "bee-1,Bee,South", "ant-2,Ant,North", *(f"bee-{at},Bee,South" for at in range(2, 6))]
    desk.host("import_entrants", csv="\n".join(lines))
    ant, bee = desk.page("entrants")["items"]
    assert (ant["account"], ant["team"], ant["club"], [one["account"] for one in ant["members"]]) == ("ant-1", "Ant", "North", ["ant-1", "ant-2"])
    assert [one["account"] for one in bee["reserves"]] == ["bee-5"]
    version = desk.state.version
    desk.host("import_entrants", csv="\n".join([*lines, ""]))
    assert [event for event in desk.events[version:] if event.__struct_config__.tag == "entered"] == []
    for text in ("account,team\nant-1,Cow", "account\ncow-1", "account,team\ncow-1,Cow", "account,team\nant-1,Ant\nbee-1,Ant"):
        with refused("bad_file"):
            desk.host("import_entrants", csv=text)


@rule("LG-971", "LG-972", "LG-973", "LG-1011")
def test_a_whole_swiss_of_six_teams_of_four():
    dice = random.Random(6)
    desk = opened(stage("swiss", rounds=4, ties=["GP", "LOT"]))
    names = ["ant", "bee", "cow", "dog", "elk", "fox"]
    for name in names:
        entry(desk, name, **({"members": 3, "reserves": 0} if name == "fox" else {}))
    desk.host("close")
    desk.host("start")
    for number in range(1, 5):
        if number == 3:
            desk.own("elk-1", "withdraw")
        body = desk.page(f"round/1/{number}")
        for table, one in enumerate(body["pairings"], start=1):
            assert len(one["boards"]) == 4
            for at, (accounts, match) in enumerate(boards_of(desk, f"1/{number}/{table}"), start=1):
                assert len({account.split("-")[0] for account in accounts if account}) == 2 - ("" in accounts)
                if match and match in {open_match for _, open_match in playing(desk)}:
                    won(desk, f"1/{number}/{table}", at, dice.choice(accounts), dice.choice([(1, 2), (1, 1)]))
        desk.until_due()
    assert desk.state.life == "finished"
    lines = desk.page("standing/1")["lines"]
    assert [line["team"] for line in lines if line["state"] == "withdrawn"] == ["Elk"]
    assert sum(F(line["points"]) for line in lines) == expected_points(desk)
    assert len({order.match for order in desk.orders}) == len({order.pairing for order in desk.orders}) == len(desk.orders)
    assert desk.page("head")["winners"] == [line["account"] for line in lines if line["rank"] == 1]
    assert desk.past(desk.state.version).winners == desk.state.winners


def playing(desk):
    return [(number, match) for stage_ in desk.state.stages for made in stage_.rounds for chunk in made.pairings for one in chunk.items
            for number, match in enumerate(one.under_way, start=1)]


def expected_points(desk):
    """A point for each pairing in which somebody came, and those of the byes."""
    rounds = [desk.page(f"round/1/{number}") for number in range(1, 5)]
    tables = [one for body in rounds for one in body["pairings"]]
    byes = sum(F(bye["points"]) for body in rounds for bye in body["byes"])
    return sum(sum(F(seat["points"]) for seat in one["seats"]) for one in tables) + byes


@rule("LG-974", "LG-951")
def test_members_sit_apart_at_larger_tables_and_the_best_count():
    desk = opened(stage("swiss", seats=THREE, rounds=3), teams={"boards": 2, "size": 3})
    for name in ("ant", "bee", "cow"):
        entry(desk, name, members=3, reserves=0)
    assert desk.page("head")["entrants"] == 9
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    teams = {line["account"]: line["team"] for line in desk.page("entrants")["items"]}
    desk.play()
    for number in (1, 2, 3):
        for one in desk.page(f"round/1/{number}")["pairings"]:
            assert len({teams[seat["account"]] for seat in one["seats"]}) == 3
    points = {line["account"]: F(line["points"]) for line in desk.page("standing/1")["lines"]}
    lines = desk.page("teams/1")["lines"]
    assert {line["team"]: F(line["points"]) for line in lines} == {
        name.title(): sum(sorted((worth for account, worth in points.items() if account.startswith(name)), reverse=True)[:2]) for name in ("ant", "bee", "cow")}
    assert [line["rank"] for line in lines] == [1 + sum(F(other["points"]) > F(line["points"]) for other in lines) for line in lines]
    with refused("already_entered"):
        opened_again = opened(stage("swiss", seats=THREE, rounds=3), teams={"boards": 2, "size": 3})
        entry(opened_again, "ant", members=2, reserves=0)
        opened_again.own("ant-2", "enter", team="Other", members=["ant-2"])


@rule("LG-973", "LG-232")
def test_a_team_that_leaves_a_drafted_round_has_lost_it():
    desk = opened(auto_start=False)
    for name in ("ant", "bee"):
        entry(desk, name)
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    desk.own("bee-1", "withdraw")
    desk.host("publish")
    assert meeting(desk)["state"] == "walkover"
    assert not desk.orders
