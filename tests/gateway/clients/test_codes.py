"""What does a program get for a code, and how is everything else refused?"""

from __future__ import annotations

import html
import logging
from typing import Any
from urllib.parse import urlencode

import pytest
from werkzeug.test import TestResponse

from services.gateway.clients.consent import GIVEN, WORDS
from tests.gateway.clients.programs import (
    BACK,
    ISSUER,
    STATE,
    Program,
    back_with,
    maker,
    person,
    program,
    refused,
    registered,
)
from tests.gateway.conftest import API, House, Player
from tests.gateway.trust.test_second_factor import BASE, Person
from tests.ledger import rule

__all__ = ["maker", "person", "program"]     # fixtures


@rule("PL-179", "PL-171", "PL-172", "PL-175")
def test_a_code_becomes_tokens_that_open_what_was_said_yes_to(house: House, program: Program, person: Person):
    told = back_with(program.answered(person))
    assert (told["of"], told["state"], told["iss"]) == ("cupboard", STATE, ISSUER)
    answer = program.exchanges(told["code"])
    given = answer.json
    assert (answer.status_code, answer.headers["Cache-Control"], answer.headers["Pragma"]) == (200, "no-store", "no-cache")
    assert (given["token_type"], given["scope"]) == ("Bearer", "account:read match:read")
    assert 3590 <= given["expires_in"] <= 3600
    assert given["access_token"].startswith("lg_oat_")
    assert program.may(given["access_token"]).json["account"] == person.id
    missing = Player(house, "", "", given["access_token"]).post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}]})
    assert (missing.json["code"], missing.json["scope"]) == ("scope_missing", "match:create")
    assert program.may(given["access_token"], "/tokens").json["code"] == "not_allowed"
    stored = str(house.all("SELECT * FROM client_grants WHERE account_id = %s", person.id) + house.all("SELECT * FROM refresh_tokens")
                 + house.all("SELECT * FROM tokens WHERE account_id = %s", person.id))
    for secret in (told["code"], given["access_token"].split("_")[3], given["refresh_token"].split("_")[3], program.verifier):
        assert secret not in stored
    house.do("UPDATE tokens SET ends_at = now() WHERE account_id = %s", person.id)
    assert program.may(given["access_token"]).json["code"] == "bad_token"


@rule("PL-179")
def test_a_second_use_of_a_code_ends_what_the_first_one_gave(program: Program, person: Person):
    code = program.code(person)
    given = program.exchanges(code).json
    assert program.may(given["access_token"]).status_code == 200
    assert refused(program.exchanges(code)) == (400, "invalid_grant")
    assert program.may(given["access_token"]).json["code"] == "bad_token"
    assert refused(program.refreshes(given["refresh_token"])) == (400, "invalid_grant")


@rule("PL-179")
def test_a_code_lasts_a_minute(house: House, program: Program, person: Person):
    code = program.code(person)
    row = house.one("SELECT code_ends_at - granted_at AS life, ends_at - granted_at AS chain FROM client_grants WHERE account_id = %s", person.id)
    assert (round(row["life"].total_seconds()), row["chain"].days) == (60, 90)
    house.do("UPDATE client_grants SET code_ends_at = code_ends_at - interval '60 seconds' WHERE account_id = %s", person.id)
    assert refused(program.exchanges(code)) == (400, "invalid_grant")


@pytest.mark.parametrize("other", [
    {"code_verifier": "x" * 43}, {"code_verifier": "short"}, {"redirect_uri": "https://ladder.example/back"}, {"client_id": "of another"}])
@rule("PL-179")
def test_a_code_is_for_whoever_asked_and_is_used_up_by_a_wrong_try(house: House, maker: Person, program: Program, person: Person, other: dict[str, str]):
    if "client_id" in other:
        other = {"client_id": registered(maker).json["client"]}
    code = program.code(person)
    assert refused(program.exchanges(code, **other)) == (400, "invalid_grant")
    assert refused(program.exchanges(code)) == (400, "invalid_grant")


@pytest.mark.parametrize(("other", "error"), [
    ({"grant_type": None}, (400, "invalid_request")), ({"grant_type": "password"}, (400, "unsupported_grant_type")), ({"code": None}, (400, "invalid_request")),
    ({"code_verifier": None}, (400, "invalid_request")), ({"redirect_uri": ""}, (400, "invalid_request")), ({"client_id": None}, (400, "invalid_request")),
    ({"client_id": "p-nobody"}, (401, "invalid_client")), ({"client_secret": "x"}, (401, "invalid_client")), ({"code": "unknown"}, (400, "invalid_grant")),
    ({"code": ["one", "two"]}, (400, "invalid_request"))])
