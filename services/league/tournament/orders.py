"""Which matches are to be made, ended, paused and rated after an event?"""

from __future__ import annotations

from collections.abc import Iterator

from services.league.kind import MatchOrder, RatedMatch, RatedSeat
from services.league.tournament import shelf, times
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Disqualified, Withdrawn
from services.league.tournament.events.life import Cancelled, OutageRecorded, Paused, Resumed
from services.league.tournament.events.results import Corrected, Extended, MatchOrdered, Overdue, RatingExcluded, Recorded, Ruled
from services.league.tournament.events.rounds import RoundPublished
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
from services.league.tournament.state import Game, Pairing, State

Stop = tuple[str, str]


def orders(state: State, event: Happened) -> tuple[MatchOrder, ...]:
    """LG-167 One for each match that the event names; what was taken over is over."""
    if state.drawn_as:
        return ()
    match event:
        case RoundPublished():
            return tuple(order(state, At(event.stage, event.round, one.table), one, 1) for one in event.pairings if one.match)
        case MatchOrdered():
            return (order(state, event.where, pairing_at(state, event.where), event.number),)
        case Corrected():
            places = [(At(event.correction.stage, number, pairing.table), pairing) for number, pairing in event.again]
            places += [(_where(event), event.pairing)] if event.pairing is not None else []
            return tuple(order(state, where, pairing, 1) for where, pairing in places if pairing.match)
        case _:
            return ()


def order(state: State, where: At, pairing: Pairing, number: int) -> MatchOrder:
    """LG-710, LG-964 Everything that the match service must know; the rules of absence are the tournament's."""
    stage, settings, playing = stage_of(state, where.stage), state.settings, state.settings.playing
    one = round_of(stage, where.round)
    run = sum(game.match != "" for game in pairing.games) + len(pairing.void_before) + 1
    return MatchOrder(
        pairing.match, f"{where}/{max(number, run)}", tuple(account_of(state, stage, seat) for seat in pairing.seated or pairing.numbers),
        settings.game, settings.game_version, playing.options, playing.clock, settings.visibility, settings.opponents, playing.leaver,
        playing.level, times.length(playing.no_show_after), playing.leave_after, times.length(playing.return_window),
        one.extended.get(where.table, one.deadline), settings.rated, f"{where.stage}/{where.round}" if playing.same_dice else "")


def stops(state: State, event: Happened) -> tuple[Stop, ...]:
    """LG-677, LG-179, LG-880, LG-885 What running matches are told."""
    if state.drawn_as:
        return ()
    match event:
        case Ruled() if event.stop:
            return ((event.stop, event.how),)
        case MatchOrdered() if event.stop:
            return ((event.stop, "void"),)
        case RoundPublished() | Corrected():
            return tuple((match, "void") for match in event.stop)
        case Overdue():
            return ((event.match, "late"),)
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
            match_id = pairing_at(state, event.where).match
            return ((match_id, f"deadline:{event.until}"),) if match_id else ()
        case Cancelled():
            return tuple((pairing.void_before[-1], "void") for pairing in _dropped(state, event.at))
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
            if pairing.match:
                yield At(stage.number, one.number, pairing.table), pairing.match


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


def ratings(state: State, event: Happened) -> tuple[RatedMatch, ...]:
    """LG-205, LG-848, LG-852, LG-853 What counts of a pairing's matches now; what counted before and does not any more is withdrawn."""
    if state.drawn_as:
        return ()
    match event:
        case Recorded():
            return tuple(_rated(state, event.where, [event.game]))
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
            seats = tuple(RatedSeat(one.account, seat.place, seat.how, one.kind == "bot")
                          for seat in game.seats for one in [entrant_of(state, stage, seat.number)])
            came = [seat for seat in game.seats if seat.how != "no_show"]
            counts = state.settings.rated and game.rated and game.match not in state.excluded and len(came) > 1
            yield RatedMatch(game.match, seats, rated=counts and pairing_at(state, where).state != "void")
