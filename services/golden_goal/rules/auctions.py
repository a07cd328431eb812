"""Auctions: open, reserved to two, of own goods, and of ceded cups."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.commands import AuctionOff, Bid, PassBid
from services.golden_goal.goods_events import AuctionFailed, AuctionOpened, AuctionWon, BidMade, BidPassed
from services.golden_goal.goods_state import is_awaited, may_bid
from services.golden_goal.rules.cups import check_teams, place
from services.golden_goal.state import BANK, CUPS, Auction, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def open_to_all(table: Table, tile: str, bidders: tuple[Seat, ...]) -> None:
    """GG-201, GG-202 From half the price, among all who may buy tiles."""
    auction = Auction("open", tile, BANK, bidders, content.half(tile))
    begin(table, auction)


def open_reserved(table: Table, tile: str, price: int, owner: Seat) -> None:
    """GG-221, GG-222 The full price counts as the bid of the player who declared the purchase."""
    buyer = table.state.turn
    table.tell(AuctionOpened(Auction("reserved", tile, BANK, (owner, buyer), price, price, buyer, 1), tile, price))


def auction_off(table: Table, seat: Seat, command: AuctionOff, _dice: Dice) -> None:
    """GG-459 An own item among the other players."""
    begin(table, Auction("own", command.item, seat, table.state.after(seat), command.opening))


def begin(table: Table, auction: Auction) -> None:
    """GG-182 Whoever may not have the item does not take part."""
    bidders = tuple(seat for seat in auction.bidders if may_bid(table.state, seat, auction))
    opened = Auction(auction.kind, auction.item, auction.seller, bidders, auction.opening)
    table.tell(AuctionOpened(opened, opened.item, opened.opening))


def is_live(state: State, auction: Auction) -> bool:
    """GG-211."""
    return state.options.live_auctions and auction.kind != "reserved"


def waits_for_bid(state: State, auction: Auction) -> bool:
    """GG-204, GG-211 The next bidder in the row, or the clock of a live auction."""
    if is_decided(auction):
        return False
    if is_live(state, auction):
        return any(seat != auction.high and is_awaited(state, seat, auction) for seat in auction.bidders)
    return is_awaited(state, auction.bidders[0], auction)


def is_decided(auction: Auction) -> bool:
    """GG-205."""
    return not auction.bidders or auction.bidders == (auction.high,)


def go_on(table: Table, auction: Auction, _dice: Dice) -> None:
    """GG-205 It ends, or the next bidder can do nothing but pass."""
    if is_decided(auction) or is_live(table.state, auction):
        close(table, auction)
    else:
        table.tell(BidPassed(auction.bidders[0]))


def bid(table: Table, seat: Seat, command: Bid, _dice: Dice) -> None:
    """GG-203, GG-208, GG-223."""
    table.tell(BidMade(seat, command.amount))


def pass_bid(table: Table, seat: Seat, _command: PassBid, _dice: Dice) -> None:
    """GG-204."""
    table.tell(BidPassed(seat))


def close(table: Table, auction: Auction) -> None:
    """GG-206, GG-207, GG-224, GG-396, GG-459."""
    if auction.high == BANK:
        table.tell(AuctionFailed(auction.item))
        return
    before: State = table.state
    table.tell(AuctionWon(auction.high, auction.item, auction.bid, auction.seller))
    check_teams(table, before, auction.high)
    if auction.seller != BANK:
        check_teams(table, before, auction.seller)
    if auction.item in CUPS:
        place(table, auction.high, auction.item)


def clock_over(table: Table) -> None:
    """GG-211 Nobody has raised in time."""
    auction = table.state.stack[-1]
    assert type(auction) is Auction
    close(table, auction)
