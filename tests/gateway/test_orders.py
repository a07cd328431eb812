"""Do seats, hosts and referees act beside the game as they may, with reasons that are kept?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
import pytest

from tests.gateway.conftest import House, Player
from tests.ledger import rule

REASON = "the hall had no light"


@pytest.fixture
def operator(house: House) -> Player:
    return house.player(roles=("operator",))


@pytest.fixture
def chaired(house: House) -> Iterator[None]:
    """The sample game has a host's chair for a while."""
    house.do("UPDATE games SET host_chair = true")
    yield
    house.do("UPDATE games SET host_chair = false")


def state(house: House, match: str) -> str:
    return str(house.one("SELECT state FROM matches WHERE match_id = %s", match)["state"])


def ordered(house: House, player: Player, match: str, kind: str, **facts: object) -> tuple[int, str | None]:
    answer = player.post(f"/matches/{match}/orders", {"kind": kind, "reason": REASON, **facts})
    house.work()
    return answer.status_code, answer.json.get("code")


@rule("PL-246", "PL-305")
def test_resigning_needs_to_be_sure_and_is_a_row(house: House, ada: Player, bob: Player, match: str):
    for unsure in ({}, {"sure": False}, {"sure": "yes"}):
        assert bob.post(f"/matches/{match}/resignations", unsure).json["errors"][0]["pointer"] == "/sure"
    assert house.player().post(f"/matches/{match}/resignations", {"sure": True}).json["code"] == "not_your_seat"
    answer = bob.post(f"/matches/{match}/resignations", {"sure": True}, key="r")
    assert answer.status_code == 202
    assert answer.json["seat"] == 1
    assert bob.post(f"/matches/{match}/resignations", {"sure": True}, key="r").json["arrival"] == answer.json["arrival"]
    house.work()
    assert house.one("SELECT how FROM seats WHERE match_id = %s AND seat = 1", match)["how"] == "resigned"
    assert bob.post(f"/matches/{match}/resignations", {"sure": True}).json["code"] in {"match_over", None}


@rule("PL-251", "PL-544", "EX-39")
def test_of_two_ends_the_first_arrival_decides(house: House, ada: Player, bob: Player, match: str):
    assert bob.post(f"/matches/{match}/resignations", {"sure": True}).status_code == 202
    assert ada.post(f"/matches/{match}/resignations", {"sure": True}, key="late").status_code == 202
    house.work()
    late = ada.post(f"/matches/{match}/resignations", {"sure": True}, key="late")
    assert (late.status_code, late.json["code"]) == (409, "match_over")
    result = ada.get(f"/matches/{match}/result").json
    assert [(row["seat"], row["place"], row["how"]) for row in result["seats"]] == [(0, 1, "played"), (1, 2, "resigned")]


@rule("PL-243", "PL-244", "PL-305")
def test_a_pause_by_agreement(house: House, ada: Player, bob: Player, match: str):
    assert ada.post(f"/matches/{match}/proposals", {"kind": "pause"}).status_code == 202
    house.work()
    assert state(house, match) == "running"
    assert bob.post(f"/matches/{match}/proposals/1/answers", {"answer": "yes"}).status_code == 202
    house.work()
    assert state(house, match) == "paused"
    ask = house.open_ask(match)
    paused = [ada, bob][ask["seat"]].command(match, ask["ask"], {"do": "rest"})
    assert (paused.status_code, paused.json["code"]) == (409, "match_paused")
    assert bob.post(f"/matches/{match}/proposals", {"kind": "resume"}).status_code == 202
    house.work()
    assert state(house, match) == "running"
    assert bob.post(f"/matches/{match}/proposals/9/answers", {"answer": "yes"}).status_code == 404


