"""What is each reader told? Views, asks and letters as JSON text, ready to be sent without being read again. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from shared.kernel.choices import Label
from shared.kernel.content import Words
from shared.kernel.game import HOST, Event, Game
from shared.kernel.match import Ask, Match
from shared.runtime.turn.hours import Ms
from shared.runtime.turn.house import House, Running
from shared.runtime.turn.rows import Deal, Step

LANGUAGE = "en"  # the one language so far; letters will be written once per language of the match's readers

Reader = int | None  # a seat, or None: the onlookers

_encode = msgspec.json.Encoder(order="deterministic").encode


def readers(seats: int) -> list[Reader]:
    """The order in which views and letters lie in their rows: onlookers first, then the seats."""
    return [None, *range(seats)]


def moment(ms: Ms | None) -> str | None:
    """PL-216 RFC 3339 in UTC with milliseconds."""
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def views_of(game: Game, match: Match[Any], seats: int) -> list[Any]:
    return [game.look(match.state, reader) for reader in readers(seats)]


def ask_body(game: Game, words: Words, match: Match[Any], ask: Ask) -> bytes:
    """PL-351 The ask as its seat gets it, but for match, seat, number and times."""
    question = ask.question
    on_timeout = game.default(match.state, ask.seat) if question.needed else None
    return words.json(
        {
            "question": question.name, "rule": question.rule, "about": question.about, "needed": question.needed,
            "prompt": words.say(Label(question.name, **question.facts), "prompts"), "on_timeout": on_timeout,
            "choices": game.legal(match.state, ask.seat),
        }
    )


class AskBodies:
    """The bodies of asks in one take: what the last letter and the row of an ask say alike is written once."""

    def __init__(self, game: Game, words: Words) -> None:
        self._game, self.words = game, words
        self._written: dict[tuple[int, int], bytes] = {}

    def of(self, match: Match[Any], ask: Ask) -> bytes:
        place = (match.step, ask.seat)
        if place not in self._written:
            self._written[place] = ask_body(self._game, self.words, match, ask)
        return self._written[place]


def host_choices(game: Game, words: Words, match: Match[Any]) -> bytes:
    return words.json(game.legal(match.state, HOST))


def clocks(match: Match[Any], house: House) -> bytes:
    """PL-497 What everybody may know of the clocks; whom a secret question is put to is not told."""
    shown = set(match.awaited_openly())
    seats = [
        {"seat": seat, "bank_ms": bank, "due_at": moment(_due(house.asks.get(str(seat)))) if seat in shown else None, **_away(house, seat)}
        for seat, bank in enumerate(house.banks)
    ]
    armed = match.armed and house.phase and {"name": match.armed.phase.name, "due_at": moment(house.phase.due)}
    return _encode({"seats": seats, "phase": armed})


def letters_of(
    deal: Deal, asks: AskBodies, step: Step, bodies: Sequence[bytes], hashes: Sequence[str], text: str | None
) -> tuple[list[str], str]:
    """The letter of a step for each reader, and the open one for after the end."""
    match, told = step.match, _Told(asks.words)
    head = _encode(
        {"match": deal.match_id, "step": match.step, "at": moment(step.at), "by": None if step.act.secret else step.act.seat,
         "automatic": step.act.automatic, "state": step.state, "order": msgspec.Raw(step.act.command) if step.act.kind in {"order", "vacate", "fail"} else None,
         "awaited": match.awaited_openly()}
    )[:-1]
    tail = b',"clocks":' + clocks(match, step.house)
    letters = []
    for reader, body, digest in zip(readers(deal.seats), bodies, hashes, strict=True):
        events = [told.json(event, event.seen_by(reader)) for event in step.events]
        own = b"null" if reader is None else _own_ask(deal, asks, step, reader)
        view = _kept(body, text) if reader is None else b""
        parts = (head, b',"events":[', b",".join(filter(None, events)), b'],"ask":', own, tail, view, b',"view_hash":"', digest.encode())
        letters.append((b"".join(parts) + b'"}').decode())
    opened = [told.json(event, event.opened()) for event in step.events]
    return letters, (head + b',"events":[' + b",".join(filter(None, opened)) + b"]" + tail + b"}").decode()


def _kept(view: bytes, text: str | None) -> bytes:
    """PL-419 What the onlookers' letter holds for those who read it later: the view, and behind a delay its lines."""
    return b',"view":' + view + (b"" if text is None else b',"text":' + _encode(text))


def ask_json(deal: Deal, seat: int, running: Running, body: bytes) -> bytes:
    """An ask with match, seat, number and times, as letters carry it."""
    head = {"match": deal.match_id, "seat": seat, "ask": running.number, "opened_at": moment(running.opened), "due_at": moment(running.due)}
    return _encode(head)[:-1] + b"," + body[1:]


def view_hash(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


class _Told:
    """The events of one step as JSON with their sentences; an event that several readers see alike is written once."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._written: dict[int, bytes] = {}

    def json(self, event: Event, seen: Event | None) -> bytes:
        if seen is None:
            return b""
        if seen is not event:
            return self._write(seen)
        if id(event) not in self._written:
            self._written[id(event)] = self._write(event)
        return self._written[id(event)]

    def _write(self, event: Event) -> bytes:
        return _encode(event)[:-1] + b',"words":' + _encode(self._words.sentence(event)) + b"}"


def _own_ask(deal: Deal, asks: AskBodies, step: Step, seat: int) -> bytes:
    ask, running = step.match.ask_of(seat), step.house.asks.get(str(seat))
    if ask is None or running is None:
        return b"null"
    return ask_json(deal, seat, running, asks.of(step.match, ask))


def _due(running: Running | None) -> Ms | None:
    return None if running is None else running.due


def _away(house: House, seat: int) -> dict[str, str | None]:
    """PL-504 That a seat is on holiday, and until when."""
    until = house.counted_at(seat, house.last)
    return {} if until == house.last else {"away_until": moment(until)}
