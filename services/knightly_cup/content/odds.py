"""How likely is it to win a fight? Exact, by going through all dice."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

KEPT = 3


@lru_cache(maxsize=16)
def spread(dice: int, kept: int = KEPT) -> tuple[tuple[int, float], ...]:
    """KC-452 How likely each score of a combat roll is."""
    scores = Counter(sum(sorted(faces)[-kept:]) for faces in product(range(1, 7), repeat=dice))
    return tuple((score, count / 6**dice) for score, count in sorted(scores.items()))


@lru_cache(maxsize=512)
def beats_monster(dice: int, strength: int, rerolls: int = 0) -> float:
    """KC-503, KC-504, KC-602 The attack must be higher than the number on the card and one die."""
    likely = 0.0
    for face in range(1, 7):
        once = sum(chance for score, chance in spread(dice) if score > strength + face)
        likely += 1 - (1 - once) ** (1 + rerolls)
    return likely / 6


@lru_cache(maxsize=64)
def hits(attacker: int, defender: int) -> float:
    """KC-455 One round: the attack is higher than the defence."""
    defences = spread(defender)
    return sum(chance * sum(held for score, held in defences if score < attack) for attack, chance in spread(attacker))


@lru_cache(maxsize=64)
def wins_duel(first: int, second: int) -> float:
    """KC-537, KC-538 The first attacker in the end, if both sides always attack back."""
    strikes, struck = hits(first, second), hits(second, first)
    return strikes / (1 - (1 - strikes) * (1 - struck))
