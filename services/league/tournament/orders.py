"""Which matches are to be made, ended, paused and rated after an event?"""

from __future__ import annotations

from collections.abc import Iterator

from services.league.kind import MatchOrder, RatedMatch, RatedSeat
from services.league.tournament import shelf, times
from services.league.tournament.boards import board_at, board_of
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Disqualified, Withdrawn
from services.league.tournament.events.life import Cancelled, OutageRecorded, Paused, Resumed
from services.league.tournament.events.results import Corrected, Extended, MatchOrdered, Overdue, RatingExcluded, Recorded, Ruled
from services.league.tournament.events.rounds import RoundPublished
from services.league.tournament.events.teams import BoardEnded, BoardOrdered
from services.league.tournament.looking import (
    At,
    account_of,
    entrant_of,
    number_in,
    open_places,
    pairing_at,
    place_of_match,
    read_at,
    round_of,
    stage_of,
)
from services.league.tournament.state import Board, Game, Pairing, Stage, State

Stop = tuple[str, str]


def orders(state: State, event: Happened) -> tuple[MatchOrder, ...]:
    """LG-167 One for each match that the event names; what was taken over is over."""
    if state.drawn_as:
        return ()
    match event:
        case RoundPublished():
            return tuple(made for one in event.pairings for made in of_pairing(state, At(event.stage, event.round, one.table), one))
        case BoardOrdered():
            pairing = pairing_at(state, event.where)
            return (of_board(state, event.where, pairing, board_at(pairing, event.board)),)
        case MatchOrdered():
            return (order(state, event.where, pairing_at(state, event.where), event.number),)
        case Corrected():
            places = [(At(event.correction.stage, number, pairing.table), pairing) for number, pairing in event.again]
            places += [(_where(event), event.pairing)] if event.pairing is not None else []
            return tuple(made for where, pairing in places for made in of_pairing(state, where, pairing))
        case _:
            return ()


def of_pairing(state: State, where: At, pairing: Pairing) -> Iterator[MatchOrder]:
    """Its first match, or one for each board that is still to be played (LG-972)."""
    if pairing.match:
        yield order(state, where, pairing, 1)
    yield from (of_board(state, where, pairing, board) for board in pairing.boards if board.match in pairing.under_way)


def of_board(state: State, where: At, pairing: Pairing, board: Board) -> MatchOrder:
    """LG-972 Its own number among those of the pairing, and another one when it is played again."""
    return _order(state, where, (board.match, board.board + board.again * len(pairing.boards)), board.accounts)


def order(state: State, where: At, pairing: Pairing, number: int) -> MatchOrder:
    """LG-297 The next match of a pairing."""
    run = sum(game.match != "" for game in pairing.games) + len(pairing.void_before) + 1
    stage = stage_of(state, where.stage)
    return _order(state, where, (pairing.match, max(number, run)), tuple(account_of(state, stage, seat) for seat in pairing.seated or pairing.numbers))


def _order(state: State, where: At, match: tuple[str, int], accounts: tuple[str, ...]) -> MatchOrder:
    """LG-710, LG-964 Everything that the match service must know; the rules of absence are the tournament's."""
    stage, settings, playing = stage_of(state, where.stage), state.settings, state.settings.playing
    one = round_of(stage, where.round)
    return MatchOrder(
        match[0], f"{where}/{match[1]}", accounts,
        settings.game, settings.game_version, playing.options, playing.clock, settings.visibility, settings.opponents, playing.leaver,
        playing.level, times.length(playing.no_show_after), playing.leave_after, times.length(playing.return_window),
        one.extended.get(where.table, one.deadline), settings.rated, f"{where.stage}/{where.round}" if playing.same_dice else "",
        times.length(settings.schedule.spectator_delay), playing.talk)


def stops(state: State, event: Happened) -> tuple[Stop, ...]:
    """LG-677, LG-179, LG-880, LG-885 What running matches are told."""
    if state.drawn_as:
        return ()
    match event:
        case Ruled():
            boards = (board.match for board in pairing_at(state, event.where).boards if board.match and board.game is None)
            return (*([(event.stop, event.how)] if event.stop else []), *((match, "void") for match in boards))
        case BoardEnded() if event.stop:
            return ((event.stop, event.how),)
        case BoardOrdered() if event.stop:
            return ((event.stop, "void"),)
        case MatchOrdered() if event.stop:
            return ((event.stop, "void"),)
        case RoundPublished() | Corrected():
            return tuple((match, "void") for match in event.stop)
        case Overdue():
            return tuple((match, "late") for match in pairing_at(state, event.where).under_way)
        case Withdrawn() | Disqualified():
            return tuple(_left(state, event.account, barred=isinstance(event, Disqualified)))
        case _:
            return _of_all(state, event)


