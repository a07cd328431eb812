"""Do tokens, bots and tickets open what they should, and nothing else?"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from services.gateway.problems import Problem
from services.gateway.tokens import read_token, write_token
from tests.gateway.conftest import API, House, Player
from tests.gateway.test_accounts import browser, opened, write
from tests.ledger import rule

BASE = {"base_url": "http://localhost:8000"}


@pytest.fixture
def client(house: House) -> FlaskClient:
    return browser(house, opened(house))


def made(client: FlaskClient, **wish: object) -> dict[str, str]:
    answer = write(client, "POST", "/tokens", {"label": "mine", "scopes": ["match:read", "match:play", "match:create"], **wish})
    assert answer.status_code == 201, answer.json
    return answer.json


@rule("PL-171")
def test_a_token_reads_kind_id_secret_check():
    written, token = write_token("pat")
    head, kind, public, secret, check = written.split("_")
    assert (head, kind, public, len(secret), len(check)) == ("lg", "pat", token.id, 43, 6)
    assert read_token(written) == token
    assert token.secret_hash == hashlib.sha256(secret.encode()).digest()


@rule("PL-171")
def test_every_typing_error_is_found_without_the_database():
    written, _ = write_token("bot")
    for place in range(len("lg_bot_"), len(written)):
        wrong = written[:place] + ("a" if written[place] != "a" else "b") + written[place + 1:]
        with pytest.raises(Problem, match="bad_token"):
            read_token(wrong)


@rule("PL-172", "PL-812")
def test_only_the_hash_of_the_secret_is_stored_and_the_token_is_shown_once(house: House, client: FlaskClient):
    token = made(client)
    row = house.one("SELECT * FROM tokens WHERE token_id = %s", token["token"])
    secret = token["secret"].split("_")[3]
    assert row["secret_hash"] == hashlib.sha256(secret.encode()).digest()
    assert secret not in str(row)
    assert all("secret" not in one for one in client.get(f"{API}/tokens", **BASE).json["items"])
    assert house.one("SELECT count(*) AS n FROM idempotency WHERE body LIKE %s", f"%{secret}%")["n"] == 0


@rule("PL-182", "EX-36")
def test_a_lost_answer_with_a_secret_is_not_repeated(house: House, client: FlaskClient):
    body = {"label": "mine", "scopes": ["match:read"]}
    first = write(client, "POST", "/tokens", body, Idempotency_Key="t1")
    again = write(client, "POST", "/tokens", body, Idempotency_Key="t1")
    assert (again.status_code, again.json["code"], again.json["id"]) == (409, "secret_shown_once", first.json["token"])
    assert len(client.get(f"{API}/tokens", **BASE).json["items"]) == 1


@rule("PL-173", "PL-174")
def test_a_token_without_the_scope_is_refused_by_its_name(house: House, client: FlaskClient):
    player = Player(house, "", "", made(client, scopes=["match:read"])["secret"])
    answer = player.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert (answer.status_code, answer.json["code"], answer.json["scope"]) == (403, "scope_missing", "match:create")
    command = player.command("m-any", 1, {"do": "rest"})
    assert (command.json["code"], command.json["scope"]) == ("scope_missing", "match:play or bot:play")
    assert player.get("/me").json["code"] == "scope_missing"


@rule("PL-174")
def test_a_scope_gives_no_more_than_the_account_has(house: House, client: FlaskClient):
    for wide in ("operator:write", "operator:read", "bot:play"):
        assert write(client, "POST", "/tokens", {"label": "x", "scopes": [wide]}).json["code"] == "scope_too_wide"
    unknown = write(client, "POST", "/tokens", {"label": "x", "scopes": ["everything"]})
    assert unknown.json["errors"][0]["pointer"] == "/scopes/0"
    forged = house.player(scopes=["operator:write", "league:referee"])
    match = house.match(house.player(), house.player())
    assert forged.post(f"/matches/{match}/orders", {"kind": "void", "reason": "because of me"}).json["code"] == "not_allowed"


@rule("PL-175")
def test_a_token_ends_within_a_year(client: FlaskClient):
    now = datetime.now(UTC)
    for wrong in (now - timedelta(minutes=1), now + timedelta(days=366)):
        assert write(client, "POST", "/tokens", {"label": "x", "scopes": ["match:read"], "ends_at": wrong.isoformat()}).json["errors"][0]["pointer"] == "/ends_at"
    usual = made(client)
    assert datetime.fromisoformat(usual["ends_at"]) < now + timedelta(days=91)


@rule("PL-175")
def test_an_ended_token_is_no_token(house: House, ada: Player, match: str):
    house.do("UPDATE tokens SET ends_at = now() WHERE account_id = %s", ada.id)
    for answer in (ada.get("/me/asks"), ada.command(match, 1, {"do": "rest"})):
        assert (answer.status_code, answer.json["code"]) == (401, "bad_token")


@rule("PL-175")
def test_a_bound_token_reaches_its_match_only(house: House, ada: Player, bob: Player, match: str):
    other = house.match(ada, bob)
    bound = Player(house, ada.id, ada.name, house.token(ada.id, ["match:read", "match:play", "match:create"], bound={"match": match}))
    assert bound.get(f"/matches/{match}/view?seat=0").status_code == 200
    assert bound.get(f"/matches/{other}/view?seat=0").json["code"] == "not_allowed"
    ask = house.open_ask(other)
    assert bound.command(other, ask["ask"], {"do": "rest"}).json["code"] == "not_allowed"
    assert {row["match"] for row in bound.get("/me/asks").json["items"]} <= {match}
    here = house.open_ask(match)
    assert bound.command(match, here["ask"], {"do": "rest"}).status_code == (202 if here["seat"] == 0 else 409)


@rule("PL-175", "PL-134")
def test_a_bot_plays_its_seat_and_manages_nothing(house: House, ada: Player):
    bot = house.player("bot", owner=ada.id)
    match = house.match(ada, start=False, opponents="mixed", seats=[{"kind": "me"}, {"kind": "held", "account": bot.id}])
    seat = ada.get(f"/matches/{match}").json["seats"][1]["account"]
    assert (seat["kind"], seat["name"]) == ("bot", bot.name)
    ada.post(f"/matches/{match}/ready", {"ready": True})
    house.work()
    assert house.one("SELECT state FROM matches WHERE match_id = %s", match)["state"] == "running"
    for answer in (bot.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}]}), bot.post("/bots", {"name": "second-bot"})):
        assert answer.status_code == 403
    rows = bot.get("/me/asks").json["items"]
    assert all(row["seat"] == 1 for row in rows)
    assert house.nobody().get(f"/accounts/{bot.name}").json | {"created_at": ""} == {
        "account": bot.id, "name": bot.name, "kind": "bot", "owner": ada.name, "created_at": ""}


@rule("PL-134", "PL-213")
def test_a_person_keeps_bots(house: House, client: FlaskClient, ada: Player):
    bot = write(client, "POST", "/bots", {"name": opened_name(house), "games": ["pebbles"]})
    assert bot.status_code == 201
    assert bot.headers["ETag"] == '"1"'
    path = f"/bots/{bot.json['bot']}"
    assert write(client, "PATCH", path, {"description": "x"}).json["code"] == "precondition_missing"
    changed = write(client, "PATCH", path, {"description": "Throws high."}, If_Match='"1"')
    assert (changed.status_code, changed.json["description"], changed.json["games"]) == (200, "Throws high.", ["pebbles"])
    stale = write(client, "PATCH", path, {"description": "x"}, If_Match='"1"')
    assert (stale.status_code, stale.json["code"]) == (412, "changed_meanwhile")
    assert ada.patch(path, {"description": "mine"}, headers={"If-Match": '"2"'}).json["code"] == "not_found"
    token = write(client, "POST", f"{path}/tokens", {"label": "nightly"}).json
    assert token["secret"].startswith("lg_bot_")
    assert token["scopes"] == ["bot:play", "match:read"]
    assert Player(house, "", "", token["secret"]).get("/me/asks").status_code == 200
    assert ada.post(f"{path}/tokens", {"label": "x"}).json["code"] in {"not_allowed", "not_found"}
    assert write(client, "DELETE", f"/tokens/{token['token']}").status_code == 204
    assert Player(house, "", "", token["secret"]).get("/me/asks").json["code"] == "bad_token"


def opened_name(house: House) -> str:
    from tests.gateway.conftest import NUMBERS
    return f"bot-{next(NUMBERS)}"


@rule("PL-177", "PL-159")
def test_a_revoked_token_fails_at_the_next_request(house: House, client: FlaskClient):
    token = made(client)
    player = Player(house, "", "", token["secret"])
    assert player.get("/me/asks").status_code == 200
    assert player.command("m-nowhere", 1, {"do": "rest"}).status_code == 404
    assert write(client, "DELETE", f"/tokens/{token['token']}").status_code == 204
    assert player.get("/me/asks").json["code"] == "bad_token"
    assert player.command("m-nowhere", 1, {"do": "rest"}).json["code"] == "bad_token"
    assert write(client, "DELETE", f"/tokens/{token['token']}").json["code"] == "not_found"


@rule("PL-159")
def test_a_role_taken_away_is_gone_at_once(house: House):
    operator = house.player(roles=("operator",))
    match = house.match(house.player(), house.player())
    assert operator.post(f"/matches/{match}/orders", {"kind": "pause", "reason": "for a test"}).status_code == 202
    house.do("UPDATE accounts SET roles = '{}' WHERE account_id = %s", operator.id)
    assert operator.post(f"/matches/{match}/orders", {"kind": "resume", "reason": "for a test"}).json["code"] == "not_allowed"


@pytest.mark.parametrize("path", ["/api/v1/games?token={}", "/api/v1/matches/{}", "/api/v1/matches?cursor={}", "/docs?{}=1", "/api/v1/matches/m/commands?t={}"])
@rule("PL-178")
def test_a_token_in_an_address_is_refused_whatever_it_may(house: House, ada: Player, path: str):
    written = path.format(ada.token)
    method = "POST" if "commands" in path else "GET"
    answer = house.nobody().ask(method, written, {"ask": 1, "command": {"do": "x"}} if method == "POST" else None)
    assert (answer.status_code, answer.json["code"]) == (400, "token_in_url")
    assert ada.token not in answer.text


@rule("PL-181")
def test_a_ticket_is_for_one_stream_and_a_minute(house: House, ada: Player, match: str):
    path = f"/api/v1/matches/{match}/stream"
    ticket = ada.post("/stream-tickets", {"stream": path})
    assert ticket.status_code == 201
    row = house.one("SELECT *, ends_at - now() AS left FROM stream_tickets WHERE ticket_hash = %s", hashlib.sha256(ticket.json["ticket"].encode()).digest())
    assert (row["account_id"], row["path"], row["used_at"]) == (ada.id, path, None)
    assert 50 < row["left"].total_seconds() <= 60
    assert ada.post("/stream-tickets", {"stream": "/api/v1/accounts"}).json["code"] == "invalid"
    assert house.nobody().post("/stream-tickets", {"stream": path}).json["code"] == "not_signed_in"


@rule("PL-181", "PL-132")
def test_a_stream_asked_of_the_gateway_is_sent_on_with_a_ticket(house: House, ada: Player, match: str):
    sent = ada.get(f"/matches/{match}/stream?seat=0&after=3")
    assert sent.status_code == 307
    where = sent.headers["Location"]
    assert where.startswith(f"http://127.0.0.1:8001/api/v1/matches/{match}/stream?seat=0&after=3&ticket=")
    guest = house.nobody().get(f"/matches/{match}/stream")
    assert guest.status_code == 307
    assert "ticket" not in guest.headers["Location"]
    assert house.nobody().get(f"/matches/{match}/stream?seat=0").json["code"] == "not_your_seat"
    assert ada.get("/me/stream").status_code == 307
    assert house.nobody().get("/me/stream").status_code == 401
