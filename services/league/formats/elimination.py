"""Who meets whom in single elimination for two (`elim-1`), and who has which rank?"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from services.league.formats.tree import EMPTY, READY, SEED, Node, Place, Source, Tree, loser_of, winner_of
from services.league.refusals import Refused

LARGE, LOOKED_AT = 4_096, 64     # in larger fields so many others are looked at for an exchange
UPPER, FINAL, THIRD = "upper", "final", "third"


def order_of_seeds(places: int) -> tuple[int, ...]:
    """LG-441 Behind each seed s comes, with each doubling, new size + 1 - s."""
    order: tuple[int, ...] = (1,)
    while len(order) < places:
        size = 2 * len(order)
        order = tuple(seed for known in order for seed in (known, size + 1 - known))
    return order


def first_round(field: int) -> tuple[tuple[int, int], ...]:
    """LG-442 The places of round 1; those above the field are empty."""
    if field < 2:
        raise Refused("not_enough_players", "an elimination needs two entrants")
    order = [seed if seed <= field else EMPTY for seed in order_of_seeds(1 << (field - 1).bit_length())]
    return tuple(zip(order[::2], order[1::2], strict=True))


def spread(order: Sequence[int], kinds: Mapping[int, Hashable], protected: int = 0) -> tuple[int, ...]:
    """LG-258, LG-259 Seeds of one tier (2, 3 and 4, 5 to 8, …) change places so that as few of one kind as can be meet in round 1."""
    seeds = list(order)
    opposite = {seed: other for two in first_round(len(seeds)) for seed, other in (two, two[::-1]) if seed}

    def clashes(*touched: int) -> int:
        pairs = {frozenset((seed, opposite[seed])) for seed in touched if opposite[seed]}
        return sum(len({kinds.get(seeds[seed - 1], -seed) for seed in two}) < 2 for two in pairs)

    for seed in sorted(opposite, reverse=True):
        if seed <= protected or not clashes(seed):
            continue
        for other in islice(_tier(seed, len(seeds)), LOOKED_AT if len(seeds) > LARGE else None):
            if other <= protected or kinds.get(seeds[seed - 1]) == kinds.get(seeds[other - 1]) or not clashes(seed):
                continue
            before = clashes(seed, other)
            seeds[seed - 1], seeds[other - 1] = seeds[other - 1], seeds[seed - 1]
            if clashes(seed, other) >= before:
                seeds[seed - 1], seeds[other - 1] = seeds[other - 1], seeds[seed - 1]
    return tuple(seeds)


def _tier(seed: int, field: int) -> range:
    """The seeds that stand as far from the others as this one."""
    if seed < 3:
        return range(seed, seed)
    first = 1 << (seed - 1).bit_length() - 1
    return range(first + 1, min(2 * first, field) + 1)


def nodes(field: int, *, third_place: bool = False) -> tuple[Node, ...]:
    """LG-441 to LG-444 The bracket; the third-place pairing stands beside the final."""
    found = [Node(Place(UPPER, 1, at), Source(SEED, one), Source(SEED, other)) for at, (one, other) in enumerate(first_round(field))]
    number, count = 1, len(found)
    while count > 1:
        number, count = number + 1, count // 2
        found += [Node(Place(UPPER, number, at), *(winner_of(Place(UPPER, number - 1, 2 * at + half)) for half in (0, 1)))
                  for at in range(count)]
    if third_place and number > 1:
        found.append(Node(Place(THIRD, number, 0), *(loser_of(Place(UPPER, number - 1, at)) for at in (0, 1))))
    return tuple(found)


def ready(tree: Tree) -> tuple[Place, ...]:
    """LG-444 The pairings that can be played now; final and third place in any order."""
    return tuple(place for place, stand in tree.items() if stand.state == READY)


def ranks(tree: Tree, barred: frozenset[int] = frozenset()) -> dict[int, int]:
    """LG-445, LG-448, LG-449 The rank of everybody who is out or has won; the disqualified have none, and nobody moves up for it."""
    last = max(place.round for place in tree)
    found: dict[int, int] = {}
    for place, stand in tree.items():
        if place.part == UPPER:
            found |= dict.fromkeys(stand.out, 2 ** (last - place.round) + 1)
    final = tree[Place(UPPER, last, 0)]
    if final.winner:
        found[final.winner] = 1
    third = tree.get(Place(THIRD, last, 0))
    if third is not None and third.winner:
        found |= {seed: 4 for seed, rank in found.items() if rank == 3}
        found[third.winner] = 3
    return {seed: rank for seed, rank in found.items() if seed not in barred}


def pairing_winner(higher: int, lower: int, games: Sequence[tuple[Fraction, Fraction]], deciders: int = 2) -> int | None:
    """LG-446 Who advances, by the points of each match, first those of the higher seed; nothing while another match is due."""
    if not games:
        return None
    ahead = sum((mine - theirs for mine, theirs in games), Fraction(0))
    if ahead:
        return higher if ahead > 0 else lower
    return higher if len(games) > deciders else None


def first_seat(one: str, other: str, seats: Mapping[str, Sequence[int]], draw: tuple[bytes, str]) -> str:
    """LG-296 Who had fewer first seats (1), then who sat second (-1) most recently, then the draw of seed and stage."""
    firsts = {name: list(seats.get(name, ())).count(1) for name in (one, other)}
    if firsts[one] != firsts[other]:
        return min((one, other), key=lambda name: firsts[name])
    for mine, theirs in zip(reversed(seats.get(one, ())), reversed(seats.get(other, ())), strict=False):
        if mine != theirs:
            return one if mine == -1 else other
    seed, stage = draw
    return min((one, other), key=lambda name: hmac.digest(seed, f"first|{stage}|{name}".encode(), hashlib.sha256))
