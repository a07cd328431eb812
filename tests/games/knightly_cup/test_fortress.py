"""Fortresses: storming, recovering, begging (KC-701 to KC-725)."""

import pytest

from services.knightly_cup.commands import AttackBack, Beg, EndCombat, RecoverStandard, Storm, TakeCoins
from services.knightly_cup.state import State
from tests.games.knightly_cup.tables import (
    PLACE,
    answers,
    decides,
    do,
    hoarding,
    offered,
    order,
    refusal,
    rich,
    row,
    told,
    turned,
)
from tests.ledger import rule

WON = (1, 1, 1, 6, 6)  # the Guardian's defence with three dice, the attack with two
HELD = (6, 6, 6, 1, 1)


def before(card: str = "A_diamonds", **more: object) -> State:
    return row(card, "7_clubs", **more)


@rule("KC-701", "KC-704")
def test_nobody_storms_at_home() -> None:
    assert "storm" not in offered(row("A_clubs", "7_clubs"), 0)
    assert "storm" in offered(before(), 0)


@rule("KC-702", "KC-703")
def test_begging_fills_the_purse_once() -> None:
    state = do(rich(row("A_clubs", "7_clubs"), 0, 2), 0, Beg())
    assert (state.knights[0].coins, state.knights[0].begged) == (5, True)
    assert refusal(rich(state, 0, 0), 0, Beg()) == "not_a_choice"
    assert refusal(row("A_clubs", "7_clubs"), 0, Beg()) == "not_a_choice"


@rule("KC-705", "KC-221")
def test_her_own_standard_is_recovered_without_a_fight() -> None:
    state = row("A_clubs", "7_clubs").with_knight(0, standards=("hearts",))
    state = do(state, 0, RecoverStandard())
    assert (state.knights[0].standards, state.stores["clubs"]) == (("clubs", "hearts"), 0)
    assert "recover_standard" not in offered(state, 0)


@rule("KC-411")
def test_recovering_and_begging_are_one_visit() -> None:
    state = rich(row("A_clubs", "7_clubs").with_knight(0, standards=()), 0, 0)
    state = do(do(state, 0, Beg()), 0, RecoverStandard())
    assert (state.knights[0].coins, state.knights[0].standards) == (5, ("clubs",))
    assert offered(turned(rich(row("A_clubs", "7_clubs"), 0, 0), visited=PLACE["7_clubs"]), 0) == ["end_turn", "waive_asylum"]


@rule("KC-711", "KC-712")
@pytest.mark.parametrize(("items", "count"), [((), 3), (("sword",), 4), (("shield", "sword"), 5)])
def test_a_guardian_rolls_one_die_more_than_its_knight(items: tuple[str, ...], count: int) -> None:
    assert rich(before(), 1, 5, *items).guard_dice("diamonds") == count


@rule("KC-716", "KC-717", "KC-718", "KC-219")
def test_a_defeated_guardian_gives_the_standard_of_its_suit() -> None:
    state = do(before(), 0, Storm(), *WON)
    assert (state.knights[0].standards, state.stores["diamonds"]) == (("clubs", "diamonds"), 0)
    assert (state.knights[1].coins, state.knights[1].standards) == (5, ("diamonds",))
    assert state.kind(state.here()).type == "fortress"


@rule("KC-713")
def test_the_owners_amulet_protects_the_guardian() -> None:
    state = rich(before(), 1, 5, "amulet")
    assert "amulet_helped" in told(state, 0, Storm(), *WON, 6, 6, 6)


@rule("KC-714")
def test_the_owner_decides_whether_it_attacks_back() -> None:
    state = do(before(), 0, Storm(), *HELD)
    assert (decides(state), answers(state, 1)) == (1, ["attack_back", "end_combat"])
    assert do(state, 1, EndCombat()).turn.seat == 1


@rule("KC-715", "KC-838")
def test_asylum_does_not_stop_a_storm() -> None:
    state = row("A_diamonds", "A_diamonds")
    assert state.shelter(1) == "fortress"
    assert "storm" in offered(state, 0)
    assert "challenge" not in offered(state, 0)


@rule("KC-719", "KC-712")
def test_its_owner_takes_the_spoils_wherever_he_is() -> None:
    state = do(rich(before(), 0, 9), 0, Storm(), *HELD)
    state = do(state, 1, AttackBack(), 1, 1, 6, 6, 6)
    assert decides(state) == 1
    state = do(state, 1, TakeCoins(5))
    assert (state.knights[0].coins, state.knights[1].coins, state.turn.seat) == (4, 10, 1)


@rule("KC-720")
def test_storming_for_nothing_is_refused() -> None:
    carried = before("A_hearts").with_knight(0, standards=("clubs", "hearts"))
    assert "storm" not in offered(carried, 0)
    assert "storm" in offered(hoarding(carried, "A_hearts", 3), 0)


@rule("KC-721")
@pytest.mark.parametrize("count", [3, 4, 5])
def test_an_unclaimed_guardian_has_dice_of_its_own(count: int) -> None:
    assert before("A_hearts", unclaimed_guardian_dice=count).guard_dice("hearts") == count
    assert before("A_hearts").guard_dice("hearts") == 4


@rule("KC-722")
def test_an_unclaimed_guardian_always_attacks_back() -> None:
    assert order(before("A_hearts"), 0, Storm(), 6, 6, 6, 1, 1, 1, 6, 6, 1, 1, 1, 1)[:8] == [
        "visited",
        "combat_began",
        "threw",
        "threw",
        "attack_failed",
        "attacked_back",
        "threw",
        "threw",
    ]


@rule("KC-723")
def test_its_victory_costs_the_penalty_of_a_monster() -> None:
    state = do(rich(before("A_hearts"), 0, 8), 0, Storm(), 6, 6, 6, 1, 1, 1, 1, 1, 6, 6, 6, 1)
    assert (state.knights[0].coins, state.hoards[PLACE["A_hearts"]].coins, state.turn.seat) == (4, 4, 1)


@rule("KC-724")
def test_its_hoard_and_its_standard_are_won() -> None:
    state = do(hoarding(before("A_hearts"), "A_hearts", 7, "horse"), 0, Storm(), 1, 1, 1, 1, 6, 6)
    assert (state.knights[0].coins, state.knights[0].items) == (12, ("horse",))
    assert state.knights[0].standards == ("clubs", "hearts")


@rule("KC-725")
def test_no_home_die_in_a_storm() -> None:
    state = do(before(), 0, Storm(), *HELD)
    assert [len(roll.faces) for roll in state.rolls] == [3, 2]


@rule("KC-904", "KC-716")
def test_a_storm_counts_as_a_combat_won() -> None:
    assert do(before(), 0, Storm(), *WON).knights[0].won == 1
