"""What becomes of a seat whose player has left for good?"""

from __future__ import annotations

from services.goldblivion.events import Ended, Left
from services.goldblivion.power_events import CombatEnded
from services.goldblivion.rules.actions import pass_round
from services.goldblivion.rules.powers import answer, carry_on
from services.goldblivion.rules.stack import advance
from services.goldblivion.solo_events import ChallengeLost
from services.goldblivion.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def leave(table: Table, seat: Seat, dice: Dice) -> None:
    """GB-705, GB-706 His Combat ends, his questions are answered by default, he passes; in solo he loses; with nobody left it ends."""
    state: State = table.state
    if state.stage == "over":
        return
    table.tell(Left(seat))
    if state.is_solo():
        table.tell(ChallengeLost("left"))
    elif all(board.gone for board in table.state.boards):
        table.tell(Ended())
    else:
        _finish_for(table, seat, dice)


def _finish_for(table: Table, seat: Seat, dice: Dice) -> None:
    while table.state.pending is not None and table.state.pending.seat == seat:
        if table.state.combat or table.state.pending.question == "enemy":
            _end_combat(table, seat, dice)
        else:
            answer(table, table.state.pending.default, dice)
    if table.state.stage == "actions" and not table.state.boards[seat].passed:
        pass_round(table, seat, None, dice)


def _end_combat(table: Table, seat: Seat, dice: Dice) -> None:
    """GB-705 Without win or loss; the power that started it goes on behind it."""
    stack = list(table.state.stack)
    while stack[-1].kind == "combat":
        stack.pop()
    if table.state.combat:
        table.tell(CombatEnded(seat))
    advance(stack)
    carry_on(table, stack, dice)
