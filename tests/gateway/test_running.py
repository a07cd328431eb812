"""Can an operator see how a gateway does, and be sure that it tells nothing it should not?"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests

from services.gateway import accounts, store
from services.gateway.app import create_app
from services.gateway.edge.clock import STALE_S, Clock
from shared.desk import cli, here
from shared.runtime import log
from shared.runtime import settings as settings_
from shared.runtime.watch import Watch
from tests.gateway.conftest import API, NUMBERS, House, Player
from tests.gateway.test_accounts import PASSWORD, name
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

ROOT = Path(__file__).parents[2]


@rule("PL-739")
def test_live_and_ready(house: House):
    client = house.client()
    house.gate.clock.measure(house.gate.store)
    assert client.get("/health/live").json == {"live": True}
    assert (client.get("/health/ready").status_code, client.get("/health/ready").json) == (200, {"ready": True, "missing": []})


@rule("PL-739", "PL-324")
def test_ready_names_what_is_missing(house: House, monkeypatch: pytest.MonkeyPatch):
    client = house.client()
    house.gate.clock.measure(house.gate.store)
    with monkeypatch.context() as patched:
        patched.setattr(house.gate.clock, "uncertain", 0.2)
        assert (client.get("/health/ready").status_code, client.get("/health/ready").json["missing"]) == (503, ["clock_distance"])
    house.do("UPDATE migrations SET done_at = NULL WHERE number = (SELECT max(number) FROM migrations)")
    assert client.get("/health/ready").json["missing"] == ["migration"]
    house.do("UPDATE migrations SET done_at = now() WHERE done_at IS NULL")
    monkeypatch.setattr(store, "POOL_WAIT_S", 0.3)
    away = create_app(dataclasses.replace(house.settings, database_url="postgresql://cupboard@127.0.0.1:1/none"), attended=False)
    assert away.test_client().get("/health/ready").json["missing"] == ["database"]
    assert away.test_client().get("/health/live").status_code == 200
    refused = away.test_client().get(f"{API}/games")
    assert (refused.status_code, refused.json["code"], refused.headers["Retry-After"]) == (503, "unavailable", "1")
    away.extensions["gate"].close()


@rule("PL-739", "PL-667")
def test_without_redis_a_gateway_is_ready_and_accepts(house: House, ada: Player, bob: Player, match: str):
    app = create_app(dataclasses.replace(house.settings, redis_url="redis://127.0.0.1:1"), attended=False)
    gate = app.extensions["gate"]
    gate.clock.measure(gate.store)
    gate.limits.share()
    ask = house.open_ask(match)
    player = [ada, bob][ask["seat"]]
    before = time.monotonic()
    answer = app.test_client().post(f"{API}/matches/{match}/commands", json={"ask": ask["ask"], "command": {"do": "rest"}},
                                    headers={"Authorization": f"Bearer {player.token}", "Idempotency-Key": "k"})
    assert answer.status_code == 202
    assert time.monotonic() - before < 0.5
    assert app.test_client().get("/health/ready").json == {"ready": True, "missing": []}
    gate.close()


@rule("PL-325", "PL-221")
def test_a_silent_database_delays_no_answer_beyond_the_budget(house: House, ada: Player, bob: Player, match: str):
    """EX-8 (c) with the process of the connection stopped: given up at the budget, and nothing accepted once it wakes."""
    app = create_app(dataclasses.replace(house.settings, pool_size=1), attended=False)
    gate = app.extensions["gate"]
    gate.clock.measure(gate.store)
    gate.pace.read()
    with gate.store.pool.connection() as connection:
        backend = connection.info.backend_pid
    ask = house.open_ask(match)
    token = [ada, bob][ask["seat"]].token
    os.kill(backend, signal.SIGSTOP)
    before = time.monotonic()
    try:
        answer = app.test_client().post(f"{API}/matches/{match}/commands", json={"ask": ask["ask"], "command": {"do": "rest"}},
                                        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "silent"})
        took = time.monotonic() - before
        assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
        assert house.settings.accept_budget - 0.1 < took < house.settings.accept_budget + 0.5
        time.sleep(0.1)
    finally:
        os.kill(backend, signal.SIGCONT)
    time.sleep(0.3)
    assert len(house.rows(match)) == 1
    gate.close()


@rule("PL-348", "PL-739")
def test_a_draining_gateway_takes_nothing_new_and_is_not_ready(house: House, ada: Player, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(house.gate, "draining", True)
    for path, body in (("/matches", {"game": "pebbles", "seats": []}), ("/matches/m-x/commands", {"ask": 1, "command": {"do": "x"}})):
        answer = ada.post(path, body)
        assert (answer.status_code, answer.json["code"]) == (503, "draining")
        assert answer.headers["Retry-After"]
    assert ada.get("/games").status_code == 200
    assert "draining" in house.client().get("/health/ready").json["missing"]


@rule("PL-323", "PL-324")
def test_receipt_is_told_on_the_clock_of_the_database(house: House):
    clock = Clock()
    assert not clock.good
    clock.measure(house.gate.store)
    now = house.one("SELECT extract(epoch FROM clock_timestamp())::float8 AS now")["now"]
    assert clock.good
    assert abs(clock.at(time.monotonic()).timestamp() - now) < 0.05
    clock.measured -= STALE_S + 1
    assert not clock.good


@rule("PL-499", "PL-324")
def test_a_gateway_pulses_and_measures_by_itself(house: House):
    begun = house.one("SELECT clock_timestamp() AS now")["now"]
    app = create_app(house.settings, attended=True)
    gate = app.extensions["gate"]
    until, rows = time.monotonic() + 10, []
    while not (gate.clock.good and rows) and time.monotonic() < until:
        time.sleep(0.02)
        rows = house.all("SELECT process FROM pulses WHERE kind = 'gateway' AND at > %s", begun)
    gate.close()
    assert gate.clock.good
    assert rows


@rule("PL-670")
def test_time_in_which_a_game_took_nothing_is_an_outage_of_that_game_once(house: House):
    gate, now = house.gate, house.gate.clock.now()
    house.do("DELETE FROM outages")
    gate.behind = {"checkers": now - timedelta(seconds=75), "go": now - timedelta(seconds=50)}
    gate.look()
    rows = house.all("SELECT game, reason, to_at - from_at AS length FROM outages")
    assert [(row["game"], row["reason"]) for row in rows] == [("checkers", "queue_old")]
    assert 74 < rows[0]["length"].total_seconds() < 80
    gate.behind = {"checkers": now - timedelta(seconds=70)}      # another gateway saw the same
    gate.look()
    assert house.one("SELECT count(*) AS n FROM outages")["n"] == 1
    assert gate.behind == {}


@rule("PL-736")
def test_metrics_have_their_names_and_tell_nobodys_name(house: House, ada: Player, bob: Player, match: str):
    ask = house.open_ask(match)
    [ada, bob][ask["seat"]].command(match, ask["ask"], {"do": "rest"})
    ada.command(match, 99, {"do": "rest"})
    text = house.client().get("/metrics").text
    for metric in ("http_requests_total", "http_request_seconds_bucket", "commands_accepted_total", "commands_refused_total", "in_time_refused_total",
                   "rate_limited_total", "queue_old_total", "sign_in_failures_total", "sends_total", "clock_distance_seconds", "db_pool_in_use"):
        assert f"cupboard_{metric}" in text, metric
    assert 'cupboard_commands_accepted_total{game="pebbles",kind="command",origin="person"}' in text
    assert 'code="ask_ahead",game="pebbles",where="gateway"' in text
    assert match not in text
    assert ada.id not in text
    assert ada.name not in text


@rule("PL-737", "PL-178", "PL-220")
def test_logs_hold_no_planted_mark(house: House, monkeypatch: pytest.MonkeyPatch):
    """Everything a client may send or be shown is marked; no mark is in any line of log, not even of a fault."""
    lines = io.StringIO()
    log.start("gateway", "debug", lines)
    nobody, person = house.nobody(), name()
    planted = {"password": "planted-password-7391", "key": "planted-key-7391", "text": "planted-command-7391", "trace": "planted-header-7391"}
    nobody.post("/accounts", {"name": person, "password": planted["password"]})
    client = house.app.test_client()
    client.post(f"{API}/sessions", json={"name": person, "password": planted["password"]}, base_url="http://localhost:8000")
    cookie = next(iter(client._cookies.values())).value
    ada, bob = house.player(), house.player()
    match = house.match(ada, bob)
    ask = house.open_ask(match)
    player = [ada, bob][ask["seat"]]
    player.command(match, ask["ask"], {"do": planted["text"]}, key=planted["key"], headers={"X-Other": planted["trace"]})
    house.work()
    ada.get(f"/matches/{match}/view?seat=0")
    nobody.get(f"/games?token={ada.token}")
    nobody.post("/password-resets/planted-code-7391", {"password": planted["password"]})

    def broken(*_: Any) -> None:
        secret = planted["password"]
        raise RuntimeError(secret)
    monkeypatch.setattr(accounts, "me", broken)
    ada.get("/me", headers={"X-Request-Id": "the-request-7"})
    seed = house.one("SELECT seed FROM seeds LIMIT 1")["seed"].hex()
    view = house.one("SELECT bodies[2] AS b FROM views WHERE match_id = %s", match)["b"]
    written = lines.getvalue()
    log.start("tests", "warning")
    marks = [*planted.values(), "planted-code-7391", ada.token.split("_")[3], cookie, seed, view, ada.token]
    assert [mark for mark in marks if mark in written] == []
    rows = [json.loads(line) for line in written.splitlines()]
    assert any(row["event"] == "request_failed" and row["request_id"] == "the-request-7" and row["error"] == "RuntimeError" for row in rows)
    assert {row["event"] for row in rows if row.get("module", "").startswith("services.gateway")} <= {"request", "request_failed"}


@rule("PL-108")
def test_the_gateway_names_no_game():
    """No game's name or module occurs in its code; what it knows of games it reads from a table."""
    games = {path.name for path in (ROOT / "services").iterdir() if (path / "game.py").exists()} | {"pebbles"}
    for path in (ROOT / "services" / "gateway").rglob("*.py"):
        code = re.sub(r"example[^=]*= \{.*?\n\n", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not games & set(re.findall(r"[a-z_]+", code)), path
        assert "shared.kernel" not in code or "/live/" in str(path) or "/web/" in str(path), path


@rule("PL-110")
def test_a_gateway_does_not_start_on_a_forgetful_database(house: House):
    from shared.desk.serve import refuse_forgetful
    url = house.settings.database_of("gateway")
    refuse_forgetful(url)
    role = "cupboard_gateway"
    house.do(f"ALTER ROLE {role} IN DATABASE gateway_house SET synchronous_commit = off")
    try:
        with pytest.raises(settings_.SettingRefused, match="synchronous_commit"):
            refuse_forgetful(url)
    finally:
        house.do(f"ALTER ROLE {role} IN DATABASE gateway_house RESET synchronous_commit")


@rule("PL-340", "PL-768")
def test_transactions_leave_nothing_in_the_session(house: House, ada: Player):
    """After any request a pooled connection holds no lock, no setting and no temporary table of it."""
    ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}]})
    with house.gate.store.pool.connection() as connection:
        found = connection.execute("SELECT current_setting('lock_timeout') AS lock, (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' "
                                   "AND pid = pg_backend_pid()) AS held").fetchone()
    assert found == {"lock": f"{int(house.settings.lock_timeout)}s", "held": 0}


