"""Complete teams and cups: GG-351 to GG-401."""

import pytest
from msgspec.structs import replace

from services.golden_goal.commands import (
    AcceptDeal,
    Bid,
    BuyGoalActions,
    BuyTile,
    GiveUp,
    MoveCup,
    PassBid,
    PlaceCup,
    ProposeDeal,
    SellTile,
)
from services.golden_goal.game import GAME
from services.golden_goal.rules.cups import change_points
from shared.kernel.dice import Dice
from shared.kernel.game import Table
from tests.games.golden_goal.tables import (
    GREEN,
    ITALY,
    MILLION,
    SPAIN,
    all_do,
    asked,
    at,
    cash,
    ceded,
    cups,
    deck,
    do,
    landing,
    offered,
    points,
    question,
    refused,
    rolls,
    table,
    told,
)
from tests.ledger import rule

FRANCE = ("france_attack", "france_defence", "france_midfield")


def _scored(state, seat=0, by=3):
    """A card changes points."""
    on = Table(state)
    change_points(on, seat, by)
    GAME.advance(on, Dice(b"cups", ""))
    return on.state


def _holder(state, cup):
    return state.cups[cup].holder


@rule("GG-351")
def test_the_third_tile_completes_the_team_at_once() -> None:
    state = rolls(landing(table(tiles={0: ("spain_defence", "spain_midfield")}), 4), 3, 4)
    assert told(state, 0, BuyTile())["team_completed"].team == "spain"
    assert do(state, 0, BuyTile()).teams_of(0) == ("spain",)


@rule("GG-352")
def test_each_of_its_tiles_counts_one_more() -> None:
    values = {square.what: square.value for square in GAME.look(table(tiles={0: SPAIN}), None).squares if square.owner == 0}
    assert values == {"spain_attack": 3, "spain_defence": 2, "spain_midfield": 2}


@rule("GG-353")
def test_without_a_complete_team_no_cup_is_won() -> None:
    assert _holder(_scored(table()), "bronze") == -1


@rule("GG-354")
def test_losing_a_tile_flips_the_others_back() -> None:
    state = table(tiles={0: SPAIN})
    assert told(state, 0, SellTile("spain_attack"))["team_broken"].team == "spain"
    view = GAME.look(do(state, 0, SellTile("spain_attack")), None)
    assert [square.value for square in view.squares if square.owner == 0] == [1, 1]


@rule("GG-355")
def test_a_suspended_tile_counts_for_the_team() -> None:
    assert replace(table(tiles={0: SPAIN}), suspended=("spain_attack",)).teams_of(0) == ("spain",)


@rule("GG-356")
def test_several_complete_teams() -> None:
    assert table(tiles={0: SPAIN + ITALY}).teams_of(0) == ("italy", "spain")


@rule("GG-371", "GG-375")
@pytest.mark.parametrize(("before", "cup"), [(0, "bronze"), (3, "silver"), (6, "gold"), (9, "diamond")])
def test_a_cup_is_won_when_its_threshold_is_reached(before, cup) -> None:
    assert _holder(_scored(table(tiles={0: ITALY}, points={0: before})), cup) == 0


@rule("GG-372")
def test_an_event_card_wins_a_cup_at_once() -> None:
    state = rolls(landing(deck(table(tiles={0: ITALY}, points={0: 5}), "F24"), 3), 3, 4)
    assert (points(state)[0], _holder(state, "silver")) == (6, 0)


@rule("GG-373")
def test_a_team_completed_too_late_gets_nothing() -> None:
    state = rolls(landing(table(tiles={0: ("spain_defence", "spain_midfield")}, points={0: 5}), 4), 3, 4)
    state = do(state, 0, BuyTile())
    assert _holder(state, "bronze") == -1
    assert _holder(_scored(state), "silver") == 0


@rule("GG-374")
def test_a_cup_is_taken_from_another_player_for_nothing() -> None:
    state = cups(table(tiles={0: ITALY, 1: SPAIN}), bronze=(1, "spain"))
    after = _scored(state)
    assert (_holder(after, "bronze"), cash(after)) == (0, cash(state))


