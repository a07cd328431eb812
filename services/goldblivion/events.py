"""What can happen around the powers, how does it change the state, and who may see it? See also setup_, power_ and solo_events.py."""

from __future__ import annotations

from msgspec.structs import replace

from services.goldblivion.state import GOLD_PLACES, PILES, SLOTS, Frame, Pending, Side, State, put, without
from shared.kernel.game import Event, Seat

Cards = tuple[str, ...]


def taken_from(state: State, place: str) -> State:
    """The state without the card at a place of the Market."""
    slot = SLOTS.get(place)
    if slot is not None:
        return replace(state, market=put(state.market, slot, ""))
    left, right = state.armies
    return replace(state, armies=(left[1:], right) if place == PILES[0] else (left, right[1:]))


def with_new_card(state: State, seat: Seat, place: str, card: str) -> State:
    """The state with a card on one of the seat's decks."""
    board = state.boards[seat]
    if place in GOLD_PLACES:
        return state.with_board(seat, deck=(*board.deck, card))
    return state.with_board(seat, army=(*board.army, card))


class Refilled(Event, frozen=True):
    """GB-137, GB-251, GB-621 The next card comes into the Market; without a card the space stays empty."""

    market: Cards
    card: str

    def change(self, state: State) -> State:
        if not self.card:
            return replace(state, market=self.market)
        pile = state.pile[1:]
        return replace(state, market=self.market, pile=pile, buried=min(state.buried, len(pile)))


class Uncovered(Event, frozen=True):
    """GB-255, GB-256 What lies on top of a Combat pile now; nothing if it is used up."""

    place: str
    card: str


class BankShuffled(Event, frozen=True):
    """GB-140, GB-525."""

    bank: Cards | None

    def change(self, state: State) -> State:
        return replace(state, bank=self.bank or (), used=())

    def seen_by(self, _seat: Seat | None) -> BankShuffled:
        return BankShuffled(None)


class DeckShuffled(Event, frozen=True):
    """GB-124, GB-234, GB-523 Nobody knows the order."""

    seat: Seat
    deck: Cards | None

    def change(self, state: State) -> State:
        return state.with_board(self.seat, deck=self.deck)

    def seen_by(self, _seat: Seat | None) -> DeckShuffled:
        return DeckShuffled(self.seat, None)


class ArmyShuffled(Event, frozen=True):
    """GB-124, GB-235, GB-524 The same for a Combat deck."""

    seat: Seat
    army: Cards | None

    def change(self, state: State) -> State:
        return state.with_board(self.seat, army=self.army)

    def seen_by(self, _seat: Seat | None) -> ArmyShuffled:
        return ArmyShuffled(self.seat, None)


class FirstPlayerCame(Event, frozen=True):
    """GB-152, GB-526."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, first=self.seat, turn=self.seat)


class RoundBegan(Event, frozen=True):
    """GB-164, GB-530."""

    round: int

    def change(self, state: State) -> State:
        boards = tuple(replace(board, passed=False, turns=0) for board in state.boards)
        return replace(state, round=self.round, stage="development", turn=state.first, boards=boards)


class Drew(Event, frozen=True):
    """GB-171, GB-174, GB-381 From the top of the GOLDblivion deck."""

    seat: Seat
    count: int
    hand: Cards | None  # the whole hand afterwards
    cards: Cards | None

    def change(self, state: State) -> State:
        return state.with_board(self.seat, hand=self.hand, deck=state.boards[self.seat].deck[self.count :])

    def seen_by(self, seat: Seat | None) -> Drew:
        return self if seat == self.seat else Drew(self.seat, self.count, None, None)


class Placed(Event, frozen=True):
    """GB-184, GB-185 A choice for Development; others learn that it was made, and not that it was changed."""

    seat: Seat
    card: str | None
    side: Side | None
    news: bool

    def change(self, state: State) -> State:
        return state.with_board(self.seat, placing=self.card, side=self.side)

    def seen_by(self, seat: Seat | None) -> Placed | None:
        if seat == self.seat:
            return self
        return replace(self, card=None, side=None) if self.news else None


class Developed(Event, frozen=True):
    """GB-181, GB-184, GB-188 The card lies under a side for the rest of the game; only its owner knows it."""

    seat: Seat
    side: Side
    card: str | None

    def change(self, state: State) -> State:
        board = state.boards[self.seat]
        card = board.placing
        under = {self.side: (*getattr(board, self.side), card)}
        return state.with_board(self.seat, hand=without(board.hand, card), placing="", side="left", **under)

    def seen_by(self, seat: Seat | None) -> Developed:
        return self if seat == self.seat else replace(self, card=None)


class TurnCame(Event, frozen=True):
    """GB-201, GB-208, GB-209."""

    seat: Seat

    def change(self, state: State) -> State:
        turns = state.boards[self.seat].turns + 1
        came = replace(state, stage="actions", turn=self.seat, actions=0, activations=0, ended=False)
        return came.with_board(self.seat, turns=turns)


class TurnEnded(Event, frozen=True):
    """GB-206."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, ended=True)


