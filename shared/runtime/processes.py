"""How does a child process start, and how does it surely end? Each in a group of its own, none outliving whoever started it."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

import psutil

Child = subprocess.Popen[bytes]
PR_SET_PDEATHSIG = 1


def start(argv: Sequence[str | Path], log: Path | None, *, owner: pwd.struct_passwd | None = None,
          with_parent: signal.Signals = signal.SIGTERM, environ: Mapping[str, str] | None = None) -> Child:
    """Its words go to the log, or to the terminal if there is none.

    On Linux the kernel sends it `with_parent` when the thread that started it ends, even by kill -9.
    """
    parent = os.getpid()
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def last_step_before_exec() -> None:
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)  # a shell starts what runs in its background with these ignored
        if prctl:
            prctl(PR_SET_PDEATHSIG, int(with_parent), 0, 0, 0)   # only now: a change of user would clear it
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGKILL)

    rights = (owner.pw_uid, owner.pw_gid) if owner else (None, None)
    with log.open("ab") if log else nullcontext() as lines:
        return subprocess.Popen(
            [str(part) for part in argv], stdin=subprocess.DEVNULL, stdout=lines, stderr=lines, start_new_session=True,
            user=rights[0], group=rights[1], extra_groups=[] if owner else None, cwd="/" if owner else None,
            env=environ, preexec_fn=last_step_before_exec)  # noqa: PLW1509  no other thread runs yet where this is called


def bound(log: Path, most: int) -> None:
    """A log that its writer keeps open does not grow without end: what it holds moves to a second file, in place of what lay there.

    Writers append, so they go on at its new beginning; what is written while it moves may be lost.
    """
    if log.exists() and log.stat().st_size > most:
        shutil.copyfile(log, log.with_name(f"{log.name}.1"))
        os.truncate(log, 0)


def end_with_parent() -> None:
    """A child that a library has forked ends with its parent, whatever ends that: without it nobody would tell it anything."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def end(children: Sequence[Child], number: signal.Signals = signal.SIGTERM, patience: float = 10.0) -> None:
    """Asks all of them at once, waits, and then takes along whatever they or their own children have left."""
    give_up = time.monotonic() + patience
    families = [one for child in children for one in _descendants(child.pid)]
    for child in children:
        if child.poll() is None:
            child.send_signal(number)
    for child in children:
        try:
            child.wait(max(0.0, give_up - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    _kill_after(families, min(0.5, patience))


def end_orphans(child: Child) -> None:
    """Ends whatever is left of the group of a child that has just been found dead."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def note(child: Child, file: Path) -> None:
    """Writes down who it is, for `end_leftover` of a later run: a number alone might by then be somebody else's."""
    try:
        file.write_text(f"{child.pid} {psutil.Process(child.pid).create_time()}\n")
    except psutil.NoSuchProcess:
        file.unlink(missing_ok=True)


def end_leftover(file: Path, patience: float = 10.0) -> None:
    """Ends a process that an earlier run noted in this file, with its children, if it is still there."""
    pid, since = (file.read_text().split() if file.exists() else None) or ("0", "0")
    if int(pid) and psutil.pid_exists(int(pid)):
        left = psutil.Process(int(pid))
        if abs(left.create_time() - float(since)) < 0.1:
            families = [left, *_descendants(left.pid)]
            left.terminate()
            _kill_after(families, patience)
    file.unlink(missing_ok=True)


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return list(psutil.Process(pid).children(recursive=True))
    except psutil.NoSuchProcess:
        return []


def _kill_after(those: Sequence[psutil.Process], patience: float) -> None:
    _, still = psutil.wait_procs(those, timeout=patience)
    for one in still:
        one.kill()
