"""How often may somebody ask, and does it hold over processes and without Redis?"""

from __future__ import annotations

import pytest
import redis

from services.gateway.edge.limits import A_MINUTE, Limits
from services.gateway.edge.pace import Pace
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.tokens import write_token
from tests.gateway.conftest import API, NUMBERS, House, Player
from tests.gateway.edge.test_http import WISH
from tests.ledger import rule


@rule("PL-666")
def test_each_bucket_has_its_limit_and_says_how_much_is_left(house: House, ada: Player, monkeypatch: pytest.MonkeyPatch):
    limits = Limits(house.settings)
    monkeypatch.setattr(house.gate, "limits", limits)
    monkeypatch.setattr(limits, "_factor", 1)
    monkeypatch.setitem(A_MINUTE, "reads", 3)
    for left in (2, 1, 0):
        answer = ada.get("/games")
        assert answer.headers["RateLimit"].startswith(f'"reads";r={left};t=')
        assert answer.headers["RateLimit-Policy"] == '"reads";q=3;w=60'
    refused = ada.get("/games")
    assert (refused.status_code, refused.json["code"]) == (429, "rate_limited")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert ada.post("/matches", WISH).status_code == 201       # another bucket
    assert house.player().get("/games").status_code == 200     # another token
    assert house.client().get(f"{API}/games").status_code == 200


@rule("PL-666")
def test_many_tokens_do_not_multiply_an_account(house: House, ada: Player, monkeypatch: pytest.MonkeyPatch):
    limits = Limits(house.settings)
    monkeypatch.setattr(limits, "_factor", 1)
    monkeypatch.setitem(A_MINUTE, "commands", 2)
    for number in range(6):
        limits.hit("commands", Caller("a-1", token=f"t{number}"))
    with pytest.raises(Problem, match="rate_limited"):
        limits.hit("commands", Caller("a-1", token="t-fresh"))
    limits.hit("commands", Caller("a-2", token="t-other"))


@rule("PL-666")
def test_single_commands_by_many_tokens_count_for_their_account(house: House, ada: Player, match: str, monkeypatch: pytest.MonkeyPatch):
    limits = Limits(house.settings)
    monkeypatch.setattr(house.gate, "limits", limits)
    monkeypatch.setattr(limits, "_factor", 1)
    monkeypatch.setitem(A_MINUTE, "commands", 2)
    ones = [Player(house, ada.id, ada.name, house.token(ada.id, ["match:read", "match:play"])) for _ in range(7)]
    codes = [one.command(match, house.open_ask(match)["ask"], {"do": "no_such_verb"}).status_code for one in [*ones, *ones]]
    assert (codes[:7].count(429), codes[7:].count(429)) == (0, 1)       # all are known now: six of the account are allowed, and one token had its first
    assert house.player().get("/games").status_code == 200


@rule("CH-453", "PL-208")
def test_what_a_game_slows_down_is_counted_by_player_and_match(house: House, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch):
    house.do("""UPDATE games SET schemas = jsonb_set(schemas, '{commands,$defs,Rest,properties,do,a_minute}', '2') WHERE game = 'pebbles'""")
    monkeypatch.setattr(house.gate, "limits", limits := Limits(house.settings))
    monkeypatch.setattr(limits, "_factor", 1)
    monkeypatch.setattr(house.gate, "pace", Pace(house.gate.store))
    one, other = house.match(ada, bob), house.match(ada, bob)
    ask = house.open_ask(one)["ask"]
    rest = {"ask": ask, "command": {"do": "rest"}, "seat": 0}
    said = [ada.post(f"/matches/{one}/commands", {**rest, "ask": ask + more}, key=f"slow-{ada.id}-{more}") for more in (0, 0, 1, 2)]
    assert [answer.status_code for answer in said] == [202, 202, 409, 429]                   # what is said again is not counted again
    assert 0 < int(said[3].headers["Retry-After"]) <= 60
    envelope = {"match": one, "key": f"slow-{ada.id}-9", **rest}
    assert [told["status"] for told in ada.post("/command-batches", {"envelopes": [envelope]}).json["answers"]] == [429]
    assert ada.post(f"/matches/{other}/commands", rest).status_code != 429                   # another match
    assert bob.post(f"/matches/{one}/commands", {**rest, "seat": 1}).status_code != 429     # another player
    house.do("UPDATE games SET schemas = schemas #- '{commands,$defs,Rest,properties,do,a_minute}' WHERE game = 'pebbles'")


@rule("PL-666")
def test_tokens_that_are_none_are_limited_by_their_address(house: House, ada: Player, match: str, monkeypatch: pytest.MonkeyPatch):
    limits = Limits(house.settings)
    monkeypatch.setattr(house.gate, "limits", limits)
    monkeypatch.setattr(limits, "_factor", 1)
    monkeypatch.setitem(A_MINUTE, "management", 2)
    made_up = [Player(house, "", "", write_token("pat")[0]) for _ in range(4)]
    answers = [made_up[0].get("/games"), made_up[1].command(match, 1, {"do": "rest"}), made_up[2].get("/games"), made_up[3].command(match, 1, {"do": "rest"})]
    assert [answer.json["code"] for answer in answers] == ["bad_token", "bad_token", "rate_limited", "rate_limited"]
    assert ada.get("/games").status_code == 200     # whoever has a token is not held up by others at the same address


@rule("PL-736", "PL-813")
def test_methods_that_somebody_made_up_are_one_line_of_the_metrics(house: House):
    for method in ("FETCH", "FOO"):
        assert house.client().open(f"{API}/games", method=method).status_code == 405
    told = house.gate.metrics.text().decode()
    assert ('method="other"' in told, 'method="FOO"' in told) == (True, False)


@rule("PL-666", "PL-667")
def test_processes_add_up_through_redis_and_keep_to_their_share_without_it(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(A_MINUTE, "reads", 10)
    one, other = Limits(house.settings), Limits(house.settings)
    for limits in (one, other):
        monkeypatch.setattr(limits, "_factor", 1)
    who = Caller(address=f"10.0.0.{next(NUMBERS)}")
    for _ in range(4):
        one.hit("reads", who)
        other.hit("reads", who)
    one.share(), other.share(), one.share()
    assert one.hit("reads", who).left == 10 - 8 - 1 or one.hit("reads", who).left >= 0
    other.share()
    alone = Limits(house.settings)
    monkeypatch.setattr(alone, "_factor", 1)
    monkeypatch.setattr(alone, "_redis", redis.Redis(port=1, socket_connect_timeout=0.1, retry=None))
    alone.hit("reads", who)
    alone.share()
    assert not alone.shared
    assert house.settings.gateway_processes == 2
    for _ in range(4):
        alone.hit("reads", who)
    with pytest.raises(Problem, match="rate_limited"):     # neither open nor closed: half of ten for one of two processes
        alone.hit("reads", who)
