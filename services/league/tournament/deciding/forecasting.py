"""How likely are dead ends, and how would the stages go? Asked before entry opens and again when it closes."""

from __future__ import annotations

from typing import Any

from services.league.kind import Scene
from services.league.stages import forecast as forecast_of
from services.league.stages.facts import Facts, Plan
from services.league.tournament.facts import format_of
from services.league.tournament.looking import rules_of
from services.league.tournament.state import Stage, State

UNKNOWN_FIELD = 64                              # where nothing says how many will come


def expected(state: State, entrants: int | None) -> int:
    """LG-428 The field that is expected: as asked, as entered, or as many as may come."""
    if entrants is not None:
        return entrants
    return state.counted or min(state.settings.most, UNKNOWN_FIELD)


def empty_facts(state: State, stage: Stage, seed: bytes, field: int) -> Facts:
    numbers = tuple(range(1, field + 1))
    return Facts(f"{state.tournament}/{stage.number}", rules_of(state.settings, stage), seed, numbers, frozenset(numbers))


def forecast(state: State, scene: Scene, entrants: int | None) -> dict[str, Any]:
    """LG-428 to LG-430 Of the first stage; the others depend on who qualifies."""
    stage, field = state.stages[0], expected(state, entrants)
    found = forecast_of(empty_facts(state, stage, scene.seed, field), field)
    return {**found._asdict(), "field": field}


def plan_of(state: State, stage: Stage, scene: Scene, entrants: int | None) -> Plan:
    field = len(stage.field) or expected(state, entrants)
    return format_of(state, stage).plan(empty_facts(state, stage, scene.seed, field))
