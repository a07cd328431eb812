"""How does all of it run on one machine? Servers, processes and a demonstration under one supervisor: `cupboard up`."""

import argparse
import fcntl
import json
import os
import secrets
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from shared.desk import here
from shared.runtime import processes
from shared.runtime.migrate import migrate
from shared.runtime.servers import Server, ServerMissing, free_port, start_postgres, start_redis
from shared.runtime.settings import ROWS, Settings, environment_name, read

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0      # seconds between two starts of a process that keeps ending
STEADY = 30.0               # after a life of so many seconds an end is no longer counted with those before
STOPPING = 3.5              # seconds for each group to end by itself


@dataclass
class Process:
    """One of our own processes, started again when it ends."""

    name: str
    argv: list[str]
    group: int                                          # who ends first: 0 those who ask, 1 those who answer, 2 those who work
    orphaned: signal.Signals = signal.SIGTERM           # what tells it that the supervisor has been killed
    once: bool = False                                  # speaks to the terminal, and is done when it ends
    child: processes.Child | None = None
    started: float = 0.0
    ends: int = 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard up", description="Runs everything on this machine until Ctrl-C.")
    parser.add_argument("--no-demo", action="store_true", help="without the demonstration championship")
    wanted = parser.parse_args(argv)
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopping.set())
    folder = Path(read(process="up").folder).absolute()
    try:
        with only_one(folder):
            run(folder, stopping, demo=not wanted.no_demo and find_spec("shared.desk.demo") is not None)
    except (ServerMissing, BlockingIOError) as trouble:
        print(f"cupboard: {trouble}", file=sys.stderr)
        return 1
    return 0


def run(folder: Path, stopping: threading.Event, *, demo: bool) -> None:
    for left in (folder / "pids").iterdir():
        processes.end_leftover(left)
    environ = {**os.environ, **kept_secrets(folder / "secrets.json"), "CUPBOARD_LOCAL": "1", "CUPBOARD_FOLDER": str(folder)}
    servers: list[Server] = []
    team: list[Process] = []
    try:
        start_servers(folder, environ, servers)
        settings = choose_addresses(environ)
        here.write_down(folder, environ)
        for name in migrate(settings.database_url, settings.passwords()):
            say("migrated", name)
        team += table_of_processes()
        greeting = greet(settings, team, demo=demo)
        while not stopping.wait(0.2):
            keep_up(folder, environ, team, servers)
            for log in (*(folder / "logs").glob("*.log"), *(server.folder / "log" for server in servers)):
                processes.bound(log, settings.log_bytes)
            next(greeting, None)
    finally:
        stop(team, servers)


def start_servers(folder: Path, environ: dict[str, str], servers: list[Server]) -> None:
    """PL-781 Only those that nobody has given an address of."""
    for variable, what, start in (("DATABASE_URL", "postgres", start_postgres), ("REDIS_URL", "redis", start_redis)):
        if not environ.get(variable):
            servers.append(start(folder / what))
            environ[variable] = servers[-1].url
            say("started", f"{what} on port {servers[-1].port}")


def choose_addresses(environ: dict[str, str]) -> Settings:
    """PL-782 The ports asked for, or free ones where they are taken."""
    asked = read(environ)
    environ["CUPBOARD_PORT"] = str(free_port(asked.port))
    environ["CUPBOARD_STREAM_PORT"] = str(free_port(asked.stream_port))
    environ["CUPBOARD_STREAM_URL"] = asked.stream_url or f"http://{asked.host}:{environ['CUPBOARD_STREAM_PORT']}"
    return read(environ)


def kept_secrets(file: Path) -> dict[str, str]:
    """Secrets of this installation, made at its first start and readable by its owner only."""
    names = [environment_name(name) for name, row in ROWS.items() if row.metadata["unit"] == "secret"]
    kept: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    kept |= {name: secrets.token_urlsafe(32) for name in names if name not in kept}
    file.touch(mode=0o600)
    file.write_text(json.dumps(kept, indent=2))
    return kept | {name: os.environ[name] for name in names if os.environ.get(name)}


def table_of_processes() -> list[Process]:
    games = [entry.name for entry in entry_points(group="cupboard.games")]
    return [
        Process("gateway", command("serve", "gateway"), group=1),
        Process("stream", command("serve", "stream"), group=1),
        Process("league", command("serve", "league"), group=2),
        Process("relay", command("serve", "relay"), group=2),
        *(Process(f"game-{game}", command("serve", "game", game), group=2, orphaned=signal.SIGKILL) for game in games),
        *(Process(f"watch-{game}", command("serve", "watch", game), group=2) for game in games),
    ]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "shared.desk.cli", *words]


def keep_up(folder: Path, environ: Mapping[str, str], team: list[Process], servers: list[Server]) -> None:
    for server in servers:
        if not server.alive():
            say("ended", f"{server.folder.name}; starting it again")
            server.start()
    for process in team:
        if process.child is None:
            start(process, folder, environ)
        elif process.child.poll() is not None and not process.once:
            revive(process, folder, environ)


def start(process: Process, folder: Path, environ: Mapping[str, str]) -> None:
    log = None if process.once else folder / "logs" / f"{process.name}.log"
    process.child = processes.start(process.argv, log, with_parent=process.orphaned, environ=environ)
    process.started = time.monotonic()
    processes.note(process.child, folder / "pids" / process.name)


def revive(process: Process, folder: Path, environ: Mapping[str, str]) -> None:
    """The more often it has just ended, the longer it has to wait."""
    since = time.monotonic() - process.started
    if since > STEADY:
        process.ends = 0
    if since >= min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** process.ends):
        assert process.child is not None
        process.ends += 1
        processes.end_orphans(process.child)
        say("ended", f"{process.name} with {process.child.returncode}; started again (see {folder / 'logs' / process.name}.log)")
        start(process, folder, environ)


def greet(settings: Settings, team: list[Process], *, demo: bool) -> Iterator[None]:
    """Waits, one look at a time, for the gateway to answer; then tells the address and lets the demonstration begin."""
    while not answers(settings.origin):
        yield
    say("ready", f"{settings.origin}   (Ctrl-C stops everything)")
    if demo:
        team.append(Process("demo", command("demo"), group=0, once=True))


def answers(origin: str) -> bool:
    try:
        with urllib.request.urlopen(f"{origin}/health/live", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def stop(team: list[Process], servers: list[Server]) -> None:
    """Nobody loses the one they depend on before they have ended themselves."""
    say("stopping", "what is accepted stays accepted")
    for group in range(3):
        processes.end([process.child for process in team if process.child and process.group == group], patience=STOPPING)
    for server in reversed(servers):
        server.stop()


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Raises BlockingIOError if somebody else runs on this folder; the kernel lets go of the lock however we end."""
    for part in ("logs", "pids"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            raise BlockingIOError(f"it already runs in {folder}") from taken
        yield


def say(what: str, more: str) -> None:
    print(f"  {what:<10} {more}", flush=True)
