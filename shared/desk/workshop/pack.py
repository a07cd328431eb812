"""Which content is there, and is a pack of one's own right? `cupboard pack list`, `pack show GAME`, `pack check FOLDER --game GAME`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from shared.desk.workshop.games import NoSuchGame, named, names
from shared.kernel.content import Pack, PackError, load_pack
from shared.kernel.game import Game


def content_of(game: Game) -> Any:
    """The content room of a game: it has PACK, FOLDER, and `checked` if a pack can be wrong in more than its shape."""
    return importlib.import_module(f"{game.setup.__module__.rpartition('.')[0]}.content")


def check(game: Game, folder: Path) -> Pack[Any]:
    """The pack in this folder; raises PackError, which names every fault."""
    room = content_of(game)
    pack = load_pack(folder, type(room.PACK.content))
    checked: Callable[[Pack[Any]], Pack[Any]] = getattr(room, "checked", lambda unchanged: unchanged)
    return checked(pack)


def summary(game: Game, pack: Pack[Any]) -> dict[str, Any]:
    """Its parts and how many entries each has."""
    plain = msgspec.to_builtins(pack.content)
    about = plain.pop("pack", {})
    parts = {part: len(entries) if isinstance(entries, list | tuple | dict) else 1 for part, entries in plain.items()}
    return {
        "game": game.name,
        "pack": about.get("id", "?"),
        "version": about.get("version", "?"),
        "hash": pack.hash,
        "parts": parts,
    }


def main(argv: list[str]) -> int:
    given = _parser().parse_args(argv)
    try:
        match given.what:
            case "list":
                found = [summary(game, content_of(game).PACK) for game in map(named, names())]
            case "check":
                game = named(given.game)
                found = [summary(game, check(game, given.folder))]
            case _:
                return _show(content_of(named(given.game)).PACK, given.part)
    except NoSuchGame as error:
        print(f"cupboard pack: {error}", file=sys.stderr)
        return 2
    except PackError as error:
        print(json.dumps({"faults": str(error).splitlines()}) if given.json else error)
        return 1
    except OSError as error:
        print(f"cupboard pack: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    for line in found:
        print(json.dumps(line) if given.json else _line(line))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupboard pack", description=__doc__)
    kinds = parser.add_subparsers(dest="what", required=True)
    listed = kinds.add_parser("list", help="the pack of every registered game")
    shown = kinds.add_parser("show", help="what is in a pack, as JSON")
    shown.add_argument("game")
    shown.add_argument("part", nargs="?", help="one part only")
    checked = kinds.add_parser("check", help="whether a folder is a pack of a game")
    checked.add_argument("folder", type=Path)
    checked.add_argument("--game", required=True)
    for kind in (listed, shown, checked):
        kind.add_argument("--json", action="store_true", help="print JSON, one object a line")
    return parser


def _show(pack: Pack[Any], part: str | None) -> int:
    plain = msgspec.to_builtins(pack.content)
    if part is not None and part not in plain:
        print(f"cupboard pack: no part {part!r}; there are: {', '.join(plain)}", file=sys.stderr)
        return 2
    print(json.dumps(plain if part is None else plain[part], indent=2, ensure_ascii=False))
    return 0


def _line(found: dict[str, Any]) -> str:
    parts = ", ".join(f"{count} {part}" for part, count in found["parts"].items())
    return f"{found['game']}: {found['pack']} version {found['version']}, {parts}\n  {found['hash']}"
