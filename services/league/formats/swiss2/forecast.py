"""How likely is a dead end? Trial tournaments with random results tell, before entry opens."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from services.league.draws import round_dice
from services.league.formats.swiss2.cards import Plan, cards
from services.league.formats.swiss2.pairing import Paired, pair
from services.league.record import ALLOCATED, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat, bye_points
from shared.kernel.dice import Dice

TRIALS = 200
SHARE = Fraction(1, 100)                # above this an organiser must have seen it


class Forecast(NamedTuple):
    """How many trials were paired, and how many of them met a dead end."""

    trials: int
    dead_ends: int

    @property
    def to_be_seen(self) -> bool:
        """LG-428 Entry does not open before it was acknowledged: `forecast_not_seen`."""
        return self.trials > 0 and Fraction(self.dead_ends, self.trials) > SHARE


def is_safe(size: int, rounds: int) -> bool:
    """LG-429 So few rounds cannot run out of fresh opponents."""
    return rounds <= (size + 1) // 2


def forecast(size: int, rounds: int, seed: bytes, rules: Rules, trials: int = TRIALS) -> Forecast:
    """LG-428, LG-430 For an expected or a real field."""
    if is_safe(size, rounds):
        return Forecast(0, 0)
    return Forecast(trials, sum(not _ends(size, rounds, round_dice(seed, "forecast", number), rules) for number in range(trials)))


def _ends(size: int, rounds: int, dice: Dice, rules: Rules) -> bool:
    """One trial: whether it comes to its end."""
    records: list[Record] = []
    for number in range(1, rounds + 1):
        plan = Plan(number, rounds)
        try:
            paired = pair(cards(range(1, size + 1), records, rules, plan), plan)
        except Refused:
            return False
        records.append(_played(paired, dice, rules))
    return True


def _played(paired: Paired, dice: Dice, rules: Rules) -> Record:
    places = ((1, 2), (1, 1), (2, 1))
    tables = tuple(tuple(Seat(number, place) for number, place in zip(table, dice.pick(places), strict=True)) for table in paired.tables)
    return Record(tables, () if paired.bye is None else (Bye(paired.bye, ALLOCATED, bye_points(rules)),))
