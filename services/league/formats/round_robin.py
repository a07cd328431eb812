"""Who sits with whom in the next round, when everybody should meet everybody about equally often at tables of several seats?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from services.league.tables import Limits, Sat, in_seats, sizes
from shared.kernel.dice import Dice

WINDOW = 64         # how many entrants are looked at for one seat, and how many others for one exchange
ATTEMPTS = 24       # different beginnings in a small field; a large one gets fewer
WORK = 3_000        # entrants times attempts
PASSES = 6          # rounds of exchanges
REPEAT = 1_000_000  # repeated meetings always weigh more than tables of another size


class Round(NamedTuple):
    """A round: at each table the pairing numbers in the order of seats, and who rests."""

    tables: tuple[tuple[int, ...], ...]
    rests: tuple[int, ...] = ()


Tables = list[list[int]]


class History:
    """What has been: who met whom, at tables of which size, in which seats, and who rested."""

    def __init__(self, past: Iterable[Round]) -> None:
        self.met: Counter[tuple[int, int]] = Counter()
        self.sized: Counter[tuple[int, int]] = Counter()
        self.rested: Counter[int] = Counter()
        self.sat: dict[int, list[Sat]] = {}
        for one in past:
            self.rested.update(one.rests)
            for table in one.tables:
                self._add(table)

    def _add(self, table: tuple[int, ...]) -> None:
        self.met.update(combinations(sorted(table), 2))
        self.sized.update((number, len(table)) for number in table)
        for seat, number in enumerate(table):
            self.sat.setdefault(number, []).append(Sat(seat, len(table)))

    def joins(self, number: int, others: Iterable[int], size: int) -> int:
        """By how much the squares of LG-326 (and, far behind, those of table sizes) grow if this one joins the others."""
        met = self.met
        repeats = sum(2 * met[(number, other) if number < other else (other, number)] + 1 for other in others)
        return REPEAT * repeats + 2 * self.sized[number, size] + 1


def next_round(field: Iterable[int], past: Sequence[Round], limits: Limits, dice: Dice) -> Round:
    """LG-326 The seating with the fewest repeated meetings that is found; the same inputs give the same round (LG-1021)."""
    history, numbers = History(past), sorted(field)
    wanted = sizes(len(numbers), limits)
    rests = _resting(dice.shuffled(numbers), len(numbers) - sum(wanted), history)
    playing = [number for number in numbers if number not in rests]
    attempts = max(1, min(ATTEMPTS, WORK // max(1, len(playing))))
    found = (_exchanged(_dealt(dice.shuffled(playing), wanted, history), history) for _ in range(attempts))
    tables = min(found, key=lambda tables: _cost(tables, history))
    return Round(tuple(in_seats(table, history.sat) for table in sorted(map(sorted, tables))), tuple(sorted(rests)))


def _resting(order: Sequence[int], count: int, history: History) -> frozenset[int]:
    """LG-275, LG-324 Who is left over rests, and all rest equally often."""
    return frozenset(sorted(order, key=lambda number: history.rested[number])[:count])


def _dealt(order: Sequence[int], wanted: Sequence[int], history: History) -> Tables:
    """Table by table, the next seat goes to whoever repeats least there; among equals to the first in order."""
    waiting = dict.fromkeys(order)
    tables = []
    for size in wanted:
        table: list[int] = []
        for _ in range(size):
            chosen = min(islice(waiting, WINDOW), key=lambda number: history.joins(number, table, size))
            del waiting[chosen]
            table.append(chosen)
        tables.append(table)
    return tables


def _exchanged(tables: Tables, history: History) -> Tables:
    """Two entrants change places as long as that makes fewer repeats."""
    for _ in range(PASSES):
        gains = [_better(tables, spot, history) for spot in _repeating(tables, history)]
        if True not in gains:
            break
    return tables


def _repeating(tables: Tables, history: History) -> list[tuple[int, int]]:
    """The places of those who meet somebody again."""
    return [(number, place) for number, table in enumerate(tables) for place, one in enumerate(table)
            if any(history.met[min(one, other), max(one, other)] for other in table)]


def _better(tables: Tables, spot: tuple[int, int], history: History) -> bool:
    """Exchanges the one at this place with the best other one, if that is a gain."""
    gain, number, place = min(_exchanges(tables, spot, history), default=(0, 0, 0))
    if gain >= 0:
        return False
    here, there = tables[spot[0]], tables[number]
    here[spot[1]], there[place] = there[place], here[spot[1]]
    return True


def _exchanges(tables: Tables, spot: tuple[int, int], history: History) -> Iterator[tuple[int, int, int]]:
    """Each possible exchange with what it would add to the cost; tables beyond the window are not looked at."""
    here = tables[spot[0]]
    one, others = here[spot[1]], here[:spot[1]] + here[spot[1] + 1:]
    leaves = history.joins(one, others, len(here))
    near = sorted(range(len(tables)), key=lambda number: abs(number - spot[0]))[1:WINDOW]
    for number in near:
        there = tables[number]
        for place, other in enumerate(there):
            rest = there[:place] + there[place + 1:]
            after = history.joins(one, rest, len(there)) + history.joins(other, others, len(here))
            yield after - leaves - history.joins(other, rest, len(there)), number, place


def _cost(tables: Tables, history: History) -> int:
    return sum(history.joins(number, table[:place], len(table)) for table in tables for place, number in enumerate(table))
