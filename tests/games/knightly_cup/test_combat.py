"""Combat: rolls, knights, monsters, the amulet (KC-451 to KC-608)."""

import pytest

from services.knightly_cup.commands import AttackBack, Challenge, EndCombat, FightMonster, TakeNothing
from services.knightly_cup.game import GAME
from services.knightly_cup.rules.combat import throw
from tests.games.knightly_cup.tables import (
    PLACE,
    answers,
    decides,
    dice,
    do,
    hoarding,
    offered,
    order,
    refusal,
    rich,
    row,
    timed_out,
    told,
    turned,
    walking,
)
from tests.ledger import rule

FIGHT, CHALLENGE, BACK = FightMonster(), Challenge(1), AttackBack()


@rule("KC-211", "KC-215", "KC-232", "KC-233")
@pytest.mark.parametrize(
    ("items", "count"),
    [((), 2), (("sword",), 3), (("shield",), 3), (("sword", "sword"), 3), (("shield", "sword"), 4), (("horse", "amulet"), 2)],
)
def test_how_many_dice_a_knight_fights_with(items: tuple[str, ...], count: int) -> None:
    assert rich(row("7_clubs", "A_clubs"), 0, 5, *items).fight_dice(0) == count


@rule("KC-211")
def test_never_more_than_five_dice() -> None:
    assert rich(row("7_clubs", "A_clubs"), 0, 5, "shield", "sword").fight_dice(0, 2) == 5


@rule("KC-110", "KC-452", "KC-453")
@pytest.mark.parametrize(("faces", "score"), [((6, 5), 11), ((4, 4, 3, 1), 11), ((6, 6, 6, 1, 1), 18), ((1, 2, 3), 6)])
def test_the_best_three_count(faces: tuple[int, ...], score: int) -> None:
    assert throw(dice(*faces), len(faces), 3) == (faces, score)


@rule("KC-451", "KC-454", "KC-533")
def test_the_defence_is_rolled_before_the_attack() -> None:
    state = do(row("7_clubs", "7_clubs"), 0, CHALLENGE, 6, 5, 2, 1)
    assert [(roll.what, roll.seat, roll.score) for roll in state.rolls] == [("defence", 1, 11), ("attack", 0, 3)]


@rule("KC-455", "KC-536")
@pytest.mark.parametrize(("attack", "asked"), [((6, 5), 1), ((6, 6), 0)])
def test_only_a_higher_score_wins(attack: tuple[int, int], asked: int) -> None:
    assert decides(do(row("7_clubs", "7_clubs"), 0, CHALLENGE, 6, 5, *attack)) == asked


@rule("KC-456", "KC-457")
def test_nobody_refuses_and_nobody_joins() -> None:
    state = do(row("7_clubs", "7_clubs", "7_clubs", seats=3), 0, CHALLENGE, 6, 5, 2, 1)
    assert answers(state, 1) == ["attack_back", "end_combat"]
    assert [offered(state, seat) for seat in (0, 2)] == [["waive_asylum"]] * 2


@rule("KC-501", "KC-503", "KC-504")
def test_a_monster_pays_its_target() -> None:
    state = do(row("6_spades", "A_clubs"), 0, FIGHT, 3, 6, 4)
    assert state.knights[0].coins == 5 + 9
    assert [roll.score for roll in state.rolls] == [9, 10]


@rule("KC-502", "KC-861")
def test_on_the_home_suit_one_die_more() -> None:
    state = row("7_clubs", "A_clubs")
    assert (state.hunt_dice(0), row("6_spades", "A_clubs").hunt_dice(0)) == (3, 2)
    assert rich(state, 0, 5, "shield", "sword").hunt_dice(0) == 5


@rule("KC-863")
def test_jokers_are_nobodys_home() -> None:
    state = row("joker_black", "A_clubs")
    assert not state.is_home(state.here(), 0)


@rule("KC-505", "KC-506", "KC-214")
def test_the_winner_takes_the_hoard_and_the_monster_stays() -> None:
    state = rich(hoarding(row("6_spades", "A_clubs"), "6_spades", 4, "sword"), 0, 5, "sword")
    state = do(state, 0, FIGHT, 1, 6, 6, 1)
    assert (state.knights[0].coins, state.knights[0].items) == (5 + 7 + 4, ("sword", "sword"))
    hoard = state.hoards[PLACE["6_spades"]]
    assert (hoard.coins, hoard.items, state.kind(state.here()).type) == (0, (), "monster")


@rule("KC-507", "KC-508")
def test_an_equal_score_is_a_defeat_and_the_monster_does_nothing_more() -> None:
    told_of = order(row("6_spades", "A_clubs"), 0, FIGHT, 3, 6, 3)
    assert told_of[:6] == ["visited", "monster_met", "threw", "monster_won", "penalty_paid", "turn_ended"]


@rule("KC-531")
def test_a_challenge_needs_the_same_card() -> None:
    assert refusal(row("7_clubs", "A_clubs"), 0, CHALLENGE) == "not_a_choice"


@rule("KC-532")
def test_a_trade_before_does_not_forbid_it() -> None:
    assert "challenge" in offered(turned(row("7_clubs", "7_clubs"), settled=(1,), offered=(1,), traded=(1,)), 0)


@rule("KC-534")
def test_no_home_die_between_knights() -> None:
    state = do(row("7_clubs", "7_clubs"), 0, CHALLENGE, 6, 6, 1, 1)
    assert [len(roll.faces) for roll in state.rolls] == [2, 2]


