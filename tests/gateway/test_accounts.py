"""Can people open accounts, sign in with a browser, and be rid of both again?"""

from __future__ import annotations

import hashlib
import re
import time
from typing import Any

import argon2
import psycopg
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.gateway import accounts
from services.gateway.app import create_app
from services.gateway.problems import Problem
from shared.runtime.watch import Watch
from tests.gateway.conftest import API, NUMBERS, House, Player
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

PASSWORD = "correct horse battery"
OURS = {"Sec-Fetch-Site": "same-origin"}


def name() -> str:
    return f"person-{next(NUMBERS)}"


def opened(house: House, **more: Any) -> str:
    chosen = name()
    answer = house.nobody().post("/accounts", {"name": chosen, "password": PASSWORD, **more})
    assert answer.status_code == 201, answer.json
    return chosen


def browser(house: House, person: str | None = None) -> FlaskClient:
    client = house.app.test_client()
    if person is not None:
        assert signed_in(client, person).status_code == 201
    return client


def signed_in(client: FlaskClient, person: str, password: str = PASSWORD, base: str = "http://localhost:8000", **environ: Any) -> TestResponse:
    return client.post(f"{API}/sessions", json={"name": person, "password": password}, base_url=base, environ_overrides=environ)


def write(client: FlaskClient, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
    sent = {"Idempotency-Key": f"k-{next(NUMBERS)}", **OURS, **{key.replace("_", "-"): value for key, value in headers.items()}}
    return client.open(API + path, method=method, json=body, headers=sent, base_url="http://localhost:8000")


@rule("PL-121")
def test_anybody_may_open_an_account_without_mail(house: House):
    answer = house.nobody().post("/accounts", {"name": name(), "password": PASSWORD})
    assert (answer.status_code, answer.json["kind"], answer.json["mail"]) == (201, "person", None)
    assert "password" not in answer.text


@pytest.mark.parametrize("chosen", ["ab", "x" * 25, "two words", "semi;colon", "<b>", ""])
@rule("PL-121")
def test_a_name_has_3_to_24_letters_digits_dashes(nobody: Player, chosen: str):
    answer = nobody.post("/accounts", {"name": chosen, "password": PASSWORD})
    assert (answer.status_code, answer.json["code"], answer.json["errors"][0]["pointer"]) == (422, "invalid", "/name")


@pytest.mark.parametrize("password", ["123456789", "aaaaaaaaaaaaaa"])
@rule("PL-121")
def test_a_password_has_10_characters(nobody: Player, password: str):
    answer = nobody.post("/accounts", {"name": name(), "password": password})
    assert (answer.status_code, answer.json["code"]) == (422, "weak_password")


@pytest.mark.parametrize(("taken", "like"), [("Bella-Ciao", "be11a-c1a0"), ("Rosa_Rossa", "RОSА-RОSSА"), ("Strasse", "STRAßE"), ("Lola-Lilli", "ｌｏｌａ-lilli")])
@rule("PL-122")
def test_names_that_look_alike_are_the_same_name(house: House, nobody: Player, taken: str, like: str):
    nobody.post("/accounts", {"name": taken, "password": PASSWORD})
    answer = nobody.post("/accounts", {"name": like, "password": PASSWORD})
    assert (answer.status_code, answer.json["code"]) == (409, "name_taken")


@pytest.mark.parametrize("reserved", ["Admin", "cupboard", "0perator", "Former-Player"])
@rule("PL-122")
def test_reserved_names_are_taken(nobody: Player, reserved: str):
    assert nobody.post("/accounts", {"name": reserved, "password": PASSWORD}).json["code"] == "name_taken"


@rule("PL-123")
def test_passwords_are_argon2id_and_hashed_anew_when_the_parameters_changed(house: House, monkeypatch: pytest.MonkeyPatch):
    person = opened(house)
    stored = "SELECT password_hash FROM accounts WHERE name = %s"
    before = house.one(stored, person)["password_hash"]
    assert before.startswith("$argon2id$")
    monkeypatch.setattr(accounts, "HASHER", argon2.PasswordHasher(time_cost=2, memory_cost=64, parallelism=1))
    assert signed_in(browser(house), person).status_code == 201
    assert "t=2" in house.one(stored, person)["password_hash"]
    assert "t=1" in before
    assert argon2.PasswordHasher().time_cost >= 3      # what the service itself uses


@rule("PL-123")
def test_at_most_two_hashes_are_computed_at_a_time(house: House):
    assert accounts.HASHES.acquire(blocking=False)
    assert accounts.HASHES.acquire(blocking=False)
    assert not accounts.HASHES.acquire(blocking=False)
    accounts.HASHES.release(2)


@rule("PL-124")
def test_unknown_name_and_wrong_password_look_the_same(house: House, monkeypatch: pytest.MonkeyPatch):
    verified = []
    monkeypatch.setattr(accounts, "fits", lambda password, hash_: verified.append(hash_) or False)
    person = opened(house)
    wrong, unknown = signed_in(browser(house), person, "not this one"), signed_in(browser(house), name())
    for answer in (wrong, unknown):
        assert (answer.status_code, answer.json["code"]) == (401, "bad_credentials")
        answer.json.pop("request_id")
    assert {key: wrong.json[key] for key in ("title", "detail")} == {key: unknown.json[key] for key in ("title", "detail")}
    assert len(verified) == 2
    assert verified[1] == accounts.NOBODY


@rule("PL-125")
def test_five_failures_close_one_address_and_no_other(house: House):
    person = opened(house)
    client = browser(house)
    for _ in range(5):
        assert signed_in(client, person, "wrong wrong wrong", REMOTE_ADDR="10.1.1.1").status_code == 401
    closed = signed_in(client, person, REMOTE_ADDR="10.1.1.1")
    assert (closed.status_code, closed.json["code"]) == (429, "rate_limited")
    assert 0 < int(closed.headers["Retry-After"]) <= 900
    assert signed_in(client, person, REMOTE_ADDR="10.1.1.2").status_code == 201


@rule("PL-127", "PL-128")
def test_on_loopback_the_cookie_comes_without_secure(house: House):
    answer = signed_in(browser(house), opened(house))
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("cupboard=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    secret = re.match(r"cupboard=([^;]+)", cookie)[1]
    assert len(secret) >= 43
    row = house.one("SELECT * FROM sessions WHERE session_hash = %s", hashlib.sha256(secret.encode()).digest())
    assert row
    assert secret not in str(row)


@rule("PL-127", "PL-814")
def test_over_https_the_cookie_is_bound_to_the_host(house: House):
    import dataclasses
    app = create_app(dataclasses.replace(house.settings, public_url="https://play.example"), attended=False)
    person = opened(house)
    answer = app.test_client().post(f"{API}/sessions", json={"name": person, "password": PASSWORD}, base_url="https://play.example")
    assert answer.headers["Set-Cookie"].startswith("__Host-cupboard=")
    assert "Secure" in answer.headers["Set-Cookie"]
    page = app.test_client().get("/docs", base_url="https://play.example")
    assert "max-age" in page.headers["Strict-Transport-Security"]
    app.extensions["gate"].close()


@rule("PL-128")
def test_plain_http_elsewhere_signs_nobody_in(house: House):
    answer = signed_in(browser(house), opened(house), base="http://play.example")
    assert (answer.status_code, answer.json["code"]) == (403, "not_allowed")
    assert "Set-Cookie" not in answer.headers


@rule("PL-129")
def test_sessions_are_listed_and_ended_singly(house: House):
    person = opened(house)
    one, other = browser(house, person), browser(house, person)
    rows = one.get(f"{API}/sessions", base_url="http://localhost:8000").json["items"]
    assert len(rows) == 2
    assert [row["this"] for row in rows].count(True) == 1
    theirs = next(row["session"] for row in rows if not row["this"])
    assert write(one, "DELETE", f"/sessions/{theirs}").status_code == 204
    assert other.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401
    assert write(one, "DELETE", "/sessions/this").status_code == 204
    assert one.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401


@rule("PL-129")
def test_a_session_ends_after_30_days_without_use(house: House):
    person = opened(house)
    client = browser(house, person)
    house.do("UPDATE sessions SET used_at = now() - interval '29 days' WHERE account_id = (SELECT account_id FROM accounts WHERE name = %s)", person)
    assert client.get(f"{API}/me", base_url="http://localhost:8000").status_code == 200
    house.do("UPDATE sessions SET used_at = now() - interval '31 days' WHERE account_id = (SELECT account_id FROM accounts WHERE name = %s)", person)
    assert client.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401


@rule("PL-129", "PL-213")
def test_a_changed_password_ends_all_other_sessions(house: House):
    person = opened(house)
    one, other = browser(house, person), browser(house, person)
    etag = one.get(f"{API}/me", base_url="http://localhost:8000").headers["ETag"]
    wrong = write(one, "PATCH", "/me", {"password": "another horse", "old_password": "no"}, If_Match=etag)
    assert wrong.json["code"] == "bad_credentials"
    assert write(one, "PATCH", "/me", {"password": "another horse", "old_password": PASSWORD}, If_Match=etag).status_code == 200
    assert one.get(f"{API}/me", base_url="http://localhost:8000").status_code == 200
    assert other.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401
    assert signed_in(browser(house), person, "another horse").status_code == 201


@pytest.mark.parametrize(("headers", "status"), [
    ({"Sec-Fetch-Site": "same-origin"}, 204), ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "none"}, 403), ({"Origin": "http://localhost:8000"}, 204), ({"Origin": "http://127.0.0.1:8000"}, 204),
    ({"Origin": "http://evil.example"}, 403), ({}, 403), ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:8000"}, 403),
])
@rule("PL-131")
def test_a_cookie_writes_from_our_own_pages_only(house: House, headers: dict[str, str], status: int):
    client = browser(house, opened(house))
    other = house.player()
    answer = client.put(f"{API}/me/blocks/{other.id}", headers={"Idempotency-Key": "k", **headers}, base_url="http://localhost:8000")
    assert answer.status_code == status
    if status == 403:
        assert answer.json["code"] == "csrf"


