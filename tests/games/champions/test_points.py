"""Points and the end of a round: CH-301 to CH-324."""

import pytest
from msgspec.structs import replace

from services.champions import content
from services.champions.commands import Vote
from services.champions.game import GAME
from services.champions.state import State
from tests.games.champions.tables import all_do, told, voting
from tests.ledger import rule

CIRCLE, TRIANGLE = Vote("circle"), Vote("triangle")


def _final(*champions: int, votes: tuple[Vote, ...] = (CIRCLE,) * 3) -> State:
    """The final is decided; the predictions of the seats are given by index, -1 for none."""
    return all_do(replace(voting(3, 6), champions=champions), *votes)


@rule("CH-302")
def test_who_voted_for_the_winner_circles_and_all_others_cross_out() -> None:
    state = all_do(replace(voting(), champions=(1, 1, 0)), CIRCLE, CIRCLE, TRIANGLE)
    assert [board.spaces[0] for board in state.boards] == ["circled", "circled", "crossed"]


@rule("CH-303")
def test_this_also_holds_when_the_symbol_decided() -> None:
    state = all_do(voting(4), CIRCLE, CIRCLE, TRIANGLE, TRIANGLE)
    assert [board.spaces[0] for board in state.boards] == ["crossed", "crossed", "circled", "circled"]


@rule("CH-304")
@pytest.mark.parametrize(("duel", "points"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 4)])
def test_what_a_circled_space_is_worth(duel: int, points: int) -> None:
    state = all_do(voting(3, duel), CIRCLE, CIRCLE, TRIANGLE)
    assert [GAME.score(state)[seat] for seat in (0, 2)] == [points, 0]


@rule("CH-305")
def test_all_seven_spaces_are_worth_twelve() -> None:
    assert sum(duel.points for duel in voting().duels) == 12


@rule("CH-306", "CH-322")
def test_everybody_who_predicted_the_champion_circles_three() -> None:
    state = _final(0, 0, 3)
    assert [board.bonus for board in state.boards] == ["circled", "circled", "crossed"]
    assert [board.rounds for board in state.boards] == [(7,), (7,), (4,)]


@rule("CH-307")
def test_a_round_is_worth_fifteen_at_most() -> None:
    state = voting(3, 6)
    boards = tuple(replace(board, spaces=("circled",) * 6 + ("open",)) for board in state.boards)
    state = all_do(replace(state, boards=boards, champions=(0, 0, 0)), CIRCLE, CIRCLE, CIRCLE)
    assert {board.rounds for board in state.boards} == {(15,)}


@rule("CH-308")
def test_scores_are_public_after_each_duel() -> None:
    state = all_do(voting(), CIRCLE, CIRCLE, TRIANGLE)
    assert [seat.score for seat in GAME.look(state, None).seats] == [1, 1, 0]


@rule("CH-309")
def test_all_values_come_from_the_pack() -> None:
    scoring = content.BASE.scoring
    assert (scoring.quarter_final, scoring.semi_final, scoring.final, scoring.champion_bonus) == (1, 2, 4, 3)
    rich = voting()
    rich = replace(rich, duels=tuple(replace(duel, points=20) for duel in rich.duels))
    assert GAME.score(all_do(rich, CIRCLE, CIRCLE, TRIANGLE)) == {0: 20, 1: 20, 2: 0}


@rule("CH-321")
def test_all_predictions_are_revealed_after_the_final() -> None:
    before = replace(voting(3, 6), champions=(0, 3, -1))
    assert [seat.prediction for seat in GAME.look(before, 2).seats] == [None, None, None]
    assert [seat.prediction for seat in GAME.look(_final(0, 3, -1), 2).seats] == [1, 4, None]


@rule("CH-323")
def test_a_wrong_or_missing_prediction_costs_nothing() -> None:
    state = _final(0, 3, -1)
    assert [board.rounds for board in state.boards] == [(7,), (4,), (4,)]


@rule("CH-324")
def test_the_round_score_is_the_sum_of_the_circled_values() -> None:
    state = voting(3, 6)
    boards = (replace(state.boards[0], spaces=("circled", "circled", "circled", "crossed", "circled", "crossed", "open")),)
    state = replace(state, boards=boards + state.boards[1:], champions=(0, -1, -1))
    assert told(all_do(state, CIRCLE, CIRCLE), 2, CIRCLE)["round_scored"].scores == (12, 4, 4)
