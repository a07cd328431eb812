"""The second round and the end of the game: CH-341 to CH-375."""

import pytest
from msgspec.structs import replace

from services.champions.commands import BeReady, CheckNames, Vote, WriteName
from services.champions.game import GAME
from services.champions.name_events import TilesShared
from services.champions.rules.names import share_tiles
from services.champions.state import Board, State
from shared.kernel.dice import Dice
from shared.kernel.game import Table
from shared.kernel.match import play_out, random_bot
from tests.games.champions.tables import KEY, NAMES, all_do, clock_out, dice, do, gone, offered, refusal, voting
from tests.ledger import rule

CIRCLE = Vote("circle")


def _second(seats: int = 3, *rolls: int) -> State:
    """Round 1 is over, names are written for round 2."""
    return clock_out(all_do(voting(seats, 6), *[CIRCLE] * seats), *rolls)


@rule("CH-341")
def test_everything_is_erased_but_the_score() -> None:
    state = _second()
    assert state.boards[0] == Board(rounds=(4,))
    assert (state.champions, state.revealed, state.votes) == ((-1,) * 3, (), ("",) * 3)


@rule("CH-342")
def test_a_name_of_round_one_does_not_come_back() -> None:
    assert refusal(_second(), 0, WriteName(1, "a Medusa")) == "text_refused"
    suggestions = GAME.legal(_second(), 0)[0].fields["name"].suggestions
    assert not set(suggestions) & set(NAMES)


@rule("CH-342")
def test_an_erased_name_does_not_come_back_either() -> None:
    state = clock_out(all_do(replace(voting(3, 6), barred=("Figaro",)), *[CIRCLE] * 3))
    assert refusal(state, 0, WriteName(1, "figaro")) == "text_refused"


@rule("CH-343")
def test_who_had_fewer_tiles_gets_the_extra_ones() -> None:
    """Five seats: the two with one tile get two, and one more by lot."""
    table = Table(TilesShared(1, (2, 2, 2, 1, 1), 0).change(voting(5)))
    table.state = replace(table.state, first_shares=(2, 2, 2, 1, 1))
    share_tiles(table, 2, dice(0, 0, 0, 0))
    assert table.state.shares[3:] == (2, 2)
    assert sorted(table.state.shares[:3]) == [1, 1, 2]


@rule("CH-343")
def test_lots_decide_among_equals() -> None:
    with_three = set()
    for number in range(20):
        table = Table(voting(3))
        table.state = replace(table.state, first_shares=(3, 3, 2))
        share_tiles(table, 2, Dice(KEY, f"{number}|"))
        assert table.state.shares[2] == 3
        with_three.add(table.state.shares.index(2))
    assert with_three == {0, 1}


@rule("CH-343")
def test_two_who_are_left_get_four_each() -> None:
    state = clock_out(all_do(gone(voting(3, 6), 2), CIRCLE, CIRCLE))
    assert state.shares == (4, 4, 0)


@rule("CH-344", "CH-347")
def test_the_same_cards_are_turned_over() -> None:
    before, after = voting(3, 6), _second()
    assert [duel.card for duel in after.duels] == [duel.card for duel in before.duels]
    assert [duel.situation for duel in after.duels] == [duel.reverse for duel in before.duels]
    assert {duel.reverse for duel in after.duels} == {None}


@rule("CH-345")
def test_new_names_are_placed_at_the_quarter_finals() -> None:
    state = _second(8)
    for seat, name in enumerate(("Figaro", "Carmen", "Faust", "Othello", "Tartuffe", "Pierrot", "Harlequin", "Romeo")):
        state = do(state, seat, WriteName(1, name))
    assert state.stage == "check"
    assert [duel.contestants for duel in state.duels] == [(0, 1), (2, 3), (4, 5), (6, 7), (-1, -1), (-1, -1), (-1, -1)]
    assert {tile.name for tile in state.tiles}.isdisjoint(NAMES)


@rule("CH-346")
def test_the_check_is_made_again_and_the_round_runs_like_the_first() -> None:
    state = _second(8)
    for seat, name in enumerate(("Figaro", "Carmen", "Faust", "Othello", "Tartuffe", "Pierrot", "Harlequin", "Romeo")):
        state = do(state, seat, WriteName(1, name))
    assert offered(state, 0) == ["check_names"]
    state = all_do(state, *[CheckNames((), ())] * 8)
    assert (state.stage, state.round) == ("prediction", 2)


def _ended(*scores: tuple[int, int]) -> State:
    boards = tuple(Board(spaces=("crossed",) * 7, bonus="crossed", rounds=score) for score in scores)
    return replace(voting(len(scores), 6), boards=boards, round=2, stage="over")


@rule("CH-371")
def test_with_the_second_final_the_game_is_over() -> None:
    state = replace(voting(3, 6), round=2, boards=(Board(rounds=(5,)),) * 3)
    state = all_do(state, CIRCLE, CIRCLE, CIRCLE)
    assert state.stage == "over"
    assert not state.unfinished
    assert [offered(state, seat) for seat in (-1, 0, 1, 2)] == [[], [], [], []]


@rule("CH-372")
def test_the_final_score_is_the_sum_of_both_rounds() -> None:
    assert GAME.score(_ended((9, 12), (3, 0), (15, 15))) == {0: 21, 1: 3, 2: 30}


@rule("CH-373")
def test_the_highest_score_wins() -> None:
    assert GAME.result(_ended((9, 12), (3, 0), (15, 15))) == {2: 1, 0: 2, 1: 3}


@rule("CH-374", "CH-375")
@pytest.mark.parametrize(
    ("scores", "places"),
    [(((9, 12), (12, 9), (9, 9)), [1, 1, 3]), (((10, 10), (5, 5), (9, 1)), [1, 2, 2]), (((1, 1),) * 3, [1, 1, 1])],
)
def test_tied_players_share_their_place(scores: tuple[tuple[int, int], ...], places: list[int]) -> None:
    result = GAME.result(_ended(*scores))
    assert result is not None
    assert [result[seat] for seat in range(3)] == places


@rule("CH-371", "CH-307")
def test_whole_matches_end_after_two_rounds_within_thirty_points() -> None:
    for seed in range(5):
        match = play_out(GAME, 3 + seed, GAME.read_options({}), bytes([seed]) * 32, [random_bot] * (3 + seed))
        assert all(len(board.rounds) == 2 and sum(board.rounds) <= 30 for board in match.state.boards)


@rule("CH-402")
def test_the_pause_after_the_result_ends_when_all_have_seen_enough() -> None:
    state = all_do(voting(), CIRCLE, CIRCLE, CIRCLE)
    assert state.stage == "reveal"
    phase = GAME.phase(state)
    assert phase is not None
    assert phase.limit_name == "reveal"
    assert all_do(state, BeReady(), BeReady(), BeReady()).duel == 1
