"""What must be true of a database whatever was killed (PL-785)? Complaints, one sentence each; none in a healthy one."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import psycopg
from msgspec.structs import replace
from psycopg.rows import dict_row

from services.league.inbox.checking import broken_chain
from shared.kernel import match as kernel
from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import AUDIENCE, Event, Game
from shared.kernel.match import Match, stored
from shared.runtime.settings import Settings
from shared.runtime.turn import letters, seeds
from shared.runtime.turn.failing import failed, placed
from shared.runtime.turn.house import House
from shared.runtime.turn.rows import vacated
from shared.runtime.turn.writing import digest

Row = dict[str, Any]
MOST_SHOWN = 40

_encode = msgspec.json.Encoder(order="deterministic").encode


def assert_sound(settings: Settings, games: Iterable[Game], *, drained: bool = True) -> int:
    """Raises with every complaint there is; tells how many steps were looked at."""
    steps, found = look_at(settings, games, drained=drained)
    if found:
        more = f"\nand {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
        raise AssertionError("\n".join(found[:MOST_SHOWN]) + more)
    return steps


def look_at(settings: Settings, games: Iterable[Game], *, drained: bool = True) -> tuple[int, list[str]]:
    """How many steps there are, and what is wrong; `drained`: nothing may be waiting any more."""
    with psycopg.connect(settings.database_url, row_factory=dict_row, autocommit=True) as connection:
        book = Book(connection, settings, {(game.name, game.version): game for game in games})
        found = [complaint for match_id in book.matches for complaint in of_match(book, match_id, drained=drained)]
        return sum(map(len, book.steps.values())), found + list(of_league(connection))


class Book:
    """Everything the checker reads, by match."""

    def __init__(self, connection: psycopg.Connection[Row], settings: Settings, games: dict[tuple[str, int], Game]) -> None:
        self.settings, self.games = settings, games
        rows = connection.execute(
            "SELECT m.*, s.step, s.match, s.house, s.chain, s.done_arrival, e.seed, h.last_arrival FROM matches m JOIN match_states s USING (match_id) "
            "JOIN inbox_heads h USING (match_id) JOIN seeds e ON e.number = m.seed_number").fetchall()
        self.matches: dict[str, Row] = {row["match_id"]: row for row in rows if (row["game"], row["version"]) in games}
        self.inbox = _by_match(connection, "inbox", "arrival")
        self.steps = _by_match(connection, "steps", "step")
        self.letters = _by_match(connection, "letters", "step")
        self.views = _by_match(connection, "views", "step")
        self.asks = _by_match(connection, "asks", "seat")
        self.seats = _by_match(connection, "seats", "seat")
        self.results = _by_match(connection, "results", "step")
        self.placings = _by_match(connection, "result_seats", "seat")
        self.outbox = _by_match(connection, "outbox", "number")

    def game_of(self, match_id: str) -> Game:
        match = self.matches[match_id]
        return self.games[match["game"], match["version"]]

    def key_of(self, match_id: str) -> bytes:
        match = self.matches[match_id]
        seed = seeds.unseal(self.settings, match["seed_number"], match["seed"])
        contributions = [row["contribution"] for row in self.seats[match_id]]
        return seeds.key_of(seed, match, contributions)


def _by_match(connection: psycopg.Connection[Row], table: str, order: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY match_id, {order}").fetchall():
        found[row["match_id"]].append(row)
    return found


def of_match(book: Book, match_id: str, *, drained: bool) -> Iterator[str]:
    for part in (of_steps, of_chain, of_replay, of_result):
        yield from (f"{match_id}: {complaint}" for complaint in part(book, match_id))
    yield from (f"{match_id}: {complaint}" for complaint in of_inbox(book, match_id, drained=drained))


# Rows and steps ------------------------------------------------------------------------------------------------------


def of_inbox(book: Book, match_id: str, *, drained: bool) -> Iterator[str]:
    """PL-103, PL-104, PL-105, PL-288, PL-322: one row per key, one outcome per row, in the order of arrival."""
    rows, match = book.inbox[match_id], book.matches[match_id]
    arrivals = [row["arrival"] for row in rows]
    if arrivals != list(range(1, len(rows) + 1)) or match["last_arrival"] != len(rows):
        yield f"arrivals {arrivals[:5]}… do not count from 1 to {match['last_arrival']}"
    for (account, key), count in Counter((row["account_id"], row["key"]) for row in rows if row["key"]).items():
        if count > 1:
            yield f"key {key} of {account} was accepted {count} times"
    answers = Counter((row["seat"], row["ask"]) for row in rows if row["ask"] is not None and row["outcome"] in {None, "carried_out"})
    for (seat, ask), count in answers.items():
        if count > 1:
            yield f"ask {ask} of seat {seat} has {count} answers"
    waiting = [row["arrival"] for row in rows if row["outcome"] is None]
    done = [row["arrival"] for row in rows if row["outcome"] not in {None, "failed"}]
    if drained and waiting and match["state"] != "stuck":
        yield f"lost: rows {waiting[:5]} have no outcome"
    if waiting and done and min(waiting) < max(done):
        yield f"row {min(waiting)} waits although row {max(done)} is done"
    if done and match["step"] and match["done_arrival"] != max(done):
        yield f"done_arrival is {match['done_arrival']}, the last row with an outcome is {max(done)}"


def of_steps(book: Book, match_id: str) -> Iterator[str]:
    """PL-333, PL-411 Steps are consecutive, belong to rows that were carried out, once each, and form a chain."""
    steps, rows, match = book.steps[match_id], {row["arrival"]: row for row in book.inbox[match_id]}, book.matches[match_id]
    numbers = [step["step"] for step in steps]
    if numbers != list(range(1, len(steps) + 1)) or match["step"] != len(steps):
        yield f"steps {numbers[:5]}… are not those from 1 to {match['step']}"
    if [letter["step"] for letter in book.letters[match_id]] != numbers:
        yield "letters are not those of the steps"
    for step in steps:
        row = rows.get(step["arrival"])
        if row is None or row["outcome"] != "carried_out" or not row["first_step"] <= step["step"] <= row["last_step"]:
            yield f"step {step['step']} does not belong to its row {step['arrival']}"
    for row in rows.values():
        own = [step["step"] for step in steps if step["arrival"] == row["arrival"]]
        told = list(range(row["first_step"], row["last_step"] + 1)) if row["first_step"] else []
        if own != told:
            yield f"row {row['arrival']} tells of steps {told} and has {own}"
    arrivals = [step["arrival"] for step in steps]
    if arrivals != sorted(arrivals):
        yield "steps are not in the order of arrival"


def of_chain(book: Book, match_id: str) -> Iterator[str]:
    """PL-411 Each hash covers the hash before, step, command, events and state."""
    steps, match, chain = book.steps[match_id], book.matches[match_id], b""
    for step in steps:
        chain = _chained(step, digest_of_state=bytes(step["state_hash"]), before=chain)
        if chain != bytes(step["chain"]):
            yield f"the chain breaks at step {step['step']}"
            return
    if steps and bytes(match["chain"]) != chain:
        yield "the match does not end its chain"


def _chained(step: Row, digest_of_state: bytes, before: bytes) -> bytes:
    salt = bytes(step["salt"])
    parts = digest(salt, step["command"].encode()), digest(salt, step["events"].encode()), digest_of_state
    return hashlib.sha256(b"|".join((before.hex().encode(), str(step["step"]).encode(), *(part.hex().encode() for part in parts)))).digest()


# Events, commands and letters ------------------------------------------------------------------------------------------


def of_replay(book: Book, match_id: str) -> Iterator[str]:
    """PL-412, PL-413 Folding the events, and carrying out the commands again, both give what is stored."""
    game, row = book.game_of(match_id), book.matches[match_id]
    options, key = game.read_options(row["options"]), book.key_of(match_id)
    read = msgspec.json.Decoder(list[game.event_union]).decode  # type: ignore[name-defined]
    state, match = game.empty(row["seats"], options), None
    for step in book.steps[match_id]:
        events: list[Event] = read(step["events"])
        state = kernel.fold(state, events)
        if digest(bytes(step["salt"]), _encode(state)) != bytes(step["state_hash"]):
            yield f"the events of step {step['step']} do not lead to its state"
            return
        dice = step_dice(key, step["step"])
        match, played = again(game, row["seats"], options, match, step, dice)
        if _encode(played) != step["events"].encode() or _encode(dice.drawn) != step["draws"].encode():
            yield f"step {step['step']} ({step['kind']}) plays differently when it is played again"
            return
        yield from game.sound(state)
        letter = next((letter for letter in book.letters[match_id] if letter["step"] == step["step"]), None)
        if letter is not None:
            yield from of_letter(game, row["seats"], match, played, letter)
    if match is not None:
        yield from of_present(book, match_id, match)


def again(game: Game, seats: int, options: Any, match: Match[Any] | None, step: Row, dice: Dice) -> tuple[Match[Any], Sequence[Event]]:
    """One stored step, carried out once more."""
    seat, command = step["seat"], step["command"].encode()
    if step["kind"] == "start" or match is None:
        return kernel.begin(game, seats, options, dice)
    match step["kind"]:
        case "command":
            return kernel.answer(game, match, seat, game.read_command(command), dice)
        case "count":
            return kernel.answer(game, match, AUDIENCE, game.read_command(command), dice)
        case "timeout" | "default":
            return kernel.time_out(game, match, seat, dice, again=step["kind"] == "default")
        case "phase":
            return kernel.phase_over(game, match, dice)
        case "leave":
            return kernel.leave(game, match, seat, msgspec.json.decode(command)["how"], dice)
        case "vacate":
            return vacated(match, seat)
        case "fail":
            return failed(match, seat, msgspec.json.decode(command)["since"])
        case "order":
            return replace(match, step=match.step + 1), ()
    raise LookupError(step["kind"])


def of_letter(game: Game, seats: int, match: Match[Any], events: Sequence[Event], letter: Row) -> Iterator[str]:
    """PL-383 Each reader is told the events as its mask shows them, and the hash of the view it may have."""
    bodies = [msgspec.json.decode(body) for body in letter["bodies"]]
    if len(bodies) != seats + 1:
        yield f"step {match.step} has {len(bodies)} letters"
    for reader, body in zip(letters.readers(seats), bodies, strict=False):
        told = [{name: value for name, value in event.items() if name != "words"} for event in body["events"]]
        seen = [event.seen_by(reader) for event in events]
        if told != [msgspec.json.decode(_encode(event)) for event in seen if event is not None]:
            yield f"the letter of step {match.step} to {reader} tells other events than its mask shows"
        if body["view_hash"] != letters.view_hash(_encode(game.look(match.state, reader))):
            yield f"the letter of step {match.step} to {reader} names another view"
        if (body["match"], body["step"]) != (letter["match_id"], match.step):
            yield f"the letter of step {match.step} to {reader} bears the number {body['step']}"


def of_present(book: Book, match_id: str, match: Match[Any]) -> Iterator[str]:
    """PL-331 State, views and asks are those of the last step."""
    row, game = book.matches[match_id], book.game_of(match_id)
    if stored(match).decode() != row["match"]:
        yield "the stored match is not the one its commands lead to"
    (views,) = book.views[match_id] or [None]
    looks = [_encode(game.look(match.state, reader)).decode() for reader in letters.readers(row["seats"])]
    if views is None or views["step"] != match.step or views["bodies"] != looks:
        yield "the stored views are not what its readers may see"
    asked = [(ask["seat"], ask["ask"], ask["needed"]) for ask in book.asks[match_id]]
    wanted = [(ask.seat, ask.number, ask.question.needed) for ask in match.asks] if row["state"] in {"running", "paused", "stuck"} else []
    if asked != sorted(wanted):
        yield f"asks {asked} are stored where {wanted} are open"


# Results ---------------------------------------------------------------------------------------------------------------


def of_result(book: Book, match_id: str) -> Iterator[str]:
    """PL-249, PL-251 One result of a finished match, told once; none of any other."""
    row, results, outbox = book.matches[match_id], book.results[match_id], book.outbox[match_id]
    topics = Counter(entry["topic"] for entry in outbox)
    for topic in ("match.started", "match.finished", "match.voided", "match.aborted"):
        if topics[topic] > 1:
            yield f"{topic} was told {topics[topic]} times"
    standing = [result for result in results if result["voided_at"] is None]
    if (row["state"] == "finished") != bool(standing):
        yield f"a match that is {row['state']} has {len(standing)} results"
    if not standing:
        return
    game, raw = book.game_of(match_id), row["match"]
    wanted = placed(game, kernel.restored(game, raw.encode()), msgspec.json.decode(row["house"], type=House)) or ()
    told = [(seat["seat"], seat["place"], seat["table_place"], seat["score"], seat["how"]) for seat in book.placings[match_id]]
    if told != [(one.seat, one.place, one.table_place, one.score, one.how) for one in wanted]:
        yield f"the result {told} is not that of the last state"


def of_league(connection: psycopg.Connection[Row]) -> Iterator[str]:
    """Events without gaps in their chain, every act with an outcome, every order with its match and no match without one."""
    for row in connection.execute("SELECT competition_id, version FROM competitions").fetchall():
        name = row["competition_id"]
        events = connection.execute("SELECT number, kind, body, previous_hash, hash FROM competition_events WHERE competition_id = %s ORDER BY number",
                                    (name,)).fetchall()
        if len(events) != row["version"] or broken_chain(events) is not None:
            yield f"{name}: its events are not the chain that leads to version {row['version']}"
    for query, complaint in LEAGUE.items():
        yield from (f"{row['name']}: {complaint}" for row in connection.execute(query).fetchall())


LEAGUE = {
    "SELECT act_id AS name FROM competition_acts WHERE state = 'waiting'": "nobody has decided this act",
    "SELECT o.match_id AS name FROM competition_matches o LEFT JOIN matches m USING (match_id) WHERE m.match_id IS NULL AND o.stopped_at IS NULL":
        "it was ordered and never made",
    "SELECT m.match_id AS name FROM matches m JOIN competitions c ON c.competition_id = m.origin LEFT JOIN competition_matches o USING (match_id) "
    "WHERE o.match_id IS NULL OR m.origin_key <> o.pairing": "a match of a competition that nobody ordered",
    "SELECT o.match_id AS name FROM competition_matches o JOIN matches m USING (match_id) WHERE m.state = 'finished' AND NOT EXISTS ("
    "SELECT FROM competition_acts a WHERE a.competition_id = o.competition_id AND a.source = 'record ' || o.match_id || ' finished')":
        "it has finished and the league has no record of it",
    "SELECT competition_id AS name FROM competitions WHERE pages_version < version": "its pages are behind",
}
