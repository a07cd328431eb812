"""Movement, Gateways and passing other knights (KC-301 to KC-356, KC-731 to KC-742)."""

import pytest
from msgspec.structs import replace

from services.knightly_cup.commands import (
    AcceptOffer,
    Challenge,
    ChooseAce,
    Flip,
    Jump,
    OfferPassage,
    Sneak,
    Step,
    Stop,
    TakeNothing,
    Wait,
)
from services.knightly_cup.events import TurnBegan
from services.knightly_cup.game import GAME
from services.knightly_cup.state import State
from shared.kernel.game import Command, Table
from tests.games.knightly_cup.tables import PLACE, dice, do, members, offered, refusal, rich, row, told, turned, walking
from tests.ledger import rule

RIGHT, LEFT = Step("right"), Step("left")


def _begun(state: State, *rolls: int) -> State:
    table = Table(TurnBegan(0, 1).change(state))
    GAME.advance(table, dice(*rolls))
    return table.state


@rule("KC-301", "KC-302")
def test_one_die_is_rolled_for_the_movement() -> None:
    state = _begun(row("7_clubs", "A_diamonds"), 4)
    assert (state.stage, state.turn.moves) == ("walk", 4)


@rule("KC-215", "KC-231", "KC-301", "KC-302")
@pytest.mark.parametrize("horses", [1, 2])
def test_with_a_horse_two_dice_are_added_up(horses: int) -> None:
    state = _begun(rich(row("7_clubs", "A_diamonds"), 0, 5, *["horse"] * horses), 3, 4)
    assert state.turn.moves == 7


@rule("KC-321", "KC-322")
def test_a_step_costs_a_move_and_the_rest_is_lost() -> None:
    state = do(walking("7_clubs", "10_diamonds", moves=5), 0, RIGHT)
    assert (state.here(), state.turn.moves) == (1, 4)
    assert do(state, 0, Stop()).stage == "land"


@rule("KC-323", "KC-324")
@pytest.mark.parametrize("way", ["up", "down", "left", "up-left"])
def test_there_is_no_step_into_a_hole_or_across_a_corner(way: str) -> None:
    assert refusal(walking("7_clubs", "10_diamonds"), 0, Step(way)) == "not_a_choice"


@rule("KC-325")
def test_waiting_costs_a_move() -> None:
    state = do(walking("7_clubs", "10_diamonds"), 0, Wait())
    assert (state.here(), state.turn.moves, state.turn.last) == (0, 2, "waited")


@rule("KC-326")
def test_stopping_at_once_is_a_wait() -> None:
    state = do(walking("7_clubs", "10_diamonds"), 0, Stop())
    assert (state.stage, state.turn.moves, state.turn.last) == ("land", 2, "waited")


@rule("KC-327")
def test_back_and_forth_is_allowed_and_paid() -> None:
    state = do(do(walking("7_clubs", "10_diamonds"), 0, RIGHT), 0, LEFT)
    assert (state.here(), state.turn.moves) == (0, 1)


@rule("KC-328")
def test_moving_over_a_card_does_not_flip_it() -> None:
    state = do(do(walking("7_clubs", "10_diamonds", down=("A_clubs",)), 0, RIGHT), 0, RIGHT)
    assert (state.here(), state.up[PLACE["A_clubs"]]) == (2, False)


@rule("KC-331", "KC-346")
def test_several_knights_may_stand_on_a_card_and_each_bars_the_way() -> None:
    state = do(walking("7_clubs", "A_clubs", "A_clubs", seats=3), 0, RIGHT)
    assert (state.met(), state.barring()) == ((1, 2), (1, 2))
    assert "step" not in offered(state, 0)


@rule("KC-341", "KC-350")
def test_an_enemy_knight_halts_her_even_for_the_way_back() -> None:
    state = do(walking("7_clubs", "A_clubs"), 0, RIGHT)
    assert {"step", "wait", "jump"}.isdisjoint(offered(state, 0))
    assert refusal(state, 0, LEFT) == "not_a_choice"


@rule("KC-342", "KC-343", "KC-807", "KC-808")
def test_a_trade_of_nothing_for_nothing_settles() -> None:
    state = do(walking("7_clubs", "A_clubs"), 0, RIGHT)
    state = do(do(state, 0, OfferPassage(1, "")), 1, AcceptOffer())
    assert (state.turn.settled, state.turn.moves, state.barring()) == ((1,), 2, ())
    assert do(state, 0, RIGHT).here() == 2


