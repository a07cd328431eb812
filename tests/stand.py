"""How do tests run the real stack? Servers and processes of their own in one folder, on loopback, started again when they end."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from shared.runtime import processes
from shared.runtime.migrate import migrate
from shared.runtime.servers import Server, free_port, start_postgres, start_redis
from shared.runtime.settings import Settings, read

ROOT = Path(__file__).parents[1]
SERVE = [sys.executable, "-m", "shared.desk.cli", "serve"]
SAMPLE = [sys.executable, "-m", "tests.chaos.service"]
COMMANDS = {
    "gateway": [*SERVE, "gateway"], "stream": [*SERVE, "stream"], "worker": [*SAMPLE, "worker"], "watch": [*SAMPLE, "watch"],
    "naive-gateway": [sys.executable, "-m", "tests.bench.naive", "gateway"], "naive-worker": [sys.executable, "-m", "tests.bench.naive", "worker"],
}


class Stand:
    """Postgres, Redis and the processes of the sample game."""

    def __init__(self, folder: Path, **chosen: object) -> None:
        self.folder = folder
        self.postgres: Server = start_postgres(folder / "postgres")
        self.redis: Server = start_redis(folder / "redis")
        own = {
            "CUPBOARD_LOCAL": "1", "CUPBOARD_FOLDER": str(folder), "DATABASE_URL": self.postgres.url, "REDIS_URL": self.redis.url,
            "CUPBOARD_PORT": str(free_port()), "CUPBOARD_STREAM_PORT": str(free_port()), "CUPBOARD_RATE_LIMIT_FACTOR": "1000",
            "CUPBOARD_GAMES": "tests.laws.pebbles.game:GAME", "CUPBOARD_LOG_LEVEL": "warning",
        } | {f"CUPBOARD_{name.upper()}": str(value) for name, value in chosen.items()}
        self.settings: Settings = read(own)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CUPBOARD_", "DATABASE_URL", "REDIS_URL", "BROKER_URL"))}
        self.environ = kept | own | {"PYTHONPATH": str(ROOT)}
        self.children: dict[str, processes.Child] = {}
        self.starts: dict[str, int] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        migrate(self.settings.database_url, self.settings.passwords())

    def start(self, *names: str) -> None:
        for name in names:
            self.starts[name] = self.starts.get(name, 0) + 1
            self.children[name] = processes.start(COMMANDS[name], self.folder / f"{name}.log", environ=self.environ)

    def keep_up(self) -> threading.Thread:
        """What a supervisor does: whatever has ended is started again."""
        keeper = threading.Thread(target=self._keep, name="keeper", daemon=False)
        keeper.start()
        return keeper

    def _keep(self) -> None:
        while not self._over.wait(0.1):
            with self._lock:
                for name, child in list(self.children.items()):
                    if child.poll() is not None:
                        processes.end_orphans(child)
                        self.start(name)

    def end(self, *names: str) -> None:
        """These are no longer kept up."""
        with self._lock:
            gone = [self.children.pop(name) for name in names if name in self.children]
        processes.end(gone, patience=3.0)

    def close(self) -> None:
        self._over.set()
        with self._lock:
            children, self.children = list(self.children.values()), {}
        self.thaw(children)
        processes.end(children, signal.SIGTERM, patience=3.0)
        self.redis.kill()
        self.postgres.kill()

    def family(self, name: str) -> list[psutil.Process]:
        """The children of a process, if it runs."""
        child = self.children.get(name)
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(child.pid).children(recursive=True) if child else []
        return []

    def thaw(self, children: list[processes.Child] | None = None) -> None:
        """Whoever has been stopped goes on."""
        for child in children if children is not None else list(self.children.values()):
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGCONT)

    def until(self, is_so: Callable[[], bool], within: float, what: str) -> None:
        give_up = time.monotonic() + within
        while not is_so():
            if time.monotonic() > give_up:
                raise TimeoutError(f"{what}: not within {within} s\n{self.last_words()}")
            time.sleep(0.05)

    def last_words(self) -> str:
        logs = {path.stem: path.read_text(errors="replace").splitlines()[-12:] for path in sorted(self.folder.glob("*.log"))}
        return "\n".join(f"--- {name}\n" + "\n".join(lines) for name, lines in logs.items())

    def answers(self, port: int | None = None) -> bool:
        """Does the gateway (or whoever has this port) say that it is ready?"""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port or self.settings.port}/health/ready", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False
