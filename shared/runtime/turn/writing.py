"""How is a take written down? Every row of one match's steps, in the order in which they are sent to Postgres (PL-331)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from psycopg.types.json import Jsonb

from shared.kernel.game import Game, nobody_asks
from shared.kernel.match import Match, stored
from shared.runtime.settings import Settings
from shared.runtime.store import Queries, Row
from shared.runtime.turn import letters, seeds
from shared.runtime.turn.clock import remind_at
from shared.runtime.turn.rows import Step, acting_host
from shared.runtime.turn.take import Take

SQL = Queries(Path(__file__).parent.with_name("queries.sql"))
ENDED = ("finished", "aborted", "voided")

Statement = tuple[str, dict[str, Any]]

_encode = msgspec.json.Encoder(order="deterministic").encode


class Chained(msgspec.Struct, frozen=True):
    """What of a step is hashed, always behind its salt."""

    salt: bytes
    command: bytes
    events: bytes
    state: bytes

    @property
    def state_hash(self) -> bytes:
        return digest(self.salt, self.state)

    def link(self, before: bytes, step: int) -> bytes:
        """PL-411 The chain after this step."""
        return hashlib.sha256(b"|".join((
            before.hex().encode(), str(step).encode(), digest(self.salt, self.command).hex().encode(),
            digest(self.salt, self.events).hex().encode(), self.state_hash.hex().encode(),
        ))).digest()


def digest(salt: bytes, what: bytes) -> bytes:
    """PL-390 A salted hash: it fixes what was, and tells nothing of it."""
    return hashlib.sha256(salt + what).digest()


def state_bytes(match: Match[Any]) -> bytes:
    """What the state hash of a step covers."""
    return _encode(match.state)


class Rows:
    """The rows that takes led to, by table; those of all matches of a transaction are sent together."""

    def __init__(self) -> None:
        self.tables: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("states", "outcomes", "steps", "letters", "views", "asks", "timers")
        }
        self.rare: list[Statement] = []  # what few takes lead to: results, topics, polls

    def packed(self) -> dict[str, str]:
        return {name: _encode(rows).decode() for name, rows in self.tables.items()}

    def add(self, settings: Settings, take: Take, old: Row, *, rated: bool) -> None:
        """The rows of one match, all of them or, if the game raises, none; `old` is its row as it was locked."""
        own = Rows()
        own._fill(settings, take, old, rated=rated)
        for name, rows in own.tables.items():
            self.tables[name] += rows
        self.rare += own.rare

    def _fill(self, settings: Settings, take: Take, old: Row, *, rated: bool) -> None:
        match_id = take.deal.match_id
        self.tables["outcomes"] += [{"match_id": match_id, **msgspec.structs.asdict(verdict)} for verdict in take.verdicts]
        if take.match is None:
            return
        chain = bytes(old["chain"])
        bodies = letters.AskBodies(take.game, take.game.words[letters.LANGUAGE])
        if take.steps:
            views = _Views(take, old, bodies)
            for step in take.steps:
                chained = _chained(settings, take, step)
                chain = chained.link(chain, step.match.step)
                self.tables["steps"].append(_step(take, step, chained, chain))
                self.tables["letters"].append(views.letter(step))
            self.tables["views"].append(views.row())
        asks, timers = list(_asks(take, bodies)), list(_timers(take))
        self.tables["asks"] += asks
        self.tables["timers"] += timers
        row = _state(take, old, chain)
        row["asked"] = [ask["seat"] for ask in asks]
        row["timed"] = [timer["kind"] for timer in timers]
        if take.house.no_show is None and take.state not in ENDED:
            row["timed"].append("no_show")  # PL-638: of a match that began before its house knew of it; the watch takes it away
        self.tables["states"].append(row)
        self.rare += [*_polls(take.game, take), *_endings(take, old, rated=rated)]


class _Views:
    """The views of every reader as the steps go on; the last ones are kept."""

    def __init__(self, take: Take, old: Row, asks: letters.AskBodies) -> None:
        self._take, self._game, self._asks = take, take.game, asks
        self._words = asks.words
        seats = take.deal.seats
        self._hashes: Sequence[str] = old["hashes"] or [""] * (seats + 1)
        self._changed: list[int] = list(old["changed"] or [0] * (seats + 1))
        self._bodies: list[bytes] = []
        self._views: list[Any] = []

    def letter(self, step: Step) -> dict[str, Any]:
        self._views = letters.views_of(self._game, step.match, self._take.deal.seats)
        self._bodies = [_encode(view) for view in self._views]
        hashes = [letters.view_hash(body) for body in self._bodies]
        self._changed = [
            step.match.step if new != old else since
            for new, old, since in zip(hashes, self._hashes, self._changed, strict=True)
        ]
        self._hashes = hashes
        bodies, opened = letters.letters_of(self._take.deal, self._asks, step, self._bodies, hashes, self._text())
        return {"match_id": self._take.deal.match_id, "step": step.match.step, "at": step.at, "bodies": bodies, "open": opened}

    def _text(self) -> str | None:
        """PL-359, PL-419 The onlookers' lines, where they will be read later than the present ones."""
        return self._game.text(self._views[0], self._words) if self._take.deal.delayed else None

    def row(self) -> dict[str, Any]:
        take, match = self._take, self._take.steps[-1].match
        return {
            "match_id": take.deal.match_id, "step": match.step, "at": take.house.last,
            "bodies": [body.decode() for body in self._bodies],
            "texts": [self._game.text(view, self._words) for view in self._views],
            "hashes": self._hashes, "changed": self._changed, "awaited": list(match.awaited_openly()),
            "clocks": letters.clocks(match, take.house).decode(),
            "host": letters.host_choices(self._game, self._words, match).decode(),
            "host_seat": acting_host(take.deal, match),
        }