@rule("PL-179")
def test_requests_for_tokens_are_refused_in_the_words_of_oauth(program: Program, other: dict[str, Any], error: tuple[int, str]):
    wish = {"code": "a-code", **other}
    assert refused(program.exchanges(**wish)) == error


@rule("PL-179")
def test_a_request_for_tokens_is_a_form_without_credentials_in_its_head(house: House, program: Program):
    path, wish = f"{API}/oauth/token", {"grant_type": "refresh_token", "client_id": program.id, "refresh_token": "x"}
    assert refused(house.client().post(path, json=wish)) == (400, "invalid_request")
    assert refused(house.client().post(f"{path}?{urlencode(wish)}", content_type="application/x-www-form-urlencoded")) == (400, "invalid_request")
    basic = house.client().post(path, data=wish, headers={"Authorization": "Basic eDp5"})
    assert refused(basic) == (401, "invalid_client")
    assert basic.headers["WWW-Authenticate"].startswith("Basic")
    assert house.client().post(path, data={**wish, "code": "x" * 20_000}).json["code"] == "too_large"
    assert house.client().get(path).status_code == 405


@rule("PL-178", "PL-179")
def test_no_secret_reaches_an_address_or_a_log(house: House, program: Program, person: Person, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]):
    caplog.set_level(logging.DEBUG)
    given = program.let_in(person)
    for token in (given["access_token"], given["refresh_token"]):
        answer = house.nobody().get(f"/games?token={token}")
        assert (answer.json["code"], token in answer.text) == ("token_in_url", False)
        assert program.sends(person, state=token).status_code == 400
    program.refreshes(given["refresh_token"])
    program.refreshes(given["refresh_token"])
    noted = caplog.text + "".join(capfd.readouterr())
    assert not any(secret in noted for secret in (given["access_token"], given["refresh_token"], program.verifier))


@rule("PL-132")
def test_a_browsers_cookie_is_nothing_to_the_token_address(program: Program, person: Person):
    code = program.code(person)
    wish = {"grant_type": "authorization_code", "client_id": program.id, "code": code, "redirect_uri": BACK, "code_verifier": program.verifier}
    answer = person.client.post(f"{API}/oauth/token", data=wish, base_url=BASE, headers={"Origin": "https://ladder.example", "Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, "Set-Cookie" in answer.headers, "Access-Control-Allow-Credentials" in answer.headers) == (200, False, False)


@rule("PL-179", "PL-666")
def test_requests_for_tokens_are_limited_as_sign_ins_are(house: House, program: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(house.gate.limits, "_factor", 1)
    def tries() -> TestResponse:
        return house.client().post(f"{API}/oauth/token", data={"client_id": program.id}, environ_overrides={"REMOTE_ADDR": "198.51.100.179"})
    assert {refused(tries()) for _ in range(30)} == {(400, "invalid_request")}
    last = tries()
    assert (last.status_code, last.json["code"]) == (429, "rate_limited")
    assert int(last.headers["Retry-After"]) > 0


@rule("PL-179")
def test_a_program_reads_what_this_server_can_do(house: House):
    facts = house.client().get("/.well-known/oauth-authorization-server").json
    assert (facts["issuer"], facts["code_challenge_methods_supported"], facts["authorization_response_iss_parameter_supported"]) == (ISSUER, ["S256"], True)
    assert facts["scopes_supported"] == list(GIVEN)
    flow = house.client().get("/openapi.json").json["components"]["securitySchemes"]["program"]["flows"]["authorizationCode"]
    assert (flow["scopes"], flow["authorizationUrl"], flow["tokenUrl"]) == (dict(WORDS), facts["authorization_endpoint"], facts["token_endpoint"])
    page = house.client().get("/docs").text
    assert all(html.escape(line) in page for line in WORDS.values())
    routes = {str(one) for one in house.app.url_map.iter_rules()}
    assert {facts[f"{one}_endpoint"].removeprefix(ISSUER) for one in ("authorization", "token", "revocation")} <= routes


@rule("PL-815")
def test_the_gateway_changes_nothing_of_a_program_and_of_a_chain_only_that_it_was_used(house: House):
    def may(table: str, column: str) -> bool:
        return bool(house.one("SELECT has_column_privilege('cupboard_gateway', %s, %s, 'UPDATE') AS may", table, column)["may"])
    assert not any(may("clients", column) for column in ("redirects", "account_id"))
    assert not any(may("client_grants", column) for column in ("scopes", "redirect", "challenge", "ends_at"))
    assert not house.one("SELECT has_table_privilege('cupboard_stream', 'refresh_tokens', 'SELECT') AS may")["may"]