@rule("GG-376")
def test_several_thresholds_at_once_win_all_their_cups() -> None:
    state = _scored(table(3, {"length": "short"}, tiles={0: ITALY}, points={0: 1}), by=3)
    assert [_holder(state, cup) for cup in ("bronze", "silver", "gold")] == [0, 0, -1]


@rule("GG-376", "GG-392")
def test_of_several_cups_the_first_one_is_placed_first() -> None:
    state = _scored(table(points={0: 4}, tiles={0: (*ITALY, *SPAIN)}), by=6)
    assert [task.cup for task in state.stack[::-1]] == ["silver", "gold"]
    state = all_do(state, (0, PlaceCup("spain")), (0, PlaceCup("italy")))
    assert (state.cups["silver"].team, state.cups["gold"].team) == ("spain", "italy")


@rule("GG-377")
def test_a_cup_stays_when_points_fall_and_can_be_reached_again() -> None:
    state = cups(table(tiles={0: ITALY, 1: SPAIN}, points={0: 3}), bronze=(0, "italy"))
    fallen = _scored(state, by=-1)
    assert _holder(fallen, "bronze") == 0
    assert _holder(_scored(cups(fallen, bronze=(1, "spain")), by=1), "bronze") == 0


@rule("GG-378")
def test_the_holder_who_reaches_it_again_keeps_it() -> None:
    state = cups(table(tiles={0: ITALY + SPAIN}, points={0: 2}), bronze=(0, "spain"))
    assert _scored(state).cups["bronze"].team == "spain"


@rule("GG-379")
def test_claiming_is_automatic() -> None:
    assert asked(_scored(table(tiles={0: ITALY}))) == [0]
    assert question(_scored(table(tiles={0: ITALY})), 0) == "roll"


@rule("GG-380")
def test_a_returned_cup_waits_for_the_next_who_reaches_it() -> None:
    state = table(tiles={0: ITALY}, points={0: 5, 1: 2})
    assert _holder(_scored(state), "bronze") == -1
    assert _holder(_scored(state.with_player(1, tiles=SPAIN), 1), "bronze") == 1


@rule("GG-381")
def test_of_several_who_reach_it_by_one_card_the_last_holds_it() -> None:
    state = table(tiles={1: ITALY, 2: SPAIN}, points={0: 9, 1: 2, 2: 2})
    state = rolls(landing(deck(state, "F26"), 12), 3, 4)
    assert (points(state), _holder(state, "bronze")) == ([9, 3, 3], 2)


@rule("GG-391")
def test_every_cup_lies_on_one_complete_team_for_all_to_see() -> None:
    view = GAME.look(_scored(table(tiles={0: ITALY})), None)
    assert (view.cups[0].holder, view.cups[0].team) == (0, "italy")


@rule("GG-392")
def test_with_several_teams_the_holder_chooses() -> None:
    state = _scored(table(tiles={0: ITALY + SPAIN}))
    assert question(state, 0) == "place_cup"
    assert do(state, 0, PlaceCup("spain")).cups["bronze"].team == "spain"


@rule("GG-393")
def test_several_cups_lie_on_one_team() -> None:
    state = _scored(cups(table(tiles={0: ITALY}), gold=(0, "italy")))
    assert state.cups["bronze"].team == state.cups["gold"].team == "italy"


@rule("GG-394")
def test_cups_move_between_own_teams_on_the_own_turn() -> None:
    state = cups(table(tiles={0: ITALY + SPAIN}), gold=(0, "italy"))
    moved = do(state, 0, MoveCup("gold", "spain"))
    assert moved.cups["gold"].team == "spain"
    assert do(moved, 0, MoveCup("gold", "italy")).cups["gold"].team == "italy"
    assert refused(replace(state, turn=1), 0, MoveCup("gold", "spain"))


@rule("GG-395", "GG-486")
def test_cups_of_a_broken_team_move_to_another_one() -> None:
    state = cups(table(tiles={0: ITALY + SPAIN}), gold=(0, "italy"))
    assert do(state, 0, SellTile("italy_attack")).cups["gold"].team == "spain"


@rule("GG-395", "GG-139")
def test_the_holder_chooses_among_several_even_out_of_turn() -> None:
    state = cups(table(tiles={1: ITALY + SPAIN + FRANCE}), gold=(1, "italy"))
    state = do(state, 1, SellTile("italy_attack"))
    assert (asked(state), question(state, 1)) == ([1], "place_cup")
    state = do(state, 1, PlaceCup("france"))
    assert (state.cups["gold"].team, asked(state)) == ("france", [0])


