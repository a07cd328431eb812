"""How does a tournament as a whole go on, and how does each event of it change what is known?"""

from __future__ import annotations

from typing import Any

from msgspec import field
from msgspec.structs import replace

from services.league.kind import Card
from services.league.tournament.events.base import Happened
from services.league.tournament.looking import with_stage
from services.league.tournament.settings import Settings
from services.league.tournament.state import (
    CANCELLED,
    CLOSED,
    FINISHED,
    OPEN,
    PUBLISHED,
    RUNNING,
    Bars,
    Pairing,
    Round,
    Stage,
    State,
)


class Created(Happened, frozen=True, kw_only=True, tag="created"):
    """The first event."""

    tournament: str
    organisation: str
    settings: Settings
    card: Card
    seed_hash: str
    drawn_as: str = ""                          # LG-985 taken over from another installation: its name in all draws

    def first(self) -> State:
        """There is nothing before it."""
        stages = tuple(Stage(number, 1, planned_rounds=rules.rounds) for number, rules in enumerate(self.settings.stages, start=1))
        return State(self.tournament, self.organisation, self.settings, self.card, self.seed_hash, version=1, drawn_as=self.drawn_as, created_at=self.at,
                     stages=stages)


class SettingsChanged(Happened, frozen=True, kw_only=True, tag="settings_changed"):
    """OP-04."""

    settings: Settings

    def change(self, state: State) -> State:
        stages = state.stages
        if state.life not in {RUNNING, FINISHED}:
            stages = tuple(Stage(number, state.version, planned_rounds=rules.rounds)
                           for number, rules in enumerate(self.settings.stages, start=1))
        return replace(state, settings=self.settings, stages=stages)


class RoundsPlanned(Happened, frozen=True, kw_only=True, tag="rounds_planned"):
    """LG-172 A draft beyond them goes."""

    stage: int
    rounds: int

    def change(self, state: State) -> State:
        drafted = state.stages[self.stage - 1].drafted
        kept = drafted if drafted is not None and drafted.number <= self.rounds else None
        return with_stage(state, self.stage, planned_rounds=self.rounds, drafted=kept)


class Opened(Happened, frozen=True, kw_only=True, tag="opened"):
    """LG-428 What was forecast, and that it was seen."""

    forecast: dict[str, Any] = field(default_factory=dict)
    forecast_seen: bool = False

    def change(self, state: State) -> State:
        return replace(state, life=OPEN, forecast=self.forecast)


class Closed(Happened, frozen=True, kw_only=True, tag="closed"):
    """LG-251, LG-105 The order of seeding and the copies of the ratings, taken at this moment."""

    seeds: tuple[str, ...]
    ratings: dict[str, str] = field(default_factory=dict)
    forecast: dict[str, Any] = field(default_factory=dict)

    def change(self, state: State) -> State:
        shelves = tuple(replace(chunk, version=state.version, items=tuple(
            replace(one, rating=self.ratings.get(one.account, one.rating)) for one in chunk.items)) for chunk in state.entrants)
        return replace(state, life=CLOSED, seeds=self.seeds, numbered=state.version, entrants=shelves, forecast=self.forecast or state.forecast)


class Seeded(Happened, frozen=True, kw_only=True, tag="seeded"):
    """LG-252 An organiser's list, or what was left after somebody was taken out."""

    order: tuple[str, ...]
    reason: str = ""

    def change(self, state: State) -> State:
        return replace(state, seeds=self.order, numbered=state.version)


class SeedReplaced(Happened, frozen=True, kw_only=True, tag="seed_replaced"):
    """LG-256 The old seed is shown, the new one by its hash; the old draw stays in the event that told it."""

    old_seed: str
    old_hash: str
    seed_hash: str
    order: tuple[str, ...]
    reason: str

    def change(self, state: State) -> State:
        return replace(state, seed_hash=self.seed_hash, seeds=self.order, numbered=state.version, old_seeds=(*state.old_seeds, (self.old_seed, self.old_hash)))


