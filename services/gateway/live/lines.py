"""What is one open stream? A line: the places it reads, the messages not yet sent, and how it is to end."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from gevent.event import Event

from services.gateway.live.frames import bye, frame, heartbeat
from services.gateway.rights import Caller

MOST_UNSENT = 256  # PL-460
ONLOOKERS = 1  # the number of a reader is its place in `views.bodies`: onlookers first, then seat by seat


@dataclass(slots=True, eq=False)
class Place:
    """One reader of one match on one line, and the last step that was put on the line for it."""

    match_id: str
    reader: int
    delayed: bool = False
    host: bool = False
    step: int | None = None  # None: begin with hello
    live: bool = False  # False: the line itself reads what is missing

    @property
    def seat(self) -> int | None:
        return self.reader - 2 if self.reader > ONLOOKERS else None

    @property
    def key(self) -> tuple[str, bool]:
        """Which feed it drinks from: what onlookers see late is a feed of its own."""
        return self.match_id, self.delayed


@dataclass(slots=True, eq=False)
class Line:
    """One stream, from its opening to its `bye`."""

    kind: str  # match, me, bot, competition
    caller: Caller
    ndjson: bool
    views: bool = False
    ends_at: float = 0.0
    places: dict[tuple[str, int], Place] = field(default_factory=dict)
    fresh: deque[Place] = field(default_factory=deque)
    waiting: deque[bytes] = field(default_factory=deque)
    stir: Event = field(default_factory=Event)
    ending: str = ""
    told: str = ""  # the asks last told on an account's stream
    dirty: bool = False
    knows_presence: set[str] = field(default_factory=set)
    gone: bool = False

    @property
    def many(self) -> bool:
        """PL-453 Whether several matches share this stream."""
        return self.kind in {"me", "bot"}

    def add(self, place: Place) -> None:
        self.places[place.match_id, place.reader] = place
        self.fresh.append(place)
        self.stir.set()

    def put(self, message: bytes) -> bool:
        """Queue one message; False if the reader is too slow: then everything unsent is given up (PL-460)."""
        self.waiting.append(message)
        self.stir.set()
        return len(self.waiting) <= MOST_UNSENT

    def give_up(self, now: str) -> None:
        """PL-460 Instead of more memory: a resync, and every place begins anew."""
        self.waiting.clear()
        self.waiting.append(frame("resync", '{"reason":"slow"}', now, ndjson=self.ndjson))
        for place in self.places.values():
            place.live, place.step = False, None
        self.fresh = deque(self.places.values())
        self.dirty, self.told = True, ""
        self.stir.set()

    def end(self, reason: str) -> None:
        self.ending = self.ending or reason
        self.stir.set()

    def take(self) -> bytes:
        messages = b"".join(self.waiting)
        self.waiting.clear()
        return messages

    def rest(self, beat: float) -> bool:
        """Wait until something stirs; False when a sign of life is due."""
        left = self.ends_at - time.monotonic()
        if left <= 0:
            self.end("life")
            return True
        stirred = self.stir.wait(min(beat, left))
        self.stir.clear()
        return stirred or self.ends_at <= time.monotonic()


def life(longest: float) -> float:
    """When a stream ends that opens now: somewhat before its time, so that not all readers come back at once."""
    return time.monotonic() + longest * random.uniform(0.9, 1.0)  # noqa: S311 - decides nothing


def last_words(line: Line, now: str) -> bytes:
    """PL-459 A randomised time to reconnect; at once is fine for the end of a life, a crowd comes back spread out."""
    after_ms = random.randint(200, 1_500 if line.ending == "life" else 5_000)  # noqa: S311 - decides nothing
    return bye(line.ending, after_ms, now, ndjson=line.ndjson)


def sign_of_life(line: Line, now: str) -> bytes:
    return heartbeat(now, ndjson=line.ndjson)


Messages = Iterator[bytes]