@rule("PL-247")
def test_an_abort_by_agreement_leaves_no_result(house: House, ada: Player, bob: Player, match: str):
    ada.post(f"/matches/{match}/proposals", {"kind": "abort"})
    bob.post(f"/matches/{match}/proposals/3/answers", {"answer": "yes"})
    house.work()
    assert state(house, match) == "aborted"
    assert ada.get(f"/matches/{match}/result").json["code"] == "not_yet"
    other = house.match(ada, bob)
    house.do("UPDATE matches SET championship = 'c-1' WHERE match_id = %s", other)
    assert ada.post(f"/matches/{other}/proposals", {"kind": "abort"}).json["code"] == "not_offered"


@rule("PL-247")
def test_declining_ends_a_proposal(house: House, ada: Player, bob: Player, match: str):
    ada.post(f"/matches/{match}/proposals", {"kind": "pause"})
    bob.post(f"/matches/{match}/proposals/1/answers", {"answer": "no"})
    bob.post(f"/matches/{match}/proposals/1/answers", {"answer": "yes"}, key="late")
    house.work()
    assert state(house, match) == "running"
    assert bob.post(f"/matches/{match}/proposals/1/answers", {"answer": "yes"}, key="late").json["code"] == "not_offered"


@rule("PL-154", "PL-243", "PL-503")
def test_a_referee_pauses_extends_disqualifies_and_voids(house: House, operator: Player, ada: Player, bob: Player, match: str):
    assert ordered(house, operator, match, "pause") == (202, None)
    assert state(house, match) == "paused"
    assert ordered(house, operator, match, "resume") == (202, None)
    assert state(house, match) == "running"
    assert ordered(house, operator, match, "extend", ms=60_000) == (202, None)
    assert ordered(house, operator, match, "extend") == (422, "invalid")
    assert ordered(house, operator, match, "disqualify") == (422, "invalid")
    assert ordered(house, operator, match, "disqualify", target=7) == (422, "invalid")
    assert ordered(house, operator, match, "disqualify", target=1) == (202, None)
    assert house.one("SELECT how FROM seats WHERE match_id = %s AND seat = 1", match)["how"] == "disqualified"
    other = house.match(ada, bob)
    assert ordered(house, operator, other, "void") == (202, None)
    assert state(house, other) == "voided"


@rule("PL-155", "PL-154")
def test_whoever_plays_is_no_referee_and_others_are_none_either(house: House, ada: Player, bob: Player, match: str):
    playing = house.player(roles=("operator",))
    own = house.match(playing, bob)
    assert ordered(house, playing, own, "void") == (403, "own_match")
    for player in (ada, bob, house.player()):
        assert ordered(house, player, match, "void")[1] in {"not_allowed", "own_match"}
    assert house.nobody().post(f"/matches/{match}/orders", {"kind": "void", "reason": REASON}).json["code"] == "not_signed_in"


@rule("PL-158", "PL-693")
def test_every_act_of_a_referee_has_a_reason_and_an_audit_row_in_the_same_transaction(house: House, operator: Player, match: str):
    for short in ("", "   no   ", "four"):
        answer = operator.post(f"/matches/{match}/orders", {"kind": "pause", "reason": short})
        assert (answer.status_code, answer.json["code"]) == (422, "reason_missing")
    before = house.one("SELECT count(*) AS n FROM audit")["n"]
    operator.post(f"/matches/{match}/orders", {"kind": "pause", "reason": REASON}, key="p")
    operator.post(f"/matches/{match}/orders", {"kind": "pause", "reason": REASON}, key="p")
    rows = house.all("SELECT * FROM audit ORDER BY number OFFSET %s", before)
    assert [(row["who"], row["what"], row["on"], row["reason"]) for row in rows] == [(operator.id, "match.pause", match, REASON)]
    arrivals = len(house.rows(match))
    house.do("UPDATE matches SET state = 'aborted' WHERE match_id = %s", match)
    assert operator.post(f"/matches/{match}/orders", {"kind": "resume", "reason": REASON}).json["code"] == "match_over"
    assert len(house.rows(match)) == arrivals
    assert house.one("SELECT count(*) AS n FROM audit")["n"] == before + 1


