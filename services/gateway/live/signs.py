"""What is told beside the letters? State, clocks, seats, presence, refusals, the audience's number, an account's asks; and who must go."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Any

import gevent
import psycopg

from services.gateway.live.feeds import Eyes, Feed, Feeds, logger
from services.gateway.live.frames import frame, joined, members
from services.gateway.live.lines import Line, Place
from services.gateway.live.readers import QUERIES
from services.gateway.rights import ACTIVE, within
from shared.runtime.store import Row

BEAT = 0.25  # how often it is looked whether an account's asks have changed
SIGNS_PERIOD = 1.0  # PL-568, CH-516 and the like: bundled, at most once a second
NOTHING_SAID = ":0"
RIGHTS_PERIOD = 2.0  # PL-177 asks for 5 seconds


class Signs:
    """The slow loop of a stream process; nothing here has a number, and all of it can be read elsewhere (PL-458)."""

    def __init__(self, feeds: Feeds) -> None:
        self.feeds = feeds
        self._eyes = Eyes(feeds.settings)
        self._searched_at = 0.0

    def start(self) -> None:
        for period, task in ((BEAT, self._beat), (SIGNS_PERIOD, self._tell_signs), (RIGHTS_PERIOD, self._check_rights), (RIGHTS_PERIOD, self._note_readers)):
            gevent.spawn(self._every, period, task)

    def _every(self, period: float, task: Any) -> None:
        while True:
            gevent.sleep(period)
            try:
                task()
            except psycopg.Error as error:
                logger.warning("stream_signs_failed", error=type(error).__name__, fault=str(error)[:200])

    # Accounts ------------------------------------------------------------------------------------------------------

    def _beat(self) -> None:
        if self.feeds.draining:
            for line in self.feeds.lines:
                line.end("draining")
        shared = {line.caller.account: line for line in self.feeds.lines if line.many and line.caller.account}
        strangers, self.feeds.strangers = self.feeds.strangers, set()
        if shared:
            self._find_places(sorted(strangers))
            self._tell_asks([line for line in self.feeds.lines if line.kind == "me" and line.dirty])

    def _find_places(self, strangers: list[str]) -> None:
        """Matches in which an account with a stream has come to sit: at once where a bell rang, else with the next poll."""
        everything = time.monotonic() - self._searched_at >= self.feeds.settings.stream_poll
        if not strangers and not everything:
            return
        if everything:
            self._searched_at = time.monotonic()
        lines = defaultdict(list)
        for line in self.feeds.lines:
            if line.many and line.caller.account:
                lines[line.caller.account].append(line)
        for row in self._eyes.all(QUERIES.seats_of, accounts=list(lines), matches=None if everything else strangers):
            for line in lines[row["account_id"]]:
                place = Place(row["match_id"], row["seat"] + 2, step=row["step"] if line.kind == "me" else None)
                if (place.match_id, place.reader) not in line.places and within(line.caller, row):
                    self.feeds.join(line, place)

    def _tell_asks(self, lines: list[Line]) -> None:
        if not lines:
            return
        asks = defaultdict(list)
        for row in self._eyes.all(QUERIES.asks_of, accounts=sorted({str(line.caller.account) for line in lines})):
            at = {"match_id": row["match"], "championship": row.pop("championship")}
            asks[row.pop("account_id")].append((at, row))
        for line in lines:
            line.dirty = False
            told = members(asks=[ask for at, ask in asks[line.caller.account] if within(line.caller, at)])
            if told != line.told:
                line.told = told
                self.feeds.send(line, frame("asks", told, self.feeds.now(), ndjson=line.ndjson))

    # Matches -------------------------------------------------------------------------------------------------------

    def _tell_signs(self) -> None:
        feeds = {feed.match_id: feed for feed in self.feeds.feeds.values() if not feed.delayed}
        feeds |= {feed.match_id: feed for feed in self.feeds.feeds.values() if feed.delayed and feed.match_id not in feeds}
        if not feeds:
            return
        for row in self._eyes.all(QUERIES.signs, matches=list(feeds)):
            for delayed in (False, True):
                if feed := self.feeds.feeds.get((row["match_id"], delayed)):
                    self._tell_state(feed, row)
                    self._tell_audience(feed, row)
                    self._tell_presence(feed)
        self._tell_talk(list(feeds))
        self._tell_refusals([feed for feed in feeds.values() if feed.seats_here()])

    def _tell_state(self, feed: Feed, row: Row) -> None:
        """A pause, an extension, somebody sitting down: no step, and still news."""
        sign = f"{row['state']} {row['seated']} {row['clocks'] if row['state'] != 'running' else ''}"
        before, feed.sign = feed.sign, sign
        if before and before != sign and not (feed.delayed and row["step"]):
            facts = members(match=feed.match_id, state=row["state"], step=row["step"], awaited=row["awaited"] or [])
            self._tell(feed, "state", joined(facts, clocks=row["clocks"]))

    def _tell_audience(self, feed: Feed, row: Row) -> None:
        """CH-516: how many have answered, never what."""
        answered = (row["question"], row["answered"])
        before, feed.answered = feed.answered, answered
        if not feed.delayed and row["question"] and answered != before:
            self._tell(feed, "audience", members(match=feed.match_id, question=row["question"], answered=row["answered"]))

    def _tell_talk(self, matches: list[str]) -> None:
        """PL-458, PL-558 That something was said in a room, or hidden, to whoever may hear it by now; what it was is read elsewhere."""
        for row in self._eyes.all(QUERIES.talk_signs, matches=matches):
            for delayed, sign in ((False, row["sign"]), (True, row["late_sign"])):
                feed = self.feeds.feeds.get((row["match_id"], delayed))
                if feed and feed.said.get(row["room"]) != sign:
                    news = row["room"] in feed.said or sign != NOTHING_SAID     # its first readers may have looked a moment before
                    feed.said[row["room"]] = sign
                    if news:
                        seats_too = row["room"] == "seats" or row["state"] not in ACTIVE
                        lines = [line for line, places in feed.lines.items() if seats_too or all(place.seat is None for place in places)]
                        self._tell(feed, "talk", members(match=feed.match_id, room=row["room"]), lines)

    def _tell_presence(self, feed: Feed) -> None:
        """PL-462: decides nothing; told to whoever reads at once, and again to a line that is new."""
        here = feed.seats_here()
        new = [line for line in feed.lines if feed.match_id not in line.knows_presence]
        if feed.delayed or (here == feed.here and not new):
            return
        told = list(feed.lines) if here != feed.here else new
        feed.here = here
        for line in told:
            line.knows_presence.add(feed.match_id)
        self._tell(feed, "presence", members(match=feed.match_id, here=here), told)

    def _tell_refusals(self, feeds: list[Feed]) -> None:
        """PL-296: told to the acting account only."""
        new = [feed.match_id for feed in feeds if feed.arrival is None]
        for row in self._eyes.all(QUERIES.last_arrivals, matches=new) if new else ():
            self._feed(row["match_id"]).arrival = row["arrival"]
        known = [feed for feed in feeds if feed.arrival is not None]
        waiting: set[str] = set()
        rows = self._eyes.all(QUERIES.outcomes_after, matches=[feed.match_id for feed in known], arrivals=[feed.arrival for feed in known])
        for row in rows:
            feed = self._feed(row["match_id"])
            if row["outcome"] is None:
                waiting.add(feed.match_id)
            elif feed.match_id not in waiting:
                feed.arrival = row["arrival"]
                if row["outcome"] == "refused":
                    told = members(match=feed.match_id, arrival=row["arrival"], code=row["code"])
                    self._tell(feed, "refusal", told, [line for line in feed.lines if line.caller.account == row["account_id"]])

    def _feed(self, match_id: str) -> Feed:
        return self.feeds.feeds.get((match_id, False)) or Feed(match_id, delayed=False)

    def _tell(self, feed: Feed, kind: str, body: str, lines: list[Line] | None = None) -> None:
        now = self.feeds.now()
        for line in feed.lines if lines is None else lines:
            if line.kind == "me":
                line.dirty = line.dirty or kind == "state"
            else:
                self.feeds.send(line, frame(kind, body, now, ndjson=line.ndjson))

    # Mail ----------------------------------------------------------------------------------------------------------

    def _note_readers(self) -> None:
        """PL-577 Whoever has a stream open needs no mail that says the same."""
        readers = sorted({line.caller.account for line in self.feeds.lines if line.caller.account})
        if readers:
            self._eyes.all(QUERIES.note_readers, accounts=readers)

    # Rights --------------------------------------------------------------------------------------------------------

    def _check_rights(self) -> None:
        """PL-177, PL-129, PL-137: whose session, token, account or seat is gone reads no further."""
        lines = [line for line in self.feeds.lines if line.caller.account]
        if not lines:
            return
        sessions = {line.caller.session for line in lines} - {None}
        tokens = {line.caller.token for line in lines} - {None}
        gone: set[object] = {row["session_id"] for row in self._eyes.all(QUERIES.gone_sessions, sessions=list(sessions))} if sessions else set()
        gone |= {row["token_id"] for row in self._eyes.all(QUERIES.gone_tokens, tokens=list(tokens))} if tokens else set()
        gone |= {row["account_id"] for row in self._eyes.all(QUERIES.gone_accounts, accounts=[line.caller.account for line in lines])}
        for line in lines:
            if gone & {line.caller.session, line.caller.token, line.caller.account}:
                line.end("revoked")
        self._check_seats(lines)

    def _check_seats(self, lines: list[Line]) -> None:
        seated = [(place.match_id, place.seat, line.caller.account) for line in lines for place in line.places.values() if place.seat is not None]
        if not seated:
            return
        matches, seats, accounts = (list(column) for column in zip(*set(seated), strict=True))
        left = {(row["match_id"], row["seat"], row["account_id"])
                for row in self._eyes.all(QUERIES.left_seats, matches=matches, seats=seats, accounts=accounts)}
        for line in lines:
            for place in list(line.places.values()):
                if (place.match_id, place.seat, line.caller.account) in left:
                    self._send_off(line, place)

    def _send_off(self, line: Line, place: Place) -> None:
        if line.many:
            self.feeds.part(line, place)
        else:
            line.end("revoked")


