"""What has happened in a stage, and what is the standing that follows from it?"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from services.league.counting.possible import Interval
from services.league.draws import drawn
from services.league.formats.apart import Apart, of_sets
from services.league.meetings import met_again
from services.league.meetings import seats as seats_of_all
from services.league.record import ABSENT, ALLOCATED, FULL, GIVEN_HALF, HALF, NO_SHOW, Bye, Record, started
from services.league.scoring import PLAYED, bye_points, draw_points, first_place, scale_for
from services.league.stages.facts import COUNTED, DONE, HARD, SOFT, STARTED, Facts, Line, Meeting, Played
from services.league.stages.rules import ARENA_CODES, StageRules, codes, kind_of, scoring, tie_version
from services.league.stages.series import points_of, table_of
from services.league.standings import Line as Ranked
from services.league.tables import Sat
from services.league.ties import book as ties
from services.league.ties.codes import ROUND_ROBIN
from services.league.ties.ranking import ranking
from services.league.withdrawals import late_byes

NONE: Mapping[str, int] = MappingProxyType({})
LARGEST_CROSS = 64
WRITTEN_OUT = 24        # larger sets of entrants to be kept apart are not written out as couples


def left(facts: Facts) -> tuple[int, ...]:
    """LG-174 Who is left in the stage."""
    out = facts.gone | facts.barred
    return tuple(number for number in facts.field if number not in out)


def is_counted(meeting: Meeting) -> bool:
    """LG-209, LG-212, LG-213 Only confirmed results and walkovers."""
    return meeting.state in COUNTED and bool(meeting.games)


def is_open(meeting: Meeting) -> bool:
    return meeting.state not in DONE


def open_meetings(facts: Facts) -> Iterator[Meeting]:
    return (meeting for one in facts.rounds for meeting in one.meetings if is_open(meeting))


def records(facts: Facts) -> tuple[Record, ...]:
    """LG-229, LG-801 The decided tables of each round and its byes, those of late entrants among them."""
    late = _late(facts)
    return tuple(Record(tuple(table_of(facts.rules, meeting) for meeting in one.meetings if is_counted(meeting)), (*one.byes, *late.get(at, ())))
                 for at, one in enumerate(facts.rounds, start=1))


def _late(facts: Facts) -> dict[int, list[Bye]]:
    """LG-229 Round by round, all together at most draw points times half the planned rounds."""
    found: dict[int, list[Bye]] = {}
    worth, rules = Fraction(facts.rules.late_points or 0), scoring(facts.rules)
    for number, first in sorted(facts.joined.items()):
        for at, bye in enumerate(late_byes(number, first - 1, worth, facts.rules.rounds or first, rules), start=1):
            found.setdefault(at, []).append(bye)
    return found


def bye_of(rules: StageRules, number: int, kind: str) -> Bye:
    """LG-651 A bye with the points of its kind."""
    found = scoring(rules)
    worth = {ALLOCATED: bye_points(found), FULL: first_place(found), HALF: draw_points(found), GIVEN_HALF: draw_points(found)}
    return Bye(number, kind, worth.get(kind, Fraction(0)))


def asked_byes(facts: Facts, kinds: Iterable[str]) -> Iterator[Bye]:
    """LG-236, LG-655 What was asked for or given in the round to come, for those who are left."""
    wanted, here = set(kinds), set(left(facts))
    return (bye_of(facts.rules, bye.number, bye.kind) for bye in facts.requested if bye.kind in wanted and bye.number in here)


def absent(facts: Facts, known: Iterable[int]) -> Iterator[Bye]:
    """LG-173, LG-232 Who is left but cannot be paired; a late entrant is not there before its first round."""
    had, number = set(known), len(facts.rounds) + 1
    return (Bye(one, ABSENT) for one in left(facts)
            if one not in facts.available and one not in had and facts.joined.get(one, 0) <= number)


def lots(facts: Facts) -> dict[int, int]:
    """LG-253 The places in the draw of `LOT`."""
    return {int(name): at for at, name in enumerate(drawn(facts.seed, "lot", facts.stage, map(str, facts.field)), start=1)}


def apart(facts: Facts, hardness: str, number: int) -> Apart:
    """LG-951, LG-963 Who must not, or should not, sit together in this round."""
    asked, pool = facts.constraints, facts.available
    sets = [one for one in (asked.never if hardness == HARD else asked.soft) if hardness == HARD or not one >= pool]
    kinds = [kinds for wanted, kinds in ((asked.same_club, facts.clubs), (asked.same_team, facts.teams)) if _as_hard(wanted, number) == hardness]
    large = [one for one in sets if len(one) > WRITTEN_OUT]
    return Apart(of_sets(one for one in sets if len(one) <= WRITTEN_OUT), [*kinds, *_as_kinds(large)])


def _as_kinds(sets: Iterable[frozenset[int]]) -> list[dict[int, int]]:
    """Large sets as one mapping, as far as they do not overlap: ten thousand bots of one owner are fifty million couples."""
    found: list[dict[int, int]] = []
    for at, one in enumerate(sorted(sets, key=min)):
        free = next((kinds for kinds in found if not one & kinds.keys()), None)
        if free is None:
            free = {}
            found.append(free)
        free |= dict.fromkeys(one, at)
    return found


def _as_hard(wanted: str, number: int) -> str:
    """LG-951 "3" is hard in the first three rounds."""
    return (HARD if number <= int(wanted) else "") if wanted.isdigit() else wanted if wanted in {HARD, SOFT} else ""


def game_points(facts: Facts) -> dict[int, Fraction]:
    """LG-643 `GP`: of all series; an allocated bye that is worth a win is a whole series won."""
    sums = dict.fromkeys(facts.field, Fraction(0))
    if facts.rules.best_of == 1 and facts.rules.boards == 1:
        return {}
    for one in facts.rounds:
        for number, worth in round_game_points(facts, one):
            sums[number] = sums.get(number, Fraction(0)) + worth
    return sums


def round_game_points(facts: Facts, one: Played) -> Iterator[tuple[int, Fraction]]:
    """LG-643 What one round adds to everybody's game points."""
    rules = scoring(facts.rules)
    series_won = first_place(rules) * (max(facts.rules.best_of, facts.rules.boards) // 2 + 1)
    for meeting in filter(is_counted, one.meetings):
        yield from points_of(facts.rules, meeting.games).items()
    for bye in one.byes:
        yield bye.number, series_won if bye.points >= first_place(rules) else bye.points


def tie_facts(facts: Facts, rounds: int, meets: int, out: Collection[int] = ()) -> ties.Facts:
    """What the tie-breaks look at besides the rounds; `out` are those who count for nobody (LG-234)."""
    listed = codes(facts.rules, scores=facts.scores)
    by_schedule = kind_of(facts.rules) == ROUND_ROBIN
    matches = meets * (len(facts.field) - len(out) - 1) if by_schedule and facts.rules.two else 0
    return ties.Facts(
        rounds, tie_version(facts.rules), meets, facts.hard, {number: int(worth * 100) for number, worth in facts.ratings.items()},
        facts.entered, lots(facts) if "LOT" in listed else {}, game_points(facts), matches, by_schedule)


def standing(facts: Facts, found: Sequence[Record], rounds: int, meets: int = 1, out: Collection[int] = ()) -> tuple[Line, ...]:
    """LG-801 The table by points and tie-breaks; it depends on nothing but results, byes and the rules."""
    listed = codes(facts.rules, scores=facts.scores)
    ranked = ranking(book(facts, found, rounds, meets, out), listed if listed != ARENA_CODES else listed[:2])
    return shown(facts, found, ranked)


def book(facts: Facts, found: Sequence[Record], rounds: int, meets: int = 1, out: Collection[int] = ()) -> ties.Book:
    """What the tie-breaks look up for the whole field."""
    return ties.book(facts.field, found, scoring(facts.rules), tie_facts(facts, rounds, meets, out))


def shown(facts: Facts, found: Sequence[Record], ranked: Sequence[Ranked]) -> tuple[Line, ...]:
    """LG-298, LG-801, LG-965 With byes, forfeits and seats; who has no rank is listed behind, and those behind move up."""
    byes, lost, seats = _byes(found), _forfeits(found), seats_of_all(found)
    without = facts.barred | facts.unranked
    lines, place, last = [], 0, 0
    for at, one in enumerate((line for line in ranked if line.number not in without), start=1):
        place = at if one.rank != last else place
        last = one.rank
        lines.append((one, place))
    rows: list[tuple[Ranked, int | None]] = [*lines, *((line, None) for line in ranked if line.number in without)]
    return tuple(Line(one.number, rank, one.points, one.played, one.places, one.ties, one.decided if rank else "", byes.get(one.number, NONE),
                      lost[one.number], seats[one.number].counts if one.number in seats else ()) for one, rank in rows)


def ranked_without(facts: Facts, ranks: Mapping[int, int]) -> dict[int, int | None]:
    """LG-449, LG-965 Of a bracket: those behind somebody who has no rank move up, unless that one was disqualified."""
    passed = sorted(ranks[number] for number in facts.unranked - facts.barred if number in ranks)
    without = facts.barred | facts.unranked
    return {number: None if number in without else rank - bisect_left(passed, rank) for number, rank in ranks.items()}


def reach_without(facts: Facts, found: Mapping[int, Interval]) -> dict[int, Interval]:
    """LG-822, LG-965 Everybody without a rank may turn out to be ahead."""
    passed = len(facts.unranked - facts.barred)
    return {number: Interval(max(1, one.best - passed), one.worst) for number, one in found.items() if number not in facts.unranked}


def _byes(found: Sequence[Record]) -> dict[int, Counter[str]]:
    counted: dict[int, Counter[str]] = {}
    for record in found:
        for bye in record.byes:
            counted.setdefault(bye.number, Counter())[bye.kind] += 1
    return counted


def _forfeits(found: Sequence[Record]) -> Counter[int]:
    """LG-676 Tables that somebody did not come to or left."""
    return Counter(seat.number for record in found for table in record.tables for seat in table if seat.how != PLAYED)


def sat(facts: Facts) -> dict[int, list[Sat]]:
    """LG-293 At which tables, and in which seats, everybody has sat."""
    found: dict[int, list[Sat]] = {}
    for record in records(facts):
        for table in filter(started, record.tables):
            for at, seat in enumerate(table):
                found.setdefault(seat.number, []).append(Sat(at, len(table)))
    return found


def repeats(facts: Facts) -> int:
    """LG-404 Couples that have met more than once in the stage."""
    return met_again(records(facts))


def seat_difference(facts: Facts) -> int:
    """LG-298 The largest difference between the times somebody had two seats."""
    return max((one.difference for one in seats_of_all(records(facts)).values()), default=0)


def cross_table(facts: Facts, lines: Sequence[Line]) -> Mapping[str, Any] | None:
    """LG-1001 Who did what against whom, up to 64 entrants; at larger tables the comparison of the two (LG-745)."""
    if len(facts.field) > LARGEST_CROSS:
        return None
    cells: dict[tuple[int, int], dict[str, Any]] = {}
    for round_at, one in enumerate(facts.rounds, start=1):
        for meeting in filter(is_counted, one.meetings):
            for mine, other, cell in _cells(facts.rules, meeting):
                known = cells.setdefault((mine, other), {"with": other, "points": Fraction(0), "kind": cell[1], "at": []})
                known["points"] += cell[0]
                known["at"].append([round_at, meeting.table])
    by_number = {line.number: line for line in lines}
    rows = [{"number": number, "cells": [_cell(cells.get((number, other))) for other in facts.field],
             "points": str(by_number[number].points), "rank": by_number[number].rank} for number in facts.field if number in by_number]
    return {"numbers": list(facts.field), "rows": rows}


def _cell(found: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if found is None else {**found, "points": str(found["points"])}


def _cells(rules: StageRules, meeting: Meeting) -> Iterator[tuple[int, int, tuple[Fraction, str]]]:
    table = table_of(rules, meeting)
    kind = meeting.kind or ("played" if all(seat.how == PLAYED for seat in table) else "forfeit")
    draw, scale = draw_points(scoring(rules)), scale_for(2, scoring(rules).scales)
    for mine in table:
        for other in table:
            if mine.number != other.number:
                yield mine.number, other.number, (_compared(mine.place, other.place, mine.how, (scale[0], draw, scale[-1]), two=rules.two), kind)


def _compared(mine: int, theirs: int, how: str, worths: tuple[Fraction, Fraction, Fraction], *, two: bool) -> Fraction:
    if how == NO_SHOW and two:
        return Fraction(0)
    at = (mine > theirs) * 2 + (mine == theirs)
    return worths[at] if two else Fraction(2 - at, 2)


def has_started(one: Played) -> bool:
    """LG-916 Whether a match of a round has begun."""
    return any(map(has_begun, one.meetings))


def has_begun(meeting: Meeting) -> bool:
    """LG-641, LG-920 Also between two matches of a series; a walkover is no match."""
    return meeting.state in STARTED or (is_open(meeting) and bool(meeting.games))
