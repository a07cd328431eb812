"""What may those know who only look on? With a spectator delay, the tournament as it was some time ago."""

from __future__ import annotations

from services.league.kind import Scene
from services.league.tournament import acts, times
from services.league.tournament.events import grown
from services.league.tournament.events.rounds import StageStarted
from services.league.tournament.state import CANCELLED, FINISHED, RUNNING, State

QUESTIONS: frozenset[type[acts.Asked]] = frozenset({acts.PlanAct, acts.ForecastAct, acts.Explain, acts.Ties, acts.Export})
BEGUN = frozenset({RUNNING, FINISHED, CANCELLED})


def delay(state: State) -> int:
    """LG-810 How much later than it happens everybody may know; nothing is held back before there can be results."""
    return times.length(state.settings.schedule.spectator_delay) if state.life in BEGUN else 0


def as_shown(state: State, scene: Scene) -> State:
    """LG-810 What the asker may know: officials everything, others what is older than the delay or came before the start."""
    late = delay(state)
    if not late or scene.actor.roles & acts.BOTH:
        return state
    told = scene.told()
    before = next((number for number, event in enumerate(told) if isinstance(event, StageStarted)), len(told))
    old = sum(event.at <= scene.at - late for event in told)
    return grown(told[0].first(), told[1:max(before, old)])
