"""One test for each effect of an event card: GG-551 to GG-577, GG-523, GG-525, GG-528."""

import pytest
from msgspec.structs import replace

from services.golden_goal.commands import (
    BuyScouted,
    ChooseTarget,
    ChooseTile,
    DeclineScouted,
    PassDice,
    TakeBranch,
    TurnGreen,
)
from services.golden_goal.content.effects import Goal, PayEach
from services.golden_goal.game import GAME
from services.golden_goal.rules.effects import carry_out
from services.golden_goal.rules.targets import targets
from services.golden_goal.state import Card, Part
from shared.kernel.game import Table
from tests.games.golden_goal.tables import (
    GREEN,
    ITALY,
    MILLION,
    RED,
    SPAIN,
    YELLOW,
    all_do,
    asked,
    cash,
    cups,
    deck,
    do,
    gone,
    landing,
    markers,
    modified,
    offered,
    owner,
    points,
    question,
    refused,
    rolls,
    table,
)
from tests.ledger import rule


def _draws(name, state=None, *faces):
    """Seat 0 draws this card."""
    place = 12 if name[0] == "F" else 16
    return rolls(landing(deck(state or table(), name), place), 3, 4, *faces)


@rule("GG-551")
def test_goal_moves_the_marker_within_the_track() -> None:
    assert markers(_draws("F01"))[0] == 3
    assert markers(_draws("F03", table(marker={0: -9})))[0] == -10


@rule("GG-552")
def test_steal_moves_both() -> None:
    assert markers(do(_draws("F19"), 0, ChooseTarget(2))) == [2, 0, -2]


@rule("GG-553")
@pytest.mark.parametrize(("before", "after"), [(3, 2), (0, 0), (-4, -3)])
def test_settle_moves_towards_0(before, after) -> None:
    assert markers(_draws("F27", table(marker={1: before})))[1] == after


@rule("GG-554")
def test_cash_is_paid_from_and_to_the_bank() -> None:
    assert cash(_draws("N01"))[0] == 11 * MILLION
    assert cash(_draws("N06"))[0] == 9_500_000


@rule("GG-555")
def test_cash_per_tile_role_team_and_cup() -> None:
    rich = cups(table(tiles={0: (*ITALY, "spain_attack")}), gold=(0, "italy"), bronze=(0, "italy"))
    received = {name: cash(_draws(name, rich))[0] - 10 * MILLION for name in ("N03", "N04", "N09", "N10")}
    assert received == {"N03": 600_000, "N04": -400_000, "N09": 500_000, "N10": 800_000}


@rule("GG-556")
def test_a_percentage_is_rounded_down() -> None:
    assert cash(_draws("N05", table(cash={0: 4_900_000})))[0] == 4_500_000


@rule("GG-557")
def test_collect_and_pay_each() -> None:
    assert cash(_draws("N07")) == [10_400_000, 9_800_000, 9_800_000]
    assert cash(_draws("N08")) == [9_800_000, 10_100_000, 10_100_000]


@rule("GG-558")
def test_points_are_never_below_0() -> None:
    assert points(_draws("F25", table(points={0: 1}))) == [0, 0, 0]
    assert points(_draws("F26", table(points={0: 2, 1: 1}))) == [2, 1, 1]


@rule("GG-559")
def test_move_resolves_the_square_of_arrival() -> None:
    state = _draws("F28", table(tiles={1: ("uruguay_midfield",)}))
    assert (state.square_of(0), markers(state)) == (15, [-2, 2, 0])
    assert _draws("N14").square_of(0) == 13


@rule("GG-560")
def test_move_to_goes_forward_to_the_corner() -> None:
    state = do(_draws("N15", table(marker={0: 1}, cash={0: 0})), 0, TakeBranch("a"), GREEN)
    assert (state.square_of(0), state.players[0].walked - landing(table(), 16).players[0].walked) == (9, 36)


@rule("GG-561")
def test_the_strongest_tile_is_suspended() -> None:
    assert _draws("F07", table(tiles={0: ("italy_attack", "spain_defence")})).suspended == ("italy_attack",)


@rule("GG-561")
def test_the_owner_decides_a_tie_of_the_strongest() -> None:
    state = _draws("F07", table(tiles={0: ("italy_attack", "brazil_attack", "spain_defence")}))
    assert question(state, 0) == "pick"
    assert refused(state, 0, ChooseTile("spain_defence"))
    assert do(state, 0, ChooseTile("brazil_attack")).suspended == ("brazil_attack",)


@rule("GG-561")
def test_a_random_tile_is_suspended() -> None:
    state = table(tiles={0: ("italy_attack", "spain_defence")})
    assert {_draws("F08", state, lot).suspended for lot in (0, 1)} == {("italy_attack",), ("spain_defence",)}


