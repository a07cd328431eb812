"""Who has won?"""

from __future__ import annotations

from services.goldblivion.state import Board, Dummy, State
from shared.kernel.game import Seat

WON, LOST = 1, 2


def result(state: State) -> dict[Seat, int] | None:
    """GB-545 to GB-549 Most bars, then most nuggets, then most territories; whoever is equal in all shares the place."""
    if state.stage != "over":
        return None
    if state.dummy:
        return {0: LOST if state.lost or _rank(state.boards[0]) <= _rank(state.dummy) else WON}
    ranks = [_rank(board) for board in state.boards]
    return {seat: 1 + sum(other > rank for other in ranks) for seat, rank in enumerate(ranks)}


def _rank(board: Board | Dummy) -> tuple[int, int, int]:
    """GB-546, GB-682, GB-683."""
    return board.bars, board.nuggets, len(board.territories)


def score(state: State) -> dict[Seat, int]:
    """GB-545 The bars."""
    return {seat: board.bars for seat, board in enumerate(state.boards)}
