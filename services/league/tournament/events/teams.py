"""What can happen to teams and to single boards of a pairing, and how does it change what is known?"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.league.tournament.boards import board_at, with_board
from services.league.tournament.events.base import Happened
from services.league.tournament.events.results import OfPairing, fields
from services.league.tournament.looking import pairing_at, with_pairing, with_round, with_stage
from services.league.tournament.state import Board, Game, State


class LineUpSet(Happened, frozen=True, kw_only=True, tag="line_up_set"):
    """LG-971, OP-45 Who is to sit at which board; others learn it when the round is published."""

    account: str                                # the captain
    stage: int
    round: int
    accounts: tuple[str, ...]

    def change(self, state: State) -> State:
        known = state.stages[self.stage - 1].line_ups
        return with_stage(state, self.stage, line_ups={**known, self.round: {**known.get(self.round, {}), self.account: self.accounts}})


class OfBoard(OfPairing, frozen=True, kw_only=True, tag="of_board"):
    """Something that happens at one board, counted from 1."""

    board: int

    def put(self, state: State, **changes: Any) -> State:
        known = pairing_at(state, self.where)
        board: Board = replace(board_at(known, self.board), **changes)
        return with_pairing(state, self.where, **fields(with_board(known, board, self.at)))


class BoardStarted(OfBoard, frozen=True, kw_only=True, tag="board_started"):
    """LG-164 Its match runs."""

    def change(self, state: State) -> State:
        return self.put(state, running=True)


class BoardEnded(OfBoard, frozen=True, kw_only=True, tag="board_ended"):
    """LG-205, LG-972, LG-973 Played, decided by a referee or forfeited; with the last one the pairing is decided."""

    game: Game
    stop: str = ""                              # its match, where that goes with it, and how
    how: str = "void"

    def change(self, state: State) -> State:
        state = with_pairing(state, self.where, flag="")
        if self.stop:
            state = with_pairing(state, self.where, void_before=(*pairing_at(state, self.where).void_before, self.stop))
        return self.put(state, running=False, game=replace(self.game, at=self.at))


class BoardOrdered(OfBoard, frozen=True, kw_only=True, tag="board_ordered"):
    """LG-680 One board is played again; its last match counts no more."""

    match: str
    stop: str = ""                              # the match before, if it still runs
    reason: str = ""

    def change(self, state: State) -> State:
        known = pairing_at(state, self.where)
        board = board_at(known, self.board)
        state = with_pairing(state, self.where, flag="", corrected=False, void_before=(*known.void_before, *filter(None, [board.match])))
        state = self.put(state, match=self.match, running=False, game=None, again=board.again + 1)
        one = state.stages[self.where.stage - 1].rounds[self.where.round - 1]
        return with_round(state, self.where.stage, self.where.round, matches=one.matches.plus(self.match, self.where.table), state="published")
