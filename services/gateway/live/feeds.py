"""Which letters are new, and on which lines do they belong? One query for all matches whose bell rang."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import gevent
import psycopg
from gevent.event import Event
from prometheus_client import Counter, Gauge, Histogram

from services.gateway.live.frames import frame, joined, members, moment
from services.gateway.live.lines import Line, Place
from services.gateway.live.readers import QUERIES
from shared.runtime import bell, log
from shared.runtime.settings import Settings
from shared.runtime.store import Row, connection_facts

MOST_LETTERS = 5_000  # in one answer of the database
LATE_PERIOD = 1.0  # how often letters behind a delay are looked for
GATHER = (0.0002, 0.004)  # how long bells are gathered: after a lone one hardly, while many matches ring at once a little
MANY = 3

OPEN = Gauge("cupboard_streams_open", "Open streams", ["kind"])
RESYNCS = Counter("cupboard_stream_resync_total", "Readers that had to begin anew", ["kind"])
LAG = Histogram("cupboard_stream_lag_seconds", "From the step to the line", buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 1, 5))
logger = log.get(__name__)

Key = tuple[str, bool]


@dataclass(slots=True, eq=False)
class Feed:
    """One match as its readers follow it, at once or behind the onlooker delay; `step` is the last that was handed on."""

    match_id: str
    delayed: bool
    lines: dict[Line, list[Place]] = field(default_factory=lambda: defaultdict(list))
    step: int | None = None
    bells: int = 0
    sign: str = ""
    answered: tuple[str | None, int] = (None, 0)
    said: dict[str, str] = field(default_factory=dict)     # by room: the sign of what was said last
    here: tuple[int, ...] | None = None
    arrival: int | None = None

    def seats_here(self) -> tuple[int, ...]:
        """PL-462 The seats that somebody reads now."""
        return tuple(sorted({place.seat for places in self.lines.values() for place in places if place.seat is not None}))


class Eyes:
    """A connection for looking only: one statement is one transaction, and a lost connection is made anew."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connection: psycopg.Connection[Row] | None = None

    def all(self, query: str, **facts: object) -> list[Row]:
        if self._connection is None or self._connection.closed:
            fences: dict[str, Any] = connection_facts(self._settings, "stream")
            self._connection = psycopg.Connection[Row].connect(self._settings.database_of("stream"), autocommit=True, **fences)
        try:
            return self._connection.execute(query, facts or None).fetchall()
        except psycopg.OperationalError:
            self._connection.close()
            raise


