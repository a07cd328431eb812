"""How is a bracket of very many paired? By the seats they should have, one half folded against the other."""

from __future__ import annotations

from collections.abc import Sequence

from services.league.formats.swiss2.cards import ABSOLUTE, DOWN, FIRST, NONE, SECOND, Card, Plan, Wish, couple, may_meet, wish

LARGE = 200         # a bracket above this is folded
WINDOW = 64         # how far along the ranking an exchange looks

Pairs = list[tuple[Card, Card]]


def folded(moved: Sequence[Card], group: Sequence[Card], plan: Plan, resting: frozenset[int]) -> tuple[Pairs, list[Card]]:
    """LG-375 As many pairs as can be, no hard rule broken, hardly a seat refused that could be given."""
    order = [*moved, *group]
    left = [_left_over(order, resting)] if len(order) % 2 else []
    playing = [card for card in order if card not in left] if left else order
    firsts, seconds = _sides(playing)
    half = len(firsts) // 2
    lower = seconds[half:] + seconds[:half]
    pairs, loose = _met(firsts, lower, plan)
    pairs, loose = _placed(pairs, loose, plan)
    return [_in_order(one, other) for one, other in pairs], [*left, *loose]


def _left_over(order: Sequence[Card], resting: frozenset[int]) -> Card:
    """S4, S11, S13 The lowest points, nobody who went down lately if that can be, the lowest rank; or who may have the bye."""
    able = [card for card in order if card.number in resting] if resting else order
    lowest = min(card.points for card in able)
    return min((card for card in able if card.points == lowest), key=lambda card: (
        card.unplayed if resting else 0, card.floats[0] == DOWN, card.floats[1] == DOWN, -card.number))


def _sides(playing: Sequence[Card]) -> tuple[list[Card], list[Card]]:
    """S9, S10 Two equal lists in rank order, one for each seat; who must change sides has the weakest wish."""
    wishes = {card.number: wish(card) for card in playing}
    firsts = {card.number for card in playing if wishes[card.number].seat == FIRST}
    seconds = {card.number for card in playing if wishes[card.number].seat == SECOND}
    spare = sorted((card for card in playing), key=lambda card: _firmness(wishes[card.number]))
    for card in spare:
        if wishes[card.number].strength == NONE:
            (firsts if len(firsts) <= len(seconds) else seconds).add(card.number)
    fuller, other = (firsts, seconds) if len(firsts) > len(seconds) else (seconds, firsts)
    excess = (len(fuller) - len(other)) // 2
    changing = [card.number for card in spare if card.number in fuller][:excess]
    fuller.difference_update(changing)
    other.update(changing)
    return [card for card in playing if card.number in firsts], [card for card in playing if card.number in seconds]


def _firmness(one: Wish) -> tuple[int, int]:
    return one.strength, abs(one.difference) if one.strength == ABSOLUTE else 0


def _met(firsts: Sequence[Card], lower: list[Card], plan: Plan) -> tuple[Pairs, list[Card]]:
    """Each takes the opponent opposite, or the nearest one further on who has not been met."""
    lower = list(lower)
    pairs: Pairs = []
    loose: list[Card] = []
    for at, card in enumerate(firsts):
        able = (other for other in range(at, min(at + WINDOW, len(lower))) if may_meet(card, lower[other], plan))
        near = _kindest(card, lower, list(able), plan) if plan.apart else next(able, None)
        if near is None:
            loose += [card, lower[at]]
        else:
            lower[at], lower[near] = lower[near], lower[at]
            pairs.append((card, lower[at]))
    return pairs, loose


def _kindest(card: Card, lower: Sequence[Card], able: Sequence[int], plan: Plan) -> int | None:
    """LG-952 The nearest one whom no soft constraint names, if there is one."""
    return next((other for other in able if couple(card, lower[other]) not in plan.apart), able[0] if able else None)


def _placed(pairs: Pairs, loose: list[Card], plan: Plan) -> tuple[Pairs, list[Card]]:
    """Who found nobody takes places with a pair that lies near; who finds none even so moves down."""
    unplaced: list[Card] = []
    for one, other in zip(loose[::2], loose[1::2], strict=True):
        if may_meet(one, other, plan):
            pairs.append((one, other))
            continue
        at = next((at for at, (first, second) in enumerate(pairs) if may_meet(one, second, plan) and may_meet(first, other, plan)), None)
        if at is None:
            unplaced += [one, other]
        else:
            first, second = pairs[at]
            pairs[at] = (one, second)
            pairs.append((first, other))
    return pairs, unplaced


def _in_order(one: Card, other: Card) -> tuple[Card, Card]:
    return (one, other) if (-one.points, one.number) < (-other.points, other.number) else (other, one)
