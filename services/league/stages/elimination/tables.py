"""How does elimination go at tables of three to eight?"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from services.league.counting.possible import Interval
from services.league.formats import table_elimination as tables
from services.league.record import ALLOCATED, Bye
from services.league.scoring import Seat
from services.league.seeding import spread
from services.league.stages import counts
from services.league.stages.facts import (
    DONE,
    NOT_ENOUGH,
    VOID,
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
    Played,
    Waits,
    is_begun,
)
from services.league.stages.rules import limits
from services.league.stages.series import TABLES, advancing, table_of
from services.league.tables import in_seats
from services.league.ties.book import Book

LAST_PLACE = 99                 # behind everybody who sat down in a round


class Progress(NamedTuple):
    """What the published rounds have led to."""

    entrants: tuple[int, ...]                   # who is in the next round, as far as the last one is decided
    on: tuple[frozenset[int], ...]              # who went on from each round
    place: Mapping[int, int]                    # in the last match
    before: Mapping[int, int]                   # the table of the last match
    rested: Mapping[int, int]
    final: bool                                 # the final table was published


def progress(facts: Facts) -> Progress:
    """LG-481, LG-488 Round by round who goes on; who has gone is in no further round."""
    on: list[frozenset[int]] = []
    here = set(counts.left(facts))
    place, before, rested, entrants = dict[int, int](), dict[int, int](), Counter[int](), frozenset(facts.field)
    for one in facts.rounds:
        through, places = _through(facts, one, len(entrants))
        entrants = through | ({bye.number for bye in one.byes} & entrants) | _unseated(one, entrants & here)
        on.append(entrants)
        rested.update(bye.number for bye in one.byes)
        place = places | {bye.number: 1 for bye in one.byes}
        before = {number: meeting.table for meeting in one.meetings if meeting.state != VOID for number in meeting.numbers}
    final = bool(facts.rounds) and any(_is_final(meeting) for meeting in facts.rounds[-1].meetings if meeting.state != VOID)
    return Progress(tuple(number for number in facts.field if number in entrants & here), tuple(on), place, before, rested, final)


def _unseated(one: Played, entrants: frozenset[int]) -> frozenset[int]:
    """LG-213, LG-918 A void table has never been: who sat at it, or should have, and was put at no other is in still."""
    if all(meeting.state != VOID for meeting in one.meetings):
        return frozenset()
    return entrants - {number for meeting in one.meetings if meeting.state != VOID for number in meeting.numbers}


def _is_final(meeting: Meeting) -> bool:
    return advancing(meeting) == 0


def _through(facts: Facts, one: Played, entrants: int) -> tuple[frozenset[int], dict[int, int]]:
    """LG-485, LG-486 Who goes on from the decided tables of a round, and everybody's place."""
    places: dict[int, int] = {}
    found: set[int] = set()
    decided = [(meeting, table_of(facts.rules, meeting)) for meeting in one.meetings if counts.is_counted(meeting) and not _is_final(meeting)]
    room = _room(facts, one, entrants)
    for meeting, table in decided:
        cut = tables.ALL if facts.rules.cut_tie == tables.ALL else tables.SEED
        through = tables.qualified(table, advancing(meeting), cut, room)
        room -= max(0, len(through.on) - advancing(meeting))
        found |= set(through.on)
        places |= {seat.number: seat.place for seat in table}
    return frozenset(found), places


def _room(facts: Facts, one: Played, entrants: int) -> int:
    """LG-485 `all`: how many more may go on so that the next round still fits the plan."""
    planned = sum(advancing(meeting) for meeting in one.meetings if meeting.state != VOID) + len(one.byes)
    within = limits(facts.rules)
    if facts.rules.cut_tie != tables.ALL or planned < max(2, within.least):
        return 0
    rounds = len(tables.plan(planned, within, facts.rules.advance))
    return max((more for more in range(entrants - planned) if len(tables.plan(planned + more, within, facts.rules.advance)) == rounds), default=0)


def plan(facts: Facts) -> Plan:
    """LG-481, LG-482 All rounds, before the start."""
    within = limits(facts.rules)
    if len(facts.field) < max(2, within.least):
        return Plan(0, notes=("too few entrants for a table",))
    levels = tables.plan(len(facts.field), within, facts.rules.advance)
    return Plan(len(levels), tuple(Level(tuple(sorted(Counter(one.tables).items(), reverse=True)), one.advance, one.byes) for one in levels))


