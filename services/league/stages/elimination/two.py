"""How does single or double elimination go for two?"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from services.league.counting.possible import Interval, in_elimination
from services.league.formats import double_elimination
from services.league.formats.elimination import THIRD, UPPER, ranks
from services.league.formats.tree import DECIDED, EMPTY, WALKOVER, Place, Stand, Tree
from services.league.record import ALLOCATED, Bye
from services.league.stages import counts
from services.league.stages.elimination import bracket as knockout
from services.league.stages.facts import NOT_ENOUGH, At, Consequences, Drafted, Facts, Level, Line, Meeting, Over, Plan, Waits
from services.league.ties.book import Book

NAMES = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}
SIDES = ("upper", "lower", "final", "third")


def plan(facts: Facts) -> Plan:
    """LG-441, LG-461 The rounds of the bracket, byes included."""
    size = len(facts.field)
    if size < 2:
        return Plan(0)
    nodes = knockout.nodes_of(facts)
    if facts.rules.format == knockout.DOUBLE:
        return Plan(notes=(f"{2 * size - 2} or {2 * size - 1} pairings with a loser",))
    rounds = max(node.place.round for node in nodes)
    byes = (1 << rounds) - size
    levels = (Level(((2, (1 << rounds - 1) - byes),), 1, byes), *(Level(((2, 1 << rounds - number),), 1) for number in range(2, rounds + 1)))
    return Plan(rounds, levels)


def draft(facts: Facts, _option: str = "") -> Drafted | Over | Waits:
    """LG-442 to LG-444, LG-464 All pairings whose entrants are known; in the first round those opposite an empty place have a bye."""
    if len(facts.field) < 2:
        return Waits(NOT_ENOUGH)
    found = knockout.bracket_of(facts)
    known = tuple(knockout.due(found))
    opening = () if facts.rounds else tuple((place, stand) for place, stand in known if (place.part, place.round) == (UPPER, 1))
    drafts = tuple(knockout.draft(found, place, stand) for place, stand in opening or known)
    if not drafts:
        return Over()
    byes = () if not opening else tuple(
        Bye(facts.field[stand.winner - 1], ALLOCATED) for place, stand in found.tree.items()
        if place.part == UPPER and place.round == 1 and stand.state == WALKOVER and stand.winner and EMPTY in {stand.one, stand.other})
    return Drafted(drafts, byes, why_byes={bye.number: "empty" for bye in byes})


def parallel(_facts: Facts) -> bool:
    return False


def _ranks(facts: Facts, found: Tree) -> dict[int, int]:
    """LG-445, LG-449, LG-467 By number, of all who are out or have won."""
    by_seed = double_elimination.ranks(found, len(facts.field)) if facts.rules.format == knockout.DOUBLE else ranks(found)
    return {facts.field[seed - 1]: rank for seed, rank in by_seed.items()}


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-445, LG-449, LG-467, LG-965 Who is still in shares the first rank until it goes out; points are pairings won."""
    if len(facts.field) < 2:
        return tuple(Line(number, 1) for number in facts.field)
    decided = knockout.decided(facts)
    known = _ranks(facts, knockout.tree_of(facts, decided))
    won = Counter(facts.field[seed - 1] for seed in decided.values() if seed)
    rows = {line.number: line for line in counts.standing(facts, counts.records(facts), len(facts.rounds))}
    place = knockout.seeds(facts)
    shown = counts.ranked_without(facts, {number: known.get(number, 1) for number in facts.field})
    order = sorted(facts.field, key=lambda number: (shown[number] is None, known.get(number, 1), place[number]))
    return tuple(rows[number]._replace(rank=shown[number], points=Fraction(won[number]), ties=(), decided="") for number in order)


