"""What do the effects of champions do? Blocks are started, their ops carried out one by one, and choices wait for the owner."""

from __future__ import annotations

from collections.abc import Callable

from services.golden_cup import content
from services.golden_cup.commands import DeclineImprovement, DiscardChampion, DiscardToken, ImproveToken, TakeLower, TakeNothing
from services.golden_cup.content.counting import applied, effect_at
from services.golden_cup.content.shapes import (
    Add,
    Bag,
    Drop,
    DropChampion,
    Fame,
    Improve,
    Modify,
    MoreDice,
    Op,
    ScoreAtOnce,
    Sponsor,
)
from services.golden_cup.effect_events import ChampionDismissed, EffectsDone, EffectsPaused
from services.golden_cup.rules import fame, tokens
from services.golden_cup.state import Block, Step, Task, Team
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

Tasks = tuple[Task, ...]


def carry_on(table: Table, seat: Seat, tasks: Tasks) -> None:
    """GC-341, GC-349, GC-842 Carry the tasks out in order, until one of them needs a choice of the owner."""
    while tasks:
        task, rest = tasks[0], tasks[1:]
        if isinstance(task, Block):
            tasks = (*started(table.state.teams[seat], task), *rest)
        elif needs_choice(table.state.teams[seat], task):
            table.tell(EffectsPaused(seat, task.champion or "training", tasks))
            return
        else:
            tasks = (*_carried_out(table, seat, task), *rest)
    if table.state.teams[seat].tasks:
        table.tell(EffectsDone(seat))


def started(team: Team, block: Block) -> tuple[Step, ...]:
    """GC-357 to GC-361, GC-363 The ops of a block, its multiplier taken now; nothing of a champion that is gone."""
    if block.champion not in team.champions:
        return ()
    place = (block.champion, block.effect)
    times = applied(place, team.champions)
    return tuple(step_of(block.champion, op, times) for op in effect_at(place).ops) if times else ()


def step_of(champion: str, op: Op, times: int) -> Step:
    """GC-700 to GC-709 One op as a step that may wait."""
    match op:
        case Fame(n):
            return Step(champion, "fame", n=n, times=times)
        case Sponsor(n):
            return Step(champion, "sponsor", n=n, times=times)
        case Improve(kind, n):
            return Step(champion, "improve", kind, n, times)
        case Add(kind, n):
            return Step(champion, "add", kind, n, times)
        case Drop(kind):
            return Step(champion, "drop", kind, times=times)
        case DropChampion():
            return Step(champion, "drop_champion", times=times)
        case MoreDice() | ScoreAtOnce() | Bag() | Modify():
            raise ValueError(f"{champion}: {op} happens in a match or with the coins, not here")


def needs_choice(team: Team, step: Step) -> bool:
    """GC-305 to GC-313, GC-355, GC-843 Whether more than one outcome is possible."""
    match step.does:
        case "fame" | "sponsor":
            return False
        case "improve":
            return bool(team.improvable(step.kind, step.n))
        case "add":
            tokens_there = team.addable(step.kind, step.n)
            exact = bool(tokens_there) and int(tokens_there[0][1]) == step.n
            return not exact and len(tokens_there) > (0 if step.champion else 1)
        case "drop":
            return len(team.tokens_of(step.kind)) > 1
        case "drop_champion":
            return len(team.champions) > 2


def _carried_out(table: Table, seat: Seat, step: Step) -> tuple[Step, ...]:
    """A step with one outcome; what comes back is what is left of it, since the next time may need a choice."""
    team: Team = table.state.teams[seat]
    act: Callable[[Table, Seat, str], None] = tokens.add
    match step.does:
        case "fame":
            fame.gain(table, seat, step.champion, step.n * step.times)
            return ()
        case "sponsor":
            fame.sponsor(table, seat, step.champion, step.n, step.times)
            return ()
        case "improve":
            return ()  # GC-305: nothing can be improved
        case "add":
            there = team.addable(step.kind, step.n)
        case "drop":
            there = team.tokens_of(step.kind)
            act = tokens.discard
        case "drop_champion":
            there = tuple(name for name in team.champions if name != step.champion)
            act = dismiss
    if not there:  # GC-311, GC-313
        return ()
    act(table, seat, there[0])
    return _once_less(step)


def _once_less(step: Step) -> tuple[Step, ...]:
    """GC-307, GC-363 Each time of a step is a choice of its own."""
    return (Step(step.champion, step.does, step.kind, step.n, step.times - 1),) if step.times > 1 else ()


def dismiss(table: Table, seat: Seat, champion: str) -> None:
    """GC-355, GC-356 Openly to the discard pile of its deck; what it gave stays."""
    table.tell(ChampionDismissed(seat, champion, content.CHAMPIONS[champion].deck))


def improve_token(table: Table, seat: Seat, command: ImproveToken, _dice: Dice) -> None:
    """GC-306 The owner names the token."""
    step = table.state.teams[seat].tasks[0]
    tokens.improve(table, seat, command.token, step.n)
    _answered(table, seat)


def decline_improvement(table: Table, seat: Seat, _command: DeclineImprovement, _dice: Dice) -> None:
    """GC-306 An improvement is an offer."""
    _answered(table, seat)


def take_lower(table: Table, seat: Seat, command: TakeLower, _dice: Dice) -> None:
    """GC-310 The owner names the lower token."""
    tokens.add(table, seat, command.token)
    _answered(table, seat)


def take_nothing(table: Table, seat: Seat, _command: TakeNothing, _dice: Dice) -> None:
    """GC-310 Or takes none."""
    _answered(table, seat)


def discard_token(table: Table, seat: Seat, command: DiscardToken, _dice: Dice) -> None:
    """GC-312 The owner names the token; one must go."""
    tokens.discard(table, seat, command.token)
    _answered(table, seat)


def discard_champion(table: Table, seat: Seat, command: DiscardChampion, _dice: Dice) -> None:
    """GC-355 The owner names the champion."""
    dismiss(table, seat, command.champion)
    _answered(table, seat)


def _answered(table: Table, seat: Seat) -> None:
    """GC-842 The first step is done once; what remains goes on."""
    step, *rest = table.state.teams[seat].tasks
    carry_on(table, seat, (*_once_less(step), *rest))
