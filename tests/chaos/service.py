"""How do worker and watch of the game that the settings name run so that a test can kill or stop them at a marked point? By a file that names it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path

from shared.runtime import log, watch, worker
from shared.runtime.registry import load, registered
from shared.runtime.settings import read
from shared.runtime.store import FateUnknown, Unavailable

ACTS = {"die": signal.SIGKILL, "stop": signal.SIGSTOP}


def point(folder: Path, name: str) -> None:
    """Whoever comes here first does what the file says, once."""
    for act, number in ACTS.items():
        try:
            (folder / f"{act}.{name}").unlink()
        except FileNotFoundError:
            continue
        os.kill(os.getpid(), number)


def main(kind: str) -> None:
    settings = read(process="worker")
    log.start(f"{kind} pebbles", settings.log_level)
    game = load(list(registered(settings.games).values())[-1])
    pointed = partial(worker.Worker, point=partial(point, Path(settings.folder)))
    setattr(worker, "Worker", pointed)  # noqa: B010 - celery_app makes one in each child
    if kind == "watch":
        loop(watch.Watch(game, settings), settings.watch_period)
    else:
        words = ["--quiet", "worker", "-O", "fair", "--without-gossip", "--without-mingle", "--pool=prefork", "--loglevel=warning"]
        worker.celery_app(game).worker_main([*words, f"--concurrency={settings.worker_processes}", f"--hostname=pebbles-{os.getpid()}@%h"])


def loop(one: watch.Watch, period: float) -> None:
    rest = threading.Event()
    while True:
        try:
            one.round()
        except (Unavailable, FateUnknown):
            log.get(__name__).warning("database_away")
        rest.wait(period)


if __name__ == "__main__":
    main(sys.argv[1])