def book(facts: Facts, _number: int) -> Book:
    """LG-771 What the tie-breaks of the standing look up."""
    return counts.book(facts, counts.records(facts), len(facts.rounds))


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-826 From the bracket alone."""
    if len(facts.field) < 2:
        return {number: Interval(1, 1) for number in facts.field}
    found = knockout.tree_of(facts, knockout.decided(facts))
    by_seed = _in_double(facts, found) if facts.rules.format == knockout.DOUBLE else in_elimination(found)
    return counts.reach_without(facts, {facts.field[seed - 1]: interval for seed, interval in sorted(by_seed.items())})


def _in_double(facts: Facts, found: Tree) -> dict[int, Interval]:
    """LG-826 Who may still go out no further than somebody who is out shares that rank or is behind it.

    LG-468 At each pairing that is to come so deep one does, or both by a double forfeit.
    """
    size = len(facts.field)
    known, lost = double_elimination.ranks(found, size), double_elimination.losses(found, size)
    inside = [seed for seed in lost if seed not in known]
    out = double_elimination.exits(found, lost)
    pending = sorted(double_elimination.depth(place) for place, stand in found.items() if stand.winner is None)
    ahead = sum(depth > pending[0] for depth in out.values()) if pending else 0
    result = {seed: Interval(max(1, rank - min(len(inside), 2 * bisect_right(pending, out.get(seed, 0)))), rank) for seed, rank in known.items()}
    return result | {seed: Interval(1, max(1, len(inside) + ahead)) for seed in inside}


def consequences(facts: Facts, pairing: At, after: Meeting) -> Consequences:
    """LG-917, LG-918."""
    return knockout.consequences(facts, pairing, after)


def bracket(facts: Facts) -> Mapping[str, Any] | None:
    """LG-443, LG-1004 Every place with its entrants, where its winner and loser go, and one line of text."""
    if len(facts.field) < 2:
        return None
    found = knockout.bracket_of(facts)
    sides = [{"side": side, "rounds": list(_rounds(found, side))} for side in SIDES if any(place.part == side for place in found.tree)]
    texts = [place["text"] for side in sides for one in side["rounds"] for place in one["places"]]  # type: ignore[index]
    return {"sides": sides, "text": "\n".join(texts)}


def _rounds(found: knockout.Bracket, side: str) -> Iterator[dict[str, Any]]:
    rounds: dict[int, list[Place]] = {}
    for place in found.tree:
        if place.part == side:
            rounds.setdefault(place.round, []).append(place)
    for number, places in sorted(rounds.items()):
        yield {"round": number, "name": _name(found.facts, side, number, len(places)), "places": [_place(found, place) for place in places]}


def _name(facts: Facts, side: str, number: int, count: int) -> str:
    if side == THIRD:
        return "Third place"
    if side == "final":
        return "Final" if number == 1 else "Second final"
    if side == UPPER and facts.rules.format != knockout.DOUBLE and count in NAMES:
        return NAMES[count]
    return f"{side.capitalize()} round {number}" if facts.rules.format == knockout.DOUBLE else f"Round {number}"


def _place(found: knockout.Bracket, place: Place) -> dict[str, Any]:
    facts, stand, stood = found.facts, found.tree[place], found.made.get(place)
    numbers = [facts.field[seed - 1] if seed else None for seed in (stand.one, stand.other)]
    state = stood.meeting.state if stood else stand.state if stand.state != DECIDED else WALKOVER
    return {
        "place": knockout.written(place), "numbers": numbers, "winner": facts.field[stand.winner - 1] if stand.winner else None, "state": state,
        "at": list(stood.at) if stood else None, "text": _text(facts, stand, (place, knockout.score(facts, stood.meeting) if stood else "")),
        "to": found.ways.get((place, "winner")), "losers_to": found.ways.get((place, "loser"))}


def _text(facts: Facts, stand: Stand, said: tuple[Place, str]) -> str:
    """LG-1004 One line."""
    names = [f"no. {facts.field[seed - 1]}" if seed else "nobody" if seed == EMPTY else "to be decided" for seed in (stand.one, stand.other)]
    line = f"{knockout.written(said[0])}: {names[0]} against {names[1]}"
    if stand.winner:
        line += f", no. {facts.field[stand.winner - 1]} goes on"
    elif stand.winner == EMPTY and stand.out:
        line += ", nobody goes on"
    return line + (f" ({said[1]})" if said[1] else "")


def cross(_facts: Facts) -> Mapping[str, Any] | None:
    return None
