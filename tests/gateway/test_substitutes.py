"""May somebody else take a seat that was left, who, and what is told of it (PL-546)?"""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.gateway.conftest import House, Player
from tests.ledger import rule


@pytest.fixture
def left(house: House, ada: Player, bob: Player) -> str:
    """A match of two with clocks, in which seat 1 has resigned."""
    match = house.match(ada, bob, substitutes=True, clock={"preset": "normal"}, options={"rounds": 1})
    assert bob.post(f"/matches/{match}/resignations", {"sure": True}).status_code == 202
    house.work()
    return match


def taken(house: House, player: Player, match: str, **more: Any) -> TestResponse:
    answer = player.post(f"/matches/{match}/substitutions", {"seat": 1}, **more)
    house.work()
    return answer


def seat_of(reader: Player, match: str) -> dict[str, Any]:
    told: dict[str, Any] = reader.get(f"/matches/{match}").json["seats"][1]
    return told


@rule("PL-546")
def test_another_account_takes_the_seat_and_plays_on(house: House, ada: Player, bob: Player, left: str):
    carol = house.player()
    assert (seat_of(carol, left)["vacant"], seat_of(carol, left)["how"]) == (True, "resigned")
    accepted = taken(house, carol, left)
    assert (accepted.status_code, accepted.json["state"]) == (202, "waiting")
    seat = seat_of(bob, left)
    assert (seat["account"]["account"], seat["substitute_of"]["account"], seat["vacant"], seat["how"]) == (carol.id, bob.id, False, None)
    assert carol.get(f"/matches/{left}/view?seat=1").status_code == 200
    assert bob.get(f"/matches/{left}/view?seat=1").json["code"] == "not_your_seat"
    house.play_out(left, ada, carol)
    row = next(row for row in ada.get(f"/matches/{left}/result").json["seats"] if row["seat"] == 1)
    assert (row["account"]["account"], row["substitute_of"]["account"], row["counts_for"], row["how"]) == (carol.id, bob.id, carol.id, "played")


@rule("PL-546", "PL-208", "PL-105")
def test_saying_it_again_is_once_and_of_two_the_first_has_it(house: House, left: str):
    carol, dan = house.player(), house.player()
    answers = [carol.post(f"/matches/{left}/substitutions", {"seat": 1}, key="again") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json["command"] == answers[1].json["command"]
    second = dan.post(f"/matches/{left}/substitutions", {"seat": 1})
    house.work()
    assert carol.post(f"/matches/{left}/substitutions", {"seat": 1}, key="again").json["state"] == "carried_out"
    told = dan.get(f"/matches/{left}/commands/{second.json['command']}").json
    assert (told["state"], told["code"]) == ("refused", "seat_taken")
    assert taken(house, house.player(), left).json["code"] == "seat_taken"


@rule("PL-546", "PL-236", "PL-133", "PL-138", "PL-528")
def test_whoever_might_not_have_sat_there_may_not_substitute(house: House, ada: Player, bob: Player, left: str):
    owner = house.player()
    bot, service, blocked = house.player("bot", owner=owner.id), house.player("service"), house.player()
    ada.put(f"/me/blocks/{blocked.id}")
    refusals = {"ada": taken(house, ada, left), "bob": taken(house, bob, left), "bot": taken(house, bot, left), "service": taken(house, service, left),
                "blocked": taken(house, blocked, left)}
    assert {name: answer.json["code"] for name, answer in refusals.items()} == {
        "ada": "already_seated", "bob": "already_seated", "bot": "not_allowed", "service": "not_allowed", "blocked": "blocked"}
    assert house.player().post(f"/matches/{left}/substitutions", {"seat": 0}).json["code"] == "seat_taken"
    assert house.player().post(f"/matches/{left}/substitutions", {"seat": 9}).json["code"] == "invalid"


@rule("PL-546")
def test_without_the_option_a_leaver_is_gone_at_once(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, clock={"preset": "normal"}, options={"rounds": 1})
    bob.post(f"/matches/{match}/resignations", {"sure": True})
    house.work()
    assert seat_of(ada, match)["vacant"] is False
    assert taken(house, house.player(), match).json["code"] == "wrong_state"


@rule("PL-546", "PL-154", "PL-158", "PL-305")
def test_host_and_referee_name_a_substitute(house: House, ada: Player, bob: Player, left: str):
    operator, stranger = house.player(roles=("operator",)), house.player()
    order = {"kind": "replace", "target": 1, "account": stranger.id, "reason": "bob has left"}
    assert ada.post(f"/matches/{left}/orders", order).json["code"] == "not_allowed"     # nobody is seated unasked by a host
    assert stranger.post(f"/matches/{left}/orders", order).json["code"] == "not_allowed"
    assert operator.post(f"/matches/{left}/orders", {**order, "account": "a-none"}).json["code"] == "invalid"
    accepted = operator.post(f"/matches/{left}/orders", order)
    assert accepted.status_code == 202, accepted.json
    house.work()
    assert seat_of(ada, left)["account"]["account"] == stranger.id
    assert house.one("SELECT reason FROM audit WHERE what = 'match.replace' AND \"on\" = %s", left)["reason"] == "bob has left"


@rule("PL-546", "PL-419")
def test_everybody_is_told_in_the_letters(house: House, nobody: Player, left: str):
    carol = house.player()
    taken(house, carol, left)
    orders = [letter["order"] for letter in nobody.get(f"/matches/{left}/letters?limit=100").json["items"]]
    assert orders[-2:] == [{"kind": "vacate", "target": 1, "how": "resigned"}, {"kind": "replace", "target": 1, "account": carol.id}]


@rule("PL-546", "PL-704")
def test_a_vacant_seat_asks_nothing_of_whoever_left_it(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, substitutes=True, clock={"preset": "normal"}, options={"rounds": 1})
    row = house.open_ask(match)
    holder = (ada, bob)[row["seat"]]
    assert [ask["match"] for ask in holder.get("/me/asks").json["items"]] == [match]
    holder.post(f"/matches/{match}/resignations", {"sure": True})
    house.work()
    assert holder.get("/me/asks").json["items"] == []
    refused = holder.command(match, row["ask"], row["body"]["on_timeout"])
    house.work()
    assert holder.get(f"/matches/{match}/commands/{refused.json['command']}").json["code"] == "not_your_seat"
