"""Was a match fair, and did it go as its record says? `cupboard verify RECORD_OR_MATCH`, the record being a file or an address."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import requests

from shared.desk import here
from shared.desk.replay import BROKEN, SQL, Opening, Stored, carried_out, stored_difference
from shared.kernel.dice import commitment, match_key, step_dice
from shared.kernel.game import Game
from shared.runtime.registry import load, registered
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.turn.failing import result_of
from shared.runtime.turn.writing import digest

Line = dict[str, Any]


class Finding(NamedTuple):
    """One thing that was looked at, and what differs; empty if nothing does."""

    what: str
    difference: str


class NoRecord(LookupError):
    """There is nothing to verify."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard verify", description="Recomputes commitment, key, every draw, the chain and the whole match.")
    parser.add_argument("record", help="a file or an address of a record, or the id of a match")
    parser.add_argument("--json", action="store_true", help="tell it as JSON")
    wanted = parser.parse_args(argv)
    settings = here.settings()
    try:
        findings = list(look(settings, wanted.record))
    except NoRecord as error:
        findings = [Finding("record", str(error))]
    except BROKEN as error:     # whatever a file may hold that is no record
        findings = [Finding("record", f"it is no whole record ({type(error).__name__}: {error})")]
    if wanted.json:
        print(json.dumps({"record": wanted.record, "findings": [finding._asdict() for finding in findings]}))
    else:
        print("\n".join(f"{finding.what}: {finding.difference or 'right'}" for finding in findings))
    return 1 if any(finding.difference for finding in findings) else 0


def look(settings: Settings, record: str) -> Iterator[Finding]:
    """A match of this installation is also carried out from its stored commands, of which a record may keep some back."""
    games = {name: load(place) for name, place in registered(settings.games).items()}
    if record.startswith(("http://", "https://")):
        answer = requests.get(record, timeout=30)
        if answer.status_code != requests.codes.ok:
            raise NoRecord(f"{record} answers {answer.status_code}")
        yield from verified(games, answer.text)
    elif Path(record).is_file():
        yield from verified(games, Path(record).read_text("utf-8"))
    else:
        yield from _stored_match(settings, games, record)


def _stored_match(settings: Settings, games: dict[str, Game], match: str) -> Iterator[Finding]:
    database = Database(settings.database_url, settings, "verify", size=1)
    try:
        row, there = database.one(SQL.record, match=match), database.one(SQL.match, match=match)
        if row is None or there is None:
            raise NoRecord(f"{match} has no record" + (" yet" if there else ""))
        yield from verified(games, row["record"])
        game = games.get(there["game"])
        yield Finding("stored commands", stored_difference(database, settings, game, match) if game else f"{there['game']} is not installed here")
    finally:
        database.close()


def verified(games: dict[str, Game], text: str) -> Iterator[Finding]:
    """PL-622, PL-623 What anybody can recompute from a record alone."""
    head, *steps, end = [json.loads(line) for line in text.splitlines()]
    seed, key = bytes.fromhex(head["seed"]), bytes.fromhex(head["key"])
    yield Finding("commitment", differs(head["commitment"], commitment(head["seed_number"], seed)))
    made = match_key(seed, head.get("deal_group") or head["match"], head["game"], head["version"], head["pack"], head["contributions"])
    yield Finding("key", differs(head["key"], made.hex()))
    yield Finding("draws", next(filter(None, (wrong_draw(key, step) for step in steps)), ""))
    yield Finding("chain", wrong_chain(steps, end["chain"]))
    yield from whole_match(games.get(head["game"]), head, steps, end["result"])


def differs(told: str, found: str) -> str:
    return "" if told == found else f"the record says {told}, it is {found}"


def wrong_draw(key: bytes, step: Line) -> str:
    """PL-616, PL-617 The draws of one step."""
    dice = step_dice(key, step["step"])
    for position, (n, told) in enumerate(step["draws"], start=1):
        if (found := dice.below(n)) != told:
            return f"step {step['step']}, draw {position}: the record says {told} of {n}, it is {found}"
    return ""


def wrong_chain(steps: Sequence[Line], last: str) -> str:
    """PL-411 Each link covers the one before it, the step, and the hashes of command, events and state."""
    before = ""
    for number, step in enumerate(steps, start=1):
        if step["step"] != number:
            return f"step {number} is missing"
        parts = (before, str(number), step["command_hash"], step["events_hash"], step["state_hash"])
        before = hashlib.sha256("|".join(parts).encode()).hexdigest()
        if before != step["chain"]:
            return f"step {number}: the record says {step['chain']}, it is {before}"
    return differs(last, before)


def whole_match(game: Game | None, head: Line, steps: Sequence[Line], result: Sequence[Line]) -> Iterator[Finding]:
    """PL-622 Carried out from its commands, unless some of them stay secret for ever (PL-390); then its result follows from it."""
    if game is None or game.version != head["version"]:
        yield Finding("whole match", f"{head['game']} {head['version']} is not installed here")
        return
    kept_back = [step["step"] for step in steps if step["command"] is None]
    if kept_back and not any(kind.secret for kind in game.rules):
        yield Finding("whole match", f"step {kept_back[0]}: its command is kept back, and {game.name} has none that stays secret")
        return
    if kept_back:
        yield Finding(f"whole match, but for {len(kept_back)} commands that stay secret", "")
        return
    stored = [_told(game, step) for step in steps]
    for step, one in zip(stored, steps, strict=True):
        if step.salt and step.command is not None and digest(step.salt, step.command).hex() != one["command_hash"]:
            yield Finding("whole match", f"step {step.step}: another command")
            return
    match, difference = carried_out(Opening(game, head["seats"], game.read_options(head["options"]), bytes.fromhex(head["key"])), stored)
    yield Finding("whole match", difference)
    if head["state"] == "finished" and not difference:
        places = result_of(game, match) if match else None
        yield Finding("result", differs(_places(result), _places([{"seat": line.seat, "place": line.place, "score": line.score} for line in places or ()])))


def _places(lines: Sequence[Line]) -> str:
    """Place and score of each seat, in one line."""
    return ", ".join(f"seat {line['seat']} place {line['place']} score {line['score']}" for line in sorted(lines, key=lambda line: line["seat"])) or "nothing"


def _told(game: Game, line: Line) -> Stored:
    """A line of a record as a step, its command in the bytes that were hashed."""
    command = msgspec.json.encode(line["command"], order="sorted")
    if line["kind"] in {"command", "timeout", "default", "count"}:
        command = msgspec.json.encode(game.read_command(command), order="deterministic")
    return Stored(line["step"], line["kind"], line["seat"], command, [(n, number) for n, number in line["draws"]],
                  bytes.fromhex(line["salt"]) if line["salt"] else None, line["state_hash"], line["events"], opened=True)
