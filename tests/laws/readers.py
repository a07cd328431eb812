"""What does a reader get to read? Every channel of a match as bytes, so that two matches can be compared for one reader."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Union

import msgspec

from shared.kernel.game import AUDIENCE, HOST, Command, Event, Game, Refused, Seat
from shared.kernel.match import Match, approved
from tests.laws.driver import game_of

Reader = Seat | None


@cache
def event_reader(name: str) -> Callable[[bytes], Event]:
    kinds = Union[game_of(name).events]  # noqa: UP007 - made from a table
    read: Callable[[bytes], Event] = msgspec.json.Decoder(kinds).decode
    return read


def seats_and_chairs(match: Match[Any]) -> tuple[Seat, ...]:
    return (*range(len(match.missed)), HOST, AUDIENCE)


def json_of(game: Game, thing: object) -> tuple[bytes, ...]:
    """The thing in every language."""
    return tuple(words.json(thing) for words in game.words.values())


def view_of(game: Game, match: Match[Any], reader: Reader) -> tuple[object, ...]:
    """View and text."""
    view = game.look(match.state, reader)
    return (msgspec.json.encode(view), *(game.text(view, words) for words in game.words.values()))


def chairs_of(reader: Reader) -> tuple[Seat, ...]:
    """Onlookers see what the host's chair and the audience are offered."""
    return (HOST, AUDIENCE) if reader is None else (reader,)


def channels(game: Game, match: Match[Any], reader: Reader, probes: Iterable[Command]) -> dict[str, object]:
    """PL-382 Everything that the reader can fetch between two steps."""
    probes = tuple(probes)
    choices = [game.legal(match.state, chair) for chair in chairs_of(reader)]
    asked = {seat: game.question(match.state, seat) for seat in range(len(match.missed))}
    return {
        "view": view_of(game, match, reader),
        "own question": None if reader is None else asked[reader],
        "choices": json_of(game, choices),
        "awaited": [(seat, ask.name) for seat, ask in asked.items() if ask and ask.needed and not ask.secret],
        "phase": game.phase(match.state),
        "poll": game.poll(match.state),
        "result": game.result(match.state),
        "default": _default(game, match, reader),
        "refusals": [code(game, match, chair, probe) for chair in chairs_of(reader) for probe in probes],
    }


def code(game: Game, match: Match[Any], seat: Seat, command: Command) -> str:
    try:
        approved(game, match.state, seat, command, game.legal(match.state, seat))
    except Refused as refusal:
        return refusal.code
    return ""


def letters(game: Game, events: Iterable[Event], reader: Reader, told: frozenset[str] = frozenset()) -> list[object]:
    """PL-383 The events as the reader is sent them, with their sentences, but for those that are `told` and kept in no view."""
    masked = [event.seen_by(reader) for event in events]
    return [
        (msgspec.json.encode(event), *(words.sentence(event) for words in game.words.values()))
        for event in masked
        if event is not None and event.what not in told
    ]


def _default(game: Game, match: Match[Any], reader: Reader) -> Command | None:
    asked = None if reader is None else game.question(match.state, reader)
    return None if reader is None or asked is None or not asked.needed else game.default(match.state, reader)