# At the machine ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def cupboard(house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The programs as an operator starts them: exit code, and what was told."""
    monkeypatch.setenv("CUPBOARD_LOCAL", "1")
    monkeypatch.setenv("DATABASE_URL", house.settings.database_url)

    def run(*words: str, told: str = "") -> tuple[int, Any]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.StringIO(told))
        code = cli.main([*words, "--json"])
        output = capsys.readouterr()
        return code, json.loads(output.out) if code == 0 else output.err
    return run


@rule("PL-140", "PL-137", "PL-158", "PL-681")
def test_an_operator_opens_suspends_and_mends_accounts_and_it_is_audited(house: House, nobody: Player, cupboard: Any):
    person = name()
    code, (made,) = cupboard("account", "create", person, "--role", "operator", told=f"{PASSWORD}\n")
    assert (code, made["name"], made["roles"]) == (0, person, ["operator"])
    code, (link,) = cupboard("account", "reset", person, "--reason", "forgot it on a train")
    assert nobody.post(f"/password-resets/{link['link'].rpartition('/')[2]}", {"password": "a new long one"}).status_code == 204
    assert cupboard("account", "suspend", person, "--reason", "no")[0] == 1
    assert cupboard("account", "suspend", person, "--reason", "selling points")[0] == 0
    acts = house.all('SELECT what, reason, who FROM audit WHERE "on" = %s ORDER BY number', made["account"])
    assert [act["what"] for act in acts] == ["account.create", "account.reset", "account.suspend"]
    assert acts[1]["reason"] == "forgot it on a train"
    assert cupboard("account", "create", person, told=f"{PASSWORD}\n")[0] == 1


