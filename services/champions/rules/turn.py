"""In which order does a round go, and when does each part of it end?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from services.champions.events import ClockRanOut
from services.champions.rules import check, names, prediction, tournament
from services.champions.state import Stage, State
from shared.kernel.dice import Dice
from shared.kernel.game import Table


class Part(NamedTuple):
    """A part of a round: when it is over, and what follows then."""

    stage: Stage
    is_over: Callable[[State], bool]
    go_on: Callable[[Table, Dice], None]


def never(_state: State) -> bool:
    """The service ends this part with a count of the audience."""
    return False


def nothing(_table: Table, _dice: Dice) -> None:
    """Nothing follows by itself."""


TURN = (
    Part("gathering", never, nothing),  # CH-524: only with a crowd
    Part("names", names.writing_over, names.compare_names),
    Part("clash", names.rewriting_over, names.compare_names),
    Part("check", check.check_over, check.end_check),
    Part("replacement", names.rewriting_over, names.compare_names),
    Part("prediction", prediction.prediction_over, prediction.lock_predictions),
    Part("discussion", tournament.talk_over, tournament.open_vote),  # from here to the pause once per duel
    Part("vote", tournament.vote_over, tournament.close_vote),
    Part("count", never, nothing),  # CH-519: only with an audience
    Part("reveal", tournament.talk_over, tournament.next_duel),
    Part("over", never, nothing),
)
PARTS = {part.stage: part for part in TURN}


def advance(table: Table, dice: Dice) -> None:
    """CH-105, CH-402 Go on until somebody has to decide, a clock runs, or the match is over."""
    part = PARTS[table.state.stage]
    while part.is_over(table.state):
        part.go_on(table, dice)
        part = PARTS[table.state.stage]


def phase_over(table: Table, _dice: Dice) -> None:
    """CH-401, CH-403 The clock of the stage, or the host, ends it."""
    table.tell(ClockRanOut(table.state.stage))
