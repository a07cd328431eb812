"""Does a tournament of teams go through to its end, at boards and at larger tables?"""

import random
from fractions import Fraction

import msgspec

from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import THREE, Desk, refused, stage
from tests.league.tournament.teams.table import SWISS, boards_of, entry, opened, won
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


def open_tables(desk):
    return [f"1/{made.number}/{one.table}" for made in desk.stage().rounds for chunk in made.pairings for one in chunk.items if one.under_way]


def playing(desk):
    return [(number, match) for stage_ in desk.state.stages for made in stage_.rounds for chunk in made.pairings for one in chunk.items
            for number, match in enumerate(one.under_way, start=1)]


def expected_points(desk):
    """A point for each pairing in which somebody came, and those of the byes."""
    rounds = [desk.page(f"round/1/{number}") for number in range(1, 5)]
    tables = [one for body in rounds for one in body["pairings"]]
    byes = sum(F(bye["points"]) for body in rounds for bye in body["byes"])
    return sum(sum(F(seat["points"]) for seat in one["seats"]) for one in tables) + byes


@rule("LG-972", "LG-447", "LG-973")
def test_an_elimination_of_teams_ends_with_one():
    desk = opened(stage("elimination"), seeding="given")
    for name in ("ant", "bee", "cow"):
        entry(desk, name)
    desk.host("close")
    desk.host("start")
    for _ in range(2):
        for where in [*open_tables(desk)]:
            for at, (_, match) in enumerate(boards_of(desk, where), start=1):
                assert at <= 4
                desk.end(match, [1, 1])
        desk.until_due()
    assert desk.state.life == "finished"
    (winner,) = desk.state.winners
    assert desk.page("head")["teams"] == {winner: winner.split("-")[0].title()}
    assert set(desk.page("bracket/1")["teams"].values()) == {"Ant", "Bee", "Cow"}


@rule("LG-985", "LG-971")
def test_a_tournament_of_teams_travels_whole():
    desk = opened(SWISS)
    for name in ("ant", "bee", "cow", "dog"):
        entry(desk, name)
    desk.own("ant-1", "line_up", round=2, accounts=["ant-4", "ant-3"])
    desk.host("close")
    desk.host("start")
    for _ in range(2):
        for where in [*open_tables(desk)]:
            for _, match in boards_of(desk, where):
                if match:
                    desk.end(match, [1, 2])
        desk.until_due()
    assert desk.state.life == "finished"
    desk.host("export", form="json")
    other = Desk()
    other.host("import_export", tournament="t-2", organisation="o-2", document=desk.answer)
    assert other.page("standing/1")["lines"] == desk.page("standing/1")["lines"]
    assert not other.orders
    with refused("not_exportable"):
        desk.host("export", form="trf16")


@rule("LG-971", "LG-1011")
def test_what_was_stored_reads_as_it_was():
    desk = opened(SWISS)
    for name in ("ant", "bee"):
        entry(desk, name)
    desk.host("close")
    desk.host("start")
    again = TOURNAMENT.state(msgspec.json.encode(desk.state))
    assert msgspec.json.encode(again) == msgspec.json.encode(desk.state) == msgspec.json.encode(desk.past(desk.state.version))
