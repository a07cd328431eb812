"""Which game is meant on a command line, under which options, and with which key?"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from shared.kernel.game import Game
from shared.runtime.registry import load, registered


class NoSuchGame(LookupError):
    """A name that no game has."""


def names() -> tuple[str, ...]:
    """The registered games, by name."""
    return tuple(sorted(registered()))


def named(name: str) -> Game:
    """A registered game, or one that is written as `package.module:GAME`."""
    places = registered()
    if name in places:
        return load(places[name])
    if ":" not in name:
        raise NoSuchGame(f"no game is called {name!r}; there are: {', '.join(names())}")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # a game that is not installed is looked for from here
    try:
        return load(name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise NoSuchGame(f"no game at {name}: {error}") from error


def place_of(game: Game) -> str:
    """How a game is named on a command line."""
    if game.name in names():
        return game.name
    return f"{game.setup.__module__.rpartition('.')[0]}.game:GAME"


def options_of(game: Game, written: str) -> Any:
    """Options from JSON on a command line; raises ValueError with the reason."""
    try:
        return game.read_options(msgspec.convert(json.loads(written or "{}"), dict))
    except (json.JSONDecodeError, msgspec.ValidationError, TypeError) as error:
        raise ValueError(f"options: {error}") from error


def key_of(seed: int | str) -> bytes:
    """The match key that a seed of the simulator and the laws stands for."""
    return hashlib.sha256(f"simulate|{seed}".encode()).digest()
