"""The end of the game, leaving, and playing online: GG-611 to GG-640."""

import msgspec
import pytest
from msgspec.structs import replace

from services.golden_goal import content
from services.golden_goal.commands import BuyGoalActions, BuyTokens, PassDice, Roll, SellTile
from services.golden_goal.game import GAME
from services.golden_goal.rules.cups import change_points
from services.golden_goal.state import Place
from shared.kernel.dice import step_dice
from shared.kernel.game import Table
from shared.kernel.match import begin, is_absent, play_out, random_bot, time_out
from tests.games.golden_goal.tables import (
    GREEN,
    ITALY,
    KEY,
    MILLION,
    SPAIN,
    asked,
    at,
    cash,
    cups,
    do,
    gone,
    kept,
    landing,
    offered,
    owner,
    points,
    question,
    refused,
    rolls,
    story,
    table,
)
from tests.ledger import rule


def _scored(state, seat, by):
    on = Table(state)
    change_points(on, seat, by)
    return on.state


def _passes(state):
    return do(replace(state, stage="after"), state.turn, PassDice())


def _over(state):
    return replace(state, stage="over")


@rule("GG-611")
@pytest.mark.parametrize(("length", "target"), [("short", 10), ("standard", 16), ("long", 24)])
def test_the_target_brings_on_the_last_round(length, target) -> None:
    state = table(3, {"length": length})
    assert not _scored(state, 0, target - 1).last_round
    assert _scored(state, 0, target).last_round


@rule("GG-612")
def test_the_round_is_played_to_its_end() -> None:
    state = _passes(_scored(table(), 0, 16))
    assert (state.turn, GAME.result(state)) == (1, None)
    state = _passes(_passes(state))
    assert GAME.result(state) == {0: 1, 1: 2, 2: 2}


@rule("GG-612")
def test_the_round_ends_before_the_first_player() -> None:
    state = replace(_scored(table(), 0, 16), first=1)
    assert GAME.result(_passes(state)) is not None


@rule("GG-613")
def test_the_end_stays_triggered() -> None:
    assert _scored(_scored(table(), 0, 16), 0, -2).last_round


@rule("GG-614")
def test_the_most_points_win() -> None:
    assert GAME.result(_over(table(points={0: 3, 1: 9, 2: 4}))) == {0: 3, 1: 1, 2: 2}
    assert GAME.score(table(points={1: 9})) == {0: 0, 1: 9, 2: 0}


@rule("GG-615")
def test_ties_are_broken_by_cups_then_teams_then_wealth() -> None:
    level = table(points={0: 17, 1: 17}, tiles={0: ITALY + SPAIN, 1: ("france_attack", "france_defence", "france_midfield")})
    tied = cups(level, gold=(0, "italy"), bronze=(0, "italy"), diamond=(1, "france"))
    assert GAME.result(_over(tied))[0] == 1
    assert GAME.result(_over(cups(level, silver=(0, "italy"), diamond=(1, "france"))))[1] == 1
    assert GAME.result(_over(table(points={0: 5, 1: 5}, cash={1: 10_100_000}))) == {0: 2, 1: 1, 2: 3}


@rule("GG-615")
def test_wealth_counts_half_prices_and_tokens_and_the_rest_is_shared() -> None:
    state = table(tiles={0: ("italy_attack",)}, die_tokens={1: 1}, event_tokens={1: 1}, cash={1: 10_600_000})
    assert [state.wealth_of(seat) for seat in (0, 1)] == [11_600_000, 11_600_000]
    assert GAME.result(_over(state)) == {0: 1, 1: 1, 2: 3}


@rule("GG-616")
def test_the_last_match_there_is_brings_on_the_last_round() -> None:
    state = rolls(at(table(), 0, 30).with_player(0, walked=36 * 19 + 30, matches=19), 2, 4)
    assert do(state, 0, BuyGoalActions(0), GREEN).last_round


@rule("GG-617")
def test_the_final_table_shows_everything() -> None:
    view = GAME.look(_over(cups(table(tiles={0: ITALY}, points={0: 9}), gold=(0, "italy"))), 2)
    first = view.seats[0]
    assert (first.place, first.points, first.cups, first.teams, first.wealth) == (1, 9, ("gold",), ("italy",), 13_800_000)
    assert "Player 1: place 1, wealth 13\u202f800\u202f000." in GAME.text(view, GAME.words["en"]).splitlines()


@rule("GG-618")
def test_matches_in_progress_do_not_count() -> None:
    state = _scored(table(marker={1: 9}), 0, 16)
    state = _passes(_passes(_passes(state)))
    assert (points(state)[1], GAME.result(state) is not None) == (0, True)


@rule("GG-619")
def test_who_left_ranks_behind_all_others() -> None:
    state = gone(gone(table(4, points={1: 9, 2: 5}), 1), 2)
    assert GAME.result(_over(state)) == {0: 1, 1: 3, 2: 3, 3: 1}


@rule("GG-631")
def test_every_needed_question_has_a_clock_and_a_default() -> None:
    asked_names = set(GAME.presets["normal"])
    assert set(GAME.presets) == {"quick", "normal", "relaxed"}
    seconds = {"roll": 45, "reroll": 15, "bid": 20, "purchase": 30, "free": 60, "react": 15, "offside": 10, "answer": 30}
    assert {name: GAME.presets["normal"][name] for name in seconds} == seconds
    assert "market" not in asked_names


