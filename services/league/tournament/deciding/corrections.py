"""What may a referee change of what has happened, and what follows from it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.stages.facts import Consequences, Drafted
from services.league.tournament import acts, shelf
from services.league.tournament.boards import board_at, board_game, lost, with_board
from services.league.tournament.deciding import stages
from services.league.tournament.deciding.leaving import forfeited
from services.league.tournament.deciding.results import asked_pairing, game_by, members
from services.league.tournament.deciding.rounds import worth
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.results import Corrected, Proposed, Settled
from services.league.tournament.events.rounds import Reopened, RoundPublished, StageFinished, WinnersNamed, lines_of
from services.league.tournament.facts import facts, format_of, meeting_of
from services.league.tournament.legal import not_own, not_own_entrant, reason
from services.league.tournament.looking import DONE, At, account_of, number_in, pairing_at, read_at, round_of, stage_of
from services.league.tournament.ranks import winners_of
from services.league.tournament.state import (
    FINISHED,
    HAND,
    PLANNED,
    Correction,
    FrozenLine,
    GivenBye,
    Pairing,
    Round,
    Stage,
    State,
)

LEAST_REASON = 10                               # LG-913


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


def correct(state: State, act: acts.Correct, scene: Scene) -> Decided:
    """LG-913, LG-914 OP-31."""
    said = reason(act.reason, LEAST_REASON)
    wish = wished(state, act.correction, scene)._replace(record_only=act.record_only, void_later=act.void_later, why=said)
    return Decided(proposed(state, wish, scene))


def proposed(state: State, wish: Wish, scene: Scene) -> tuple[Happened, ...]:
    """LG-914 At once, or when another referee has agreed."""
    found = allowed(state, wish)
    events = applied(state, found, scene)
    if state.settings.confirmations == 1:
        return events
    first = next(event for event in events if isinstance(event, Corrected))
    return (Proposed(at=scene.at, by=scene.actor.account, correction=replace(first.correction, state="waiting")),)


def confirm(state: State, act: acts.Confirm, scene: Scene) -> Decided:
    """LG-914, LG-923 OP-32 Of the fact that it was proposed for, and of no other."""
    known = correction_of(state, act.correction_id)
    if known.state != "waiting":
        raise Refused("already_decided", "it is decided", [known.state])
    if known.by == scene.actor.account:
        raise Refused("same_person", "another referee confirms", [known.by])
    not_own_place(state, known, scene)
    if not act.yes:
        return Decided((Settled(at=scene.at, by=scene.actor.account, correction_id=known.id, outcome="rejected"),))
    asked = known.effects["asked"]
    if known.undo_of:
        wish = undoing(state, still_applied(state, known.undo_of))
    else:
        wish = wished(state, msgspec.convert(asked["change"], acts.Change), scene)
    if msgspec.convert(known.effects["former"], type(wish.before)) != wish.before:
        raise Refused("version_conflict", "it has been corrected since", [state.version])
    wish = wish._replace(record_only=asked["record_only"], void_later=asked["void_later"], why=known.reason)
    events = applied(state, allowed(state, wish), scene)
    return Decided(tuple(_confirmed(event, known, scene) for event in events))


def _confirmed(event: Happened, known: Correction, scene: Scene) -> Happened:
    if not isinstance(event, Corrected):
        return event
    return replace(event, correction=replace(event.correction, id=known.id, by=known.by, second_by=scene.actor.account))


def undo(state: State, act: acts.Undo, scene: Scene) -> Decided:
    """LG-921 OP-33 Back to the former fact, with the same checks."""
    said = reason(act.reason, LEAST_REASON)
    known = still_applied(state, act.correction_id)
    not_own_place(state, known, scene)
    wish = undoing(state, known)._replace(record_only=act.record_only, void_later=act.void_later, why=said)
    return Decided(proposed(state, wish, scene))


def still_applied(state: State, name: str) -> Correction:
    known = correction_of(state, name)
    if known.state != "applied":
        raise Refused("already_decided", "it does not hold any more", [known.state])
    return known


def undoing(state: State, known: Correction) -> Wish:
    """LG-921; a round that was paired again has no former matches to go back to."""
    where = read_at(known.pairing)
    if known.effects["asked"]["change"].get("pair_again"):
        raise Refused("depends_on_played", "the former round is gone; it can be paired again", [where.round])
    former = known.effects["former"]
    if "kind" in former and "table" not in former:
        bye = msgspec.convert(former, GivenBye)
        return Wish(where, acts.Change(known.pairing), bye_now(state, where, bye.number), bye, undo_of=known.id)
    before = pairing_at(state, where)
    after = msgspec.convert(former, Pairing)
    counting = {game.match for game in after.games}
    ordered = (*before.void_before, *before.under_way, *(game.match for game in before.games if game.match))
    after = replace(after, corrected=True, match="", void_before=tuple(match for match in dict.fromkeys(ordered) if match not in counting), boards=tuple(
        replace(board, again=max(board.again, now.again)) for board, now in zip(after.boards, before.boards, strict=True)))
    return effects_of(state, Wish(where, acts.Change(known.pairing), before, after, undo_of=known.id))


def correction_of(state: State, name: str) -> Correction:
    found = next((one for one in state.corrections if one.id == name), None)
    if found is None:
        raise Refused("not_found", "there is no such correction", [name])
    return found


def preview(state: State, act: acts.Preview, scene: Scene) -> Decided:
    """LG-912 OP-30 Nothing changes; everything that would is named."""
    wish = wished(state, act.correction, scene)
    stage = stage_of(state, wish.where.stage)
    blocked = [f"{stage.number}/{one}/{table}" for one, table in wish.effects.blocked]
    events = applied(state, wish._replace(void_later=True, record_only=later_started(state, stage)), scene)
    after = grown(state, events)
    return Decided((), {
        "version": state.version, "standing": compared(state, after, stage, scene.seed), "void": [f"{stage.number}/{one}/{table}" for one, table in wish.effects.void],
        "again": [_again_words(state, stage, number, draft.numbers) for number, draft in wish.effects.again], "blocked": blocked,
        "pair_again": wish.effects.pair_again, "stops": [match for event in events if isinstance(event, Corrected) for match in event.stop],
        "ratings": rated(state, stage, wish), "later": [one.number for one in state.stages[stage.number:] if one.state != PLANNED],
        "words": list(wish.effects.words)})


def _again_words(state: State, stage: Stage, number: int, numbers: Sequence[int]) -> str:
    return f"round {number}: {', '.join(account_of(state, stage, one) for one in numbers)}"


def compared(state: State, after: State, stage: Stage, seed: bytes) -> list[dict[str, Any]]:
    """LG-912 The lines of the standing that change."""
    old = {line.number: line for line in stages.standing(state, stage, seed)}
    new = {line.number: line for line in stages.standing(after, stage_of(after, stage.number), seed)}
    return [{"account": account_of(state, stage, number), "before": _brief(old.get(number)), "after": _brief(new.get(number))}
            for number in sorted(old.keys() | new.keys()) if _brief(old.get(number)) != _brief(new.get(number))]


def _brief(line: FrozenLine | None) -> dict[str, Any] | None:
    return None if line is None else {"rank": line.rank, "points": line.points}


def rated(state: State, stage: Stage, wish: Wish) -> list[str]:
    """LG-852 Whose ratings are computed again."""
    before = wish.before
    if not isinstance(before, Pairing) or not any(game.rated and game.match for game in before.games):
        return []
    sitting = [account for board in before.boards for account in board.accounts if account]
    return sitting or [account_of(state, stage, number) for number in before.numbers]


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


def effects_of(state: State, wish: Wish) -> Wish:
    """LG-915 to LG-918 What the format says to it."""
    stage = stage_of(state, wish.where.stage)
    assert isinstance(wish.after, Pairing)
    found = facts(state, stage, b"\0" * 32)
    return wish._replace(effects=format_of(state, stage).consequences(found, (wish.where.round, wish.where.table), meeting_of(wish.after)))


def allowed(state: State, wish: Wish) -> Wish:
    """LG-916, LG-918, LG-919 Nothing that has begun is touched unless a referee says so."""
    stage = stage_of(state, wish.where.stage)
    wish = wish._replace(record_only=wish.record_only and stage.state == FINISHED)      # a stage that runs is never changed on paper only
    if later_started(state, stage) and not wish.record_only:
        raise Refused("depends_on_played", "a later stage has started", [one.number for one in state.stages[stage.number:] if one.state != PLANNED])
    if wish.effects.blocked and not (wish.void_later or wish.record_only):
        raise Refused("depends_on_played", "later pairings rest on it", [f"{stage.number}/{one}/{table}" for one, table in wish.effects.blocked])
    if wish.change.pair_again and wish.effects.pair_again is None:
        raise Refused("depends_on_played", "the next round has begun, or is not there", [len(stage.rounds)])
    return wish


def later_started(state: State, stage: Stage) -> bool:
    return stage.state == FINISHED and any(one.state != PLANNED for one in state.stages[stage.number:])


def applied(state: State, wish: Wish, scene: Scene) -> tuple[Happened, ...]:
    """LG-917 to LG-922 The correction, what it makes void and new, and the standings that follow."""
    stage = stage_of(state, wish.where.stage)
    if wish.change.pair_again and wish.effects.pair_again is not None:
        return paired_again(state, stage, wish, scene)
    event = as_event(state, stage, wish, scene)
    reopened = stage.state == FINISHED and not wish.record_only and bool(event.again or (event.pairing and event.pairing.state not in DONE))
    events: list[Happened] = [*([Reopened(at=scene.at, stage=stage.number)] if reopened else []), event]
    after = grown(state, events)
    if stage.state == FINISHED and not reopened:
        events += refrozen(after, stage_of(after, stage.number), scene)
    return tuple(events)


def as_event(state: State, stage: Stage, wish: Wish, scene: Scene) -> Corrected:
    touched = () if wish.record_only else (*wish.effects.void, *(wish.effects.blocked if wish.void_later else ()))
    void = tuple(str(At(stage.number, one, table)) for one, table in touched)
    again = () if wish.record_only else tuple(_new_pairings(state, stage, wish, scene))
    ended = wish.before.under_way if isinstance(wish.before, Pairing) else ()      # a replay that is taken back
    stop = (*ended, *(match for place in void for match in pairing_at(state, read_at(place)).under_way))
    known = Correction(
        scene.fresh("x"), stage.number, str(wish.where), told(state, stage, wish.before), told(state, stage, wish.after), wish.why,
        scene.actor.account, scene.at, undo_of=wish.undo_of, effects={
            "former": msgspec.to_builtins(wish.before), "void": list(void),
            "asked": {"change": msgspec.to_builtins(wish.change), "record_only": wish.record_only, "void_later": wish.void_later}})
    pairing = wish.after if isinstance(wish.after, Pairing) else None
    bye = wish.after if isinstance(wish.after, GivenBye) else None
    return Corrected(at=scene.at, by=scene.actor.account, correction=known, pairing=pairing, bye=bye, void=void, again=again, stop=stop)


def _new_pairings(state: State, stage: Stage, wish: Wish, scene: Scene) -> list[tuple[int, Pairing]]:
    """LG-917 They stand behind the tables of their rounds, and each has a match of its own."""
    added: dict[int, int] = {}
    found = []
    for number, draft in wish.effects.again:
        added[number] = added.get(number, 0) + 1
        table = shelf.size(round_of(stage, number).pairings) + added[number]
        (pairing,) = stages.with_matches(state, stage, [stages.pairing_of(table, draft, scene.at)], scene, number)
        found.append((number, pairing))
    return found


def told(state: State, stage: Stage, fact: Pairing | GivenBye) -> dict[str, Any]:
    """LG-922 Old and new value as the page shows them."""
    if isinstance(fact, GivenBye):
        return {"bye": fact.kind, "points": fact.points, "account": account_of(state, stage, fact.number)}
    last: Mapping[str, int] = {account_of(state, stage, seat.number): seat.place for game in fact.games[-1:] for seat in game.seats}
    return {"state": fact.state, "kind": fact.kind, "places": dict(last)}


def refrozen(state: State, stage: Stage, scene: Scene) -> list[Happened]:
    """LG-806, LG-919 A new revision of the standing beside the old one, and the winners that follow."""
    found = format_of(state, stage).lines(as_frozen(state, stage, scene.seed))
    events: list[Happened] = [StageFinished(at=scene.at, stage=stage.number, lines=lines_of(found), revision=stage.revision + 1)]
    if state.life == FINISHED:
        winners, why = winners_of(grown(state, events))
        if winners != state.winners:
            events.append(WinnersNamed(at=scene.at, winners=winners, why=why))
    return events


def as_frozen(state: State, stage: Stage, seed: bytes) -> Any:
    """LG-806 Who left after the freezing still counts as they did then."""
    found = facts(state, stage, seed)
    back = (found.gone | found.barred) - set(stage.removed)
    return found._replace(gone=found.gone - back, barred=found.barred - back)


def paired_again(state: State, stage: Stage, wish: Wish, scene: Scene) -> tuple[Happened, ...]:
    """LG-916, LG-920 In the place of the round of which nothing has begun."""
    last: Round = stage.rounds[-1]
    before = replace(stage, rounds=stage.rounds[:-1])
    found, made = stages.asked(state, before, scene)
    if not isinstance(made, Drafted):
        raise Refused("no_pairing", "the round cannot be paired now", [last.number])
    event = stages.published_round(state, before, scene, (found, made))
    stop = tuple(match for pairing in shelf.every(last.pairings) for match in pairing.under_way)
    known = Correction(scene.fresh("x"), stage.number, str(wish.where), {"round": last.number}, {"paired": "again"}, wish.why, scene.actor.account,
                       scene.at, effects={"former": msgspec.to_builtins(wish.before), "void": [], "asked": {
                           "change": msgspec.to_builtins(wish.change), "record_only": False, "void_later": False}})
    assert isinstance(event, RoundPublished)
    return (Corrected(at=scene.at, by=scene.actor.account, correction=known), replace(event, again=True, stop=stop))


def not_own_place(state: State, known: Correction, scene: Scene) -> None:
    """LG-124; a bye has no table."""
    where = read_at(known.pairing)
    stage = stage_of(state, where.stage)
    if where.table:
        not_own(state, stage, pairing_at(state, where), scene)
    else:
        not_own_entrant(state, stage, known.effects["former"]["number"], scene)