@rule("PL-137", "PL-541")
def test_when_the_operators_grace_is_over_the_seats_of_a_suspended_account_are_left(house: House, ada: Player, bob: Player, match: str, cupboard: Any):
    bot = house.player("bot", owner=bob.id)
    theirs, open_one = house.match(ada, bot, opponents="mixed"), house.match(ada, bob, start=False)
    assert cupboard("account", "suspend", bob.name, "--grace", "1", "--reason", "selling points")[0] == 0
    watch = Watch(GAME, house.settings)
    watch.leave_suspended()
    house.work()
    assert house.one("SELECT how FROM seats WHERE match_id = %s AND seat = 1", match)["how"] is None
    house.do("UPDATE accounts SET leaves_at = leaves_at - interval '61 minutes' WHERE account_id = %s", bob.id)
    for _ in range(3):      # a row that waits is not doubled, and what has been left is left alone
        watch.leave_suspended()
    house.work()
    watch.leave_suspended()
    watch.database.close()
    assert [house.one("SELECT how FROM seats WHERE match_id = %s AND seat = 1", one)["how"] for one in (match, theirs)] == ["left", "left"]
    assert house.one("SELECT kind, account_id FROM seats WHERE match_id = %s AND seat = 1", open_one) == {"kind": "open", "account_id": None}
    assert [row["kind"] for row in house.rows(match)].count("resign") == 1


