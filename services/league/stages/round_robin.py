"""How does a round robin go: everybody meets everybody about equally often, at tables of two or of three to eight?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from services.league.counting.possible import Interval
from services.league.draws import drawn, round_dice
from services.league.formats import designs
from services.league.formats.berger import schedule as berger
from services.league.formats.round_robin import Round, next_round
from services.league.record import Record
from services.league.refusals import Refused
from services.league.stages import counts
from services.league.stages.facts import (
    NOT_ENOUGH,
    At,
    Consequences,
    Draft,
    Drafted,
    Facts,
    Level,
    Line,
    Meeting,
    Over,
    Plan,
    Waits,
)
from services.league.stages.points_formats import chances_left, final_ranks, only_the_standing, reachable, totals
from services.league.stages.rules import MOST_IN_ROUND_ROBIN, limits
from services.league.tables import Limits
from services.league.ties.book import Book
from services.league.withdrawals import forfeited, removed, taken_out

SHOWN = 2_000           # entrants for whom a greedy plan is worked out before the start


def known_schedule(facts: Facts) -> tuple[Round, ...] | None:
    """LG-307, LG-322, LG-329 The whole schedule where it is fixed at the start; nothing where each round is made in its turn."""
    field = facts.field
    if facts.rules.two:
        if len(field) > MOST_IN_ROUND_ROBIN:
            raise Refused("bad_setting", f"a round robin of two is for at most {MOST_IN_ROUND_ROBIN} entrants", [len(field)])
        return tuple(Round(tuple(tuple(field[number - 1] for number in table) for table in one.tables), tuple(field[number - 1] for number in one.rests))
                     for one in berger(len(field), double=facts.rules.double))
    rounds = designs.rounds_of(len(field), limits(facts.rules))
    if rounds is None or facts.rules.rounds not in {None, rounds}:
        return None
    order = drawn(facts.seed, "design", facts.stage, map(str, field))
    return _designed(tuple(map(int, order)), limits(facts.rules))


@lru_cache(maxsize=64)
def _designed(order: tuple[int, ...], within: Limits) -> tuple[Round, ...] | None:
    return designs.schedule(order, within)


def planned_rounds(facts: Facts) -> int:
    """LG-326 As set; where nothing is set, as many as everybody would need to meet everybody once."""
    if not facts.rules.two and facts.rules.rounds is not None:
        return facts.rules.rounds
    known = known_schedule(facts)
    return len(known) if known is not None else -(-(len(facts.field) - 1) // max(1, facts.rules.seats.preferred - 1))


def greedy(facts: Facts, field: Collection[int], past: Sequence[Round]) -> Round:
    """LG-326 The next round for those who are left, from what has been."""
    return next_round(field, past, limits(facts.rules), round_dice(facts.seed, facts.stage, len(past) + 1))


def past_of(facts: Facts) -> list[Round]:
    return [Round(tuple(meeting.numbers for meeting in one.meetings if meeting.state != "void"), one.rests) for one in facts.rounds]


def foreseen(facts: Facts) -> tuple[Round, ...]:
    """LG-327 All rounds, if nobody leaves."""
    known = known_schedule(facts)
    if known is not None:
        return known
    rounds: list[Round] = []
    for _ in range(planned_rounds(facts)):
        rounds.append(greedy(facts, facts.field, rounds))
    return tuple(rounds)


def plan(facts: Facts) -> Plan:
    """LG-322, LG-327, LG-328 Tables, rounds, and how often everybody meets."""
    if len(facts.field) > SHOWN:
        return Plan(planned_rounds(facts), notes=("so large a field is worked out round by round",))
    rounds = foreseen(facts)
    found = designs.balance(rounds, facts.field)
    levels = tuple(Level(_sizes(one), 0, len(one.rests)) for one in rounds)
    design = len(found.couples) == 1 and found.tables[0] == found.tables[1]
    return Plan(len(rounds), levels, design, found.least, found.most, found.couples, found.tables, found.most - found.least > 1)


def _sizes(one: Round) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(map(len, one.tables)).items(), reverse=True))


def results(facts: Facts) -> tuple[Record, ...]:
    """LG-234, LG-678 The records as they count: who left early counts for nobody; who left late, or was disqualified, loses what remains."""
    found = counts.records(facts)
    if not facts.gone and not facts.barred:
        return found
    schedule, out = [one.tables for one in _whole(facts)], out_of(facts)
    kept = removed(found, out)
    return forfeited(kept, _due(facts, schedule, out), (facts.gone | facts.barred) - out) if facts.rules.two else kept


def out_of(facts: Facts) -> frozenset[int]:
    """LG-234 Who left before having played half of their matches."""
    return taken_out(counts.records(facts), [one.tables for one in _whole(facts)], facts.gone) if facts.gone else frozenset()


def _whole(facts: Facts) -> Sequence[Round]:
    return foreseen(facts) if len(facts.field) <= SHOWN else past_of(facts)


def _due(facts: Facts, schedule: Sequence[Sequence[tuple[int, ...]]], out: frozenset[int]) -> list[list[tuple[int, ...]]]:
    """What remains: tables with somebody who is out are off, and a published one that is undecided or void is no forfeit."""
    open_ones = [[set(meeting.numbers) for meeting in one.meetings if not counts.is_counted(meeting)] for one in facts.rounds]
    return [[table for table in one if not out & set(table) and (at >= len(open_ones) or set(table) not in open_ones[at])]
            for at, one in enumerate(schedule)]


def draft(facts: Facts, _option: str = "") -> Drafted | Over | Waits:
    """LG-307, LG-324, LG-326 The next round of the schedule, or the next that can be made."""
    number, here = len(facts.rounds) + 1, counts.left(facts)
    if number > planned_rounds(facts):
        return Over()
    if len(here) < 2:
        return Waits(NOT_ENOUGH)
    known = known_schedule(facts)
    if known is None:
        return _seated(facts, greedy(facts, here, past_of(facts)), ())
    out = taken_out(counts.records(facts), [one.tables for one in known], facts.gone)
    return _seated(facts, known[number - 1], out)


def _seated(facts: Facts, one: Round, out: Collection[int]) -> Drafted:
    """LG-234 A table of two with somebody who has left late is lost by them; a larger table goes on without them.

    LG-275 Where too few are left for a table of the stage, they rest.
    """
    gone, least = facts.gone | facts.barred, limits(facts.rules).least
    drafts = []
    for table in one.tables:
        here = tuple(number for number in table if number not in gone)
        lost = [number for number in table if number in gone and number not in out]
        if len(here) >= least:
            drafts.append(Draft(here, why={"rule": "schedule", "without": [number for number in table if number in gone]}))
        elif len(table) == 2 and len(here) == 1 and lost:
            drafts.append(Draft(table, why={"rule": "schedule", "left": lost}, absent=tuple(lost)))
    seated = {number for one_draft in drafts for number in one_draft.numbers}
    return Drafted(tuple(drafts), (), tuple(number for number in facts.field if number not in seated and number not in gone))


def parallel(facts: Facts) -> bool:
    """LG-308 In any order."""
    return facts.rules.any_order


def startable(facts: Facts) -> tuple[At, ...]:
    """LG-308, LG-562 The ready pairings that may start now: nobody has more than `open_matches` at the same time."""
    busy = Counter(number for meeting in counts.open_meetings(facts) if meeting.state != "ready" for number in meeting.numbers)
    found = []
    for number, one in enumerate(facts.rounds, start=1):
        for meeting in one.meetings:
            if meeting.state == "ready" and all(busy[entrant] < facts.rules.open_matches for entrant in meeting.numbers):
                busy.update(meeting.numbers)
                found.append((number, meeting.table))
    return tuple(found)


def meets(facts: Facts) -> int:
    """LG-746 How often the format plans each couple to meet."""
    if facts.rules.two:
        return 2 if facts.rules.double else 1
    return max(1, plan(facts).least) if known_schedule(facts) is not None else 1


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-234, LG-306, LG-770 The standing."""
    return counts.standing(facts, results(facts), planned_rounds(facts), meets(facts), out_of(facts))


def book(facts: Facts, _number: int) -> Book:
    """LG-771 What the tie-breaks of the standing look up."""
    return counts.book(facts, results(facts), planned_rounds(facts), meets(facts), out_of(facts))


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-821 to LG-824 With a schedule of two all that remains is known; elsewhere bounds on what can be reached."""
    points = totals(facts, results(facts))
    known = known_schedule(facts)
    if known is None or not facts.rules.two:
        return reachable(facts, points, chances_left(facts, planned_rounds(facts)))
    gone = facts.gone | facts.barred
    to_come = [table for one in known[len(facts.rounds):] for table in one.tables if not gone & set(table)]
    return final_ranks(facts, points, [*(meeting.numbers for meeting in counts.open_meetings(facts)), *to_come])


def consequences(_facts: Facts, _pairing: At, _after: Meeting) -> Consequences:
    """LG-915."""
    return only_the_standing()


def bracket(_facts: Facts) -> Mapping[str, Any] | None:
    return None


def cross(facts: Facts) -> Mapping[str, Any] | None:
    return counts.cross_table(facts, lines(facts))