@rule("PL-131")
def test_forms_carry_the_token_of_their_session(house: House):
    from services.gateway.edge.signing_in import check_form
    from services.gateway.rights import caller_by_session
    person = opened(house)
    cookie = signed_in(browser(house), person).headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    caller = caller_by_session(house.gate.store, cookie, "")
    check_form(caller, caller.form_token)
    for wrong in ("", "x" * len(caller.form_token)):
        with pytest.raises(Problem, match="csrf"):
            check_form(caller, wrong)


@rule("PL-132")
def test_with_an_authorization_header_the_cookie_is_not_looked_at(house: House):
    client = browser(house, opened(house))
    for header in ("Bearer lg_pat_wrong", "Basic YTpi"):
        answer = client.get(f"{API}/me", headers={"Authorization": header}, base_url="http://localhost:8000")
        assert (answer.status_code, answer.json["code"]) == (401, "bad_token")
    foreign = client.get(f"{API}/me", headers={"Origin": "http://evil.example"}, base_url="http://localhost:8000")
    assert "Access-Control-Allow-Credentials" not in foreign.headers
    assert "Access-Control-Allow-Origin" not in foreign.headers


@rule("PL-133")
def test_a_service_account_never_holds_a_seat(house: House, ada: Player):
    service = house.player("service")
    match = house.match(ada, start=False, seats=[{"kind": "me"}, {"kind": "open"}])
    assert service.post(f"/matches/{match}/seats", {}).json["code"] == "not_allowed"
    assert ada.put(f"/matches/{match}/seats/1", {"account": service.id}).json["code"] == "invalid"
    made = service.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert made.json["code"] == "invalid"


