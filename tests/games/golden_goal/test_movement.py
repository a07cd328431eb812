"""A turn and the way of the pawn: GG-131 to GG-159."""

from msgspec.structs import replace

from services.golden_goal.commands import (
    BuyGoalActions,
    BuyTokens,
    GiveUp,
    KeepRoll,
    PassDice,
    ProposeDeal,
    Reroll,
    Roll,
    SellTile,
)
from services.golden_goal.game import GAME
from tests.games.golden_goal.tables import (
    ITALY,
    asked,
    at,
    cash,
    cups,
    deck,
    do,
    kept,
    landing,
    offered,
    question,
    refused,
    square,
    story,
    table,
    told,
)
from tests.ledger import rule

SPAIN = ("spain_attack", "spain_defence", "spain_midfield")


def _quiet(**changes):
    """Nobody can buy anything, so that a turn goes through to its end."""
    return table(3, cash={0: 0, 1: 0, 2: 0}, **changes)


@rule("GG-131", "GG-132")
def test_both_dice_are_rolled_once_and_the_pawn_moves_by_their_sum() -> None:
    state = do(at(_quiet(), 0, 2), 0, Roll(), 3, 4)
    assert state.square_of(0) == 9
    assert "roll" not in offered(state, 0)


@rule("GG-131")
def test_rolling_is_compulsory() -> None:
    assert "pass_dice" not in offered(table(), 0)


@rule("GG-133")
def test_the_square_of_arrival_is_carried_out() -> None:
    assert cash(do(landing(_quiet(), 9), 0, Roll(), 3, 4))[0] == 700_000


@rule("GG-134", "GG-138", "GG-117")
def test_after_the_square_comes_a_free_phase_and_then_the_next_player() -> None:
    state = do(landing(table(), 9), 0, Roll(), 3, 4)
    assert question(state, 0) == "free"
    state = do(state, 0, PassDice())
    assert (state.turn, asked(state)) == (1, [1])


@rule("GG-135")
def test_deals_and_own_auctions_are_possible_before_the_roll() -> None:
    assert {"propose_deal", "auction_off"} <= set(offered(table(tiles={0: ITALY}), 0))


@rule("GG-135", "GG-321")
def test_nothing_of_it_while_something_is_resolved() -> None:
    state = do(at(cups(table(tiles={0: ITALY + SPAIN}), gold=(0, "italy")), 0, 33), 0, Roll(), 3, 4)
    assert question(state, 0) == "goal_actions"
    assert offered(state, 0) == ["buy_goal_actions", "sell_tile"]


@rule("GG-136")
def test_a_double_gives_nothing() -> None:
    state = do(landing(table(), 9).with_player(0, walked=36 + 1), 0, Roll(), 4, 4)
    assert do(state, 0, PassDice()).turn == 1


@rule("GG-137")
def test_pawns_share_a_square() -> None:
    state = do(at(landing(_quiet(), 9), 1, 9), 0, Roll(), 3, 4)
    assert state.square_of(0) == state.square_of(1) == 9


@rule("GG-139")
def test_others_may_only_sell_out_of_turn() -> None:
    state = table(tiles={1: ITALY})
    assert offered(state, 1) == ["sell_tile"]
    assert refused(state, 1, Roll())
    assert not refused(state, 1, SellTile("italy_attack"))
    assert refused(state, 1, ProposeDeal({"with": "0", "give": {"italy_attack": 1}, "take": {"money": 1}}))


@rule("GG-151")
def test_the_ring_has_36_squares() -> None:
    squares = table().board.squares
    assert [len(squares), squares[0].what, squares[9].what, squares[18].what, squares[27].what] == [
        36,
        "start_end",
        "match_takings",
        "capital_increase",
        "goalmouth_scramble",
    ]


