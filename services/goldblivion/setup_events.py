"""What can happen before the first round, how does it change the state, and who may see it?"""

from __future__ import annotations

from msgspec.structs import replace

from services.goldblivion.state import Board, Coat, Dummy, Space, State, put, without
from shared.kernel.game import Event, Seat

Cards = tuple[str, ...]


class CoatsDealt(Event, frozen=True):
    """GB-102, GB-113."""

    coats: tuple[Coat, ...]

    def change(self, state: State) -> State:
        return replace(state, boards=tuple(Board(coat=coat) for coat in self.coats))


class DummySeated(Event, frozen=True):
    """GB-601, GB-603."""

    dummy: Dummy

    def change(self, state: State) -> State:
        return replace(state, dummy=self.dummy)


class MapLaid(Event, frozen=True):
    """GB-131 to GB-133 Nobody sees which tile lies where."""

    spaces: tuple[Space, ...] | None
    unused: tuple[Cards, Cards] | None

    def change(self, state: State) -> State:
        return replace(state, spaces=self.spaces or (), unused=self.unused or ((), ()))

    def seen_by(self, _seat: Seat | None) -> MapLaid:
        return MapLaid(None, None)


class ArmiesLaid(Event, frozen=True):
    """GB-134 Only the upper card of each pile is visible."""

    left: Cards
    right: Cards

    def change(self, state: State) -> State:
        return replace(state, armies=(self.left, self.right))

    def seen_by(self, _seat: Seat | None) -> ArmiesLaid:
        return ArmiesLaid(self.left[:1], self.right[:1])


class VillagesLaid(Event, frozen=True):
    """GB-135."""

    sides: tuple[str, str]

    def change(self, state: State) -> State:
        return replace(state, villages=self.sides)


class PileShuffled(Event, frozen=True):
    """GB-136."""

    count: int
    pile: Cards | None

    def change(self, state: State) -> State:
        return replace(state, pile=self.pile or ())

    def seen_by(self, _seat: Seat | None) -> PileShuffled:
        return replace(self, pile=None)


class Buried(Event, frozen=True):
    """GB-138, GB-139 A Building turned up too early goes under the pile."""

    card: str

    def change(self, state: State) -> State:
        return replace(state, pile=(*state.pile[1:], self.card), buried=state.buried + 1)


class DeckDealt(Event, frozen=True):
    """GB-121 The cards of a coat of arms; everybody knows which they are."""

    seat: Seat
    deck: Cards
    army: Cards

    def change(self, state: State) -> State:
        return state.with_board(self.seat, deck=self.deck, army=self.army)


class NoblesRevealed(Event, frozen=True):
    """GB-151 The others go to the box."""

    nobles: Cards
    boxed: Cards

    def change(self, state: State) -> State:
        return replace(state, nobles=self.nobles, box=self.boxed)


class TookNoble(Event, frozen=True):
    """GB-155, GB-157 What nobody took goes to the box (GB-605)."""

    seat: Seat
    noble: str

    def change(self, state: State) -> State:
        board = state.boards[self.seat]
        nobles, taken = without(state.nobles, self.noble), put(state.taken, self.seat, self.noble)
        if all(taken):
            state = replace(state, box=state.box + nobles)
            nobles = ()
        return replace(state, nobles=nobles, taken=taken).with_board(self.seat, deck=(*board.deck, self.noble))


class DrafterCame(Event, frozen=True):
    """GB-153 In reverse turn order."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, turn=self.seat)
