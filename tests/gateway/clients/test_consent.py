"""What is a person asked at `/oauth/authorize`, and where does which answer go?"""

from __future__ import annotations

import html
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from services.gateway.clients.consent import GIVEN, WORDS
from tests.gateway.clients.programs import (
    BACK,
    CONSENT,
    ISSUER,
    STATE,
    Program,
    back_with,
    maker,
    person,
    program,
    registered,
)
from tests.gateway.conftest import House
from tests.gateway.trust.test_second_factor import BASE, OURS, Person
from tests.ledger import rule

__all__ = ["maker", "person", "program"]     # fixtures


@rule("PL-179", "PL-173")
def test_the_page_says_who_asks_for_what_in_words_and_where_the_answer_goes(program: Program, maker: Person, person: Person):
    page = program.sends(person, scope=" ".join(GIVEN))
    assert page.status_code == 200
    for scope in GIVEN:
        assert f"<li>{html.escape(WORDS[scope])}</li>" in page.text
    for told in (maker.name, person.name, "ladder.example", "settings"):
        assert told in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' https://ladder.example;" in policy
    assert (page.headers["X-Frame-Options"], page.headers["Cache-Control"]) == ("DENY", "no-store")


@rule("PL-173", "PL-174")
def test_what_hosts_and_bots_do_and_what_would_outlast_a_permission_is_never_given(program: Program, person: Person):
    assert set(WORDS) == set(GIVEN)
    for never in ("operator:read", "operator:write", "bot:play", "webhook:manage", "organisation:manage"):
        assert never not in GIVEN
        assert back_with(program.sends(person, scope=f"match:read {never}"))["error"] == "invalid_scope"


@pytest.mark.parametrize(("other", "error"), [
    ({"response_type": None}, "invalid_request"), ({"response_type": "token"}, "unsupported_response_type"), ({"scope": None}, "invalid_scope"),
    ({"scope": "everything"}, "invalid_scope"), ({"scope": "match:read\tmatch:play"}, "invalid_scope"), ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge": "too-short"}, "invalid_request"), ({"code_challenge_method": None}, "invalid_request"), ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"response_mode": "fragment"}, "invalid_request"), ({"scope": ["match:read", "match:read"]}, "invalid_request")])
@rule("PL-179")
def test_what_is_wrong_is_told_to_the_program_with_its_state(program: Program, person: Person, other: dict[str, Any], error: str):
    told = back_with(program.sends(person, **other))
    assert (told["error"], told["state"], told["iss"], "code" in told) == (error, STATE, ISSUER, False)
    assert told["error_description"]


@rule("PL-179")
def test_a_state_that_cannot_come_back_as_it_was_does_not_come_back(program: Program, person: Person):
    for state in ("é", "x" * 1001, ["one", "two"]):
        told = back_with(program.sends(person, state=state))
        assert (told["error"], "state" in told) == ("invalid_request", False)
    assert "state" not in back_with(program.sends(person, state=None, scope=None))


@pytest.mark.parametrize("other", [
    {"client_id": None}, {"client_id": "p-nobody"}, {"client_id": "\0"}, {"redirect_uri": None}, {"redirect_uri": "https://other.example/"}, {"redirect_uri": BACK + "&more=1"},
    {"redirect_uri": BACK.upper()}, {"redirect_uri": BACK + "/"}, {"redirect_uri": BACK.split("?")[0]}, {"redirect_uri": [BACK, BACK]}])
@rule("PL-179")
def test_nobody_is_sent_to_an_address_that_is_not_the_programs_letter_by_letter(program: Program, person: Person, other: dict[str, Any]):
    answer = program.sends(person, **other)
    assert (answer.status_code, "Location" in answer.headers) == (400, False)
    assert "leads nowhere" in answer.text


@rule("PL-179")
def test_the_port_of_the_own_machine_is_part_of_the_address(house: House, maker: Person, person: Person):
    program = Program(house, registered(maker, redirects=["http://127.0.0.1:4000/"]).json["client"], back="http://127.0.0.1:4000/")
    page = program.sends(person)
    assert "a program on this device" in page.text
    assert "form-action 'self' http://127.0.0.1:4000;" in page.headers["Content-Security-Policy"]
    assert program.sends(person, redirect_uri="http://127.0.0.1:4001/").status_code == 400


@rule("PL-179")
def test_who_has_not_signed_in_does_so_first_and_comes_back_to_the_same_question(house: House, program: Program, person: Person):
    guest = Person(house, "", "", house.app.test_client())
    for other in ({}, {"scope": "everything"}):     # no error goes on through this site before somebody has signed in
        where = urlsplit(program.sends(guest, **other).headers["Location"])
        assert where.path == "/sign-in"
        [to] = parse_qs(where.query)["next"]
        assert dict(parse_qsl(urlsplit(to).query)) == program.asked(**other)
    assert house.nobody().get(f"/oauth/authorize?{urlencode(program.asked())}").headers["Location"] == f"{CONSENT}?{urlencode(program.asked())}"


@rule("PL-179", "PL-131")
def test_only_the_form_of_this_page_says_yes(house: House, program: Program, person: Person):
    said = program.asked() | {"decision": "yes"}
    assert person.client.post(CONSENT, data=said, base_url=BASE, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert person.client.post(CONSENT, data=said, base_url=BASE, headers=OURS).status_code == 403
    assert program.answered(person, form_token="x").status_code == 403
    assert program.answered(person, redirect_uri="https://other.example/").status_code == 400
    assert back_with(program.answered(person, scope="operator:write"))["error"] == "invalid_scope"
    assert house.one("SELECT count(*) AS n FROM client_grants WHERE account_id = %s", person.id)["n"] == 0


@rule("PL-179")
def test_a_no_is_told_and_gives_nothing(house: House, program: Program, person: Person):
    told = back_with(program.answered(person, "no"))
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", STATE, ISSUER)
    assert house.one("SELECT count(*) AS n FROM client_grants WHERE account_id = %s", person.id)["n"] == 0
