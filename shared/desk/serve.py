"""How does one process start? `cupboard serve gateway|stream|game NAME|watch NAME|league|relay`."""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

import psycopg

from shared.runtime import log, vitals
from shared.runtime.settings import SettingRefused, Settings, environment_name, read

MEMORY = "/dev/shm"     # noqa: S108  gunicorn takes a slow disk for a dead child, and its file there has a name of its own
PROMISES = ("fsync", "synchronous_commit", "full_page_writes")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard serve", description="Starts one process of the service and stays with it.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind in KINDS:
        one = kinds.add_parser(kind)
        if kind in {"game", "watch"}:
            one.add_argument("name", choices=[entry.name for entry in entry_points(group="cupboard.games")])
    wanted = parser.parse_args(argv)
    if wanted.kind == "stream":
        cooperate()
    role, start = KINDS[wanted.kind]
    settings = begin(" ".join(filter(None, [wanted.kind, getattr(wanted, "name", "")])), role)
    return start(settings, *([wanted.name] if "name" in wanted else []))


def begin(process: str, role: str) -> Settings:
    """PL-771, PL-110 Tells what differs from the defaults, and refuses a database that would not keep its word."""
    settings = read(process=role)
    log.start(process, settings.log_level)
    logger = log.get(__name__)
    for name, value, default in settings.changed():
        logger.info("setting_changed", setting=environment_name(name), value=value, default=default)
    refuse_forgetful(settings.database_of(role))
    if settings.vitals_port:
        checks = importlib.import_module(CHECKS[role]).checks(settings) if role in CHECKS else {}
        vitals.serve(settings.vitals_port, settings.database_of(role), checks)
    return settings


def refuse_forgetful(url: str) -> None:
    """PL-110 Without these a confirmed commit may be lost, and with it what was answered 202."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        for promise in PROMISES:
            value = connection.execute("SELECT current_setting(%s)", (promise,)).fetchall()[0][0]
            if value in {"off", "local"}:
                raise SettingRefused(f"Postgres says {promise}={value}: it must be on, or accepted commands could be lost")


def gateway(settings: Settings) -> int:
    return gunicorn("services.gateway.app:create_app()", {
        "bind": f"{settings.host}:{settings.port}", "workers": settings.gateway_processes,
        "worker-class": "gthread", "threads": settings.gateway_threads, "graceful-timeout": 5, "keep-alive": 30,
    })


def stream(settings: Settings) -> int:
    return gunicorn("services.gateway.stream:create_app()", {
        "bind": f"{settings.host}:{settings.stream_port}", "workers": settings.stream_processes,
        "worker-class": "gevent", "worker-connections": 5_000, "graceful-timeout": 2,
    })


def cooperate() -> None:
    """Starts the stream again with gevent in place before anything else is imported: a driver that came first would block it whole."""
    from gevent import monkey
    if not monkey.is_module_patched("socket"):
        os.execv(sys.executable, [sys.executable, "-m", "gevent.monkey", "--module", "shared.desk.cli", "serve", "stream"])  # noqa: S606


def gunicorn(app: str, options: Mapping[str, object]) -> int:
    """The app is made in each child after the fork, so no connection is ever shared between them."""
    from gunicorn.app.wsgiapp import WSGIApplication
    memory = [f"--worker-tmp-dir={MEMORY}"] if os.access(MEMORY, os.W_OK) else []
    sys.argv = ["gunicorn", *(f"--{name}={value}" for name, value in options.items()), *memory,
                "--no-control-socket", "--logger-class=shared.desk.gunicorn_log.GunicornLog", app]
    WSGIApplication("%(prog)s [OPTIONS] [APP_MODULE]", prog="gunicorn").run()
    return 0


def game(settings: Settings, name: str) -> int:
    """The worker's own module says which queues it takes from."""
    from celery import signals
    signals.setup_logging.connect(_leave_logging_alone)
    setattr(sys, "__stdout__", None)    # noqa: B010  where Celery says, past every log, that it is shutting down
    package = entry_points(group="cupboard.games")[name].module.rpartition(".")[0]
    importlib.import_module(f"{package}.worker").app.worker_main([
        "--quiet", "worker", "-O", "fair", "--without-gossip", "--without-mingle", "--pool=prefork", f"--loglevel={settings.log_level}",
        f"--concurrency={settings.worker_processes}", f"--hostname={name}-{os.getpid()}@%h"])
    return 0


def watch(_settings: Settings, name: str) -> int:
    return run("shared.runtime.watch", name)


def league(_settings: Settings) -> int:
    return run("services.league.tasks")


def relay(_settings: Settings) -> int:
    return run("services.relay.tasks")


def run(module: str, *words: str) -> int:
    return int(importlib.import_module(module).main(*words) or 0)


def _leave_logging_alone(**_: object) -> None:
    """Celery sets up logging of its own unless somebody listens to this signal."""


# The kind of process: whose secrets and which database role it needs, and how it starts.
KINDS: Mapping[str, tuple[str, Callable[..., int]]] = {
    "gateway": ("gateway", gateway), "stream": ("stream", stream), "game": ("worker", game), "watch": ("worker", watch),
    "league": ("league", league), "relay": ("relay", relay),
}
# What else the readiness of a process asks for, by its role.
CHECKS: Mapping[str, str] = {"league": "services.league.health"}
