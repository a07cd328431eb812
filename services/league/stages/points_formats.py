"""What have the formats in common in which everybody plays on and points are added up?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from services.league.counting.possible import Interval, from_reach, intervals
from services.league.record import Record, by_entrant, total
from services.league.scoring import first_place, scale_for
from services.league.stages.counts import has_begun, has_started, left
from services.league.stages.facts import At, Consequences, Facts
from services.league.stages.rules import limits, scoring

Points = dict[int, Fraction]


def totals(facts: Facts, found: Sequence[Record]) -> Points:
    """The points of all who can have a rank."""
    rows = by_entrant(facts.field, found, scoring(facts.rules))
    return {number: total(row) for number, row in rows.items() if number not in facts.barred and number not in facts.unranked}


def final_ranks(facts: Facts, points: Points, tables: Iterable[Sequence[int]]) -> dict[int, Interval]:
    """LG-821 to LG-824 Where all tables that are still to come are known."""
    known = [tuple(table) for table in tables]
    if facts.rules.model != "places":
        return dict.fromkeys(points, Interval(1, max(1, len(points)))) if known else intervals(points, [], scoring(facts.rules))
    if any(number not in points for table in known for number in table):
        # Somebody without a rank still gives points, or a forfeit win, to those who sit there.
        return reachable(facts, points, Counter(number for table in known for number in table))
    return intervals(points, known, scoring(facts.rules))


def reachable(facts: Facts, points: Points, chances: Mapping[int, int]) -> dict[int, Interval]:
    """LG-822, LG-824 Where they are not: `chances` says how many results somebody can still have; equal points count as both orders."""
    rules, within = scoring(facts.rules), limits(facts.rules)
    if facts.rules.model != "places":
        return dict.fromkeys(points, Interval(1, max(1, len(points)))) if any(chances.values()) else final_ranks(facts, points, ())
    best = max(first_place(rules), *(scale_for(size, rules.scales)[0] for size in range(within.least, within.most + 1)))
    least = min(Fraction(0), rules.leaver or Fraction(0), *(scale_for(size, rules.scales)[-1] for size in range(within.least, within.most + 1)))
    low = {number: worth + least * chances.get(number, 0) for number, worth in points.items()}
    high = {number: worth + best * chances.get(number, 0) for number, worth in points.items()}
    return from_reach(low, high)


def chances_left(facts: Facts, rounds: int) -> dict[int, int]:
    """How many results somebody who is left can still have: pairings of published rounds that are open, and rounds to come."""
    to_come = max(0, rounds - len(facts.rounds))
    found = dict.fromkeys(left(facts), to_come)
    for one in facts.rounds:
        for meeting in one.meetings:
            if meeting.state not in {"confirmed", "walkover", "void"}:
                for number in meeting.numbers:
                    found[number] = found.get(number, 0) + 1
    return found


def only_the_standing() -> Consequences:
    """LG-915 Published pairings stay as they are."""
    return Consequences(words=("the standing changes; published pairings stay as they are",))


def pair_again(facts: Facts, pairing: At) -> Consequences:
    """LG-916 A later round of which nothing has begun may be paired again; one that has begun stays."""
    last = len(facts.rounds)
    if pairing[0] >= last:
        return only_the_standing()
    if has_started(facts.rounds[-1]):
        begun = sum(map(has_begun, facts.rounds[-1].meetings))
        return Consequences(words=(f"round {last} has begun ({begun} matches): it stays, only the standing changes",))
    return Consequences(pair_again=last, words=(f"round {last} has not begun and may be paired again",))
