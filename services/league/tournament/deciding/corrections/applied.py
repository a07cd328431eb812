"""What does a correction make void and new, which standings follow, and does a stage that was over go on?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.league.kind import Scene
from services.league.stages.facts import Over
from services.league.tournament import shelf
from services.league.tournament.deciding import stages
from services.league.tournament.deciding.corrections.again import paired_again
from services.league.tournament.deciding.corrections.wishes import Wish
from services.league.tournament.deciding.leaving import BRACKETS
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.results import Corrected
from services.league.tournament.events.rounds import Reopened, StageFinished, WinnersNamed, lines_of
from services.league.tournament.facts import as_frozen, facts, format_of
from services.league.tournament.looking import DONE, At, account_of, pairing_at, read_at, round_of, rules_of, stage_of
from services.league.tournament.ranks import winners_of
from services.league.tournament.state import FINISHED, Correction, GivenBye, Pairing, Stage, State


def applied(state: State, wish: Wish, scene: Scene) -> tuple[Happened, ...]:
    """LG-917 to LG-922 The correction, what it makes void and new, and the standings that follow."""
    stage = stage_of(state, wish.where.stage)
    if wish.change.pair_again and wish.effects.pair_again is not None:
        return paired_again(state, stage, wish, scene)
    event = as_event(state, stage, wish, scene)
    reopened = stage.state == FINISHED and not wish.record_only and goes_on(state, stage, event, scene)
    events: list[Happened] = [*([Reopened(at=scene.at, stage=stage.number, to_its_end=played_out(state, stage, scene))] if reopened else []), event]
    after = grown(state, events)
    if stage.state == FINISHED and not reopened:
        events += refrozen(after, stage_of(after, stage.number), scene)
    return tuple(events)


def goes_on(state: State, stage: Stage, event: Corrected, scene: Scene) -> bool:
    """LG-918 Something is to be played now, at once or in the next round of a bracket."""
    if event.again or (event.pairing and event.pairing.state not in DONE):
        return True
    after = grown(state, [event])
    more = bool(event.void) or played_out(state, stage, scene)          # or a second final that was not due before
    return more and not played_out(after, stage_of(after, stage.number), scene)


def played_out(state: State, stage: Stage, scene: Scene) -> bool:
    """LG-918 A bracket that was not ended before its end; what is played again may lead to further rounds."""
    if rules_of(state.settings, stage).format not in BRACKETS:
        return False
    return isinstance(format_of(state, stage).draft(facts(state, stage, scene.seed)), Over)


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
