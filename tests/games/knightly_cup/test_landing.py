"""Landing, Merchants and Temples (KC-401 to KC-414, KC-671 to KC-694)."""

import pytest
from msgspec.structs import replace

from services.knightly_cup.commands import BuyItem, Challenge, EndTurn, FightMonster, Flip, Jump, SellItem, TakeNothing
from services.knightly_cup.game import GAME
from tests.games.knightly_cup.tables import (
    PLACE,
    do,
    members,
    offered,
    order,
    refusal,
    rich,
    row,
    stocked,
    timed_out,
    told,
    turned,
    walking,
)
from tests.ledger import rule


@rule("KC-401")
def test_landed_she_may_flip_challenge_and_end_in_any_order() -> None:
    state = row("A_diamonds", "A_diamonds", down=("A_diamonds",))
    assert offered(state, 0) == ["challenge", "offer_passage", "offer_trade", "flip", "end_turn", "waive_asylum"]
    state = do(do(state, 0, Challenge(1), 1, 1, 6, 6), 0, TakeNothing())
    assert "flip" in offered(state, 0)


@rule("KC-402")
def test_a_face_down_card_is_flipped_before_the_turn_ends() -> None:
    state = row("7_clubs", "A_clubs", down=("7_clubs",))
    assert order(state, 0, EndTurn())[:2] == ["flipped", "turn_ended"]
    assert timed_out(state, 0).up[0]


@rule("KC-403", "KC-356")
def test_who_loses_the_turn_flips_nothing() -> None:
    state = rich(row("7_clubs", "7_clubs", down=("7_clubs",)), 0, 0, "horse")
    held = do(state, 0, Challenge(1), 6, 6, 1, 1)
    after = timed_out(held, 1)
    assert (after.up[0], after.turn.seat) == (False, 1)


@rule("KC-404")
def test_a_face_down_card_cannot_be_visited() -> None:
    state = row("7_clubs", "A_clubs", down=("7_clubs",))
    assert "fight_monster" not in offered(state, 0)
    assert "fight_monster" in offered(do(state, 0, Flip()), 0)


@rule("KC-405", "KC-406", "KC-202")
def test_a_flipped_card_is_seen_by_all() -> None:
    state = do(row("7_clubs", "A_clubs", down=("7_clubs",)), 0, Flip())
    shown = [GAME.look(state, reader).spots[0].card for reader in (None, 0, 1)]
    assert [card.id for card in shown if card] == ["7_clubs"] * 3


@rule("KC-407", "KC-671", "KC-681")
def test_a_merchant_brings_one_of_each() -> None:
    state = do(row("J_hearts", "A_clubs", down=("J_hearts",)), 0, Flip())
    assert GAME.look(state, 1).spots[PLACE["J_hearts"]].stock == ("horse", "shield", "sword")
    assert state.supply == {"horse": 1, "sword": 1, "shield": 1, "amulet": 2}


@rule("KC-217", "KC-672")
def test_a_late_merchant_may_lack_something() -> None:
    state = row("J_hearts", "A_clubs", down=("J_hearts",))
    state = do(replace(state, supply={**state.supply, "horse": 0}), 0, Flip())
    assert state.stocks[PLACE["J_hearts"]] == ("shield", "sword")


@rule("KC-409", "KC-410", "KC-411")
def test_one_visit_a_turn_and_none_is_compulsory() -> None:
    state = rich(row("J_hearts", "A_clubs"), 0, 40)
    assert {"buy_item", "end_turn"} <= set(offered(state, 0))
    state = do(state, 0, BuyItem("sword"))
    assert {"buy_item", "sell_item"}.isdisjoint(offered(state, 0))


@rule("KC-410")
def test_a_gateway_is_no_visit() -> None:
    state = do(row("K_hearts", "A_clubs"), 0, Jump())
    assert state.turn.visited == -1


@rule("KC-410")
def test_after_a_jump_there_is_no_second_visit() -> None:
    assert "fight_monster" not in offered(turned(row("7_clubs", "A_clubs"), visited=3), 0)


@rule("KC-413")
def test_a_won_combat_leaves_the_other_options() -> None:
    state = do(row("7_clubs", "7_clubs"), 0, Challenge(1), 1, 1, 6, 6)
    assert "fight_monster" in offered(do(state, 0, TakeNothing()), 0)


@rule("KC-414")
def test_the_turn_cannot_end_while_something_is_open() -> None:
    state = do(row("7_clubs", "7_clubs"), 0, Challenge(1), 1, 1, 6, 6)
    assert refusal(state, 0, EndTurn()) == "not_a_choice"
    assert do(do(state, 0, TakeNothing()), 0, EndTurn()).turn.seat == 1


