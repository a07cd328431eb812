"""What does each seat see, as a page draws it and as lines of text?

The view as JSON, for a page: `contestants` by place (index 0 and 1 stand at the first quarter-final, and so on; a contestant
keeps its number, 1 to 8, for the whole round), `duels` from the first quarter-final to the final, each with the numbers of
the contestants in its circle and triangle place (null: still free), `seats` with everything public, `own` with what only the
reader may know (null for onlookers), `audience` where there is one. Votes are "circle", "triangle" or "" (abstained).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from services.champions.state import (
    DUELS,
    FEEDS,
    NOBODY,
    READY,
    STAGE_OF,
    SYMBOLS,
    TILES,
    Duel,
    State,
)
from shared.kernel.choices import Label
from shared.kernel.content import Words
from shared.kernel.game import Seat

Say = Callable[..., str]
NameOf = Callable[[int | None], str]


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
    tiles: int  # CH-121: how many it writes in this round
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
    """CH-405 What only the reader sees; of the check nothing is kept, not even for those who marked (CH-163)."""

    seat: Seat
    sheet: str
    removed: int  # CH-449: names of the reader's that went after a report
    sheets_only: bool  # CH-449
    tiles: tuple[OwnTileView, ...]
    notes: tuple[int | None, ...]  # per duel
    champion: int | None
    vote: str


class AudienceView(Struct, frozen=True):
    """CH-501 What everybody sees of the audience."""

    influence: str
    quorum: int
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
    history: tuple[tuple[DuelView, ...], ...]  # the duels of round 1, once it is over
    seats: tuple[SeatView, ...]
    own: OwnView | None
    audience: AudienceView | None
    champion: int | None
    used: tuple[str, ...]  # CH-342: the names of round 1, which may not come back
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
        history=tuple(tuple(_duel(duel, number) for number, duel in enumerate(duels)) for duels in state.history),
        seats=tuple(_seat(state, other, places.get(other)) for other in state.seats()),
        own=_own(state, seat) if seat in state.seats() else None,
        audience=_audience(state) if state.options.has_audience() else None,
        champion=_number(state.duels[-1].winner) if state.duels else None,
        used=tuple(sorted(tile.name for tile in state.past if not tile.masked)),
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
        tiles=state.shares[seat],
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
    return OwnView(
        seat=seat,
        sheet=state.sheets[seat],
        removed=state.strikes[seat],
        sheets_only=state.strikes[seat] >= 2,
        tiles=tuple(_own_tile(state, tile, index) for tile, index in enumerate(state.own_tiles(seat), start=1)),
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
    return AudienceView(influence, quorum, options.crowd)


def _authors(state: State) -> tuple[AuthorView, ...]:
    """CH-131 Of the names that everybody has seen; one from a sheet or a nomination was written by nobody at the table."""
    now = [(state.round, tile) for tile in state.tiles if state.placed and not tile.fresh]
    written = [(round_, tile) for round_, tile in [*((1, tile) for tile in state.past), *now] if tile.name and not tile.masked]
    shown = sorted((round_, tile.name, NOBODY if tile.filled else tile.writer) for round_, tile in written)
    return tuple(AuthorView(round_, name, None if writer == NOBODY else writer) for round_, name, writer in shown)


def _number(index: int) -> int | None:
    return None if index < 0 else index + 1


def text(view: View, words: Words) -> str:
    """PL-359 The view in lines, complete enough to play by."""

    def say(key: str, **facts: object) -> str:
        return words.say(Label(key, **facts), "pages")

    def name(number: int | None) -> str:
        return view.contestants[number - 1].name or say("replaced") if number else say("free")

    lines = [say("head", round=view.round, rounds=view.rounds, stage=view.stage)]
    lines.append(say("policy", policy=view.policy, used=view.used or say("nothing")))
    if view.audience:
        lines.append(say("audience", **_facts(view.audience, "influence", "quorum")))
    lines += [say("contestant", number=c.number, name=name(c.number), duel=c.duel, symbol=c.symbol) for c in view.contestants]
    for duel in view.duels:
        lines += _duel_lines(duel, say, name)
    lines += [_seat_line(view, seat, say, name) for seat in view.seats]
    if view.champion and view.stage in {"reveal", "over"}:
        lines.append(say("champion", name=name(view.champion)))
    if view.unfinished:
        lines.append(say("unfinished"))
    lines += [say("place", seat=seat.seat, place=seat.place) for seat in view.seats if seat.place]
    if view.own:
        lines += _own_lines(view.own, say, name)
    for author in view.authors:
        who = say("nobody") if author.seat is None else say("author_seat", seat=author.seat)
        lines.append(say("author", who=who, **_facts(author, "name", "round")))
    return "\n".join(lines)


def _facts(thing: Struct, *names: str) -> dict[str, object]:
    return {name: getattr(thing, name) for name in names}


def _duel_lines(duel: DuelView, say: Say, name: NameOf) -> list[str]:
    circle, triangle = name(duel.circle), name(duel.triangle)
    lines = [say("duel", circle=circle, triangle=triangle, **_facts(duel, "id", "points", "situation", "tie"))]
    if duel.counted and duel.votes is not None:
        votes = [say("vote", seat=seat, symbol=symbol or say("nothing")) for seat, symbol in enumerate(duel.votes)]
        score = {"circle": duel.counted[0], "triangle": duel.counted[1]}
        key = "won_by_symbol" if duel.by_symbol else "won"
        lines.append(say(key, name=name(duel.winner), votes=votes or say("nothing"), **score))
        if duel.audience:
            lines.append(say("duel_audience", circle=duel.audience[0], triangle=duel.audience[1]))
    return lines


def _seat_line(view: View, seat: SeatView, say: Say, name: NameOf) -> str:
    status = "left" if seat.left else "absent" if seat.absent else "ready" if seat.ready else "waiting"
    spaces = [duel.id for duel, space in zip(view.duels, seat.spaces, strict=True) if space == "circled"]
    return say(
        "seat",
        status=Label(f"status_{status}"),
        spaces=spaces or say("nothing"),
        prediction=name(seat.prediction) if seat.prediction else say("nothing"),
        **_facts(seat, "seat", "tiles", "score", "bonus"),
    )


def _own_lines(own: OwnView, say: Say, name: NameOf) -> list[str]:
    lines = [say("own_sheet", sheet=own.sheet)]
    if own.removed:
        lines.append(say("own_sheets_only" if own.sheets_only else "own_removed", removed=own.removed))
    for tile in own.tiles:
        lines.append(say("own_tile", tile=tile.tile, name=tile.name or say("blank")))
        if tile.former:
            lines.append(say("own_former", name=tile.former))
    lines += [say("own_note", duel=DUELS[duel], name=name(note)) for duel, note in enumerate(own.notes) if note]
    if own.champion:
        lines.append(say("own_champion", name=name(own.champion)))
    return [*lines, say("own_vote", symbol=own.vote)] if own.vote else lines
