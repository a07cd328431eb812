"""Phase 3, the second round, and the end of the game."""

from __future__ import annotations

from services.champions.events import BoardsErased, CardsTurned, Crowned, Ended, PredictionsRevealed, RoundScored
from services.champions.rules.names import share_tiles
from services.champions.rules.points import award_bonus
from services.champions.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Table

ROUNDS = 2  # CH-105


def end_round(table: Table, champion: int) -> None:
    """CH-277, CH-321 to CH-324, CH-371 The champion, all predictions, the bonus, the scores; after the second round the end."""
    state: State = table.state
    table.tell(Crowned(champion, state.contestant(champion)))
    if state.boards:
        table.tell(PredictionsRevealed(state.champions))
        award_bonus(table, champion)
        table.tell(RoundScored(state.round, tuple(table.state.round_score(seat) for seat in state.seats())))
    if state.round == ROUNDS:
        table.tell(Ended(unfinished=False))


def begin_second_round(table: Table, dice: Dice) -> None:
    """CH-341 to CH-344, CH-347 Erase, turn the same cards over, share the tiles out again."""
    state: State = table.state
    table.tell(BoardsErased())
    table.tell(CardsTurned(tuple(duel.reverse for duel in state.duels if duel.reverse is not None)))
    share_tiles(table, state.round + 1, dice)
