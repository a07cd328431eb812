"""Does an account ask for two things at sign-in, and does a role give nothing without the second (PL-126)?"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pyotp
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.gateway.live.readers import QUERIES, digest
from services.gateway.rights import Caller, caller_by_session
from shared.desk import cli
from shared.runtime.outward import seal, unseal
from shared.runtime.store import Database
from tests.gateway.conftest import API, NUMBERS, House, Player
from tests.ledger import rule

PASSWORD = "correct horse battery"
BASE = "http://localhost:8000"
HERE = "/me/second-factor"
OURS = {"Sec-Fetch-Site": "same-origin"}


@dataclass
class Clock:
    """The time that the gateway reads, put on by the test: a code lasts half a minute, and no test waits that long."""

    moment: datetime = field(default_factory=lambda: datetime(2027, 2, 3, 10, 0, 15, tzinfo=UTC))

    def now(self) -> datetime:
        return self.moment

    def at(self, _moment: float) -> datetime:
        return self.moment

    def pass_by(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    def code(self, secret: str, away: int = 0) -> str:
        return pyotp.TOTP(secret).at(self.moment, counter_offset=away)


@pytest.fixture
def clock(house: House) -> Iterator[Clock]:
    real = house.gate.clock
    house.gate.clock = found = Clock()
    yield found
    house.gate.clock = real


@dataclass
class Person:
    """Somebody with a browser."""

    house: House
    name: str
    id: str
    client: FlaskClient
    secret: str = ""
    codes: list[str] = field(default_factory=list)

    def write(self, method: str, path: str, body: Any = None) -> TestResponse:
        headers = {"Idempotency-Key": f"k-{next(NUMBERS)}", **OURS}
        return self.client.open(API + path, method=method, json=body, headers=headers, base_url=BASE)

    def read(self, path: str) -> Any:
        return self.client.get(API + path, base_url=BASE).json

    def switch_on(self, clock: Clock) -> None:
        self.secret = self.write("POST", HERE, {"password": PASSWORD}).json["secret"]
        done = self.write("POST", f"{HERE}/confirm", {"one_time_code": clock.code(self.secret)})
        assert done.status_code == 201, done.json
        self.codes = done.json["recovery_codes"]
        clock.pass_by(60)


@pytest.fixture
def person(house: House, clock: Clock) -> Person:
    return somebody(house)


def somebody(house: House, *roles: str) -> Person:
    name = f"person-{next(NUMBERS)}"
    made = house.nobody().post("/accounts", {"name": name, "password": PASSWORD}).json
    house.do("UPDATE accounts SET roles = %s WHERE account_id = %s", list(roles), made["account"])
    found = Person(house, name, made["account"], house.app.test_client())
    assert sign_in(found.client, name).status_code == 201
    return found


def sign_in(client: FlaskClient, name: str, address: str = "127.0.0.1", **more: Any) -> TestResponse:
    return client.post(f"{API}/sessions", json={"name": name, "password": PASSWORD, **more}, base_url=BASE, headers=OURS,
                       environ_overrides={"REMOTE_ADDR": address})


def second_step(client: FlaskClient, begun: str, code: str) -> TestResponse:
    return client.post(f"{API}/sessions/codes", json={"begun": begun, "one_time_code": code}, base_url=BASE, headers=OURS)


@rule("PL-126")
def test_everybody_may_switch_it_on_and_then_a_password_is_not_enough(house: House, person: Person, clock: Clock):
    assert person.read(HERE) == {"second_factor": "off", "on_since": None, "recovery_codes": 0}
    assert person.write("POST", HERE, {"password": "not the one I have"}).json["code"] == "bad_credentials"
    begun = person.write("POST", HERE, {"password": PASSWORD}).json
    assert begun["address"].startswith(f"otpauth://totp/Cupboard:{person.name}?secret={begun['secret']}")
    assert begun["picture"].startswith("<svg")
    assert sign_in(house.app.test_client(), person.name).status_code == 201     # nothing is asked before a first code has confirmed it
    assert person.write("POST", f"{HERE}/confirm", {"one_time_code": "000000"}).json["code"] == "code_needed"
    done = person.write("POST", f"{HERE}/confirm", {"one_time_code": clock.code(begun["secret"])})
    assert (done.status_code, len(set(done.json["recovery_codes"]))) == (201, 10)
    assert {name: person.read(HERE)[name] for name in ("second_factor", "recovery_codes")} == {"second_factor": "on", "recovery_codes": 10}
    assert person.read("/me")["second_factor"] == "on"
    refused = sign_in(house.app.test_client(), person.name)
    assert (refused.status_code, refused.json["code"], "Set-Cookie" in refused.headers) == (401, "code_needed", False)
    clock.pass_by(30)
    assert sign_in(house.app.test_client(), person.name, one_time_code=clock.code(begun["secret"])).status_code == 201
    assert person.write("POST", HERE, {"password": PASSWORD}).json["code"] == "already_decided"


@rule("PL-126", "PL-129")
def test_signing_in_takes_two_steps(house: House, person: Person, clock: Clock):
    person.switch_on(clock)
    client = house.app.test_client()
    begun = sign_in(client, person.name).json["begun"]
    assert client.get(f"{API}/me", base_url=BASE).status_code == 401
    assert second_step(client, begun[:-4] + "AAA=", clock.code(person.secret)).json["code"] == "bad_credentials"
    assert second_step(client, "nonsense", clock.code(person.secret)).json["code"] == "bad_credentials"
    assert second_step(client, begun, clock.code(person.secret)).status_code == 201
    assert client.get(f"{API}/me", base_url=BASE).json["name"] == person.name
    clock.pass_by(301)
    assert second_step(client, begun, clock.code(person.secret)).json["code"] == "bad_credentials"      # five minutes are over
    begun = sign_in(client, person.name).json["begun"]
    house.do("UPDATE accounts SET version = version + 1 WHERE account_id = %s", person.id)
    assert second_step(client, begun, clock.code(person.secret)).json["code"] == "bad_credentials"      # as after a change of the password
    begun = sign_in(client, person.name).json["begun"]
    house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", person.id)
    assert second_step(client, begun, clock.code(person.secret)).json["code"] == "suspended"


@rule("PL-126")
def test_a_code_works_once_and_within_half_a_minute_of_its_own(house: House, person: Person, clock: Clock):
    person.switch_on(clock)
    code = clock.code(person.secret)
    assert sign_in(house.app.test_client(), person.name, one_time_code=f" {code[:3]} {code[3:]} ").status_code == 201
    assert sign_in(house.app.test_client(), person.name, one_time_code=code).json["errors"][0]["pointer"] == "/one_time_code"
    assert sign_in(house.app.test_client(), person.name, one_time_code=clock.code(person.secret, -1)).status_code == 401    # an older one either
    assert sign_in(house.app.test_client(), person.name, one_time_code=clock.code(person.secret, 1)).status_code == 201     # a fast clock
    clock.pass_by(120)
    assert sign_in(house.app.test_client(), person.name, one_time_code=clock.code(person.secret, -2)).status_code == 401
    assert sign_in(house.app.test_client(), person.name, one_time_code=clock.code(person.secret, -1)).status_code == 201    # a slow typist


@rule("PL-126")
def test_a_recovery_code_stands_in_once_and_new_ones_end_the_old(house: House, person: Person, clock: Clock):
    person.switch_on(clock)
    first, second, *_ = person.codes
    assert sign_in(house.app.test_client(), person.name, one_time_code=first.upper()).status_code == 201
    assert sign_in(house.app.test_client(), person.name, one_time_code=first).status_code == 401
    assert person.read(HERE)["recovery_codes"] == 9
    again = person.write("POST", f"{HERE}/recovery-codes", {"password": PASSWORD, "one_time_code": clock.code(person.secret)})
    assert (again.status_code, len(again.json["recovery_codes"])) == (201, 10)
    assert sign_in(house.app.test_client(), person.name, one_time_code=second).status_code == 401


@rule("PL-126", "PL-125")
def test_five_wrong_codes_close_the_second_step_from_everywhere(house: House, person: Person, clock: Clock):
    person.switch_on(clock)
    for number in range(5):
        assert sign_in(house.app.test_client(), person.name, f"10.0.0.{number}", one_time_code="000000").status_code == 401
    closed = sign_in(house.app.test_client(), person.name, "10.0.1.1", one_time_code=clock.code(person.secret))
    assert (closed.status_code, closed.json["code"]) == (429, "rate_limited")
    assert 0 < int(closed.headers["Retry-After"]) <= 900
    house.do("UPDATE sign_in_failures SET at = at - interval '16 minutes' WHERE name_key = %s", f"code of {person.id}")
    assert sign_in(house.app.test_client(), person.name, "10.0.1.1", one_time_code=clock.code(person.secret)).status_code == 201


@rule("PL-126", "PL-129")
def test_switching_on_and_off_ends_all_other_sessions_and_renews_this_one(house: House, person: Person, clock: Clock):
    other = house.app.test_client()
    sign_in(other, person.name)
    before = person.read("/sessions")["items"]
    person.switch_on(clock)
    [now] = person.read("/sessions")["items"]
    assert now["session"] not in {one["session"] for one in before}
    assert other.get(f"{API}/me", base_url=BASE).status_code == 401
    assert person.write("DELETE", HERE, {"password": "not the one I have", "one_time_code": clock.code(person.secret)}).json["code"] == "bad_credentials"
    assert person.write("DELETE", HERE, {"password": PASSWORD, "one_time_code": "000000"}).json["code"] == "code_needed"
    assert person.write("DELETE", HERE, {"password": PASSWORD, "one_time_code": clock.code(person.secret)}).status_code == 204
    assert person.read("/sessions")["items"][0]["session"] != now["session"]
    assert person.read("/me")["second_factor"] == "off"
    assert sign_in(house.app.test_client(), person.name).status_code == 201


@pytest.mark.parametrize("role", ["operator", "moderator", "auditor"])
@rule("PL-126", "PL-152")
def test_a_role_gives_nothing_to_a_browser_before_there_is_a_second_factor(house: House, ada: Player, clock: Clock, role: str):
    person = somebody(house, role)
    me = person.read("/me")
    assert (me["roles"], me["second_factor"]) == ([role], "needed")
    path = {"operator": "/operator/audit", "auditor": "/operator/audit", "moderator": None}[role]
    if path:
        assert "second factor" in person.read(path)["errors"][0]["detail"]
    assert caller_of(house, person).roles == frozenset()
    person.switch_on(clock)
    assert caller_of(house, person).roles == {role}
    assert not path or person.read(path)["items"] is not None
    assert person.write("DELETE", HERE, {"password": PASSWORD, "one_time_code": clock.code(person.secret)}).status_code == 204
    assert caller_of(house, person).roles == frozenset()


@rule("PL-126", "PL-174", "PL-159")
def test_roles_count_for_tokens_made_behind_a_second_factor_or_at_the_machine(house: House, clock: Clock, capsys: pytest.CaptureFixture[str],
                                                                            monkeypatch: pytest.MonkeyPatch):
    person = somebody(house, "operator")
    wish = {"label": "a token", "scopes": ["match:read", "organisation:manage"]}
    assert person.write("POST", "/tokens", {**wish, "scopes": ["operator:write"]}).json["code"] == "scope_too_wide"
    early = person.write("POST", "/tokens", wish).json["secret"]
    person.switch_on(clock)
    late = person.write("POST", "/tokens", {**wish, "scopes": ["operator:read"]}).json["secret"]
    monkeypatch.setattr("shared.desk.here.settings", lambda _process: house.settings)
    assert cli.main(["token", "create", person.name, "--scope", "operator:read", "--json"]) == 0
    made_here = capsys.readouterr().out.partition('"secret": "')[2].partition('"')[0]
    may = {"late": late, "made_here": made_here}
    assert {name for name, token in may.items() if Player(house, person.id, person.name, token).get("/operator/audit").status_code == 200} == set(may)
    assert Player(house, person.id, person.name, early).post("/organisations", {"name": "Early", "zone": "UTC"}).status_code == 403
    assert person.write("DELETE", HERE, {"password": PASSWORD, "one_time_code": clock.code(person.secret)}).status_code == 204
    assert {name for name, token in may.items() if Player(house, person.id, person.name, token).get("/operator/audit").status_code == 200} == {"made_here"}


@rule("PL-126")
def test_a_token_made_by_a_password_alone_never_carries_a_role(house: House, ada: Player, bob: Player, match: str, clock: Clock):
    person = somebody(house, "operator")
    token = person.write("POST", "/tokens", {"label": "a token", "scopes": ["match:read", "league:referee"]}).json["secret"]
    order = {"kind": "pause", "reason": "a fire alarm"}
    refused = Player(house, person.id, person.name, token).post(f"/matches/{match}/orders", order)
    assert (refused.status_code, refused.json["code"]) == (403, "not_allowed")
    assert "make tokens anew" in refused.json["errors"][0]["detail"]
    person.switch_on(clock)
    late = person.write("POST", "/tokens", {"label": "a token", "scopes": ["match:read", "league:referee"]}).json["secret"]
    assert Player(house, person.id, person.name, token).post(f"/matches/{match}/orders", order).status_code == 403
    assert Player(house, person.id, person.name, late).post(f"/matches/{match}/orders", order).status_code == 202


@rule("PL-126")
def test_streams_know_the_roles_that_count_and_no_secret(house: House, clock: Clock):
    person = somebody(house, "operator")
    database = Database(house.settings.database_of("stream"), house.settings, "a-test", 1)
    cookie = person.client.get_cookie("cupboard", domain="localhost").value
    by_session = {"hash": digest(cookie)}
    assert database.one(QUERIES.account_by_session, **by_session)["roles"] == []
    person.switch_on(clock)
    by_session = {"hash": digest(person.client.get_cookie("cupboard", domain="localhost").value)}
    assert database.one(QUERIES.account_by_session, **by_session)["roles"] == ["operator"]
    session = person.read("/sessions")["items"][0]["session"]
    assert database.one(QUERIES.account_by_ticket, account=person.id, token=None, session=session)["roles"] == ["operator"]
    database.close()


@rule("PL-126", "PL-817", "PL-135")
def test_secrets_are_stored_encrypted_codes_hashed_and_neither_is_told(house: House, person: Person, clock: Clock):
    person.switch_on(clock)
    stored = bytes(house.one("SELECT secret FROM second_factors WHERE account_id = %s", person.id)["secret"])
    assert person.secret.encode() not in stored
    assert unseal(house.settings, f"second factor of {person.id}", stored).decode() == person.secret
    kept = str(house.all("SELECT * FROM recovery_codes WHERE account_id = %s", person.id))
    assert not any(code.replace("-", "") in kept for code in person.codes)
    told = person.client.get(f"{API}/me/export", base_url=BASE)
    assert told.json["second_factor"][0]["recovery_codes"] == 10
    assert person.secret not in told.text
    assert person.write("DELETE", "/me", {"password": PASSWORD}).status_code == 204
    assert house.one("SELECT count(*) AS n FROM second_factors WHERE account_id = %s", person.id)["n"] == 0


@rule("PL-126", "PL-158", "PL-681")
def test_an_operator_at_the_machine_takes_it_off_and_it_is_audited(house: House, person: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shared.desk.here.settings", lambda _process: house.settings)
    act = ["account", "second-factor", person.name, "--reason", "the telephone fell into the lake"]
    assert cli.main(act) == 1       # there is none
    person.switch_on(clock)
    assert cli.main(act) == 0
    assert person.client.get(f"{API}/me", base_url=BASE).status_code == 401
    assert sign_in(house.app.test_client(), person.name).status_code == 201
    row = house.one('SELECT what, reason FROM audit WHERE "on" = %s', person.id)
    assert row == {"what": "account.second_factor_off", "reason": "the telephone fell into the lake"}


@rule("PL-126")
@pytest.mark.parametrize(("moment", "code"), [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")])
def test_codes_are_those_of_the_standard(house: House, person: Person, clock: Clock, moment: int, code: str):
    """RFC 6238, appendix B: the key of its examples; the last six of their eight digits."""
    clock.moment = datetime.fromtimestamp(moment, UTC)
    secret = base64.b32encode(b"12345678901234567890")
    house.do("INSERT INTO second_factors (account_id, secret, on_since) VALUES (%s, %s, now())", person.id, seal(house.settings, f"second factor of {person.id}", secret))
    assert sign_in(house.app.test_client(), person.name, one_time_code=code).status_code == 201


def caller_of(house: House, person: Person) -> Caller:
    cookie = person.client.get_cookie("cupboard", domain="localhost")
    assert cookie is not None
    found = caller_by_session(house.gate.store, cookie.value, "127.0.0.1")
    assert found is not None
    return found
