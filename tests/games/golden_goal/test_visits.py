"""Visits, suspended tiles, cup bonus and the cards that change a visit: GG-231 to GG-240, GG-411 to GG-418, GG-521 to GG-528, GG-593 to GG-596."""

import pytest
from msgspec.structs import replace

from services.golden_goal.commands import BuyGoalActions, BuyTokens, HoldBack, LeaveColour, Roll, SellTile, TurnGreen, UseCard
from services.golden_goal.game import GAME
from services.golden_goal.goods_state import value_of
from tests.games.golden_goal.tables import (
    GREEN,
    ITALY,
    RED,
    YELLOW,
    asked,
    at,
    cups,
    do,
    kept,
    landing,
    markers,
    modified,
    offered,
    question,
    refused,
    rolls,
    story,
    table,
)
from tests.ledger import rule

MIDFIELD, DEFENCE, OWN_GOALS = 29, 28, 2  # squares of Italy; its midfield tile counts 2


def _visit(state, index=MIDFIELD, *faces):
    """Seat 0 comes to Italy."""
    return rolls(landing(state, index), 3, 4, *faces)


def _owned(**changes):
    return table(tiles={1: ("italy_midfield",)}, **changes)


def _with_cups(**held):
    return cups(table(tiles={1: ITALY}), **held)


@rule("GG-231", "GG-234")
def test_the_visitor_loses_and_the_owner_gains() -> None:
    assert markers(_visit(_owned(marker={0: -1, 1: 3}))) == [-3, 5, 0]


@rule("GG-232", "GG-233")
def test_a_marker_stops_at_the_end_of_the_track() -> None:
    assert markers(_visit(_owned(marker={0: -9, 1: 3}))) == [-10, 5, 0]
    assert markers(_visit(_owned(marker={0: 0, 1: 9}))) == [-2, 10, 0]


@rule("GG-235", "GG-352")
@pytest.mark.parametrize(
    ("tiles", "attack", "value"),
    [
        (("italy_attack",), 0, 3),
        (ITALY, 0, 4),
        (ITALY, -1, 3),
        (("italy_attack",), -1, 2),
        (("italy_attack",), -5, 0),
    ],
)
def test_the_value_of_a_visit(tiles, attack, value) -> None:
    assert value_of(modified(table(tiles={1: tiles}), 1, attack=attack), "italy_attack", 1) == value


@rule("GG-236")
def test_the_visitors_modifier_changes_its_own_loss_only() -> None:
    assert markers(_visit(modified(_owned(), 0, visit=1))) == [-3, 2, 0]
    assert markers(_visit(modified(_owned(), 0, visit=-3))) == [0, 2, 0]


@rule("GG-236")
def test_a_value_of_0_moves_nobody() -> None:
    assert markers(_visit(modified(modified(_owned(), 1, midfield=-2), 0, visit=1))) == [0, 0, 0]


@rule("GG-237", "GG-521")
def test_a_visit_to_a_suspended_tile_moves_nothing_and_asks_nothing() -> None:
    state = replace(kept(_with_cups(gold=(1, "italy")), 0, "F29"), suspended=("italy_midfield",))
    state = _visit(state)
    assert (markers(state), question(state, 0)) == ([0, 0, 0], "free")


@rule("GG-238")
def test_the_bonus_comes_after_the_visits_own_movement() -> None:
    events = story(landing(_with_cups(gold=(1, "italy")), MIDFIELD), 0, Roll(), 3, 4, GREEN)
    assert events.index("marker_moved") < events.index("bonus_counted")


@rule("GG-239")
def test_a_visit_counts_in_the_current_match_of_each() -> None:
    state = _visit(_owned().with_player(1, walked=36 * 4 + 30, matches=4))
    assert markers(state) == [-2, 2, 0]


@rule("GG-240", "GG-438")
def test_markers_and_tokens_are_public() -> None:
    view = GAME.look(table(marker={1: 4}, die_tokens={1: 2}), None)
    assert (view.seats[1].marker, view.seats[1].die_tokens) == (4, 2)


@rule("GG-411", "GG-412")
@pytest.mark.parametrize(("face", "bonus"), [(GREEN, 2), (YELLOW, 1), (RED, 0)])
def test_the_cup_bonus_by_colour(face, bonus) -> None:
    assert markers(_visit(_with_cups(gold=(1, "italy")), MIDFIELD, face)) == [-3, 3 + bonus, 0]


@rule("GG-413", "GG-393", "GG-415")
def test_each_further_cup_adds_one_and_there_is_one_roll() -> None:
    state = _with_cups(bronze=(1, "italy"), silver=(1, "italy"), gold=(1, "italy"))
    assert markers(_visit(state, DEFENCE, YELLOW)) == [-3, 3 + 1 + 2, 0]
    assert story(landing(state, DEFENCE), 0, Roll(), 3, 4, YELLOW).count("outcome_rolled") == 1


