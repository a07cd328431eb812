"""What does each seat see, as a page draws it and as lines of text?

The view as JSON, for a page: `contestants` by place (index 0 and 1 stand at the first quarter-final, and so on; a contestant
keeps its number, 1 to 8, for the whole round), `duels` from the first quarter-final to the final, each with the numbers of
the contestants in its circle and triangle place (null: still free), `seats` with everything public, `own` with what only the
reader may know (null for onlookers), `audience` where there is one. Votes are "circle", "triangle" or "" (abstained).
"""

from __future__ import annotations

from msgspec import Struct

from services.champions.state import DUELS, FEEDS, NOBODY, READY, STAGE_OF, SYMBOLS, TILES, Duel, State
from shared.kernel.game import Seat


class ContestantView(Struct, frozen=True):
    """A name on its way through the tournament."""

    number: int
    name: str  # empty while it is being replaced
    duel: str  # where it stands now: the last duel it has reached
    symbol: str
    out: bool
    replacing: bool
    masked: bool
    checked: bool  # CH-166: part of the check that is going on


class DuelView(Struct, frozen=True):
    """A duel card with its two places."""

    id: str
    stage: str  # quarter_final, semi_final, final
    points: int
    situation: str
    tie: str
    circle: int | None
    triangle: int | None
    votes: tuple[str, ...] | None  # per seat; None before the reveal
    audience: tuple[int, int] | None  # totals for circle and triangle, where they may be shown
    counted: tuple[int, int] | None  # what decided, the audience's influence included
    winner: int | None
    by_symbol: bool


class SeatView(Struct, frozen=True):
    """What everybody sees of a seat."""

    seat: Seat
    tiles: int  # CH-121: how many it writes in this round, while names are written
    ready: bool
    absent: bool
    left: bool
    spaces: tuple[str, ...]  # per duel: open, circled, crossed
    bonus: str
    prediction: int | None  # CH-321: once revealed; null: none
    rounds: tuple[int, ...]
    score: int
    place: int | None  # once the match is over


class OwnTileView(Struct, frozen=True):
    """A tile of the reader."""

    tile: int  # as WriteName counts it
    name: str
    former: str  # the name it replaces
    asked: bool
    contestant: int | None  # its number once it is placed


class OwnView(Struct, frozen=True):
    """What only the reader sees."""

    seat: Seat
    sheet: str
    sheets_only: bool  # CH-449
    tiles: tuple[OwnTileView, ...]
    unknown: tuple[int, ...]
    reported: tuple[int, ...]
    notes: tuple[int | None, ...]  # per duel
    champion: int | None
    vote: str


class AudienceView(Struct, frozen=True):
    """CH-501 What everybody sees of the audience."""

    influence: str
    quorum: int
    poll: str  # the question that is open, or empty
    crowd: bool


class AuthorView(Struct, frozen=True):
    """CH-131 Who wrote which name, where the table agreed to show it."""

    round: int
    name: str
    seat: Seat | None


class View(Struct, frozen=True):
    """The table as a reader sees it."""

    you: Seat | None
    stage: str
    round: int
    rounds: int
    duel: str | None  # the one that is discussed, voted on or just decided
    policy: str
    bonus: int
    contestants: tuple[ContestantView, ...]
    duels: tuple[DuelView, ...]
    seats: tuple[SeatView, ...]
    own: OwnView | None
    audience: AudienceView | None
    champion: int | None
    barred: tuple[str, ...]  # names that may not come back
    unfinished: bool
    authors: tuple[AuthorView, ...]


def look(state: State, seat: Seat | None) -> View:
    """CH-410, CH-411 Nothing hidden but the reader's own: no author, no reverse side, no mark, vote or prediction of others."""
    over = state.stage == "over"
    deciding = state.stage in {"discussion", "vote", "count", "reveal"}
    places = result(state) or {}
    return View(
        you=seat,
        stage=state.stage,
        round=state.round,
        rounds=2,
        duel=DUELS[state.duel] if deciding else None,
        policy=state.options.policy,
        bonus=state.bonus,
        contestants=tuple(_contestant(state, index) for index in range(TILES)) if state.placed else (),
        duels=tuple(_duel(duel, number) for number, duel in enumerate(state.duels)),
        seats=tuple(_seat(state, other, places.get(other)) for other in state.seats()),
        own=_own(state, seat) if seat in state.seats() else None,
        audience=_audience(state) if state.options.has_audience() else None,
        champion=_number(state.duels[-1].winner) if state.duels else None,
        barred=state.barred,
        unfinished=state.unfinished,
        authors=_authors(state) if over and state.options.reveal_authors else (),
    )


