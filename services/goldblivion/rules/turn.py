"""In which order does a round go, and whose turn is it?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from services.goldblivion.content import NUMBERS, POWERS
from services.goldblivion.events import TurnCame
from services.goldblivion.rules.actions import pass_round
from services.goldblivion.rules.draft import needs_nobody, take_first
from services.goldblivion.rules.powers import activate
from services.goldblivion.rules.rounds import begin_round, develop_and_produce, development_over, end_round
from services.goldblivion.rules.stack import payable
from services.goldblivion.solo_events import DummyTurnCame
from services.goldblivion.state import Frame, Stage, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


class Part(NamedTuple):
    """A part of a round: when it is over, and what follows then."""

    stage: Stage
    is_over: Callable[[State], bool]
    go_on: Callable[[Table, Dice], None]


def always(_state: State) -> bool:
    """Nothing but an open question holds this part up."""
    return True


def go_on_with_draft(table: Table, dice: Dice) -> None:
    """GB-156 Until everybody has a Noble; then the first round."""
    if all(table.state.taken):
        begin_round(table)
    else:
        take_first(table, dice)


def begin_actions(table: Table, dice: Dice) -> None:
    """GB-161, GB-201, GB-607."""
    develop_and_produce(table)
    begin_turn(table, table.state.first, dice)


def begin_turn(table: Table, seat: Seat, dice: Dice) -> None:
    """GB-202, GB-213, GB-705 Who has left passes at once."""
    table.tell(TurnCame(seat))
    if table.state.boards[seat].gone:
        pass_round(table, seat, None, dice)


def turn_over(state: State) -> bool:
    """GB-206, GB-207, GB-271 Passed, ended, or nothing is left to do and no token is held."""
    board = state.boards[state.turn]
    if board.passed or state.ended:
        return True
    most = NUMBERS.solo_main_actions if state.dummy else NUMBERS.main_actions
    return state.actions >= most and not board.tokens and not _has_free_action(state)


def _has_free_action(state: State) -> bool:
    """GB-282, GB-292, GB-302, GB-303, GB-708."""
    board = state.boards[state.turn]
    if board.nuggets >= NUMBERS.bar_price:
        return True
    upright = (card for card in board.buildings if card not in board.turned)
    able = state.activations < NUMBERS.most_activations
    return able and any(payable(state, option.cost) for card in upright for option in POWERS[card])


def next_turn(table: Table, dice: Dice) -> None:
    """GB-208 to GB-210, GB-613 to GB-615 Clockwise to the next who has not passed; in solo the Dummy Noble comes in between."""
    state: State = table.state
    if state.dummy:
        table.tell(DummyTurnCame())
        activate(table, Frame("dummy", state.dummy.noble), dice)
        return
    count = len(state.boards)
    order = [(state.turn + step) % count for step in range(1, count + 1)]
    seat = next((seat for seat in order if not state.boards[seat].passed), None)
    if seat is None:
        end_round(table, dice)
    else:
        begin_turn(table, seat, dice)


def after_dummy(table: Table, dice: Dice) -> None:
    """GB-614, GB-615."""
    if table.state.boards[0].passed:
        end_round(table, dice)
    else:
        begin_turn(table, 0, dice)


def after_marker(table: Table, _dice: Dice) -> None:
    """GB-530."""
    begin_round(table)


TURN = (
    Part("draft", needs_nobody, go_on_with_draft),
    Part("development", development_over, begin_actions),  # GB-161: Draw lies before it, Production behind it
    Part("actions", turn_over, next_turn),
    Part("dummy", always, after_dummy),  # GB-613: only in solo
    Part("marker", always, after_marker),  # GB-527: never in solo
)
PARTS = {part.stage: part for part in TURN}


def advance(table: Table, dice: Dice) -> None:
    """GB-161, GB-163 Go on until somebody has to decide or the match is over."""
    while table.state.pending is None and table.state.stage != "over":
        part = PARTS[table.state.stage]
        if not part.is_over(table.state):
            return
        part.go_on(table, dice)
