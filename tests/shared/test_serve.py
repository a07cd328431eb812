"""Does each kind of process start as it should, refuse what it must, and end when asked?"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psycopg
import pytest
import redis

from shared.desk import cli, serve
from shared.runtime import servers
from shared.runtime.settings import SettingRefused, Settings, read
from shared.runtime.store import Unavailable
from tests.ledger import rule

WEB = """
import sys
from shared.desk import serve
from shared.runtime import log, settings
def create_app():
    return lambda environ, start: (start("200 OK", []), [b"here"])[1]
if __name__ == "__main__":
    log.start(sys.argv[1])
    real = serve.gunicorn
    serve.gunicorn = lambda app, options: real("web:create_app()", options)
    serve.KINDS[sys.argv[1]][1](settings.read())
"""
WORKER = """
import sys
from celery import Celery
from shared.desk import serve
from shared.runtime import log, settings
class game_of_its_own:
    module = "plain.game"
in_force = settings.read()
class worker:
    app = Celery("plain", broker=in_force.broker)
sys.modules["plain.worker"] = worker
serve.entry_points = lambda group: {"plain": game_of_its_own}
log.start("game plain")
serve.game(in_force, "plain")
"""


def started(folder: Path, code: str, *words: str, **environ: str) -> subprocess.Popen[str]:
    (folder / "web.py").write_text(code)
    return subprocess.Popen([sys.executable, "web.py", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "CUPBOARD_LOCAL": "1", "PYTHONPATH": str(Path(__file__).parents[2]), **environ})


def answer(port: int) -> bytes:
    give_up = time.monotonic() + 10
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1) as told:
                return told.read()
        except OSError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)


def objects(lines: str) -> list[dict]:
    return [json.loads(line) for line in lines.splitlines()]


@pytest.mark.parametrize(("kind", "variable"), [("gateway", "CUPBOARD_PORT"), ("stream", "CUPBOARD_STREAM_PORT")])
@rule("PL-348", "PL-737")
def test_a_web_process_answers_ends_when_asked_and_logs_objects_only(tmp_path: Path, kind: str, variable: str):
    port = servers.free_port()
    process = started(tmp_path, WEB, kind, **{variable: str(port)})
    try:
        assert answer(port) == b"here"
    finally:
        process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=10)[0]
    assert process.returncode == 0
    assert {line["process"] for line in objects(said)} == {kind}


@rule("PL-348", "PL-737")
def test_a_worker_of_a_game_ends_when_asked_and_logs_objects_only(tmp_path: Path, redis_url: str):
    process = started(tmp_path, WORKER, REDIS_URL=redis_url)
    said = ""
    for line in process.stdout:
        said += line
        if "ready" in line:
            break
    process.send_signal(signal.SIGTERM)
    said += process.communicate(timeout=10)[0]
    assert "celery.apps.worker" in {line["module"] for line in objects(said)}


@pytest.mark.parametrize("promise", ["synchronous_commit=off", "synchronous_commit=local"])
@rule("PL-110")
def test_a_database_that_may_forget_is_refused_by_name(settings: Settings, promise: str):
    name, value = promise.split("=")
    with psycopg.connect(settings.database_url, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE cupboard_stream SET {name} = {value}")
        try:
            with pytest.raises(SettingRefused, match=promise):
                serve.refuse_forgetful(settings.database_of("stream"))
        finally:
            connection.execute(f"ALTER ROLE cupboard_stream RESET {name}")
    serve.refuse_forgetful(settings.database_of("stream"))


@rule("PL-110")
def test_a_postgres_without_fsync_is_refused_by_name(servers_folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(servers.POSTGRES_SETTINGS, "fsync", "off")
    server = servers.start_postgres(servers_folder / "forgetful")
    with pytest.raises(SettingRefused, match="fsync=off"):
        serve.refuse_forgetful(server.url)
    server.stop()


@rule("PL-771")
def test_a_process_tells_at_its_start_what_differs(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    told = []
    monkeypatch.setattr(serve, "read", lambda process: settings)
    monkeypatch.setattr(serve.log, "start", lambda *_: None)
    monkeypatch.setattr(serve.log, "get", lambda _: type("Told", (), {"info": lambda _, event, **facts: told.append(facts)})())
    serve.begin("stream", "stream")
    assert {facts["setting"] for facts in told} == {"CUPBOARD_LOCAL", "DATABASE_URL", "REDIS_URL"}
    assert not any(servers_password in str(told) for servers_password in [settings.database_url.split(":")[2].split("@")[0]])


@pytest.mark.parametrize(("words", "code"), [
    ([], cli.WRONG_USE), (["--help"], cli.DONE), (["nonsense"], cli.WRONG_USE), (["settings"], cli.DONE),
    (["migrate"], cli.REFUSED), (["serve", "league"], cli.REFUSED),
])
@rule("PL-681")
def test_commands_say_by_their_code_how_they_ended(words: list[str], code: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CUPBOARD_LOCAL", raising=False)
    assert cli.main(words) == code


@pytest.mark.parametrize("words", [["serve", "teapot"], ["serve", "game", "no_such_game"], ["settings", "--nonsense"]])
@rule("PL-681")
def test_a_wrong_word_is_wrong_use(words: list[str]):
    with pytest.raises(SystemExit, match="2"):
        cli.main(words)


@rule("PL-681")
def test_what_is_away_is_not_reachable_and_named_without_its_password(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    port = servers.free_port()
    settings = read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": f"postgresql://bo:sesame@127.0.0.1:{port}/x", "REDIS_URL": "redis://:sesame@10.0.0.9:1"})
    monkeypatch.setattr("shared.desk.here.settings", lambda process: settings)
    assert cli.main(["migrate", "--check"]) == cli.NOT_REACHABLE
    told = capsys.readouterr().err
    assert told.startswith(f"cupboard: not reachable: Postgres at 127.0.0.1:{port}: ")
    assert "sesame" not in told
    assert cli.away(Unavailable("PoolTimeout")) == f"Postgres at 127.0.0.1:{port}: no answer in time"
    assert cli.away(redis.ConnectionError("refused")) == "Redis at 10.0.0.9:1: refused"


@rule("PL-681", "PL-761")
def test_migrate_tells_and_does(empty_database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("shared.desk.here.settings", lambda process: read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": empty_database}))
    assert cli.main(["migrate", "--check", "--json"]) == cli.REFUSED
    waiting = json.loads(capsys.readouterr().out)["to_do"]
    assert cli.main(["migrate", "--json"]) == cli.DONE
    assert json.loads(capsys.readouterr().out)["carried_out"] == waiting
    assert cli.main(["migrate", "--check"]) == cli.DONE


@rule("PL-112")
def test_settings_shows_every_one(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["settings", "--json"]) == cli.DONE
    shown = json.loads(capsys.readouterr().out)
    assert shown["accept_budget"]["allowed"] == "0.2 to 5"
    assert shown["master_key"]["value"] in {"(unmarked)", "********"}
