"""Why is one way to pair a round better than another? The first bracket in which they differ, and the first rule that decides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from services.league.formats.swiss2.bracket import (
    BYE,
    MOVED,
    NEXT,
    RESIDENT,
    REST,
    Bracket,
    couples,
    fields,
    in_halves,
    inside,
    moved_first,
)
from services.league.formats.swiss2.bracket import weight as weighed
from services.league.formats.swiss2.cards import Card, Plan, may_meet, may_rest
from services.league.formats.swiss2.pairing import _resting
from services.league.matching import heaviest

Choice = tuple[frozenset[frozenset[int]], int | None]       # pairs, and who has the bye


def verdict(cards: Sequence[Card], plan: Plan, mine: Choice, theirs: Choice) -> tuple[str, bool]:
    """The rule by which they differ, and whether mine is the better one by it."""
    hard = _hard(cards, plan, theirs)
    if hard:
        return hard, True
    groups = [list(group) for _, group in groupby(cards, key=lambda card: card.points)]
    moved: list[Card] = []
    for at, group in enumerate(groups):
        here = [*moved, *group]
        numbers = {card.number for card in here}
        own, other = ({pair for pair in choice[0] if pair <= numbers} for choice in (mine, theirs))
        if own != other:
            bracket = _bracket((moved, group, groups[at + 1:]), cards, plan)
            return _compared(bracket, own, other)
        moved = [card for card in here if not any(card.number in pair for pair in own)]
    return "the same", True


def _hard(cards: Sequence[Card], plan: Plan, choice: Choice) -> str:
    known = {card.number: card for card in cards}
    if any(not may_meet(*(known[number] for number in pair), plan) for pair in choice[0]):
        return "LG-342"
    if choice[1] is not None and not may_rest(known[choice[1]], plan):
        return "LG-349"
    return "S2" if choice[1] is not None and choice[1] not in _resting(cards, plan) else ""


def _bracket(parts: tuple[list[Card], list[Card], list[list[Card]]], cards: Sequence[Card], plan: Plan) -> Bracket:
    moved, group, below = parts
    nearest = below[0] if below else []
    rest = [card for lower in below[1:] for card in lower]
    seen = [*moved, *group, *nearest, *rest]
    roles = (MOVED,) * len(moved) + (RESIDENT,) * len(group) + (NEXT,) * len(nearest) + (REST,) * len(rest)
    resting = _resting(cards, plan)
    return Bracket(tuple(seen), roles, frozenset(at for at, card in enumerate(seen) if card.number in resting), plan)


def _compared(bracket: Bracket, own: set[frozenset[int]], other: set[frozenset[int]]) -> tuple[str, bool]:
    mine, theirs = _values(bracket, own), _values(bracket, other)
    if theirs is None:
        return "S1", True
    assert mine is not None
    for (name, value), (_, their) in zip(mine, theirs, strict=True):
        if value != their:
            return name, value > their
    return "S17", _order(bracket, own) > _order(bracket, other)


def _values(bracket: Bracket, pairs: set[frozenset[int]]) -> list[tuple[str, int]] | None:
    """The worth of each rule with these pairs and the best of what can follow; nothing if the round cannot be completed."""
    place = {card.number: at for at, card in enumerate(bracket.cards)}
    fixed = [tuple(sorted(place[number] for number in pair)) for pair in pairs]
    paired = {at for two in fixed for at in two}
    rules = fields(bracket)
    free = [(one, other) for one, other in couples(bracket) if not {one, other} & paired and not inside(bracket, one, other)]
    edges = [*free, *((BYE, at) for at in bracket.resting if at not in paired)]
    found = heaviest([(one, other, weighed(rules, one, other)) for one, other in edges], full=True)
    count = len(bracket.cards) - len(paired)
    if len(found) < count + count % 2:
        return None
    chosen = [*fixed, *((one, other) for one, other in found.items() if one < other)]
    return [(rule.name, sum(rule.worth(one, other) for one, other in chosen)) for rule in rules]


def _order(bracket: Bracket, pairs: set[frozenset[int]]) -> list[int]:
    place = {card.number: at for at, card in enumerate(bracket.cards)}
    fixed = [tuple(sorted(place[number] for number in pair)) for pair in pairs]
    with_moved = {at for two in fixed for at in two if any(bracket.roles[one] == MOVED for one in two)}
    own = [at for at, role in enumerate(bracket.roles) if role == RESIDENT and at not in with_moved]
    rules = [*moved_first(bracket), *in_halves(own, sum(not set(two) & with_moved for two in fixed))]
    return [sum(rule.worth(one, other) for one, other in fixed) for rule in rules]
