"""Where is what in a tournament, and how is one part of it replaced?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from services.league.refusals import Refused
from services.league.stages import facts as stage_words
from services.league.stages.rules import StageRules
from services.league.tournament import shelf
from services.league.tournament.settings import Settings
from services.league.tournament.state import PUBLISHED, Entrant, Pairing, Round, Stage, State

DONE = stage_words.DONE


class At(NamedTuple):
    """LG-167 Where a pairing is: written "stage/round/table"."""

    stage: int
    round: int
    table: int

    def __str__(self) -> str:
        return f"{self.stage}/{self.round}/{self.table}"


def read_at(text: str) -> At:
    """The place that a text means, or `malformed`."""
    parts = text.split("/")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise Refused("malformed", "a pairing is written stage/round/table", [text])
    return At(*map(int, parts))


def stage_of(state: State, number: int) -> Stage:
    if not 1 <= number <= len(state.stages):
        raise Refused("not_found", "there is no such stage", [number])
    return state.stages[number - 1]


def current(state: State) -> Stage | None:
    """The stage that runs, or the one that comes next; none when all are finished."""
    return next((stage for stage in state.stages if stage.state != "finished"), None)


def running(state: State) -> Stage | None:
    return next((stage for stage in state.stages if stage.state == "running"), None)


def rules_of(settings: Settings, stage: Stage) -> StageRules:
    return settings.stages[stage.number - 1]


def round_of(stage: Stage, number: int) -> Round:
    """A published round."""
    if not 1 <= number <= len(stage.rounds):
        raise Refused("not_found", "there is no such round", [number])
    return stage.rounds[number - 1]


def pairing_at(state: State, where: At) -> Pairing:
    one = round_of(stage_of(state, where.stage), where.round)
    if not 1 <= where.table <= shelf.size(one.pairings):
        raise Refused("not_found", "there is no such pairing", [str(where)])
    return shelf.at(one.pairings, where.table - 1)


def place_of_match(state: State, match: str) -> At | None:
    """LG-203 By the match id alone; the latest stages and rounds first."""
    for stage in reversed(state.stages):
        for one in reversed(stage.rounds):
            table = one.matches.get(match)
            if table is not None:
                return At(stage.number, one.number, table)
    return None


def entrant(state: State, account: str) -> Entrant | None:
    place = state.book.get(account)
    return None if place is None else shelf.at(state.entrants, place)


def number_in(stage: Stage, state: State, account: str) -> int | None:
    """Somebody's pairing number in a stage."""
    place = state.book.get(account)
    return None if place is None else stage.numbers.get(place)


def account_of(state: State, stage: Stage, number: int) -> str:
    return shelf.at(state.entrants, stage.field[number - 1]).account


def entrant_of(state: State, stage: Stage, number: int) -> Entrant:
    return shelf.at(state.entrants, stage.field[number - 1])


def open_pairings(one: Round) -> Iterator[Pairing]:
    """LG-169 Those that hold up the round."""
    return (pairing for pairing in shelf.every(one.pairings) if pairing.state not in DONE)


def is_settled(one: Round) -> bool:
    return next(open_pairings(one), None) is None


def open_rounds(stage: Stage) -> Iterator[Round]:
    return (one for one in stage.rounds if one.state == PUBLISHED)


def open_places(stage: Stage) -> Iterator[tuple[Round, Pairing]]:
    """Every undecided pairing of a stage."""
    return ((one, pairing) for one in open_rounds(stage) for pairing in open_pairings(one))


def all_open(stage: Stage) -> list[Pairing]:
    """LG-1032 The same without their rounds, for what is asked after every result: one loop costs a third of three generators."""
    return [pairing for one in stage.rounds if one.state == PUBLISHED for chunk in one.pairings for pairing in chunk.items if pairing.state not in DONE]


def with_stage(state: State, number: int, /, **changes: Any) -> State:
    stage = replace(state.stages[number - 1], version=state.version, **changes)
    return replace(state, stages=(*state.stages[:number - 1], stage, *state.stages[number:]))


def with_round(state: State, stage: int, number: int, /, **changes: Any) -> State:
    rounds = state.stages[stage - 1].rounds
    one = replace(rounds[number - 1], **{"version": state.version, **changes})
    return with_stage(state, stage, rounds=(*rounds[:number - 1], one, *rounds[number:]))


def with_pairing(state: State, where: At, /, **changes: Any) -> State:
    """One pairing replaced; of its round only the part that it stands in is copied."""
    one = state.stages[where.stage - 1].rounds[where.round - 1]
    pairing = replace(shelf.at(one.pairings, where.table - 1), **changes)
    return with_round(state, where.stage, where.round, version=one.version, pairings=shelf.put(one.pairings, where.table - 1, pairing, state.version))


def with_entrant(state: State, account: str, /, **changes: Any) -> State:
    place = state.book.get(account)
    assert place is not None
    changed = replace(shelf.at(state.entrants, place), **changes)
    return replace(state, entrants=shelf.put(state.entrants, place, changed, state.version))
