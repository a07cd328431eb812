"""Of what is each tie-break value of an entrant made, which rounds count for it, and which do not?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from services.league.record import LATE
from services.league.stages.counts import is_counted, round_game_points
from services.league.stages.facts import DONE, VOID, Facts, Line, Meeting, Played
from services.league.stages.rules import codes
from services.league.ties.book import Book
from services.league.ties.codes import code
from services.league.ties.rounds import COMPARED, FIXED, MOMENT, REST, SUM, Share, by_round, faced, how, kind_of

PER_MATCH = "per_match"                         # all contributions together, divided by the matches played
OPEN, REMOVED = "open", "removed"               # not decided yet; LG-234 against somebody who counts for nobody
OF_AN_ARENA = {"MEAN": PER_MATCH, "SOONER": MOMENT}         # LG-527
LIVE = frozenset({"arena", "ladder"})           # whoever is not seated at a beat does not rest, but waits
NOBODY: tuple[int, ...] = ()
Seen = tuple[str, tuple[int, ...]]              # the kind of a round, and against whom


class Composed(NamedTuple):
    """LG-771 One tie-break of one entrant: its value, and the rounds that it comes from."""

    code: str
    used: bool                                  # somebody was level with it when the turn came
    value: Fraction | None                      # none for a code that compares, where there was nobody to compare with
    how: str
    among: int                                  # how many were level, itself among them
    rounds: tuple[Share, ...]


def composed(facts: Facts, kept: Book, lines: Sequence[Line], number: int) -> tuple[Composed, ...]:
    """LG-743, LG-771 Every tie-break of the stage; a code that compares does so in the group as it was when its turn came."""
    line = next(one for one in lines if one.number == number)
    seen = _seen(facts, kept, number)
    return tuple(_of_code(facts, kept, (name, line, _level(lines, line, at)), seen)
                 for at, name in enumerate(codes(facts.rules, scores=facts.scores)))


def _level(lines: Sequence[Line], line: Line, at: int) -> list[int]:
    """LG-743 Who was level with it at that turn; nobody where it was alone by then."""
    if len(line.ties) <= at:
        return []
    return [one.number for one in lines
            if one.group == line.group and one.points == line.points and len(one.ties) > at and one.ties[:at] == line.ties[:at]]


def _of_code(facts: Facts, kept: Book, asked: tuple[str, Line, list[int]], seen: Mapping[int, Seen]) -> Composed:
    name, line, group = asked
    used, number = dict(line.ties), line.number
    if name in OF_AN_ARENA:
        shares = _points(kept, number) if OF_AN_ARENA[name] == PER_MATCH else ()
        return Composed(name, name in used, used.get(name), OF_AN_ARENA[name], len(group), _filled(shares, seen) if shares else ())
    if name in COMPARED and name not in used:
        return Composed(name, False, None, SUM, 0, ())
    value = used[name] if name in used else Fraction(code(name)([number], kept)[number])
    way = how(kept, name, group)
    found = _game_points(facts, kept, number) if name == "GP" else by_round(kept, number, name, group)
    return Composed(name, name in used, value, way, len(group), () if way in {FIXED, MOMENT} else _filled(found, seen))


def _points(kept: Book, number: int) -> tuple[Share, ...]:
    """LG-527 `MEAN`: what every round has brought."""
    return tuple(Share(at, kind_of(part), part.points, opponents=faced(part)) for at, part in enumerate(kept.rows[number], start=1) if part is not None)


def _game_points(facts: Facts, kept: Book, number: int) -> tuple[Share, ...]:
    """LG-643 `GP`: of each series; single matches have none beside their points."""
    if not kept.facts.game_points:
        return ()
    return tuple(Share(at, "", worth) for at, one in enumerate(facts.rounds, start=1)
                 for other, worth in round_game_points(facts, one) if other == number)


def _filled(shares: Sequence[Share], seen: Mapping[int, Seen]) -> tuple[Share, ...]:
    """LG-770, LG-771 Also the rounds that bring nothing, by their kind."""
    counted = {share.round for share in shares}
    known = [share._replace(kind=seen[share.round][0], opponents=share.opponents or seen[share.round][1]) if share.round in seen else share
             for share in shares]
    missing = [Share(at, kind, None, True, others) for at, (kind, others) in seen.items() if at not in counted]
    return tuple(sorted([*known, *missing], key=lambda share: share.round))


def _seen(facts: Facts, kept: Book, number: int) -> dict[int, Seen]:
    """What every round was for the entrant, by what counts, or by what was published."""
    found = {at: (kind_of(part), faced(part)) for at, part in enumerate(kept.rows[number], start=1) if part is not None}
    for at, one in enumerate(facts.rounds, start=1):
        if at not in found:
            told = _published(facts, one, number)
            found |= {at: told} if told else {}
    before = dict.fromkeys(range(1, facts.joined.get(number, 0)), (LATE, NOBODY))
    return dict(sorted({**before, **found}.items()))


def _published(facts: Facts, one: Played, number: int) -> Seen | None:
    """A round of which nothing counts yet, or no more; a void table says so only where there was no other."""
    own = max((meeting for meeting in one.meetings if number in meeting.numbers), key=lambda meeting: meeting.state != VOID, default=None)
    if own is not None:
        return _state(own), tuple(other for other in own.numbers if other != number)
    return (REST, NOBODY) if number in one.rests and facts.rules.format not in LIVE else None


def _state(meeting: Meeting) -> str:
    return REMOVED if is_counted(meeting) else VOID if meeting.state in DONE else OPEN
