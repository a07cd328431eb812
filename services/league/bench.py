"""How long do recording a result and pairing a round take, and how does the time grow with the field?"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from services.league.counting.rating import Chair, Match, recomputed
from services.league.record import Bye
from services.league.scoring import Seat
from services.league.stages import FORMATS, Drafted, Facts, Meeting, Played, StageRules
from services.league.stages.facts import CONFIRMED
from services.league.stages.rules import Seats
from services.league.tournament.bench import lines as recorded
from shared.kernel.dice import Dice

ROUNDS = 5          # played before the round that is measured
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
TWO, FOUR = Seats(2, 2, 2), Seats(3, 5, 4)
SWISS = FORMATS["swiss"]

Result = Callable[[tuple[int, ...], Dice], tuple[Seat, ...]]
Told = list[tuple[list[tuple[Seat, ...]], tuple[Bye, ...]]]         # the results of each round


def facts_of(size: int, seats: Seats, told: Told) -> Facts:
    """What a stage is asked with, made from results as they are stored."""
    field = tuple(range(1, size + 1))
    rounds = tuple(Played(tuple(Meeting(table, tuple(seat.number for seat in seats_of), CONFIRMED, (seats_of,))
                                for table, seats_of in enumerate(tables, start=1)), byes) for tables, byes in told)
    return Facts("bench/1", StageRules("swiss", seats, rounds=ROUNDS + 5), bytes(32), field, frozenset(field), rounds=rounds)


def drafted(facts: Facts) -> Drafted:
    found = SWISS.draft(facts)
    assert isinstance(found, Drafted)
    return found


def swiss(size: int, seats: Seats, result: Result) -> tuple[float, float]:
    """Processor seconds to make the facts of a stage after some rounds, and to pair the next with all its explanations."""
    dice, told = Dice(bytes(32), f"bench|{size}|"), Told()
    for _ in range(ROUNDS):
        found = drafted(facts_of(size, seats, told))
        told.append(([result(one.numbers, dice) for one in found.pairings], found.byes))
    begun = time.process_time()
    facts = facts_of(size, seats, told)
    made = time.process_time()
    drafted(facts)
    return made - begun, time.process_time() - made


def ranked(size: int) -> tuple[float, float]:
    """Processor seconds to make the facts of a whole stage and to rank it with all default tie-breaks."""
    dice, told = Dice(bytes(32), f"bench|{size}|"), Told()
    for _ in range(ROUNDS):
        order = dice.shuffled(range(1, size + 1))
        told.append(([_result(order[at:at + 2], dice) for at in range(0, size - 1, 2)], ()))
    begun = time.process_time()
    facts = facts_of(size, TWO, told)
    made = time.process_time()
    SWISS.lines(facts)
    return made - begun, time.process_time() - made


def _result(table: Sequence[int], dice: Dice) -> tuple[Seat, ...]:
    chance = dice.below(10)
    places = (1, 1) if chance < 2 else (1, 2) if chance < 6 else (2, 1)
    return tuple(Seat(number, place) for number, place in zip(table, places, strict=True))


def _placed(table: tuple[int, ...], dice: Dice) -> tuple[Seat, ...]:
    return tuple(Seat(number, place) for place, number in enumerate(dice.shuffled(table), start=1))


def two_seats(size: int) -> tuple[float, float]:
    return swiss(size, TWO, _result)


def four_seats(size: int) -> tuple[float, float]:
    return swiss(size, FOUR, _placed)


def lines(sizes: tuple[int, ...] = SIZES) -> Iterator[str]:
    """One line for each size and format."""
    measured: dict[str, Callable[[int], tuple[float, float]]] = {"two seats": two_seats, "four seats": four_seats, "standing": ranked}
    for name, measure in measured.items():
        for size in sizes:
            made, worked_out = measure(size)
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            yield f"Swiss, {name}, {size:>7,} entrants: read {made:6.2f} s, worked out {worked_out:6.2f} s, at most {used} MiB"


def ratings(count: int = 20_000) -> Iterator[str]:
    """LG-854 What a million matches of four seats would take."""
    chairs = [tuple(Chair(f"a{(at * 7 + seat * 13) % 997}", seat + 1, bot=True) for seat in range(4)) for at in range(997)]
    begun = time.process_time()
    recomputed(Match(str(at), "g", chairs[at % 997]) for at in range(count))
    yield f"ratings computed again: {(time.process_time() - begun) * 1_000_000 / count:.0f} s for a million matches of four"


def main() -> int:
    """Prints the table."""
    for line in chain(ratings(), recorded(SIZES), lines()):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
