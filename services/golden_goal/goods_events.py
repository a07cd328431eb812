"""What can happen to money, tiles, cups and tokens, in sales, auctions and deals?"""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_goal.events import NOBODY, with_tile
from services.golden_goal.state import (
    BANK,
    CUPS,
    NOTE,
    Auction,
    Cup,
    Deal,
    Demand,
    Offer,
    Place,
    Purchase,
    Shortfall,
    State,
)
from shared.kernel.game import Event, Seat

TOKENS = {"die_token": "die_tokens", "event_token": "event_tokens"}


def with_item(state: State, source: Seat, target: Seat, item: str) -> State:
    """A tile, cup, token or kept card changes hands; a cup lies on no team at first."""
    if item in CUPS:
        return replace(state, cups={**state.cups, item: Cup(target)})
    if item in TOKENS:
        return with_tokens(with_tokens(state, source, item, -1), target, item, 1)
    if "_" in item:
        return with_tile(state, target, item)
    return with_card(with_card(state, source, item, there=False), target, item, there=True)


def with_tokens(state: State, seat: Seat, item: str, by: int) -> State:
    name = TOKENS[item]
    return state if seat == BANK else state.with_player(seat, **{name: getattr(state.players[seat], name) + by})


def with_card(state: State, seat: Seat, card: str, *, there: bool) -> State:
    """A kept card comes to a player or goes."""
    kept = state.players[seat].kept
    return state.with_player(seat, kept=tuple(sorted((*kept, card))) if there else tuple(one for one in kept if one != card))


def with_cash(state: State, seat: Seat, by: int) -> State:
    return state if seat == BANK or not by else state.with_player(seat, cash=state.players[seat].cash + by)


def is_placed(state: State, cup: str) -> bool:
    """Whether the question is just where this cup shall lie."""
    top = state.stack[-1] if state.stack else None
    return type(top) is Place and top.cup == cup


class Received(Event, frozen=True):
    """GG-554 From the Bank."""

    seat: Seat
    amount: int

    def change(self, state: State) -> State:
        return with_cash(state, self.seat, self.amount)


class Paid(Event, frozen=True):
    """GG-554 To the Bank."""

    seat: Seat
    amount: int

    def change(self, state: State) -> State:
        return with_cash(state, self.seat, -self.amount)


class PaidTo(Event, frozen=True):
    """GG-557 To another player."""

    seat: Seat
    to_seat: Seat
    amount: int

    def change(self, state: State) -> State:
        return with_cash(with_cash(state, self.seat, -self.amount), self.to_seat, self.amount)


class MoneyDemanded(Event, frozen=True):
    """GG-502 More than the player has, who must sell."""

    seat: Seat
    amount: int
    to_seats: tuple[Seat, ...]

    def change(self, state: State) -> State:
        return state.push(Shortfall(self.seat, self.amount, self.to_seats))


