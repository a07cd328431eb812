"""Is there a way to pair a bracket that nothing could better? The first one in order, found by trying; usually there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from services.league.formats.swiss2.cards import DOWN, MILD, STRONG, UP, Card, Plan, couple, may_meet, seats_clash, wish

TRIES = 30          # how many couples are tried, for each square of the bracket's size

Pairs = list[tuple[Card, Card]]
Spare = tuple[int, int]     # seats, and strong wishes among them, that may still be refused
Test = Callable[[Card], bool]


class Search:
    """One search: what is asked of each couple, and how much patience is left."""

    def __init__(self, playing: Sequence[Card], plan: Plan, may_leave: Test) -> None:
        self.plan = plan
        self.may_leave = may_leave
        self.patience = TRIES * max(40, len(playing)) ** 2 // 20
        self.wishes = {card.number: wish(card) for card in playing}
        self.side = {number: one.seat for number, one in self.wishes.items()}
        # Where a soft constraint holds between any two, every pairing breaks it as often: there is nothing to mind.
        self.minds = bool(plan.apart) and any(couple(one, other) not in plan.apart for one, other in combinations(playing, 2))

    def refused(self, one: Card, other: Card) -> Spare:
        """S9, S10 What this couple takes of what must be refused."""
        side = self.side[one.number]
        if not side or side != self.side[other.number]:
            return 0, 0
        return 1, int(min(self.wishes[one.number].strength, self.wishes[other.number].strength) == STRONG)

    def fits(self, one: Card, other: Card) -> bool:
        """LG-342, and nothing that a soft constraint, S7 and S8 would mind."""
        self.patience -= 1
        if self.minds and couple(one, other) in self.plan.apart:
            return False
        return may_meet(one, other, self.plan) and not seats_clash(one, other)

    def least(self, playing: Sequence[Card], leaving: int) -> Spare:
        """S9, S10 What must be refused whoever meets whom, if so many leave at best."""
        pairs = (len(playing) - leaving) // 2
        for seat in (1, -1):
            wanting = [self.wishes[card.number].strength for card in playing if self.side[card.number] == seat]
            refused = len(wanting) - leaving - pairs
            if refused > 0:
                return refused, max(0, refused - wanting.count(MILD))
        return 0, 0

    def after(self, spare: Spare, one: Card, other: Card, rest: Sequence[Card]) -> Spare | None:
        """What may still be refused once these two meet; nothing if that is less than must be."""
        refused, strong = self.refused(one, other)
        left = spare[0] - refused, spare[1] - strong
        least = self.least(rest, len(rest) % 2)
        return left if left[0] >= least[0] and left[1] >= least[1] else None


def perfect(moved: Sequence[Card], group: Sequence[Card], plan: Plan, may_leave: Test) -> tuple[Pairs, list[Card]] | None:
    """LG-351 The first candidate that is as good as can be by each rule from S3 to S16; nothing if none is found in time."""
    if not group or len(moved) > len(group):
        return None
    playing = [*moved, *group]
    search = Search(playing, plan, may_leave)
    spare = min(search.least([card for card in playing if card is not one], 0) for one in _kinds(search, group)) if len(playing) % 2 \
        else search.least(playing, 0)
    pairs: Pairs = []
    left = _moved(search, moved, list(group), spare, pairs)
    if left is None:
        return None
    return pairs, left


def _kinds(search: Search, group: Sequence[Card]) -> list[Card]:
    """One resident for each wish."""
    return list({search.wishes[card.number][:2]: card for card in group}.values())


def _moved(search: Search, moved: Sequence[Card], group: list[Card], spare: Spare, pairs: Pairs) -> list[Card] | None:
    """LG-353 Those moved down, each with the lowest number that leaves a way on; then the others.

    Exchanges between the halves come before another opponent of somebody moved down, so that the search ends where they would begin.
    """
    if not moved:
        half = len(group) // 2
        left = _halves(search, group[:half], group[half:], spare, pairs)
        search.patience = -1 if left is None else search.patience
        return left
    one = moved[0]
    for at, other in enumerate(group):
        if search.patience < 0:
            return None
        if UP in other.floats or not search.fits(one, other):
            continue
        rest = group[:at] + group[at + 1:]
        after = search.after(spare, one, other, [*moved[1:], *rest])
        if after is not None:
            pairs.append((one, other))
            left = _moved(search, moved[1:], rest, after, pairs)
            if left is not None:
                return left
            pairs.pop()
    return None


def _halves(search: Search, upper: list[Card], lower: list[Card], spare: Spare, pairs: Pairs) -> list[Card] | None:
    """LG-355 No exchange between the halves, and the first list of opponents."""
    if not upper:
        return lower if all(search.may_leave(card) and DOWN not in card.floats for card in lower) else None
    one, rest = upper[0], upper[1:]
    for at, other in enumerate(lower):
        if search.patience < 0:
            return None
        if not search.fits(one, other):
            continue
        others = lower[:at] + lower[at + 1:]
        after = search.after(spare, one, other, [*rest, *others])
        if after is not None:
            pairs.append((one, other))
            left = _halves(search, rest, others, after, pairs)
            if left is not None:
                return left
            pairs.pop()
    return None