@rule("PL-135", "PL-541")
def test_deleting_an_account_leaves_nothing_personal_and_its_seats_as_leavers(house: House, ada: Player):
    person = opened(house, mail="person@example.org")
    client = browser(house, person)
    account = client.get(f"{API}/me", base_url="http://localhost:8000").json["account"]
    token = house.token(account, ["match:read", "match:play", "match:create"])
    player = Player(house, account, person, token)
    match, lobby = house.match(ada, player), house.match(ada, player, start=False)
    export = client.get(f"{API}/me/export", base_url="http://localhost:8000")
    assert export.json["account"]["mail"] == "person@example.org"
    assert len(export.json["seats"]) == 2
    assert "secret_hash" not in export.text
    assert "password_hash" not in export.text
    assert write(client, "DELETE", "/me", {"password": "not this one"}).json["code"] == "bad_credentials"
    assert write(client, "DELETE", "/me", {"password": PASSWORD}).status_code == 204
    assert client.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401
    assert player.get("/me").json["code"] == "bad_token"
    house.work()
    assert house.one("SELECT how FROM seats WHERE match_id = %s AND seat = 1", match)["how"] == "left"
    shown = ada.get(f"/matches/{match}").json
    assert shown["seats"][1]["account"]["name"] == "former player"
    assert ada.get(f"/matches/{lobby}").json["seats"][1]["kind"] == "open"
    assert house.one("SELECT mail, password_hash FROM accounts WHERE account_id = %s", account) == {"mail": None, "password_hash": None}
    assert signed_in(browser(house), person).status_code == 401


