"""How does an arena go, beat by beat, and who leads it?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from services.league.counting.possible import Interval
from services.league.draws import drawn
from services.league.formats import arena as pure
from services.league.record import Record, started
from services.league.scoring import PLAYED, scored
from services.league.stages import counts
from services.league.stages.facts import HARD, LATER, At, Consequences, Draft, Drafted, Facts, Line, Meeting, Over, Plan, Waits
from services.league.stages.points_formats import chances_left, only_the_standing, reachable, totals
from services.league.stages.rules import ARENA_CODES, limits, scoring
from services.league.stages.series import table_of
from services.league.tables import in_seats
from services.league.ties.book import Book

SECOND = 1_000


def plan(_facts: Facts) -> Plan:
    """LG-521 An arena has no rounds that could be planned."""
    return Plan(notes=("who is free is seated again and again until the end",))


def draft(facts: Facts, _option: str = "") -> Drafted | Over | Waits:
    """LG-521 to LG-525 One beat: those who are free, by points and wait."""
    floor = facts.floor
    if floor.ends is not None and floor.now >= floor.ends:
        return Over("time", floor.ends + facts.rules.drain * SECOND)
    apart = counts.apart(facts, HARD, 1)
    free = _free(facts)
    names = [one.number for one in free]
    waiting = [one._replace(last=one.last | {other for other in names if _couple(one.number, other) in apart}) for one in free] if apart else free
    found = pure.beat(waiting, limits(facts.rules), floor.now, ends=floor.ends, max_wait=facts.rules.max_wait * SECOND)
    tables = [table for table in found.tables if not any(True for _ in apart.among(table))] if apart else list(found.tables)
    if not tables:
        return Waits(LATER)
    sat = counts.sat(facts)
    last = {one.number: one.last for one in free}
    drafts = tuple(Draft(in_seats(table, sat), why={"rule": "arena", "again": any(other in last[one] for one in table for other in table)})
                   for table in tables)
    seated = {number for table in tables for number in table}
    return Drafted(drafts, rests=tuple(sorted(number for number in names if number not in seated)))


def _couple(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _free(facts: Facts) -> list[pure.Waiting]:
    """LG-521 Ready, here, and in no match."""
    busy = {number for meeting in counts.open_meetings(facts) for number in meeting.numbers}
    here, points, last = set(counts.left(facts)) & facts.available, totals(facts, counts.records(facts)), _last_met(facts)
    passed = set(facts.rounds[-1].rests) if facts.rounds else set()
    return [pure.Waiting(number, points.get(number, Fraction(0)), since, last.get(number, frozenset()), number in passed)
            for number, since in sorted(facts.floor.since.items()) if number in here and number not in busy]


def _last_met(facts: Facts) -> dict[int, frozenset[int]]:
    """LG-523 Whom everybody's last match was against; a void one was none."""
    found: dict[int, frozenset[int]] = {}
    for one in facts.rounds:
        for meeting in one.meetings:
            if meeting.state != "void":
                found |= {number: frozenset(meeting.numbers) - {number} for number in meeting.numbers}
    return found


def parallel(_facts: Facts) -> bool:
    """LG-521 Whoever is free is seated while others play."""
    return True


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-526, LG-527 By points and an arena's own tie-breaks, or by those that were set."""
    found = counts.records(facts)
    if facts.rules.ties is not None:
        return counts.standing(facts, found, len(facts.rounds))
    rows = {line.number: line for line in counts.standing(facts, found, len(facts.rounds))}
    order = {int(name): at for at, name in enumerate(drawn(facts.seed, "lot", facts.stage, map(str, facts.field)), start=1)}
    firsts, seconds, reached = _places(found, 1), _places(found, 2), _reached(facts)
    compared = {number: pure.Line(number, line.points, firsts[number], seconds[number], line.played, reached.get(number, 0), order[number])
                for number, line in rows.items()}
    without = facts.barred | facts.unranked
    ranked = [(rank, rows[number]) for rank, number in pure.standing(one for number, one in compared.items() if number not in without)]
    return (*(line._replace(rank=rank, ties=_ties(compared[line.number]), decided="") for rank, line in ranked),
            *(line._replace(rank=None, ties=(), decided="") for line in rows.values() if line.number in without))


def book(facts: Facts, _number: int) -> Book:
    """LG-771 What the tie-breaks of the standing look up."""
    return counts.book(facts, counts.records(facts), len(facts.rounds))


def _places(found: Sequence[Record], wanted: int) -> defaultdict[int, Fraction]:
    """LG-750 `P1`, `P2`: who shares places in a played match has a part of each."""
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    for record in found:
        for table in filter(started, record.tables):
            for seat in table:
                sharing = sum(other.place == seat.place for other in table)
                if seat.how == PLAYED and seat.place <= wanted < seat.place + sharing:
                    sums[seat.number] += Fraction(1, sharing)
    return sums


def _reached(facts: Facts) -> dict[int, int]:
    """LG-527 When everybody had the points that they have now."""
    found: dict[int, int] = {}
    rules = scoring(facts.rules)
    decided = sorted((meeting for one in facts.rounds for meeting in one.meetings if counts.is_counted(meeting)), key=lambda one: one.at)
    for meeting in decided:
        gained = scored(table_of(facts.rules, meeting), rules)
        found |= {number: meeting.at for number, worth in gained.items() if worth}
    return found


def _ties(one: pure.Line) -> tuple[tuple[str, Fraction], ...]:
    values = (one.firsts, one.seconds, Fraction(one.points) / max(1, one.matches), Fraction(one.reached), Fraction(one.lot))
    return tuple(zip(ARENA_CODES, values, strict=True))


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-822 Until the end anything can happen; after it only the matches that still run count."""
    points = totals(facts, counts.records(facts))
    if facts.floor.ends is None or facts.floor.now < facts.floor.ends:
        return dict.fromkeys(points, Interval(1, max(1, len(points))))
    return reachable(facts, points, chances_left(facts, len(facts.rounds)))


def consequences(_facts: Facts, _pairing: At, _after: Meeting) -> Consequences:
    """LG-915."""
    return only_the_standing()


def bracket(_facts: Facts) -> Mapping[str, Any] | None:
    return None


def cross(facts: Facts) -> Mapping[str, Any] | None:
    return counts.cross_table(facts, lines(facts))
