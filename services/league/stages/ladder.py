"""How does a ladder go: who stands on which rung, and which challenge becomes a pairing?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from services.league.counting.possible import Interval
from services.league.formats import ladder as pure
from services.league.refusals import Refused
from services.league.stages import counts
from services.league.stages.facts import (
    DECLINED,
    HARD,
    LATER,
    At,
    Challenge,
    Consequences,
    Draft,
    Drafted,
    Facts,
    Line,
    Meeting,
    Over,
    Plan,
    Waits,
)
from services.league.stages.series import points_of, table_of
from services.league.tables import in_seats
from services.league.ties.book import Book

CHALLENGE = "challenge"
SECOND = 1_000
BY_HAND: At = (0, 0)


class Move(NamedTuple):
    """One change of the ladder, by a match or by hand."""

    at: int
    where: At
    before: tuple[int, ...]
    after: tuple[int, ...]


def rules_of(facts: Facts) -> pure.Rules:
    asked = facts.rules
    return pure.Rules(asked.reach, asked.cool_down * SECOND, asked.answer_time * SECOND, asked.move)


def moves(facts: Facts) -> Iterator[Move]:
    """LG-541, LG-544 to LG-546 Everything that has moved, in order of time; newcomers enter at the bottom."""
    decided = {(number, meeting.table): meeting for number, one in enumerate(facts.rounds, start=1)
               for meeting in one.meetings if counts.is_counted(meeting)}
    causes = sorted([*((meeting.at, where) for where, meeting in decided.items()), *((at, BY_HAND) for at, _ in facts.floor.rungs)])
    by_hand = iter(sorted(facts.floor.rungs, key=lambda one: one[0]))
    now = tuple(facts.field)
    for at, where in causes:
        after = _by_hand(facts, next(by_hand)[1]) if where == BY_HAND else _by_match(facts, now, decided[where])
        yield Move(at, where, now, after)
        now = after


def _by_hand(facts: Facts, order: Sequence[int]) -> tuple[int, ...]:
    known = set(order)
    return (*order, *(number for number in facts.field if number not in known))


def _by_match(facts: Facts, rungs: tuple[int, ...], meeting: Meeting) -> tuple[int, ...]:
    """LG-546 Only places count, however they came about."""
    names = tuple(map(str, rungs))
    worth = points_of(facts.rules, meeting.games)
    table = table_of(facts.rules, meeting)
    places = {str(seat.number): seat.place for seat in table}
    if len(places) == 2 and worth:
        moved = pure.moved(names, places, str(challenger_of(meeting)), facts.rules.move)
    else:
        moved = pure.placed(names, places)
    return tuple(map(int, moved))


def challenger_of(meeting: Meeting) -> int:
    return int(meeting.place.split("/")[1])


def rungs(facts: Facts) -> tuple[int, ...]:
    """LG-541 Who stands where now, from the top; who has left stands there no more."""
    last = tuple(facts.field)
    for move in moves(facts):
        last = move.after
    out = facts.gone | facts.barred
    return tuple(number for number in last if number not in out)


def checked_challenge(facts: Facts, asked: Challenge, waiting: Sequence[Challenge]) -> Challenge:
    """LG-542, LG-547, LG-951 The challenge, or why it may not be; `waiting` are those that are not answered or have no pairing yet."""
    now = tuple(map(str, rungs(facts)))
    open_ones = [pure.Challenge(str(one.challenger), str(other), one.at) for one in waiting for other in one.challenged]
    open_ones += [pure.Challenge(str(meeting.numbers[0]), str(other), 0) for meeting in counts.open_meetings(facts) for other in meeting.numbers[1:]]
    played = {frozenset(map(str, (one, other))): meeting.at for number in facts.rounds for meeting in number.meetings if counts.is_counted(meeting)
              for one in meeting.numbers for other in meeting.numbers if one < other}
    for other in asked.challenged:
        pure.challenged(now, pure.Challenge(str(asked.challenger), str(other), asked.at), open_ones, played, rules_of(facts))
    if any(True for _ in counts.apart(facts, HARD, 1).among([asked.challenger, *asked.challenged])):
        raise Refused("out_of_reach", "a constraint stands between them", ["constraint"])      # LG-954 without naming whose
    return asked


def plan(_facts: Facts) -> Plan:
    """LG-541 A ladder has no end that could be planned."""
    return Plan(notes=("challenges make the pairings",))


def draft(facts: Facts, _option: str = "") -> Drafted | Over | Waits:
    """LG-543 One pairing for each answered challenge; one that was declined, or not answered in time, is lost by the challenged."""
    taken: set[int] = set()
    drafts = []
    for one in sorted(facts.floor.challenges, key=lambda challenge: (challenge.at, challenge.challenger)):
        numbers = (one.challenger, *one.challenged)
        if not taken & set(numbers):
            taken |= set(numbers)
            drafts.append(_draft(facts, one, numbers))
    return Drafted(tuple(drafts)) if drafts else Waits(LATER)


def _draft(facts: Facts, one: Challenge, numbers: tuple[int, ...]) -> Draft:
    now = rungs(facts)
    steps = [now.index(number) + 1 for number in numbers if number in now]
    why = {"rule": CHALLENGE, "challenger": one.challenger, "rungs": [steps[0] if steps else 0, min(steps, default=0)], "declined": one.state == DECLINED}
    return Draft(in_seats(numbers, counts.sat(facts)), f"{CHALLENGE}/{one.challenger}", why, one.challenged if one.state == DECLINED else ())


def parallel(_facts: Facts) -> bool:
    return True


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-541 The rung is the rank."""
    rows = {line.number: line for line in counts.standing(facts, counts.records(facts), len(facts.rounds))}
    now = rungs(facts)
    rest = [number for number in facts.field if number not in set(now)]
    return (*(rows[number]._replace(rank=rung, points=Fraction(0), ties=(), decided="") for rung, number in enumerate(now, start=1)),
            *(rows[number]._replace(rank=None, points=Fraction(0), ties=(), decided="") for number in rest))


def book(facts: Facts, _number: int) -> Book:
    """LG-771 What the tie-breaks of the standing look up."""
    return counts.book(facts, counts.records(facts), len(facts.rounds))


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-822 Further challenges may bring anybody anywhere."""
    now = rungs(facts)
    return dict.fromkeys(now, Interval(1, max(1, len(now))))


def consequences(facts: Facts, pairing: At, after: Meeting) -> Consequences:
    """LG-925 Later matches that used the rungs which this one moved are in the way; the referee may set rungs instead."""
    all_moves = list(moves(facts))
    own = next((one for one in all_moves if one.where == pairing), None)
    if own is None:
        return Consequences()
    instead = _by_match(facts, own.before, after) if counts.is_counted(after) else own.before
    touched = {number for one, other in zip(own.after, instead, strict=True) if one != other for number in (one, other)}
    later = [one for one in all_moves if one.at > own.at and one.where != BY_HAND]
    blocked = tuple(one.where for one in later if touched & set(_meeting(facts, one.where).numbers))
    words = (f"{len(blocked)} later matches have used these rungs",) if blocked else ("the ladder is moved accordingly",)
    return Consequences(blocked=blocked, words=words)


def _meeting(facts: Facts, where: At) -> Meeting:
    return next(meeting for meeting in facts.rounds[where[0] - 1].meetings if meeting.table == where[1])


def bracket(_facts: Facts) -> Mapping[str, Any] | None:
    return None


def cross(_facts: Facts) -> Mapping[str, Any] | None:
    return None
