"""Open and reserved auctions: GG-201 to GG-226."""

from services.golden_goal.commands import Bid, BuyTile, DemandAuction, GiveUp, PassBid, ProposeDeal, Roll, SellTile
from services.golden_goal.game import GAME
from tests.games.golden_goal.tables import (
    MILLION,
    all_do,
    asked,
    cash,
    clock_out,
    do,
    landing,
    offered,
    owner,
    phase,
    question,
    refused,
    table,
)
from tests.ledger import rule

ENGLAND = 6  # England midfield, 1,200,000
LIVE = {"live_auctions": True}


def _open(state=None):
    """Seat 0 has given up England midfield."""
    return do(do(landing(state or table(), ENGLAND), 0, Roll(), 3, 4), 0, GiveUp())


def _reserved():
    """Seat 0 has declared to buy Germany attack for 3,000,000, seat 1 has demanded the auction."""
    state = do(landing(table(tiles={1: ("germany_defence", "germany_midfield")}), 26), 0, Roll(), 3, 4)
    return do(do(state, 0, BuyTile()), 1, DemandAuction())


@rule("GG-201", "GG-204")
def test_everybody_bids_in_turn_beginning_with_who_gave_up() -> None:
    state = _open()
    assert state.stack[-1].bidders == (0, 1, 2)
    assert asked(do(state, 0, PassBid())) == [1]


@rule("GG-202")
def test_it_opens_at_half_the_price() -> None:
    state = _open()
    assert refused(state, 0, Bid(500_000))
    assert not refused(state, 0, Bid(600_000))


@rule("GG-203")
def test_a_raise_is_at_least_one_note() -> None:
    state = do(_open(), 0, Bid(600_000))
    assert refused(state, 1, Bid(600_000))
    assert not refused(state, 1, Bid(700_000))


@rule("GG-204")
def test_a_pass_is_final() -> None:
    state = all_do(_open(), (0, PassBid()), (1, Bid(600_000)), (2, Bid(700_000)))
    assert asked(state) == [1]


@rule("GG-205", "GG-206")
def test_the_last_one_wins_and_pays_the_bank() -> None:
    state = all_do(_open(), (0, Bid(600_000)), (1, Bid(700_000)), (2, PassBid()), (0, PassBid()))
    assert (owner(state, "england_midfield"), cash(state)) == (1, [10 * MILLION, 9_300_000, 10 * MILLION])


@rule("GG-205")
def test_a_lone_bidder_is_not_asked_to_raise() -> None:
    state = all_do(_open(), (0, Bid(600_000)), (1, PassBid()), (2, PassBid()))
    assert owner(state, "england_midfield") == 0


@rule("GG-207")
def test_without_bids_the_tile_stays_with_the_bank() -> None:
    state = all_do(_open(), (0, PassBid()), (1, PassBid()), (2, PassBid()))
    assert (owner(state, "england_midfield"), question(state, 0)) == (None, "free")


@rule("GG-208")
def test_a_bid_above_the_cash_is_refused() -> None:
    assert refused(_open(), 0, Bid(10_100_000))


@rule("GG-209")
def test_a_bidder_may_sell_between_bids() -> None:
    state = do(_open(table(tiles={0: ("italy_attack",)})), 0, SellTile("italy_attack"))
    assert asked(state) == [0]
    lost = all_do(state, (0, PassBid()), (1, Bid(600_000)), (2, PassBid()))
    assert owner(lost, "italy_attack") is None


@rule("GG-205", "GG-208")
def test_who_can_bid_nothing_passes_at_once() -> None:
    state = _open(table(cash={1: 500_000, 2: 0}))
    assert owner(do(state, 0, Bid(600_000)), "england_midfield") == 0


@rule("GG-210")
def test_bids_are_public() -> None:
    view = GAME.look(do(_open(), 0, Bid(600_000)), None)
    assert (view.now[-1].amount, view.now[-1].high) == (600_000, 0)


@rule("GG-211")
def test_in_a_live_auction_everybody_bids_at_any_time() -> None:
    state = _open(table(3, LIVE))
    assert asked(state) == []
    assert [question(state, seat) for seat in range(3)] == ["live_bid"] * 3
    state = all_do(state, (2, Bid(600_000)), (0, Bid(700_000)), (2, Bid(800_000)))
    assert owner(clock_out(state), "england_midfield") == 2


@rule("GG-211")
def test_every_bid_begins_the_clock_of_a_live_auction_anew() -> None:
    state = _open(table(3, LIVE))
    assert phase(state) != phase(do(state, 1, Bid(600_000)))
    assert GAME.presets["normal"]["live_auction"] == 10


@rule("GG-211", "GG-207")
def test_a_live_auction_without_bids_fails() -> None:
    assert owner(clock_out(_open(table(3, LIVE))), "england_midfield") is None


@rule("GG-221")
def test_only_the_two_take_part() -> None:
    state = _reserved()
    assert set(state.stack[-1].bidders) == {0, 1}
    assert refused(state, 2, Bid(4 * MILLION))


@rule("GG-222")
def test_the_full_price_counts_as_the_buyers_bid() -> None:
    auction = _reserved().stack[-1]
    assert (auction.bid, auction.high) == (3 * MILLION, 0)


@rule("GG-223")
def test_the_owner_must_raise_and_the_two_alternate() -> None:
    state = _reserved()
    assert refused(state, 1, Bid(3 * MILLION))
    assert asked(do(state, 1, Bid(3_100_000))) == [0]


@rule("GG-224")
def test_the_winner_pays_and_the_loser_pays_nothing() -> None:
    state = all_do(_reserved(), (1, Bid(3_100_000)), (0, PassBid()))
    assert (owner(state, "germany_attack"), cash(state)) == (1, [10 * MILLION, 6_900_000, 10 * MILLION])


@rule("GG-225")
def test_an_owner_who_passes_lets_the_purchase_stand() -> None:
    assert owner(do(_reserved(), 1, PassBid()), "germany_attack") == 0


@rule("GG-226")
def test_nobody_else_gets_in_by_a_deal() -> None:
    state = _reserved()
    assert offered(state, 2) == []
    assert refused(state, 0, ProposeDeal({"with": "2", "give": {"money": 1}, "take": {"money": 1}}))


@rule("GG-211")
def test_a_reserved_auction_is_never_live() -> None:
    state = do(landing(table(3, LIVE, tiles={1: ("germany_defence", "germany_midfield")}), 26), 0, Roll(), 3, 4)
    assert asked(do(do(state, 0, BuyTile()), 1, DemandAuction())) == [1]