@rule("KC-535")
def test_a_successful_attack_wins_the_combat() -> None:
    assert told(row("7_clubs", "7_clubs"), 0, CHALLENGE, 1, 1, 6, 6)["combat_won"].seat == 0  # type: ignore[attr-defined]


@rule("KC-537", "KC-538", "KC-305")
def test_who_attacks_back_and_succeeds_takes_the_spoils() -> None:
    state = do(row("7_clubs", "7_clubs"), 0, CHALLENGE, 6, 6, 1, 1)
    state = do(state, 1, BACK, 1, 1, 6, 6)
    assert (decides(state), GAME.look(state, 0).loser) == (1, 0)
    assert do(state, 1, TakeNothing()).turn.seat == 1


@rule("KC-539")
def test_who_held_against_an_attack_back_may_attack_again() -> None:
    state = do(row("7_clubs", "7_clubs"), 0, CHALLENGE, 6, 6, 1, 1)
    state = do(state, 1, BACK, 6, 6, 1, 1)
    assert (decides(state), answers(state, 0)) == (0, ["attack_back", "end_combat"])
    state = do(state, 0, BACK, 1, 1, 6, 6)
    assert [(roll.what, roll.seat) for roll in state.rolls] == [("defence", 1), ("attack", 0)]


@rule("KC-545")
@pytest.mark.parametrize("rounds", [1, 2])
def test_ending_it_is_the_end_of_the_turn_without_spoils(rounds: int) -> None:
    state = do(row("7_clubs", "7_clubs"), 0, CHALLENGE, 6, 6, 1, 1)
    if rounds == 2:
        state = do(state, 1, BACK, 6, 6, 1, 1)
    state = do(state, decides(state) or 0, EndCombat())
    assert (state.turn.seat, [knight.coins for knight in state.knights], state.knights[0].at) == (1, [5, 5], 0)


@rule("KC-546")
def test_the_cap_of_rounds_ends_it() -> None:
    state = do(row("7_clubs", "7_clubs", combat_round_cap=5), 0, CHALLENGE, 6, 6, 1, 1)
    for number in range(4):
        state = do(state, 1 - number % 2, BACK, 6, 6, 1, 1)
    assert (state.combat, state.turn.seat) == (None, 1)


@rule("KC-548")
def test_her_own_asylum_does_not_stop_the_answer() -> None:
    state = do(row("A_clubs", "A_clubs"), 0, CHALLENGE, 6, 6, 1, 1)
    assert state.shelter(0) == "fortress"
    assert do(state, 1, BACK, 1, 1, 6, 6).pending is not None


@rule("KC-234", "KC-601", "KC-602", "KC-605")
@pytest.mark.parametrize(("again", "coins"), [((6, 5), 15), ((6, 3), 0)])
def test_against_a_monster_the_amulet_rolls_the_attack_again(again: tuple[int, int], coins: int) -> None:
    state = rich(row("6_spades", "A_clubs"), 0, 5, "amulet")
    state = do(state, 0, FIGHT, 4, 4, 4, *again)
    assert (state.knights[0].coins if coins else state.turn.seat) == (coins or 0)


@rule("KC-603", "KC-608")
def test_against_a_knight_the_amulet_rolls_the_defence_again() -> None:
    state = rich(row("7_clubs", "7_clubs"), 1, 5, "amulet")
    state = do(state, 0, CHALLENGE, 4, 5, 6, 6, 6, 6)
    assert (decides(state), [roll.again for roll in state.rolls]) == (1, [False, False, True])
    assert answers(state, 1) == ["attack_back", "end_combat"]


@rule("KC-604")
def test_a_failed_attack_does_not_wake_it() -> None:
    state = rich(row("7_clubs", "7_clubs"), 0, 5, "amulet")
    assert "amulet_helped" not in told(state, 0, CHALLENGE, 6, 6, 1, 1)


@rule("KC-215", "KC-601")
def test_two_amulets_help_once() -> None:
    state = rich(row("7_clubs", "7_clubs"), 1, 5, "amulet", "amulet")
    state = do(state, 0, CHALLENGE, 4, 5, 6, 6, 1, 1)
    assert decides(state) == 0


@rule("KC-606")
def test_it_works_again_in_the_next_combat() -> None:
    state = rich(row("7_clubs", "7_clubs"), 1, 5, "amulet")
    state = do(do(state, 0, CHALLENGE, 4, 5, 6, 6, 1, 1), 0, TakeNothing())
    again = turned(state, challenged=())
    assert "amulet_helped" in told(again, 0, CHALLENGE, 4, 5, 6, 6, 6, 6)
    assert state.knights[1].items == ("amulet",)


@rule("KC-216")
def test_dice_follow_the_item() -> None:
    state = rich(row("7_clubs", "7_clubs"), 1, 5, "sword")
    assert [len(roll.faces) for roll in do(state, 0, CHALLENGE, 6, 6, 6, 1, 1).rolls] == [3, 2]
    assert rich(state, 1, 5).fight_dice(1) == 2


@rule("KC-307")
def test_an_enemy_defeated_loses_no_turn() -> None:
    state = do(walking("7_clubs", "7_clubs", last="stepped"), 0, CHALLENGE, 1, 1, 6, 6)
    state = timed_out(state, 0)
    assert (state.turn.seat, state.stage) == (0, "walk")
