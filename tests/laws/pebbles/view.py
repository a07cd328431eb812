"""What does each seat see, as a picture is drawn from it and as text?"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.choices import Label
from shared.kernel.content import Words
from shared.kernel.dice import Dice
from shared.kernel.game import Seat
from tests.laws.pebbles.state import NOBODY, Heap, State


class HeapView(Struct, frozen=True):
    """A heap as a reader sees it."""

    pebbles: tuple[str, ...]
    has_hidden: bool
    fist: tuple[str, ...] | None
    shells: int
    cheers: int
    name: str
    lucky: int | None
    gone: bool


class View(Struct, frozen=True):
    """The table as a reader sees it."""

    you: Seat | None
    round: int
    rounds: int
    stage: str
    turn: Seat
    begged: Seat | None
    faces: tuple[int, ...]
    bag: int
    brook: tuple[str, ...]
    heaps: tuple[HeapView, ...]


def look(state: State, seat: Seat | None) -> View:
    """PB-102, PB-103, PB-131 No order of the bag, no number and no fist of another seat."""
    heaps = tuple(_heap(state, owner, owner == seat) for owner in range(len(state.heaps)))
    begged = None if state.begged == NOBODY else state.begged
    return View(seat, state.round, state.options.rounds, state.stage, state.turn, begged, state.faces, len(state.bag), state.brook, heaps)


def imagine(state: State, seat: Seat | None, dice: Dice) -> State:
    """Another table that looks the same to this seat."""
    heaps = tuple(heap if owner == seat else _other(state, heap, dice) for owner, heap in enumerate(state.heaps))
    return replace(state, bag=dice.shuffled(state.bag), heaps=heaps)


def text(view: View, words: Words) -> str:
    """PL-359 The view in lines."""
    head = Label("head", round=view.round, rounds=view.rounds, stage=view.stage, bag=view.bag, faces=view.faces or "-")
    lines = [words.say(head, "pages")]
    if view.begged is not None:
        lines.append(words.say(Label("begged", seat=view.turn, of_seat=view.begged), "log"))
    for seat, heap in enumerate(view.heaps):
        facts = {"seat": seat, "name": heap.name or "-", "pebbles": heap.pebbles or "-", "shells": heap.shells}
        lines.append(words.say(Label("heap", cheers=heap.cheers, **facts), "pages"))
        if heap.lucky is not None:
            lines.append(words.say(Label("lucky", seat=seat, number=heap.lucky), "pages"))
        if heap.has_hidden:
            lines.append(words.say(Label("fist", seat=seat, fist="?" if heap.fist is None else heap.fist or "-"), "pages"))
        if heap.gone:
            lines.append(words.say(Label("gone", seat=seat), "pages"))
    return "\n".join(lines)


def _heap(state: State, owner: Seat, own: bool) -> HeapView:
    heap = state.heaps[owner]
    fist = heap.fist if own or state.stage != "hide" else None
    lucky = heap.lucky if own or state.stage == "over" else None
    return HeapView(heap.pebbles, heap.fist is not None, fist, heap.shells, heap.cheers, heap.name, lucky, heap.gone)


def _other(state: State, heap: Heap, dice: Dice) -> Heap:
    if state.stage == "over":
        return heap
    fist = heap.fist
    if state.stage == "hide" and fist is not None:
        fist = tuple(sorted(dice.shuffled(heap.pebbles)[: dice.below(min(3, len(heap.pebbles)) + 1)]))
    return replace(heap, lucky=dice.roll(6), fist=fist)