@rule("GG-396", "GG-400", "GG-486")
def test_without_a_complete_team_the_cup_is_auctioned() -> None:
    state = cups(table(4, tiles={1: ITALY, 2: SPAIN, 0: FRANCE}), gold=(1, "italy"))
    state = do(state, 1, SellTile("italy_attack"))
    assert (state.stack[-1].bidders, state.stack[-1].opening) == ((2, 0), 100_000)
    state = all_do(state, (2, Bid(100_000)), (0, PassBid()))
    assert (_holder(state, "gold"), cash(state)[1], cash(state)[2]) == (2, 11_700_000, 9_900_000)


@rule("GG-397")
def test_without_bids_the_cup_returns_to_the_bank() -> None:
    state = cups(table(tiles={1: ITALY, 2: SPAIN}), gold=(1, "italy"))
    state = all_do(do(state, 1, SellTile("italy_attack")), (2, PassBid()))
    assert state.cups["gold"] == table().cups["gold"]


@rule("GG-397")
def test_where_nobody_may_bid_it_returns_at_once() -> None:
    state = do(cups(table(tiles={1: ITALY}), gold=(1, "italy")), 1, SellTile("italy_attack"))
    assert (_holder(state, "gold"), asked(state)) == (-1, [0])


@rule("GG-398")
def test_a_deal_may_hand_over_tile_and_cup_together() -> None:
    state = cups(table(tiles={0: ITALY, 1: ("spain_attack", "spain_midfield", "france_attack")}), gold=(0, "italy"))
    state = state.with_player(0, tiles=tuple(sorted((*ITALY, "spain_defence"))))
    deal = {"with": "1", "give": {"spain_defence": 1, "gold": 1}, "take": {"money": 20}}
    state = do(do(state, 0, ProposeDeal(deal)), 1, AcceptDeal())
    assert (state.cups["gold"].holder, state.cups["gold"].team) == (1, "spain")


@rule("GG-399", "GG-483")
def test_cups_and_event_cards_are_not_sold_to_the_bank() -> None:
    state = cups(table(tiles={0: ITALY}, kept={0: ("F30",)}), gold=(0, "italy"))
    sale = next(choice for choice in GAME.legal(state, 0) if choice.do is SellTile)
    assert [member.value for member in sale.fields["tile"].of] == list(ITALY)
    assert "sell_token" not in offered(state, 0)


@rule("GG-400")
def test_several_ceded_cups_come_in_order() -> None:
    state = ceded(ceded(table(tiles={2: SPAIN}), "diamond", 1), "silver", 1)
    state = _scored(state, 0, 1)
    assert state.stack[-1].item == "silver"
    assert do(state, 2, PassBid()).stack[-1].item == "diamond"


@rule("GG-401")
def test_a_ceded_cup_waits_until_an_auction_is_over() -> None:
    state = cups(table(tiles={1: ITALY, 2: SPAIN}), bronze=(1, "italy"))
    state = do(rolls(landing(state, 6), 3, 4), 0, GiveUp())
    state = all_do(state, (0, PassBid()), (1, SellTile("italy_attack")))
    assert (state.stack[-1].item, state.cups["bronze"].ceded) == ("england_midfield", True)
    state = all_do(state, (1, PassBid()), (2, PassBid()))
    assert (state.stack[-1].item, asked(state)) == ("bronze", [2])


@rule("GG-401")
def test_while_it_waits_it_gives_no_income_and_can_be_won() -> None:
    state = ceded(table(tiles={0: ITALY}), "bronze", 1)
    assert (state.cups_of(1), state.cups["bronze"].team) == ((), "")
    won = Table(state)
    change_points(won, 0, 3)
    assert won.state.cups["bronze"].holder == 0


@rule("GG-314", "GG-373")
def test_winning_without_a_team_and_later_with_one() -> None:
    state = rolls(at(table(marker={0: 1}, points={0: 2}), 0, 30), 2, 4)
    state = do(state, 0, BuyGoalActions(0), GREEN)
    assert (points(state)[0], _holder(state, "bronze"), cash(state)[0]) == (5, -1, 11 * MILLION)
