"""What must the gateway know of a game without knowing its rules? The row that a worker writes when it starts."""

from __future__ import annotations

from typing import Any, Union

import msgspec
from psycopg.types.json import Jsonb

from shared.kernel.game import Game
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.turn.writing import SQL


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
    default = list(game.seats_allowed(game.read_options({})))
    when = [
        {"option": option, "is": value, "seats": list(allowed)}
        for variant in game.variants
        for option, value in variant.items()
        if (allowed := game.seats_allowed(game.read_options({option: value}))) != game.seats_allowed(game.read_options({}))
    ]
    return {"default": default, "when": when}

