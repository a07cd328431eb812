"""Does what one may point at, without seeing it, tell anything: the order of a shuffle, or which thing it was before the last one?"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from shared.desk.workshop.games import key_of
from shared.kernel.choices import Choice, Member, One
from shared.kernel.dice import Dice
from shared.kernel.game import Game, Seat, State
from shared.kernel.match import Match
from tests.laws.driver import Setting, again, game_of, moments, sampled, settings_of
from tests.laws.readers import json_of
from tests.ledger import rule

SHUFFLES = 3


def betrayed(game: Game, match: Match[Any], chance: Dice) -> Iterator[Seat]:
    """Seats whose choices, values and order included, are other ones once all that is hidden from them is shuffled anew."""
    for seat in range(len(match.missed)):
        told = json_of(game, game.legal(match.state, seat))
        others = (game.imagine(match.state, seat, chance) for _ in range(SHUFFLES))
        if any(json_of(game, game.legal(state, seat)) != told for state in others):
            yield seat


@rule("PL-384")
def test_a_handle_is_the_same_however_what_it_hides_was_shuffled(setting: Setting) -> None:
    """So it is derived from no order, and from no hidden thing that it could follow through the next shuffle."""
    for seed, moment in sampled(setting, each=4):
        with again(setting, seed, moment):
            assert list(betrayed(setting.game, moment.after, Dice(key_of(seed), f"handles|{moment.after.step}|"))) == []


def by_order(state: Any) -> str:
    """A handle that is the place in the shuffled bag of the pebble that was white before."""
    return str(state.bag.index(max(state.bag)) if state.bag else 0)


def by_thing(state: Any) -> str:
    """A handle that goes with the uppermost pebble wherever it is shuffled to."""
    return hashlib.sha256("".join(state.bag[:3]).encode()).hexdigest()[:8]


@rule("PL-384", "PL-787")
@pytest.mark.parametrize("handle", [by_order, by_thing])
def test_the_law_bites_where_a_handle_follows_the_shuffle(handle: Callable[[Any], str]) -> None:
    honest = game_of("pebbles")

    def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
        choices = honest.legal(state, seat)
        return tuple(replace(choice, fields={**choice.fields, "from": One((Member(handle(state), choice.label),))}) for choice in choices)

    tampered = dataclasses.replace(honest, legal=legal)
    setting = settings_of("pebbles")[0]
    assert any(any(betrayed(tampered, moment.after, Dice(key_of(1), f"bites|{moment.after.step}|"))) for moment in moments(setting, 1))
