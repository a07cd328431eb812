"""Who sits at which table, and how does it stand? One row for each seat, changed with the events that change a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from services.league.kind import Sat, Seating
from services.league.tournament import shelf
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Substituted
from services.league.tournament.events.life import Cancelled
from services.league.tournament.events.results import Corrected, OfPairing
from services.league.tournament.events.rounds import RoundPublished
from services.league.tournament.looking import At, read_at, rules_of
from services.league.tournament.pages.rounds import seat_lines
from services.league.tournament.state import Board, Pairing, State

QUIET = frozenset({"not_counted", "record_refused", "overdue", "flagged", "extended"})      # change no seat


def seating(state: State, events: Sequence[Happened]) -> Seating:
    """LG-1005 The rows of every table that these events have touched, as they are now, and the rounds whose old rows are no more."""
    cleared: set[tuple[int, int]] = set()
    tables: set[At] = set()
    for event in events:
        cleared |= set(_rounds(state, event))
        tables |= set(_tables(event))
    single = sorted(where for where in tables if (where.stage, where.round) not in cleared)
    whole = [At(stage, number, pairing.table) for stage, number in sorted(cleared) for pairing in shelf.every(state.stages[stage - 1].rounds[number - 1].pairings)]
    rows = [row for where in (*single, *whole) for row in _rows(state, where)]
    return Seating(tuple(rows), tuple(map(str, single)), tuple(f"{stage}/{number}" for stage, number in sorted(cleared)))


def _rounds(state: State, event: Happened) -> Iterator[tuple[int, int]]:
    """Rounds of which every table is another one."""
    match event:
        case RoundPublished():
            yield event.stage, event.round
        case Cancelled() | Substituted():
            yield from ((stage.number, one.number) for stage in state.stages for one in stage.rounds)


def _tables(event: Happened) -> Iterator[At]:
    match event:
        case Corrected():
            if event.pairing is not None:
                yield read_at(event.correction.pairing)
            yield from map(read_at, event.void)
            yield from (At(event.correction.stage, number, pairing.table) for number, pairing in event.again)
        case OfPairing() if event.__struct_config__.tag not in QUIET:
            yield event.where


def _rows(state: State, where: At) -> Iterator[Sat]:
    stage = state.stages[where.stage - 1]
    pairing = shelf.at(stage.rounds[where.round - 1].pairings, where.table - 1)
    if pairing.boards:
        for board in pairing.boards:
            yield from _at_board(where, pairing, board)
        return
    lines: list[dict[str, Any]] = seat_lines(state, stage, rules_of(state.settings, stage), pairing)
    for line in lines:
        yield Sat(str(where), line["account"], pairing.state, counting_match(pairing), pairing.kind, len(lines), line["place"], line["how"] or "",
                  line["points"] or "", pairing.corrected, pairing.decided_at)


def _at_board(where: At, pairing: Pairing, board: Board) -> Iterator[Sat]:
    """LG-972 Of two teams those who sit at their boards; points are the teams' own."""
    state = "void" if pairing.state == "void" else "confirmed" if board.game else "running" if board.running else "ready"
    seats = {seat.number: seat for seat in board.game.seats} if board.game else {}
    decided_at = board.game.at if board.game else pairing.decided_at if state == "void" else 0
    for number, account in zip(board.numbers, board.accounts, strict=True):
        seat = seats.get(number)
        if account:
            yield Sat(str(where), account, state, board.match, board.game.kind if board.game else "", len(board.numbers), seat.place if seat else None,
                      seat.how if seat else "", "", pairing.corrected, decided_at)


def counting_match(pairing: Pairing) -> str:
    """LG-168 The one match that counts for a pairing now: the one that runs, else the last that was played."""
    return pairing.match or (pairing.games[-1].match if pairing.games else "")