@rule("PL-135", "PL-541", "PL-239")
def test_a_seat_that_cannot_be_left_at_once_is_left_later(house: House, ada: Player):
    """One match is stuck, another is about to start, when the account is deleted."""
    person = opened(house)
    client = browser(house, person)
    account = client.get(f"{API}/me", base_url="http://localhost:8000").json["account"]
    player = Player(house, account, person, house.token(account, ["match:play"]))
    stuck, starting = house.match(ada, player), house.match(ada, player, start=False)
    house.do("UPDATE matches SET state = 'stuck' WHERE match_id = %s", stuck)
    for one in (ada, player):
        assert one.post(f"/matches/{starting}/ready", {"ready": True}).status_code == 202
    assert write(client, "DELETE", "/me", {"password": PASSWORD}).status_code == 204
    watch = Watch(GAME, house.settings)
    watch.leave_suspended()
    house.work()
    assert house.one("SELECT kind, account_id FROM seats WHERE match_id = %s AND seat = 1", starting) == {"kind": "held", "account_id": account}
    house.do("UPDATE matches SET state = 'running' WHERE match_id = %s", stuck)
    watch.leave_suspended()
    house.work()
    watch.database.close()
    assert [house.one("SELECT how FROM seats WHERE match_id = %s AND seat = 1", one)["how"] for one in (stuck, starting)] == ["left", "left"]


@rule("PL-137")
def test_a_suspended_account_neither_signs_in_nor_uses_tokens(house: House):
    person = opened(house)
    client = browser(house, person)
    account = client.get(f"{API}/me", base_url="http://localhost:8000").json["account"]
    player = Player(house, account, person, house.token(account, ["match:read", "match:play"]))
    bot = house.player("bot", owner=account)
    assert player.get("/me/asks").status_code == 200
    house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", account)
    for answer in (player.get("/me/asks"), player.command("m-x", 1, {"do": "rest"}), bot.get("/me/asks"), signed_in(browser(house), person)):
        assert (answer.status_code, answer.json["code"]) == (403, "suspended")
    assert client.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401


