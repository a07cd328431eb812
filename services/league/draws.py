"""In which order does chance put the entrants? By digests that anybody can repeat once the seed is shown."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from shared.kernel.dice import Dice


def published(seed: bytes) -> str:
    """LG-254 What is shown of the seed before the draws."""
    return hashlib.sha256(seed).hexdigest()


def drawn(seed: bytes, purpose: str, stage: str, entrants: Iterable[str]) -> tuple[str, ...]:
    """LG-253, LG-255 Lower digests come first; each depends on nobody else."""
    return tuple(sorted(entrants, key=lambda entrant: hmac.digest(seed, f"{purpose}|{stage}|{entrant}".encode(), "sha256")))


def same_dice(seed: bytes, stage: str, number: int) -> str:
    """LG-728 The seed that all matches of a round have in common; nobody knows it until the round ends."""
    return hmac.digest(seed, f"dice|{stage}|{number}".encode(), "sha256").hex()


def round_dice(seed: bytes, stage: str, number: int) -> Dice:
    """All chance of pairing one round."""
    return Dice(seed, f"trial|{stage}|{number}|")