def draft(facts: Facts, _option: str = "") -> Drafted | Over | Waits:
    """LG-481 to LG-484, LG-488 The next round for those who went on; the plan is made again from who is there."""
    now, within = progress(facts), limits(facts.rules)
    count = len(now.entrants)
    if not facts.rounds and count < max(2, within.least):
        return Waits(NOT_ENOUGH)
    if now.final or count < 2:
        return Over()
    if count < within.least:            # leavers have left too few for a table of the game
        return Waits(NOT_ENOUGH)
    order = sorted(now.entrants, key=lambda number: (now.place.get(number, 1), number))
    if count <= within.most:
        return _drafted(facts, now, (tuple(order),), ((), 0))
    seated, byes = tables.dealt(order, now.before, within, now.rested)
    kinds = {"team": facts.teams, "club": facts.clubs, "country": facts.countries}.get(facts.rules.separate_by)
    if kinds and not facts.rounds:
        seated = spread(seated, kinds, facts.rules.protected)
    return _drafted(facts, now, seated, (byes, tables.plan(count, within, facts.rules.advance)[0].advance))


def _drafted(facts: Facts, now: Progress, seated: Sequence[Sequence[int]], rest: tuple[Sequence[int], int]) -> Drafted:
    sat = counts.sat(facts)
    byes, advance = rest
    drafts = []
    for at, table in enumerate(seated):
        together = Counter(now.before[number] for number in table if number in now.before)
        why = {"rule": TABLES, "advance": advance, "again": sum(count for count in together.values() if count > 1)}
        drafts.append(Draft(in_seats(table, sat), f"{TABLES}/{len(facts.rounds) + 1}/{at}/{advance}", why))
    return Drafted(tuple(drafts), tuple(Bye(number, ALLOCATED) for number in byes), why_byes=dict.fromkeys(byes, "seeds"))


def parallel(_facts: Facts) -> bool:
    return False


def _keys(facts: Facts, now: Progress) -> dict[int, tuple[int, int]]:
    """LG-487 Of everybody who is out, or has played the final: a later round ahead, in one round the better place."""
    keys: dict[int, tuple[int, int]] = {}
    for at, one in enumerate(facts.rounds):
        for meeting in filter(counts.is_counted, one.meetings):
            keys |= {seat.number: (-at, _place(seat)) for seat in table_of(facts.rules, meeting)
                     if _is_final(meeting) or seat.number not in now.on[at]}
    out = facts.gone | facts.barred
    playing = {number for one in facts.rounds for meeting in one.meetings if meeting.state not in DONE for number in meeting.numbers}
    return keys | {number: (-_last_round(facts, now, number) - 1, LAST_PLACE) for number in out if number not in keys and number not in playing}


def _place(seat: Seat) -> int:
    return seat.place


def _last_round(facts: Facts, now: Progress, number: int) -> int:
    """The last round, counted from 0, from which somebody went on; -1 for none."""
    return max((at for at in range(len(facts.rounds)) if number in now.on[at]), default=-1)


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-487, LG-965 Who is still in shares the first rank."""
    now = progress(facts)
    keys = _keys(facts, now)
    inside = sum(number not in keys for number in facts.field)
    order_of_keys = sorted(keys.values())
    ranks = {number: 1 + inside + bisect_left(order_of_keys, key) for number, key in keys.items()}
    rows = {line.number: line for line in counts.standing(facts, counts.records(facts), len(facts.rounds))}
    shown = counts.ranked_without(facts, {number: ranks.get(number, 1) for number in facts.field})
    order = sorted(facts.field, key=lambda number: (shown[number] is None, ranks.get(number, 1), number))
    return tuple(rows[number]._replace(rank=shown[number], ties=(), decided="") for number in order)


def book(facts: Facts, _number: int) -> Book:
    """LG-771 What the tie-breaks of the standing look up."""
    return counts.book(facts, counts.records(facts), len(facts.rounds))


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-826 Who is out is behind all who are in; those at open tables of the same round may still be level or behind."""
    now = progress(facts)
    keys = _keys(facts, now)
    inside = [number for number in facts.field if number not in keys]
    playing = {number: -at for at, one in enumerate(facts.rounds) for meeting in one.meetings if meeting.state not in DONE for number in meeting.numbers}
    waiting, out = Counter(playing.values()), Counter(key[0] for key in keys.values())
    found = {number: Interval(1, max(1, len(inside) + (out[playing[number]] if number in playing else 0))) for number in inside}
    order = sorted(keys.values())
    for number, key in keys.items():
        ahead = bisect_left(order, key)
        found[number] = Interval(1 + ahead + len(inside) - waiting[key[0]], 1 + ahead + len(inside))
    return counts.reach_without(facts, found)


