"""What does a game show of itself? Its board and its page of rules, found by its registration and never imported."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path

from flask import Response, abort

from services.gateway.edge.gate import gate
from services.gateway.web.blueprint import file_of, pages
from services.gateway.web.short_rules import Block, short_rules
from shared.runtime.registry import registered

KINDS = frozenset({".js", ".css", ".svg"})


@pages.get("/boards/<game>/<name>")
def board_file(game: str, name: str) -> Response:
    folder = _board(game)
    if folder is None or Path(name).suffix not in KINDS:
        abort(404)
    return file_of(folder, name)


def board_of(game: str) -> dict[str, str]:
    """The addresses of a game's module and style, as far as it has them."""
    folder = _board(game)
    found = {kind: f"board.{kind}" for kind in ("js", "css")}
    return {kind: f"/boards/{game}/{name}" for kind, name in found.items() if folder and (folder / name).is_file()}


def short_rules_of(game: str) -> list[Block]:
    home = home_of(game, gate().settings.games)
    return short_rules(home / "README.md") if home else []


def _board(game: str) -> Path | None:
    home = home_of(game, gate().settings.games)
    return home / "board" if home and (home / "board").is_dir() else None


@functools.cache
def home_of(game: str, more: str) -> Path | None:
    """The folder of a registered game."""
    place = registered(more).get(game)
    if place is None:
        return None
    found = importlib.util.find_spec(place.partition(":")[0].rpartition(".")[0])
    return Path(next(iter(found.submodule_search_locations))) if found and found.submodule_search_locations else None