@rule("PL-138")
def test_blocked_accounts_do_not_meet(house: House, ada: Player, bob: Player):
    match = house.match(ada, start=False, seats=[{"kind": "me"}, {"kind": "open"}])
    assert ada.put(f"/me/blocks/{bob.id}").status_code == 204
    assert bob.post(f"/matches/{match}/seats", {}).json["code"] == "blocked"
    theirs = house.match(bob, start=False, seats=[{"kind": "me"}, {"kind": "open"}])
    assert bob.post(f"/matches/{theirs}/invitations", {"account": ada.id}).json["code"] == "blocked"
    assert ada.delete(f"/me/blocks/{bob.id}").status_code == 204
    assert bob.post(f"/matches/{match}/seats", {}).status_code == 201


@rule("PL-139")
def test_a_guest_reads_what_is_public_and_sits_nowhere(house: House, nobody: Player, ada: Player, bob: Player, match: str):
    assert nobody.get(f"/matches/{match}/view").status_code == 200
    assert nobody.post(f"/matches/{match}/seats", {}).json["code"] == "not_signed_in"
    assert nobody.get("/me").status_code == 401


@rule("PL-140")
def test_a_reset_link_works_once_and_ends_all_sessions(house: House, nobody: Player):
    person = opened(house)
    client = browser(house, person)
    known, unknown = nobody.post("/password-resets", {"name": person}), nobody.post("/password-resets", {"name": name()})
    assert (known.status_code, known.json) == (202, unknown.json)
    with house.gate.work() as work:
        account = house.one("SELECT account_id FROM accounts WHERE name = %s", person)["account_id"]
        code = accounts.new_reset(work, account)
    assert nobody.post(f"/password-resets/{code}", {"password": "short"}).json["code"] == "weak_password"
    assert nobody.post(f"/password-resets/{code}", {"password": "a new long one"}).status_code == 204
    again = nobody.post(f"/password-resets/{code}", {"password": "another long one"})
    assert (again.status_code, again.json["code"]) == (410, "link_used")
    assert client.get(f"{API}/me", base_url="http://localhost:8000").status_code == 401
    assert signed_in(browser(house), person, "a new long one").status_code == 201


@rule("PL-140")
def test_a_reset_link_lasts_30_minutes(house: House, nobody: Player):
    person = opened(house)
    with house.gate.work() as work:
        code = accounts.new_reset(work, house.one("SELECT account_id FROM accounts WHERE name = %s", person)["account_id"])
    row = house.one("SELECT ends_at - now() AS left FROM password_resets WHERE code_hash = %s", hashlib.sha256(code.encode()).digest())
    assert 1790 < row["left"].total_seconds() <= 1800
    house.do("UPDATE password_resets SET ends_at = now() WHERE code_hash = %s", hashlib.sha256(code.encode()).digest())
    assert nobody.post(f"/password-resets/{code}", {"password": "a new long one"}).json["code"] == "link_used"


@rule("PL-124")
def test_signing_in_takes_as_long_for_nobody(house: House, monkeypatch: pytest.MonkeyPatch):
    """With the parameters of the service, which cost the same for a known and for an unknown name."""
    strong = argon2.PasswordHasher(time_cost=2, memory_cost=16_384, parallelism=1)
    monkeypatch.setattr(accounts, "HASHER", strong)
    monkeypatch.setattr(accounts, "NOBODY", strong.hash("x"))
    person = opened(house)

    def took(who: str) -> float:
        before = time.perf_counter()
        signed_in(browser(house), who, "wrong wrong wrong", REMOTE_ADDR=f"10.9.{next(NUMBERS) % 250}.1")
        return time.perf_counter() - before
    known, unknown = min(took(person) for _ in range(4)), min(took(name()) for _ in range(4))
    assert 0.4 < known / unknown < 2.5


def test_the_database_role_of_the_gateway_is_what_signs_in(house: House):
    with psycopg.connect(house.settings.database_of("gateway")) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("cupboard_gateway",)
