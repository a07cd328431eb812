"""What can happen in the Solo Challenge, and how does it change the state? Nothing of it is hidden."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from services.goldblivion.events import taken_from
from services.goldblivion.state import Dummy, State, put
from shared.kernel.game import Event, Seat


def _with_dummy(state: State, **changes: object) -> State:
    dummy = state.dummy
    assert dummy is not None
    return replace(state, dummy=replace(dummy, **changes))


def _dummy(state: State) -> Dummy:
    assert state.dummy is not None
    return state.dummy


class DummyTurnCame(Event, frozen=True):
    """GB-613."""

    def change(self, state: State) -> State:
        return replace(state, stage="dummy", activations=0)


class DummyRolled(Event, frozen=True):
    """GB-641, GB-661."""

    faces: tuple[int, ...]

    def change(self, state: State) -> State:
        return replace(state, dice=self.faces)


class DummyTook(Event, frozen=True):
    """GB-644."""

    place: str
    card: str

    def change(self, state: State) -> State:
        return _with_dummy(taken_from(state, self.place), card=self.card)


class DummyPlaced(Event, frozen=True):
    """GB-645."""

    card: str
    badge: str

    def change(self, state: State) -> State:
        return _with_dummy(state, card="", **{self.badge: (*_dummy(state).under(self.badge), self.card)})


class DummyGained(Event, frozen=True):
    """GB-664."""

    kind: Literal["nuggets", "material", "bars"]
    n: int

    def change(self, state: State) -> State:
        return _with_dummy(state, **{self.kind: getattr(state.dummy, self.kind) + self.n})


class DummyPaid(Event, frozen=True):
    """GB-650 To the bank, by the conversion chart."""

    kind: Literal["nuggets", "material"]
    n: int

    def change(self, state: State) -> State:
        return _with_dummy(state, **{self.kind: getattr(state.dummy, self.kind) - self.n})


class DummyDestroyed(Event, frozen=True):
    """GB-672 A card of the Market goes to the box."""

    place: str
    card: str

    def change(self, state: State) -> State:
        return replace(taken_from(state, self.place), box=(*state.box, self.card))


class TerritoryRevealed(Event, frozen=True):
    """GB-666."""

    space: str
    index: int
    tile: str

    def change(self, state: State) -> State:
        spaces = put(state.spaces, self.index, replace(state.spaces[self.index], up=True))
        return replace(state, spaces=spaces, revealed=(*state.revealed, self.space))


class DummyConquered(Event, frozen=True):
    """GB-668, GB-669, GB-679 The Cow-Dragon stays."""

    space: str
    index: int
    tile: str

    def change(self, state: State) -> State:
        space = state.spaces[self.index]
        if not space.tiles:
            return state
        emptied = put(state.spaces, self.index, replace(space, tiles=space.tiles[1:], up=False))
        return _with_dummy(replace(state, spaces=emptied), territories=(*_dummy(state).territories, self.tile))


class Burned(Event, frozen=True):
    """GB-673."""

    seat: Seat
    n: int

    def change(self, state: State) -> State:
        return state.with_board(self.seat, nuggets=state.boards[self.seat].nuggets - self.n)


class NuggetRemoved(Event, frozen=True):
    """GB-651."""

    def change(self, state: State) -> State:
        return _with_dummy(state, nuggets=_dummy(state).nuggets - 1)


class ChallengeLost(Event, frozen=True):
    """GB-631, GB-684, GB-705 The player has lost, whatever the bars are."""

    reason: Literal["market", "left"]

    def change(self, state: State) -> State:
        return replace(state, lost=True, stage="over", pending=None, stack=())
