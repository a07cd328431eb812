"""How do groups go, each with a round robin or a Swiss of its own, and who goes on from them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from services.league.counting.possible import Interval
from services.league.draws import drawn
from services.league.formats import groups as pure
from services.league.record import is_played
from services.league.seeding import spread
from services.league.stages import counts, round_robin, swiss
from services.league.stages.facts import (
    DEAD_END,
    At,
    Consequences,
    Drafted,
    Facts,
    Format,
    Level,
    Line,
    Meeting,
    Option,
    Over,
    Plan,
    Played,
    Waits,
)
from services.league.stages.points_formats import only_the_standing, pair_again
from services.league.stages.rules import Groups, Takes, codes
from services.league.ties.book import Book
from services.league.ties.codes import code

GROUP = "group"
OVER_A_GROUP = frozenset({"DE", "H2H", "CO", "LOT"})        # they compare members of one group, and say nothing across groups
INNER: Mapping[str, Format] = {"round_robin": round_robin, "swiss": swiss}


def asked(facts: Facts) -> Groups:
    assert facts.rules.groups is not None
    return facts.rules.groups


def members(facts: Facts) -> tuple[tuple[int, ...], ...]:
    """LG-257 to LG-259, LG-501 Who is in which group."""
    wanted = asked(facts)
    if wanted.method == "list":
        return pure.listed(facts.field, wanted.listed)
    dealt = pure.filled(facts.field, wanted.count, wanted.method, (facts.seed, facts.stage))
    kinds = {"team": facts.teams, "club": facts.clubs, "country": facts.countries}.get(facts.rules.separate_by)
    return spread(dealt, kinds, facts.rules.protected) if kinds else dealt


def inner(facts: Facts) -> Format:
    return INNER[asked(facts).format]


def each(facts: Facts) -> list[Facts]:
    """LG-502 The facts of every group, as if it were a stage of its own."""
    dealt = members(facts)
    rules = replace(facts.rules, format=asked(facts).format, groups=None)
    rounds = [_shares(one, dealt) for one in facts.rounds]
    return [facts._replace(stage=f"{facts.stage}/{GROUP}-{at + 1}", rules=rules, field=field, available=facts.available & set(field),
                           gone=facts.gone & set(field), barred=facts.barred & set(field), unranked=facts.unranked & set(field),
                           rounds=tuple(shares[at] for shares in rounds if shares[at] != Played()))
            for at, field in enumerate(dealt)]


def _shares(one: Played, dealt: Sequence[Sequence[int]]) -> list[Played]:
    """A round, group by group; one that had finished has no part in it."""
    group = {number: at for at, field in enumerate(dealt) for number in field}
    meetings: list[list[Meeting]] = [[] for _ in dealt]
    for meeting in one.meetings:
        meetings[group[meeting.numbers[0]]].append(meeting)
    byes = [tuple(bye for bye in one.byes if group[bye.number] == at) for at in range(len(dealt))]
    rests = [tuple(number for number in one.rests if group[number] == at) for at in range(len(dealt))]
    return [Played(tuple(own), byes[at], rests[at]) for at, own in enumerate(meetings)]


def plan(facts: Facts) -> Plan:
    """LG-327, LG-502 Of all groups together."""
    plans = [inner(facts).plan(one) for one in each(facts)]
    couples, last = Counter[int](), max((one.rounds or 0 for one in plans), default=0)
    for one in plans:
        couples.update(one.couples)
    levels = tuple(_level([one.levels[at] for one in plans if at < len(one.levels)]) for at in range(last))
    return Plan(last, levels, all(one.design for one in plans), min((one.least for one in plans), default=0), max((one.most for one in plans), default=0),
                dict(sorted(couples.items())), (min((one.tables[0] for one in plans), default=0), max((one.tables[1] for one in plans), default=0)),
                any(one.uneven for one in plans))


def _level(levels: Iterable[Level]) -> Level:
    tables, byes = Counter[int](), 0
    for one in levels:
        tables.update(dict(one.tables))
        byes += one.byes
    return Level(tuple(sorted(tables.items(), reverse=True)), 0, byes)


def draft(facts: Facts, option: str = "") -> Drafted | Over | Waits:
    """LG-421, LG-502 The next round of every group that has one; a dead end in one of them holds up the round.

    It is chosen as "2:repeats"; where several groups are stuck, what was chosen for one stands before the choices of the next.
    """
    chosen = dict(one.split(":", 1) for one in option.split(",") if ":" in one)
    found = [(at, inner(facts).draft(one, chosen.get(str(at), ""))) for at, one in enumerate(each(facts), start=1)]
    stuck = [(at, one) for at, one in found if isinstance(one, Waits) and one.code == DEAD_END]
    if stuck:
        known = option + "," if option else ""
        return Waits(DEAD_END, tuple(Option(f"{known}{at}:{way.option}", way.harm, f"group {at}: {way.words}", way.touched)
                                     for at, one in stuck for way in one.options))
    drafts = [(at, one) for at, one in found if isinstance(one, Drafted)]
    return _together(drafts) if drafts else Over()


def _together(drafts: Sequence[tuple[int, Drafted]]) -> Drafted:
    pairings = tuple(pairing._replace(place=f"{GROUP}/{at}") for at, one in drafts for pairing in one.pairings)
    notes = tuple(f"group {at}: {note}" for at, one in drafts for note in one.notes)
    why = {number: rule for _, one in drafts for number, rule in one.why_byes.items()}
    taken = ", ".join(f"{at}:{one.option}" for at, one in drafts if one.option)
    return Drafted(pairings, tuple(bye for _, one in drafts for bye in one.byes), tuple(rest for _, one in drafts for rest in one.rests), notes, taken, why)


def parallel(facts: Facts) -> bool:
    return inner(facts).parallel(facts._replace(rules=replace(facts.rules, format=asked(facts).format)))


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-502, LG-503 Group by group; ranks are those of the group."""
    return tuple(line._replace(group=at) for at, one in enumerate(each(facts), start=1) for line in inner(facts).lines(one))


