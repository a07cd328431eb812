"""Who plays when nobody does? A bot that models the crowd: how each seat has voted, and which symbol decides a tie."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

from services.champions.commands import CheckNames, ChooseChampion, ConfirmPrediction, Vote, WriteName
from services.champions.view import DuelView, View
from shared.kernel.choices import Choice
from shared.kernel.dice import Dice
from shared.kernel.game import Command, Seat
from shared.kernel.match import random_bot

Went = Callable[[View, DuelView, Seat], bool | None]
PATHS = ((0, 4), (1, 4), (2, 5), (3, 5))  # from a quarter-final to its semi-final; the final is the last of seven


def crowd(view: View, choices: tuple[Choice, ...], dice: Dice) -> Command:
    """Knows every name, bets on a contestant whose symbols decide ties, and votes for what the others make likely to win."""
    match choices[0].do.__name__:
        case "CheckNames":
            return CheckNames((), ())
        case "ChooseChampion" if view.own and view.own.champion:
            return ConfirmPrediction()
        case "ChooseChampion":
            return ChooseChampion(best_champion(view))
        case "Vote":
            return Vote(best_vote(view))
        case "WriteName" if view.own:
            blank = next((tile.tile for tile in view.own.tiles if not tile.name), view.own.tiles[0].tile)
            return WriteName(blank, choices[0].fields["name"].sample(dice))
    command: Command = choices[0].sample(dice)
    return command


def best_champion(view: View) -> int:
    """The contestant with the likeliest way to the title if one votes for it all along; of equals the first, where others look too."""
    chances = {contestant.number: _way(view, contestant.number - 1, 0) for contestant in view.contestants}
    return max(chances, key=lambda number: (round(chances[number], 6), -number))


def best_vote(view: View) -> str:
    """The symbol that promises more: the points of the duel, and what it does for the own champion."""
    number = next(number for number, duel in enumerate(view.duels) if duel.id == view.duel)
    duel = view.duels[number]
    own = view.own.champion if view.own else None
    promise = {}
    for symbol, other in (("circle", "triangle"), ("triangle", "circle")):
        promise[symbol] = duel.points * chance(view, duel, symbol, with_me=True)
        for side in (symbol, other):
            if own is not None and getattr(duel, side) == own:
                ahead = _way(view, own - 1, 1 + (number > 3) + (number > 5))
                promise[symbol] += view.bonus * ahead * chance(view, duel, side, with_me=side == symbol)
    return max(promise, key=lambda symbol: (round(promise[symbol], 6), symbol == duel.tie))


def chance(view: View, duel: DuelView, symbol: str, *, with_me: bool) -> float:
    """How likely a symbol wins, if one votes for it or against it and every other seat as it is wont to."""
    others = [_leaning(view, duel, seat.seat, symbol) for seat in view.seats if seat.seat != view.you and not seat.absent]
    spread = [1.0]  # how likely so many others vote for the symbol
    for lean in others:
        spread = [
            (spread[count] * (1 - lean) if count < len(spread) else 0) + (spread[count - 1] * lean if count else 0)
            for count in range(len(spread) + 1)
        ]
    votes = len(others) + 1
    enough = votes // 2 + 1 if votes % 2 or duel.tie != symbol else votes // 2
    return sum(spread[max(0, enough - with_me) :])


def _way(view: View, index: int, stage: int) -> float:
    """How likely a contestant wins its duels from this stage on if one always votes for it."""
    quarter, semi = PATHS[index // 2]
    places = ((quarter, index % 2), (semi, quarter % 2), (6, semi % 2))
    likely = 1.0
    for duel, place in places[stage:]:
        likely *= chance(view, view.duels[duel], ("circle", "triangle")[place], with_me=True)
    return likely


def _leaning(view: View, duel: DuelView, seat: Seat, symbol: str) -> float:
    """How likely a seat votes for this symbol, by how often it went with the tie symbol and with the contestant more popular so far."""
    odds = _habit(view, seat, _went_with_tie) * (1 if duel.tie == symbol else -1)
    popular = _popular(view, duel)
    if popular:
        odds += _habit(view, seat, _went_with_popular) * (1 if popular == symbol else -1)
    return 1 / (1 + exp(-odds))


def _habit(view: View, seat: Seat, went: Went) -> float:
    """Log-odds of a habit, cautious while little is known."""
    seen = [went(view, duel, seat) for duels in (*view.history, view.duels) for duel in duels if duel.votes and duel.votes[seat]]
    known = [yes for yes in seen if yes is not None]
    return log((sum(known) + 3) / (len(known) - sum(known) + 3))


def _went_with_tie(_view: View, duel: DuelView, seat: Seat) -> bool | None:
    return duel.votes is not None and duel.votes[seat] == duel.tie


def _went_with_popular(view: View, duel: DuelView, seat: Seat) -> bool | None:
    popular = _popular(view, duel) if duel in view.duels else ""
    return duel.votes[seat] == popular if popular and duel.votes else None


def _popular(view: View, duel: DuelView) -> str:
    """The symbol of the contestant that got more votes in its duels before; empty if neither did."""
    circle, triangle = (_votes_for(view, number, duel) for number in (duel.circle, duel.triangle))
    return "" if circle == triangle else "circle" if circle > triangle else "triangle"


def _votes_for(view: View, number: int | None, before: DuelView) -> int:
    votes = 0
    for duel in view.duels:
        if duel.id == before.id:
            break
        if duel.counted and number in {duel.circle, duel.triangle}:
            votes += duel.counted[number == duel.triangle]
    return votes


BOTS = {"random": random_bot, "crowd": crowd}
