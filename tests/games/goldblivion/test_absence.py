"""Service rulings: GB-701 to GB-710."""

import pytest
from msgspec.structs import replace

from services.goldblivion.commands import (
    BuyBar,
    BuyCard,
    ChooseEnemy,
    ChooseOption,
    CopyNothing,
    Decline,
    DestroyCard,
    Develop,
    EndTurn,
    FinishCombat,
    LoseCard,
    Pass,
    PlayCard,
    Reactivate,
    ResolveCard,
    TakeCharacter,
    TakeCombatCard,
    TurnBuilding,
    UseToken,
    UseVillage,
)
from services.goldblivion.game import GAME
from shared.kernel.dice import LoadedDice
from shared.kernel.game import Refused
from shared.kernel.match import play
from tests.games.goldblivion.tables import (
    acting,
    asked,
    developing,
    do,
    gone,
    holding,
    offered,
    on_map,
    opened,
    own,
    refusal,
    turned_up,
)
from tests.ledger import rule


@rule("GB-701")
def test_a_seat_that_is_not_asked_has_no_choice() -> None:
    state = holding(acting(3), 1, hand=("tom",))
    assert [len(GAME.legal(state, seat)) for seat in (1, 2, -1, -2)] == [0, 0, 0, 0]
    assert refusal(state, 1, PlayCard("tom")) == "not_a_choice"


@rule("GB-702")
def test_a_refusal_draws_no_dice_and_tells_nothing() -> None:
    state, chance = holding(acting(), hand=("glasstok",)), LoadedDice((1,))
    with pytest.raises(Refused):
        play(GAME, state, 0, PlayCard("wanda"), chance)
    assert chance.left() == (1,)


@rule("GB-703")
def test_a_single_target_is_taken_without_asking_but_passing_is_not() -> None:
    state = replace(holding(acting(), hand=("blaze",)), armies=((), ("bandit",)))
    assert own(do(state, 0, PlayCard("blaze"))).army == ("bandit",)
    assert asked(acting()) == [(0, "turn")]


@rule("GB-704")
def test_the_default_of_every_decision() -> None:
    turn = holding(acting(), hand=("tom",))
    assert GAME.default(turn, 0) == Pass()
    assert GAME.default(replace(turn, actions=2), 0) == EndTurn()
    option = do(holding(acting(), hand=("red",)), 0, PlayCard("red"))
    assert GAME.default(option, 0) == ChooseOption(2)
    assert GAME.default(do(holding(acting(), hand=("magda",)), 0, PlayCard("magda")), 0) == ChooseOption(1)
    assert GAME.default(do(holding(acting(), hand=("thardard",), material=1), 0, PlayCard("thardard")), 0) == Decline()
    destroy = do(holding(acting(), hand=("ariane",)), 0, PlayCard("ariane"))
    assert GAME.default(destroy, 0) == DestroyCard("gold_4")
    assert GAME.default(do(holding(acting(), hand=("blaze",)), 0, PlayCard("blaze")), 0) == TakeCombatCard("pile_left")
    free = do(holding(acting(), tokens=("magic_1",)), 0, UseToken("magic_1", 1))
    assert GAME.default(free, 0) == TakeCharacter("gold_1")
    again = do(holding(acting(), hand=("boss",), played=("jade", "naya")), 0, PlayCard("boss"))
    assert GAME.default(again, 0) == Reactivate("jade")
    unsorted = replace(holding(acting(), hand=("naya", "tom")), stage="development")
    assert GAME.default(unsorted, 0) == Develop("tom", "left")


@rule("GB-704")
def test_the_defaults_of_a_combat() -> None:
    state = holding(acting(), hand=("gloric",), army=("joker", "xena", "arthur"))
    assert GAME.default(do(state, 0, PlayCard("gloric")), 0) == ChooseEnemy("B1")
    up = turned_up(on_map(state, M4=("forest_1",)), "T1", "M4")
    assert GAME.default(do(up, 0, PlayCard("gloric")), 0) == ChooseEnemy("M4")
    combat = do(state, 0, PlayCard("gloric"), ChooseEnemy("B1"))
    assert GAME.default(combat, 0) == FinishCombat()
    assert GAME.default(do(combat, 0, ResolveCard("joker", 1)), 0) == CopyNothing()
    assert GAME.default(do(combat, 0, FinishCombat()), 0) == LoseCard("arthur")


@rule("GB-705")
def test_who_leaves_passes_at_once_and_on_the_first_turn_of_later_rounds() -> None:
    state = gone(holding(acting(3), nuggets=8), 0)
    assert (own(state).passed, own(state).bars, state.turn) == (True, 1, 1)
    state = do(do(do(state, 1, Pass()), 2, Pass()), 1, DestroyCard("gold_1"))
    second = do(do(state, 1, Pass()), 2, PlayCard("tom")) if own(state, 2).hand else do(state, 1, Pass())
    assert (own(second).passed, own(second).left, second.round) == (False, (), 2)
    assert own(do(second, 2, Pass())).passed


@rule("GB-705")
def test_his_combat_ends_without_win_or_loss() -> None:
    state = holding(acting(3), hand=("gloric",), army=("champion", "champion", "champion"))
    state = do(state, 0, PlayCard("gloric"))
    assert gone(state, 0).turn == 1
    left = gone(do(state, 0, ChooseEnemy("B1")), 0)
    assert (left.combat, own(left).territories, left.box, left.turn) == (None, (), (), 1)
    assert own(left).exhausted == ("champion",) * 3


@rule("GB-705")
def test_his_other_questions_are_answered_by_default() -> None:
    state = opened(3)
    taken = gone(state, state.turn)
    assert taken.taken[state.turn] in state.nobles
    marker = do(holding(holding(acting(3), 1, passed=True), 2, passed=True), 0, Pass())
    after = gone(marker, 1)
    assert (after.box, after.round) == (("magda",), 2)


@rule("GB-705")
def test_in_solo_leaving_loses() -> None:
    state = gone(holding(acting(1), bars=20), 0)
    assert (state.stage, GAME.result(state)) == ("over", {0: 2})


@rule("GB-706")
def test_who_left_is_still_ranked() -> None:
    state = gone(holding(acting(2), bars=12), 0)
    state = do(state, 1, Pass())
    assert GAME.result(state) == {0: 1, 1: 2}


def test_when_all_have_left_the_game_is_over() -> None:
    assert gone(gone(developing(2), 0), 1).stage == "over"


@rule("GB-710")
def test_after_a_hundred_turns_nothing_but_passing() -> None:
    state = holding(acting(), hand=("tom",), nuggets=9, turns=101)
    assert offered(state) == ["buy_bar", "pass"]
    for command in (PlayCard("tom"), BuyCard("gold_1"), UseVillage("left")):
        assert refusal(state, 0, command) == "not_a_choice"
    solo = holding(acting(1), hand=("tom",), nuggets=9, turns=101)
    assert offered(solo) == ["play_card", "buy_bar"]


def test_bad_wishes_are_refused_with_the_right_code() -> None:
    state = holding(acting(), hand=("tom",), nuggets=3)
    wishes = (BuyCard("gold_4"), BuyCard("gold_7"), BuyBar(), TurnBuilding("mine", 1), UseToken("magic_1", 1), EndTurn())
    assert {refusal(state, 0, wish) for wish in wishes} == {"not_a_choice"}
    with pytest.raises(Refused, match="invalid"):
        GAME.read_command(b'{"do": "buy_card", "place": 3}')
