"""What becomes of a match at one board of two teams? Where no teams meet, of the pairing as everywhere."""

from __future__ import annotations

from msgspec.structs import replace

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.stages import table_of
from services.league.tournament import acts
from services.league.tournament.boards import board_at, board_game, board_of, lost
from services.league.tournament.deciding import results
from services.league.tournament.deciding.leaving import given_up, missed
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.results import Flagged, NotCounted, RecordRefused
from services.league.tournament.events.teams import BoardEnded, BoardOrdered, BoardStarted
from services.league.tournament.facts import meeting_of
from services.league.tournament.legal import not_own, reason
from services.league.tournament.looking import DONE, At, account_of, pairing_at, place_of_match, rules_of, stage_of
from services.league.tournament.state import Board, Game, Pairing, Place, State


def started(state: State, act: acts.MatchStarted, scene: Scene) -> Decided:
    """LG-164 Known once."""
    where = place_of_match(state, act.match)
    pairing = pairing_at(state, where) if where else None
    if where is None or pairing is None or not pairing.boards:
        return results.started(state, act, scene)
    board = board_of(pairing, act.match)
    new = board is not None and act.match in pairing.under_way and not board.running
    return Decided((BoardStarted(at=scene.at, pairing=str(where), board=board.board),) if board is not None and new else ())


def record(state: State, act: acts.RecordMatch, scene: Scene) -> Decided:
    """LG-201 to LG-205, LG-972 OP-24 The finish record of a board, once."""
    where = place_of_match(state, act.match)
    pairing = pairing_at(state, where) if where else None
    if where is None or pairing is None or not pairing.boards:
        return results.record(state, act, scene)
    board = board_of(pairing, act.match)
    if board is None or (board.game is None and act.match not in pairing.under_way):
        return Decided((NotCounted(at=scene.at, pairing=str(where), match=act.match),), {"refused": "not_counted"})
    places, flag = results.read_places(replace(pairing, seated=board.numbers), act)
    if board.game is not None:
        return again(where, board, places, act, scene)
    if act.ended != "finished":
        return ended_without(state, where, (pairing, board), act, scene)
    if places is None:
        return flagged(where, pairing, "bad_result", scene)
    game = Game(places, act.match, rated=act.rated and not flag)
    return Decided(ended(state, where, board, game, scene))


def ended(state: State, where: At, board: Board, game: Game, scene: Scene) -> tuple[Happened, ...]:
    """LG-682 A team is absent when it has missed the pairing, not for one missing member."""
    event = BoardEnded(at=scene.at, by=scene.actor.account, pairing=str(where), board=board.board, game=game)
    after = grown(state, [event])
    stage, pairing = stage_of(after, where.stage), pairing_at(after, where)
    if pairing.state not in DONE:
        return (event,)
    table = table_of(rules_of(state.settings, stage), meeting_of(pairing))
    whole = Game(tuple(Place(seat.number, seat.place, how=seat.how) for seat in table))
    return (event, *results.absences(after, where, whole, scene)) if any(True for _ in missed(after, stage, whole, scene)) else (event,)


def again(where: At, board: Board, places: tuple[Place, ...] | None, act: acts.RecordMatch, scene: Scene) -> Decided:
    """LG-203, LG-204 The same again changes nothing; another result is refused, and a match that was voided is a referee's affair."""
    assert board.game is not None
    if board.game.match != act.match:
        return Decided((NotCounted(at=scene.at, pairing=str(where), match=act.match),), {"refused": "not_counted"})
    if act.ended != "finished":
        return Decided((Flagged(at=scene.at, pairing=str(where), why=act.ended),))
    if places is not None and [(one.place, one.score, one.how) for one in places] == [(one.place, one.score, one.how) for one in board.game.seats]:
        return Decided()
    return Decided((RecordRefused(at=scene.at, pairing=str(where), match=act.match),), {"refused": "result_exists"})


def ended_without(state: State, where: At, at: tuple[Pairing, Board], act: acts.RecordMatch, scene: Scene) -> Decided:
    """LG-973, LG-680 Somebody has not come: the board is lost; anything else waits for a referee."""
    pairing, board = at
    gone = {board.numbers[one.seat] for one in act.seats if one.how == "no_show" and one.seat < len(board.numbers)}
    game = lost(board, gone) if gone else None
    if game is None:
        return flagged(where, pairing, act.ended, scene)
    return Decided(ended(state, where, board, game, scene))


def flagged(where: At, pairing: Pairing, why: str, scene: Scene) -> Decided:
    event = Flagged(at=scene.at, pairing=str(where), why=why)
    return Decided(() if pairing.flag == why else (event,), {"refused": why} if why == "bad_result" else None)


def result(state: State, act: acts.Result, scene: Scene) -> Decided:
    """OP-26, LG-972 A referee's word on one board, or on the whole pairing."""
    if not act.board:
        return results.result(state, act, scene)
    where, stage, pairing = results.asked_pairing(state, act.pairing)
    not_own(state, stage, pairing, scene)
    board = open_board(pairing, act.board)
    game = board_game(board, act.places, act.scores)
    return Decided((BoardEnded(at=scene.at, by=scene.actor.account, pairing=str(where), board=board.board, game=game, stop=board.match),))


def open_board(pairing: Pairing, number: int) -> Board:
    board = board_at(pairing, number)
    if pairing.state in DONE or board.game is not None:
        raise Refused("wrong_state", "the board is decided; a correction changes it", [number])
    return board


def forfeit(state: State, act: acts.Forfeit, scene: Scene) -> Decided:
    """OP-27, LG-973 One board by the members named, or what is left of the pairing by their captains."""
    where, stage, pairing = results.asked_pairing(state, act.pairing)
    if not pairing.boards or pairing.state in DONE:
        return results.forfeited(state, act, scene)
    not_own(state, stage, pairing, scene)
    if not act.board:
        out = results.members(state, stage, pairing, act.accounts)
        return Decided(tuple(given_up(where, pairing, out, scene)))
    board = open_board(pairing, act.board)
    gone = {number for number, account in zip(board.numbers, board.accounts, strict=True) if account in act.accounts}
    game = lost(board, gone, "left" if board.running and len(gone) == 1 else "no_show")
    if game is None or not set(act.accounts) <= set(board.accounts):
        raise Refused("bad_result", "they do not sit there", list(act.accounts))
    return Decided((BoardEnded(at=scene.at, by=scene.actor.account, pairing=str(where), board=board.board, game=game, stop=board.match),))


def replay(state: State, act: acts.Replay, scene: Scene) -> Decided:
    """OP-28, LG-680 One board once more, as long as nothing rests on the pairing."""
    where, stage, pairing = results.asked_pairing(state, act.pairing)
    if not pairing.boards:
        return results.replay(state, act, scene)
    said = reason(act.reason)
    not_own(state, stage, pairing, scene)
    if not act.board:
        raise Refused("bad_setting", "a board is named that is to be played again", [account_of(state, stage, number) for number in pairing.numbers])
    board = board_at(pairing, act.board)
    later = stage.rounds[where.round:]
    if pairing.state in DONE and (later or stage.state == "finished"):
        raise Refused("depends_on_played", "later rounds rest on it; a correction tells what would change", [one.number for one in later])
    if not all(board.accounts):
        raise Refused("wrong_state", "nobody sat there", [act.board])
    stop = board.match if board.match in pairing.under_way else ""
    return Decided((BoardOrdered(at=scene.at, by=scene.actor.account, pairing=str(where), board=board.board, match=scene.fresh("m"), stop=stop, reason=said),))
