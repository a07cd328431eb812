"""Combat outcome: penalties, spoils, death (KC-551 to KC-579, KC-651 to KC-657)."""

import pytest

from services.knightly_cup.commands import (
    AttackBack,
    Challenge,
    FightMonster,
    PayCoins,
    PayItem,
    TakeCoins,
    TakeItem,
    TakeNothing,
    TakeStandard,
)
from services.knightly_cup.game import GAME
from services.knightly_cup.state import State
from tests.games.knightly_cup.tables import PLACE, answers, decides, do, members, refusal, rich, row, timed_out
from tests.ledger import rule


def lost(coins: int, *items: str, **more: object) -> State:
    """Knight 0 has just been defeated by the six of spades."""
    return do(
        rich(row("6_spades", "A_clubs", **more), 0, coins, *items),
        0,
        FightMonster(),
        6,
        *(1,) * (2 + len({"sword", "shield"} & set(items))),
    )


def beaten(coins: int, *items: str, winner: tuple[str, ...] = (), **more: object) -> State:
    """Knight 0 has just beaten knight 1, who has this much."""
    state = rich(rich(row("7_clubs", "7_clubs"), 0, 5, *winner), 1, coins, *items, **more)
    return do(state, 0, Challenge(1), 1, 1, 6, 6)


def struck(coins: int, *items: str) -> State:
    """Knight 1 has attacked back and beaten knight 0, whose turn it is."""
    state = do(rich(row("7_clubs", "7_clubs"), 0, coins, *items), 0, Challenge(1), 6, 6, 1, 1)
    return do(state, 1, AttackBack(), 1, 1, 6, 6)


@rule("KC-551", "KC-557")
def test_half_the_coins_or_one_item() -> None:
    state = lost(13, "horse")
    assert answers(state, 0) == ["pay_coins", "pay_item"]
    assert do(state, 0, PayItem("horse")).knights[0].coins == 13


@rule("KC-105", "KC-552", "KC-553")
@pytest.mark.parametrize(("purse", "kept"), [(13, 6), (6, 3), (5, 0), (1, 0), (8, 4)])
def test_how_many_coins_are_lost(purse: int, kept: int) -> None:
    assert do(lost(purse, "horse"), 0, PayCoins()).knights[0].coins == kept
    assert lost(purse).knights[0].coins == kept


@rule("KC-554")
def test_without_coins_an_item_goes() -> None:
    assert answers(lost(0, "horse", "sword"), 0) == ["pay_item"]
    assert lost(0, "horse").knights[0].items == ()


@rule("KC-555", "KC-651", "KC-652", "KC-653")
def test_without_anything_she_dies() -> None:
    state = lost(0)
    knight = state.knights[0]
    assert (knight.at, knight.coins, knight.items, knight.standards, knight.begged) == (
        PLACE["Q_clubs"],
        0,
        (),
        ("clubs",),
        False,
    )
    assert state.turn.seat == 1


@rule("KC-556")
def test_the_penalty_goes_into_the_hoard() -> None:
    state = do(lost(9, "horse"), 0, PayItem("horse"))
    assert state.hoards[PLACE["6_spades"]].items == ("horse",)
    assert lost(9).hoards[PLACE["6_spades"]].coins == 5


@rule("KC-571")
def test_one_thing_or_nothing_is_taken() -> None:
    state = beaten(9, "horse")
    assert answers(state, 0) == ["take_item", "take_coins", "take_standard", "take_nothing"]
    state = do(state, 0, TakeItem("horse"))
    assert (state.knights[0].items, state.knights[1].items, state.pending) == (("horse",), (), None)


@rule("KC-105", "KC-572", "KC-574")
@pytest.mark.parametrize(("purse", "shares"), [(9, [4]), (5, [2, 5]), (6, [3]), (1, [1])])
def test_coins_for_the_active_winner_are_rounded_down(purse: int, shares: list[int]) -> None:
    assert members(beaten(purse), 0, TakeCoins, "coins") == shares


@rule("KC-572", "KC-574", "KC-105")
@pytest.mark.parametrize(("purse", "shares"), [(9, [5]), (5, [3, 5]), (1, [1])])
def test_coins_for_the_other_winner_are_rounded_up(purse: int, shares: list[int]) -> None:
    state = struck(purse)
    assert members(state, 1, TakeCoins, "coins") == shares
    assert do(state, 1, TakeCoins(shares[0])).knights[0].coins == purse - shares[0]


@rule("KC-218", "KC-573", "KC-579", "KC-221")
def test_a_standard_she_lacks_may_be_taken() -> None:
    state = beaten(5, standards=("clubs", "diamonds", "spades"))
    assert members(state, 0, TakeStandard, "suit") == ["diamonds", "spades"]
    assert refusal(state, 0, TakeStandard("clubs")) == "not_a_choice"
    state = do(state, 0, TakeStandard("diamonds"))
    assert (state.knights[0].standards, state.knights[1].standards) == (("clubs", "diamonds"), ("clubs", "spades"))


@rule("KC-576", "KC-220")
def test_a_poor_loser_dies_after_the_choice_of_a_standard() -> None:
    state = beaten(0)
    assert answers(state, 0) == ["take_standard", "take_nothing"]
    after = do(state, 0, TakeNothing())
    assert (after.knights[1].at, after.knights[1].standards) == (PLACE["Q_diamonds"], ("diamonds",))
    assert beaten(0, standards=("clubs",)).knights[1].at == PLACE["Q_diamonds"]


@rule("KC-577", "KC-578")
@pytest.mark.parametrize("taken", [TakeNothing(), TakeCoins(5)])
def test_a_loser_with_treasure_stays(taken: TakeNothing | TakeCoins) -> None:
    assert do(beaten(5), 0, taken).knights[1].at == 0


@rule("KC-214")
def test_a_second_item_of_a_type_may_be_won() -> None:
    state = do(beaten(5, "horse", winner=("horse",)), 0, TakeItem("horse"))
    assert state.knights[0].items == ("horse", "horse")


@rule("KC-654", "KC-657")
def test_a_face_down_temple_is_flipped_and_shelters() -> None:
    state = lost(0, down=("Q_clubs",))
    assert state.up[PLACE["Q_clubs"]]
    assert state.shelter(0) == "temple"


@rule("KC-655")
def test_arriving_so_is_no_landing() -> None:
    state = rich(row("6_spades", "Q_clubs"), 0, 0)
    after = do(state, 0, FightMonster(), 6, 1, 1)
    assert (after.turn.seat, after.turn.visited, decides(after)) == (1, -1, 1)


@rule("KC-104")
def test_the_dead_go_on_playing() -> None:
    state = lost(0)
    assert state.staying() == (0, 1)
    assert GAME.question(state, 0) is not None


@rule("KC-915", "KC-571")
def test_what_the_clock_takes() -> None:
    assert timed_out(beaten(9, "horse"), 0).knights[0].standards == ("clubs", "diamonds")
    assert timed_out(beaten(9, "horse", standards=()), 0).knights[0].coins == 5 + 4
    assert timed_out(beaten(0, "horse", "sword", standards=()), 0).knights[0].items == ("sword",)
    assert timed_out(beaten(0, "horse", winner=("horse",), standards=()), 0).knights[0].items == ("horse",)


@rule("KC-915", "KC-551")
def test_what_the_clock_pays() -> None:
    assert timed_out(lost(8, "horse"), 0).knights[0].coins == 4
    assert timed_out(lost(0, "horse", "sword"), 0).knights[0].items == ("sword",)