@rule("GG-632")
def test_three_missed_clocks_in_a_row_make_a_player_absent() -> None:
    match, _ = begin(GAME, 2, GAME.read_options({}), step_dice(KEY, 1))
    seat = match.state.turn
    for number in range(3):
        assert not is_absent(GAME, match, seat)
        while seat not in match.awaited():
            match, _ = time_out(GAME, match, match.awaited()[0], step_dice(KEY, match.step + 9))
        match, _ = time_out(GAME, match, seat, step_dice(KEY, 50 + number))
    assert is_absent(GAME, match, seat)


@rule("GG-633")
def test_a_leaver_is_played_by_defaults_until_the_turn_is_over() -> None:
    state = gone(table(tiles={0: ITALY}), 0)
    assert (asked(state), GAME.default(state, 0), owner(state, "italy_attack")) == ([0], Roll(), 0)


@rule("GG-633")
def test_then_everything_goes_back_and_the_seat_is_skipped() -> None:
    state = kept(cups(table(4, tiles={1: ITALY}, die_tokens={1: 2}), gold=(1, "italy")), 1, "F30")
    state = _passes(gone(state, 1))
    assert (state.turn, owner(state, "italy_attack"), state.supply("die"), state.cups["gold"].holder) == (2, None, 6, -1)
    assert (cash(state)[1], state.football.known, GAME.look(state, None).seats[1].left) == (0, ("F30",), True)


@rule("GG-633", "GG-139")
def test_anybody_may_leave_in_another_players_turn() -> None:
    state = gone(rolls(landing(table(4), 6), 3, 4), 3)
    assert (question(state, 0), offered(state, 3)) == ("purchase", [])


@rule("GG-634")
def test_the_last_one_left_wins_at_once() -> None:
    state = gone(gone(table(points={0: 9}), 0), 1)
    assert GAME.result(state) == {0: 2, 1: 2, 2: 1}


@rule("GG-634", "GG-391")
def test_a_cup_that_was_being_placed_counts_for_the_last_one_left() -> None:
    state = replace(cups(table(2, tiles={0: (*ITALY, *SPAIN)}), gold=(0, "")), stack=(Place(0, "gold"),))
    over = gone(state, 1)
    assert (GAME.result(over), over.cups_of(0), GAME.sound(over)) == ({0: 1, 1: 2}, ("gold",), [])


@rule("GG-635")
def test_cash_is_public_unless_the_table_hides_it() -> None:
    assert [seat.cash for seat in GAME.look(table(), 1).seats] == [10 * MILLION] * 3
    hidden = table(3, {"hidden_cash": True})
    assert [seat.cash for seat in GAME.look(hidden, 1).seats] == [None, 10 * MILLION, None]
    assert [seat.cash for seat in GAME.look(_over(hidden), 1).seats] == [10 * MILLION] * 3


@rule("GG-635")
def test_payments_stay_public() -> None:
    from shared.kernel.match import play
    from tests.games.golden_goal.tables import dice

    state = table(3, {"hidden_cash": True}, tiles={0: ITALY})
    for event in play(GAME, state, 0, SellTile("italy_attack"), dice())[1]:
        assert event.seen_by(2) == event


@rule("GG-637")
def test_there_is_no_solo_mode() -> None:
    assert 1 not in GAME.seats
    assert play_out(GAME, 2, GAME.read_options({"length": "short"}), KEY, [random_bot] * 2).state.stage == "over"


@rule("GG-638")
def test_every_roll_of_the_outcome_die_is_told_with_its_purpose() -> None:
    names = GAME.words["en"].sections["names"]
    assert {"match_result", "cup_bonus", "capital_increase", "card"} <= set(names)
    state = rolls(at(table(), 0, 30), 2, 4)
    assert "outcome_rolled" in story(state, 0, BuyGoalActions(0), GREEN)


@rule("GG-640")
def test_a_sale_waits_for_no_step_and_interrupts_none() -> None:
    state = rolls(landing(table(tiles={1: ITALY}), 6), 3, 4)
    sold = do(state, 1, SellTile("italy_attack"))
    assert (question(sold, 0), sold.stack) == (question(state, 0), state.stack)


@rule("GG-335", "GG-134")
def test_a_turn_from_the_roll_to_the_next_player() -> None:
    state = do(rolls(at(table(), 0, 30), 2, 4), 0, BuyGoalActions(0), GREEN)
    state = do(do(state, 0, BuyTokens(())), 0, PassDice())
    assert (state.turn, state.stage, state.drawn, state.offers) == (1, "before", (), 0)


@rule("GG-636")
def test_nothing_of_the_decks_is_told() -> None:
    state = table()
    shown = msgspec.json.encode([GAME.look(state, 0), *(GAME.legal(state, 0)[0].label.key,)])
    assert not any(f'"{name}"'.encode() in shown for name in content.DECK_OF)


@rule("GG-631")
def test_the_clock_of_a_refused_offer_is_the_partners() -> None:
    from services.golden_goal.commands import ProposeDeal, RefuseDeal

    state = do(table(tiles={0: ITALY}), 0, ProposeDeal({"with": "1", "give": {"italy_attack": 1}, "take": {"money": 20}}))
    assert (asked(state), GAME.default(state, 1)) == ([1], RefuseDeal())
    assert refused(state, 0, PassDice())


@rule("GG-307", "GG-252")
def test_the_text_of_the_table_tells_results_and_cards() -> None:
    state = kept(table(), 1, "F30")
    text = GAME.text(GAME.look(state, 0), GAME.words["en"])
    assert "Outcome die green: draw from -7 on, win from 1 on." in text
    assert "Lucky boots: Keep this card." in text
