"""What can happen, how does it change the state, and who may see it?"""

from __future__ import annotations

from msgspec.structs import replace

from shared.kernel.game import Event, Seat
from tests.laws.pebbles.state import NOBODY, Stage, State


class BagFilled(Event, frozen=True):
    """PB-102."""

    count: int
    pebbles: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return replace(state, bag=self.pebbles or ())

    def seen_by(self, seat: Seat | None) -> BagFilled:
        return replace(self, pebbles=None)


class NumberLearned(Event, frozen=True):
    """PB-103."""

    seat: Seat
    number: int | None

    def change(self, state: State) -> State:
        return state.with_heap(self.seat, lucky=self.number)

    def seen_by(self, seat: Seat | None) -> NumberLearned:
        return self if seat == self.seat else replace(self, number=None)


class RoundBegan(Event, frozen=True):
    """The fists of the last round are empty again."""

    round: int

    def change(self, state: State) -> State:
        heaps = tuple(replace(heap, fist=None) for heap in state.heaps)
        return replace(state, round=self.round, stage="throw", turn=0, heaps=heaps, has_begged=False)


class StageBegan(Event, frozen=True):
    stage: Stage

    def change(self, state: State) -> State:
        return replace(state, stage=self.stage)


class TurnCame(Event, frozen=True):
    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, turn=self.seat, has_begged=False)


class Named(Event, frozen=True):
    seat: Seat
    name: str

    def change(self, state: State) -> State:
        return state.with_heap(self.seat, name=self.name)


class Threw(Event, frozen=True):
    seat: Seat
    faces: tuple[int, ...]

    def change(self, state: State) -> State:
        return replace(state, faces=self.faces)


class Drew(Event, frozen=True):
    """PB-122 From the top of the bag."""

    seat: Seat
    pebbles: tuple[str, ...]

    def change(self, state: State) -> State:
        heap = tuple(sorted(state.heaps[self.seat].pebbles + self.pebbles))
        return replace(state.with_heap(self.seat, pebbles=heap), bag=state.bag[len(self.pebbles) :])


class Rested(Event, frozen=True):
    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, faces=())


class Begged(Event, frozen=True):
    """PB-125."""

    seat: Seat
    of_seat: Seat

    def change(self, state: State) -> State:
        return replace(state, begged=self.of_seat, has_begged=True)


class Kept(Event, frozen=True):
    """PB-125."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, begged=NOBODY)


class Hid(Event, frozen=True):
    """PB-131."""

    seat: Seat
    pebbles: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return state.with_heap(self.seat, fist=self.pebbles)

    def seen_by(self, seat: Seat | None) -> Hid:
        return self if seat == self.seat else replace(self, pebbles=None)


class FistOpened(Event, frozen=True):
    """PB-133 What was hidden is public from now on: the stage changes at the same time."""

    seat: Seat
    pebbles: tuple[str, ...]


class ShellWon(Event, frozen=True):
    """PB-135."""

    seat: Seat
    pebbles: tuple[str, ...]

    def change(self, state: State) -> State:
        heap = state.heaps[self.seat]
        kept = tuple(pebble for pebble in heap.pebbles if pebble not in self.pebbles)
        paid = state.with_heap(self.seat, pebbles=kept, shells=heap.shells + 1)
        return replace(paid, brook=tuple(sorted(state.brook + self.pebbles)))


class Gave(Event, frozen=True):
    """PB-125, PB-142."""

    seat: Seat
    to_seat: Seat
    pebbles: tuple[str, ...]

    def change(self, state: State) -> State:
        kept = tuple(pebble for pebble in state.heaps[self.seat].pebbles if pebble not in self.pebbles)
        grown = tuple(sorted(state.heaps[self.to_seat].pebbles + self.pebbles))
        given = state.with_heap(self.seat, pebbles=kept).with_heap(self.to_seat, pebbles=grown)
        return replace(given, begged=NOBODY)


class Cheered(Event, frozen=True):
    seat: Seat

    def change(self, state: State) -> State:
        return state.with_heap(self.seat, cheers=state.heaps[self.seat].cheers + 1)


class NumberShown(Event, frozen=True):
    """PB-151."""

    seat: Seat
    number: int


class Left(Event, frozen=True):
    """PB-153."""

    seat: Seat

    def change(self, state: State) -> State:
        concerned = self.seat in {state.turn, state.begged}
        return replace(state.with_heap(self.seat, gone=True, fist=None), begged=NOBODY if concerned else state.begged)
