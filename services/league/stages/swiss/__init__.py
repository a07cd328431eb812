"""How does a stage of Swiss go, round by round?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from services.league.counting.possible import Interval
from services.league.record import ABSENT, ALLOCATED, FULL, GIVEN_HALF, HALF, ZERO
from services.league.stages import counts
from services.league.stages.facts import (
    NOT_ENOUGH,
    At,
    Consequences,
    Drafted,
    Facts,
    Forecast,
    Level,
    Line,
    Meeting,
    Over,
    Plan,
    Waits,
)
from services.league.stages.points_formats import chances_left, final_ranks, pair_again, reachable, totals
from services.league.stages.rules import limits
from services.league.stages.swiss import many, two
from services.league.tables import sizes
from services.league.ties.book import Book

ASKED = (HALF, ZERO, FULL, GIVEN_HALF, ABSENT)


def plan(facts: Facts) -> Plan:
    """LG-271 The tables of each round, as long as everybody stays."""
    within = limits(facts.rules)
    wanted = sizes(len(facts.field), within)
    level = Level(tuple(sorted(Counter(wanted).items(), reverse=True)), 0, len(facts.field) - sum(wanted))
    return Plan(facts.rules.rounds, (level,) * (facts.rules.rounds or 0))


def forecast(facts: Facts, size: int) -> Forecast:
    """LG-428 Whether the rounds may run out of fresh opponents; at larger tables a repeat is dearer, never forbidden."""
    if not facts.rules.two:
        return Forecast(words="at tables of three and more only constraints can make a round impossible")
    return two.forecast(facts, size)


def draft(facts: Facts, option: str = "") -> Drafted | Over | Waits:
    """LG-172 to LG-175, LG-655 The next round: declared byes and absences first, then the pairing of all others."""
    number, here = len(facts.rounds) + 1, counts.left(facts)
    if facts.rules.rounds is not None and number > facts.rules.rounds:
        return Over()
    if len(here) < 2:
        return Waits(NOT_ENOUGH)
    asked = tuple(counts.asked_byes(facts, ASKED))
    missing = tuple(counts.absent(facts, (bye.number for bye in facts.requested)))
    out = {bye.number for bye in (*asked, *missing)}
    pool = tuple(one for one in here if one in facts.available and one not in out)
    found = _paired(facts, pool, option)
    return found._replace(byes=(*found.byes, *asked, *missing)) if isinstance(found, Drafted) else found


def _paired(facts: Facts, pool: Sequence[int], option: str) -> Drafted | Over | Waits:
    """LG-175 With nobody to pair the round consists of byes and absences, and is complete at once."""
    if len(pool) < 2:
        byes = tuple(counts.bye_of(facts.rules, number, ALLOCATED) for number in pool)
        return Drafted((), byes, notes=("nobody could be paired",), why_byes=dict.fromkeys(pool, "lowest"))
    return two.made(facts, pool, option) if facts.rules.two else many.made(facts, pool, option)


def parallel(_facts: Facts) -> bool:
    return False


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-801 The standing."""
    return counts.standing(facts, counts.records(facts), facts.rules.rounds or len(facts.rounds))


def book(facts: Facts, _number: int) -> Book:
    """LG-771 What the tie-breaks of the standing look up."""
    return counts.book(facts, counts.records(facts), facts.rules.rounds or len(facts.rounds))


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-821 to LG-824 Exact by points once the last round is published, before that by what can be reached."""
    return possible_by_points(facts, facts.rules.rounds or len(facts.rounds))


def possible_by_points(facts: Facts, rounds: int) -> Mapping[int, Interval]:
    points = totals(facts, counts.records(facts))
    if len(facts.rounds) >= rounds:
        return final_ranks(facts, points, [meeting.numbers for meeting in counts.open_meetings(facts)])
    return reachable(facts, points, chances_left(facts, rounds))


def consequences(facts: Facts, pairing: At, _after: Meeting) -> Consequences:
    """LG-915, LG-916."""
    return pair_again(facts, pairing)


def bracket(_facts: Facts) -> Mapping[str, Any] | None:
    return None


def cross(facts: Facts) -> Mapping[str, Any] | None:
    return counts.cross_table(facts, lines(facts))