@rule("PL-137", "PL-158", "PL-811")
def test_an_operator_suspends_and_lifts_over_the_api(house: House, ada: Player, bob: Player):
    operator, path = house.player(roles=("operator",)), f"/operator/accounts/{bob.id}/suspension"
    assert ada.post(path, {"reason": "selling points"}).json["code"] in {"scope_missing", "not_allowed"}
    refused = operator.post(path, {"reason": "no"}).json
    assert (refused["code"], refused["errors"]) == ("reason_missing", [{"pointer": "/reason", "detail": "at least 5 characters"}])
    assert bob.get("/me").status_code == 200
    told = operator.post(path, {"reason": "selling points", "grace_ms": 60_000}).json
    assert (told["suspended"], told["seats_left_at"] is not None) == (True, True)
    assert bob.get("/me").json["code"] == "suspended"
    assert operator.delete(path, {"reason": "the appeal was heard"}).json["suspended"] is False
    assert bob.get("/me").status_code == 200
    assert house.one("SELECT leaves_at FROM accounts WHERE account_id = %s", bob.id)["leaves_at"] is None
    assert operator.post("/operator/accounts/a-nobody/suspension", {"reason": "selling points"}).json["code"] == "not_found"
    acts = house.all('SELECT what, who FROM audit WHERE "on" = %s ORDER BY number', bob.id)
    assert acts == [{"what": "account.suspend", "who": operator.id}, {"what": "account.lift", "who": operator.id}]


