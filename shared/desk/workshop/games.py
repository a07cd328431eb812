"""Which game is meant on a command line, under which options, and with which key?"""

from __future__ import annotations

import hashlib
import json
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
    if name not in places and ":" not in name:
        raise NoSuchGame(f"no game is called {name!r}; there are: {', '.join(names())}")
    return load(places.get(name, name))


def place_of(game: Game) -> str:
    """How a game is named on a command line."""
    if game.name in names():
        return game.name
    return f"{game.setup.__module__.rpartition('.')[0]}.game:GAME"


def options_of(game: Game, written: str) -> Any:
    """Options from JSON on a command line; raises ValueError with the reason."""
    try:
        return game.read_options(json.loads(written or "{}"))
    except (msgspec.ValidationError, TypeError) as error:
        raise ValueError(f"options: {error}") from error


def key_of(seed: int) -> bytes:
    """The match key that a seed of the simulator and the laws stands for."""
    return hashlib.sha256(f"simulate|{seed}".encode()).digest()
