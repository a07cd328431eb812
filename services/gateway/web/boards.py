"""Which picture does a game draw? Files of the folder `board` beside it, found by its registration and never imported."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path

from flask import Response, abort

from services.gateway.edge.gate import gate
from services.gateway.web.blueprint import file_of, pages
from shared.runtime.registry import registered

KINDS = frozenset({".js", ".css", ".svg"})


@pages.get("/boards/<game>/<name>")
def board_file(game: str, name: str) -> Response:
    folder = folder_of(game, gate().settings.games)
    if folder is None or Path(name).suffix not in KINDS:
        abort(404)
    return file_of(folder, name)


def board_of(game: str) -> dict[str, str]:
    """The addresses of a game's module and style, as far as it has them."""
    folder = folder_of(game, gate().settings.games)
    found = {kind: f"board.{kind}" for kind in ("js", "css")}
    return {kind: f"/boards/{game}/{name}" for kind, name in found.items() if folder and (folder / name).is_file()}


@functools.cache
def folder_of(game: str, more: str) -> Path | None:
    place = registered(more).get(game)
    if place is None:
        return None
    package = place.partition(":")[0].rpartition(".")[0]
    found = importlib.util.find_spec(package)
    folder = Path(next(iter(found.submodule_search_locations))) / "board" if found and found.submodule_search_locations else None
    return folder if folder and folder.is_dir() else None