@rule("PL-171", "PL-177", "PL-681")
def test_an_operator_makes_and_revokes_tokens(house: House, cupboard: Any):
    service = f"league-{next(NUMBERS)}"
    cupboard("account", "create", service, "--kind", "service")
    code, (token,) = cupboard("token", "create", service, "--scope", "match:create", "--scope", "match:read")
    player = Player(house, "", "", token["secret"])
    assert (code, token["kind"], player.get("/me/asks").status_code) == (0, "svc", 200)
    assert cupboard("token", "revoke", token["token"], service)[0] == 0
    assert player.get("/me/asks").json["code"] == "bad_token"
    assert cupboard("token", "revoke", token["token"], service)[0] == 1


@rule("PL-782", "PL-681")
def test_programs_at_the_machine_find_the_local_run_of_their_folder(
    house: House, cupboard: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    here.write_down(tmp_path, {"CUPBOARD_LOCAL": "1", "DATABASE_URL": house.settings.database_url})
    for variable in ("CUPBOARD_LOCAL", "DATABASE_URL"):
        monkeypatch.delenv(variable)
    monkeypatch.setenv("CUPBOARD_FOLDER", str(tmp_path))
    person = name()
    assert cupboard("account", "create", person, told=f"{PASSWORD}\n")[0] == 0
    assert cupboard("token", "create", person, "--scope", "match:read")[0] == 0
    assert cupboard("migrate", "--check") == (0, {"to_do": []})
    assert cupboard("settings", "--changed")[1]["local"]["value"] == "True"


@rule("PL-348", "PL-102", "PL-220")
def test_a_real_server_answers_and_stops_when_told_to(house: House, ada: Player, bob: Player, match: str, tmp_path: Path):
    """Under gunicorn, as it is served: a command over a socket, then SIGTERM."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    environ = {"CUPBOARD_LOCAL": "1", "DATABASE_URL": house.settings.database_url, "REDIS_URL": house.settings.redis_url, "CUPBOARD_PORT": str(port),
               "CUPBOARD_GATEWAY_PROCESSES": "1", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    with (tmp_path / "log").open("wb") as output:
        process = subprocess.Popen([sys.executable, "-m", "shared.desk.cli", "serve", "gateway"], env=environ, stdout=output, stderr=output, cwd=ROOT)
    try:
        base, ask = f"http://127.0.0.1:{port}", house.open_ask(match)
        until = time.monotonic() + 40
        while not _ready(base):
            assert time.monotonic() < until
            time.sleep(0.1)
        answer = requests.post(f"{base}{API}/matches/{match}/commands", json={"ask": ask["ask"], "command": {"do": "rest"}}, timeout=10,
                               headers={"Authorization": f"Bearer {[ada, bob][ask['seat']].token}", "Idempotency-Key": "k"})
        assert answer.status_code == 202
        assert house.rows(match)[-1]["command_id"] == answer.json()["command"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) == 0
    finally:
        process.kill()
    assert all(json.loads(line) for line in (tmp_path / "log").read_text().splitlines())


def _ready(base: str) -> bool:
    try:
        return requests.get(f"{base}/health/ready", timeout=5).status_code == 200
    except requests.RequestException:
        return False


def test_the_settings_of_a_gateway_open_the_database_as_its_role_only(house: House):
    with psycopg.connect(house.settings.database_of("gateway")) as connection:
        assert connection.execute("SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user").fetchone() == (False, False)
