"""Whose turn it is and when it ends: GB-201 to GB-213."""

from services.goldblivion.commands import (
    BuyBar,
    BuyCard,
    ChooseEnemy,
    EndTurn,
    Pass,
    PlayCard,
    TurnBuilding,
    UseToken,
    UseVillage,
)
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from tests.games.goldblivion.tables import acting, asked, do, holding, offered, own, refusal
from tests.ledger import rule


def two_toms(seats: int = 2, **changes: object) -> State:
    return holding(acting(seats), hand=("tom", "tom", "tom"), **changes)


@rule("GB-201")
def test_turns_go_clockwise() -> None:
    state = acting(3)
    order = []
    for seat in range(3):
        state = holding(state, seat, hand=("jade",) * 4)
    for _ in range(6):
        order.append(state.turn)
        state = do(state, state.turn, PlayCard("jade"), PlayCard("jade"))
    assert order == [0, 1, 2, 0, 1, 2]


@rule("GB-202")
def test_two_main_actions_of_the_same_or_of_different_kinds() -> None:
    assert do(two_toms(), 0, PlayCard("tom"), PlayCard("tom")).turn == 1
    assert do(two_toms(nuggets=4), 0, PlayCard("tom"), BuyCard("gold_1")).turn == 1


@rule("GB-203")
def test_the_main_actions_are_play_buy_village_and_pass() -> None:
    assert offered(two_toms(nuggets=3)) == ["play_card", "buy_card", "use_village", "pass"]


@rule("GB-204")
def test_a_turn_cannot_end_with_a_main_action_left() -> None:
    assert refusal(two_toms(), 0, EndTurn()) == "not_a_choice"
    assert refusal(do(two_toms(), 0, PlayCard("tom")), 0, EndTurn()) == "not_a_choice"
    assert own(do(two_toms(), 0, PlayCard("tom"), Pass())).passed


@rule("GB-205")
def test_a_third_main_action_is_refused() -> None:
    state = do(two_toms(nuggets=9), 0, PlayCard("tom"), PlayCard("tom"))
    assert state.turn == 0
    for command in (PlayCard("tom"), BuyCard("gold_1"), UseVillage("left"), Pass()):
        assert refusal(state, 0, command) == "not_a_choice"
    solo = holding(acting(1), hand=("tom",) * 4, nuggets=9)
    done = do(solo, 0, PlayCard("tom"), PlayCard("tom"), PlayCard("tom"))
    assert refusal(done, 0, PlayCard("tom")) == "not_a_choice"


@rule("GB-206", "GB-281", "GB-283")
def test_free_actions_before_between_and_after_the_main_actions() -> None:
    state = two_toms(nuggets=21, buildings=("mine",))
    state = do(state, 0, BuyBar(), PlayCard("tom"), BuyBar(), PlayCard("tom"), TurnBuilding("mine", 1), BuyBar())
    assert (own(state).bars, state.turn) == (4, 1)
    waiting = do(two_toms(nuggets=7), 0, PlayCard("tom"), PlayCard("tom"))
    assert offered(waiting) == ["buy_bar", "end_turn"]
    assert do(waiting, 0, EndTurn()).turn == 1


@rule("GB-207")
def test_the_turn_ends_by_itself_when_nothing_is_left_to_do() -> None:
    assert do(two_toms(buildings=("conversus",)), 0, PlayCard("tom"), PlayCard("tom")).turn == 1
    token = do(two_toms(tokens=("magic_2",)), 0, PlayCard("tom"), PlayCard("tom"))
    assert (token.turn, offered(token)) == (0, ["end_turn"])


@rule("GB-208")
def test_whoever_has_passed_is_skipped() -> None:
    state = holding(holding(acting(3), hand=("tom",) * 4), 1, passed=True)
    assert do(state, 0, PlayCard("tom"), PlayCard("tom")).turn == 2


@rule("GB-209")
def test_the_last_one_takes_turn_after_turn() -> None:
    state = holding(holding(acting(2), hand=("tom",) * 4), 1, passed=True)
    state = do(state, 0, PlayCard("tom"), PlayCard("tom"))
    assert (state.turn, state.actions, own(state).turns) == (0, 0, 2)


@rule("GB-210")
def test_the_step_ends_when_the_last_one_passes() -> None:
    state = holding(acting(2), 1, passed=True)
    assert asked(do(state, 0, Pass())) == [(1, "marker")]


@rule("GB-211", "GB-284")
def test_an_action_begins_when_the_one_before_is_resolved() -> None:
    state = holding(acting(), hand=("gloric", "tom"), nuggets=9, buildings=("mine",), tokens=("magic_5",))
    fighting = do(state, 0, PlayCard("gloric"))
    for command in (PlayCard("tom"), BuyBar(), TurnBuilding("mine", 1), UseToken("magic_5", 1), Pass()):
        assert refusal(fighting, 0, command) == "not_a_choice"
    assert offered(fighting) == ["choose_enemy"]
    combat = do(holding(fighting, army=("xena", "arthur")), 0, ChooseEnemy("B1"))
    assert offered(combat) == ["resolve_card", "finish_combat"]


@rule("GB-212", "GB-701")
def test_a_player_who_is_not_on_turn_cannot_act() -> None:
    state = holding(two_toms(), 1, hand=("tom",))
    assert refusal(state, 1, PlayCard("tom")) == "not_a_choice"
    assert GAME.legal(state, 1) == ()


@rule("GB-213")
def test_main_actions_are_not_carried_over() -> None:
    state = do(holding(two_toms(), 1, hand=("tom",) * 3), 0, PlayCard("tom"), PlayCard("tom"))
    assert (state.turn, state.actions) == (1, 0)
