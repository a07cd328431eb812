"""How long does what a person has said yes to last, and what ends it?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from services.gateway.store import SQL
from tests.gateway.clients.programs import (
    Program,
    maker,
    person,
    program,
    refused,
    registered,
)
from tests.gateway.conftest import API, House, Player
from tests.gateway.trust.test_second_factor import BASE, Person, somebody
from tests.ledger import rule

__all__ = ["maker", "person", "program"]     # fixtures


@rule("PL-179")
def test_a_refresh_token_changes_at_each_use_and_an_old_one_ends_the_chain(program: Program, person: Person):
    first = program.let_in(person)
    second = program.refreshes(first["refresh_token"]).json
    third = program.refreshes(second["refresh_token"]).json
    assert len({one[kind] for one in (first, second, third) for kind in ("access_token", "refresh_token")}) == 6
    assert {program.may(one["access_token"]).status_code for one in (first, second, third)} == {200}
    assert refused(program.refreshes(first["refresh_token"])) == (400, "invalid_grant")
    assert refused(program.refreshes(third["refresh_token"])) == (400, "invalid_grant")
    assert {program.may(one["access_token"]).json["code"] for one in (first, second, third)} == {"bad_token"}


@rule("PL-179")
def test_of_two_who_come_at_the_same_time_one_is_second(program: Program, person: Person):
    given, code = program.let_in(person), program.code(person)
    for tries in (lambda: program.refreshes(given["refresh_token"]), lambda: program.exchanges(code)):
        with ThreadPoolExecutor(2) as pool:
            answers = [one.result() for one in [pool.submit(tries), pool.submit(tries)]]
        assert sorted(one.status_code for one in answers) == [200, 400]
        [first] = [one.json for one in answers if one.status_code == 200]
        assert program.may(first["access_token"]).json["code"] == "bad_token"


@rule("PL-179")
def test_the_end_of_one_chain_leaves_the_others_alone(program: Program, person: Person):
    phone, desk = program.let_in(person), program.let_in(person)
    program.refreshes(phone["refresh_token"])
    program.refreshes(phone["refresh_token"])
    assert program.may(phone["access_token"]).json["code"] == "bad_token"
    assert program.may(desk["access_token"]).status_code == 200


@rule("PL-179", "PL-174")
def test_a_refresh_token_never_gives_more_than_was_said_yes_to(house: House, program: Program, person: Person):
    given = program.let_in(person)
    assert refused(program.refreshes(given["refresh_token"], scope="match:play")) == (400, "invalid_scope")
    narrow = program.refreshes(given["refresh_token"], scope="match:read").json
    assert narrow["scope"] == "match:read"
    assert program.may(narrow["access_token"]).json["code"] == "scope_missing"
    again = program.refreshes(narrow["refresh_token"]).json
    assert again["scope"] == "account:read match:read"
    other = Program(house, registered(somebody(house)).json["client"])
    assert refused(other.refreshes(again["refresh_token"])) == (400, "invalid_grant")
    assert refused(program.refreshes(again["refresh_token"][:-1] + "0")) == (400, "invalid_grant")
    assert program.may(again["refresh_token"]).json["code"] == "bad_token"       # it opens nothing by itself
    assert refused(program.refreshes(again["access_token"])) == (400, "invalid_grant")
    assert program.refreshes(again["refresh_token"]).status_code == 200       # and nothing of this has harmed it


@rule("PL-175", "PL-179")
def test_a_permission_has_an_end(house: House, program: Program, person: Person):
    given = program.let_in(person)
    house.do("UPDATE client_grants SET ends_at = now() + interval '5 minutes' WHERE account_id = %s", person.id)
    last = program.refreshes(given["refresh_token"]).json
    assert 290 <= last["expires_in"] <= 300
    house.do("UPDATE client_grants SET ends_at = now() WHERE account_id = %s", person.id)
    assert refused(program.refreshes(last["refresh_token"])) == (400, "invalid_grant")
    assert person.read("/me/clients")["items"] == []
    with house.gate.store.work() as work:
        work.do(SQL.old_rows_forgotten)
    assert house.one("SELECT count(*) AS n FROM client_grants WHERE account_id = %s", person.id)["n"] == 0


@rule("PL-174", "PL-126")
def test_roles_of_the_host_do_not_come_along(house: House, program: Program, person: Person):
    house.do("UPDATE accounts SET roles = '{operator,moderator}' WHERE account_id = %s", person.id)
    house.do("INSERT INTO second_factors (account_id, secret, on_since) VALUES (%s, '', now())", person.id)
    program.scope = "match:read match:create league:referee"
    access = program.let_in(person)["access_token"]
    host = house.player()
    private = house.match(host, start=False, visibility="private", seats=[{"kind": "me"}, {"kind": "invited", "account": house.player().id}])
    assert person.read(f"/matches/{private}")["match"] == private
    assert program.may(access, f"/matches/{private}").json["code"] == "not_found"
    refused_order = Player(house, "", "", access).post(f"/matches/{house.match(host, house.player())}/orders", {"kind": "void", "reason": "because of me"})
    assert (refused_order.json["code"], "errors" in refused_order.json) == ("not_allowed", False)


@rule("PL-179", "PL-177")
def test_the_person_sees_whom_they_have_let_in_and_takes_it_back(program: Program, maker: Person, person: Person):
    given, again = program.let_in(person), program.let_in(person)
    [one] = person.read("/me/clients")["items"]
    assert (one["client"], one["scopes"], one["homepage"]) == (program.id, ["account:read", "match:read"], "https://ladder.example/")
    assert person.read("/tokens")["items"] == []
    assert [one["people"] for one in maker.read("/clients")["items"]] == [1]
    assert person.write("DELETE", f"/tokens/{given['access_token'].split('_')[2]}").json["code"] == "not_found"
    assert maker.write("DELETE", f"/me/clients/{program.id}").json["code"] == "not_found"
    assert person.write("DELETE", f"/me/clients/{program.id}").status_code == 204
    for ended in (given, again):
        assert program.may(ended["access_token"]).json["code"] == "bad_token"
        assert refused(program.refreshes(ended["refresh_token"])) == (400, "invalid_grant")
    assert person.read("/me/clients")["items"] == []


@rule("PL-179", "PL-177")
def test_a_program_that_is_removed_can_do_nothing_more(program: Program, maker: Person, person: Person):
    given, code = program.let_in(person), program.code(person)
    maker.write("DELETE", f"/clients/{program.id}")
    assert program.may(given["access_token"]).json["code"] == "bad_token"
    assert refused(program.exchanges(code)) == (401, "invalid_client")
    assert program.sends(person).status_code == 400


@rule("PL-158", "PL-179")
def test_an_operator_removes_a_program_that_does_harm(house: House, program: Program, maker: Person, person: Person):
    operator, path = house.player(roles=("operator",)), f"/operator/clients/{program.id}"
    access = program.let_in(person)["access_token"]
    house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", maker.id)
    assert house.player(scopes=["operator:write"]).delete(path, {"reason": "I dislike it"}).json["code"] == "not_allowed"
    assert operator.delete(path, {"reason": "no"}).json["code"] == "reason_missing"
    assert operator.delete(path, {"reason": "it resigns people"}).status_code == 204
    assert program.may(access).json["code"] == "bad_token"
    [line] = operator.get(f"/operator/audit?on={program.id}").json["items"]
    assert (line["what"], line["reason"], line["before"]["owner"]) == ("client.expel", "it resigns people", maker.name)
    assert operator.delete(path, {"reason": "it resigns people"}).json["code"] == "not_found"


@rule("PL-179", "PL-177")
def test_a_program_revokes_what_it_has(house: House, program: Program, person: Person):
    given, other = program.let_in(person), Program(house, registered(somebody(house)).json["client"])
    for wrong in (other.posts("revoke", token=given["refresh_token"]), program.posts("revoke", token="no token"), other.posts("revoke", token=given["access_token"])):
        assert (wrong.status_code, wrong.json) == (200, {})
    assert program.may(given["access_token"]).status_code == 200
    assert refused(program.posts("revoke")) == (400, "invalid_request")
    assert refused(program.posts("revoke", token="x", client_id="p-nobody")) == (401, "invalid_client")
    assert program.posts("revoke", token=given["access_token"], token_type_hint="refresh_token").status_code == 200
    assert program.may(given["access_token"]).json["code"] == "bad_token"
    fresh = program.refreshes(given["refresh_token"]).json
    assert program.posts("revoke", token=fresh["refresh_token"]).status_code == 200
    assert program.may(fresh["access_token"]).json["code"] == "bad_token"
    assert refused(program.refreshes(fresh["refresh_token"])) == (400, "invalid_grant")


@rule("PL-137", "PL-179")
def test_a_suspended_account_is_refused_and_let_in_again_later(house: House, program: Program, maker: Person, person: Person):
    given, code = program.let_in(person), program.code(person)
    house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", person.id)
    assert program.may(given["access_token"]).json["code"] == "suspended"
    assert refused(program.refreshes(given["refresh_token"])) == (400, "invalid_grant")
    assert refused(program.exchanges(code)) == (400, "invalid_grant")
    house.do("UPDATE accounts SET suspended_at = NULL WHERE account_id = %s", person.id)
    again = program.refreshes(given["refresh_token"])
    assert again.status_code == 200
    house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", maker.id)     # whoever made the program
    assert refused(program.refreshes(again.json["refresh_token"])) == (401, "invalid_client")
    assert program.sends(person).status_code == 400


@rule("PL-135", "PL-179")
def test_an_account_takes_its_permissions_and_its_programs_along(house: House, program: Program, maker: Person, person: Person):
    given = program.let_in(person)
    export = person.client.get(f"{API}/me/export", base_url=BASE)
    assert [one["client"] for one in export.json["let_in"]] == [program.id]
    assert [one["client_id"] for one in maker.client.get(f"{API}/me/export", base_url=BASE).json["clients"]] == [program.id]
    assert not any(given[kind].split("_")[3] in export.text for kind in ("access_token", "refresh_token"))
    gone, stays = somebody(house), program.let_in(somebody(house))
    ends = program.let_in(gone)
    assert gone.write("DELETE", "/me", {"password": "correct horse battery"}).status_code == 204
    assert program.may(ends["access_token"]).json["code"] == "bad_token"
    assert maker.write("DELETE", "/me", {"password": "correct horse battery"}).status_code == 204
    assert program.may(stays["access_token"]).json["code"] == "bad_token"
    assert house.one("SELECT count(*) AS n FROM clients WHERE client_id = %s", program.id)["n"] == 0
