"""What is asked for, as facts: a pairing or a bye as it was and as it would be?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from services.league.kind import Scene
from services.league.refusals import Refused
from services.league.stages.facts import Consequences
from services.league.tournament import acts
from services.league.tournament.boards import board_at, board_game, lost, with_board
from services.league.tournament.deciding.leaving import forfeited
from services.league.tournament.deciding.results import asked_pairing, game_by, members
from services.league.tournament.deciding.rounds import worth
from services.league.tournament.facts import facts, format_of, meeting_of
from services.league.tournament.legal import not_own, not_own_entrant, not_replaced
from services.league.tournament.looking import DONE, At, number_in, pairing_at, read_at, round_of, stage_of
from services.league.tournament.state import HAND, Correction, GivenBye, Pairing, Stage, State


class Wish(NamedTuple):
    """A correction as it is asked for, and what it would mean."""

    where: At
    change: acts.Change
    before: Pairing | GivenBye
    after: Pairing | GivenBye
    effects: Consequences = Consequences()
    record_only: bool = False
    void_later: bool = False
    undo_of: str = ""
    why: str = ""


def wished(state: State, change: acts.Change, scene: Scene) -> Wish:
    """LG-911 What is asked for, as facts."""
    if change.bye_of:
        return wished_bye(state, change, scene)
    where, stage, before = asked_pairing(state, change.pairing)
    not_own(state, stage, before, scene)
    if change.pair_again:
        return effects_of(state, Wish(where, change, before, before))
    if change.board:
        return effects_of(state, Wish(where, change, before, board_corrected(before, change, scene)))
    if before.state not in DONE:
        raise Refused("wrong_state", "an undecided pairing is decided, not corrected", [before.state])
    return effects_of(state, Wish(where, change, before, corrected(state, stage, before, change, scene)))


def corrected(state: State, stage: Stage, before: Pairing, change: acts.Change, scene: Scene) -> Pairing:
    """LG-911 The pairing as it would be."""
    old = tuple(filter(None, (game.match for game in before.games)))
    blank = replace(before, corrected=True, decided_at=before.decided_at or scene.at, flag="", match="", reason="")
    if change.replay and before.boards:
        raise Refused("bad_setting", "a board is named that is to be played again", ["board"])
    if change.replay:
        return replace(blank, state="ready", kind="", games=(), match=scene.fresh("m"), since=scene.at, decided_at=0, seated=(),
                       void_before=(*before.void_before, *old))
    if change.void:
        return replace(blank, state="void", kind="", games=(), void_before=(*before.void_before, *old))
    if change.forfeit:
        game = forfeited(before.numbers, members(state, stage, before, change.forfeit))
        return replace(blank, state="confirmed", kind=game.kind, games=(replace(game, at=scene.at),), void_before=(*before.void_before, *old))
    if not change.places:
        raise Refused("malformed", "a correction says what is to be", ["correction"])
    game = game_by(state, stage, before, change.places, change.scores)
    if len(before.games) == 1 and old:
        game = _like(before.games[0].seats, replace(game, match=old[0], kind="", rated=before.games[0].rated))
    return replace(blank, state="confirmed", kind="" if game.match else HAND, games=(replace(game, at=scene.at),),
                   void_before=before.void_before if game.match else (*before.void_before, *old))


def board_corrected(before: Pairing, change: acts.Change, scene: Scene) -> Pairing:
    """LG-911, LG-972 One board as it would be, and the pairing that the boards then come to."""
    known = board_at(before, change.board)
    if before.state not in DONE or known.game is None:
        raise Refused("wrong_state", "an undecided board is decided, not corrected", [before.state])
    gone = tuple(filter(None, [known.match]))
    if change.replay:
        board = replace(known, match=scene.fresh("m"), game=None, running=False, again=known.again + 1)
    elif change.forfeit:
        gone_from = {number for number, account in zip(known.numbers, known.accounts, strict=True) if account in change.forfeit}
        board = replace(known, match="", game=lost(known, gone_from) or known.game)
    else:
        game = board_game(known, change.places, change.scores)
        kept = known.game.match
        board = replace(known, game=replace(game, match=kept, kind="" if kept else HAND, rated=known.game.rated if kept else False))
        gone = () if kept else gone
    after = with_board(replace(before, corrected=True, flag="", void_before=(*before.void_before, *gone)), board, before.decided_at or scene.at)
    return replace(after, corrected=True)


def _like(seats: Sequence[Any], game: Any) -> Any:
    """The corrected places in the order in which they sat; scores stay where none are given."""
    told = {seat.number: seat for seat in game.seats}
    return replace(game, seats=tuple(replace(told[seat.number], score=told[seat.number].score or seat.score) for seat in seats))


def wished_bye(state: State, change: acts.Change, scene: Scene) -> Wish:
    """LG-656, LG-911 The kind of a bye and its points; only kinds of byes can be set."""
    where = read_at(change.pairing)
    stage = stage_of(state, where.stage)
    number = number_in(stage, state, change.bye_of) or 0
    before = bye_now(state, where, number)
    not_own_entrant(state, stage, number, scene)
    if change.bye not in {"allocated", "half", "zero", "absent", "full", "given_half"} or change.places:
        raise Refused("is_bye", "only kinds of byes can be set", [change.bye])
    points = change.points or str(worth(facts(state, stage, scene.seed), change.bye))
    try:
        fine = 0 <= Fraction(points) <= 1_000
    except (ValueError, ZeroDivisionError):
        fine = False
    if not fine:
        raise Refused("bad_result", "points are a number or a fraction", [points])
    return Wish(where, change, before, replace(before, kind=change.bye, points=str(Fraction(points))))


def bye_now(state: State, where: At, number: int) -> GivenBye:
    one = round_of(stage_of(state, where.stage), where.round)
    found = next((bye for bye in one.byes if bye.number == number), None)
    if found is None:
        raise Refused("not_found", "there is no such bye", [str(where)])
    return found


def undoing(state: State, known: Correction) -> Wish:
    """LG-921 Back to the former fact, or to the round in whose place another one was paired."""
    where = read_at(known.pairing)
    former = known.effects["former"]
    if known.effects["asked"]["change"].get("pair_again"):
        rounds = stage_of(state, where.stage).rounds
        if known.id not in rounds[-1].formers:
            raise Refused("depends_on_played", "a later round rests on it", [rounds[-1].number])
        before = pairing_at(state, where)
        return effects_of(state, Wish(where, acts.Change(known.pairing, pair_again=True), before, before, undo_of=known.id))
    if "kind" in former and "table" not in former:
        bye = msgspec.convert(former, GivenBye)
        return Wish(where, acts.Change(known.pairing), bye_now(state, where, bye.number), bye, undo_of=known.id)
    before = pairing_at(state, where)
    after = msgspec.convert(former, Pairing)
    if set(before.numbers) != set(after.numbers):
        raise Refused("depends_on_played", "the round was paired again since", [where.round])
    counting = {game.match for game in after.games}
    ordered = (*before.void_before, *before.under_way, *(game.match for game in before.games if game.match))
    after = replace(after, corrected=True, match="", void_before=tuple(match for match in dict.fromkeys(ordered) if match not in counting), boards=tuple(
        replace(board, again=max(board.again, now.again)) for board, now in zip(after.boards, before.boards, strict=True)))
    return effects_of(state, Wish(where, acts.Change(known.pairing), before, after, undo_of=known.id))


def effects_of(state: State, wish: Wish) -> Wish:
    """LG-915 to LG-918 What the format says to it."""
    stage = stage_of(state, wish.where.stage)
    assert isinstance(wish.before, Pairing)
    assert isinstance(wish.after, Pairing)
    not_replaced(state, stage, wish.before)
    found = facts(state, stage, b"\0" * 32)
    return wish._replace(effects=format_of(state, stage).consequences(found, (wish.where.round, wish.where.table), meeting_of(wish.after)))
