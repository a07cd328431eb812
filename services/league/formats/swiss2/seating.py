"""Who of two sits first?"""

from __future__ import annotations

from services.league.formats.swiss2.cards import ABSOLUTE, FIRST, Card, Plan, wish

BOTH, STRONGER, DIFFERENCE, HISTORY, HIGHER, NUMBER = "both", "stronger", "difference", "history", "higher", "number"


def seated(higher: Card, lower: Card, plan: Plan) -> tuple[int, int]:
    """The pair with the first seat first; `higher` is ahead in rank order."""
    return (higher.number, lower.number) if _first(higher, lower, plan) == FIRST else (lower.number, higher.number)


def _first(higher: Card, lower: Card, plan: Plan) -> int:
    return decided(higher, lower, plan)[0]


def decided(higher: Card, lower: Card, plan: Plan) -> tuple[int, str]:
    """LG-371, LG-372 The seat of the higher-ranked one, by the first rule that decides, and which rule that is."""
    mine, theirs = wish(higher), wish(lower)
    if mine.seat and mine.seat != theirs.seat:
        return mine.seat, BOTH
    if mine.strength != theirs.strength:
        return (mine.seat if mine.strength > theirs.strength else -theirs.seat), STRONGER
    if mine.strength == ABSOLUTE and abs(mine.difference) != abs(theirs.difference):
        return (mine.seat if abs(mine.difference) > abs(theirs.difference) else -theirs.seat), DIFFERENCE
    apart = next((own for own, other in zip(reversed(higher.seats), reversed(lower.seats), strict=False) if own != other), 0)
    if apart:
        return -apart, HISTORY
    if mine.seat:
        return mine.seat, HIGHER
    return (FIRST if (higher.number % 2 == 1) == plan.first else -FIRST), NUMBER
