"""How is a round paired again in the place of one of which nothing has begun, and how is that taken back?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from services.league.kind import Scene
from services.league.refusals import Refused
from services.league.stages.facts import Drafted
from services.league.tournament import shelf
from services.league.tournament.deciding import stages
from services.league.tournament.deciding.corrections.wishes import Wish
from services.league.tournament.deciding.leaving import DEPARTED
from services.league.tournament.deciding.rounds import without_away
from services.league.tournament.events.base import Happened
from services.league.tournament.events.results import Corrected
from services.league.tournament.events.rounds import RoundPublished
from services.league.tournament.looking import entrant_of
from services.league.tournament.state import Correction, Pairing, Round, Stage, State


def paired_again(state: State, stage: Stage, wish: Wish, scene: Scene) -> tuple[Happened, ...]:
    """LG-916, LG-920, LG-921 In the place of the round of which nothing has begun: from what is known now, or as it was before."""
    last: Round = stage.rounds[-1]
    before = replace(stage, rounds=stage.rounds[:-1])
    event = put_back(state, before, last.formers[wish.undo_of], scene) if wish.undo_of else newly_paired(state, before, scene)
    known = Correction(scene.fresh("x"), stage.number, str(wish.where), {"round": last.number}, {"paired": "as before" if wish.undo_of else "again"},
                       wish.why, scene.actor.account, scene.at, undo_of=wish.undo_of, effects={
                           "former": msgspec.to_builtins(wish.before), "void": [], "asked": {
                               "change": msgspec.to_builtins(wish.change), "record_only": False, "void_later": False}})
    stop = tuple(match for pairing in shelf.every(last.pairings) for match in pairing.under_way)
    return (Corrected(at=scene.at, by=scene.actor.account, correction=known),
            replace(event, again=True, correction=known.id, stop=stop, pairings=tuple(numbered_on(last, event.pairings))))


def newly_paired(state: State, before: Stage, scene: Scene) -> RoundPublished:
    found, made = stages.asked(state, before, scene)
    if not isinstance(made, Drafted):
        raise Refused("no_pairing", "the round cannot be paired now", [len(before.rounds) + 1])
    return stages.published_round(state, before, scene, (found, made))


def put_back(state: State, before: Stage, former: Round, scene: Scene) -> RoundPublished:
    """LG-921, LG-231 The former round with new matches; who has gone since has forfeited."""
    fresh = tuple(unplayed(pairing) for pairing in shelf.every(former.pairings))
    away = {number for pairing in fresh for number in pairing.numbers if entrant_of(state, before, number).state in DEPARTED}
    pairings = [without_away(state, before, pairing, away, scene.at) for pairing in fresh]
    return RoundPublished(
        at=scene.at, by=scene.actor.account, stage=before.number, round=former.number, pairings=stages.with_matches(state, before, pairings, scene),
        byes=former.byes, rests=former.rests, absent=former.absent, notes=former.notes, option=former.option, inputs_hash=former.inputs_hash,
        cut_off=former.cut_off, deadline=stages.deadline_of(state, scene.at), made_before=former.made)


def unplayed(pairing: Pairing) -> Pairing:
    """As it was made; what was decided without a match stays decided."""
    return Pairing(pairing.table, pairing.numbers, place=pairing.place, why=pairing.why) if pairing.state == "ready" else pairing


def numbered_on(last: Round, pairings: Sequence[Pairing]) -> Iterator[Pairing]:
    """LG-167 A table's matches are numbered on from those ordered for it before, so that each of them is made."""
    ordered: dict[int, list[str]] = {}
    for match, table in last.matches.all().items():
        ordered.setdefault(table, []).append(match)
    for pairing in pairings:
        before = tuple(dict.fromkeys((*pairing.void_before, *ordered.get(pairing.table, ()))))
        yield replace(pairing, void_before=before, boards=tuple(replace(board, again=len(before)) for board in pairing.boards))