@rule("GG-561", "GG-576")
def test_the_drawer_chooses_an_opponent_and_a_tile() -> None:
    state = _draws("F09", table(4, tiles={0: ("france_attack",), 1: ITALY, 2: ("spain_attack",)}))
    assert (question(state, 0), refused(state, 0, ChooseTarget(3)), refused(state, 0, ChooseTarget(0))) == (
        "card_target",
        True,
        True,
    )
    state = do(state, 0, ChooseTarget(1))
    assert question(state, 0) == "card_tile"
    assert do(state, 0, ChooseTile("italy_defence")).suspended == ("italy_defence",)


@rule("GG-561", "GG-576")
def test_the_only_opponent_with_a_free_tile_is_not_asked_for() -> None:
    state = _draws("F09", table(tiles={2: ITALY}))
    assert question(state, 0) == "card_tile"
    assert do(state, 0, ChooseTile("italy_attack")).suspended == ("italy_attack",)
    assert question(_draws("F09"), 0) == "free"


@rule("GG-561", "GG-255")
def test_each_owner_with_enough_tiles_picks_when_its_turn_comes() -> None:
    state = _draws("F10", table(tiles={0: ("france_attack",), 1: ITALY, 2: SPAIN}))
    assert asked(state) == [1]
    state = do(state, 1, ChooseTile("italy_attack"))
    assert asked(state) == [2]
    assert do(state, 2, ChooseTile("spain_attack")).suspended == ("italy_attack", "spain_attack")


@rule("GG-523")
def test_a_suspended_tile_is_not_suspended_again_and_the_fallback_applies() -> None:
    state = _draws("F07", replace(table(tiles={0: ("italy_attack",)}), suspended=("italy_attack",)))
    assert (markers(state)[0], state.suspended) == (-1, ("italy_attack",))


@rule("GG-562")
def test_role_mod_changes_all_tiles_of_a_role_or_of_all() -> None:
    assert _draws("F11").players[0].modifiers.attack == 1
    flu = _draws("N13").players[0].modifiers
    assert (flu.defence, flu.midfield, flu.attack) == (-1, -1, -1)


@rule("GG-525")
def test_modifiers_of_a_kind_add_up() -> None:
    assert _draws("F11", modified(table(), 0, attack=1)).players[0].modifiers.attack == 2


@rule("GG-563")
def test_visit_mod_changes_the_loss_on_visits() -> None:
    assert [_draws(name).players[0].modifiers.visit for name in ("F17", "F18")] == [-1, 1]


@rule("GG-564")
def test_result_mod_shifts_the_next_result() -> None:
    assert [_draws(name).players[0].modifiers.result for name in ("F21", "F22")] == [2, -2]


@rule("GG-565")
def test_takings_mod_changes_the_next_income() -> None:
    changed = [_draws(name).players[0].modifiers for name in ("N20", "N21")]
    assert [(one.takings, one.halved) for one in changed] == [(5, 0), (0, 1)]


@rule("GG-566")
def test_bans_of_tiles_and_of_tokens() -> None:
    assert _draws("N11").players[0].modifiers.buying_ban
    assert _draws("F23").players[0].modifiers.token_ban


@rule("GG-567")
def test_a_missed_turn_is_skipped_but_reacting_goes_on() -> None:
    state = _draws("N17", table(tiles={0: ITALY}))
    state = do(state, 0, PassDice())
    for seat in (1, 2):
        state = do(replace(state.with_player(seat, walked=0), stage="after"), seat, PassDice())
    assert (state.turn, offered(state, 0)) == (1, ["sell_tile"])


@rule("GG-528")
def test_a_missed_turn_lapses_at_the_whistle() -> None:
    from services.golden_goal.commands import BuyGoalActions, BuyTokens
    from tests.games.golden_goal.tables import at

    state = do(rolls(at(modified(table(), 0, missing=1), 0, 30), 2, 4), 0, BuyGoalActions(0), GREEN)
    assert do(state, 0, BuyTokens(())).players[0].modifiers.missing == 0


@rule("GG-568", "GG-436")
def test_a_token_comes_from_the_supply_or_as_money() -> None:
    assert do(_draws("N22"), 0, TakeBranch("b")).players[0].event_tokens == 1
    empty = _draws("N22", table(event_tokens={1: 6}))
    assert cash(do(empty, 0, TakeBranch("b")))[0] == 10_500_000