@rule("KC-342", "KC-343", "KC-355")
def test_a_won_combat_on_the_way_settles_and_flips_nothing() -> None:
    state = do(walking("7_clubs", "A_clubs", down=("A_clubs",)), 0, RIGHT)
    state = do(do(state, 0, Challenge(1), 1, 1, 6, 6), 0, TakeNothing())
    assert (state.stage, state.turn.settled, state.turn.moves, state.up[1]) == ("walk", (1,), 2, False)


@rule("KC-344")
def test_on_the_home_suit_she_may_sneak_past() -> None:
    state = do(walking("7_clubs", "A_clubs", "A_clubs", seats=3), 0, RIGHT)
    assert do(state, 0, Sneak()).turn.settled == (1, 2)
    hidden = replace(state, up=(True, False, *state.up[2:]))
    assert "sneak" not in offered(hidden, 0)
    assert "challenge" in offered(state, 0)


@rule("KC-345", "KC-401", "KC-408")
def test_she_may_always_end_her_movement_there() -> None:
    state = do(do(walking("7_clubs", "A_clubs"), 0, RIGHT), 0, Stop())
    assert state.stage == "land"
    assert "end_turn" in offered(state, 0)


@rule("KC-347")
def test_settled_once_is_settled_for_the_turn() -> None:
    state = turned(walking("7_clubs", "A_clubs", moves=4), settled=(1,))
    assert do(state, 0, RIGHT).barring() == ()


@rule("KC-348")
def test_where_her_turn_began_she_may_leave_at_once_and_fights_only_after_landing() -> None:
    state = walking("A_clubs", "A_clubs")
    assert {"step", "wait"} <= set(offered(state, 0))
    assert "challenge" not in offered(state, 0)
    assert "challenge" in offered(do(state, 0, Stop()), 0)


@rule("KC-349")
def test_coming_back_means_entering() -> None:
    state = do(do(walking("A_clubs", "A_clubs"), 0, RIGHT), 0, LEFT)
    assert state.barring() == (1,)


@rule("KC-351")
def test_a_sheltered_knight_halts_nobody() -> None:
    state = do(walking("A_clubs", "Q_clubs"), 0, RIGHT)
    state = do(state, 0, RIGHT)
    assert (state.met(), state.barring()) == ((1,), ())


@rule("KC-353")
def test_a_knight_is_challenged_once_a_turn() -> None:
    state = do(walking("7_clubs", "A_clubs"), 0, RIGHT)
    state = do(do(state, 0, Challenge(1), 1, 1, 6, 6), 0, TakeNothing())
    assert "challenge" not in offered(state, 0)


@rule("KC-354")
def test_several_knights_may_be_fought_in_one_turn() -> None:
    state = walking("7_clubs", "A_clubs", "A_diamonds", seats=3, moves=4)
    state = do(do(do(state, 0, RIGHT), 0, Challenge(1), 1, 1, 6, 6), 0, TakeNothing())
    state = do(state, 0, RIGHT)
    assert members(state, 0, Challenge, "knight") == [2]


@rule("KC-531")
def test_after_a_wait_a_challenge_needs_a_landing() -> None:
    state = turned(do(walking("7_clubs", "A_clubs"), 0, RIGHT), settled=(1,))
    assert "challenge" in offered(state, 0)
    waited = do(state, 0, Wait())
    assert "challenge" not in offered(waited, 0)
    assert "challenge" in offered(do(waited, 0, Stop()), 0)


@rule("KC-304")
@pytest.mark.parametrize("command", [RIGHT, Wait(), Stop(), Challenge(0), ChooseAce("clubs")])
def test_only_the_active_player_moves(command: Command) -> None:
    assert refusal(walking("A_clubs", "A_clubs"), 1, command) == "not_a_choice"


@rule("KC-731", "KC-732", "KC-733")
def test_a_jump_costs_a_coin_and_no_move() -> None:
    state = do(walking("J_hearts", "10_diamonds"), 0, RIGHT)
    state = do(state, 0, Jump())
    assert (state.here(), state.turn.moves, state.knights[0].coins) == (PLACE["K_diamonds"], 2, 4)


@rule("KC-732")
def test_clubs_and_spades_lie_opposite() -> None:
    pairs = row("7_clubs", "A_clubs").printed.pairs
    assert pairs == {"hearts": "diamonds", "diamonds": "hearts", "clubs": "spades", "spades": "clubs"}


