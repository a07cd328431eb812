"""What must the gateway know of a game without knowing its rules? The row that a worker writes when it starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Union

import msgspec
from psycopg.types.json import Jsonb

from shared.kernel.game import Game
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.turn.writing import SQL

CLOSE = 32      # values of a number that are tried one by one


def announce(game: Game, settings: Settings) -> None:
    """PL-635 This version of the game can be played from now on."""
    database = Database(settings.database_of("worker"), settings, f"announce-{game.name}", size=1)
    database.do(SQL.announce, **row_of(game))
    database.close()


def row_of(game: Game) -> dict[str, Any]:
    return {
        "game": game.name, "version": game.version, "title": game.title, "stage": game.stage, "seats": Jsonb(seats_of(game)),
        "options": Jsonb(msgspec.json.schema(game.options)), "presets": Jsonb({name: dict(limits) for name, limits in game.presets.items()}),
        "bots": list(game.bots), "languages": list(game.words), "host_chair": game.host_chair, "absent_after": game.absent_after,
        "pack_hash": game.pack_hash, "words": Jsonb({language: words.sections for language, words in game.words.items()}),
        "schemas": Jsonb({
            "commands": msgspec.json.schema(Union[tuple(game.rules)]),  # noqa: UP007 - made from a table
            "events": msgspec.json.schema(game.event_union), "view": msgspec.json.schema(game.view),
        }),
    }


def seats_of(game: Game) -> dict[str, Any]:
    """How many may play: by default, and where one option by itself says otherwise (PL-109)."""
    default = game.seats_allowed(game.read_options({}))
    when = []
    for option, value in _choices(game):
        allowed = game.seats_allowed(game.read_options({option: value}))
        if allowed != default:
            when.append({"option": option, "is": value, "seats": list(allowed)})
    return {"default": list(default), "when": when}


def _choices(game: Game) -> Iterator[tuple[str, Any]]:
    """Every option by itself, with each value that its schema names or bounds closely."""
    schema = msgspec.json.schema(game.options)
    for name, about in schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"].items():
        for one in about.get("anyOf", [about]):
            values = one.get("enum", [True, False] if one.get("type") == "boolean" else ())
            if {"minimum", "maximum"} <= one.keys() and one["maximum"] - one["minimum"] < CLOSE:
                values = range(one["minimum"], one["maximum"] + 1)
            yield from ((name, value) for value in values)