@rule("PL-694")
def test_the_audit_log_is_a_chain(house: House, operator: Player, match: str):
    for kind in ("pause", "resume"):
        ordered(house, operator, match, kind)
    rows = house.all("SELECT * FROM audit ORDER BY number")
    chain = b"\x00"
    for row in rows:
        facts = {name: row[name] for name in ("who", "what", "on", "reason", "before", "after")}
        chain = hashlib.sha256(chain + msgspec.json.encode(facts, order="sorted")).digest()
        assert row["chain"] == chain
    assert house.one("SELECT chain FROM audit_head")["chain"] == chain


@rule("PL-248", "PL-158")
def test_voiding_a_finished_match_takes_two_persons(house: House, operator: Player, ada: Player, bob: Player):
    match = house.match(ada, bob, options={"rounds": 1})
    house.play_out(match, ada, bob)
    first = operator.post(f"/matches/{match}/orders", {"kind": "void", "reason": REASON})
    again = operator.post(f"/matches/{match}/orders", {"kind": "void", "reason": REASON})
    assert (first.status_code, first.json["code"], first.json["order"]) == (409, "second_person_needed", again.json["order"])
    path = f"/matches/{match}/orders/{first.json['order']}/confirm"
    assert operator.post(path).json["code"] == "same_person"
    assert ada.post(path).status_code == 403
    second = house.player(roles=("operator",))
    assert second.post(f"/matches/{match}/orders/77/confirm").json["code"] == "not_found"
    assert second.post(path, key="c").status_code == 202
    house.work()
    assert state(house, match) == "voided"
    assert ada.get(f"/matches/{match}/result").json["voided_at"]
    assert second.post(path, key="c").json["state"] == "carried_out"
    acts = [row["what"] for row in house.all('SELECT what FROM audit WHERE "on" = %s ORDER BY number', match)]
    assert acts == ["match.void.asked", "match.void.confirmed"]


@rule("PL-243", "PL-305")
def test_the_host_has_the_rights_of_the_hosts_chair(house: House, ada: Player, bob: Player, match: str, chaired: None):
    assert ada.post(f"/matches/{match}/orders", {"kind": "pause"}).status_code == 202       # no reason needed for one's own right
    house.work()
    assert state(house, match) == "paused"
    ada.post(f"/matches/{match}/orders", {"kind": "resume"})
    house.work()
    assert ordered(house, bob, match, "pause")[0] == 403
    assert ordered(house, ada, match, "void")[1] in {"own_match", "not_allowed"}
    mask = ada.post(f"/matches/{match}/orders", {"kind": "mask", "command": {"do": "move_on"}}, key="m")
    assert mask.status_code == 202
    house.work()
    assert house.rows(match)[-1]["body"]
    assert '"kind":"game"' in house.rows(match)[-1]["body"]
    refused = ada.post(f"/matches/{match}/orders", {"kind": "mask", "command": {"do": "move_on"}}, key="m")
    assert refused.json["code"] == "not_a_choice"      # not on offer for the host's chair now
    assert ada.post(f"/matches/{match}/orders", {"kind": "game"}).json["errors"][0]["pointer"] == "/command"


@rule("CH-417")
def test_while_the_host_is_absent_the_next_seat_acts_for_it(house: House, ada: Player, bob: Player, match: str, chaired: None):
    house.do("UPDATE views SET host_seat = (SELECT seat FROM seats s WHERE s.match_id = %s AND s.account_id = %s) WHERE match_id = %s",
             match, bob.id, match)
    assert ordered(house, ada, match, "pause")[0] == 403
    assert bob.post(f"/matches/{match}/orders", {"kind": "pause"}).status_code == 202


@rule("PL-299", "PL-301")
def test_orders_tell_their_outcome_like_commands(house: House, operator: Player, match: str):
    answer = operator.post(f"/matches/{match}/orders", {"kind": "resume", "reason": REASON}, key="x")
    assert operator.ask("GET", answer.headers["Location"]).json["state"] == "waiting"
    house.work()
    told = operator.post(f"/matches/{match}/orders", {"kind": "resume", "reason": REASON}, key="x")
    assert (told.status_code, told.json["code"]) == (409, "wrong_state")
