"""In which order does the game go, and when does each part of it end?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from services.golden_cup.events import Left, StageBegan
from services.golden_cup.fixture_events import PutOffDone
from services.golden_cup.rules import campaign, championship, effects, final, fixtures, line_ups, rounds
from services.golden_cup.state import ROUNDS, Stage, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


class Part(NamedTuple):
    """A part of the game: when it is over, and what follows then."""

    stage: Stage
    is_over: Callable[[State], bool]
    go_on: Callable[[Table, Dice], None]


def never(_state: State) -> bool:
    """The cup is won."""
    return False


def nothing(_table: Table, _dice: Dice) -> None:
    """Nothing follows."""


def get_ready(table: Table, _dice: Dice) -> None:
    """GC-202, GC-410 All campaigns are over: the line-ups."""
    table.tell(StageBegan("line_up"))


def play_fixtures(table: Table, dice: Dice) -> None:
    """GC-409, GC-475 The matches of the round, then the choices that they put off."""
    line_ups.show(table, "fixtures")
    fixtures.play_round(table, dice)
    for seat, team in enumerate(table.state.teams):
        if team.put_off:
            table.tell(PutOffDone(seat, team.put_off))
            effects.carry_on(table, seat, team.put_off)


def choices_made(state: State) -> bool:
    """GC-488 Nobody has a choice left."""
    return not any(team.tasks for team in state.teams)


def end_round(table: Table, dice: Dice) -> None:
    """GC-200, GC-488 The next round, or the end of the championship."""
    if table.state.round < ROUNDS:
        rounds.begin_round_set_up(table, dice)
    else:
        championship.end_championship(table, dice)


def play_final(table: Table, dice: Dice) -> None:
    """GC-561 Line-ups, and the final."""
    line_ups.show(table, "final")
    final.play_final(table, dice)


def shoot_out(table: Table, dice: Dice) -> None:
    """GC-580, GC-581 Line-ups once more, and the penalty shots."""
    line_ups.show(table, "penalties")
    final.shoot_out(table, dice)


TURN = (
    Part("supporters", rounds.supporters_kept, rounds.begin_first_round),
    Part("discard", rounds.discards_chosen, rounds.set_up_round),  # GC-201: not in round 1
    Part("campaign", campaign.campaigns_over, get_ready),
    Part("line_up", line_ups.line_ups_chosen, play_fixtures),
    Part("fixtures", choices_made, end_round),
    Part("final", line_ups.line_ups_chosen, play_final),
    Part("penalties", line_ups.line_ups_chosen, shoot_out),
    Part("over", never, nothing),
)
PARTS = {part.stage: part for part in TURN}


def advance(table: Table, dice: Dice) -> None:
    """GC-203 Go on until somebody has to decide, or the cup is won."""
    part = PARTS[table.state.stage]
    while part.is_over(table.state):
        part.go_on(table, dice)
        part = PARTS[table.state.stage]


def leave(table: Table, seat: Seat, _dice: Dice) -> None:
    """GC-844 The seat stays in the game; its questions are answered by default."""
    if table.state.winner is None:
        table.tell(Left(seat))
