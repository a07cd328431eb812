"""Which numbers may be written on a command line? Types for argparse, so that a number out of range is wrong use and told as such."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from collections.abc import Callable

MANY = 1_000_000


def whole(least: int, most: int = MANY) -> Callable[[str], int]:
    """A whole number within these limits."""

    def number(written: str) -> int:
        value = int(written)
        if not least <= value <= most:
            raise ArgumentTypeError(f"{written}: allowed are {least} to {most}")
        return value

    return number


def measure(least: float, most: float) -> Callable[[str], float]:
    """Any number within these limits, and so neither infinite nor none at all."""

    def number(written: str) -> float:
        value = float(written)
        if not math.isfinite(value) or not least <= value <= most:
            raise ArgumentTypeError(f"{written}: allowed are {least:g} to {most:g}")
        return value

    return number
