"""Why was a pairing of Swiss made as it is? The facts of LG-1023 for each pairing, short enough for a hundred thousand entrants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from services.league.formats.swiss2.cards import ABSOLUTE, DOWN, NONE, STRONG, UP, Card, Plan, couple, wish
from services.league.formats.swiss2.seating import decided
from services.league.formats.swissn import cards as many

Why = dict[str, Any]


class TwoSeats:
    """The pairings of one round of two-seat Swiss; fractions are written once for each score group."""

    def __init__(self, cards: Sequence[Card], plan: Plan) -> None:
        self.cards = {card.number: (at, card) for at, card in enumerate(cards)}
        self.plan = plan
        self.texts: dict[Fraction, str] = {}

    def of(self, table: tuple[int, int]) -> Why:
        """LG-1023 Bracket, who moved down, the seat rule, and which rules gave way."""
        (at, higher), (other_at, lower) = sorted((self.cards[number] for number in table), key=lambda known: known[0])
        found: Why = {"rule": "swiss2", "ranks": [at + 1, other_at + 1], "points": [self.text(higher.points), self.text(lower.points)],
                      "seat": decided(higher, lower, self.plan)[1]}
        gives = list(given_way(higher, lower))
        if gives:
            found["gives"] = gives
        if lower.number in higher.met:
            found["repeat"] = True
        two = couple(higher, lower)
        if two in self.plan.apart:
            found["dropped"] = ["constraint"]       # LG-954 without naming whose
        return found

    def text(self, points: Fraction) -> str:
        if points not in self.texts:
            self.texts[points] = str(points)
        return self.texts[points]


def given_way(higher: Card, lower: Card) -> list[str]:
    """LG-351 The rules S9 to S14 that this pair breaks, as the values that were compared."""
    mine, theirs = wish(higher), wish(lower)
    found = []
    if mine.seat and mine.seat == theirs.seat:
        found.append("S9")
        weaker = min(mine.strength, theirs.strength)
        found += ["S10"] * (weaker == STRONG) + ["S7"] * (weaker == ABSOLUTE)
    if higher.points != lower.points:
        found += [rule for rule, back in (("S12", 0), ("S14", 1)) if lower.floats[back] == UP]
        found += [rule for rule, back in (("S11", 0), ("S13", 1)) if higher.floats[back] == DOWN]
    return found


def bye_rule(card: Card, cards: Sequence[Card]) -> str:
    """LG-1023, LG-349, LG-351 S2, S6: what decided that this one has the bye."""
    able = [one for one in cards if not one.barred]
    if card.barred:
        return "second"
    if all(one.points > card.points for one in able if one.number != card.number):
        return "lowest"
    level = [one for one in able if one.points == card.points]
    if min((one.points for one in able), default=card.points) < card.points:
        return "completes"
    return "unplayed" if any(one.unplayed > card.unplayed for one in level) else "order"


def wishes(card: Card) -> str:
    """LG-345, LG-346 How strongly somebody should have a seat."""
    return {ABSOLUTE: "absolute", STRONG: "strong", NONE: "none"}.get(wish(card).strength, "mild")


def of_table(field: many.Field, table: Sequence[int]) -> Why:
    """LG-1023 A table of multi-seat Swiss: its level, who was pulled up, repeats, and what else it costs."""
    level = min(field.groups[at] for at in table)
    _, first, then, again, dropped = many.costs(field, tuple(table))
    repeats, steps = (then, first) if field.plan.priority == many.BRACKETS_FIRST else (first, then)
    found: Why = {"rule": "swissn", "level": str(max(field.cards[at].points for at in table)),
                  "ranks": [at + 1 for at in table], "repeats": repeats, "steps": steps}
    pulled = [field.cards[at].number for at in table if field.groups[at] > level]
    found |= {"pulled_up": pulled} if pulled else {}
    found |= {"pulled_again": again} if again else {}
    found |= {"dropped": ["constraint"]} if dropped else {}
    return found


SEATS: Mapping[str, str] = {
    "both": "each has the seat due to them", "stronger": "the stronger claim to the seat was met",
    "difference": "the larger difference of seats was lessened", "history": "the seats of their last differing round were exchanged",
    "higher": "the higher-ranked one has the seat due to them", "number": "by pairing number and the drawn first seat",
    "fewer": "who has sat first less often sits first", "recent": "who sat second more recently sits first", "draw": "the draw decided the seats",
}
RULES: Mapping[str, str] = {
    "S7": "a difference of seats passes two", "S9": "a claim to a seat was refused", "S10": "a strong claim to a seat was refused",
    "S11": "somebody moved down again", "S12": "somebody met a higher score again", "S13": "somebody moved down again after a round",
    "S14": "somebody met a higher score again after a round",
}
BYES: Mapping[str, str] = {
    "lowest": "the lowest points of those who may have the bye", "completes": "with a lower one the round could not be completed",
    "unplayed": "the fewest unplayed rounds among those with equal points", "order": "the last in order among equals",
    "second": "nobody else may have it; a second bye was chosen", "given": "given by a referee", "fewest": "all have had one; the fewest byes",
    "seeds": "the highest seeds have the byes", "empty": "nobody stands opposite in the bracket",
}
