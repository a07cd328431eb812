"""Who is spared whose texts, and what does a moderator do about them?"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from services.gateway.edge.limits import A_MINUTE, Limits
from services.gateway.store import SQL
from tests.gateway.conftest import FOR_ALL, House, Player
from tests.gateway.talk.test_rooms import heard, refusal, say
from tests.ledger import rule


@pytest.fixture
def free(house: House, ada: Player, bob: Player) -> str:
    """A running match of two where talk is free."""
    return house.match(ada, bob, talk="free")


@pytest.fixture
def mia(house: House) -> Player:
    """A moderator."""
    return house.player(roles=("moderator",))


def waiting(moderator: Player) -> dict[str, Any]:
    return {one["text"]: one for one in moderator.get("/talk/reports?limit=100").json["items"]}


def last_act(house: House) -> tuple[str, str, str, str]:
    row = house.one('SELECT who, what, "on", reason FROM audit ORDER BY number DESC LIMIT 1')
    return row["who"], row["what"], row["on"], row["reason"]


@rule("PL-559")
def test_everybody_may_mute_whom_they_like(house: House, ada: Player, bob: Player, free: str):
    say(bob, free, "blah")
    assert ada.put(f"/me/mutes/{bob.id}").status_code == 204
    assert heard(ada, free) == []
    assert heard(bob, free) == heard(house.player(), free) == ["blah"]       # nobody else is spared, and nobody learns of it
    assert [one["name"] for one in ada.get("/me/mutes").json["items"]] == [bob.name]
    assert ada.put(f"/me/mutes/{ada.id}").status_code == ada.put("/me/mutes/a-none").status_code == 404
    ada.delete(f"/me/mutes/{bob.id}")
    assert heard(ada, free) == ["blah"]


@rule("PL-138")
def test_a_blocked_account_does_not_talk_to_who_has_blocked_it(house: House, ada: Player, bob: Player, free: str):
    ada.put(f"/me/blocks/{bob.id}")
    say(bob, free, "blah")
    assert heard(ada, free) == []
    assert heard(bob, free) == ["blah"]


@rule("PL-559", "PL-158")
def test_a_reported_text_is_hidden_by_a_moderator_with_a_reason_and_an_audit_row(house: House, ada: Player, bob: Player, mia: Player, free: str):
    text = say(bob, free, "you play like a stone")
    report = ada.post(f"/talk/{text}/reports", {"reason": "rude"})
    assert (report.status_code, report.json) == (202, {"text": text, "accepted": True})
    ada.post(f"/talk/{text}/reports", {"reason": "and again"})
    told = waiting(mia)[text]
    assert (told["words"], told["account"]["name"], told["match"]) == ("you play like a stone", bob.name, free)
    assert told["reports"] == [{"by": ada.name, "reason": "rude"}]
    assert mia.post(f"/talk/{text}/decisions", {"kind": "hide", "reason": "no"}).json["code"] == "reason_missing"
    assert mia.post(f"/talk/{text}/decisions", {"kind": "hide", "reason": "an insult"}).json == {"text": text, "hidden": True}
    assert last_act(house) == (mia.id, "talk.hide", text, "an insult")
    assert text not in waiting(mia)
    for reader in (ada, bob, house.player()):
        [gone] = reader.get(f"/matches/{free}/talk").json["items"]
        assert (gone["words"], gone["hidden"]) == (None, True)
    mia.post(f"/talk/{text}/decisions", {"kind": "show", "reason": "it was a quotation"})
    assert heard(ada, free) == ["you play like a stone"]


@rule("PL-559")
def test_a_report_may_also_change_nothing(ada: Player, bob: Player, mia: Player, free: str):
    text = say(bob, free, "I win")
    ada.post(f"/talk/{text}/reports", {"reason": "boasting"})
    assert mia.post(f"/talk/{text}/decisions", {"kind": "keep", "reason": "that is allowed"}).json == {"text": text, "hidden": False}
    assert text not in waiting(mia)


@rule("PL-559", "PL-158")
def test_a_moderator_silences_an_account_for_a_time(house: House, ada: Player, bob: Player, mia: Player, free: str):
    told = mia.post(f"/accounts/{bob.id}/silence", {"seconds": 3600, "reason": "insults"})
    assert told.status_code == 200, told.json
    assert last_act(house)[:3] == (mia.id, "account.silence", bob.id)
    answer = bob.post(f"/matches/{free}/talk", {"room": "seats", "phrase": "hello"})
    assert (answer.status_code, answer.json["code"], answer.json["until"]) == (403, "muted", told.json["until"])
    assert heard(bob, free) == []       # he may go on reading, and playing
    house.do("UPDATE silences SET until = now() - interval '1 second' WHERE account_id = %s", bob.id)
    say(bob, free, "sorry")
    mia.post(f"/accounts/{bob.id}/silence", {"seconds": 3600, "reason": "again"})
    assert mia.delete(f"/accounts/{bob.id}/silence", {"reason": "has apologised"}).json == {"account": bob.id, "until": None}
    say(bob, free, "thank you")
    assert mia.delete(f"/accounts/{bob.id}/silence", {"reason": "once more"}).status_code == 404


@rule("PL-152", "PL-559")
def test_only_moderators_and_operators_moderate_and_nobody_in_their_own_match(house: House, ada: Player, bob: Player, free: str):
    text = say(bob, free, "blah")
    acts = [("GET", "/talk/reports", None), ("POST", f"/talk/{text}/decisions", {"kind": "hide", "reason": "an insult"}),
            ("POST", f"/accounts/{bob.id}/silence", {"seconds": 60, "reason": "insults"}), ("DELETE", f"/accounts/{bob.id}/silence", {"reason": "insults"})]
    for one in (ada, house.player(roles=("auditor",))):
        assert {one.ask(method, f"/api/v1{path}", body).json["code"] for method, path, body in acts} == {"not_allowed"}
    house.do("UPDATE accounts SET roles = '{moderator}' WHERE account_id = %s", ada.id)
    assert ada.post(f"/talk/{text}/decisions", {"kind": "hide", "reason": "an insult"}).json["code"] == "own_match"
    operator = house.player(roles=("operator",))
    assert operator.post(f"/talk/{text}/decisions", {"kind": "hide", "reason": "an insult"}).status_code == 200
    moderator = house.player(roles=("moderator",), scopes=[scope for scope in FOR_ALL if scope != "talk:write"])
    assert moderator.get("/talk/reports").json["code"] == "scope_missing"


@rule("PL-559", "PL-558")
def test_only_what_one_may_read_can_be_reported(house: House, ada: Player, bob: Player, free: str):
    text = say(house.player(), free, "she holds the three", "onlookers")
    assert ada.post(f"/talk/{text}/reports", {"reason": "rude"}).json["code"] == "not_allowed"
    assert ada.post("/talk/t-none/reports", {"reason": "rude"}).status_code == 404


@rule("PL-559")
def test_texts_are_kept_for_ninety_days(house: House, ada: Player, bob: Player, free: str):
    old, new = say(ada, free, "long ago"), say(ada, free, "just now")
    ada_said = "SELECT text_id FROM talk WHERE match_id = %s ORDER BY number"
    bob.post(f"/talk/{old}/reports", {"reason": "rude"})
    house.do("UPDATE talk SET at = now() - interval '90 days 1 minute' WHERE text_id = %s", old)
    house.do("UPDATE talk SET at = now() - interval '89 days 23 hours' WHERE text_id = %s", new)
    with house.gate.store.work() as work:
        work.do(SQL.old_rows_forgotten)
    assert [row["text_id"] for row in house.all(ada_said, free)] == [new]
    assert house.one("SELECT 1 FROM talk_reports WHERE text_id = %s", old) is None


@rule("PL-559", "PL-135")
def test_who_leaves_takes_along_what_they_said(house: House, ada: Player, bob: Player, free: str):
    say(ada, free, "Hello")
    bob.put(f"/me/mutes/{ada.id}")
    from services.gateway.accounts import _forget
    with house.gate.work() as work:
        _forget(work, ada.id)
    assert house.one("SELECT 1 FROM talk WHERE account_id = %s", ada.id) is None
    assert bob.get("/me/mutes").json["items"] == []


@rule("PL-559", "PL-666")
def test_nobody_talks_without_end(house: House, ada: Player, bob: Player, free: str, monkeypatch: pytest.MonkeyPatch):
    limits = Limits(house.settings)
    monkeypatch.setattr(house.gate, "limits", limits)
    monkeypatch.setattr(limits, "_factor", 1)
    monkeypatch.setitem(A_MINUTE, "talk", 2)
    say(ada, free, "one")
    say(ada, free, "two")
    assert refusal(ada, free, {"room": "seats", "text": "three"}) == (429, "rate_limited")
    assert ada.get("/games").status_code == 200


@rule("PL-815", "PL-559")
def test_the_stream_can_read_neither_what_was_said_nor_by_whom(house: House, ada: Player, free: str):
    say(ada, free, "Hello")
    with psycopg.connect(house.settings.database_of("stream"), autocommit=True) as connection:
        assert connection.execute("SELECT room FROM talk WHERE match_id = %s", (free,)).fetchall() == [("seats",)]
        for column in ("words", "phrase", "account_id", "text_id"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT {column} FROM talk")
        for table in ("talk_reports", "mutes", "silences"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT * FROM {table}")


# Names -------------------------------------------------------------------------------------------------------------------


@rule("PL-559", "PL-152", "PL-158")
def test_a_moderator_masks_the_name_of_an_account_which_goes_on_as_before(house: House, ada: Player, bob: Player, mia: Player, free: str):
    say(bob, free, "hello")
    assert ada.post(f"/accounts/{bob.id}/mask", {"reason": "an insult"}).json["code"] == "not_allowed"
    masked = mia.post(f"/accounts/{bob.id}/mask", {"reason": "the name is an insult"})
    name = masked.json["name"]
    assert last_act(house) == (mia.id, "account.mask", bob.id, "the name is an insult")
    assert name.startswith("player~")
    assert [one["account"]["name"] for one in ada.get(f"/matches/{free}/talk").json["items"]] == [name]
    assert {seat["account"]["name"] for seat in ada.get(f"/matches/{free}").json["seats"]} == {ada.name, name}
    for asked in (name, bob.name):      # old links still lead there, and nobody else can take the old name
        assert (ada.get(f"/accounts/{asked}").json["account"], ada.get(f"/accounts/{asked}").json["name"]) == (bob.id, name)
    say(bob, free, "I still play")
    assert mia.post(f"/accounts/{bob.id}/mask", {"reason": "once more"}).json["code"] == "wrong_state"
    assert mia.delete(f"/accounts/{bob.id}/mask", {"reason": "it is a surname"}).json == {"account": bob.id, "name": bob.name}
    assert ada.get(f"/accounts/{bob.name}").json["name"] == bob.name
    assert ada.get(f"/accounts/{name}").status_code == 404


@rule("PL-559")
def test_whose_name_is_masked_signs_in_by_the_old_one(house: House, mia: Player):
    who = {"name": f"Rude{mia.id}"[:20], "password": "correct horse battery"}
    account = house.nobody().post("/accounts", who).json["account"]
    mia.post(f"/accounts/{account}/mask", {"reason": "the name is an insult"})
    assert house.client().post("/api/v1/sessions", json=who).status_code in {200, 201}
    assert house.nobody().post("/accounts", who).json["code"] == "name_taken"


@rule("CH-450", "PL-559")
def test_a_moderator_masks_a_name_in_a_match_and_gives_no_other_order_there(house: House, ada: Player, bob: Player, mia: Player, free: str):
    def order(who: Player, kind: str, **more: Any) -> Any:
        return who.post(f"/matches/{free}/orders", {"kind": kind, "reason": "an insult", **more})
    masked = order(mia, "mask", command={"do": "mask_name", "contestant": 1})
    assert masked.status_code == 202, masked.json
    assert last_act(house)[1:3] == ("match.game", free)
    assert order(mia, "mask", command={"do": "move_on"}).json["code"] == "invalid"
    assert order(mia, "pause").json["code"] == "not_allowed"
    assert order(mia, "mask").json["code"] == "invalid"
    assert order(ada, "mask", command={"do": "mask_name", "contestant": 1}).json["code"] in {"not_allowed", "own_match"}
