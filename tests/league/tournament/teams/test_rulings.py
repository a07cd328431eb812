"""What may a referee decide about boards, and what befalls all boards of a pairing at once?"""

import pytest

from tests.league.tournament.desk import pairing, refused
from tests.league.tournament.teams.table import boards_of, entry, first, meeting, opened, started, won
from tests.ledger import rule


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


@rule("LG-124")
def test_nobody_rules_on_their_own_team_or_on_that_of_their_bot():
    desk = opened(opponents="mixed")
    entry(desk, "ant")
    desk.person("bot-1", kind="bot", owner="acc-ref")
    desk.own("bot-1", "enter", team="Bots", members=["bot-1", desk.person("bot-2", kind="bot", owner="acc-ref")])
    for who, captain in (("acc-ref", "bot-1"), ("ant-3", "ant-1"), ("ant-r1", "ant-1")):
        with refused("own_match"):
            desk.referee("disqualify", who=who, account=captain, reason="rude")
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    with refused("own_match"):
        desk.referee("void", pairing="1/1/1", reason="mine")


@rule("LG-921", "LG-167", "LG-680")
def test_a_replay_that_is_taken_back_and_ordered_again_has_a_match_of_its_own():
    desk = started()
    for at in range(1, 5):
        won(desk, "1/1/1", at, f"ant-{at}")
    for _ in range(2):
        desk.referee("correct", correction={"pairing": "1/1/1", "board": 2, "replay": True}, reason="the server failed", expected_version=desk.state.version)
        new = desk.orders[-1].match
        desk.referee("undo", correction_id=desk.state.corrections[-1].id, reason="it had not failed", expected_version=desk.state.version)
        assert desk.stops[-1] == (new, "void")
        assert [event.__struct_config__.tag for event in desk.end(new, [1, 2])] == ["not_counted"]
    assert len({order.pairing for order in desk.orders}) == len(desk.orders) == 6
    assert sorted(seat["board_points"] for seat in meeting(desk)["seats"]) == ["0", "4"]
