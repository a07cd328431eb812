"""What can be shown of a match once it has ended? Its record, line by line, and the proof that its dice were fair."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec
from psycopg.types.json import Jsonb

from shared.kernel.game import Command, Event, Game
from shared.runtime.settings import Settings
from shared.runtime.store import Database, Row
from shared.runtime.turn import seeds
from shared.runtime.turn.writing import ENDED, SQL, digest

__all__ = ["ENDED", "write"]

_encode = msgspec.json.Encoder(order="deterministic").encode


def write(database: Database, settings: Settings, game: Game, match_id: str) -> None:
    """PL-417, PL-622 Written once the match has ended; writing it again changes nothing."""
    with database.transaction() as transaction:
        match = transaction.one(SQL.match_of, match_id=match_id)
        if match is None or match["state"] not in ENDED or not match["deal_over"]:
            return  # PL-392: the seed is still at play in another match; the watch comes back to it
        steps = transaction.all(SQL.steps_of, match_id=match_id)
        seats = transaction.all(SQL.seats_of, match_id=match_id)
        result = transaction.all(SQL.result_of, match_id=match_id)
        opening = _opening(settings, match, seats)
        lines = [opening, *_lines(game, steps), {"result": result, "chain": bytes(steps[-1]["chain"]).hex() if steps else ""}]
        record = "".join(_encode(line).decode() + "\n" for line in lines)
        proof = {**opening, "steps": [{"step": step["step"], "draws": msgspec.json.decode(step["draws"])} for step in steps]}
        facts = {"match_id": match_id, "record": record, "proof": Jsonb(proof), "hash": hashlib.sha256(record.encode()).hexdigest()}
        transaction.do(SQL.save_record, **facts)


def _opening(settings: Settings, match: Row, seats: list[Row]) -> dict[str, Any]:
    """Everything the dice depend on: commitment, seed, contributions and key."""
    seed = seeds.unseal(settings, match["seed_number"], match["seed"])
    contributions = [row["contribution"] for row in seats] if match["deal_group"] is None else []
    key = seeds.key_of(seed, match, contributions)
    group = {} if match["deal_group"] is None else {"deal_group": match["deal_group"]}
    return {
        "match": match["match_id"], "game": match["game"], "version": match["version"], "pack": match["pack_hash"],
        "seats": match["seats"], "options": match["options"], "clock": match["clock"], "state": match["state"],
        "seed_number": match["seed_number"], "commitment": match["commitment"], "seed": seed.hex(),
        "contributions": contributions, "key": key.hex(), "started_at": match["started_at"], "ended_at": match["ended_at"],
    } | {name: match[name].isoformat(timespec="milliseconds") for name in ("started_at", "ended_at") if match[name]} | group


def _lines(game: Game, steps: list[Row]) -> Iterator[dict[str, Any]]:
    """A game with lasting secrets keeps the salts to itself, since a state could otherwise be guessed from its hash."""
    keeps_secrets = any(kind.secret for kind in game.rules)
    for step in steps:
        salt, command = bytes(step["salt"]), step["command"].encode()
        line = {name: step[name] for name in ("step", "arrival", "part", "kind", "ask", "automatic")}
        line |= {"at": step["at"].isoformat(timespec="milliseconds"), "draws": msgspec.json.decode(step["draws"])}
        line |= {"seat": step["seat"], "command": msgspec.json.decode(command), "events": _opened(game, step["events"])}
        if _is_secret(game, step):
            line |= {"seat": None, "ask": None, "command": None}
        line |= {"salt": None if keeps_secrets else salt.hex(), "command_hash": digest(salt, command).hex()}
        line |= {"events_hash": digest(salt, step["events"].encode()).hex()}
        yield line | {"state_hash": bytes(step["state_hash"]).hex(), "chain": bytes(step["chain"]).hex()}


def _is_secret(game: Game, step: Row) -> bool:
    """PL-390 A command of a kind that stays secret; its salted hash stands in its place."""
    if step["kind"] not in {"command", "timeout", "default", "count"}:
        return False
    command: Command = game.read_command(step["command"].encode())
    return command.secret


def _opened(game: Game, raw: str) -> list[Any]:
    events: list[Event] = msgspec.json.decode(raw, type=list[game.event_union])  # type: ignore[name-defined]
    return [msgspec.to_builtins(shown) for shown in (event.opened() for event in events) if shown is not None]
