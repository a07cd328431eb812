"""Who is told of an event that concerns them, and who is reminded of a deadline? People only: bots read streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from services.league.kind import Notice
from services.league.tournament import times
from services.league.tournament.boards import board_at
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Withdrawn
from services.league.tournament.events.results import Corrected, MatchOrdered, Recorded, Ruled, Started
from services.league.tournament.events.rounds import RoundPublished
from services.league.tournament.events.teams import BoardEnded, BoardOrdered, BoardStarted
from services.league.tournament.looking import At, entrant, entrant_of, open_pairings, open_rounds, pairing_at, read_at, stage_of
from services.league.tournament.state import RUNNING, Board, GivenBye, Pairing, Round, Stage, State
from services.league.tournament.telling.seating import counting_match

PERSON = "person"
BOARDS: Mapping[type[Happened], str] = {BoardStarted: "match_started", BoardEnded: "result_recorded", BoardOrdered: "pairing_published"}
SILENT_BYES = frozenset({"absent", "late"})


def notices(state: State, event: Happened) -> tuple[Notice, ...]:
    """LG-1016 At most one for each account; what was taken over from elsewhere is told to nobody."""
    if state.drawn_as:
        return ()
    return tuple({one.account: one for one in _of(state, event)}.values())


def _of(state: State, event: Happened) -> Iterator[Notice]:
    match event:
        case RoundPublished():
            stage = stage_of(state, event.stage)
            for pairing in event.pairings:
                yield from at_table(state, At(event.stage, event.round, pairing.table), pairing, "pairing_published")
            yield from _byes(state, stage, event.round, event.byes)
        case MatchOrdered():
            yield from at_table(state, event.where, pairing_at(state, event.where), "pairing_published")
        case BoardStarted() | BoardEnded() | BoardOrdered():
            yield from at_board(state, event.where, board_at(pairing_at(state, event.where), event.board), BOARDS[type(event)])
        case Started():
            yield from at_table(state, event.where, pairing_at(state, event.where), "match_started")
        case Recorded() | Ruled():
            yield from at_table(state, event.where, pairing_at(state, event.where), "result_recorded")
        case Corrected():
            yield from _corrected(state, event)
        case Withdrawn(rule=rule) if rule:
            yield from _person(state, event.account, Notice(event.account, "withdrawn", facts={"rule": rule}))


def at_table(state: State, where: At, pairing: Pairing, kind: str) -> Iterator[Notice]:
    """LG-168 Everybody who sits there, with the match that counts."""
    if pairing.boards:
        for board in pairing.boards:
            yield from at_board(state, where, board, kind)
        return
    stage, place, match = stage_of(state, where.stage), str(where), counting_match(pairing)
    for number in pairing.numbers:
        one = entrant_of(state, stage, number)
        if one.kind == PERSON:
            yield Notice(one.account, kind, place, match)


def at_board(state: State, where: At, board: Board, kind: str) -> Iterator[Notice]:
    """LG-972 Those who sit at one board of two teams."""
    stage = stage_of(state, where.stage)
    for number, account in zip(board.numbers, board.accounts, strict=True):
        team = entrant_of(state, stage, number)
        if account and any(member.account == account and member.kind == PERSON for member in (*team.members, *team.reserves)):
            yield Notice(account, kind, str(where), board.match)


def _byes(state: State, stage: Stage, number: int, byes: Iterable[GivenBye]) -> Iterator[Notice]:
    for bye in byes:
        if bye.kind not in SILENT_BYES:
            account = entrant_of(state, stage, bye.number).account
            yield from _person(state, account, Notice(account, "pairing_published", facts={"bye": bye.kind, "stage": stage.number, "round": number}))


def _corrected(state: State, event: Corrected) -> Iterator[Notice]:
    """LG-917 Those whose fact is another one now, and those who meet somebody else by it."""
    places = [read_at(event.correction.pairing)] if event.pairing is not None else []
    places += [*map(read_at, event.void), *(At(event.correction.stage, number, pairing.table) for number, pairing in event.again)]
    for where in places:
        yield from at_table(state, where, pairing_at(state, where), "correction")
    if event.bye is not None:
        stage = stage_of(state, event.correction.stage)
        account = entrant_of(state, stage, event.bye.number).account
        yield from _person(state, account, Notice(account, "correction", facts={"bye": event.bye.kind, "stage": stage.number}))


def _person(state: State, account: str, notice: Notice) -> Iterator[Notice]:
    one = entrant(state, account)
    if one is not None and one.kind == PERSON:
        yield notice


# Deadlines -----------------------------------------------------------------------------------------------------------------


def reminders(state: State, now: int) -> tuple[Notice, ...]:
    """LG-888 Those who have not finished and whose deadline is as near as one of the times set: of several times passed the latest counts."""
    found: list[Notice] = []
    for stage, one in _open(state):
        due = {until: left for until in _deadlines(one) if (left := _passed(state, one, until, now)) is not None}
        for pairing in open_pairings(one) if due else ():
            until = one.extended.get(pairing.table, one.deadline)
            if until in due and pairing.state not in {"open", "void"}:
                where = At(stage.number, one.number, pairing.table)
                found += [Notice(notice.account, notice.kind, notice.pairing, notice.match, {"deadline": until}, f"{where} {until} {due[until]}")
                          for notice in at_table(state, where, pairing, "deadline_near")]
    return tuple(found)


def next_reminder(state: State, now: int) -> int | None:
    """The next moment at which somebody may have to be reminded."""
    moments = (until - span for _, one in _open(state) for until in _deadlines(one) for span in _spans(state))
    return min((at for at in moments if at > now), default=None)


def _open(state: State) -> Iterator[tuple[Stage, Round]]:
    if state.life == RUNNING and state.paused_at is None and not state.drawn_as:
        for stage in state.stages:
            yield from ((stage, one) for one in open_rounds(stage))


def _deadlines(one: Round) -> frozenset[int]:
    return frozenset(until for until in (one.deadline, *one.extended.values()) if until is not None)


def _spans(state: State) -> list[int]:
    return sorted(times.length(span) for span in state.settings.schedule.reminders)


def _passed(state: State, one: Round, until: int, now: int) -> int | None:
    """The shortest of the spans before this deadline that has begun, and did so after the round was published."""
    if now >= until:
        return None
    return next((span for span in _spans(state) if until - span <= now and until - span > one.published_at), None)