class Played(Event, frozen=True):
    """GB-221."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        board = state.boards[self.seat]
        played = replace(state, actions=state.actions + 1, activations=state.activations + 1)
        return played.with_board(self.seat, hand=without(board.hand, self.card), played=(*board.played, self.card))


class Bought(Event, frozen=True):
    """GB-231, GB-237 The price is paid; a Building stands in the Game area, other cards lie on the deck, to be shuffled."""

    seat: Seat
    place: str
    card: str
    nuggets: int
    material: int
    building: bool

    def change(self, state: State) -> State:
        board = state.boards[self.seat]
        paid = {"nuggets": board.nuggets - self.nuggets, "material": board.material - self.material}
        if self.building:
            paid["buildings"] = (*board.buildings, self.card)  # type: ignore[assignment]
            acted = replace(taken_from(state, self.place), actions=state.actions + 1)
            return acted.with_board(self.seat, **paid)
        acted = replace(taken_from(state, self.place), actions=state.actions + 1).with_board(self.seat, **paid)
        return with_new_card(acted, self.seat, self.place, self.card)


class Took(Event, frozen=True):
    """GB-391, GB-393 A card of the Market for nothing."""

    seat: Seat
    place: str
    card: str

    def change(self, state: State) -> State:
        return with_new_card(taken_from(state, self.place), self.seat, self.place, self.card)


class Stole(Event, frozen=True):
    """GB-421 to GB-424."""

    seat: Seat
    from_seat: Seat
    card: str

    def change(self, state: State) -> State:
        robbed = state.with_board(self.from_seat, army=state.boards[self.from_seat].army[1:])
        return with_new_card(robbed, self.seat, PILES[0], self.card)


class Destroyed(Event, frozen=True):
    """GB-257, GB-395 A card of the Market goes to the box."""

    seat: Seat
    place: str
    card: str

    def change(self, state: State) -> State:
        return replace(taken_from(state, self.place), box=(*state.box, self.card))


class Passed(Event, frozen=True):
    """GB-271, GB-272."""

    seat: Seat
    nuggets: int
    bars: int

    def change(self, state: State) -> State:
        board = state.boards[self.seat]
        used = replace(state, actions=state.actions + 1) if self.seat == state.turn else state
        return used.with_board(self.seat, passed=True, nuggets=board.nuggets - self.nuggets, bars=board.bars + self.bars)


class LastRoundCame(Event, frozen=True):
    """GB-541, GB-543 Somebody has enough bars: this round is the last one."""


class BuildingsRighted(Event, frozen=True):
    """GB-522."""

    def change(self, state: State) -> State:
        return replace(state, boards=tuple(replace(board, turned=()) for board in state.boards))


class CardsGathered(Event, frozen=True):
    """GB-523, GB-524 Cards in play and in hand go back to their decks, where they are shuffled."""

    def change(self, state: State) -> State:
        boards = tuple(
            replace(
                board,
                deck=board.deck + board.played + board.hand,
                army=board.army + board.exhausted,
                played=(),
                hand=(),
                exhausted=(),
            )
            for board in state.boards
        )
        return replace(state, boards=boards)


class MarkerCame(Event, frozen=True):
    """GB-527 The new first player destroys a card of the Market."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, stage="marker", turn=self.seat)


class Held(Event, frozen=True):
    """A power waits for a decision; how far it has come is public from what was told before."""

    seat: Seat
    pending: Pending
    stack: tuple[Frame, ...] | None

    def change(self, state: State) -> State:
        return replace(state, pending=self.pending, stack=self.stack)

    def seen_by(self, _seat: Seat | None) -> Held:
        shown = Pending(self.pending.seat, self.pending.question, self.pending.about)
        return Held(self.seat, shown, None)


class Settled(Event, frozen=True):
    """All powers are carried out."""

    def change(self, state: State) -> State:
        return replace(state, pending=None, stack=())

    def seen_by(self, _seat: Seat | None) -> None:
        return None  # what follows says the same


class Ended(Event, frozen=True):
    """GB-541, GB-542."""

    def change(self, state: State) -> State:
        return replace(state, stage="over", pending=None, stack=())


class Left(Event, frozen=True):
    """GB-705."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.with_board(self.seat, gone=True, placing="", side="left")