@rule("GG-570")
@pytest.mark.parametrize(("language", "token"), [("en", "die token"), ("it", "gettone bonus dado")])
def test_the_token_of_a_branch_has_its_name_in_every_language(language, token) -> None:
    (choice,) = [choice for choice in GAME.legal(_draws("N22"), 0) if choice.do is TakeBranch]
    assert token in [GAME.words[language].say(member.label) for member in choice.fields["branch"].of][1]


@rule("GG-569")
@pytest.mark.parametrize(("face", "marker"), [(GREEN, 3), (YELLOW, 1), (RED, 0)])
def test_roll_applies_the_branch_of_the_colour(face, marker) -> None:
    assert markers(_draws("F05", None, face))[0] == marker


@rule("GG-569")
def test_the_roll_may_be_turned_green() -> None:
    state = _draws("F05", table(die_tokens={0: 1}), RED)
    assert markers(do(state, 0, TurnGreen("die_token")))[0] == 3


@rule("GG-570")
def test_choose_lets_the_drawer_choose_what_can_be_paid() -> None:
    assert markers(do(_draws("N19"), 0, TakeBranch("a")))[0] == 2
    assert cash(do(_draws("N19"), 0, TakeBranch("b")))[0] == 10 * MILLION
    assert refused(_draws("N19", table(cash={0: 400_000})), 0, TakeBranch("a"))


@rule("GG-571")
def test_if_applies_one_branch_by_a_public_test() -> None:
    assert points(_draws("F24"))[0] == 1
    suspended = replace(table(tiles={0: ITALY}), suspended=("italy_attack",))
    assert (points(_draws("F24", suspended))[0], markers(_draws("F24", suspended))[0]) == (0, 1)
    assert cash(_draws("N09"))[0] == 10_300_000


@rule("GG-572")
def test_an_unowned_tile_is_auctioned_the_drawer_first() -> None:
    state = _draws("N24", None, 0)
    assert (state.stack[-1].item, state.stack[-1].opening, asked(state)) == ("spain_defence", 500_000, [0])
    owned = tuple(tile for tile in state.board.tiles)
    assert question(_draws("N24", table(tiles={0: owned})), 0) == "free"


@rule("GG-573")
def test_the_drawer_may_buy_any_unowned_tile() -> None:
    state = _draws("N12", table(tiles={1: ("germany_defence", "germany_midfield")}))
    bought = do(state, 0, BuyScouted("germany_attack"))
    assert (owner(bought, "germany_attack"), cash(bought)[0]) == (0, 7 * MILLION)
    assert refused(state, 0, BuyScouted("germany_defence"))
    assert cash(do(state, 0, DeclineScouted()))[0] == 10 * MILLION


@rule("GG-575")
def test_top_and_bottom_name_all_who_are_level_there() -> None:
    assert points(_draws("F25", table(points={0: 4, 1: 4, 2: 1}))) == [3, 3, 1]
    assert points(_draws("F25")) == [0, 0, 0]


@rule("GG-576")
def test_the_highest_marker_is_hit_and_a_tie_is_decided_by_the_drawer() -> None:
    assert markers(_draws("F20", table(marker={1: 2, 2: 3}))) == [1, 2, 2]
    tied = _draws("F20", table(marker={1: 3, 2: 3}))
    assert question(tied, 0) == "card_target"
    assert markers(do(tied, 0, ChooseTarget(1))) == [1, 2, 3]


@rule("GG-577")
@pytest.mark.parametrize(
    ("who", "seats"), [("drawer", (1,)), ("all", (1, 2, 3, 0)), ("others", (2, 3, 0)), ("next", (2,)), ("previous", (0,))]
)
def test_whom_a_target_means(who, seats) -> None:
    state = replace(table(4), turn=1)
    assert targets(state, Card("F01"), Goal(who=who, n=1)) == seats


@rule("GG-577", "GG-504")
def test_who_has_left_is_no_target() -> None:
    state = gone(table(4), 2)
    state = state.with_player(2, left=True, cash=0)
    at = Table(state)
    carry_out(at, PayEach(n=1), Part(0, 0))
    assert cash(at.state) == [9_800_000, 10_100_000, 0, 10_100_000]


@rule("GG-631")
def test_the_clock_chooses_for_the_drawer() -> None:
    state = table(tiles={1: ITALY, 2: SPAIN}, points={2: 4})
    target = GAME.default(_draws("F09", state), 0)
    assert target == ChooseTarget(2)
    assert GAME.default(do(_draws("F09", state), 0, target), 0) == ChooseTile("spain_attack")
    assert GAME.default(
        all_do(
            _draws("N15"),
        ),
        0,
    ) == TakeBranch("b")
    assert GAME.default(_draws("N22"), 0) == TakeBranch("a")
