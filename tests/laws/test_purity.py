"""Are rules pure? A match is played while clock, network, files, environment and every other chance are forbidden."""

import builtins
import os
import random
import secrets
import socket
import sys
import time
import uuid
from datetime import date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

from shared.desk.workshop.games import key_of
from shared.desk.workshop.wild import wild
from tests.laws.driver import Setting, again
from tests.laws.readers import view_of
from tests.ledger import rule

FORBIDDEN: dict[object, tuple[str, ...]] = {
    time: ("time", "time_ns", "monotonic", "perf_counter", "sleep", "localtime", "gmtime"),
    random: ("random", "randrange", "randint", "choice", "choices", "shuffle", "sample", "seed", "getrandbits", "Random"),
    secrets: ("token_bytes", "token_hex", "randbelow", "choice"),
    uuid: ("uuid1", "uuid4"),
    os: ("urandom", "getenv", "getpid", "listdir", "stat", "system"),
    socket: ("socket", "create_connection", "getaddrinfo"),
    Path: ("read_text", "read_bytes", "open", "iterdir", "exists"),
    builtins: ("open", "print", "input"),
}


class _NoClock(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> NoReturn:
        raise AssertionError("a rule looks at the clock")

    utcnow = today = now


class _NoCalendar(date):
    @classmethod
    def today(cls) -> NoReturn:
        raise AssertionError("a rule looks at the calendar")


@rule("PL-343")
def test_rules_touch_nothing_but_their_dice(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    options, key, game = setting.options, key_of(1), setting.game
    with monkeypatch.context() as forbid:
        for owner, calls in FORBIDDEN.items():
            for call in calls:
                forbid.setattr(owner, call, _refusing(call))
        forbid.setattr(os, "environ", _Forbidden())
        for module in _modules_of(game.empty.__module__):
            for name, value in list(vars(module).items()):
                if value in (datetime, date):
                    forbid.setattr(module, name, _NoClock if value is datetime else _NoCalendar)
        failure = _played(setting, options, key)
    if failure is not None:
        with again(setting, 1):
            raise failure


def _played(setting: Setting, options: Any, key: bytes) -> Exception | None:
    """Plays and looks; an error is kept until files may be read again, since telling it needs them."""
    try:
        for moment in wild(setting.game, setting.seats, options, key):
            if moment.after.step % 4 == 1:
                view_of(setting.game, moment.after, None)
                view_of(setting.game, moment.after, 0)
    except Exception as error:  # noqa: BLE001 - raised again by the test
        return error
    return None


def _refusing(call: str) -> Any:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError(f"a rule calls {call}")

    return refuse


class _Forbidden(dict[str, str]):
    def __getitem__(self, key: str) -> NoReturn:
        raise AssertionError(f"a rule reads the environment: {key}")

    get = __contains__ = __getitem__  # type: ignore[assignment]


def _modules_of(module: str) -> list[ModuleType]:
    package = module.rpartition(".")[0]
    return [loaded for name, loaded in sys.modules.items() if name == package or name.startswith(package + ".")]