@rule("KC-734", "KC-861")
def test_the_home_gateway_is_free() -> None:
    state = rich(walking("J_clubs", "A_clubs"), 0, 0)
    state = do(do(state, 0, RIGHT), 0, Jump())
    assert (state.here(), state.knights[0].coins) == (PLACE["K_spades"], 0)


@rule("KC-731", "KC-734")
@pytest.mark.parametrize(("toll", "said"), [(1, "Jump to the opposite Gateway, toll 1"), (3, "Jump to the opposite Gateway, toll 3")])
def test_the_toll_is_told_as_the_pack_has_it(toll: int, said: str) -> None:
    state = do(walking("J_hearts", "A_clubs"), 0, RIGHT)
    state = replace(state, printed=replace(state.printed, numbers=replace(state.printed.numbers, toll=toll)))
    jump = next(choice for choice in GAME.legal(state, 0) if choice.do is Jump)
    assert GAME.words["en"].say(jump.label) == said


@rule("KC-212", "KC-735")
def test_no_coin_no_jump() -> None:
    assert "jump" not in offered(do(rich(walking("J_hearts", "A_clubs"), 0, 0), 0, RIGHT), 0)


@rule("KC-736", "KC-737")
@pytest.mark.parametrize("hidden", ["K_hearts", "K_diamonds"])
def test_both_gateways_must_be_face_up(hidden: str) -> None:
    assert "jump" not in offered(do(walking("J_hearts", "A_clubs", down=(hidden,)), 0, RIGHT), 0)


@rule("KC-738")
def test_a_jump_from_the_landing_card_opens_the_movement_again() -> None:
    state = do(do(walking("J_hearts", "A_clubs"), 0, RIGHT), 0, Stop())
    state = do(state, 0, Jump())
    assert (state.stage, state.turn.moves) == ("walk", 2)


@rule("KC-738")
def test_with_no_moves_left_the_opposite_gateway_is_the_landing_card() -> None:
    state = do(do(walking("J_hearts", "A_clubs", moves=1), 0, RIGHT), 0, Jump())
    assert (state.stage, state.here()) == ("land", PLACE["K_diamonds"])


@rule("KC-739")
def test_one_toll_one_jump() -> None:
    state = do(do(walking("J_hearts", "A_clubs"), 0, RIGHT), 0, Jump())
    assert "jump" not in offered(state, 0)
    assert "jump" not in offered(do(state, 0, Stop()), 0)
    assert "jump" in offered(do(state, 0, Wait()), 0)


@rule("KC-740")
def test_who_begins_on_a_gateway_waits_first() -> None:
    state = walking("K_hearts", "A_clubs")
    assert "jump" not in offered(state, 0)
    assert "jump" in offered(do(state, 0, Wait()), 0)


@rule("KC-741")
def test_a_knight_on_the_opposite_gateway_halts_her() -> None:
    state = do(do(walking("J_hearts", "K_diamonds"), 0, RIGHT), 0, Jump())
    assert state.barring() == (1,)
    assert "challenge" in offered(state, 0)


@rule("KC-742")
def test_a_knight_on_the_gateway_must_be_settled_with_first() -> None:
    state = do(walking("J_hearts", "K_hearts"), 0, RIGHT)
    assert "jump" not in offered(state, 0)
    assert "jump" in offered(turned(state, settled=(1,)), 0)
    assert "jump" in offered(do(walking("K_hearts", "K_hearts"), 0, Wait()), 0)


@rule("KC-344", "KC-742")
def test_landed_on_the_home_gateway_she_may_sneak_through_it() -> None:
    """She could not sneak while it lay face down."""
    state = do(do(walking("J_clubs", "K_clubs", down=("K_clubs",)), 0, RIGHT), 0, Stop())
    assert "sneak" not in offered(state, 0)
    state = do(state, 0, Flip())
    assert ("sneak" in offered(state, 0), "jump" in offered(state, 0)) == (True, False)
    assert do(do(state, 0, Sneak()), 0, Jump()).here() == PLACE["K_spades"]


@rule("KC-344")
@pytest.mark.parametrize(("card", "last"), [("7_clubs", "stepped"), ("K_hearts", "stepped"), ("K_clubs", "jumped")])
def test_landed_anywhere_else_there_is_nothing_to_sneak_past(card: str, last: str) -> None:
    assert "sneak" not in offered(turned(row(card, card), last=last), 0)


@rule("KC-308", "KC-321")
def test_when_the_moves_are_used_up_and_nobody_is_there_she_lands() -> None:
    assert "landed" in told(walking("7_clubs", "10_diamonds", moves=1), 0, RIGHT)
