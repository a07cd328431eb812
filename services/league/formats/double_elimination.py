"""Who meets whom in double elimination for two, and who has which rank?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from services.league.formats.elimination import UPPER, first_round
from services.league.formats.elimination import nodes as single
from services.league.formats.tree import (
    EMPTY,
    NOBODY,
    OPEN,
    READY,
    VOID,
    Decided,
    Ends,
    Node,
    Place,
    Stand,
    Tree,
    grown,
    loser_of,
    winner_of,
)

LOWER, FINAL = "lower", "final"
FIRST_FINAL, SECOND_FINAL = Place(FINAL, 1, 0), Place(FINAL, 2, 0)


def nodes(field: int) -> tuple[Node, ...]:
    """LG-461, LG-462 The upper bracket, the lower one and both finals."""
    rounds = len(first_round(field)).bit_length()
    upper = Place(UPPER, rounds, 0)
    lower = [node for number in range(2, rounds + 1) for node in _lower(number, 2 ** (rounds - number))]
    challenger = winner_of(Place(LOWER, 2 * rounds - 2, 0)) if lower else loser_of(upper)
    finals = [Node(FIRST_FINAL, winner_of(upper), challenger), Node(SECOND_FINAL, winner_of(FIRST_FINAL), loser_of(FIRST_FINAL))]
    return (*single(field), *lower, *finals)


def _lower(number: int, count: int) -> list[Node]:
    """The two lower rounds that come with an upper round: winners among themselves, then against its losers."""
    before = 2 * number - 3
    if before == 1:
        pairs = [Node(Place(LOWER, 1, at), *(loser_of(Place(UPPER, 1, 2 * at + half)) for half in (0, 1))) for at in range(count)]
    else:
        pairs = [Node(Place(LOWER, before, at), *(winner_of(Place(LOWER, before - 1, 2 * at + half)) for half in (0, 1))) for at in range(count)]
    return [*pairs, *(
        Node(Place(LOWER, before + 1, at), winner_of(Place(LOWER, before, at)), loser_of(Place(UPPER, number, _crossed(number, at, count))))
        for at in range(count))]


def _crossed(number: int, at: int, count: int) -> int:
    """LG-462, LG-463 Reversed for even upper rounds, halves exchanged for odd ones, so that who met meets again late."""
    return count - 1 - at if number % 2 == 0 else (at + count // 2) % count


def tree(field: int, decided: Decided, gone: frozenset[int] = frozenset(), ends: Ends = NOBODY) -> Tree:
    """LG-464, LG-465, LG-468 As it stands; the second final is there only if the upper winner lost the first."""
    found = grown(nodes(field), decided, gone, ends)
    first = found[FIRST_FINAL]
    if first.state == OPEN:
        return found
    if not first.winner or first.one in (first.winner, EMPTY) or first.loser == EMPTY:
        found[SECOND_FINAL] = Stand(EMPTY, EMPTY, VOID, EMPTY, EMPTY)
    return found


def losses(found: Tree, field: int) -> dict[int, int]:
    """LG-466, LG-468 Of everybody; who forfeits with the other, or has left, gets what is missing to two."""
    counted: Counter[int] = Counter(dict.fromkeys(range(1, field + 1), 0))
    for stand in found.values():
        for seed in stand.out:
            counted[seed] = counted[seed] + 1 if stand.loser == seed else 2
    final = found[SECOND_FINAL] if found[SECOND_FINAL].winner else found[FIRST_FINAL]
    for seed in final.out if final.winner and found[SECOND_FINAL].state != READY else ():
        counted[seed] = 2
    return dict(counted)


def ranks(found: Tree, field: int) -> dict[int, int]:
    """LG-448, LG-467 The champion, the loser of the last final, then by the lower round in which each went out."""
    lost = losses(found, field)
    out = exits(found, lost)
    ranked = {seed: 1 + sum(lost[other] < 2 for other in lost) + sum(depth > own for depth in out.values()) for seed, own in out.items()}
    final = found[SECOND_FINAL] if found[SECOND_FINAL].winner else found[FIRST_FINAL]
    alone = [seed for seed, count in lost.items() if count < 2]
    if not alone:                       # LG-448 nobody has won
        return {seed: max(2, rank) for seed, rank in ranked.items()}
    return ranked | ({alone[0]: 1} if len(alone) == 1 and final.winner == alone[0] else {})


def exits(found: Tree, lost: Mapping[int, int]) -> dict[int, int]:
    """How far everybody came who is out."""
    last: dict[int, int] = {}
    for place, stand in found.items():
        for seed in stand.out:
            last[seed] = max(last.get(seed, 0), depth(place))
    return {seed: last[seed] for seed, count in lost.items() if count > 1}


def depth(place: Place) -> int:
    """How far a place is from the beginning, counted in lower rounds."""
    match place.part:
        case "final":
            return 1_000 + place.round
        case "lower":
            return place.round
        case _:
            return max(1, 2 * place.round - 2)
