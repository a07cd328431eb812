"""What is played when speed is measured? Pebbles without an end, in which nobody looks around for long."""

from __future__ import annotations

from dataclasses import replace

from tests.laws.pebbles import game, state

ROUNDS = 1_000_000


class Options(state.Options, frozen=True, forbid_unknown_fields=True):
    rounds: int = ROUNDS  # type: ignore[assignment]


class State(state.State, frozen=True):
    options: Options


def empty(seats: int, options: Options) -> State:
    return State(options=options, heaps=(state.Heap(),) * seats)


GAME = replace(game.GAME, options=Options, state=State, empty=empty, variants=({},), presets={"bench": {"look": 0}, "open": {}})
