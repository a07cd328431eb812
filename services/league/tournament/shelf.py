"""How are long rows kept so that changing one entry copies little? In parts of 500, which are also the parts of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from msgspec import Struct

PART = 500                                      # LG-1006
SETTLED = 512                                   # names looked up in the small book before they go into the large one

T = TypeVar("T")


class Chunk(Struct, Generic[T], frozen=True):
    """Up to 500 entries, and the version at which one of them changed last."""

    version: int
    items: tuple[T, ...]


Shelf = tuple[Chunk[T], ...]


class Book(Struct, frozen=True):
    """Where something is, by name; new names go into the small part, so that adding one copies little."""

    settled: dict[str, int] = {}
    recent: dict[str, int] = {}

    def get(self, name: str) -> int | None:
        return self.recent.get(name, self.settled.get(name))

    def all(self) -> dict[str, int]:
        return {**self.settled, **self.recent}

    def plus(self, name: str, place: int) -> Book:
        recent = {**self.recent, name: place}
        return Book(self.settled, recent) if len(recent) < SETTLED else Book({**self.settled, **recent}, {})


def shelved(entries: Iterable[T], version: int) -> tuple[Chunk[T], ...]:
    listed = tuple(entries)
    return tuple(Chunk(version, listed[at:at + PART]) for at in range(0, len(listed), PART))


def every(shelf: tuple[Chunk[T], ...]) -> Iterator[T]:
    for chunk in shelf:
        yield from chunk.items


def size(shelf: tuple[Chunk[T], ...]) -> int:
    return PART * (len(shelf) - 1) + len(shelf[-1].items) if shelf else 0


def at(shelf: tuple[Chunk[T], ...], place: int) -> T:
    """Counted from 0."""
    return shelf[place // PART].items[place % PART]


def put(shelf: tuple[Chunk[T], ...], place: int, entry: T, version: int) -> tuple[Chunk[T], ...]:
    part, inside = divmod(place, PART)
    items = shelf[part].items
    return (*shelf[:part], Chunk(version, (*items[:inside], entry, *items[inside + 1:])), *shelf[part + 1:])


def add(shelf: tuple[Chunk[T], ...], entry: T, version: int) -> tuple[Chunk[T], ...]:
    if not shelf or len(shelf[-1].items) == PART:
        return (*shelf, Chunk(version, (entry,)))
    return (*shelf[:-1], Chunk(version, (*shelf[-1].items, entry)))
