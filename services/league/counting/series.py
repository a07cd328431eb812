"""When is a series over, who has won it, and who leads a score board?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from services.league.scoring import Rules, Seat, scored

BEST, SUM = "best", "sum"

Game = Mapping[int, Fraction]           # points of one match by number


class Score(NamedTuple):
    """One result for a score board, and when it was reached."""

    number: int
    score: int
    at: int


def game_points(games: Iterable[Game]) -> dict[int, Fraction]:
    """LG-642 Kept apart from match points."""
    sums: dict[int, Fraction] = {}
    for game in games:
        for number, worth in game.items():
            sums[number] = sums.get(number, Fraction(0)) + worth
    return sums


def is_over(games: Sequence[Game], best_of: int, span: Fraction = Fraction(1)) -> bool:
    """LG-641, LG-642 All were played, or no remaining match can change who has more of any two; `span` is what one match can make up."""
    if len(games) >= best_of:
        return True
    sums = sorted(game_points(games).values(), reverse=True)
    return len(sums) > 1 and all(one - other > (best_of - len(games)) * span for one, other in pairwise(sums))


def match_points(games: Sequence[Game], rules: Rules) -> dict[int, Fraction]:
    """LG-642 Win, draw or loss by game points, or places by game points."""
    sums = game_points(games)
    seats = [Seat(number, 1 + sum(other > own for other in sums.values())) for number, own in sums.items()]
    return scored(seats, rules)


def forfeited(games: Sequence[Game], best_of: int, two: tuple[int, int], worths: tuple[Fraction, Fraction] = (Fraction(1), Fraction(0))) -> tuple[Game, ...]:
    """LG-645 The matches still needed go from the loser to the other one; played ones stay. `worths` are those of a win and a loss."""
    (loser, other), (win, loss), found = two, worths, list(games)
    while not is_over(found, best_of, win - loss):
        found.append({loser: loss, other: win})
    return tuple(found)


def seats_of(table: Sequence[int], match: int) -> tuple[int, ...]:
    """LG-297 The seats move on by one from match to match, counted from 1."""
    turn = (match - 1) % len(table)
    return (*table[turn:], *table[:turn])


def board(scores: Iterable[Score], kind: str = BEST) -> tuple[tuple[int, int, int], ...]:
    """LG-727 Rank, number and score; an equal score keeps the earlier one ahead, so that no rank is shared."""
    best: dict[int, Score] = {}
    for one in sorted(scores, key=lambda score: (score.at, score.number)):
        known = best.get(one.number)
        if known is None:
            best[one.number] = one
        elif kind == SUM and one.score:
            best[one.number] = Score(one.number, known.score + one.score, one.at)
        elif kind == BEST and one.score > known.score:
            best[one.number] = one
    order = sorted(best.values(), key=lambda score: (-score.score, score.at, score.number))
    return tuple((rank, one.number, one.score) for rank, one in enumerate(order, start=1))
