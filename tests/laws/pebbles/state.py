"""What lies on the table? Heaps, the bag and the stage of the round."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.game import Seat

NOBODY: Seat = -1
Stage = Literal["throw", "hide", "look", "cheer", "over"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host may choose."""

    rounds: Literal[1, 2, 3, 4, 5] = 3
    crowd: bool = False


class Heap(Struct, frozen=True):
    """What lies before one seat."""

    pebbles: tuple[str, ...] = ()
    fist: tuple[str, ...] | None = None  # None: has not hidden yet
    shells: int = 0
    cheers: int = 0
    name: str = ""
    lucky: int = 0
    gone: bool = False


class State(Struct, frozen=True):
    """The whole table."""

    options: Options
    heaps: tuple[Heap, ...]
    bag: tuple[str, ...] = ()
    brook: tuple[str, ...] = ()
    round: int = 0
    stage: Stage = "throw"
    turn: Seat = 0
    faces: tuple[int, ...] = ()  # of the last throw
    begged: Seat = NOBODY  # who is asked for a pebble just now
    has_begged: bool = False  # in this turn

    def with_heap(self, seat: Seat, **changes: object) -> State:
        heap = replace(self.heaps[seat], **changes)
        return replace(self, heaps=(*self.heaps[:seat], heap, *self.heaps[seat + 1 :]))

    def staying(self) -> tuple[Seat, ...]:
        """PB-153 The seats that still play."""
        return tuple(seat for seat, heap in enumerate(self.heaps) if not heap.gone)


def empty(seats: int, options: Options) -> State:
    return State(options, (Heap(),) * seats)


def sound(state: State) -> list[str]:
    """Complaints: a pebble lost or doubled, or a fist with pebbles that are not the seat's own."""
    everywhere = [*state.bag, *state.brook, *(pebble for heap in state.heaps for pebble in heap.pebbles)]
    complaints = [f"{pebble} is there twice" for pebble in sorted(set(everywhere)) if everywhere.count(pebble) > 1]
    for seat, heap in enumerate(state.heaps):
        if state.stage == "hide" and not set(heap.fist or ()) <= set(heap.pebbles):
            complaints.append(f"seat {seat} hides what it does not have")
    return complaints
