"""How does a bracket of two stand, who meets next in it, and what rests on what?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from services.league.formats import double_elimination, elimination
from services.league.formats.tree import EMPTY, READY, WALKOVER, Node, Place, Stand, Tree, after, grown
from services.league.record import NO_SHOW, started
from services.league.scoring import PLAYED
from services.league.stages import counts
from services.league.stages.facts import DONE, VOID, At, Consequences, Draft, Facts, Meeting, is_begun
from services.league.stages.rules import StageRules
from services.league.stages.series import points_of, table_of

DOUBLE = "double_elimination"
DEPTHS = {"upper": 0, "lower": 1, "third": 1, "final": 2}
Decided = dict[Place, int]


class Stood(NamedTuple):
    """A published pairing of the bracket, and where it is."""

    at: At
    meeting: Meeting


def written(place: Place) -> str:
    return f"{place.part}/{place.round}/{place.at}"


def read(text: str) -> Place:
    part, number, at = text.split("/")
    return Place(part, int(number), int(at))


@lru_cache(maxsize=32)
def _nodes(kind: str, size: int, third_place: bool) -> tuple[Node, ...]:  # noqa: FBT001
    return double_elimination.nodes(size) if kind == DOUBLE else elimination.nodes(size, third_place=third_place)


def nodes_of(facts: Facts) -> tuple[Node, ...]:
    return _nodes(facts.rules.format, len(facts.field), facts.rules.third_place)


def seeds(facts: Facts) -> dict[int, int]:
    """LG-441 The seed of each number: its place in the field."""
    return {number: at for at, number in enumerate(facts.field, start=1)}


def published(facts: Facts) -> dict[Place, Stood]:
    """The pairing that stands at each place now; void ones do not."""
    return {read(meeting.place): Stood((number, meeting.table), meeting)
            for number, one in enumerate(facts.rounds, start=1) for meeting in one.meetings if meeting.state != VOID and meeting.place}


def winner(rules: StageRules, meeting: Meeting, seed: Mapping[int, int]) -> int | None:
    """LG-446 to LG-448, LG-711 The seed that goes on; EMPTY when both forfeit, nothing while it is undecided."""
    if not counts.is_counted(meeting):
        return None
    stayed = [seat.number for seat in table_of(rules, meeting) if seat.how == PLAYED]
    if len(stayed) < 2:
        return seed[stayed[0]] if stayed else EMPTY
    worth = points_of(rules, meeting.games)
    return min((seed[number] for number in worth), key=lambda one: (-worth[_number(one, seed, worth)], one))


def _number(seed: int, seeds_of: Mapping[int, int], numbers: Mapping[int, object]) -> int:
    return next(number for number in numbers if seeds_of[number] == seed)


def decided(facts: Facts) -> Decided:
    seed = seeds(facts)
    found = ((place, winner(facts.rules, stood.meeting, seed)) for place, stood in published(facts).items())
    return {place: won for place, won in found if won is not None}


def tree_of(facts: Facts, known: Decided, wrong: Collection[Place] = ()) -> Tree:
    """LG-443, LG-447, LG-449, LG-464, LG-465 The bracket as these decisions leave it; `wrong` are pairings that will not stay."""
    seed = seeds(facts)
    gone = frozenset(seed[number] for number in (facts.gone | facts.barred) if number in seed)
    made = {place: stood for place, stood in published(facts).items() if place not in wrong} if gone else {}
    sat: dict[int, list[Place]] = {}
    for place, stood in made.items():
        for number in stood.meeting.numbers:
            sat.setdefault(seed[number], []).append(place)
    ends = {place: frozenset(one for one in _missing(facts, stood.meeting, seed) & gone if not any(_depth(later) > _depth(place) for later in sat[one]))
            for place, stood in made.items()}
    if facts.rules.format == DOUBLE:
        return double_elimination.tree(len(facts.field), known, gone, ends)
    return grown(nodes_of(facts), known, gone, ends)


def _missing(facts: Facts, meeting: Meeting, seed: Mapping[int, int]) -> frozenset[int]:
    """Who lost by not coming, or by being taken out; while a match runs, nobody has (LG-231)."""
    return frozenset(seed[seat.number] for seat in table_of(facts.rules, meeting) if seat.how != PLAYED)


def _depth(place: Place) -> tuple[int, int]:
    """How often somebody must have lost, or won, to come from one part of the bracket to another."""
    return DEPTHS[place.part], place.round if place.part == "final" else 0


class Bracket(NamedTuple):
    """Everything about a bracket that is worked out once."""

    facts: Facts
    made: Mapping[Place, Stood]
    tree: Tree
    sat: Mapping[int, Sequence[int]]                # 1 for each first seat, -1 for each other, in order
    sources: Mapping[Place, Sequence[str]]          # the places that feed a place
    ways: Mapping[tuple[Place, str], str]           # where the winner or the loser of a place goes


def bracket_of(facts: Facts, known: Decided | None = None) -> Bracket:
    nodes = nodes_of(facts)
    sources = {node.place: [written(source.place) for source in (node.one, node.other) if source.place] for node in nodes}
    ways = {(source.place, source.kind): written(node.place) for node in nodes for source in (node.one, node.other) if source.place}
    return Bracket(facts, published(facts), tree_of(facts, decided(facts) if known is None else known), _sat(facts), sources, ways)


def _sat(facts: Facts) -> dict[int, list[int]]:
    """LG-295 Of started matches."""
    found: dict[int, list[int]] = {}
    for record in counts.records(facts):
        for table in filter(started, record.tables):
            for at, seat in enumerate(table):
                if seat.how != NO_SHOW:
                    found.setdefault(seat.number, []).append(-1 if at else 1)
    return found


def due(one: Bracket) -> Iterator[tuple[Place, Stand]]:
    """LG-444 Pairings with two known entrants that have not been made, from the first round down; nobody in two at once."""
    out = one.facts.gone | one.facts.barred
    busy = {number for stood in one.made.values() if stood.meeting.state not in DONE for number in stood.meeting.numbers}
    for place, stand in one.tree.items():
        two = {one.facts.field[seed - 1] for seed in (stand.one, stand.other) if seed}
        if place not in one.made and len(two) == 2 and stand.state in {READY, WALKOVER} and not two & busy and not out >= two:
            busy |= two
            yield place, stand


def draft(one: Bracket, place: Place, stand: Stand) -> Draft:
    """LG-296, LG-447 The pairing in the order of its seats; who has gone does not come."""
    facts = one.facts
    numbers = tuple(facts.field[seed - 1] for seed in (stand.one, stand.other) if seed)
    first, rule = first_seat(one, numbers)
    ordered = numbers if numbers[0] == first else numbers[::-1]
    absent = tuple(number for number in ordered if number in facts.gone or number in facts.barred)
    why = {"rule": "bracket", "at": written(place), "from": list(one.sources.get(place, ())), "seat": rule}
    return Draft(ordered, written(place), why, absent)


def first_seat(one: Bracket, numbers: Sequence[int]) -> tuple[int, str]:
    """LG-296 Who sits first, and the rule that decided it."""
    mine, theirs = (one.sat.get(number, ()) for number in numbers)
    names = [str(number) for number in numbers]
    first = int(elimination.first_seat(names[0], names[1], {names[0]: mine, names[1]: theirs}, (one.facts.seed, one.facts.stage)))
    if list(mine).count(1) != list(theirs).count(1):
        return first, "fewer"
    differ = any(own != other for own, other in zip(reversed(mine), reversed(theirs), strict=False))
    return first, "recent" if differ else "draw"


def consequences(facts: Facts, pairing: At, changed: Meeting) -> Consequences:
    """LG-917, LG-918 Later pairings with other entrants than they should have now: void if not started, in the way otherwise."""
    made = published(facts)
    place = next((place for place, stood in made.items() if stood.at == pairing), None)
    if place is None:
        return Consequences()
    known, won = decided(facts), winner(facts.rules, changed, seeds(facts))
    known.pop(place, None)
    if won is not None:
        known[place] = won
    wrong: list[Place] = []
    found = tree_of(facts, known)
    for later in after(nodes_of(facts), place):
        if later in made and not _fits(facts, found[later], made[later].meeting):
            wrong.append(later)
            known.pop(later, None)
            found = tree_of(facts, known, wrong)
    return _answered(facts, wrong, known)


def _fits(facts: Facts, stand: Stand, meeting: Meeting) -> bool:
    return {facts.field[seed - 1] for seed in (stand.one, stand.other) if seed} == set(meeting.numbers)


def _answered(facts: Facts, wrong: Sequence[Place], known: Decided) -> Consequences:
    made = published(facts)
    blocked = tuple(made[place].at for place in wrong if is_begun(made[place].meeting))
    void = tuple(made[place].at for place in wrong if made[place].at not in blocked)
    off = {*void, *blocked}
    kept = facts._replace(rounds=tuple(one._replace(meetings=tuple(meeting for meeting in one.meetings if (number, meeting.table) not in off))
                                       for number, one in enumerate(facts.rounds, start=1)))
    after_it = bracket_of(kept, known)
    again = tuple((made[place].at[0], draft(after_it, place, stand)) for place, stand in due(after_it) if place in wrong)
    words = tuple(f"{written(place)} of round {made[place].at[0]} {'is in the way' if made[place].at in blocked else 'becomes void'}"
                  for place in wrong)
    return Consequences(void, blocked, again, words=(*words, *(f"no. {one.numbers[0]} and no. {one.numbers[1]} meet at {one.place}" for _, one in again)))


def won_at(facts: Facts, stood: Stood) -> int | None:
    """The number that goes on from a decided pairing."""
    won = winner(facts.rules, stood.meeting, seeds(facts))
    return facts.field[won - 1] if won else None


def score(facts: Facts, meeting: Meeting) -> str:
    """How the pairing ended, first seat first; walkovers have none."""
    if not counts.is_counted(meeting) or any(seat.how != PLAYED for seat in table_of(facts.rules, meeting)):
        return ""
    worth = points_of(facts.rules, meeting.games)
    return " to ".join(str(worth[number]) for number in meeting.numbers)
