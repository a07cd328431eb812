"""How long does pairing a round take, and how does the time grow with the field?"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction

from services.league.formats.swiss2.cards import Plan, cards
from services.league.formats.swiss2.pairing import pair
from services.league.record import ALLOCATED, Bye, Record
from services.league.scoring import Rules, Seat
from shared.kernel.dice import Dice

ROUNDS = 5          # played before the round that is measured
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
TWO = Rules(draw=Fraction(1, 2))


def two_seats(size: int) -> tuple[float, float]:
    """Seconds to make the cards and to pair a round of Swiss at tables of two, after some rounds."""
    dice = Dice(bytes(32), f"bench|{size}|")
    field = range(1, size + 1)
    records: list[Record] = []
    for number in range(1, ROUNDS + 1):
        plan = Plan(number, ROUNDS + 5)
        paired = pair(cards(field, records, TWO, plan), plan)
        byes = () if paired.bye is None else (Bye(paired.bye, ALLOCATED, Fraction(1)),)
        records.append(Record(tuple(_result(table, dice) for table in paired.tables), byes))
    plan = Plan(ROUNDS + 1, ROUNDS + 5)
    begun = time.perf_counter()
    made = cards(field, records, TWO, plan)
    carded = time.perf_counter()
    pair(made, plan)
    return carded - begun, time.perf_counter() - carded


def _result(table: tuple[int, ...], dice: Dice) -> tuple[Seat, ...]:
    chance = dice.below(10)
    places = (1, 1) if chance < 2 else (1, 2) if chance < 6 else (2, 1)
    return tuple(Seat(number, place) for number, place in zip(table, places, strict=True))


def lines(sizes: tuple[int, ...] = SIZES) -> Iterator[str]:
    """One line for each size and format."""
    measured: dict[str, Callable[[int], tuple[float, float]]] = {"two seats": two_seats}
    for name, measure in measured.items():
        for size in sizes:
            made, paired = measure(size)
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            yield f"Swiss, {name}, {size:>7,} entrants: read {made:6.2f} s, paired {paired:6.2f} s, at most {used} MiB"


def main() -> int:
    """Prints the table."""
    for line in lines():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
