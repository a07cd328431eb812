"""How does a tournament as a whole begin, change, pause and end?"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from services.league.draws import drawn, published
from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.seeding import by_ranks, by_rating
from services.league.tournament import acts, settings, shelf
from services.league.tournament.deciding import forecasting, stages
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import MovedUp
from services.league.tournament.events.life import (
    Cancelled,
    Closed,
    Constrained,
    Created,
    Opened,
    OutageRecorded,
    Paused,
    Resumed,
    RoundsPlanned,
    Seeded,
    SeedReplaced,
    SettingsChanged,
    Warned,
)
from services.league.tournament.events.rounds import Draining
from services.league.tournament.legal import all_named, reason
from services.league.tournament.looking import At, open_places, running
from services.league.tournament.settings import Settings
from services.league.tournament.state import ENTERED, Bars, Entrant, Stage, State


def create(act: acts.Create, scene: Scene) -> Decided:
    """OP-03, LG-254 The seed is made before, and its hash is public from the first moment."""
    found = settings.read(act.settings, scene.card)
    assert scene.card is not None
    return Decided((Created(at=scene.at, by=scene.actor.account, tournament=act.tournament, organisation=act.organisation, settings=found,
                            card=scene.card, seed_hash=published(scene.seed)),))


def change(state: State, act: acts.Set, scene: Scene) -> Decided:
    """OP-04, LG-172, LG-224, LG-962 Places that become free by it go to those who wait."""
    if set(act.changes) == {"rounds"}:
        return Decided(plan_rounds(state, act.changes["rounds"], scene))
    played = act.changes.get("playing")
    card = scene.card if isinstance(played, dict) and "options" in played else state.card
    new = settings.changed(state.settings, act.changes, card)
    changed = settings.differences(state.settings, new)
    if first_round_made(state) and not changed <= settings.TIMES_ONLY:
        raise Refused("frozen", "only times can change now", sorted(changed - settings.TIMES_ONLY))
    if {"game", "game_version"} & changed:
        raise Refused("bad_setting", "the game stays", ["game"])
    if "opponents" in changed:
        check_consent(state, new)
    if "most" in changed and new.most < state.counted:
        raise Refused("bad_setting", "more have entered than that", ["most"])
    up = state.queue[:max(0, new.most - state.counted)] if "most" in changed else ()
    return Decided((SettingsChanged(at=scene.at, by=scene.actor.account, settings=new), *(MovedUp(at=scene.at, account=account) for account in up))
                   if changed else ())


def plan_rounds(state: State, rounds: object, scene: Scene) -> tuple[Happened, ...]:
    """LG-172 Until the last planned round is published."""
    stage = running(state)
    if stage is None or stage.planned_rounds is None:
        raise Refused("wrong_state", "no stage runs whose rounds are planned", [state.life])
    if not isinstance(rounds, int) or not 1 <= rounds <= 64:
        raise Refused("bad_setting", "1 to 64 rounds", ["rounds"])
    if len(stage.rounds) >= stage.planned_rounds or rounds < len(stage.rounds) or stage.over:
        raise Refused("frozen", "that many rounds are published", [len(stage.rounds)])
    return (RoundsPlanned(at=scene.at, by=scene.actor.account, stage=stage.number, rounds=rounds),)


def first_round_made(state: State) -> bool:
    return any(stage.rounds for stage in state.stages)


def check_consent(state: State, new: Settings) -> None:
    """LG-962 Nobody meets bots, or people, who did not know of it."""
    if new.opponents != "mixed":
        strangers = [one.account for one in shelf.every(state.entrants) if one.state == ENTERED and one.kinds & ({"person"} if new.opponents == "bots" else {"bot"})]
        if strangers:
            raise Refused("bad_setting", "others have entered already", ["opponents"])
        return
    asked = [one.account for one in shelf.every(state.entrants) if one.state == ENTERED and not one.mixed and "person" in one.kinds]
    if asked:
        raise Refused("no_consent", "they have not agreed to play with bots", asked)


def open_entry(state: State, act: acts.Open, scene: Scene) -> Decided:
    """LG-428 OP-05."""
    found = forecasting.forecast(state, scene, None)
    if found.get("to_be_seen") and not act.forecast_seen:
        raise Refused("forecast_not_seen", "dead ends are likely", [found])
    return Decided((Opened(at=scene.at, by=scene.actor.account, forecast=found, forecast_seen=act.forecast_seen),))


def close(state: State, scene: Scene) -> Decided:
    """OP-14."""
    return Decided(closed(state, scene))


def closed(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-105, LG-251, LG-252, LG-430."""
    here = [one for one in shelf.every(state.entrants) if one.state == ENTERED]
    ratings = {one.account: _copied(one, scene) for one in here}
    seeds = seeding(state, [*here], ratings, scene.seed)
    events: list[Happened] = [Closed(at=scene.at, by=scene.actor.account, seeds=seeds, ratings={name: text for name, text in ratings.items() if text})]
    found = forecasting.forecast(state, scene, len(here)) if here else {}
    if _worse(state.forecast, found):
        events.append(Warned(at=scene.at, words=f"the forecast has become worse: {found.get('words', '')}"))
    return tuple(events)


