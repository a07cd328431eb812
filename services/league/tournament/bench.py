"""How long does recording one result take, and how does the time grow with the field?"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator, Sequence

from services.league.kind import Actor, Card, Scene
from services.league.stages.rules import Seats, StageRules
from services.league.tournament.acts import RecordMatch, SeatEnded
from services.league.tournament.advance import advance
from services.league.tournament.deciding.results import record
from services.league.tournament.events import fold, grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Entered
from services.league.tournament.events.life import Closed, Created
from services.league.tournament.events.rounds import RoundPublished, StageStarted
from services.league.tournament.settings import Settings
from services.league.tournament.state import Pairing, State

MEASURED = 2_000        # results of the round that are recorded


def running(size: int) -> State:
    """A round of so many entrants at tables of two, none of which is decided."""
    rules = StageRules("swiss", Seats(2, 2, 2), rounds=9)
    card = Card("bench", ("1",), frozenset({2}))
    state = fold(None, Created(at=1, tournament="bench", organisation="bench", settings=Settings("Bench", "bench", "1", (rules,)), card=card, seed_hash=""))
    names = tuple(f"acc-{number}" for number in range(1, size + 1))
    state = grown(state, [Entered(at=1, account=name) for name in names])
    pairings = tuple(Pairing(table, (2 * table - 1, 2 * table), match=f"m-{table}") for table in range(1, size // 2 + 1))
    return grown(state, [Closed(at=1, seeds=names), StageStarted(at=1, stage=1, accounts=names, planned_rounds=9),
                         RoundPublished(at=1, stage=1, round=1, pairings=pairings)])


def recorded(size: int) -> Sequence[float]:
    """Processor seconds for each result: read, decided, folded, and looked at for what follows by itself; the slowest last."""
    state, scene, spent = running(size), Scene(2, Actor()), []
    tables = size // 2
    for at in range(min(MEASURED, tables - 1)):
        table = 1 + at * 7_919 % tables
        act = RecordMatch(match=f"m-{table}", ended="finished", seats=(SeatEnded(0, 1), SeatEnded(1, 2)))
        begun = time.process_time()
        state = grown(state, (event for event in record(state, act, scene).events if isinstance(event, Happened)))
        advance(state, scene)
        spent.append(time.process_time() - begun)
    return sorted(spent)


def lines(sizes: Sequence[int]) -> Iterator[str]:
    """One line for each size."""
    for size in sizes:
        spent = recorded(size)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        yield (f"One result, {size:>7,} entrants: half of them within {spent[len(spent) // 2] * 1e3:.2f} ms, 99 in 100 within "
               f"{spent[len(spent) * 99 // 100] * 1e3:.2f} ms, the slowest {spent[-1] * 1e3:.1f} ms, at most {used} MiB")
