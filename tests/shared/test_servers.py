"""Do the servers of the local run start, end, keep their files, and refuse to outlive whoever started them?"""

import os
import pwd
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from shared.runtime import servers
from shared.runtime.servers import Server
from tests.ledger import rule

STARTS_BOTH = """
import sys, time
from pathlib import Path
from shared.runtime import servers
both = servers.start_postgres(Path(sys.argv[1]) / "postgres"), servers.start_redis(Path(sys.argv[1]) / "redis")
print(*(server.pid for server in both), flush=True)
time.sleep(60)
"""


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def one(url: str, question: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(question).fetchone()
    return row and row[0]


@pytest.mark.parametrize("promise", ["fsync", "synchronous_commit", "full_page_writes"])
@rule("PL-102", "PL-110")
def test_postgres_keeps_what_it_has_confirmed(postgres_server: Server, promise: str):
    assert one(postgres_server.url, f"SHOW {promise}") == "on"


@rule("PL-782")
def test_postgres_has_its_files_and_port_again_after_kill_and_stop(servers_folder: Path):
    server = servers.start_postgres(servers_folder / "killed")
    port = server.port
    with psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
    server.kill()
    with pytest.raises(psycopg.OperationalError):
        one(server.url, "SELECT 1")
    server.start()
    assert one(server.url, "SELECT seven FROM kept") == 7
    server.stop()
    again = servers.start_postgres(servers_folder / "killed")
    assert (again.port, one(again.url, "SELECT seven FROM kept")) == (port, 7)
    again.stop()
    assert gone(again.pid)


@rule("PL-770")
def test_redis_never_evicts_and_keeps_nothing_on_disk(redis_server: Server):
    with redis.Redis.from_url(redis_server.url, decode_responses=True) as connection:
        told = {name: connection.config_get(name)[name] for name in ("maxmemory-policy", "save", "appendonly")}
    assert told == {"maxmemory-policy": "noeviction", "save": "", "appendonly": "no"}


@rule("PL-815")
def test_redis_needs_its_password(redis_server: Server):
    with redis.Redis(port=redis_server.port, retry=None) as connection, pytest.raises(redis.AuthenticationError):
        connection.ping()


@rule("PL-815")
def test_passwords_lie_where_only_their_owner_reads(postgres_server: Server):
    assert postgres_server.folder.stat().st_mode & 0o077 == 0
    assert (postgres_server.folder / "password").stat().st_mode & 0o077 == 0


def test_redis_starts_again_after_kill(servers_folder: Path):
    server = servers.start_redis(servers_folder / "killed_redis")
    port = server.port
    server.kill()
    assert not server.alive()
    server.start()
    with redis.Redis.from_url(server.url) as connection:
        assert connection.ping()
    assert server.port == port
    server.stop()


@rule("PL-782")
@pytest.mark.skipif(sys.platform != "linux", reason="only there does the kernel tell the children")
def test_servers_end_when_their_starter_is_killed(servers_folder: Path):
    folder = servers_folder / "orphans"
    folder.mkdir()
    folder.chmod(0o711)
    with subprocess.Popen([sys.executable, "-c", STARTS_BOTH, folder], stdout=subprocess.PIPE, text=True) as starter:
        pids = [int(word) for word in starter.stdout.readline().split()]
        starter.kill()
    give_up = time.monotonic() + 10
    while not all(map(gone, pids)) and time.monotonic() < give_up:
        time.sleep(0.05)
    assert [pid for pid in pids if not gone(pid)] == []
    servers.start_redis(folder / "redis").stop()


@rule("PL-782")
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("useradd"), reason="only root can become somebody else")
@pytest.mark.skipif(any(not place.stat().st_mode & 0o001 for place in Path(servers.__file__).parents), reason="nobody else can read this code")
def test_an_ordinary_user_can_start_them_too(servers_folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUPBOARD_POSTGRES_BIN", str(servers.reachable(servers.find_postgres())))
    monkeypatch.setenv("CUPBOARD_REDIS_BIN", str(servers.reachable(servers.find_redis())))
    folder = servers_folder / "ordinary"
    folder.mkdir()
    subprocess.run(["useradd", "--system", "--no-create-home", "cupboard-tester"], check=False, capture_output=True)
    user = pwd.getpwnam("cupboard-tester")
    os.chown(folder, user.pw_uid, user.pw_gid)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgroups([])
            os.setgid(user.pw_gid)
            os.setuid(user.pw_uid)
            both = [servers.start_postgres(folder / "postgres"), servers.start_redis(folder / "redis")]
            code = 0 if psutil.Process(both[0].pid).uids().real == user.pw_uid else 2
            for server in both:
                server.stop()
        finally:
            os._exit(code)
    ended = os.waitpid(child, 0)[1]
    subprocess.run(["userdel", "cupboard-tester"], check=False, capture_output=True)
    assert ended == 0


@rule("PL-782")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts servers as somebody else")
def test_root_may_keep_them_where_nobody_else_can_look(tmp_path: Path):
    tmp_path.chmod(0o700)
    server = servers.start_postgres(tmp_path / "postgres")
    assert psutil.Process(server.pid).uids().real != 0
    assert one(server.url, "SELECT 1") == 1
    server.stop()
    shutil.rmtree((tmp_path / "postgres").resolve())


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(servers, "WHEELS", ("no_such_wheel", "no_such_wheel"))
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(servers.ServerMissing, match="CUPBOARD_REDIS_BIN"):
        servers.find_redis()


def test_a_program_that_ends_at_once_is_told_with_its_last_words(servers_folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(servers, "PATIENCE", 0.3)
    monkeypatch.setitem(servers.REDIS_SETTINGS, "databases", "none")
    with pytest.raises(servers.ServerMissing, match=r"(?s)did not start.*databases"):
        servers.start_redis(servers_folder / "broken")


@rule("PL-782")
def test_a_taken_port_is_left_alone(redis_server: Server):
    assert servers.free_port(redis_server.port) not in {0, redis_server.port}


def test_a_leftover_number_of_somebody_else_is_not_ended(tmp_path: Path):
    with subprocess.Popen(["sleep", "30"]) as stranger:
        (tmp_path / "pid").write_text(f"{stranger.pid} 1.0\n")
        servers.processes.end_leftover(tmp_path / "pid")
        assert stranger.poll() is None
        servers.processes.note(stranger, tmp_path / "pid")
        servers.processes.end_leftover(tmp_path / "pid", patience=0.1)
        assert stranger.wait(5) is not None
