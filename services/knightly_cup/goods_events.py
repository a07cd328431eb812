"""What can happen to coins and items between knights, Bank and elves? Everything here is public."""

from __future__ import annotations

from msgspec.structs import replace

from services.knightly_cup.state import Bidding, ElvesGive, ElvesSwap, ElvesTake, Knight, Offer, State, added, put, without
from shared.kernel.game import Event, Seat


class Bought(Event, frozen=True):
    """KC-674, KC-691."""

    seat: Seat
    item: str
    coins: int
    place: int  # of the Merchant whose stock it came from; -1: from the common supply

    def change(self, state: State) -> State:
        knight = state.knights[self.seat]
        richer = state.with_knight(self.seat, coins=knight.coins - self.coins, items=added(knight.items, self.item))
        if self.place < 0:
            return replace(richer, supply={**state.supply, self.item: state.supply[self.item] - 1})
        return replace(richer, stocks=put(state.stocks, self.place, without(state.stocks[self.place], self.item)))


class Sold(Event, frozen=True):
    """KC-677."""

    seat: Seat
    item: str
    coins: int
    place: int

    def change(self, state: State) -> State:
        knight = state.knights[self.seat]
        poorer = state.with_knight(self.seat, coins=knight.coins + self.coins, items=without(knight.items, self.item))
        return replace(poorer, stocks=put(state.stocks, self.place, added(state.stocks[self.place], self.item)))


class Begged(Event, frozen=True):
    """KC-702."""

    seat: Seat
    coins: int

    def change(self, state: State) -> State:
        return state.with_knight(self.seat, coins=state.knights[self.seat].coins + self.coins, begged=True)


class Offered(Event, frozen=True):
    """KC-803, KC-812."""

    seat: Seat
    to_seat: Seat
    give: dict[str, int]
    take: dict[str, int]
    promise: str

    def change(self, state: State) -> State:
        other = self.to_seat if self.seat == state.turn.seat else self.seat
        turn = replace(state.turn, offered=(*state.turn.offered, other))
        return replace(state, turn=turn, pending=Offer(self.to_seat, self.seat, self.give, self.take, self.promise))


class OfferRefused(Event, frozen=True):
    """KC-805."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, pending=None)


class OfferWithdrawn(Event, frozen=True):
    """KC-805."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, pending=None)


class Traded(Event, frozen=True):
    """KC-803 In full, at once: what `seat` gave and took."""

    seat: Seat
    to_seat: Seat
    give: dict[str, int]
    take: dict[str, int]

    def change(self, state: State) -> State:
        giver = _exchanged(state.knights[self.seat], self.give, self.take)
        taker = _exchanged(state.knights[self.to_seat], self.take, self.give)
        other = self.to_seat if self.seat == state.turn.seat else self.seat
        turn = replace(state.turn, traded=(*state.turn.traded, other))
        return replace(state, knights=put(put(state.knights, self.seat, giver), self.to_seat, taker), pending=None, turn=turn)


def _exchanged(knight: Knight, gone: dict[str, int], come: dict[str, int]) -> Knight:
    coins = knight.coins - gone.get("coins", 0) + come.get("coins", 0)
    return replace(knight, coins=coins, items=added(without(knight.items, *_tokens(gone)), *_tokens(come)))


def _tokens(lots: dict[str, int]) -> list[str]:
    return [item for item, count in lots.items() if item != "coins" for _ in range(count)]


class BribeOpened(Event, frozen=True):
    """KC-841."""

    seat: Seat
    foe_seat: Seat
    coins: int

    def change(self, state: State) -> State:
        turn = replace(state.turn, bribed=tuple(sorted((*state.turn.bribed, self.foe_seat))))
        return replace(state, turn=turn, pending=Bidding(self.foe_seat, self.foe_seat, self.coins, self.seat))


class BribeRaised(Event, frozen=True):
    """KC-842."""

    seat: Seat
    coins: int

    def change(self, state: State) -> State:
        bidding = state.pending
        assert isinstance(bidding, Bidding)
        return replace(state, pending=Bidding(bidding.by, bidding.foe, self.coins, self.seat))


class BribeWon(Event, frozen=True):
    """KC-844 to KC-846 Only the winner pays."""

    seat: Seat
    foe_seat: Seat  # the sheltered knight
    coins: int

    def change(self, state: State) -> State:
        paid = state.with_knight(self.seat, coins=state.knights[self.seat].coins - self.coins)
        if self.seat != self.foe_seat:
            return replace(paid, pending=None)
        turn = replace(state.turn, denied=tuple(sorted((*state.turn.denied, self.foe_seat))))
        return replace(paid, pending=None, turn=turn)


class ElvesAsked(Event, frozen=True):
    """KC-762, KC-765, KC-767 What the elves want now: take, give or swap."""

    seat: Seat
    what_now: str

    def change(self, state: State) -> State:
        match self.what_now:
            case "take":
                return replace(state, pending=ElvesTake(self.seat))
            case "give":
                return replace(state, pending=ElvesGive(self.seat))
        return replace(state, pending=ElvesSwap(self.seat))


class ElvesMoved(Event, frozen=True):
    """KC-762, KC-765 An item changes hands."""

    seat: Seat  # who had it
    to_seat: Seat
    item: str

    def change(self, state: State) -> State:
        giver, taker = state.knights[self.seat], state.knights[self.to_seat]
        giver = replace(giver, items=without(giver.items, self.item))
        taker = replace(taker, items=added(taker.items, self.item))
        return replace(state, knights=put(put(state.knights, self.seat, giver), self.to_seat, taker), pending=None)


class ElvesDeclined(Event, frozen=True):
    """KC-763."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, pending=None)
