"""What does one line of a standing hold?"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

POINTS = "points"


class Line(NamedTuple):
    """One line of a standing (LG-801)."""

    number: int
    rank: int
    points: Fraction
    played: int
    places: tuple[int, ...]                     # how often first, second, …; shared places count as the better one
    ties: tuple[tuple[str, Fraction], ...]      # the codes that were asked for this entrant, with their values
    decided: str                                # what put it behind the one above; empty for the first and for a shared rank