def _of_all(state: State, event: Happened) -> tuple[Stop, ...]:
    """What concerns every match that runs."""
    match event:
        case Paused(with_clocks=True):
            return tuple((match, "pause") for _, match in running_matches(state))
        case Resumed() | OutageRecorded():
            return tuple(_moved(state, resumed=isinstance(event, Resumed)))
        case Extended():
            return tuple((match, f"deadline:{event.until}") for match in pairing_at(state, event.where).under_way)
        case Cancelled():
            return tuple((match, "void") for pairing in _dropped(state, event.at) for match in _unplayed(pairing))
        case _:
            return ()


def _left(state: State, account: str, *, barred: bool) -> Iterator[Stop]:
    """LG-231 The leaver rules apply in what still runs; what was decided at once has its own event."""
    for stage in state.stages:
        number = number_in(stage, state, account)
        for _, pairing in open_places(stage) if number is not None and stage.state == "running" else ():
            plays_on = len(pairing.numbers) > 2 or (pairing.state == "running" and not barred)
            if number in pairing.numbers and pairing.match and plays_on:
                yield pairing.match, f"forfeit:{account}"


def running_matches(state: State) -> Iterator[tuple[At, str]]:
    for stage in state.stages:
        for one, pairing in open_places(stage):
            yield from ((At(stage.number, one.number, pairing.table), match) for match in pairing.under_way)


def _moved(state: State, *, resumed: bool) -> Iterator[Stop]:
    for where, match in running_matches(state):
        if resumed:
            yield match, "resume"
        one = round_of(stage_of(state, where.stage), where.round)
        until = one.extended.get(where.table, one.deadline)
        if until is not None:
            yield match, f"deadline:{until}"


def _dropped(state: State, at: int) -> Iterator[Pairing]:
    for stage in state.stages:
        for one in stage.rounds:
            yield from (pairing for pairing in shelf.every(one.pairings)
                        if pairing.state == "void" and pairing.decided_at == at and pairing.void_before)


def _unplayed(pairing: Pairing) -> tuple[str, ...]:
    """Which of its matches went with a pairing that was dropped."""
    return tuple(board.match for board in pairing.boards if board.match and board.game is None) if pairing.boards else pairing.void_before[-1:]


def ratings(state: State, event: Happened) -> tuple[RatedMatch, ...]:
    """LG-205, LG-848, LG-852, LG-853 What counts of a pairing's matches now; what counted before and does not any more is withdrawn."""
    if state.drawn_as:
        return ()
    match event:
        case Recorded():
            return tuple(_rated(state, event.where, [event.game]))
        case BoardEnded():
            stopped = (RatedMatch(match, (), rated=False) for match in filter(None, [event.stop]))
            return (*_rated(state, event.where, [event.game]), *stopped)
        case BoardOrdered():
            return tuple(RatedMatch(match, (), rated=False) for match in pairing_at(state, event.where).void_before)
        case Ruled():
            pairing = pairing_at(state, event.where)
            return (*_rated(state, event.where, pairing.games), *(RatedMatch(gone, (), rated=False) for gone in pairing.void_before))
        case Corrected() if event.pairing is not None:
            where = _where(event)
            pairing = pairing_at(state, where)
            gone = [*pairing.void_before, *event.stop]
            return (*_rated(state, where, pairing.games), *(RatedMatch(match, (), rated=False) for match in gone))
        case MatchOrdered(why="replay"):
            return tuple(RatedMatch(match, (), rated=False) for match in pairing_at(state, event.where).void_before)
        case RatingExcluded():
            found = place_of_match(state, event.match)
            return tuple(_rated(state, found, pairing_at(state, found).games)) if found else ()
        case _:
            return ()


def _where(event: Corrected) -> At:
    return read_at(event.correction.pairing)


def _rated(state: State, where: At, games: tuple[Game, ...] | list[Game]) -> Iterator[RatedMatch]:
    stage = stage_of(state, where.stage)
    for game in games:
        if game.match:
            seats = tuple(seated(state, stage, pairing_at(state, where), game))
            came = [seat for seat in game.seats if seat.how != "no_show"]
            counts = state.settings.rated and game.rated and game.match not in state.excluded and len(came) > 1
            yield RatedMatch(game.match, seats, rated=counts and pairing_at(state, where).state != "void")


def seated(state: State, stage: Stage, pairing: Pairing, game: Game) -> Iterator[RatedSeat]:
    """LG-975 Who sat there: entrants, or at a board of teams the members."""
    board = board_of(pairing, game.match)
    for at, seat in enumerate(game.seats):
        one = entrant_of(state, stage, seat.number)
        who = next((member for member in (*one.members, *one.reserves) if member.account == board.accounts[at]), one) if board else one
        yield RatedSeat(who.account, seat.place, seat.how, who.kind == "bot")
