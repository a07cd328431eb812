"""End and start of match: GG-301 to GG-336; bonus tokens: GG-431 to GG-438."""

import msgspec
import pytest
from msgspec.structs import replace

from services.golden_goal import content
from services.golden_goal.commands import BuyGoalActions, BuyTokens, LeaveColour, SellTile, SellToken, TurnGreen
from services.golden_goal.content.shapes import checked
from services.golden_goal.game import GAME
from shared.kernel.content import Pack, PackError
from tests.games.golden_goal.tables import (
    GREEN,
    ITALY,
    MILLION,
    RED,
    SPAIN,
    YELLOW,
    asked,
    at,
    cash,
    cups,
    do,
    kept,
    markers,
    modified,
    offered,
    points,
    question,
    refused,
    rolls,
    story,
    table,
    told,
)
from tests.ledger import rule


def _whistle(state):
    """Seat 0 stops on the whistle."""
    return rolls(at(state, 0, 30), 2, 4)


def _result(state, face, bought=0):
    return do(_whistle(state), 0, BuyGoalActions(bought), face)


@rule("GG-302")
def test_step_1_sells_up_to_three_goal_actions() -> None:
    state = _whistle(table())
    assert refused(state, 0, BuyGoalActions(4))
    assert told(state, 0, BuyGoalActions(3), GREEN)["result_read"].number == 3
    assert cash(do(state, 0, BuyGoalActions(3), GREEN))[0] == 8 * MILLION


@rule("GG-303")
def test_who_buys_there_buys_no_tokens() -> None:
    assert question(_result(table(), GREEN, 1), 0) == "free"
    assert question(_result(table(), GREEN, 0), 0) == "tokens"


@rule("GG-304")
def test_step_1_is_limited_by_cash_and_track() -> None:
    assert refused(_whistle(table(cash={0: 1_900_000})), 0, BuyGoalActions(2))
    assert refused(_whistle(table(marker={0: 9})), 0, BuyGoalActions(2))
    assert question(rolls(at(table(marker={0: 10}), 0, 30), 2, 4, GREEN), 0) == "tokens"


@rule("GG-305")
def test_three_faces_are_green_two_yellow_one_red() -> None:
    state = _whistle(table())
    faces = [told(state, 0, BuyGoalActions(0), face)["outcome_rolled"].face for face in range(1, 7)]
    assert faces == ["green", "green", "green", "yellow", "yellow", "red"]


@rule("GG-306", "GG-307", "GG-311")
@pytest.mark.parametrize(
    ("marker", "face", "result", "gained"),
    [
        (-8, GREEN, "loss", 0),
        (-7, GREEN, "draw", 1),
        (0, GREEN, "draw", 1),
        (1, GREEN, "win", 3),
        (-3, YELLOW, "loss", 0),
        (-2, YELLOW, "draw", 1),
        (4, YELLOW, "draw", 1),
        (5, YELLOW, "win", 3),
        (2, RED, "loss", 0),
        (3, RED, "draw", 1),
        (8, RED, "draw", 1),
        (9, RED, "win", 3),
    ],
)
def test_column_and_colour_give_the_result(marker, face, result, gained) -> None:
    read = told(_whistle(table(marker={0: marker})), 0, BuyGoalActions(0), face)["result_read"]
    assert (read.result, read.points) == (result, gained)


@rule("GG-308")
@pytest.mark.parametrize(("column", "colour", "box"), [(10, "red", "win"), (15, "green", "loss")])
def test_a_table_where_green_could_hurt_is_refused(column, colour, box) -> None:
    results = content.BASE.results
    columns = list(results.columns)
    columns[column] = replace(columns[column], **{colour: box})
    with pytest.raises(PackError, match="worse"):
        checked(Pack(replace(content.BASE, results=replace(results, columns=tuple(columns))), ""))


@rule("GG-309", "GG-431")
def test_a_token_turns_the_result_green() -> None:
    state = _result(table(marker={0: 5}, die_tokens={0: 1}), RED)
    assert (question(state, 0), offered(state, 0)) == ("green", ["leave_colour", "turn_green", "sell_token"])
    assert points(do(state, 0, TurnGreen("die_token")))[0] == 3
    assert points(do(state, 0, LeaveColour()))[0] == 1


@rule("GG-310")
@pytest.mark.parametrize(("marker", "shift", "number"), [(0, 2, 2), (0, -2, -2), (9, 2, 10), (-10, -2, -10)])
def test_a_modifier_shifts_the_number_that_is_read(marker, shift, number) -> None:
    state = modified(table(marker={0: marker}), 0, result=shift)
    assert told(_whistle(state), 0, BuyGoalActions(0), GREEN)["result_read"].number == number


@rule("GG-312")
@pytest.mark.parametrize(("marker", "face", "income"), [(1, GREEN, 1_000_000), (0, GREEN, 700_000), (0, RED, 500_000)])
def test_income_by_result(marker, face, income) -> None:
    assert cash(_result(table(marker={0: marker}), face))[0] == 10 * MILLION + income


@rule("GG-313")
@pytest.mark.parametrize(
    ("takings", "halved", "income"), [(5, 0, 1_500_000), (5, 1, 700_000), (0, 1, 500_000), (-10, 0, 0), (5, 2, 300_000)]
)
def test_additions_come_before_halving(takings, halved, income) -> None:
    state = modified(table(marker={0: 1}), 0, takings=takings, halved=halved)
    assert told(_whistle(state), 0, BuyGoalActions(0), GREEN)["takings_due"].amount == income


@rule("GG-314", "GG-371")
def test_cups_are_claimed_at_step_4() -> None:
    events = story(_whistle(table(tiles={0: ITALY}, marker={0: 1})), 0, BuyGoalActions(0), GREEN)
    assert events.index("takings_due") < events.index("cup_won") < events.index("cup_income_due")


