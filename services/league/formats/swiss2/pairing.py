"""How is a round of two-seat Swiss paired? From the highest score group down, bracket by bracket."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from services.league.formats.swiss2.bracket import (
    BYE,
    MOVED,
    NEXT,
    RESIDENT,
    REST,
    Bracket,
    Field,
    couples,
    fields,
    in_halves,
    inside,
    moved_first,
    weight,
)
from services.league.formats.swiss2.cards import Card, Plan, may_meet, may_rest, ranked
from services.league.formats.swiss2.large import LARGE, folded
from services.league.formats.swiss2.perfect import perfect
from services.league.formats.swiss2.seating import seated
from services.league.matching import heaviest, is_whole
from services.league.refusals import Refused

FAR = 400           # with more entrants than this still to pair, the rest of the field can always be completed
FIRST_REPAIR = 16
NEAR = 100          # of a larger next score group only the first are looked at


class Paired(NamedTuple):
    """The tables with the first seat first, in order of their boards, and who has the allocated bye."""

    tables: tuple[tuple[int, int], ...]
    bye: int | None = None


Pairs = list[tuple[Card, Card]]


def pair(field: Sequence[Card], plan: Plan) -> Paired:
    """LG-350 The round, or `no_pairing` when nothing keeps the hard rules (LG-421)."""
    order = ranked(field)
    if len(order) < 2:
        raise Refused("not_enough_players", "fewer than two entrants are available")
    resting = _resting(order, plan)
    left: list[Card] = []
    pairs: Pairs = []
    groups = [list(group) for _, group in groupby(order, key=lambda card: card.points)]
    below = list(order)
    for _at, group in enumerate(groups):
        below = below[len(group):]
        made, left = _bracket(left, group, below, (resting, plan))
        pairs += made
    pairs, left = _repaired(pairs, left, resting, plan)
    return Paired(_boards(pairs, plan), left[0].number if left else None)


def _repaired(pairs: Pairs, left: list[Card], resting: frozenset[int], plan: Plan) -> tuple[Pairs, list[Card]]:
    """S1 Where a large field did not end well, its last pairs are made anew together with those left over."""
    if len(left) > FIRST_REPAIR:
        pairs, left = _opened(pairs, left, resting, plan)
    count = 2 * FIRST_REPAIR
    while len(left) > 1 or not resting >= {card.number for card in left}:
        if count > 4 * len(pairs) + 4 * FIRST_REPAIR:
            raise Refused("no_pairing", "no pairing keeps the hard rules")
        opened = sorted(pairs, key=lambda two: (two[1].points, two[0].points))[:count]
        pool = ranked([*left, *(card for two in opened for card in two)])
        if completes(pool, resting, plan):
            made, left = _best(_seen([], list(pool), [], []), plan, resting)
            pairs = [two for two in pairs if two not in opened] + made
        count *= 2
    return pairs, left


def _opened(pairs: Pairs, left: list[Card], resting: frozenset[int], plan: Plan) -> tuple[Pairs, list[Card]]:
    """S1, S4 Very many left over take the places of pairs, the lowest first: each two of them part one pair and meet its two."""
    order = sorted(pairs, key=lambda two: (two[1].points, two[0].points))
    spare = [card for card in reversed(left) if card.number in resting][:len(left) % 2]
    waiting = [card for card in left if card not in spare]
    made, kept, at = Pairs(), list[Card](), 0
    for one, other in zip(waiting[::2], waiting[1::2], strict=False):
        if may_meet(one, other, plan):
            made.append((one, other))
            continue
        while at < len(order) and not _parts(order[at], (one, other), plan):
            made.append(order[at])
            at += 1
        if at == len(order):
            kept += [one, other]
            continue
        made += _parts(order[at], (one, other), plan)
        at += 1
    return [*made, *order[at:]], [*kept, *waiting[2 * (len(waiting) // 2):], *spare]


def _parts(pair_of: tuple[Card, Card], two: tuple[Card, Card], plan: Plan) -> Pairs:
    """The two pairs that a pair and two others can make; none if they cannot."""
    for ours in (pair_of, pair_of[::-1]):
        if all(may_meet(one, other, plan) for one, other in zip(ours, two, strict=True)):
            return [(one, other) if (-one.points, one.number) < (-other.points, other.number) else (other, one)
                    for one, other in zip(ours, two, strict=True)]
    return []


def _resting(order: Sequence[Card], plan: Plan) -> frozenset[int]:
    """S2 The numbers of those who may have the bye: the lowest points with which the round can be completed."""
    if len(order) % 2 == 0:
        if not completes(order, frozenset(), plan):
            raise Refused("no_pairing", "no pairing keeps the hard rules")
        return frozenset()
    able = [card for card in reversed(order) if may_rest(card, plan)]
    for _, group in groupby(able, key=lambda card: card.points):
        numbers = frozenset(card.number for card in group)
        if completes(order, numbers, plan):
            return numbers
    raise Refused("no_pairing", "no pairing keeps the hard rules")


def completes(left: Sequence[Card], resting: frozenset[int], plan: Plan) -> bool:
    """S1 Everybody can be paired, but for one who may have the bye if their number is odd."""
    odd = len(left) % 2
    if len(left) > FAR:
        return not odd or any(card.number in resting for card in left)
    near = [[other for other, their in enumerate(left) if other != one and may_meet(card, their, plan)] for one, card in enumerate(left)]
    if odd:
        able = [at for at, card in enumerate(left) if card.number in resting]
        for at in able:
            near[at].append(len(left))
        near.append(able)
    return is_whole(len(near), near)


def _bracket(moved: list[Card], group: list[Card], below: list[Card], asked: tuple[frozenset[int], Plan]) -> tuple[Pairs, list[Card]]:
    """LG-350, LG-351 The pairs of one bracket, and who moves down from it.

    First only as much of what lies below is looked at as can matter; what is best then and leaves a round that can be
    completed is best altogether. Otherwise everything below is looked at.
    """
    resting, plan = asked
    if len(moved) + len(group) > LARGE:
        return folded(moved, group, plan, resting if not below else frozenset())
    quick = _perfect(moved, group, below, asked)
    if quick is not None:
        return quick
    nearest = [card for card in below if card.points == below[0].points][:NEAR] if below else []
    here = {card.number for card in (*moved, *group)}
    if below and not here & resting:
        for next_group in ([], nearest):
            pairs, left = _best(_seen(moved, group, next_group, []), plan)
            if (next_group or not left) and completes([*left, *below], resting, plan):
                return pairs, left
    if len(below) > FAR:
        return _best(_seen(moved, group, nearest, []), plan)
    return _best(_seen(moved, group, nearest, below[len(nearest):]), plan, resting)


def _perfect(moved: list[Card], group: list[Card], below: list[Card], asked: tuple[frozenset[int], Plan]) -> tuple[Pairs, list[Card]] | None:
    """LG-351 Where nothing could be better and the round can be completed, there is nothing to compare."""
    resting, plan = asked
    able = [card for card in (*moved, *group) if card.number in resting]
    if below and able:
        return None
    missed = min((card.unplayed for card in able), default=0)
    nearest = [card for card in below if card.points == below[0].points] if below else []

    @cache
    def may_leave(card: Card) -> bool:
        """S5, S6 Goes on well in the next bracket, or has the bye with the best right."""
        return _goes_on(card, nearest, plan) if below else card.number in resting and card.unplayed == missed

    found = perfect(moved, group, plan, may_leave)
    return found if found is not None and (not below or completes([*found[1], *below], resting, plan)) else None


def _goes_on(card: Card, nearest: list[Card], plan: Plan) -> bool:
    """S5 Next time as many pairs as can be are made with this one among them, and nobody else moves down but one at most."""
    if len(nearest) > NEAR:
        return any(may_meet(card, other, plan) for other in nearest[:NEAR])
    return completes([card, *nearest], frozenset(other.number for other in nearest), plan)


def _seen(*parts: list[Card]) -> list[tuple[Card, int]]:
    return [(card, role) for part, role in zip(parts, (MOVED, RESIDENT, NEXT, REST), strict=True) for card in part]


def _best(seen: list[tuple[Card, int]], plan: Plan, resting: frozenset[int] | None = None) -> tuple[Pairs, list[Card]]:
    """LG-351 to LG-355 The best pairs among those seen; if who may rest is given, everything is in sight and all come to a place."""
    whole = resting is not None
    indexes = frozenset(at for at, (card, _) in enumerate(seen) if card.number in (resting or ()))
    bracket = Bracket(tuple(card for card, _ in seen), tuple(role for _, role in seen), indexes if len(seen) % 2 else frozenset(), plan)
    rules, edges = fields(bracket), list(couples(bracket))
    found = _matched(bracket, edges, [*rules, *moved_first(bracket)], whole=whole)
    fixed = {at for at, role in enumerate(bracket.roles) if role == MOVED for at in (at, *_inside_partner(bracket, found, at))}
    own = [at for at, role in enumerate(bracket.roles) if role == RESIDENT and at not in fixed]
    pairs = sum(found.get(at, BYE) in own for at in own) // 2
    if pairs > 1 or (pairs and len(own) > 2):
        loose = {at for at in fixed if not _inside_partner(bracket, found, at)}
        held = fixed - loose
        free = [(one, other) for one, other in edges if one not in held and other not in held
                and not (loose & {one, other} and inside(bracket, one, other))]
        others = bracket._replace(resting=bracket.resting - held)
        found = {at: found[at] for at in held} | _matched(others, free, [*rules, *in_halves(own, pairs)], whole=whole)
    return _read(bracket, found)


def _inside_partner(bracket: Bracket, found: dict[int, int], at: int) -> tuple[int, ...]:
    other = found.get(at, BYE)
    return (other,) if other != BYE and inside(bracket, at, other) else ()


def _matched(bracket: Bracket, edges: list[tuple[int, int]], rules: list[Field], *, whole: bool) -> dict[int, int]:
    weighted = [(one, other, weight(rules, one, other)) for one, other in edges]
    weighted += [(BYE, at, weight(rules, BYE, at)) for at in sorted(bracket.resting)]
    return heaviest(weighted, full=whole)


def _read(bracket: Bracket, found: dict[int, int]) -> tuple[Pairs, list[Card]]:
    pairs, left = [], []
    for at, card in enumerate(bracket.cards):
        if bracket.roles[at] > RESIDENT:
            break
        other = found.get(at, BYE)
        if other == BYE or bracket.roles[other] > RESIDENT:
            left.append(card)
        elif at < other:
            pairs.append((card, bracket.cards[other]))
    return pairs, left


def _boards(pairs: Pairs, plan: Plan) -> tuple[tuple[int, int], ...]:
    """The highest points come to the first boards."""
    order = sorted(pairs, key=lambda two: (-two[0].points, -two[1].points, two[0].number))
    return tuple(seated(one, other, plan) for one, other in order)