@rule("GG-414")
def test_the_visitor_loses_nothing_by_the_bonus() -> None:
    assert markers(_visit(_with_cups(gold=(1, "italy")), MIDFIELD, GREEN))[0] == -3


@rule("GG-416")
def test_no_bonus_on_an_own_square() -> None:
    state = cups(table(tiles={0: ITALY}), gold=(0, "italy"))
    assert markers(_visit(state)) == [0, 0, 0]


@rule("GG-417")
@pytest.mark.parametrize("index", [28, 29, 31])
def test_the_bonus_covers_all_three_squares(index) -> None:
    assert "bonus_counted" in story(landing(_with_cups(gold=(1, "italy")), index), 0, Roll(), 3, 4, GREEN)


@rule("GG-417")
def test_a_cup_on_another_team_gives_nothing_here() -> None:
    from tests.games.golden_goal.tables import SPAIN

    state = cups(table(tiles={1: ITALY + SPAIN}), gold=(1, "spain"))
    assert "bonus_counted" not in story(landing(state, MIDFIELD), 0, Roll(), 3, 4)


@rule("GG-418")
def test_the_holder_may_turn_the_bonus_green() -> None:
    state = _visit(_with_cups(gold=(1, "italy")).with_player(1, die_tokens=1), MIDFIELD, RED)
    assert (asked(state), markers(state)) == ([1], [-3, 3, 0])
    assert markers(do(state, 1, TurnGreen("die_token"))) == [-3, 5, 0]
    assert markers(do(state, 1, LeaveColour())) == [-3, 3, 0]


@rule("GG-485")
def test_a_visited_tile_cannot_be_sold() -> None:
    state = _visit(kept(_owned(), 1, "F04"))
    assert question(state, 1) == "double"
    assert refused(state, 1, SellTile("italy_midfield"))


@rule("GG-593")
def test_star_on_the_bench_doubles_gain_and_loss() -> None:
    state = _visit(kept(_owned(), 1, "F04"))
    used = do(state, 1, UseCard("F04"))
    assert (markers(used), used.players[1].kept, used.football.known) == ([-4, 4, 0], (), ("F04",))
    assert markers(do(state, 1, HoldBack())) == [-2, 2, 0]


@rule("GG-593")
def test_the_bonus_is_not_doubled() -> None:
    state = _visit(kept(_with_cups(gold=(1, "italy")), 1, "F04"))
    assert markers(do(state, 1, UseCard("F04"), GREEN)) == [-6, 8, 0]


@rule("GG-594")
def test_offside_trap_voids_the_visit_with_its_bonus() -> None:
    state = _visit(kept(_with_cups(gold=(1, "italy")), 0, "F29"))
    assert question(state, 0) == "offside"
    assert markers(do(state, 0, UseCard("F29"))) == [0, 0, 0]
    assert markers(do(state, 0, HoldBack(), GREEN)) == [-3, 5, 0]


@rule("GG-596")
def test_the_visitor_decides_first() -> None:
    state = _visit(kept(kept(_owned(), 1, "F04"), 0, "F29"))
    assert asked(state) == [0]
    assert asked(do(state, 0, HoldBack())) == [1]
    assert offered(do(state, 0, UseCard("F29")), 1) == ["sell_tile"]


@rule("GG-522", "GG-332")
def test_a_suspension_ends_with_the_match_of_the_tiles_owner() -> None:
    state = replace(table(tiles={0: ("italy_attack",), 1: ("brazil_attack",)}), suspended=("brazil_attack", "italy_attack"))
    assert _whistle(state).suspended == ("brazil_attack",)


@rule("GG-524", "GG-333")
def test_penalties_end_with_the_players_own_match() -> None:
    state = modified(modified(table(), 0, attack=-1), 1, attack=-1)
    state = _whistle(state)
    assert [player.modifiers.attack for player in state.players] == [0, -1, 0]


def _whistle(state):
    state = rolls(at(state, 0, 30), 2, 4)
    return do(do(state, 0, BuyGoalActions(0), GREEN), 0, BuyTokens(()))


@rule("GG-526")
def test_a_suspended_tile_can_be_sold_and_counts_for_its_team() -> None:
    state = replace(table(tiles={0: ITALY}), suspended=("italy_attack",))
    assert state.teams_of(0) == ("italy",)
    assert not refused(state, 0, SellTile("italy_attack"))


@rule("GG-527")
def test_suspensions_and_penalties_are_public() -> None:
    view = GAME.look(replace(modified(table(tiles={1: ITALY}), 1, visit=1), suspended=("italy_attack",)), None)
    assert view.squares[31].suspended
    assert (view.seats[1].modifiers.visit, view.seats[1].matches) == (1, 0)