def book(facts: Facts, number: int) -> Book:
    """LG-771 What the tie-breaks of the entrant's group look up."""
    return inner(facts).book(next(one for one in each(facts) if number in one.field), number)


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-821 Inside the group."""
    return {number: interval for one in each(facts) for number, interval in inner(facts).possible(one).items()}


def consequences(facts: Facts, pairing: At, _after: Meeting) -> Consequences:
    """LG-915, LG-916."""
    return pair_again(facts, pairing) if asked(facts).format == "swiss" else only_the_standing()


def bracket(_facts: Facts) -> Mapping[str, Any] | None:
    return None


def cross(facts: Facts) -> Mapping[str, Any] | None:
    return counts.cross_table(facts, lines(facts))


def qualified(facts: Facts, found: Sequence[Line], takes: Takes | None, left: frozenset[int]) -> tuple[int, ...]:
    """LG-503 to LG-508 Who goes on, in the order of seeds, from frozen lines and nothing else; who has left is replaced from the same group."""
    wanted = takes or Takes(count=max(1, len(found)))
    groups = sorted({line.group for line in found})
    standings = [[pure.Line(line.number, line.rank) for line in found if line.group == group and line.rank is not None] for group in groups]
    through = pure.qualifiers(standings, wanted.first, wanted.count, left)
    if len(groups) < 2:
        return tuple(one.entrant for one in through)
    behind = pure.qualifiers(standings, wanted.first + wanted.count, 1, left)
    best = set(pure.runners_up([_per_match(facts, found, one.entrant) for one in behind], wanted.best_next, (facts.seed, facts.stage)))
    return pure.seeds([*through, *(one for one in behind if one.entrant in best)])


def _per_match(facts: Facts, found: Sequence[Line], number: int) -> pure.Line:
    """LG-506 Points and every tie-break that says something outside the group."""
    line = next(line for line in found if line.number == number)
    kept = book(facts, number)
    listed = [name for name in codes(facts.rules, scores=facts.scores) if name not in OVER_A_GROUP]
    played = sum(part is not None and is_played(part) for part in kept.rows[number])
    return pure.Line(number, line.rank or 0, line.points, played, tuple(Fraction(code(name)([number], kept)[number]) for name in listed))


def overall(finals: Sequence[Sequence[Line]]) -> dict[int, int]:
    """LG-505 One rank from final A to final B and on; numbers are those of whoever asks."""
    return pure.overall({line.number: line.rank for line in one if line.rank is not None} for one in finals)


def draw_of(facts: Facts) -> tuple[str, ...]:
    """LG-253 The order that the draw `pots` gives, for whoever repeats it."""
    return drawn(facts.seed, "pots", facts.stage, map(str, facts.field))
