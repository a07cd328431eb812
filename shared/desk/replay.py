"""What happened in a match, and would it happen again? `cupboard replay MATCH [--seat N]` tells it, `cupboard replay --all` tries."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from shared.desk import here
from shared.kernel import match as kernel
from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import Event, Game, Refused
from shared.runtime.registry import load, registered
from shared.runtime.settings import Settings
from shared.runtime.store import Database, Queries, Row
from shared.runtime.turn import archive, seeds
from shared.runtime.turn.failing import failed
from shared.runtime.turn.rows import vacated
from shared.runtime.turn.writing import ENDED, digest, state_bytes

SQL = Queries(Path(__file__).with_name("queries.sql"))
Match = kernel.Match[Any]
MOST = 1_000_000    # letters of one match
BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)    # what rules raise of what cannot be


class Stored(NamedTuple):
    """One step as it is kept, in the database or in a record; what a record keeps back is None."""

    step: int
    kind: str
    seat: int | None
    command: bytes | None
    draws: list[tuple[int, int]]
    salt: bytes | None
    state_hash: str
    events: list[Any] | None = None
    opened: bool = False                # the events are those that everybody may see after the end


class Opening(NamedTuple):
    """What a match started from."""

    game: Game
    seats: int
    options: Any
    key: bytes


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard replay", description="Tells a match step by step, or carries out all stored matches again.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("match", nargs="?", help="the id of a match")
    what.add_argument("--all", action="store_true", help="carry out every stored match of the current versions again, and compare")
    parser.add_argument("--seat", type=int, help="as this seat was told, from 0; only after the end")
    parser.add_argument("--json", action="store_true", help="letters, or differences, as JSON")
    wanted = parser.parse_args(argv)
    settings = here.settings()
    database = Database(settings.database_url, settings, "replay", size=1)
    try:
        return all_again(database, settings, as_json=wanted.json) if wanted.all else tell(database, settings, wanted)
    finally:
        database.close()


def tell(database: Database, settings: Settings, wanted: argparse.Namespace) -> int:
    """PL-416, PL-417 After the end openly or as a seat was told; before it what onlookers may know."""
    row = database.one(SQL.match, match=wanted.match)
    ended = row is not None and row["state"] in ENDED and row["deal_over"]
    if row is not None and not row["deal_over"]:    # PL-392: what one of them shows may be hidden in another
        print("cupboard: not_yet, a match with the same deal goes on", file=sys.stderr)
        return 1
    if row is None or (wanted.seat is not None and not (ended and 0 <= wanted.seat < row["seats"])):
        print("cupboard: not_found" if row is None else "cupboard: not_yet, or no such seat", file=sys.stderr)
        return 1
    reader = wanted.seat + 2 if wanted.seat is not None else 0 if ended else 1
    for body in letters_told(database, settings, wanted.match, reader):
        print(body if wanted.json else "\n".join(in_words(json.loads(body))))
    return 0


def letters_told(database: Database, settings: Settings, match: str, reader: int) -> Iterator[str]:
    """PL-257 From the table, or from the file of an archived match; reader 0 means openly."""
    row = database.one(SQL.archive_of, match=match)
    letters = (archive.opened(archive.folder_of(settings), row["location"], row["hash"]).letters_of(reader, 0, MOST) if row else
               database.all(SQL.letters, match=match, reader=reader))
    return (letter["body"] for letter in letters)


def in_words(letter: dict[str, Any]) -> Iterator[str]:
    by = "" if letter["by"] is None or letter["by"] < 0 else f"seat {letter['by'] + 1}"
    sentences = [event["words"] for event in letter["events"]] or ["…"]
    for position, sentence in enumerate(sentences):
        yield f"{letter['step'] if position == 0 else '':>5}  {by if position == 0 else '':<7} {sentence}"


def all_again(database: Database, settings: Settings, *, as_json: bool) -> int:
    """PL-413, PL-415 Ends with 1 if any match would now go otherwise."""
    games = [load(place) for place in registered(settings.games).values()]
    matches = [(game, row["match"]) for game in games for row in database.all(SQL.played_matches, game=game.name, version=game.version)]
    found = {match: stored_difference(database, settings, game, match) for game, match in matches}
    different = {match: difference for match, difference in found.items() if difference}
    if as_json:
        print(json.dumps({"matches": len(found), "different": different}))
    else:
        print("\n".join(f"{match}: {difference}" for match, difference in different.items()) or f"{len(found)} matches went the same way again")
    return 1 if different else 0


def stored_difference(database: Database, settings: Settings, game: Game, match: str) -> str:
    """The first difference between a stored match and the same commands carried out again; empty if there is none."""
    row = database.one(SQL.opening, match=match)
    if row is None:
        return "no such match"
    seed = seeds.unseal(settings, row["seed_number"], bytes(row["seed"]))
    key = seeds.key_of(seed, row, row["contributions"])
    opening = Opening(game, row["seats"], game.read_options(row["options"]), key)
    steps = database.all(SQL.steps, match=match) or archive.steps_of(database, settings, match)
    return first_difference(opening, [_stored(step) for step in steps])


def _stored(row: Row) -> Stored:
    draws = [(n, number) for n, number in json.loads(row["draws"])]
    return Stored(row["step"], row["kind"], row["seat"], row["command"].encode(), draws, bytes(row["salt"]),
                  bytes(row["state_hash"]).hex(), json.loads(row["events"]))


def first_difference(opening: Opening, steps: Sequence[Stored]) -> str:
    """PL-413, PL-622 Dice, events and state of every step."""
    return carried_out(opening, steps)[1]


def carried_out(opening: Opening, steps: Sequence[Stored]) -> tuple[Match | None, str]:
    """The match as far as it goes the same way, and the first difference."""
    match: Match | None = None
    for step in steps:
        dice = step_dice(opening.key, step.step)
        try:
            match, events = once_more(opening, match, step, dice)
        except Refused as refusal:
            return match, f"step {step.step}: refused as {refusal.code}"
        except BROKEN as error:     # PL-622: a seat or a kind that cannot be
            return match, f"step {step.step}: cannot be carried out ({type(error).__name__}: {error})"
        if dice.drawn != step.draws:
            return match, f"step {step.step}: other dice"
        if step.events is not None and (_opened(events) if step.opened else _plain(events)) != step.events:
            return match, f"step {step.step}: other events"
        if match.step != step.step or (step.salt is not None and digest(step.salt, state_bytes(match)).hex() != step.state_hash):
            return match, f"step {step.step}: another state"
    return match, ""


def _opened(events: Sequence[Event]) -> list[Any]:
    return _plain([shown for event in events if (shown := event.opened()) is not None])


def _plain(events: Sequence[Event]) -> list[Any]:
    plain: list[Any] = json.loads(msgspec.json.encode(events))
    return plain


def once_more(opening: Opening, match: Match | None, step: Stored, dice: Dice) -> kernel.Played:
    """One stored step, carried out again."""
    game, command = opening.game, step.command or b"{}"
    match step.kind, match, step.seat:
        case "start", None, _:
            return kernel.begin(game, opening.seats, opening.options, dice)
        case "command" | "count", kernel.Match(), int(seat):
            return kernel.answer(game, match, seat, game.read_command(command), dice)
        case "timeout", kernel.Match(), int(seat):
            return kernel.time_out(game, match, seat, dice)
        case "default", kernel.Match(), int(seat):
            return kernel.time_out(game, match, seat, dice, again=True)
        case "phase", kernel.Match(), _:
            return kernel.phase_over(game, match, dice)
        case "leave", kernel.Match(), int(seat):
            return kernel.leave(game, match, seat, json.loads(command)["how"], dice)
        case "vacate", kernel.Match(), int(seat):
            return vacated(match, seat)
        case "fail", kernel.Match(), int(seat):
            return failed(match, seat, json.loads(command)["since"])
        case "order", kernel.Match(), _:
            return replace(match, step=match.step + 1), ()
    raise Refused("wrong_state")
