"""How does a referee preview, apply, confirm and undo a correction?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.tournament import acts
from services.league.tournament.deciding import stages
from services.league.tournament.deciding.corrections.applied import applied
from services.league.tournament.deciding.corrections.wishes import Wish, undoing, wished
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.results import Corrected, Proposed, Settled
from services.league.tournament.events.rounds import RoundPublished
from services.league.tournament.legal import not_own, not_own_entrant, reason
from services.league.tournament.looking import account_of, pairing_at, read_at, stage_of
from services.league.tournament.state import FINISHED, PLANNED, Correction, FrozenLine, Pairing, Stage, State

LEAST_REASON = 10                               # LG-913


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
    if isinstance(event, RoundPublished):
        return replace(event, correction=known.id)
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


def not_own_place(state: State, known: Correction, scene: Scene) -> None:
    """LG-124; a bye has no table."""
    where = read_at(known.pairing)
    stage = stage_of(state, where.stage)
    if where.table:
        not_own(state, stage, pairing_at(state, where), scene)
    else:
        not_own_entrant(state, stage, known.effects["former"]["number"], scene)
