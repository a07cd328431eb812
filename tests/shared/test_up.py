"""Does the supervisor of the local run start everything, mend what dies, and leave nothing behind, however it ends?"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from shared.desk import up
from shared.runtime.servers import Server
from shared.runtime.settings import ROLES, UNMARKED, environment_name
from tests.ledger import rule

# The supervisor with two plain processes in the place of ours: one answers as the gateway does, one has a child of its own.
SUPERVISOR = """
import signal, sys
from shared.desk import up
up.table_of_processes = lambda: [
    up.Process("gateway", [sys.executable, "-c", sys.argv[1]], group=1),
    up.Process("game-plain", ["/bin/sh", "-c", "trap 'kill $!; exit 0' TERM QUIT; sleep 600 & wait"], group=2, orphaned=signal.SIGQUIT),
]
sys.exit(up.main(["--no-demo"]))
"""
GATEWAY = """
import http.server, os
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(str(os.getpid()).encode())
    def log_message(self, *words): pass
http.server.HTTPServer(("127.0.0.1", int(os.environ["CUPBOARD_PORT"])), Answer).serve_forever()
"""


class Run:
    """One run of the supervisor, and everybody it has started."""

    def __init__(self, folder: Path, environ: dict[str, str]):
        self.folder = folder
        self.process = subprocess.Popen([sys.executable, "-c", SUPERVISOR, GATEWAY], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env={**os.environ, "CUPBOARD_FOLDER": str(folder), **environ})
        self.said = ""

    def ready(self) -> "Run":
        for line in self.process.stdout:
            self.said += line
            if "ready" in line:
                self.family = psutil.Process(self.process.pid).children(recursive=True)
                return self
        raise AssertionError(self.said)

    def pid_of(self, name: str) -> int:
        file = self.folder / ("pids" if "-" in name or name == "gateway" else name) / (name if "-" in name or name == "gateway" else "pid")
        return int(file.read_text().split()[0])

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        self.said += self.process.communicate(timeout=20)[0]
        return self.process.returncode

    def left(self) -> list[psutil.Process]:
        _, still = psutil.wait_procs(self.family, timeout=0.1)
        return [one for one in still if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def until(what: Callable[[], bool], patience: float = 10.0) -> bool:
    give_up = time.monotonic() + patience
    while not what() and time.monotonic() < give_up:
        time.sleep(0.05)
    return what()


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cupboard-up-") as made:
        Path(made).chmod(0o711)
        yield Path(made)


@pytest.fixture
def borrowed(database: str, redis_server: Server) -> dict[str, str]:
    """Servers that are there already, so that a run is up in a moment, and the passwords that their other users expect."""
    passwords = {environment_name(f"{role}_password"): UNMARKED for role in ROLES}
    return {"DATABASE_URL": database, "REDIS_URL": redis_server.url, **passwords}


@rule("PL-781", "PL-782")
def test_a_run_starts_its_own_servers_mends_them_and_can_be_started_again(folder: Path):
    run = Run(folder, {}).ready()
    assert re.search(r"postgres on port \d+", run.said)
    assert re.search(r"redis on port \d+", run.said)
    assert "http://127.0.0.1:" in run.said
    before = {name: run.pid_of(name) for name in ("gateway", "postgres", "redis", "game-plain")}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    assert until(lambda: all(run.pid_of(name) != pid for name, pid in before.items()))
    run.family += psutil.Process(run.process.pid).children(recursive=True)
    began = time.monotonic()
    assert run.end(signal.SIGTERM) == 0
    assert time.monotonic() - began < 15
    assert run.left() == []
    kept = (folder / "secrets.json").read_text()
    again = Run(folder, {}).ready()
    assert again.end(signal.SIGINT) == 0
    assert again.left() == []
    assert (folder / "secrets.json").read_text() == kept


@rule("PL-782")
@pytest.mark.skipif(sys.platform != "linux", reason="only there does the kernel tell the children")
def test_a_killed_run_leaves_no_process_behind(folder: Path, borrowed: dict[str, str]):
    run = Run(folder, borrowed).ready()
    run.process.kill()
    assert until(lambda: run.left() == [])


@rule("PL-782")
def test_a_second_run_on_the_same_folder_is_refused(folder: Path, borrowed: dict[str, str]):
    first = Run(folder, borrowed).ready()
    second = Run(folder, borrowed)
    assert second.process.wait(10) == 1
    assert "already runs" in second.process.stdout.read()
    assert first.end(signal.SIGTERM) == 0


@rule("PL-782")
def test_a_free_port_is_chosen_when_the_one_asked_for_is_taken(folder: Path, borrowed: dict[str, str], redis_server: Server):
    run = Run(folder, borrowed | {"CUPBOARD_PORT": str(redis_server.port)}).ready()
    assert f":{redis_server.port} " not in run.said
    run.end(signal.SIGTERM)


@rule("PL-771", "PL-815")
def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUPBOARD_MASTER_KEY", "given")
    first = up.kept_secrets(tmp_path / "secrets.json")
    assert first == up.kept_secrets(tmp_path / "secrets.json")
    assert first["CUPBOARD_MASTER_KEY"] == "given" not in json.loads((tmp_path / "secrets.json").read_text()).values()
    assert len(set(first.values())) == len(first) == 7
    assert (tmp_path / "secrets.json").stat().st_mode & 0o077 == 0


def test_what_keeps_ending_waits_longer_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(up, "FIRST_PAUSE", 0.1)
    (tmp_path / "logs").mkdir()
    (tmp_path / "pids").mkdir()
    process, starts = up.Process("flighty", ["/bin/false"], group=2), []
    give_up = time.monotonic() + 20.0
    while len(starts) < 4 and time.monotonic() < give_up:
        before = process.started
        up.keep_up(tmp_path, dict(os.environ), [process], [])
        if process.started != before:
            starts.append(process.started)
        time.sleep(0.01)
    pauses = [later - sooner for sooner, later in pairwise(starts)]
    assert [pause >= least for pause, least in zip(pauses, (0.1, 0.2, 0.4), strict=True)] == [True, True, True]


@rule("PL-782", "PL-112")
def test_logs_are_bounded_and_their_writers_go_on(folder: Path, borrowed: dict[str, str]):
    """A running process keeps its log open: it writes on at the beginning, and one older part is kept."""
    run = Run(folder, borrowed | {"CUPBOARD_LOG_BYTES": "64KiB"}).ready()
    log = folder / "logs" / "game-plain.log"
    with log.open("ab") as writer:      # as the process itself has it open
        writer.write(b"x" * 70_000 + b"\n")
        writer.flush()
        assert until(lambda: log.stat().st_size == 0)
        writer.write(b"and on\n")
        writer.flush()
    assert log.read_bytes() == b"and on\n"
    assert log.with_name("game-plain.log.1").stat().st_size == 70_001
    assert run.end(signal.SIGTERM) == 0
