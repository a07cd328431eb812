"""How long does pairing a round take, and how does the time grow with the field?"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction

from services.league.formats.swiss2.cards import Plan, cards
from services.league.formats.swiss2.pairing import pair
from services.league.formats.swissn import cards as multi
from services.league.formats.swissn.seating import seat
from services.league.record import ALLOCATED, Bye, Record
from services.league.scoring import Rules, Seat
from services.league.tables import Limits
from services.league.ties.book import Facts, book
from services.league.ties.codes import defaults
from services.league.ties.ranking import ranking
from shared.kernel.dice import Dice

ROUNDS = 5          # played before the round that is measured
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
TWO = Rules(draw=Fraction(1, 2))


def two_seats(size: int) -> tuple[float, float]:
    """Processor seconds to make the cards and to pair a round of Swiss at tables of two, after some rounds."""
    dice = Dice(bytes(32), f"bench|{size}|")
    field = range(1, size + 1)
    records: list[Record] = []
    for number in range(1, ROUNDS + 1):
        plan = Plan(number, ROUNDS + 5)
        paired = pair(cards(field, records, TWO, plan), plan)
        byes = () if paired.bye is None else (Bye(paired.bye, ALLOCATED, Fraction(1)),)
        records.append(Record(tuple(_result(table, dice) for table in paired.tables), byes))
    plan = Plan(ROUNDS + 1, ROUNDS + 5)
    begun = time.process_time()
    made = cards(field, records, TWO, plan)
    carded = time.process_time()
    pair(made, plan)
    return carded - begun, time.process_time() - carded


def four_seats(size: int) -> tuple[float, float]:
    """The same at tables of four."""
    dice = Dice(bytes(32), f"bench|{size}|")
    rules, limits = Rules(preferred=4), Limits(3, 5, 4)
    field = range(1, size + 1)
    records: list[Record] = []
    for number in range(1, ROUNDS + 1):
        found = seat(multi.cards(field, records, rules), multi.Plan(number, ROUNDS + 5, limits))
        records.append(Record(tuple(_placed(table, dice) for table in found.tables)))
    begun = time.process_time()
    made = multi.cards(field, records, rules)
    carded = time.process_time()
    seat(made, multi.Plan(ROUNDS + 1, ROUNDS + 5, limits))
    return carded - begun, time.process_time() - carded


def ranked(size: int) -> tuple[float, float]:
    """Processor seconds to read the results of a whole stage and to rank it with all default tie-breaks."""
    dice = Dice(bytes(32), f"bench|{size}|")
    records = []
    for _ in range(ROUNDS):
        order = dice.shuffled(range(1, size + 1))
        records.append(Record(tuple(_result(order[at:at + 2], dice) for at in range(0, size - 1, 2))))
    begun = time.process_time()
    found = book(range(1, size + 1), records, TWO, Facts(ROUNDS))
    read = time.process_time()
    ranking(found, defaults("swiss", 2, scores=False))
    return read - begun, time.process_time() - read


def _result(table: tuple[int, ...], dice: Dice) -> tuple[Seat, ...]:
    chance = dice.below(10)
    places = (1, 1) if chance < 2 else (1, 2) if chance < 6 else (2, 1)
    return tuple(Seat(number, place) for number, place in zip(table, places, strict=True))


def _placed(table: tuple[int, ...], dice: Dice) -> tuple[Seat, ...]:
    return tuple(Seat(number, place) for place, number in enumerate(dice.shuffled(table), start=1))


def lines(sizes: tuple[int, ...] = SIZES) -> Iterator[str]:
    """One line for each size and format."""
    measured: dict[str, Callable[[int], tuple[float, float]]] = {"two seats": two_seats, "four seats": four_seats, "standing": ranked}
    for name, measure in measured.items():
        for size in sizes:
            made, paired = measure(size)
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            yield f"Swiss, {name}, {size:>7,} entrants: read {made:6.2f} s, worked out {paired:6.2f} s, at most {used} MiB"


def main() -> int:
    """Prints the table."""
    for line in lines():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