@rule("GG-152")
def test_the_destination_is_shown_before_the_pawn_moves() -> None:
    state = do(at(table(die_tokens={0: 1}), 0, 2), 0, Roll(), 3, 4)
    assert (state.square_of(0), state.stage) == (2, "rolled")
    assert GAME.question(state, 0).facts == {"total": 7, "square": 9}
    assert offered(state, 0) == ["keep_roll", "reroll", "sell_token"]


@rule("GG-153")
def test_a_reroll_throws_both_dice() -> None:
    state = do(do(at(table(die_tokens={0: 1}), 0, 2), 0, Roll(), 3, 4), 0, Reroll("die_token"), 1, 2)
    assert state.roll == (1, 2)
    assert state.players[0].die_tokens == 0


@rule("GG-154")
def test_several_rerolls_one_after_the_other() -> None:
    state = kept(at(table(die_tokens={0: 1}), 0, 2), 0, "N23")
    state = do(do(state, 0, Roll(), 3, 4), 0, Reroll("N23"), 1, 2)
    state = do(state, 0, Reroll("die_token"), 6, 6)
    assert state.square_of(0) == 14
    assert "N23" in state.non_football.known


@rule("GG-132", "GG-152")
def test_a_roll_may_be_kept() -> None:
    state = do(do(at(table(die_tokens={0: 1}), 0, 2), 0, Roll(), 3, 4), 0, KeepRoll())
    assert (state.square_of(0), state.players[0].die_tokens) == (9, 1)


@rule("GG-155", "GG-334")
def test_the_match_ends_before_the_square_is_carried_out() -> None:
    state = at(_quiet(marker={0: 4}, die_tokens={2: 6}, event_tokens={2: 6}), 0, 34)
    state = square(state, 5, "corner", "goalmouth_scramble")
    events = story(state, 0, Roll(), 3, 4, 1)
    assert events.index("match_started") < events.index("arrived")
    assert do(state, 0, Roll(), 3, 4, 1).players[0].marker == 1


@rule("GG-156")
def test_a_forward_move_of_a_card_ends_the_match_too() -> None:
    state = square(deck(at(_quiet(), 0, 27), "F28"), 34, "event", "football")
    state = do(state, 0, Roll(), 3, 4, 1)
    assert (state.players[0].matches, state.square_of(0)) == (2, 1)


@rule("GG-157")
def test_a_backward_move_never_ends_a_match() -> None:
    state = square(deck(at(_quiet(), 0, 31).with_player(0, matches=2, walked=67), "N14"), 2, "event", "non_football")
    state = do(state.with_player(0, walked=36 * 2 - 5, matches=1), 0, Roll(), 3, 4, 1)
    assert (state.players[0].matches, state.square_of(0)) == (2, 35)
    again = do(replace(state, turn=0, stage="before", stack=()), 0, Roll(), 1, 3)
    assert (again.players[0].matches, again.square_of(0)) == (2, 3)


@rule("GG-158")
def test_stopping_on_the_whistle_has_no_further_effect() -> None:
    state = do(at(_quiet(), 0, 30), 0, Roll(), 2, 4, 1)
    assert (state.square_of(0), state.players[0].matches, question(state, 0)) == (0, 2, "free")


@rule("GG-159")
def test_the_last_roll_is_the_one_that_was_used() -> None:
    state = do(at(table(die_tokens={0: 1}), 0, 2), 0, Roll(), 1, 1)
    assert told(state, 0, Reroll("die_token"), 3, 4)["received"].amount == 700_000


@rule("GG-301", "GG-320")
def test_passing_the_whistle_goes_through_all_steps() -> None:
    state = do(at(table(), 0, 33), 0, Roll(), 3, 4)
    assert question(state, 0) == "goal_actions"
    state = do(state, 0, BuyGoalActions(0), 1)
    assert question(state, 0) == "tokens"
    assert refused(state, 0, BuyGoalActions(0))
    state = do(state, 0, BuyTokens(()))
    assert question(state, 0) == "purchase"
    assert cash(do(state, 0, GiveUp()))[0] == 10_700_000
