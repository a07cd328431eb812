"""How strong is an account, by the places it reached? The Bradley-Terry model with full pairing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import exp, sqrt
from typing import NamedTuple

MU, SIGMA, BETA, KAPPA, TAU = 25.0, 25.0 / 3, 25.0 / 6, 0.0001, 25.0 / 300
HUMAN, OPEN = "human", "open"
LEAST_MATCHES = 10          # LG-845 on leader boards
PLAYED, LEFT, NO_SHOW = "played", "left", "no_show"


class Rating(NamedTuple):
    """LG-841 Of one account in one game and pool."""

    mu: float = MU
    sigma: float = SIGMA


class Chair(NamedTuple):
    """Who sat at a rated match: the place, whether it is a bot, and how the seat ended."""

    account: str
    place: int
    bot: bool = False
    how: str = PLAYED


class Match(NamedTuple):
    """One entry of the rating record, in order of recording."""

    name: str
    game: str
    chairs: tuple[Chair, ...]
    rated: bool = True                  # LG-848, LG-853: entered by hand, void, without a winner, excluded: not rated


class Row(NamedTuple):
    """LG-851 What one match changed for one seat."""

    match: str
    account: str
    game: str
    pool: str
    before: Rating
    after: Rating


Key = tuple[str, str, str]              # account, game, pool


def rated(before: Mapping[str, Rating], places: Mapping[str, int]) -> dict[str, Rating]:
    """LG-843, LG-844 The ratings after one match; sums run in order of the account's ids."""
    order = sorted(places)
    spread = {account: before[account].sigma ** 2 + TAU * TAU for account in order}
    return {account: _one(account, order, (before, spread, places)) for account in order}


def _one(account: str, order: Sequence[str], known: tuple[Mapping[str, Rating], Mapping[str, float], Mapping[str, int]]) -> Rating:
    before, spread, places = known
    mine, own, place = before[account].mu, spread[account], places[account]
    shift = shrink = 0.0
    for other in order:
        if other != account:
            c = sqrt(own + spread[other] + 2 * BETA * BETA)
            x = 1 / (1 + exp((before[other].mu - mine) / c))
            s = 1.0 if place < places[other] else 0.5 if place == places[other] else 0.0
            shift += own / c * (s - x)
            shrink += sqrt(own) / c * (own / (c * c)) * x * (1 - x)
    return Rating(mine + shift, sqrt(own * max(1 - shrink, KAPPA)))


def estimate(rating: Rating) -> str:
    """LG-845."""
    return f"{rating.mu:.2f}"


def rank_value(rating: Rating) -> float:
    """LG-845 What leader boards and seedings compare."""
    return rating.mu - 3 * rating.sigma


def hundredths(rating: Rating) -> Fraction:
    """LG-105 The copy that is taken when entry closes."""
    return Fraction(round(rank_value(rating) * 100), 100)


def overall(by_game: Mapping[str, Rating], games: Sequence[str]) -> float:
    """LG-847 The mean of the rank values over all games on offer; 0 for one never played."""
    return sum(rank_value(by_game[game]) if game in by_game else 0.0 for game in games) / len(games) if games else 0.0


def placed(match: Match) -> dict[str, int]:
    """LG-849 Who counts, and at which place: a leaver as last, a leaving bot and a no-show not at all."""
    if not match.rated:
        return {}
    chairs = [chair for chair in match.chairs if chair.how != NO_SHOW and not (chair.bot and chair.how == LEFT)]
    stayed = sorted(chair.place for chair in chairs if chair.how == PLAYED)
    places = {chair.account: 1 + stayed.index(chair.place) if chair.how == PLAYED else len(stayed) + 1 for chair in chairs}
    return places if len(places) > 1 else {}


def pools(match: Match) -> tuple[str, ...]:
    """LG-846 `human` only where all seats were people at the start."""
    return (OPEN,) if any(chair.bot for chair in match.chairs) else (HUMAN, OPEN)


def recomputed(matches: Iterable[Match], start: Mapping[Key, Rating] | None = None) -> tuple[list[Row], dict[Key, Rating]]:
    """LG-850, LG-852 All rows, each from the values left by the one before (the first from nothing or `start`), and the ratings at the end."""
    now: dict[Key, Rating] = dict(start or {})
    rows: list[Row] = []
    for match in matches:
        places = placed(match)
        for pool in pools(match) if places else ():
            before = {account: now.get((account, match.game, pool), Rating()) for account in places}
            for account, after in rated(before, places).items():
                now[account, match.game, pool] = after
                rows.append(Row(match.name, account, match.game, pool, before[account], after))
    return rows, now
