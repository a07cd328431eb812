"""Does everything occur? Law nine: every event, every word and every piece of content, over enough matches."""

import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from shared.desk.workshop.games import key_of
from shared.kernel.dice import step_dice
from shared.kernel.game import Command, Event, Game, Seat
from shared.kernel.match import Match, Observer, begin, play_out, random_bot
from tests.laws.driver import Setting, game_of, moments, settings_of
from tests.laws.exceptions import exceptions_of
from tests.ledger import rule

MOST_MATCHES = 400
MOST_DEALS = 4_000


class Seen(NamedTuple):
    """What occurred in one match: tags of events and of commands, and every text in events and states."""

    events: frozenset[str]
    commands: frozenset[str]
    texts: frozenset[str]


@cache
def _seen(setting: Setting, seed: int) -> Seen:
    match = moments(setting, seed)
    events = frozenset(event.what for moment in match for event in moment.events)
    commands = frozenset(moment.command.do for moment in match if moment.command)
    told = [_texts(moment.events) for moment in match]
    return Seen(events, commands, frozenset().union(*told, *(_texts(moment.after.state) for moment in match[::5])))


class _Onlooker(Observer):
    """Notes what occurs in a match of bots."""

    def __init__(self) -> None:
        self.seen = Seen(frozenset(), frozenset(), frozenset())

    def step(self, match: Match[Any], seat: Seat | None, command: Command | None, events: tuple[Event, ...]) -> None:
        told = frozenset(event.what for event in events)
        given = frozenset({command.do} if command else ())
        self.seen = Seen(self.seen.events | told, self.seen.commands | given, self.seen.texts | _texts(events))


@cache
def _played(setting: Setting, seed: int) -> Seen:
    """A match of the strongest bot with one random player, who get where random players never do."""
    game, onlooker = setting.game, _Onlooker()
    strongest = list(game.bots.values())[-1]
    seated = [random_bot if seat == seed % setting.seats else strongest for seat in range(setting.seats)]
    play_out(game, setting.seats, setting.options, key_of(seed), seated, [onlooker])
    return onlooker.seen


def _matches(name: str) -> Iterator[Seen]:
    """Matches of all settings in turn, so that rare events are looked for under every variant."""
    settings = settings_of(name)
    for number in range(MOST_MATCHES):
        setting, seed = settings[number % len(settings)], 1 + number // len(settings)
        yield _seen(setting, seed)
        if setting.seats and number % 3 == 0:
            yield _played(setting, seed)


def test_9_every_event_occurs(game_name: str) -> None:
    missing = {kind.__struct_config__.tag for kind in game_of(game_name).events} - exceptions_of(game_name, "events")
    for match in _matches(game_name):
        missing -= match.events
        if not missing:
            return
    assert not missing, f"never seen in {MOST_MATCHES} matches, and not listed under [events] in untested.toml"


def test_9_every_command_is_offered_and_taken(game_name: str) -> None:
    offered = [kind for kind in game_of(game_name).rules if not kind.by_clock]
    missing = {kind.__struct_config__.tag for kind in offered} - exceptions_of(game_name, "commands")
    for match in _matches(game_name):
        missing -= match.commands
        if not missing:
            return
    assert not missing, f"never given in {MOST_MATCHES} matches, and not listed under [commands] in untested.toml"


def test_9_every_name_occurs(game_name: str) -> None:
    """Whatever has a printed name lies on the table or is told of sooner or later."""
    game = game_of(game_name)
    missing = set().union(*(words.sections.get("names", {}) for words in game.words.values()))
    missing -= exceptions_of(game_name, "content")
    for texts in _all_texts(game_name):
        missing -= texts
        if not missing:
            return
    assert not missing, "these names never occur, and are not listed under [content] in untested.toml"


def _all_texts(name: str) -> Iterator[frozenset[str]]:
    """Of matches, and then of many more openings, since a large pack is dealt in small parts."""
    for match in _matches(name):
        yield match.texts
    for setting, seed in zip(_endless(settings_of(name)), range(1, MOST_DEALS), strict=False):
        started, events = begin(setting.game, setting.seats, setting.options, step_dice(key_of(seed), 1))
        yield _texts(events) | _texts(started.state)


def _endless(settings: tuple[Setting, ...]) -> Iterator[Setting]:
    for number in count():
        yield settings[number % len(settings)]


def _texts(thing: object) -> frozenset[str]:
    return frozenset(re.findall(r'"([^"\\]*)"', msgspec.json.encode(thing).decode()))


@rule("PL-726")
def test_every_word_is_there_in_every_language_and_none_is_unused(game_name: str) -> None:
    game = game_of(game_name)
    assert {"en", "it"} <= set(game.words)
    keys = {language: _keys(words.sections) for language, words in game.words.items()}
    for language, there in keys.items():
        assert there == keys["en"], f"{language} differs from en"
    events = {str(kind.__struct_config__.tag) for kind in game.events}
    log = {key for section, key in keys["en"] if section == "log"}
    assert events <= log, "events without a sentence"
    assert {key.removesuffix("_hidden") for key in log} <= events, "sentences without an event"
    source = _source(game)
    unused = [f"{section}.{key}" for section, key in keys["en"] if section not in {"log", "names"} and not _occurs(key, source)]
    assert not unused, "words that nothing says"


@rule("PL-726")
def test_blanks_are_the_same_in_every_language(game_name: str) -> None:
    """A translation may put the facts in another order, but may not lose one."""
    game = game_of(game_name)
    for section, texts in game.words["en"].sections.items():
        for key, text in texts.items():
            for language, words in game.words.items():
                assert _blanks(words.sections[section][key]) == _blanks(text), f"{language}: {section}.{key}"


def _keys(sections: dict[str, dict[str, str]]) -> set[tuple[str, str]]:
    return {(section, key) for section, texts in sections.items() for key in texts}


def _blanks(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def _source(game: Game) -> str:
    """All code and content of the game, its words apart."""
    module = sys.modules[game.empty.__module__].__file__
    assert module is not None
    files = [path for path in Path(module).parent.rglob("*.*") if path.suffix in {".py", ".js", ".html", ".toml", ".svg"}]
    return "\n".join(path.read_text("utf-8") for path in files if path.parent.name != "words")


def _occurs(key: str, source: str) -> bool:
    """A word is used if its key is written somewhere, or made of written parts (`f"phase_{name}"`)."""
    if re.search(rf"""["'\[.]{re.escape(key)}["'\]]|^{re.escape(key)} =""", source, re.MULTILINE):
        return True
    return any(f'"{key[:cut]}{{' in source or f'}}{key[cut:]}"' in source for cut in range(3, len(key)))
