"""Where does chance come from? From HMAC-SHA-256 of a key, a domain and a counter, and from nowhere else."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import Struct
from typing import TypeVar

Item = TypeVar("Item")

_SPAN = 1 << 64
_PADS = tuple(bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))  # of HMAC, for each byte of a key
_first_eight = Struct(">Q24x").unpack  # of the 32 bytes of a block, as a big-endian number
_all_four = Struct(">4Q").unpack


def commitment(number: int, seed: bytes) -> str:
    """PL-612 The public promise made for one numbered seed, as 64 hexadecimal digits."""
    return hashlib.sha256(f"league-seed-v1|{number}|".encode() + seed).hexdigest()


def match_key(seed: bytes, match: str, game: str, version: int, pack_hash: str, contributions: Iterable[str | None]) -> bytes:
    """PL-615 The key of all draws of a match; a missing contribution of a seat counts as `-`."""
    given = ",".join(contribution or "-" for contribution in contributions)
    return hmac.digest(seed, f"match|{match}|{game}|{version}|{pack_hash}|{given}".encode(), "sha256")


@lru_cache(maxsize=256)
def _keyed(key: bytes) -> tuple[hashlib._Hash, ...]:
    """Both halves of HMAC with the key already in them, to be copied: the same bytes as hmac.digest in less than half the time."""
    padded = (key if len(key) <= 64 else hashlib.sha256(key).digest()).ljust(64, b"\0")
    return tuple(hashlib.sha256(padded.translate(pad)) for pad in _PADS)


class Dice:
    """All draws of one step (or of one thought of a bot): the same key and domain always give the same draws."""

    __slots__ = ("_domain", "_halves", "counter", "drawn")

    def __init__(self, key: bytes, domain: str) -> None:
        self._halves = _keyed(key)
        self._domain = domain
        self.counter = 0  # PL-616: blocks used so far
        self.drawn: list[tuple[int, int]] = []  # n and the number drawn below it, for the record (PL-622)

    def block(self) -> bytes:
        """PL-616 The next 32 bytes: HMAC-SHA-256 of domain and counter."""
        inside, outside = self._halves
        inner, outer = inside.copy(), outside.copy()
        inner.update(f"{self._domain}{self.counter}".encode())
        outer.update(inner.digest())
        self.counter += 1
        return outer.digest()

    def below(self, n: int) -> int:
        """PL-617 A whole number from 0 to n - 1, every one equally likely (rejection sampling, no bias)."""
        while True:
            number: int = _first_eight(self.block())[0]
            rest = number % n
            if number - rest <= _SPAN - n:  # else it lies in the last run of n numbers, which is not a whole one
                self.drawn.append((n, rest))
                return rest

    def roll(self, sides: int = 6) -> int:
        """One die: 1 to `sides`."""
        return self.below(sides) + 1

    def pick(self, items: Sequence[Item]) -> Item:
        """PL-618 One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """PL-618 The items in random order (Fisher-Yates from the last position down)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


class BotDice(Dice):
    """PL-522 The dice of a bot through a whole simulation. Nobody verifies its draws: a block gives four, and none is recorded."""

    __slots__ = ("_left",)

    def __init__(self, key: bytes, seat: int) -> None:
        super().__init__(key, f"bot|{seat}|")
        self._left: list[int] = []

    def below(self, n: int) -> int:
        """As fair as any other draw."""
        while True:
            if not self._left:
                self._left += _all_four(self.block())
            number = self._left.pop()
            rest = number % n
            if number - rest <= _SPAN - n:
                return rest


class LoadedDice(Dice):
    """Dice whose first draws are chosen beforehand, for tests and scenarios: chance chosen, not hoped for."""

    __slots__ = ("_chosen",)

    def __init__(self, chosen: Sequence[int], key: bytes = b"loaded", domain: str = "draw|0|") -> None:
        super().__init__(key, domain)
        self._chosen = list(chosen)

    def left(self) -> tuple[int, ...]:
        """The chosen draws that nobody has needed yet."""
        return tuple(self._chosen)

    def below(self, n: int) -> int:
        """The next chosen number, counted from 0; once all are used, real draws follow."""
        if not self._chosen:
            return super().below(n)
        number = self._chosen.pop(0)
        if not 0 <= number < n:
            raise ValueError(f"chosen draw {number} does not fit below({n})")
        self.drawn.append((n, number))
        return number

    def roll(self, sides: int = 6) -> int:
        """The next chosen face, counted from 1 as it stands on the die."""
        if not self._chosen:
            return super().roll(sides)
        face = self._chosen.pop(0)
        if not 1 <= face <= sides:
            raise ValueError(f"chosen face {face} is not on a die of {sides} sides")
        self.drawn.append((sides, face - 1))
        return face


def step_dice(key: bytes, step: int) -> Dice:
    """PL-616 The dice of one step of a match."""
    return Dice(key, f"draw|{step}|")


def bot_dice(seed: bytes, match: str, seat: int, ask: int) -> Dice:
    """PL-522 The dice of a built-in bot for one ask; they never touch the draws of the match."""
    return Dice(seed, f"bot|{match}|{seat}|{ask}|")