def consequences(facts: Facts, pairing: At, after: Meeting) -> Consequences:
    """LG-917, LG-918 Who goes on instead of another takes that one's seat in the next round, if its table has not begun."""
    number, at = pairing
    if number >= len(facts.rounds):
        return Consequences(words=("nothing rests on this table yet",))
    changed = facts.rounds[number - 1]._replace(meetings=tuple(after if one.table == at else one for one in facts.rounds[number - 1].meetings))
    other = facts._replace(rounds=(*facts.rounds[:number - 1], changed, *facts.rounds[number:]))
    before, now = progress(facts).on[number - 1], progress(other).on[number - 1]
    leaving, coming = sorted(before - now), sorted(now - before)
    if not leaving and not coming:
        return Consequences(words=("the same entrants go on",))
    later = facts.rounds[number]
    rested = {bye.number for bye in later.byes}
    seated = {number for meeting in later.meetings if meeting.state != VOID for number in meeting.numbers}
    if len(leaving) != len(coming) or rested & {*leaving, *coming} or seated & set(coming):
        return _dealt_again(facts, number + 1)
    return _exchanged(facts, number + 1, dict(zip(leaving, coming, strict=True)))


def _dealt_again(facts: Facts, number: int) -> Consequences:
    """The next round has other entrants than seats: its tables become void, and a round of the right ones follows."""
    later = [((at, meeting.table), is_begun(meeting)) for at in range(number, len(facts.rounds) + 1) for meeting in facts.rounds[at - 1].meetings
             if meeting.state != VOID]
    blocked = tuple(at for at, begun in later if begun)
    words = f"{len(blocked)} tables are in the way" if blocked else f"round {number} is dealt again"
    return Consequences(tuple(at for at, begun in later if not begun), blocked, words=(words,))


def _exchanged(facts: Facts, number: int, instead: Mapping[int, int]) -> Consequences:
    void: list[At] = []
    blocked: list[At] = []
    again: list[tuple[int, Draft]] = []
    touched = set(instead)
    for at in range(number, len(facts.rounds) + 1):
        for meeting in facts.rounds[at - 1].meetings:
            if meeting.state == VOID or not touched & set(meeting.numbers):
                continue
            (blocked if is_begun(meeting) else void).append((at, meeting.table))
            touched |= set(meeting.numbers)
            if at == number:
                seats = tuple(instead.get(one, one) for one in meeting.numbers)
                again.append((at, Draft(seats, meeting.place, {"rule": TABLES, "advance": advancing(meeting), "again": 0})))
    words = tuple(f"no. {other} takes the seat of no. {one}" for one, other in instead.items())
    return Consequences(tuple(void), tuple(blocked), tuple(again), words=words)


def bracket(facts: Facts) -> Mapping[str, Any] | None:
    """LG-1004 The tables of each round, who went on from each, and one line of text."""
    now, rounds = progress(facts), []
    for at, one in enumerate(facts.rounds, start=1):
        shown = [_shown(facts, now, at, meeting) for meeting in one.meetings if meeting.state != VOID]
        rounds.append({"round": at, "name": "Final table" if any(_is_final(meeting) for meeting in one.meetings) else f"Round {at}", "places": shown})
    return {"sides": [{"side": TABLES, "rounds": rounds}], "text": "\n".join(place["text"] for one in rounds for place in one["places"])}  # type: ignore[attr-defined]


def _shown(facts: Facts, now: Progress, number: int, meeting: Meeting) -> dict[str, Any]:
    table = table_of(facts.rules, meeting) if counts.is_counted(meeting) else ()
    on = [] if _is_final(meeting) or not table else sorted(now.on[number - 1] & set(meeting.numbers))
    first = [seat.number for seat in table if seat.place == 1]
    names = ", ".join(f"no. {one}" for one in meeting.numbers)
    text = f"Round {number}, table {meeting.table}: {names}"
    if table:
        text += f"; {', '.join(f'no. {one}' for one in on)} go on" if on else f"; won by {', '.join(f'no. {one}' for one in first)}"
    return {"place": meeting.place, "numbers": list(meeting.numbers), "winner": first[0] if _is_final(meeting) and len(first) == 1 else None,
            "on": on, "state": meeting.state, "at": [number, meeting.table], "text": text, "to": None, "losers_to": None}


def cross(_facts: Facts) -> Mapping[str, Any] | None:
    return None
