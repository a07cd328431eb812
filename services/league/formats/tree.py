"""Who stands where in a bracket? Pairings that take their entrants from seeds, or from winners and losers of earlier pairings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

EMPTY = 0                               # nobody will ever stand here
OPEN, READY, DECIDED, WALKOVER, VOID = "open", "ready", "decided", "walkover", "empty"
SEED, WINNER, LOSER = "seed", "winner", "loser"


class Place(NamedTuple):
    """A pairing of the bracket: `upper`, `lower`, `final` or `third`, its round, and which one from the top, counted from 0."""

    part: str
    round: int
    at: int


class Source(NamedTuple):
    """Where an entrant comes from."""

    kind: str
    seed: int = EMPTY
    place: Place | None = None


class Node(NamedTuple):
    """A place of the bracket and its two sources."""

    place: Place
    one: Source
    other: Source


class Stand(NamedTuple):
    """A pairing as it stands: `None` where an entrant is not known yet, EMPTY where there will be none."""

    one: int | None
    other: int | None
    state: str
    winner: int | None = None
    loser: int | None = None
    out: tuple[int, ...] = ()           # who leaves the tournament here


Decided = Mapping[Place, int]           # the seed that won; EMPTY for a double forfeit (LG-448)
Ends = Mapping[Place, frozenset[int]]   # of pairings that were made: who did not come to it because they had gone
Tree = dict[Place, Stand]
NOBODY: Ends = MappingProxyType({})


def grown(nodes: Sequence[Node], decided: Decided, gone: frozenset[int] = frozenset(), ends: Ends = NOBODY) -> Tree:
    """LG-443, LG-447, LG-464 Every pairing as the decisions so far leave it; nodes come before those they feed.

    LG-468 Who has gone is out at the pairing that they did not come to; what they lost by play before stays an ordinary loss.
    """
    tree: Tree = {}
    for node in nodes:
        one, other = (_from(tree, source) for source in (node.one, node.other))
        tree[node.place] = _stand((one, other), decided.get(node.place), ends.get(node.place, gone))
    return tree


def _from(tree: Tree, source: Source) -> int | None:
    if source.kind == SEED or source.place is None:
        return source.seed
    stand = tree[source.place]
    return stand.winner if source.kind == WINNER else stand.loser


def _stand(two: tuple[int | None, int | None], won: int | None, gone: frozenset[int]) -> Stand:
    one, other = two
    if one is None or other is None:
        return Stand(one, other, OPEN)
    if one == other == EMPTY:
        return Stand(one, other, VOID, EMPTY, EMPTY)
    if EMPTY in two:
        return Stand(one, other, WALKOVER, one or other, EMPTY)
    if won is None:
        here = [entrant for entrant in two if entrant not in gone]
        if len(here) == 2:
            return Stand(one, other, READY)
        won = here[0] if here else EMPTY
    lost = tuple(entrant for entrant in (one, other) if entrant != won)
    goes_on = len(lost) == 1 and lost[0] not in gone
    state = WALKOVER if set(lost) & gone else DECIDED
    return Stand(one, other, state, won, lost[0] if goes_on else EMPTY, lost)


def after(nodes: Sequence[Node], place: Place) -> Iterator[Place]:
    """LG-918 The pairings whose entrants rest on this one, in order."""
    resting = {place}
    for node in nodes:
        if {node.one.place, node.other.place} & resting:
            resting.add(node.place)
            yield node.place


def winner_of(place: Place) -> Source:
    return Source(WINNER, place=place)


def loser_of(place: Place) -> Source:
    return Source(LOSER, place=place)
