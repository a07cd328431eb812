"""Who stands on which rung, who may challenge whom, and what does a match move?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.league.refusals import Refused

INSERT, SWAP = "insert", "swap"
DAY = 24 * 60 * 60_000

Rungs = tuple[str, ...]


class Rules(NamedTuple):
    """The settings of a ladder; times in milliseconds."""

    reach: int = 3
    cool_down: int = 7 * DAY
    answer_time: int = 2 * DAY
    move: str = INSERT


class Challenge(NamedTuple):
    """Who wants to play whom."""

    challenger: str
    challenged: str
    at: int


def entered(rungs: Rungs, newcomer: str) -> Rungs:
    """LG-541 At the bottom."""
    if newcomer in rungs:
        raise Refused("already_entered", f"{newcomer} stands on the ladder")
    return (*rungs, newcomer)


def challenged(rungs: Rungs, asked: Challenge, open_ones: Sequence[Challenge], played: Mapping[frozenset[str], int], rules: Rules) -> Challenge:
    """LG-542, LG-547 The challenge, or why it may not be."""
    steps = rungs.index(asked.challenger) - rungs.index(asked.challenged)
    if not 0 < steps <= rules.reach:
        raise Refused("out_of_reach", f"only somebody at most {rules.reach} rungs above")
    two = frozenset((asked.challenger, asked.challenged))
    if any(two & {one.challenger, one.challenged} for one in open_ones):
        raise Refused("engaged", "one of the two has an open challenge")
    if two in played and asked.at - played[two] < rules.cool_down:
        raise Refused("too_soon", "these two have played a short while ago")
    return asked


def lapsed(asked: Challenge, now: int, rules: Rules) -> bool:
    """LG-543 Not accepted in time: a forfeit by the challenged."""
    return now - asked.at >= rules.answer_time


def moved(rungs: Rungs, places: Mapping[str, int], challenger: str, move: str = INSERT) -> Rungs:
    """LG-544, LG-546 After a match of two; how it came to these places does not matter."""
    (other,) = places.keys() - {challenger}
    if places[challenger] >= places[other] or rungs.index(challenger) < rungs.index(other):
        return rungs
    order = list(rungs)
    if move == SWAP:
        here, there = order.index(challenger), order.index(other)
        order[here], order[there] = other, challenger
    else:
        order.remove(challenger)
        order.insert(order.index(other), challenger)
    return tuple(order)


def placed(rungs: Rungs, places: Mapping[str, int]) -> Rungs:
    """LG-545, LG-546 A table of three or more: the same rungs again, in the order of places; who is level keeps the old order."""
    seats = [at for at, name in enumerate(rungs) if name in places]
    order = list(rungs)
    for at, name in zip(seats, sorted((rungs[at] for at in seats), key=lambda name: places[name]), strict=True):
        order[at] = name
    return tuple(order)
