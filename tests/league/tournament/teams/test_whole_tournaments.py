"""Does a tournament of teams go through to its end, at boards and at larger tables?"""

import random
from fractions import Fraction

from tests.league.tournament.desk import THREE, refused, stage
from tests.league.tournament.teams.table import boards_of, entry, opened, won
from tests.ledger import rule

F = Fraction


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


def playing(desk):
    return [(number, match) for stage_ in desk.state.stages for made in stage_.rounds for chunk in made.pairings for one in chunk.items
            for number, match in enumerate(one.under_way, start=1)]


def expected_points(desk):
    """A point for each pairing in which somebody came, and those of the byes."""
    rounds = [desk.page(f"round/1/{number}") for number in range(1, 5)]
    tables = [one for body in rounds for one in body["pairings"]]
    byes = sum(F(bye["points"]) for body in rounds for bye in body["byes"])
    return sum(sum(F(seat["points"]) for seat in one["seats"]) for one in tables) + byes