class ShortfallEnded(Event, frozen=True):
    """GG-502 The sum is covered, or nothing is left to sell."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.pop()


class DebtCancelled(Event, frozen=True):
    """GG-503."""

    seat: Seat
    amount: int


class TileOffered(Event, frozen=True):
    """GG-172."""

    seat: Seat
    tile: str
    price: int

    def change(self, state: State) -> State:
        return state.push(Purchase(self.tile, self.price))


class PurchaseDeclared(Event, frozen=True):
    """GG-177 Another player owns both other tiles of the nation and may demand a reserved auction."""

    seat: Seat
    owner_seat: Seat
    tile: str
    price: int

    def change(self, state: State) -> State:
        return state.swap(Demand(self.tile, self.price, self.owner_seat))


class TileBought(Event, frozen=True):
    """GG-173, GG-573."""

    seat: Seat
    tile: str
    price: int

    def change(self, state: State) -> State:
        return with_cash(with_tile(state.pop(), self.seat, self.tile), self.seat, -self.price)


class TileGivenUp(Event, frozen=True):
    """GG-175."""

    seat: Seat
    tile: str

    def change(self, state: State) -> State:
        return state.pop()


class AuctionDemanded(Event, frozen=True):
    """GG-177."""

    seat: Seat
    tile: str

    def change(self, state: State) -> State:
        return state.pop()


class AuctionOpened(Event, frozen=True):
    """GG-201, GG-221, GG-396, GG-459; of an own auction the turn counts it (GG-461)."""

    auction: Auction
    item: str
    opening: int

    def change(self, state: State) -> State:
        own = self.auction.kind == "own"
        return replace(state.push(self.auction), offers=state.offers + 1) if own else state.push(self.auction)


class BidMade(Event, frozen=True):
    """GG-203, GG-210 The bidder goes to the end of the row."""

    seat: Seat
    amount: int

    def change(self, state: State) -> State:
        auction = state.stack[-1]
        assert type(auction) is Auction
        row = (*(seat for seat in auction.bidders if seat != self.seat), self.seat)
        return state.swap(replace(auction, bidders=row, bid=self.amount, high=self.seat, number=auction.number + 1))


class BidPassed(Event, frozen=True):
    """GG-204 For good."""

    seat: Seat

    def change(self, state: State) -> State:
        auction = state.stack[-1]
        assert type(auction) is Auction
        return state.swap(replace(auction, bidders=tuple(seat for seat in auction.bidders if seat != self.seat)))


class AuctionWon(Event, frozen=True):
    """GG-206, GG-224, GG-396, GG-459."""

    seat: Seat
    item: str
    price: int
    seller: Seat

    def change(self, state: State) -> State:
        sold = with_item(state.pop(), self.seller, self.seat, self.item)
        return with_cash(with_cash(sold, self.seat, -self.price), self.seller, self.price)


class AuctionFailed(Event, frozen=True):
    """GG-207, GG-397, GG-459."""

    item: str

    def change(self, state: State) -> State:
        auction, failed = state.stack[-1], state.pop()
        assert type(auction) is Auction
        return replace(failed, cups={**failed.cups, self.item: NOBODY}) if auction.kind == "ceded" else failed


class TileSold(Event, frozen=True):
    """GG-481, GG-484."""

    seat: Seat
    tile: str
    price: int

    def change(self, state: State) -> State:
        return with_cash(with_tile(state, BANK, self.tile), self.seat, self.price)


class TokenSold(Event, frozen=True):
    """GG-481."""

    seat: Seat
    token: str
    price: int

    def change(self, state: State) -> State:
        return with_cash(with_tokens(state, self.seat, self.token, -1), self.seat, self.price)


class TokenBought(Event, frozen=True):
    """GG-316."""

    seat: Seat
    token: str
    price: int

    def change(self, state: State) -> State:
        return with_cash(with_tokens(state, self.seat, self.token, 1), self.seat, -self.price)


class TokenGained(Event, frozen=True):
    """GG-568."""

    seat: Seat
    token: str

    def change(self, state: State) -> State:
        return with_tokens(state, self.seat, self.token, 1)


class TokenUsed(Event, frozen=True):
    """GG-435 Back to the supply."""

    seat: Seat
    token: str

    def change(self, state: State) -> State:
        return with_tokens(state, self.seat, self.token, -1)


class DealProposed(Event, frozen=True):
    """GG-451, GG-461."""

    seat: Seat
    to_seat: Seat
    deal: Deal
    gives: tuple[str, ...]
    takes: tuple[str, ...]
    paid: int
    received: int

    def change(self, state: State) -> State:
        return replace(state.push(Offer(self.deal)), offers=state.offers + 1)


class DealRefused(Event, frozen=True):
    """GG-454."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.pop()


class DealDone(Event, frozen=True):
    """GG-454 Completely, at once."""

    seat: Seat
    to_seat: Seat
    deal: Deal

    def change(self, state: State) -> State:
        done = state.pop()
        for source, target, lots in ((self.seat, self.to_seat, self.deal.give), (self.to_seat, self.seat, self.deal.take)):
            for item in sorted(lots):
                if item == "money":
                    done = with_cash(with_cash(done, source, -lots[item] * NOTE), target, lots[item] * NOTE)
                    continue
                for _ in range(lots[item]):
                    done = with_item(done, source, target, item)
        return done


class TeamCompleted(Event, frozen=True):
    """GG-351."""

    seat: Seat
    team: str


class TeamBroken(Event, frozen=True):
    """GG-354."""

    seat: Seat
    team: str


class CupWon(Event, frozen=True):
    """GG-371, GG-374."""

    seat: Seat
    cup: str
    from_seat: Seat | None

    def change(self, state: State) -> State:
        return replace(state, cups={**state.cups, self.cup: Cup(self.seat)})


class PlacingAsked(Event, frozen=True):
    """GG-392, GG-395 There are several complete teams; of several cups the first one is placed first (GG-376)."""

    seat: Seat
    cup: str

    def change(self, state: State) -> State:
        lifted = replace(state, cups={**state.cups, self.cup: Cup(self.seat)})
        stack = state.stack
        below = next((n for n in range(len(stack), 0, -1) if type(stack[n - 1]) is not Place), 0)
        return replace(lifted, stack=(*stack[:below], Place(self.seat, self.cup), *stack[below:]))


class CupPlaced(Event, frozen=True):
    """GG-391, GG-394."""

    seat: Seat
    cup: str
    team: str

    def change(self, state: State) -> State:
        placed = replace(state, cups={**state.cups, self.cup: Cup(self.seat, self.team)})
        return placed.pop() if is_placed(state, self.cup) else placed


class CupCeded(Event, frozen=True):
    """GG-396, GG-401 It waits for its auction and lies on no team."""

    seat: Seat
    cup: str

    def change(self, state: State) -> State:
        ceded = replace(state, cups={**state.cups, self.cup: Cup(self.seat, ceded=True)})
        return ceded.pop() if is_placed(state, self.cup) else ceded
