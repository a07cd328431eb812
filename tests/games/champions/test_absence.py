"""Clocks, absence and leaving: CH-401 to CH-417."""

import pytest
from msgspec.structs import replace

from services.champions.commands import BeReady, CheckNames, ChooseChampion, MissClock, Vote, WriteName
from services.champions.game import GAME
from services.champions.state import Board, State
from shared.kernel.dice import step_dice
from shared.kernel.game import HOST, Command
from shared.kernel.match import Match, answer, begin, leave, overdue, phase_over, placings, time_out
from tests.games.champions.tables import (
    KEY,
    all_do,
    asked,
    checking,
    clock_out,
    do,
    gone,
    hides,
    missed,
    offered,
    opened,
    predicting,
    refusal,
    talking,
    voting,
)
from tests.ledger import rule

CIRCLE, TRIANGLE = Vote("circle"), Vote("triangle")


def _absent(state: State, *seats: int) -> State:
    return replace(state, missed=tuple(2 if seat in seats else 0 for seat in state.seats()))


@rule("CH-401")
@pytest.mark.parametrize(
    ("preset", "limits"),
    [
        ("quick", (60, 20, 30, 60, 0, 15, 5)),
        ("normal", (90, 30, 45, 120, 30, 20, 8)),
        ("relaxed", (180, 60, 90, 240, 90, 45, 12)),
    ],
)
def test_the_presets(preset: str, limits: tuple[int, ...]) -> None:
    names = ("names", "check", "replacement", "prediction", "discussion", "vote", "reveal")
    assert tuple(GAME.presets[preset][name] for name in names) == limits
    assert GAME.presets["none"] == {}


@rule("CH-401")
@pytest.mark.parametrize(("seats", "times"), [(3, 3), (4, 2), (8, 1)])
def test_the_clock_for_names_counts_the_largest_number_of_tiles(seats: int, times: int) -> None:
    question = GAME.question(opened(seats), 0)
    assert question is not None
    assert (question.limit_name, question.times) == ("names", times)


@rule("CH-401")
def test_every_question_and_phase_has_a_limit() -> None:
    states = (opened(), checking(), predicting(), talking(), voting(), voting(audience="bloc"))
    names = {question.limit_name for state in states if (question := GAME.question(state, 0)) and question.needed}
    names |= {phase.limit_name for state in states if (phase := GAME.phase(state))}
    assert names == {"names", "check", "prediction", "discussion", "vote", "opening"}
    assert names <= set(GAME.presets["normal"])


@rule("CH-402", "CH-406")
def test_talk_does_not_wait_for_those_who_are_absent() -> None:
    state = do(all_do(voting(), CIRCLE, CIRCLE), 2, CIRCLE)
    state = clock_out(_absent(state, 2))
    assert state.stage == "discussion"
    assert all_do(state, BeReady(), BeReady()).stage == "vote"


@rule("CH-402", "CH-406")
def test_with_nobody_there_talk_is_skipped() -> None:
    state = clock_out(_absent(all_do(voting(), CIRCLE, CIRCLE, CIRCLE), 0, 1, 2))
    assert (state.stage, state.duel) == ("vote", 1)


@rule("CH-403", "CH-410")
def test_the_host_sees_nothing_hidden() -> None:
    circle, triangle = (do(voting(), 0, vote) for vote in (CIRCLE, TRIANGLE))
    assert GAME.legal(circle, HOST) == GAME.legal(triangle, HOST)
    assert GAME.look(circle, None) == GAME.look(triangle, None)


def _match(seats: int = 3) -> Match[State]:
    return begin(GAME, seats, GAME.read_options({}), step_dice(KEY, 1))[0]


@rule("CH-403")
def test_a_host_may_close_every_stage_of_a_table_without_clocks() -> None:
    """Closing is time-outs for all who are waited for, and the end of the phase; so a whole match passes without a player."""
    match = _match()
    while GAME.result(match.state) is None:
        dice = step_dice(KEY, match.step + 1)
        awaited = match.awaited()
        match = (time_out(GAME, match, awaited[0], dice) if awaited else phase_over(GAME, match, dice))[0]
    assert GAME.score(match.state) == {0: 0, 1: 0, 2: 0}


@rule("CH-405")
def test_on_return_a_player_sees_what_is_the_players_own() -> None:
    own = GAME.look(do(opened(4), 2, WriteName(1, "Zeus")), 2).own
    assert [tile.name for tile in own.tiles] == ["Zeus", ""]
    assert GAME.look(do(predicting(), 1, ChooseChampion(4)), 1).own.champion == 4
    assert GAME.look(do(voting(), 1, CIRCLE), 1).own.vote == "circle"


@rule("CH-406")
def test_two_missed_clocks_in_a_row_make_absent() -> None:
    state = missed(checking(), 1)
    assert [seat.absent for seat in GAME.look(state, None).seats] == [False, False, False]
    state = missed(replace(predicting(), missed=state.missed), 1)
    assert [seat.absent for seat in GAME.look(state, None).seats] == [False, True, False]