class Constrained(Happened, frozen=True, kw_only=True, tag="constrained"):
    """LG-951 From the next round made."""

    bars: Bars

    def change(self, state: State) -> State:
        return replace(state, bars=self.bars)


class Paused(Happened, frozen=True, kw_only=True, tag="paused"):
    """LG-179."""

    with_clocks: bool = False

    def change(self, state: State) -> State:
        return replace(state, paused_at=self.at, with_clocks=self.with_clocks)


class Resumed(Happened, frozen=True, kw_only=True, tag="resumed"):
    """LG-179 Every open deadline moves by the length of the pause."""

    def change(self, state: State) -> State:
        since = state.paused_at if state.paused_at is not None else self.at
        return later(replace(state, paused_at=None, with_clocks=False), lambda start, _deadline: self.at - max(since, start))


class OutageRecorded(Happened, frozen=True, kw_only=True, tag="outage_recorded"):
    """LG-885 Each open deadline moves by the part of the outage that it was open for."""

    from_at: int
    to_at: int

    def change(self, state: State) -> State:
        if state.settings.schedule.outage == "strict":
            return state
        return later(state, lambda start, deadline: max(0, self.to_at - max(self.from_at, start)) if deadline > self.from_at else 0)


class Cancelled(Happened, frozen=True, kw_only=True, tag="cancelled"):
    """LG-178 What was played stays; what was not is void."""

    reason: str

    def change(self, state: State) -> State:
        stages = tuple(replace(stage, version=state.version, drafted=None, rounds=tuple(_voided(one, state.version, self.at) for one in stage.rounds))
                       for stage in state.stages)
        return replace(state, life=CANCELLED, stages=stages, finished_at=self.at, why_no_winner=self.reason, paused_at=None)


class Finished(Happened, frozen=True, kw_only=True, tag="finished"):
    """LG-180 Who has won, or why nobody has; LG-254 the seed, since the last draw has been made."""

    winners: tuple[str, ...]
    why: str = ""
    seed: str = ""

    def change(self, state: State) -> State:
        return replace(state, life=FINISHED, winners=self.winners, why_no_winner=self.why, seed=self.seed, finished_at=self.at, revision=state.revision + 1)


class Withheld(Happened, frozen=True, kw_only=True, tag="withheld"):
    """LG-163, LG-985 What only officials may read yet, in an export."""


class Warned(Happened, frozen=True, kw_only=True, tag="warned"):
    """Something that the officials should know."""

    words: str

    def change(self, state: State) -> State:
        return replace(state, warnings=(*state.warnings[-99:], self.words))


def _voided(one: Round, version: int, at: int) -> Round:
    chunks = tuple(replace(chunk, version=version, items=tuple(_void(pairing, at) for pairing in chunk.items)) for chunk in one.pairings)
    return replace(one, version=version, pairings=chunks)


def _void(pairing: Pairing, at: int) -> Pairing:
    if pairing.state in {"confirmed", "walkover", "void"}:
        return pairing
    return replace(pairing, state="void", match="", decided_at=at, void_before=(*pairing.void_before, *pairing.under_way))


def later(state: State, moved: Any) -> State:
    """Open deadlines moved: `moved` tells by how much, from when it was set and its time."""
    stages = []
    for stage in state.stages:
        rounds = tuple(_later(one, state.version, moved) if one.state == PUBLISHED else one for one in stage.rounds)
        stages.append(replace(stage, rounds=rounds, version=state.version) if rounds != stage.rounds else stage)
    return replace(state, stages=tuple(stages))


def _later(one: Round, version: int, moved: Any) -> Round:
    deadline = None if one.deadline is None else one.deadline + moved(one.published_at, one.deadline)
    extended = {table: until + moved(one.published_at, until) for table, until in one.extended.items()}
    return replace(one, version=version, deadline=deadline, extended=extended)
