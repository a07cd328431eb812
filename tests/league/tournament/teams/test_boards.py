"""Do teams meet board by board, and do the boards come to what the ledger says?"""

from tests.league.tournament.teams.table import boards_of, entry, first, meeting, opened, started, won
from tests.ledger import rule


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