@rule("CH-406")
def test_the_match_gives_the_default_for_an_absent_seat_at_once() -> None:
    match = _match()
    assert GAME.absent_after == 2
    for _ in range(2):
        assert overdue(GAME, match) is None
        match = time_out(GAME, match, 0, step_dice(KEY, match.step + 1))[0]
        stage = match.state.stage
        for seat in (1, 2):
            while match.state.stage == stage and seat in match.awaited():
                match = answer(GAME, match, seat, _answer(match, seat), step_dice(KEY, match.step + 1))[0]
    assert match.state.stage == "prediction"
    assert overdue(GAME, match) == 0


def _answer(match: Match[State], seat: int) -> Command:
    """A name of the sheet; nobody unknown."""
    sample: Command = GAME.legal(match.state, seat)[0].sample(step_dice(KEY, match.step))
    return sample if match.state.stage == "names" else CheckNames((), ())


@rule("CH-406")
def test_whoever_acts_is_there_again() -> None:
    assert do(_absent(talking(), 2), 2, BeReady()).missed == (0, 0, 0)


@rule("CH-406", "CH-404")
def test_an_absent_seat_may_still_act_while_the_others_think() -> None:
    state = missed(_absent(voting(), 2), 2)
    assert asked(state) == [0, 1]
    state = do(state, 2, CIRCLE)
    assert (state.votes[2], state.missed[2]) == ("circle", 0)


@rule("CH-406", "CH-128", "CH-207")
def test_who_comes_back_may_finish_what_the_clock_had_answered() -> None:
    """All tiles, another champion, the confirmation; and the others wait for that."""
    state = missed(_absent(opened(4), 3), 3)
    assert (asked(state), offered(state, 3)) == ([0, 1, 2], ["write_name"])
    state = do(state, 3, WriteName(1, "Zeus"))
    assert (asked(state), offered(state, 3)) == ([0, 1, 2, 3], ["write_name"])
    assert asked(do(state, 3, WriteName(2, "Thor"))) == [0, 1, 2]
    state = do(missed(_absent(predicting(), 2), 2), 2, ChooseChampion(4))
    assert "confirm_prediction" in offered(state, 2)
    assert do(state, 2, ChooseChampion(5)).champions[2] == 4


@rule("CH-407")
def test_a_leaver_keeps_the_score_and_is_behind_everybody_who_stayed() -> None:
    boards = (Board(rounds=(15,)), Board(rounds=(0,)), Board(rounds=(3,)))
    state = gone(replace(talking(), boards=boards), 0)
    assert GAME.look(state, None).seats[0].left
    assert (GAME.score(state)[0], offered(state, 0)) == (15, [])
    state = replace(state, stage="over", round=2)
    assert GAME.result(state) == {2: 1, 1: 2, 0: 3}


@rule("CH-407")
def test_names_that_a_leaver_has_not_written_come_from_the_sheets() -> None:
    state = gone(do(opened(4), 0, WriteName(1, "Xanthippe")), 0)
    assert 0 not in asked(state)
    for seat in (1, 2, 3):
        state = missed(state, seat)
    assert state.stage == "check"
    own = [tile.name for tile in state.tiles if tile.writer == 0]
    assert "Xanthippe" in own
    assert all(own)


@rule("CH-408")
def test_the_game_goes_on_with_two() -> None:
    state = gone(talking(3), 1)
    assert state.stage == "discussion"
    state = gone(_absent(state, 0), 2)
    assert (state.stage, state.unfinished) == ("over", True)


@rule("CH-408")
def test_the_last_one_takes_the_first_place_of_an_unfinished_game() -> None:
    match = _match()
    for seat in (0, 2):
        match = leave(GAME, match, seat, "left", step_dice(KEY, match.step + 1))[0]
    lines = placings(GAME, match)
    assert lines is not None
    assert {line.seat: line.place for line in lines} == {1: 1, 2: 2, 0: 3}
    assert GAME.look(match.state, None).unfinished


@rule("CH-410")
def test_onlookers_are_offered_nothing_and_see_nothing_of_ones_own() -> None:
    assert GAME.look(voting(), None).own is None
    assert [offered(voting(), chair) for chair in (HOST, -2)] == [["mask_name"], []]


@rule("CH-411")
def test_the_list_of_what_is_hidden_holds_for_a_whole_table() -> None:
    state = do(voting(), 0, TRIANGLE)
    state = replace(state, champions=(7, 7, 7), strikes=(2, 2, 2))
    assert hides(state, '"sheets_only":true', None)
    assert hides(state, '"champion":8', None)
    assert not hides(state, '"champion":8', 0)


@rule("CH-416")
def test_being_ready_twice_is_not_on_offer() -> None:
    assert refusal(do(talking(), 0, BeReady()), 0, BeReady()) == "not_a_choice"


@rule("CH-406")
def test_only_the_clock_misses() -> None:
    assert MissClock.by_clock
    assert refusal(voting(), 0, MissClock()) == "not_a_choice"