def result(state: State) -> dict[Seat, int] | None:
    """CH-373 to CH-375, CH-407, CH-408 Shared places among those who stayed; behind them those who left, the later one higher."""
    if state.stage != "over":
        return None
    scores = {seat: state.score_of(seat) for seat in state.staying()}
    places = {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}
    for behind, seat in enumerate(reversed(state.left)):
        places[seat] = len(scores) + 1 + behind
    return places


def score(state: State) -> dict[Seat, int]:
    """CH-372 Of every seat; of those who left what they had (CH-407)."""
    return {seat: state.score_of(seat) for seat in state.seats()}


def poll_key(state: State) -> str:
    """The audience's question of this stage, or nothing; the same name for all members and for ever."""
    if not state.options.has_audience():
        return ""
    match state.stage:
        case "gathering":
            return f"start.{state.attempt}"
        case "names" if state.options.nominations:
            return f"{state.key()}.names"
        case "prediction":
            return f"{state.key()}.champion"
        case "vote" | "count":
            return state.duel_key()
    return ""


def _contestant(state: State, index: int) -> ContestantView:
    tile = state.tiles[index]
    duel, place = index // 2, index % 2
    while duel < len(FEEDS) and state.duels[duel].winner == index:
        duel, place = FEEDS[duel]
    return ContestantView(
        number=index + 1,
        name=state.contestant(index),
        duel=DUELS[duel],
        symbol=SYMBOLS[place],
        out=state.duels[duel].winner not in {-1, index},
        replacing=tile.fresh,
        masked=tile.masked,
        checked=state.stage in {"check", "replacement"} and index in state.checking,
    )


def _duel(duel: Duel, number: int) -> DuelView:
    return DuelView(
        id=DUELS[number],
        stage=STAGE_OF[number],
        points=duel.points,
        situation=duel.situation.text,
        tie=duel.situation.tie,
        circle=_number(duel.contestants[0]),
        triangle=_number(duel.contestants[1]),
        votes=duel.votes if duel.winner >= 0 else None,
        audience=duel.audience if duel.winner >= 0 else None,
        counted=duel.counted,
        winner=_number(duel.winner),
        by_symbol=duel.by_symbol,
    )


def _seat(state: State, seat: Seat, place: int | None) -> SeatView:
    board = state.boards[seat]
    return SeatView(
        seat=seat,
        tiles=len(state.own_tiles(seat)),
        ready=state.ready[seat] == READY,
        absent=state.is_absent(seat),
        left=seat in state.left,
        spaces=board.spaces,
        bonus=board.bonus,
        prediction=_number(state.revealed[seat]) if state.revealed else None,
        rounds=board.rounds,
        score=state.score_of(seat),
        place=place,
    )


def _own(state: State, seat: Seat | None) -> OwnView:
    assert seat is not None
    marks = state.marks[seat]
    return OwnView(
        seat=seat,
        sheet=state.sheets[seat],
        sheets_only=state.strikes[seat] >= 2,
        tiles=tuple(_own_tile(state, tile, index) for tile, index in enumerate(state.own_tiles(seat), start=1)),
        unknown=tuple(index + 1 for index in marks.unknown),
        reported=tuple(index + 1 for index in marks.reported),
        notes=tuple(_number(index) for index in state.notes[seat]),
        champion=_number(state.champions[seat]),
        vote=state.votes[seat],
    )


def _own_tile(state: State, number: int, index: int) -> OwnTileView:
    tile = state.tiles[index]
    return OwnTileView(number, tile.name, tile.former, tile.asked, index + 1 if state.placed else None)


def _audience(state: State) -> AudienceView:
    options = state.options
    influence, quorum = ("equal", 1) if options.crowd else (options.audience, options.quorum)
    return AudienceView(influence, quorum, "" if state.stage == "count" else poll_key(state), options.crowd)


def _authors(state: State) -> tuple[AuthorView, ...]:
    written = [(1, tile) for tile in state.past] + [(state.round, tile) for tile in state.tiles]
    shown = sorted((round_, tile.name, tile.writer) for round_, tile in written if tile.name and not tile.masked)
    return tuple(AuthorView(round_, name, None if writer == NOBODY else writer) for round_, name, writer in shown)


def _number(index: int) -> int | None:
    return None if index < 0 else index + 1
