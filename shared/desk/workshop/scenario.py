"""Does the product do what a scenario file says? `cupboard scenario FILE...` runs files that a referee can read and write."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.desk.workshop.games import NoSuchGame, key_of, named
from shared.kernel.dice import Dice, LoadedDice, step_dice
from shared.kernel.game import AUDIENCE, HOST, Event, Game, Refused, Seat
from shared.kernel.match import Armed, Ask, Match, answer, begin, leave, phase_over, placings, time_out

Plain = Any  # what TOML and JSON hold


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of `when`: a seat's command, a time-out, the end of a phase, a leaver, the host or the audience."""

    seat: Seat | None = None
    command: dict[str, Plain] | None = None
    timeout: Seat | None = None
    phase: bool = False
    leave: Seat | None = None
    how: str = "left"
    host: dict[str, Plain] | None = None
    audience: dict[str, Plain] | None = None


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file."""

    rules: tuple[str, ...]
    game: str
    seats: int
    then: tuple[dict[str, Plain], ...]
    when: tuple[Act, ...] = ()
    title: str = ""
    seed: str | int = "1"
    options: dict[str, Plain] = {}
    given: dict[str, Plain] = {}
    rolls: tuple[int, ...] = ()


class Difference(AssertionError):
    """The product does not do what the file says, or the file cannot be understood; the text says where."""


class NoSuchPlace(LookupError):
    """A dotted path that leads nowhere."""


class Run:
    """A scenario under way: the match, what was told, and the last refusal."""

    def __init__(self, game: Game, match: Match[Any], dice: Dice) -> None:
        self.game, self.match, self.dice = game, match, dice
        self.events: list[Event] = []
        self.refusal = ""

    def act(self, act: Act) -> None:
        try:
            self.match, events = self._carry_out(act)
        except Refused as refusal:
            self.refusal = refusal.code
        else:
            self.events += events

    def _carry_out(self, act: Act) -> tuple[Match[Any], tuple[Event, ...]]:
        game, match, dice = self.game, self.match, self.dice
        if act.phase:
            return phase_over(game, match, dice)
        if act.timeout is not None:
            if act.timeout not in match.awaited():
                raise Difference(f"seat {act.timeout} is not awaited and cannot let its time run out")
            return time_out(game, match, act.timeout, dice)
        if act.leave is not None:
            return leave(game, match, act.leave, act.how, dice)
        for seat, command in ((act.seat, act.command), (HOST, act.host), (AUDIENCE, act.audience)):
            if seat is not None and command is not None:
                return answer(game, match, seat, game.read_command(msgspec.json.encode(command)), dice)
        raise Difference("needs seat and command, timeout, phase, leave, host or audience")


def read(path: Path) -> Scenario:
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Scenario)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Difference(f"cannot be read: {error}") from error


def run(scenario: Scenario) -> None:
    """Raises Difference at the first line that is not so."""
    run = _opened(scenario)
    for number, act in enumerate(scenario.when):
        if run.refusal:
            raise Difference(f"when[{number - 1}] was refused: {run.refusal}")
        try:
            run.act(act)
        except (Difference, ValueError) as error:
            raise Difference(f"when[{number}]: {error}") from error
    if run.refusal and not any("refused" in line for line in scenario.then):
        raise Difference(f"when[{len(scenario.when) - 1}] was refused: {run.refusal}")
    for number, line in enumerate(scenario.then):
        try:
            fault = _fault(run, line)
        except NoSuchPlace as error:
            fault = str(error)
        if fault:
            raise Difference(f"then[{number}]: {fault}")
    if isinstance(run.dice, LoadedDice) and run.dice.left():
        raise Difference(f"rolls: {list(run.dice.left())} were not used")


def _opened(scenario: Scenario) -> Run:
    """The match after set-up, changed as `given` says."""
    key = key_of(scenario.seed)
    try:
        game = named(scenario.game)
        options = game.read_options(scenario.options)
    except (NoSuchGame, msgspec.ValidationError) as error:
        raise Difference(f"game and options: {error}") from error
    if scenario.seats not in game.seats_allowed(options):
        raise Difference(f"seats: {scenario.seats} cannot play under these options")
    match, _ = begin(game, scenario.seats, options, step_dice(key, 1))
    state = _given(game, match.state, scenario.given)
    asked = ((seat, game.question(state, seat)) for seat in range(scenario.seats))
    asks = tuple(Ask(seat, 1, 1, question) for seat, question in asked if question is not None)
    phase = game.phase(state)
    opened = replace(match, state=state, asks=asks, armed=Armed(phase, 1) if phase else None)
    return Run(game, opened, LoadedDice(scenario.rolls, key))


def _given(game: Game, state: Any, given: Mapping[str, Plain]) -> Any:
    plain = plain_of(state)
    try:
        for path, value in _paths(given):
            _put(plain, path, value)
        changed = msgspec.convert(plain, game.state, str_keys=True)
        for path, _ in _paths(given):
            at(plain_of(changed), path)  # a field that the state does not have is gone again
    except (NoSuchPlace, msgspec.ValidationError) as error:
        raise Difference(f"given: {error}") from error
    return changed


def _paths(given: Mapping[str, Plain], before: str = "") -> list[tuple[str, Plain]]:
    """TOML reads `seats.0.fame = 3` as tables within tables; here each becomes one path again."""
    paths: list[tuple[str, Plain]] = []
    for key, value in given.items():
        nested = isinstance(value, dict) and value
        paths += _paths(value, f"{before}{key}.") if nested else [(before + key, value)]
    return paths


def _put(plain: Plain, path: str, value: Plain) -> None:
    way, _, last = path.rpartition(".")
    place = at(plain, way) if way else plain
    if isinstance(place, list) and last.isdigit() and int(last) < len(place):
        place[int(last)] = value
    elif isinstance(place, dict):
        place[last] = value
    else:
        raise NoSuchPlace(f"there is no {path}")


def at(plain: Plain, path: str) -> Plain:
    """What lies at a dotted path."""
    for step in path.split("."):
        if isinstance(plain, list) and step.isdigit() and int(step) < len(plain):
            plain = plain[int(step)]
        elif isinstance(plain, dict) and step in plain:
            plain = plain[step]
        else:
            raise NoSuchPlace(f"there is no {path} (at {step!r})")
    return plain


def plain_of(thing: object) -> Plain:
    return msgspec.json.decode(msgspec.json.encode(thing))


def _fault(run: Run, line: Mapping[str, Plain]) -> str:
    """What is wrong with a line of `then`; empty if it holds."""
    match line:
        case {"path": path, "is": expected, **rest} if set(rest) <= {"view"}:
            thing = run.game.look(run.match.state, rest["view"]) if "view" in rest else run.match.state
            return _compared(path, at(plain_of(thing), path), expected)
        case {"event": tag, **facts}:
            return _told(run, {"what": tag, **facts})
        case {"no_event": tag, **facts}:
            return "" if _told(run, {"what": tag, **facts}) else f"{tag} was told"
        case {"refused": code, **rest} if not rest:
            return _compared("refused", run.refusal, code)
        case {"asked": seats, **rest} if not rest:
            return _compared("asked", list(run.match.awaited()), seats)
        case {"offered": kind, "seat": seat, **rest} if not rest:
            offered = [str(choice.do.__struct_config__.tag) for choice in run.game.legal(run.match.state, seat)]
            return "" if kind in offered else f"seat {seat} is offered {offered}, not {kind}"
        case {"places": places, **rest} if not rest:
            found = placings(run.game, run.match)
            return _compared("places", [line.place for line in found] if found else None, places)
    return f"{dict(line)} says nothing that can be checked"


def _compared(what: str, found: Plain, expected: Plain) -> str:
    return "" if found == expected and type(found) is type(expected) else f"{what} is {found!r}, not {expected!r}"


def _told(run: Run, facts: Mapping[str, Plain]) -> str:
    told = [plain_of(event) for event in run.events]
    if any(all(name in event and event[name] == fact for name, fact in facts.items()) for event in told):
        return ""
    return f"{dict(facts)} was not told; told were {told}"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard scenario", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print one JSON object per file")
    given = parser.parse_args(argv)
    faults = {path: outcome(path) for path in given.files}
    for path, fault in faults.items():
        if given.json:
            print(json.dumps({"file": str(path), "ok": not fault, "difference": fault or None}))
        else:
            print(f"{path}: {fault or 'ok'}")
    return 1 if any(faults.values()) else 0


def outcome(path: Path) -> str:
    """The first difference of one file; empty if there is none."""
    try:
        run(read(path))
    except Difference as difference:
        return str(difference)
    except OSError as error:
        return error.strerror or str(error)
    return ""
