"""Playing online: whose clock runs (GG-631), and what becomes of commands that the rules do not allow."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.golden_goal.commands import GiveUp
from services.golden_goal.game import GAME
from services.golden_goal.goods_state import least_bid
from services.golden_goal.state import Shortfall, State
from tests.games.golden_goal.tables import ITALY, MILLION, SPAIN, cups, do, landing, rolls, table
from tests.ledger import rule
from tests.sitting import Sitting, facts_of

FRANCE = ("france_attack", "france_defence", "france_midfield")
SALE = {"with": "1", "give": {"italy_attack": 1}, "take": {"money": 20}}


def sat(state: State, **clock: Any) -> Sitting:
    """A match under the normal clocks: 45 s for the roll, 60 for the free phase, 30 for an answer, 20 for a bid."""
    return Sitting(GAME, len(state.players), clock={"preset": "normal"} | clock).begun().at(state)


def left(sitting: Sitting, seat: int) -> float:
    """The seconds that a seat still has."""
    due = sitting.clock(seat).due
    assert due is not None
    return (due - sitting.now) / 1000


def free() -> State:
    return replace(table(tiles={0: ITALY}), stage="after")


@rule("GG-631", "GG-454")
@pytest.mark.parametrize(("state", "whole"), [(free(), 60), (table(tiles={0: ITALY}), 45)])
def test_the_own_clock_stands_still_while_an_offer_is_answered(state: State, whole: int) -> None:
    sitting = sat(state)
    assert left(sitting, 0) == whole
    sitting.later(20)
    sitting.act(0, "propose_deal", deal=SALE)
    assert (left(sitting, 1), sitting.match.awaited()) == (30, (1,))
    sitting.later(25)
    sitting.act(1, "refuse_deal")
    assert left(sitting, 0) == whole - 20
    sitting.act(0, "propose_deal", deal=SALE)
    sitting.run_out(1)
    assert left(sitting, 0) == whole - 20


@rule("GG-631", "GG-459")
def test_the_own_clock_stands_still_while_others_bid_and_each_bid_has_a_clock_of_its_own() -> None:
    sitting = sat(free())
    sitting.later(50)
    sitting.act(0, "auction_off", item="italy_attack", opening=100_000)
    for bid in (100_000, 200_000, 300_000):
        (bidder,) = sitting.match.awaited()
        assert left(sitting, bidder) == 20
        sitting.later(15)
        sitting.act(bidder, "bid", amount=bid)
    sitting.act(*sitting.match.awaited(), "pass_bid")
    assert (sitting.match.awaited(), left(sitting, 0)) == ((0,), 10)


@rule("GG-631", "GG-392", "GG-481")
def test_the_own_clock_stands_still_while_another_players_sale_is_settled() -> None:
    state = rolls(landing(cups(table(tiles={1: ITALY + SPAIN + FRANCE}), gold=(1, "italy")), 6), 3, 4)
    sitting = sat(state)
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("purchase", 30)
    sitting.later(18)
    sitting.act(1, "sell_tile", tile="italy_attack")
    assert (sitting.match.awaited(), sitting.ask(1).question.name, left(sitting, 1)) == ((1,), "place_cup", 20)
    sitting.later(15)
    sitting.act(1, "place_cup", team="spain")
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("purchase", 12)


@rule("GG-631")
def test_an_own_question_in_between_has_its_clock_and_the_first_one_goes_on() -> None:
    state = rolls(landing(cups(table(tiles={0: ITALY + SPAIN + FRANCE}), gold=(0, "italy")), 6), 3, 4)
    sitting = sat(state)
    sitting.later(18)
    sitting.act(0, "sell_tile", tile="italy_attack")
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("place_cup", 20)
    sitting.later(19)
    sitting.act(0, "place_cup", team="spain")
    assert (sitting.ask(0).question.name, left(sitting, 0)) == ("purchase", 12)


@rule("GG-631", "GG-117")
def test_what_is_left_is_not_taken_into_the_next_turn() -> None:
    sitting = sat(replace(table(2, tiles={0: ITALY}), stage="after"))
    sitting.later(20)
    sitting.act(0, "propose_deal", deal=SALE)
    sitting.act(1, "refuse_deal")
    sitting.act(0, "pass_dice")
    assert (sitting.house.standing, left(sitting, 1)) == ({}, 45)


@rule("GG-631", "GG-632")
def test_when_the_free_phase_has_run_out_the_dice_are_passed() -> None:
    sitting = sat(free())
    sitting.later(59)
    sitting.act(0, "propose_deal", deal=SALE)
    sitting.later(29)
    sitting.act(1, "refuse_deal")
    assert left(sitting, 0) == 1
    sitting.run_out(0)
    assert (sitting.match.state.turn, sitting.match.missed) == (1, (1, 0, 0))


@rule("GG-631", "GG-502", "GG-632")
def test_one_time_out_sells_all_that_a_debt_needs_and_is_counted_once() -> None:
    poor = replace(table(tiles={0: ITALY}, cash={0: 0}), stage="after")
    sitting = sat(replace(poor, stack=(Shortfall(0, 20 * MILLION),)))
    before = len(sitting.steps)
    sitting.run_out(0)
    assert [step.act.kind for step in sitting.steps[before:]] == ["timeout", "default", "default"]
    assert (sitting.match.state.players[0].tiles, sitting.house.timeouts[0], sitting.match.missed[0]) == ((), 1, 1)


@rule("GG-631")
def test_a_limit_of_days_is_for_each_ask() -> None:
    sitting = sat(free(), limit_ms=172_800_000)
    sitting.later(100_000)
    sitting.act(0, "propose_deal", deal=SALE)
    sitting.act(1, "refuse_deal")
    assert left(sitting, 0) == 172_800


@rule("GG-631")
def test_only_what_is_begun_and_not_decided_stands_still() -> None:
    state = rolls(landing(table(tiles={0: ITALY}), 6), 3, 4)
    assert [question.name for question in GAME.standing(state, 0)] == ["free"]
    assert GAME.standing(state, 1) == GAME.standing(free(), 0) == ()


# What is refused -------------------------------------------------------------------------------------------------------


AUCTION = do(rolls(landing(table(tiles={1: SPAIN}), 6), 3, 4), 0, GiveUp())
AUCTION_OPENS = least_bid(AUCTION, AUCTION.stack[-1])  # half the price of the tile
INCREASE = rolls(landing(table(marker={0: 2}, cash={0: 2 * MILLION}, tiles={1: SPAIN}), 18), 3, 4)
SQUARE = rolls(landing(table(tiles={1: ITALY + SPAIN}, die_tokens={1: 1}), 6), 3, 4)
OWN = table(tiles={0: ITALY, 1: SPAIN})


def deal(give: dict[str, int], take: dict[str, int], partner: str = "1") -> dict[str, Any]:
    return {"do": "propose_deal", "deal": {"with": partner, "give": give, "take": take}}


REFUSED = {
    "a bid beyond the money": (AUCTION, 0, {"do": "bid", "amount": 10_100_000}, "not_a_choice"),
    "a bid below the opening": (AUCTION, 0, {"do": "bid", "amount": AUCTION_OPENS - 100_000}, "not_a_choice"),
    "a bid of nothing": (AUCTION, 0, {"do": "bid", "amount": 0}, "not_a_choice"),
    "a bid below nothing": (AUCTION, 0, {"do": "bid", "amount": -600_000}, "not_a_choice"),
    "a bid between two notes": (AUCTION, 0, {"do": "bid", "amount": AUCTION_OPENS + 50_000}, "not_a_choice"),
    "a bid in words": (AUCTION, 0, {"do": "bid", "amount": "all"}, "invalid"),
    "a bid out of order": (AUCTION, 1, {"do": "bid", "amount": AUCTION_OPENS}, "not_a_choice"),
    "a bet beyond the money": (INCREASE, 0, {"do": "bet_money", "amount": 2_100_000}, "not_a_choice"),
    "a bet beyond three millions": (replace(INCREASE, players=table().players), 0, {"do": "bet_money", "amount": 3_100_000}, "not_a_choice"),
    "a bet beyond the marker": (INCREASE, 0, {"do": "bet_goals", "count": 3}, "not_a_choice"),
    "a bet of no goal actions": (INCREASE, 0, {"do": "bet_goals", "count": 0}, "not_a_choice"),
    "a bet of another player": (INCREASE, 1, {"do": "bet_money", "amount": 100_000}, "not_a_choice"),
    "a tile that nobody has": (OWN, 0, deal({"brazil_attack": 1}, {"money": 1}), "not_a_choice"),
    "a tile that the other has": (OWN, 0, deal({"spain_attack": 1}, {"money": 1}), "not_a_choice"),
    "the same tile twice": (OWN, 0, deal({"italy_attack": 2}, {"money": 1}), "not_a_choice"),
    "more money than one has": (OWN, 0, deal({"money": 101}, {"spain_attack": 1}), "not_a_choice"),
    "more money than the other has": (OWN, 0, deal({"italy_attack": 1}, {"money": 101}), "not_a_choice"),
    "less than nothing": (OWN, 0, deal({"money": -1}, {"spain_attack": 1}), "not_a_choice"),
    "a deal with oneself": (OWN, 0, deal({"italy_attack": 1}, {"money": 1}, "0"), "not_a_choice"),
    "a deal with nobody": (OWN, 0, deal({"italy_attack": 1}, {"money": 1}, "7"), "not_a_choice"),
    "an auction of another's tile": (OWN, 0, {"do": "auction_off", "item": "spain_attack", "opening": 100_000}, "not_a_choice"),
    "an auction from nothing": (OWN, 0, {"do": "auction_off", "item": "italy_attack", "opening": 0}, "not_a_choice"),
    "a sale of another's tile": (OWN, 0, {"do": "sell_tile", "tile": "spain_attack"}, "not_a_choice"),
    "a roll in another's turn": (OWN, 1, {"do": "roll"}, "not_a_choice"),
    "a deal in another's turn": (OWN, 1, deal({"spain_attack": 1}, {"money": 1}, "0"), "not_a_choice"),
    "an auction in another's turn": (OWN, 1, {"do": "auction_off", "item": "spain_attack", "opening": 100_000}, "not_a_choice"),
    "a purchase in another's turn": (SQUARE, 1, {"do": "buy_tile"}, "not_a_choice"),
    "the end of another's turn": (free(), 0, {"do": "pass_dice", "seat": 0}, "invalid"),
}


@rule("GG-139", "GG-203", "GG-208", "GG-285", "GG-286", "GG-451", "GG-455")
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_on_offer_is_refused_and_changes_nothing(what: str) -> None:
    state, seat, command, code = REFUSED[what]
    sitting = sat(state)
    before = (sitting.match, sitting.house, list(sitting.steps))
    sitting.later(3)
    assert facts_of(sitting.give("command", seat, sitting.ask(seat).number, command)) == ("refused", code)
    assert (sitting.match, sitting.house, sitting.steps) == before


@rule("GG-203", "GG-285", "GG-451")
@pytest.mark.parametrize(("state", "command"), [
    (AUCTION, {"do": "bid", "amount": AUCTION_OPENS}),
    (AUCTION, {"do": "bid", "amount": 10_000_000}),
    (INCREASE, {"do": "bet_money", "amount": 2_000_000}),
    (INCREASE, {"do": "bet_goals", "count": 2}),
    (OWN, deal({"italy_attack": 1}, {"money": 100})),
    (OWN, {"do": "auction_off", "item": "italy_attack", "opening": 100_000}),
])
def test_what_is_just_within_the_limits_is_carried_out(state: State, command: dict[str, Any]) -> None:
    sitting = sat(state)
    assert facts_of(sitting.give("command", 0, sitting.ask(0).number, command)) == ("carried_out", None)
