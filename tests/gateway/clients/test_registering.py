"""Who may register a program, with which name and addresses, and what ends with it?"""

from __future__ import annotations

import pytest

from tests.gateway.clients.programs import (
    BACK,
    Program,
    maker,
    person,
    program,
    registered,
)
from tests.gateway.conftest import House
from tests.gateway.trust.test_opened_views import Desk
from tests.gateway.trust.test_second_factor import Person
from tests.ledger import rule

__all__ = ["maker", "person", "program"]     # fixtures


@rule("PL-179")
def test_a_program_is_registered_listed_and_removed_by_a_person(house: House, maker: Person, person: Person):
    made = registered(maker, redirects=[BACK, BACK, "http://127.0.0.1:4000/", "http://[::1]:4000/back"])
    assert (made.status_code, made.json["redirects"], "secret" in made.text) == (201, [BACK, "http://127.0.0.1:4000/", "http://[::1]:4000/back"], False)
    assert [one["client"] for one in maker.read("/clients")["items"]] == [made.json["client"]]
    assert person.read("/clients")["items"] == []
    path = f"/clients/{made.json['client']}"
    assert person.write("DELETE", path).json["code"] == "not_found"
    assert house.player().post("/clients", {"name": "By token", "homepage": BACK, "redirects": [BACK]}).json["code"] == "not_allowed"
    assert maker.write("DELETE", path).status_code == 204
    assert maker.read("/clients")["items"] == []


@pytest.mark.parametrize("wrong", [
    "http://ladder.example/back", "https://", "https://user@ladder.example/", "https://ladder.example/#here", "javascript:alert(1)", "ladder://back",
    "http://127.0.0.1.ladder.example/", "http://localhost:4000/", "https://ladder.example/ back", "https://ladder.example\\@other.example/", "//ladder.example/",
    "https://ladder.example/\nback", "https://*.example/"])
@rule("PL-179")
def test_addresses_lead_to_the_web_or_to_the_own_machine(maker: Person, wrong: str):
    answer = registered(maker, redirects=[BACK, wrong])
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/redirects/1")
    if not wrong.endswith("#here"):
        assert registered(maker, homepage=wrong).json["errors"][0]["pointer"] == "/homepage"


@rule("PL-179", "PL-122")
def test_a_name_is_readable_and_like_no_other(maker: Person, person: Person):
    assert registered(maker, name="Ladder Watch").status_code == 201
    for taken in ("ladder  watch", "Ladder W\u0430tch", "Cupboard", "Cupboard mobile", "Operator"):
        assert registered(person, name=taken).json["code"] == "name_taken", taken
    for odd in ("ab", "Lad\u202eder", "x" * 61):
        assert registered(person, name=odd).json["errors"][0]["pointer"] == "/name"


@rule("PL-671")
def test_an_account_registers_twenty(house: House, maker: Person):
    house.do("INSERT INTO clients (client_id, account_id, name, name_key, homepage, redirects) SELECT %s || n, %s, 'x', %s || n, '', '{}' FROM generate_series(1, 20) n",
             f"p-{maker.name}", maker.id, f"x {maker.name}")
    assert registered(maker).json["code"] == "quota"


@rule("PL-179", "PL-151")
def test_owners_of_an_organisation_see_to_its_programs(house: House, maker: Person, person: Person):
    organisation = Desk(house).organisation
    assert registered(maker, organisation=organisation).json["code"] == "not_allowed"
    assert registered(maker, organisation="o-none").json["code"] == "not_found"
    for one in (maker, person):
        house.do("INSERT INTO organisation_roles VALUES (%s, %s, 'owner', %s)", organisation, one.id, one.id)
    client = registered(maker, organisation=organisation).json["client"]
    name = house.one("SELECT name FROM organisations WHERE organisation_id = %s", organisation)["name"]
    assert f"the organisation <strong>{name}</strong>" in Program(house, client).sends(person).text
    assert person.write("DELETE", f"/clients/{client}").status_code == 204
    acts = [row["entry"] for row in house.all("SELECT entry::json FROM organisation_audit WHERE organisation_id = %s ORDER BY number", organisation)]
    assert [act.get("facts", act)["act"] for act in acts][-2:] == ["register_client", "remove_client"]