def _copied(one: Entrant, scene: Scene) -> str:
    """LG-105 A rating given by an import stays."""
    person = None if one.members else scene.people.get(one.account)     # LG-975
    return one.rating if one.seed is not None or person is None else person.rating or one.rating


def _worse(before: dict[str, object], after: dict[str, object]) -> bool:
    def share(found: dict[str, object]) -> Fraction:
        trials, ends = found.get("trials", 0), found.get("dead_ends", 0)
        return Fraction(int(str(ends)), max(1, int(str(trials))))
    return share(after) > share(before)


def seeding(state: State, here: list[Entrant], ratings: dict[str, str], seed: bytes) -> tuple[str, ...]:
    """LG-252 The order of the field; imported numbers come first where a list is meant."""
    text = f"{state.tournament}/1"
    accounts = [one.account for one in here]
    match state.settings.seeding:
        case "rating":
            return by_rating({name: Fraction(Decimal(ratings[name])) if ratings[name] else None for name in accounts}, seed, text)
        case "previous":
            known = state.settings.previous
            return by_ranks({name: known.get(name, len(known) + 1) for name in accounts}, seed, text)
        case "given":
            listed = {one.account: one.seed for one in here if one.seed is not None}
            return tuple(sorted(drawn(seed, "seeding", text, accounts), key=lambda name: listed.get(name) or len(accounts) + 1))
        case "random":
            return drawn(seed, "seeding", text, accounts)


def seed(state: State, act: acts.Seed, scene: Scene) -> Decided:
    """LG-252 OP-15."""
    all_named(act.order, state.seeds)
    return Decided((Seeded(at=scene.at, by=scene.actor.account, order=act.order, reason=act.reason),))


def new_seed(state: State, act: acts.NewSeed, scene: Scene) -> Decided:
    """LG-256 The old seed is shown, since nothing rests on it any more."""
    said = reason(act.reason)
    if first_round_made(state) or any(stage.drafted for stage in state.stages):
        raise Refused("wrong_state", "a round is made", [state.life])
    here = [one for one in shelf.every(state.entrants) if one.state == ENTERED and one.account in set(state.seeds)]
    order = seeding(state, here, {one.account: one.rating for one in here}, scene.next_seed) if state.seeds else ()
    event = SeedReplaced(at=scene.at, by=scene.actor.account, old_seed=scene.seed.hex(), old_hash=state.seed_hash,
                         seed_hash=published(scene.next_seed), order=order, reason=said)
    return Decided((event,), seed=scene.next_seed)


def constrain(state: State, act: acts.Constrain, scene: Scene) -> Decided:
    """LG-951, LG-953 OP-16."""
    stage = running(state)
    if stage is not None and stage.drafted is not None:
        raise Refused("frozen", "the round they would bind is drafted", [stage.drafted.number])
    bars = Bars(act.never, act.soft, act.same_club, act.same_team)
    stages.check_bars(state, bars)
    return Decided((Constrained(at=scene.at, by=scene.actor.account, bars=bars),))


def pause(state: State, act: acts.Pause, scene: Scene) -> Decided:
    """LG-179 OP-34."""
    if state.paused_at is not None:
        raise Refused("wrong_state", "paused already", ["paused"])
    return Decided((Paused(at=scene.at, by=scene.actor.account, with_clocks=act.with_clocks),))


def resume(state: State, scene: Scene) -> Decided:
    """LG-179 OP-34."""
    if state.paused_at is None:
        raise Refused("wrong_state", "not paused", [state.life])
    return Decided((Resumed(at=scene.at, by=scene.actor.account),))


def outage(act: acts.Outage, scene: Scene) -> Decided:
    """LG-885."""
    if act.to_at <= act.from_at:
        raise Refused("malformed", "an outage has a length", ["to_at"])
    return Decided((OutageRecorded(at=scene.at, from_at=act.from_at, to_at=act.to_at),))


def end(state: State, act: acts.End, scene: Scene) -> Decided:
    """LG-176 OP-37 The stage that runs; with the last one the tournament ends."""
    stage = running(state)
    if stage is None:
        raise Refused("wrong_state", "no stage runs", [state.life])
    if not act.drain:
        open_ones = [*still_open(stage)]
        if open_ones:
            raise Refused("match_running", "matches are still to be decided", open_ones)
    done = () if stage.draining else (Draining(at=scene.at, by=scene.actor.account, stage=stage.number),)
    return Decided(done)


def still_open(stage: Stage) -> Iterator[str]:
    return (str(At(stage.number, one.number, pairing.table)) for one, pairing in open_places(stage))


def cancel(act: acts.Cancel, scene: Scene) -> Decided:
    """LG-178 OP-38."""
    return Decided((Cancelled(at=scene.at, by=scene.actor.account, reason=reason(act.reason)),))
