"""Deals and auctions between players: GG-451 to GG-463, GG-592."""

import pytest
from msgspec.structs import replace

from services.golden_goal.commands import AcceptDeal, AuctionOff, Bid, PassBid, ProposeDeal, RefuseDeal, SellTile, SellToken
from services.golden_goal.game import GAME
from tests.games.golden_goal.tables import (
    ITALY,
    MILLION,
    SPAIN,
    all_do,
    asked,
    cash,
    cups,
    do,
    gone,
    kept,
    modified,
    offered,
    owner,
    refused,
    story,
    table,
)
from tests.ledger import rule


def _deal(give, take, partner=1):
    return ProposeDeal({"with": str(partner), "give": give, "take": take})


def _goods(**changes):
    state = table(tiles={0: ("italy_attack",), 1: ("spain_attack",)}, die_tokens={0: 1}, **changes)
    return kept(state, 1, "F30")


@rule("GG-451", "GG-463")
def test_only_the_active_player_opens_deals() -> None:
    assert not refused(_goods(), 0, _deal({"italy_attack": 1}, {"money": 20}))
    assert refused(_goods(), 1, _deal({"spain_attack": 1}, {"money": 20}, 0))
    assert refused(_goods(), 1, _deal({"spain_attack": 1}, {"money": 20}, 2))


@rule("GG-452", "GG-592")
def test_tiles_tokens_cards_and_money_in_any_combination() -> None:
    state = do(_goods(), 0, _deal({"italy_attack": 1, "die_token": 1, "money": 5}, {"spain_attack": 1, "F30": 1, "money": 2}))
    state = do(state, 1, AcceptDeal())
    assert (owner(state, "italy_attack"), owner(state, "spain_attack"), state.players[0].kept) == (1, 0, ("F30",))
    assert (state.players[1].die_tokens, cash(state)[:2]) == (1, [9_700_000, 10_300_000])


@rule("GG-453")
@pytest.mark.parametrize("thing", ["goal_action", "points", "turn", "promise"])
def test_nothing_else_can_be_traded(thing) -> None:
    assert refused(_goods(), 0, _deal({thing: 1}, {"money": 1}))


@rule("GG-454")
def test_a_deal_needs_the_other_players_yes() -> None:
    state = do(_goods(), 0, _deal({"italy_attack": 1}, {"money": 20}))
    assert (asked(state), owner(state, "italy_attack")) == ([1], 0)
    assert owner(do(state, 1, RefuseDeal()), "italy_attack") == 0
    assert cash(do(state, 1, AcceptDeal()))[:2] == [12 * MILLION, 8 * MILLION]


@rule("GG-455")
def test_goods_that_one_does_not_have_are_refused() -> None:
    assert refused(_goods(), 0, _deal({"brazil_attack": 1}, {"money": 20}))
    assert refused(_goods(), 0, _deal({"italy_attack": 1}, {"money": 101}))
    assert refused(_goods(), 0, _deal({"die_token": 2}, {"money": 1}))


@rule("GG-455")
def test_an_offer_that_no_longer_holds_cannot_be_accepted() -> None:
    state = do(_goods(), 0, _deal({"italy_attack": 1}, {"money": 20}))
    poorer = do(state.with_player(1, cash=1_900_000, die_tokens=2), 1, SellToken("die_token"))
    assert asked(poorer) == [1]
    assert "accept_deal" not in offered(do(state.with_player(1, cash=0), 1, SellTile("spain_attack")), 1)


@rule("GG-455", "GG-481")
def test_a_token_that_is_sold_to_the_bank_makes_its_offer_stale() -> None:
    state = do(_goods(), 0, _deal({"die_token": 1}, {"spain_attack": 1}))
    assert story(state, 0, SellToken("die_token")) == ["token_sold", "deal_refused"]
    assert not refused(state.with_player(2, die_tokens=1), 2, SellToken("die_token"))


@rule("GG-456")
def test_a_cup_goes_only_to_the_owner_of_a_complete_team() -> None:
    state = cups(table(tiles={0: ITALY, 2: SPAIN}), gold=(0, "italy"))
    assert story(state, 0, _deal({"gold": 1}, {"money": 20})) == ["deal_proposed", "deal_refused"]
    assert asked(do(state, 0, _deal({"gold": 1}, {"money": 20}, 2))) == [2]


