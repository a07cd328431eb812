"""Who sits with whom, and who goes on, in elimination at tables of three to eight?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from services.league.refusals import Refused
from services.league.scoring import PLAYED, Seat
from services.league.seeding import snake
from services.league.tables import Limits, sizes

SEED, DECIDER, ALL = "seed", "decider", "all"


class Level(NamedTuple):
    """One round of the plan: who is in it, the tables, who goes on from each, and how many rest."""

    entrants: int
    tables: tuple[int, ...]
    advance: int
    byes: int


class Qualified(NamedTuple):
    """LG-485 Who goes on from a table, who is out, and who must play a decider for how many places."""

    on: tuple[int, ...]
    out: tuple[int, ...]
    level: tuple[int, ...] = ()
    places: int = 0


def plan(entrants: int, limits: Limits, advance: int = 1) -> tuple[Level, ...]:
    """LG-481, LG-482 All rounds before the start; the last one is the final table."""
    if entrants < max(2, limits.least):
        raise Refused("not_enough_players", f"fewer than {limits.least} entrants")
    levels: list[Level] = []
    while entrants > limits.most:
        tables = sizes(entrants, limits)
        byes = entrants - sum(tables)
        kept = next((count for count in range(advance, tables[-1]) if count * len(tables) + byes >= limits.least), tables[-1] - 1)
        levels.append(Level(entrants, tables, kept, byes))
        entrants = kept * len(tables) + byes
    return (*levels, Level(entrants, (entrants,), 0, 0))


def first_tables(entrants: int, limits: Limits) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """LG-483, LG-484 Round 1: a snake over the seeds; who has no table is among the highest."""
    return dealt(range(1, entrants + 1), {}, limits)


def dealt(order: Iterable[int], before: Mapping[int, int], limits: Limits, rested: Mapping[int, int] | None = None) -> tuple[
        tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """LG-483, LG-484 The tables and the byes; `order` is by place in the last match, then seed, `before` the last table of each.

    Short tables hold the highest seeds (LG-276).
    """
    given = list(order)
    wanted = (len(given),) if limits.least <= len(given) <= limits.most else sizes(len(given), limits)
    had = rested or {}
    byes = sorted(given, key=lambda seed: (had.get(seed, 0), seed))[:len(given) - sum(wanted)]
    playing = [seed for seed in given if seed not in byes]
    tables = _filled(playing, sorted(wanted))
    _parted(tables, before)
    return tuple(tuple(sorted(table)) for table in tables), tuple(sorted(byes))


def _filled(playing: Sequence[int], wanted: Sequence[int]) -> list[list[int]]:
    """A snake that leaves out tables that are full; the short ones come first and so hold the highest."""
    if not wanted:
        return []
    whole = snake(playing[:wanted[0] * len(wanted)], len(wanted))
    tables = [list(table) for table in whole]
    rest = list(playing[wanted[0] * len(wanted):])
    for table, size in zip(tables, wanted, strict=True):
        while len(table) < size:
            table.append(rest.pop(0))
    return tables


def _parted(tables: list[list[int]], before: Mapping[int, int]) -> None:
    """LG-484 Entrants from one table change rows with others until no exchange parts more of them."""
    improved = True
    while improved:
        improved = any(_exchanged(tables, one, other, before) for one in range(len(tables)) for other in range(one + 1, len(tables)))


def _exchanged(tables: list[list[int]], one: int, other: int, before: Mapping[int, int]) -> bool:
    for row in range(min(len(tables[one]), len(tables[other]))):
        now = _together(tables[one], before) + _together(tables[other], before)
        if not now:
            return False
        tables[one][row], tables[other][row] = tables[other][row], tables[one][row]
        if _together(tables[one], before) + _together(tables[other], before) < now:
            return True
        tables[one][row], tables[other][row] = tables[other][row], tables[one][row]
    return False


def _together(table: Sequence[int], before: Mapping[int, int]) -> int:
    known = [before[seed] for seed in table if seed in before]
    return sum(known.count(last) - 1 for last in known)


def qualified(table: Sequence[Seat], advance: int, cut_tie: str = SEED, room: int = 0) -> Qualified:
    """LG-485, LG-486, LG-488 By place, whoever stayed before whoever left; a tie at the border as the stage says."""
    stayed = sorted((seat for seat in table if seat.how == PLAYED), key=lambda seat: (seat.place, seat.number))
    out = [seat.number for seat in table if seat.how != PLAYED]
    if len(stayed) <= advance:
        return Qualified(tuple(seat.number for seat in stayed), tuple(out))
    border = stayed[advance - 1].place
    level = [seat.number for seat in stayed if seat.place == border]
    ahead = [seat.number for seat in stayed if seat.place < border]
    behind = [seat.number for seat in stayed if seat.place > border] + out
    places = advance - len(ahead)
    if len(level) > places and cut_tie == DECIDER:
        return Qualified(tuple(ahead), tuple(behind), tuple(level), places)
    kept = len(level) if cut_tie == ALL and len(level) - places <= room else places
    return Qualified((*ahead, *level[:kept]), (*level[kept:], *behind))


def ranks(rounds: Sequence[Sequence[Sequence[Seat]]], on: Sequence[frozenset[int]]) -> dict[int, int]:
    """LG-487 Places of the final table; before it, later rounds ahead, and in a round better places; equal ones share."""
    keys: dict[int, tuple[int, int]] = {}
    for number, tables in enumerate(rounds):
        last = number == len(rounds) - 1
        for table in tables:
            keys |= {seat.number: (-number, seat.place) for seat in table if last or seat.number not in on[number]}
    return {seed: 1 + sum(other < own for other in keys.values()) for seed, own in keys.items()}