class Feeds:
    """All feeds of this process, and the loops that fill them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.feeds: dict[Key, Feed] = {}
        self.lines: set[Line] = set()
        self.strangers: set[str] = set()  # matches that rang and that nobody here reads
        self.rung: dict[Feed, int] = {}
        self.watchers: dict[str, set[Line]] = defaultdict(set)      # of competitions, which each line reads by itself
        self.draining = False
        self.failing = False
        self._distance = 0.0
        self._bell = Event()
        self._eyes = Eyes(settings)

    def start(self) -> None:
        for loop in (self._listen, self._look, self._look_late, self._poll):
            gevent.spawn(loop)

    def now(self) -> str:
        """The time on the database's clock (PL-497)."""
        return moment(datetime.fromtimestamp(time.time() + self._distance, UTC))

    # Lines come and go ---------------------------------------------------------------------------------------------

    def join(self, line: Line, *places: Place) -> None:
        """PL-454 From now on the line hears every bell of these places; what was before it reads itself afterwards."""
        if line not in self.lines:
            self.lines.add(line)
            OPEN.labels(line.kind).inc()
        for place in places:
            feed = self.feeds.setdefault(place.key, Feed(*place.key))
            feed.lines[line].append(place)
            line.add(place)

    def drop(self, line: Line) -> None:
        if line in self.lines:
            self.lines.discard(line)
            line.gone = True
            line.stir.set()
            OPEN.labels(line.kind).dec()
            for key in {place.key for place in line.places.values()}:
                self._forget(line, key)

    def part(self, line: Line, place: Place) -> None:
        """The line reads this place no longer."""
        line.places.pop((place.match_id, place.reader), None)
        feed = self.feeds.get(place.key)
        if feed and line in feed.lines:
            feed.lines[line] = [other for other in feed.lines[line] if other is not place]

    def caught_up(self, place: Place, bells: int) -> bool:
        """Whether nothing rang while the line read what was missing; then the place is live, without a gap."""
        feed = self.feeds[place.key]
        if feed.bells != bells or (feed.step or 0) > (place.step or 0):
            return False
        if feed.step is None:
            feed.step = place.step
        place.live = True
        return True

    def bells_of(self, place: Place) -> int:
        return self.feeds[place.key].bells

    def settle(self, place: Place) -> None:
        """A place whose letters are not sent, only noticed: an account's stream tells open asks instead."""
        feed = self.feeds[place.key]
        place.step = max(place.step or 0, feed.step or 0)
        feed.step = place.step if feed.step is None else feed.step
        place.live = True

    def _forget(self, line: Line, key: Key) -> None:
        feed = self.feeds.get(key)
        if feed:
            feed.lines.pop(line, None)
            if not feed.lines:
                del self.feeds[key]
                self.rung.pop(feed, None)

    # Bells ---------------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        bell.listen(self.settings.redis_of("bells"), self._heard)

    def _heard(self, steps: Iterable[tuple[str, int]]) -> None:
        for match_id, step in steps:
            feed = self.feeds.get((match_id, False))
            for line in self.watchers.get(match_id, ()):
                line.stir.set()
            if feed is None:
                self.strangers.add(match_id)
            elif not step or feed.step is None or step > feed.step:
                self._ring(feed, step)
        if self.rung:
            self._bell.set()

    def _ring(self, feed: Feed, step: int = 0) -> None:
        feed.bells += 1
        self.rung[feed] = max(step, self.rung.get(feed, 0))

    def _poll(self) -> None:
        """PL-456 Without a bell a letter is late by one poll at most."""
        while True:
            gevent.sleep(self.settings.stream_poll)
            for feed in self.feeds.values():
                if not feed.delayed:
                    self._ring(feed)
            for lines in self.watchers.values():
                for line in lines:
                    line.stir.set()
            self._bell.set()
            self._measure()

    def _measure(self) -> None:
        try:
            asked = time.time()
            [row] = self._eyes.all(QUERIES.now)
            self._distance = row["now"].timestamp() - (asked + time.time()) / 2
        except psycopg.Error:
            self.failing = True

    # Letters -------------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        self._measure()
        crowd = False
        while True:
            self._bell.wait()
            gevent.sleep(GATHER[crowd])
            self._bell.clear()
            rung, self.rung = self.rung, {}
            crowd = len(rung) >= MANY
            if not self._hand_on(QUERIES.letters_after, [feed for feed in rung if not feed.delayed]):
                self.rung = {**rung, **self.rung}  # they are asked for again once the database is back
                gevent.sleep(0.5)
                self._bell.set()

    def _look_late(self) -> None:
        while True:
            gevent.sleep(LATE_PERIOD)
            self._hand_on(QUERIES.late_letters_after, [feed for feed in self.feeds.values() if feed.delayed])

    def _hand_on(self, query: str, feeds: Iterable[Feed]) -> bool:
        """New letters of these feeds onto their lines; False if the database could not be asked."""
        asked = [feed for feed in feeds if feed.step is not None]  # nobody is live on the others yet
        if not asked:
            return True
        try:
            rows = self._eyes.all(query, matches=[feed.match_id for feed in asked], afters=[feed.step for feed in asked], most=MOST_LETTERS)
        except psycopg.Error as error:
            self.failing = True
            logger.warning("stream_look_failed", error=type(error).__name__)
            return False
        self.failing = False
        self._distribute(rows, {feed.match_id: feed for feed in asked})
        if len(rows) == MOST_LETTERS:
            self.rung.update(dict.fromkeys(asked, 0))
            self._bell.set()
        return True

    def _distribute(self, rows: list[Row], feeds: dict[str, Feed]) -> None:
        now = self.now()
        for row in rows:
            feed = feeds[row["match_id"]]
            feed.step = row["step"]
            self._deliver(feed, row, now)
        if rows:
            LAG.observe(max(0.0, time.time() + self._distance - rows[-1]["at"].timestamp()))
            self._show_views({row["match_id"]: feeds[row["match_id"]] for row in rows}, now)

    def _deliver(self, feed: Feed, row: Row, now: str) -> None:
        """One letter for every live place of its match; what several readers get alike is written once."""
        written: dict[tuple[int, bool, bool], bytes] = {}
        step = row["step"]
        for line, places in feed.lines.items():
            for place in places:
                if not place.live or step <= (place.step or 0):
                    continue
                place.step = step
                if line.kind == "me":
                    line.dirty = True
                    continue
                key = (place.reader, line.ndjson, line.many)
                if key not in written:
                    number = f"{feed.match_id}:{step}" if line.many else str(step)
                    written[key] = frame("letter", row["bodies"][place.reader - 1], now, ndjson=line.ndjson, number=number)
                self.send(line, written[key])

    def send(self, line: Line, message: bytes) -> None:
        """PL-460 Whatever it is that a reader is too slow for, he begins anew."""
        if not line.put(message):
            RESYNCS.labels(line.kind).inc()
            line.give_up(self.now())

    def _show_views(self, feeds: dict[str, Feed], now: str) -> None:
        """For readers who asked for it, the view as it is after the letters just sent; a message without a number."""
        wanting = {match_id: feed for match_id, feed in feeds.items() if not feed.delayed and any(line.views for line in feed.lines)}
        if not wanting:
            return
        try:
            rows = self._eyes.all(QUERIES.views_now, matches=list(wanting))
        except psycopg.Error:
            return  # the next letter brings it
        for row in rows:
            for line, places in wanting[row["match_id"]].lines.items():
                for place in places:
                    if line.views and place.live and place.seat is not None:  # the onlookers' letter holds the view already
                        self.send(line, frame("view", view_message(row, place), now, ndjson=line.ndjson))


def view_message(row: Row, place: Place) -> str:
    facts = members(match=row["match_id"], step=row["step"], view_hash=row["hashes"][place.reader - 1])
    return joined(facts, view=row["bodies"][place.reader - 1])