@rule("KC-303", "KC-305")
def test_a_defeated_knight_loses_the_rest_of_her_turn() -> None:
    state = rich(row("7_clubs", "7_clubs"), 0, 7)
    assert do(state, 0, FightMonster(), 6, 1, 1, 1).turn.seat == 1


@rule("KC-674", "KC-676")
@pytest.mark.parametrize(("card", "left"), [("J_hearts", 5), ("J_clubs", 5)])
def test_buying_costs_the_list_price_everywhere(card: str, left: int) -> None:
    state = do(rich(row(card, "A_clubs"), 0, 20), 0, BuyItem("sword"))
    assert (state.knights[0].coins, state.knights[0].items) == (left, ("sword",))
    assert state.stocks[PLACE[card]] == ("horse", "shield")


@rule("KC-212", "KC-213", "KC-675")
def test_what_cannot_be_bought() -> None:
    state = stocked(rich(row("J_hearts", "A_clubs"), 0, 14, "horse"), "J_hearts", "horse", "shield")
    assert refusal(state, 0, BuyItem("horse")) == "not_a_choice"
    assert refusal(state, 0, BuyItem("shield")) == "not_a_choice"
    assert refusal(rich(state, 0, 99), 0, BuyItem("sword")) == "not_a_choice"


@rule("KC-105", "KC-237", "KC-677", "KC-679", "KC-861")
@pytest.mark.parametrize(
    ("card", "item", "coins"),
    [("J_hearts", "sword", 7), ("J_clubs", "sword", 15), ("J_hearts", "horse", 5), ("J_clubs", "horse", 11)],
)
def test_selling_brings_half_or_all_at_home(card: str, item: str, coins: int) -> None:
    state = do(stocked(rich(row(card, "A_clubs"), 0, 0, item), card), 0, SellItem(item))
    assert (state.knights[0].coins, state.knights[0].items, state.stocks[PLACE[card]]) == (coins, (), (item,))


@rule("KC-678", "KC-693")
def test_what_a_merchant_does_not_buy() -> None:
    state = stocked(rich(row("J_hearts", "A_clubs"), 0, 0, "sword", "amulet", "shield"), "J_hearts", "sword")
    assert members(state, 0, SellItem, "item") == ["shield"]
    assert "sell_item" not in offered(rich(row("Q_clubs", "A_clubs"), 0, 0, "sword"), 0)


@rule("KC-673")
def test_nothing_refills_a_stock() -> None:
    state = stocked(row("J_hearts", "A_clubs"), "J_hearts")
    assert do(state, 0, EndTurn()).stocks[PLACE["J_hearts"]] == ()


@rule("KC-691", "KC-694")
def test_a_temple_sells_amulets_from_one_supply() -> None:
    state = do(rich(row("Q_hearts", "A_clubs"), 0, 13), 0, BuyItem("amulet"))
    assert (state.knights[0].items, state.knights[0].coins, state.supply["amulet"]) == (("amulet",), 0, 1)


@rule("KC-692")
def test_when_a_temple_sells_nothing() -> None:
    state = rich(row("Q_hearts", "A_clubs"), 0, 13)
    poor, owner = rich(state, 0, 12), rich(state, 0, 13, "amulet")
    sold_out = replace(state, supply={**state.supply, "amulet": 0})
    assert all("buy_item" not in offered(each, 0) for each in (poor, owner, sold_out))


@rule("KC-108", "KC-235", "KC-236")
def test_prices_come_from_the_pack() -> None:
    goods = row("7_clubs", "A_clubs").printed.goods
    assert {item: good.price for item, good in goods.items()} == {"horse": 11, "sword": 15, "shield": 15, "amulet": 13}
    assert goods["amulet"].sellable is False


@rule("KC-355")
def test_a_challenge_on_the_way_visits_nothing() -> None:
    state = turned(walking("7_clubs", "7_clubs"), last="stepped", entered=True)
    assert "visited" not in told(state, 0, Challenge(1), 1, 1, 6, 6)


@rule("KC-502", "KC-703", "KC-712", "KC-721", "PL-358")
@pytest.mark.parametrize(("card", "said"), [
    ("7_clubs", "Fight the monster: your dice 4, against 7 and a die"),
    ("10_diamonds", "Fight the monster: your dice 3, against 10 and a die"),
    ("A_diamonds", "Storm the Fortress: the dice of its Guardian 3"),
    ("A_hearts", "Storm the Fortress: the dice of its Guardian 5"),
    ("A_clubs", "Beg at home until you have 5 coins, once a game"),
])
def test_a_visit_says_what_one_lets_oneself_in_for(card: str, said: str) -> None:
    state = rich(row(card, "J_hearts", unclaimed_guardian_dice=5), 0, 2, "sword")
    assert said in [GAME.words["en"].say(choice.label) for choice in GAME.legal(state, 0)]