@rule("GG-457")
def test_a_suspended_tile_stays_suspended() -> None:
    state = replace(_goods(), suspended=("italy_attack",))
    state = do(do(state, 0, _deal({"italy_attack": 1}, {"money": 20})), 1, AcceptDeal())
    assert state.suspended == ("italy_attack",)


@rule("GG-458")
def test_there_are_no_loans() -> None:
    assert refused(_goods(), 0, _deal({"money": 101}, {"spain_attack": 1}))


@rule("GG-459")
def test_own_goods_are_auctioned_among_the_others() -> None:
    state = do(_goods(), 0, AuctionOff("italy_attack", 500_000))
    assert state.stack[-1].bidders == (1, 2)
    assert refused(state, 1, Bid(400_000))
    state = all_do(state, (1, Bid(500_000)), (2, Bid(600_000)), (1, PassBid()))
    assert (owner(state, "italy_attack"), cash(state)) == (2, [10_600_000, 10 * MILLION, 9_400_000])


@rule("GG-459")
def test_the_opening_price_is_at_least_one_note_and_no_bid_changes_nothing() -> None:
    assert refused(_goods(), 0, AuctionOff("italy_attack", 0))
    state = all_do(do(_goods(), 0, AuctionOff("die_token", 100_000)), (1, PassBid()), (2, PassBid()))
    assert state.players == _goods().players


@rule("GG-460")
def test_gifts_only_where_the_table_allows_them() -> None:
    gift = _deal({"money": 1}, {})
    assert refused(_goods(), 0, gift)
    state = table(3, {"gifts": True})
    assert cash(do(do(state, 0, gift), 1, AcceptDeal()))[:2] == [9_900_000, 10_100_000]


@rule("GG-461")
def test_one_offer_at_a_time_and_ten_a_turn() -> None:
    state = do(_goods(), 0, _deal({"italy_attack": 1}, {"money": 20}))
    assert refused(state, 0, _deal({"italy_attack": 1}, {"money": 19}))
    state = replace(_goods(), offers=9)
    state = do(do(state, 0, _deal({"italy_attack": 1}, {"money": 20})), 1, RefuseDeal())
    assert not {"propose_deal", "auction_off"} & set(offered(state, 0))


@rule("GG-462")
def test_teams_and_cups_are_checked_on_both_sides() -> None:
    state = cups(table(tiles={0: (*ITALY, "spain_attack"), 1: ("spain_defence", "spain_midfield")}), gold=(0, "italy"))
    state = do(state, 0, _deal({"spain_attack": 1}, {"money": 20}))
    assert do(state, 1, AcceptDeal()).teams_of(1) == ("spain",)
    broken = do(cups(table(tiles={0: ITALY, 1: SPAIN}), gold=(0, "italy")), 0, _deal({"italy_attack": 1}, {"money": 20}))
    assert do(broken, 1, AcceptDeal()).stack[-1].item == "gold"


@rule("GG-566")
def test_under_a_buying_ban_no_tile_is_received() -> None:
    assert refused(modified(_goods(), 0, buying_ban=True), 0, _deal({"money": 1}, {"spain_attack": 1}))
    banned = modified(_goods(), 1, buying_ban=True)
    assert story(banned, 0, _deal({"italy_attack": 1}, {"money": 1}))[-1] == "deal_refused"


@rule("GG-451")
def test_nobody_deals_with_a_player_who_leaves() -> None:
    state = gone(_goods(), 1)
    assert refused(state, 0, _deal({"italy_attack": 1}, {"money": 20}))
    assert GAME.question(state, 1) is None


@rule("GG-635", "GG-455")
def test_where_cash_is_hidden_an_offer_does_not_tell_it() -> None:
    rich, poor = (table(3, {"hidden_cash": True}, cash={1: cash_}) for cash_ in (9 * MILLION, 1 * MILLION))
    assert GAME.legal(rich, 0) == GAME.legal(poor, 0)
    assert story(poor, 0, _deal({"money": 1}, {"money": 20})) == ["deal_proposed", "deal_refused"]


@rule("GG-459", "GG-396")
def test_a_cup_whose_team_breaks_during_its_own_auction_is_ceded_afterwards() -> None:
    state = do(cups(table(tiles={0: ITALY, 2: SPAIN}), gold=(0, "italy")), 0, AuctionOff("gold", 500_000))
    state = all_do(state, (0, SellTile("italy_attack")), (2, PassBid()))
    assert (state.stack[-1].kind, state.stack[-1].opening) == ("ceded", 100_000)