def _chained(settings: Settings, take: Take, step: Step) -> Chained:
    salt = seeds.salt_of(settings, take.deal.match_id, step.match.step)
    return Chained(salt, step.act.command, _encode(step.events), state_bytes(step.match))


def _step(take: Take, step: Step, chained: Chained, chain: bytes) -> dict[str, Any]:
    act = step.act
    return {
        "match_id": take.deal.match_id, "step": step.match.step, "arrival": step.arrival, "part": step.part, "kind": act.kind,
        "seat": act.seat, "ask": act.ask, "automatic": act.automatic, "command": act.command.decode(),
        "events": chained.events.decode(), "draws": _encode(step.draws).decode(), "salt": _bytea(chained.salt), "at": step.at,
        "state_hash": _bytea(chained.state_hash), "chain": _bytea(chain),
    }


def _state(take: Take, old: Row, chain: bytes) -> dict[str, Any]:
    assert take.match is not None
    return {
        "match_id": take.deal.match_id, "old_step": old["step"], "step": take.match.step, "match": stored(take.match).decode(),
        "house": _encode(take.house).decode(), "chain": _bytea(chain), "done_arrival": take.verdicts[-1].arrival,
    }


def _bytea(what: bytes) -> str:
    return "\\x" + what.hex()


def _asks(take: Take, bodies: letters.AskBodies) -> Iterator[dict[str, Any]]:
    match = take.match
    assert match is not None
    for ask in match.asks:
        running = take.house.asks.get(str(ask.seat))
        if running is not None:
            due = None if take.state == "paused" else running.due
            yield {
                "match_id": take.deal.match_id, "seat": ask.seat, "ask": ask.number, "question": ask.question.name,
                "needed": ask.question.needed, "body": bodies.of(match, ask).decode(),
                "opened": running.opened, "since": running.since, "due": due, "remind": remind_at(take.deal.clock, running.since, due),
            }


def _timers(take: Take) -> Iterator[dict[str, Any]]:
    """PL-486 Timers are written with what they time and go with it."""
    match_id, house = take.deal.match_id, take.house
    if take.state in ENDED:
        return
    if house.phase is not None and house.phase.due is not None and take.state != "paused":
        yield {"match_id": match_id, "kind": "phase", "step": house.phase.number, "due": house.phase.due}
    if house.pause_ends is not None:
        yield {"match_id": match_id, "kind": "pause", "step": 0, "due": house.pause_ends}
    if house.no_show is not None and take.state != "paused":
        yield {"match_id": match_id, "kind": "no_show", "step": 1, "due": house.no_show.due}


def _polls(game: Game, take: Take) -> Iterator[Statement]:
    """PL-566 What the audience is asked now, what is closed, and what its answers were worth; nothing where that is as it was."""
    if take.match is None or game.poll is nobody_asks:
        return
    if take.before is not None and take.state not in ENDED and _polled(game, take.before) == _polled(game, take.match):
        return
    match_id, poll = take.deal.match_id, game.poll(take.match.state)
    if poll is not None:
        yield SQL.open_poll, {"match_id": match_id, "question": poll.question, "answers": list(poll.answers)}
    yield SQL.close_polls, {"match_id": match_id, "open": [poll.question] if poll is not None and take.state not in ENDED else []}
    for question, points in (game.poll_points(take.match.state) if game.poll_points else {}).items():
        yield SQL.save_points, {"match_id": match_id, "question": question, "points": Jsonb(points)}


def _polled(game: Game, match: Match[Any]) -> tuple[Any, ...]:
    return game.poll(match.state), game.poll_points(match.state) if game.poll_points else None


def _endings(take: Take, old: Row, *, rated: bool) -> Iterator[Statement]:
    assert take.match is not None
    match_id, step = take.deal.match_id, take.match.step
    for name, facts in take.seatings:
        yield getattr(SQL, name), {"match_id": match_id, **facts}
    if take.state != old["state"]:
        ended = take.state in ENDED
        yield SQL.save_match, {"match_id": match_id, "state": take.state, "now": take.now, "ended": ended}
    if take.state == "voided":
        yield SQL.void_result, {"match_id": match_id}
    for gone in take.match.gone:
        yield SQL.save_how, {"match_id": match_id, "seat": gone.seat, "how": gone.how}
    if take.placings is not None and take.state == "finished" and old["state"] != "finished":
        stayed = sum(placing.how == "played" for placing in take.placings)
        unfinished = stayed < 2 and stayed < len(take.placings)
        yield SQL.save_result, {
            "match_id": match_id, "game": take.game.name, "step": step, "rated": rated, "unfinished": unfinished,
            "flag": take.flag, "now": take.now,
        }
        for placing in take.placings:
            yield SQL.save_placing, {"match_id": match_id, **msgspec.structs.asdict(placing)}
    for topic, body in take.topics:
        yield SQL.announce_topic, {"match_id": match_id, "step": step, "topic": topic, "body": Jsonb(body)}
