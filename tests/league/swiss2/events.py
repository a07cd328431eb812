"""What may happen in a two-seat Swiss? Whole events from a seed: late entries, withdrawals, byes asked for, forfeits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from services.league.formats.swiss2.cards import Card, Plan, cards
from services.league.formats.swiss2.pairing import Paired, pair
from services.league.record import ABSENT, ALLOCATED, HALF, NO_SHOW, ZERO, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat

RULES = Rules(draw=Fraction(1, 2))
WON, LEVEL, LOST, CAME_ALONE, NOT_COME, NOBODY = (1, 2), (1, 1), (2, 1), "alone", "not", "nobody"


class Step(NamedTuple):
    """One round to pair: what was before, who is there, and what came out."""

    records: tuple[Record, ...]
    cards: tuple[Card, ...]
    plan: Plan
    byes: tuple[Bye, ...]
    paired: Paired | None


def event(seed: int, most: int = 60) -> Iterator[Step]:
    """All rounds of one event; it ends where nothing can be paired."""
    chance = random.Random(seed)
    size = chance.randint(4, most)
    rounds = chance.randint(2, min(9, size - 1))
    late = {number: chance.randint(2, max(2, rounds // 2)) for number in range(2, size + 1) if chance.random() < 0.04}
    gone: dict[int, int] = {number: chance.randint(2, rounds) for number in range(1, size + 1) if chance.random() < 0.05}
    records: list[Record] = []
    first = chance.random() < 0.5
    for number in range(1, rounds + 1):
        plan = Plan(number, rounds, first)
        byes = tuple(_away(number, rounds, size, (late, gone, chance)))
        field = [one for one in range(1, size + 1) if one not in {bye.number for bye in byes}]
        found = cards(field, records, RULES, plan)
        try:
            paired = pair(found, plan)
        except Refused:
            yield Step(tuple(records), found, plan, byes, None)
            return
        yield Step(tuple(records), found, plan, byes, paired)
        free = () if paired.bye is None else (Bye(paired.bye, ALLOCATED, Fraction(1)),)
        records.append(Record(tuple(_played(one, other, chance) for one, other in paired.tables), (*byes, *free)))


def _away(number: int, rounds: int, size: int, facts: tuple[dict[int, int], dict[int, int], random.Random]) -> Iterator[Bye]:
    late, gone, chance = facts
    for one in range(1, size + 1):
        if number < late.get(one, 0) or number >= gone.get(one, 99):
            yield Bye(one, ABSENT)
        elif chance.random() < 0.03 and number < rounds:
            yield Bye(one, *chance.choice([(HALF, Fraction(1, 2)), (ZERO, Fraction(0))]))


def _played(one: int, other: int, chance: random.Random) -> tuple[Seat, ...]:
    if chance.random() < 0.03:
        return chance.choice([
            (Seat(one, 1), Seat(other, 2, how=NO_SHOW)), (Seat(one, 2, how=NO_SHOW), Seat(other, 1)),
            (Seat(one, 1, how=NO_SHOW), Seat(other, 1, how=NO_SHOW))])
    edge = chance.gauss(other - one, 15)
    places = LEVEL if abs(edge) < 4 else WON if edge > 0 else LOST
    return Seat(one, places[0]), Seat(other, places[1])