@rule("GG-315")
@pytest.mark.parametrize(("held", "income"), [(1, 400_000), (2, 700_000), (3, 900_000), (4, 1_000_000)])
def test_income_of_cups(held, income) -> None:
    names = ("bronze", "silver", "gold", "diamond")[:held]
    state = cups(table(tiles={0: ITALY}), **dict.fromkeys(names, (0, "italy")))
    assert told(_whistle(state), 0, BuyGoalActions(0), GREEN)["cup_income_due"].amount == income


@rule("GG-315")
def test_a_cup_just_won_counts() -> None:
    state = _whistle(table(tiles={0: ITALY}, marker={0: 1}))
    assert told(state, 0, BuyGoalActions(0), GREEN)["cup_income_due"].cups == 1


@rule("GG-316", "GG-317")
def test_one_token_of_each_kind() -> None:
    state = do(_result(table(), GREEN), 0, BuyTokens(("die_token", "event_token")))
    player = state.players[0]
    assert (player.die_tokens, player.event_tokens, player.cash) == (1, 1, 8_700_000)


@rule("GG-317")
def test_no_second_token_of_a_kind() -> None:
    assert refused(_result(table(), GREEN), 0, BuyTokens(("die_token", "die_token")))


@rule("GG-318")
def test_income_can_be_spent_on_tokens_but_not_on_goal_actions() -> None:
    state = table(cash={0: 900_000}, marker={0: 1})
    assert question(rolls(at(state, 0, 30), 2, 4, GREEN), 0) == "tokens"


@rule("GG-319")
def test_result_colour_and_purchases_are_public() -> None:
    state = _whistle(table())
    for event in told(state, 0, BuyGoalActions(2), GREEN).values():
        assert event.seen_by(None) == event


@rule("GG-320")
def test_a_declined_step_does_not_come_back() -> None:
    state = _result(table(), GREEN)
    assert refused(state, 0, BuyGoalActions(1))
    assert refused(do(state, 0, BuyTokens(())), 0, BuyTokens(("die_token",)))


@rule("GG-321")
def test_sales_are_possible_in_between() -> None:
    state = _whistle(table(cash={0: 0}, tiles={0: ("italy_attack",)}))
    assert refused(state, 0, BuyGoalActions(1))
    assert not refused(do(state, 0, SellTile("italy_attack")), 0, BuyGoalActions(1))


@rule("GG-331")
def test_the_marker_returns_to_0() -> None:
    assert markers(do(_result(table(marker={0: 6}), GREEN), 0, BuyTokens(())))[0] == 0


@rule("GG-332")
def test_suspensions_penalties_and_bonuses_end() -> None:
    state = replace(modified(table(tiles={0: SPAIN}), 0, attack=2, buying_ban=True, missing=1), suspended=("spain_attack",))
    state = do(_result(state, GREEN), 0, BuyTokens(()))
    assert (state.suspended, state.players[0].modifiers) == ((), modified(table(), 0).players[0].modifiers)


@rule("GG-335")
def test_then_the_turn_goes_on() -> None:
    state = do(_result(table(tiles={0: SPAIN}), GREEN), 0, BuyTokens(()))
    assert {"pass_dice", "propose_deal", "auction_off"} <= set(offered(state, 0))


@rule("GG-336")
def test_the_counter_of_matches_rises() -> None:
    assert _result(table(), GREEN).players[0].matches == 2


@rule("GG-432")
def test_nobody_turns_another_players_roll() -> None:
    state = _result(table(marker={0: 5}, die_tokens={1: 1}), RED)
    assert (asked(state), question(state, 0)) == ([0], "tokens")


@rule("GG-434")
def test_six_of_each_kind_and_no_limit_for_a_player() -> None:
    state = _result(table(die_tokens={0: 5}), GREEN)
    state = do(state, 0, BuyTokens(("die_token",)))
    assert (state.players[0].die_tokens, state.supply("die")) == (6, 0)


@rule("GG-435")
def test_a_used_token_goes_back_to_the_supply() -> None:
    state = _result(table(die_tokens={0: 1}), RED)
    assert (state.supply("die"), do(state, 0, TurnGreen("die_token")).supply("die")) == (5, 6)


@rule("GG-436")
def test_an_empty_supply_sells_nothing() -> None:
    state = _result(table(die_tokens={1: 6}), GREEN)
    assert refused(state, 0, BuyTokens(("die_token",)))
    assert not refused(state, 0, BuyTokens(("event_token",)))


@rule("GG-437")
def test_a_green_roll_asks_for_no_token() -> None:
    assert question(_result(table(die_tokens={0: 1}), GREEN), 0) == "tokens"


@rule("GG-595", "GG-309")
def test_lucky_boots_turn_a_roll_green() -> None:
    state = do(_result(kept(table(marker={0: 1}), 0, "F30"), RED), 0, TurnGreen("F30"))
    assert (points(state)[0], state.players[0].kept) == (3, ())


@rule("GG-566")
def test_a_ban_holds_at_steps_2_and_6_of_the_match_that_ends_it() -> None:
    state = _result(modified(table(die_tokens={0: 1}), 0, token_ban=True), RED)
    assert (question(state, 0), state.players[0].modifiers.token_ban) == ("free", False)


@rule("GG-437")
def test_selling_the_last_token_ends_the_question() -> None:
    state = do(_result(table(die_tokens={0: 1}), RED), 0, SellToken("die_token"))
    assert question(state, 0) == "tokens"


@rule("GG-617")
def test_the_result_table_is_public() -> None:
    assert len(msgspec.to_builtins(GAME.look(table(), None))["columns"]) == 21
