"""Which games are there? Those registered under the entry point group `cupboard.games`, and those a setting names."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from shared.kernel.game import Game

GROUP = "cupboard.games"


def registered(more: str = "") -> dict[str, str]:
    """Name of each game and where its value lies, `module:NAME`; `more` is the setting `games`, separated by commas."""
    places = {point.name: point.value for point in entry_points(group=GROUP)}
    extra = (place.strip() for place in more.split(",") if place.strip())
    return {**places, **{place.split(":")[0].split(".")[-2]: place for place in extra}}


def load(place: str) -> Game:
    """The game at `module:NAME`."""
    module, _, name = place.partition(":")
    game = getattr(import_module(module), name)
    if not isinstance(game, Game):
        raise TypeError(f"{place} is not a Game")
    return game
