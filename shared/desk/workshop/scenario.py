"""Does the product do what a scenario file says? `cupboard scenario FILE...` runs files that a referee can read and write."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
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
NONE = {"none": True}       # TOML has no word for it
BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)    # what rules raise in a state that cannot be
FORM = """a file is TOML:
  rules = ["LS-302"]            the clauses that it shows
  game = "lucky_seven"          and seats = 3; if need be seed, options = { ... }
  given.players.0.cash = 5      changes to the state after the set-up: a table changes what it names, a list is a whole one
  rolls = [3, 5]                the first draws of `when`, or of the set-up where there is no `when`
  when = [ ... ]                each { seat = 0, command = { do = ... } }, { timeout = 0 }, { phase = true }, { leave = 0, how = "left" },
                                { host = { do = ... } } or { audience = { do = ... } }; only the last one may be refused
  then = [ ... ]                each { path = "players.0.cash", is = 5 } (with view = 0 in what that seat sees), { event = "drew", seat = 0 },
                                { no_event = "drew" }, { refused = "not_a_choice" } ("" where nothing is), { asked = [1, 2] },
                                { offered = "draw", seat = 1 } or { places = [1, 2] }; events are those of `when`, or else of the set-up
{ none = true } stands for nothing at all: a field without a value, or as view for onlookers."""


NEEDED = "needs one of: seat and command, timeout, phase, leave, host, audience"


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
        self.events: list[Event] = []       # of the acts, or of the set-up where nobody acts
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
        self._refuse_unclear(act)
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
        raise Difference(NEEDED)

    def _refuse_unclear(self, act: Act) -> None:
        """Two acts in one line, half of one, or somebody who is not there."""
        acts = (act.phase or None, act.timeout, act.leave, act.seat, act.host, act.audience)
        if sum(one is not None for one in acts) != 1 or (act.seat is None) != (act.command is None):
            raise Difference(NEEDED)
        for seat in (act.seat, act.timeout, act.leave):
            if seat is not None:
                self.refuse_absent(seat)

    def refuse_absent(self, seat: Seat) -> None:
        if seat not in range(len(self.match.missed)):
            raise Difference(f"there is no seat {seat}; seats are counted from 0")


def read(path: Path) -> Scenario:
    try:
        return msgspec.convert(_with_nothing(tomllib.loads(path.read_text("utf-8"))), Scenario)
    except (ValueError, RecursionError) as error:
        raise Difference(f"cannot be read: {error}") from error


def _with_nothing(plain: Plain) -> Plain:
    """`{ none = true }` as None, wherever it stands."""
    if isinstance(plain, dict):
        return None if plain == NONE else {key: _with_nothing(value) for key, value in plain.items()}
    return [_with_nothing(value) for value in plain] if isinstance(plain, list) else plain


def run(scenario: Scenario) -> None:
    """Raises Difference at the first line that is not so."""
    run = _opened(scenario)
    for number, act in enumerate(scenario.when):
        if run.refusal:
            raise Difference(f"when[{number - 1}] was refused: {run.refusal}")
        if fault := _tried(partial(run.act, act)):
            raise Difference(f"when[{number}]: {fault}")
    if run.refusal and not any("refused" in line for line in scenario.then):
        raise Difference(f"when[{len(scenario.when) - 1}] was refused: {run.refusal}")
    for number, line in enumerate(scenario.then):
        if fault := _tried(partial(_fault, run, line)):
            raise Difference(f"then[{number}]: {fault}")
    if isinstance(run.dice, LoadedDice) and run.dice.left():
        raise Difference(f"rolls: {list(run.dice.left())} were not used")


def _tried(part: Callable[[], str | None]) -> str:
    """What is wrong with one line; empty if nothing is."""
    try:
        return part() or ""
    except (NoSuchPlace, Difference) as error:
        return str(error)
    except BROKEN as error:
        return _broken(error)


def _broken(error: Exception) -> str:
    """What the dice say of themselves, or which fault of the rules it was: mostly `given` is a state that cannot be."""
    return str(error) if str(error).startswith("chosen ") else f"the rules cannot go on from here ({type(error).__name__}: {error})"


def _opened(scenario: Scenario) -> Run:
    """The match after set-up, changed as `given` says; where nobody acts the scenario is about the set-up itself."""
    key = key_of(scenario.seed)
    try:
        game = named(scenario.game)
        options = game.read_options(scenario.options)
    except (NoSuchGame, msgspec.ValidationError) as error:
        raise Difference(f"game and options: {error}") from error
    if scenario.seats not in game.seats_allowed(options):
        raise Difference(f"seats: {scenario.seats} cannot play under these options")
    dice = step_dice(key, 1) if scenario.when else LoadedDice(scenario.rolls, key, "draw|1|")
    try:
        match, events = begin(game, scenario.seats, options, dice)
    except BROKEN as error:
        raise Difference(f"set-up: {_broken(error)}") from error
    state = _given(game, match.state, scenario.given)
    try:
        opened = _asked(game, match, state)
    except BROKEN as error:
        raise Difference(f"given: {_broken(error)}") from error
    if scenario.when:
        return Run(game, opened, LoadedDice(scenario.rolls, key))
    run = Run(game, opened, dice)
    run.events += events
    return run


def _asked(game: Game, match: Match[Any], state: Any) -> Match[Any]:
    """The match with this state, and whom it asks what."""
    asked = ((seat, game.question(state, seat)) for seat in range(len(match.missed)))
    asks = tuple(Ask(seat, 1, 1, question) for seat, question in asked if question is not None)
    phase = game.phase(state)
    return replace(match, state=state, asks=asks, armed=Armed(phase, 1) if phase else None)


def _given(game: Game, state: Any, given: Mapping[str, Plain]) -> Any:
    plain = plain_of(state)
    paths = _paths(given, plain)
    try:
        for path, value in paths:
            _put(plain, path, value)
        changed = msgspec.convert(plain, game.state, str_keys=True)
        for path, _ in paths:
            at(plain_of(changed), path)  # a field that the state does not have is gone again
    except (NoSuchPlace, msgspec.ValidationError) as error:
        raise Difference(f"given: {error}") from error
    return changed


def _paths(given: Mapping[str, Plain], plain: Plain, before: str = "") -> list[tuple[str, Plain]]:
    """TOML reads `seats.0.fame = 3` as tables within tables; here each becomes one path again, as far as there is something to change."""
    paths: list[tuple[str, Plain]] = []
    for key, value in given.items():
        there = _there(plain, key)
        nested = isinstance(value, dict) and value and isinstance(there, dict | list)
        paths += _paths(value, there, f"{before}{key}.") if nested else [(before + key, value)]
    return paths


def _there(plain: Plain, key: str) -> Plain:
    """What a table would change; None where it is a whole new thing."""
    if isinstance(plain, dict):
        return plain.get(key)
    return plain[int(key)] if key.isdigit() and int(key) < len(plain) else {}


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
        case {"path": str(path), "is": expected, **rest} if set(rest) <= {"view"}:
            if rest.get("view") is not None:
                run.refuse_absent(rest["view"])
            thing = run.game.look(run.match.state, rest["view"]) if "view" in rest else run.match.state
            return _compared(path, at(plain_of(thing), path), expected)
        case {"event": str(tag), **facts}:
            return _told(run, {"what": tag, **facts})
        case {"no_event": str(tag), **facts}:
            return "" if _told(run, {"what": tag, **facts}) else f"{tag} was told"
        case {"refused": code, **rest} if not rest:
            return _compared("refused", run.refusal, code)
        case {"asked": seats, **rest} if not rest:
            return _compared("asked", list(run.match.awaited()), seats)
        case {"offered": str(kind), "seat": int(seat), **rest} if not rest:
            run.refuse_absent(seat)
            offered = [str(choice.do.__struct_config__.tag) for choice in run.game.legal(run.match.state, seat)]
            return "" if kind in offered else f"seat {seat} is offered {offered}, not {kind}"
        case {"places": places, **rest} if not rest:
            found = placings(run.game, run.match)
            return _compared("places", [line.place for line in found] if found else None, places)
    return f"{dict(line)} says nothing that can be checked"


def _compared(what: str, found: Plain, expected: Plain) -> str:
    return "" if _alike(found, expected) else f"{what} is {found!r}, not {expected!r}"


def _alike(found: Plain, expected: Plain) -> bool:
    """Equal and of the same kinds: 1 is not true, however deep it lies."""
    return found == expected and msgspec.json.encode(found, order="sorted") == msgspec.json.encode(expected, order="sorted")


def _told(run: Run, facts: Mapping[str, Plain]) -> str:
    told = [plain_of(event) for event in run.events]
    if any(all(name in event and _alike(event[name], fact) for name, fact in facts.items()) for event in told):
        return ""
    return f"{dict(facts)} was not told; told were {told}"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard scenario", description=__doc__, epilog=FORM,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
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
