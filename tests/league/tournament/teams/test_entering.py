"""Who may enter a team, who speaks for it, and whom does it line up?"""

import pytest

from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import THREE, Desk, refused, stage
from tests.league.tournament.teams.table import ROBIN, SWISS, TEAMS, boards_of, entry, opened
from tests.ledger import rule


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
    (event,) = desk.own("ant-1", "line_up", round=1, accounts=["ant-2", "ant-1"])
    assert event.__struct_config__.tag in TOURNAMENT.hidden
    desk.host("export", form="json")
    assert "line_up_set" not in str(desk.answer)
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    desk.host("export", form="json")
    assert "line_up_set" in str(desk.answer)


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
