"""Which matches do the laws look at? Every game, every number of seats, every variant of its options, many seeds."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, NamedTuple

from shared.desk.workshop.games import key_of, named, names, place_of
from shared.desk.workshop.wild import Moment, wild
from shared.kernel.dice import Dice
from shared.kernel.game import Game

SAMPLE = "tests.laws.pebbles.game:GAME"
MATCHES_PER_GAME = 48


class Setting(NamedTuple):
    """A way to play a game: by how many seats and under which of its variants."""

    name: str
    seats: int
    variant: int

    @property
    def game(self) -> Game:
        return game_of(self.name)

    @property
    def options(self) -> Any:
        return self.game.read_options(self.game.variants[self.variant])

    @property
    def seeds(self) -> range:
        """Few by default, so that the laws of a game take seconds; CUPBOARD_LAW_SEEDS for a long night."""
        few = max(2, MATCHES_PER_GAME // len(settings_of(self.name)))
        return range(1, 1 + int(os.environ.get("CUPBOARD_LAW_SEEDS", few)))

    def __str__(self) -> str:
        return f"{self.game.name}-{self.seats}-v{self.variant}"


@cache
def game_of(name: str) -> Game:
    return named(SAMPLE if name == "pebbles" else name)


def game_names() -> tuple[str, ...]:
    return ("pebbles", *names())


@cache
def settings_of(name: str) -> tuple[Setting, ...]:
    game = game_of(name)
    allowed = [game.seats_allowed(game.read_options(options)) for options in game.variants]
    return tuple(Setting(name, seats, variant) for variant, every in enumerate(allowed) for seats in every)


@lru_cache(maxsize=128)
def moments(setting: Setting, seed: int) -> tuple[Moment, ...]:
    """One wild match, step by step."""
    with again(setting, seed):
        return tuple(wild(setting.game, setting.seats, setting.options, key_of(seed)))


def sampled(setting: Setting, each: int) -> Iterator[tuple[int, Moment]]:
    """Some moments of every match, chosen by the seed: the first, the last, and others up to `each`."""
    for seed in setting.seeds:
        match = moments(setting, seed)
        chosen = {0, len(match) - 1, *sorted(Dice(key_of(seed), "sample|").shuffled(range(len(match)))[:each])}
        for number in sorted(chosen):
            yield seed, match[number]


@contextmanager
def again(setting: Setting, seed: int, moment: Moment | None = None) -> Iterator[None]:
    """Tells, when a law fails, how to see the match again."""
    try:
        yield
    except Exception as error:
        options = json.dumps(dict(setting.game.variants[setting.variant]))
        place = place_of(setting.game)
        step = f"   (step {moment.after.step}: {moment.act})" if moment else ""
        more = f"--wild --seats {setting.seats} --options '{options}'"
        error.add_note(f'again: make simulate GAME={place} SEED={seed} MATCHES=1 ARGS="{more}"{step}')
        raise
