"""What happens by itself now, and when must somebody look again?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from services.league.kind import Actor, Scene
from services.league.refusals import Refused
from services.league.stages.facts import Over
from services.league.tournament import shelf, times
from services.league.tournament.deciding import appointments, forecasting, life, results, stages
from services.league.tournament.deciding.entry import check_in_window
from services.league.tournament.deciding.leaving import BRACKETS, DEPARTED, forfeit, given_up, stamped
from services.league.tournament.deciding.rounds import published_draft, started_stage
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.life import Opened, SettingsChanged, Warned
from services.league.tournament.events.results import Flagged, MatchOrdered, Overdue, Ruled, Settled
from services.league.tournament.events.rounds import Answered, RoundCompleted, StageOver, StageWaits
from services.league.tournament.facts import LIVE_FORMATS
from services.league.tournament.looking import (
    DONE,
    At,
    current,
    entrant_of,
    is_settled,
    open_pairings,
    open_places,
    open_rounds,
    rules_of,
    running,
)
from services.league.tournament.state import (
    CLOSED,
    DEAD_END,
    DRAFT,
    NOT_ENOUGH,
    OPEN,
    RUNNING,
    Challenge,
    Pairing,
    Round,
    Stage,
    State,
)

LAPSE = 7 * times.DAY                           # an unconfirmed correction


def advance(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-171, LG-872 The first thing that is due; asked again until there is nothing."""
    scene = by_itself(scene)
    if state.life in {DRAFT, OPEN, CLOSED}:
        return before_the_start(state, scene)
    if state.life != RUNNING:
        return tuple(lapsed(state, scene))
    for step in (lapsed, confirmed_in_time, overdue, unanswered, appointments.met, freed, completed):
        events = tuple(step(state, scene))
        if events:
            return events
    if state.paused_at is not None:
        return ()
    return onward(state, scene)


def by_itself(scene: Scene) -> Scene:
    return replace(scene, actor=Actor())


def before_the_start(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-226, LG-871 Entry opens and closes, and the first stage starts, at the times that are set."""
    if state.paused_at is not None:
        return ()
    due = timed(state)
    if due is None or scene.at < due:
        return ()
    if state.life == DRAFT:
        return opened(state, scene)
    if state.life == OPEN:
        return life.closed(state, scene)
    return first_stage(state, scene)


def opened(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-428 No timer acknowledges a forecast: where that is needed the time is dropped and the officials are told."""
    found = forecasting.forecast(state, scene, None)
    if not found.get("to_be_seen"):
        return (Opened(at=scene.at, forecast=found),)
    without = replace(state.settings, schedule=replace(state.settings.schedule, opens=""))
    return (Warned(at=scene.at, words="entry was not opened: dead ends are likely, which somebody must have seen"),
            SettingsChanged(at=scene.at, settings=without))


def first_stage(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-174 Too few to start is said once, and is no error of the timer."""
    events = stages.taken_out(state, scene)
    state = grown(state, events)
    try:
        return (*events, *started_stage(state, state.stages[0], scene, accept_imbalance=False))
    except Refused as refused:
        waits = StageWaits(at=scene.at, stage=1, code=NOT_ENOUGH if refused.code == NOT_ENOUGH else "needs_referee")
        return (*events, *(() if state.stages[0].waits else (waits,)))


def timed(state: State) -> int | None:
    """The next moment of the timetable before the start."""
    schedule, zone = state.settings.schedule, state.settings.zone
    window = check_in_window(state)
    local = {DRAFT: schedule.opens, OPEN: schedule.entry_until or schedule.starts, CLOSED: schedule.starts}.get(state.life, "")
    if not local or (state.life == CLOSED and state.stages[0].waits):
        return None
    at = times.instant(local, zone)[0]
    if state.life == OPEN and not schedule.entry_until and window is not None:
        return min(at, window[1])
    return at


def lapsed(state: State, scene: Scene) -> Iterator[Happened]:
    """LG-914 Nobody has confirmed it for a week."""
    return (Settled(at=scene.at, correction_id=one.id, outcome="lapsed") for one in state.corrections
            if one.state == "waiting" and scene.at >= one.at + LAPSE)


def confirmed_in_time(state: State, scene: Scene) -> Iterator[Happened]:
    """LG-210 A report that nobody has contradicted counts after `confirm_after`."""
    wait = times.length(state.settings.confirm_after)
    for stage in state.stages:
        for one in open_rounds(stage) if wait and state.paused_at is None else ():
            for table, since in one.open_reports.items():
                where = At(stage.number, one.number, table)
                pairing = _pairing(one, table)
                if scene.at >= since + wait and pairing.flag != "disputed" and pairing.reports:
                    game = results.game_by(state, stage, pairing, pairing.reports[0].places, {})
                    yield from results.settled(state, where, pairing, game, scene)


def _pairing(one: Round, table: int) -> Pairing:
    return shelf.at(one.pairings, table - 1)


def overdue(state: State, scene: Scene) -> Iterator[Happened]:
    """LG-878, LG-884 Deadlines that have passed, in order of due time."""
    if state.paused_at is not None:
        return
    stage = running(state)
    for one in open_rounds(stage) if stage else ():
        first = min([at for at in (one.deadline, *one.extended.values()) if at is not None], default=None)
        if stage is None or first is None or scene.at < first:
            continue
        for pairing in open_pairings(one):
            until = one.extended.get(pairing.table, one.deadline)
            if until is not None and scene.at >= until and _waits(pairing):
                yield from at_deadline(state, At(stage.number, one.number, pairing.table), pairing, scene)


def at_deadline(state: State, where: At, pairing: Pairing, scene: Scene) -> Iterator[Happened]:
    match state.settings.schedule.at_deadline:
        case "double_forfeit" if pairing.boards:
            yield from given_up(where, pairing, pairing.numbers, scene)
        case "double_forfeit":
            yield stamped(forfeit(state, where, pairing, pairing.numbers, "deadline"), scene)
        case "late_forfeits" if pairing.under_way:
            yield Overdue(at=scene.at, pairing=str(where), match=pairing.under_way[0])
        case _:
            yield Flagged(at=scene.at, pairing=str(where), why="deadline")


def freed(state: State, scene: Scene) -> Iterator[Happened]:
    """LG-308, LG-679 Matches that may begin now, and pairings of which nobody is left."""
    stage = running(state)
    if stage is None or state.paused_at is not None:
        return
    rules = rules_of(state.settings, stage)
    if rules.any_order and not state.settings.reporting:
        take = stages.places_free(state, stage)
        for one, pairing in open_places(stage):
            if pairing.state == "ready" and not pairing.match and not pairing.games and take(pairing):
                yield MatchOrdered(at=scene.at, pairing=str(At(stage.number, one.number, pairing.table)), match=scene.fresh("m"), number=1,
                                   numbers=pairing.numbers)
    if stage.void_at is not None and scene.at >= stage.void_at:
        for one, pairing in open_places(stage):
            yield Ruled(at=scene.at, pairing=str(At(stage.number, one.number, pairing.table)), state="void", reason="time", stop=pairing.match)


def unanswered(state: State, scene: Scene) -> Iterator[Happened]:
    """LG-543 A challenge that nobody has answered in time is declined."""
    stage = running(state)
    for one in stage.challenges if stage and state.paused_at is None else ():
        if stage is not None and one.state == "asked" and scene.at >= answer_until(state, stage, one):
            yield Answered(at=scene.at, stage=stage.number, challenger=one.challenger, answer="declined")


def answer_until(state: State, stage: Stage, one: Challenge) -> int:
    return one.at + rules_of(state.settings, stage).answer_time * times.SECOND


def completed(state: State, scene: Scene) -> Iterator[Happened]:
    """LG-169."""
    for stage in state.stages:
        for one in open_rounds(stage) if stage.state == "running" else ():
            if is_settled(one):
                yield RoundCompleted(at=scene.at, stage=stage.number, round=one.number)


def onward(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-170, LG-171, LG-180 The next round, the end of the stage, the next stage, the end of it all."""
    stage = running(state)
    if stage is None:
        return next_stage(state, scene)
    if stage.over or stage.draining:
        return () if next(open_places(stage), None) else (stages.finish(state, stage, scene),)
    due = round_due(state, stage)
    if due is None or scene.at < due:
        return () if due is None else over_now(state, stage, scene)
    if stage.drafted is not None:
        return (published_draft(state, stage, scene),)
    early = stage.rounds and bool(state.settings.schedule.cut_off) and scene.at < planned_start(state, stage.rounds[-1], stage)
    return stages.next_events(state, stage, scene, publish=state.settings.auto_start and not early)


def over_now(state: State, stage: Stage, scene: Scene) -> tuple[Happened, ...]:
    """LG-180 Nobody waits for a break after the last round."""
    if rules_of(state.settings, stage).format in LIVE_FORMATS or stage.drafted is not None or not stage.rounds:
        return ()
    if stage.planned_rounds is not None and len(stage.rounds) < stage.planned_rounds:
        return ()
    _, made = stages.asked(state, stage, scene)
    return (StageOver(at=scene.at, stage=stage.number, why=made.why, void_at=made.void_at),) if isinstance(made, Over) else ()


def next_stage(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-504 Once started by somebody, a tournament goes on by itself if it is set so."""
    stage = current(state)
    if stage is None or state.stages[stage.number - 2].waits:
        return (stages.finished(state, scene),)
    before = state.stages[stage.number - 2]
    if not state.settings.auto_start or stage.waits or scene.at < before.finished_at + times.length(state.settings.schedule.round_break):
        return ()
    try:
        return started_stage(state, stage, scene, accept_imbalance=False)
    except Refused as refused:
        return (StageWaits(at=scene.at, stage=stage.number, code=NOT_ENOUGH if refused.code == NOT_ENOUGH else "needs_referee"),)


def round_due(state: State, stage: Stage) -> int | None:
    """LG-170, LG-173, LG-875 When the next round is to be made, at its cut-off, or published; None while something else must happen first."""
    if not state.settings.auto_start and (stage.rounds or stage.drafted):
        return None
    if stage.waits == DEAD_END or (stage.waits and not _somebody_came(state, stage)):
        return None
    rules = rules_of(state.settings, stage)
    if rules.format in LIVE_FORMATS or rules.any_order:
        return floor_due(state, stage)
    latest = stage.rounds[-1] if stage.rounds else None
    if next(open_rounds(stage), None) is not None:
        return None
    due_at = planned_start(state, latest, stage)
    if stage.drafted is not None or latest is None or not state.settings.schedule.cut_off:
        return due_at
    return max(latest.completed_at, due_at - times.length(state.settings.schedule.cut_off))


def planned_start(state: State, latest: Round | None, stage: Stage) -> int:
    """LG-170, LG-875 After the break, and not before its time."""
    schedule, zone = state.settings.schedule, state.settings.zone
    after = stage.started_at if latest is None else times.after(latest.completed_at, schedule.round_break or "0 minutes", zone)
    if not schedule.every or not schedule.starts or latest is None:
        return after
    return max(after, times.repeated(schedule.starts, schedule.every, latest.number + 1, zone))


def floor_due(state: State, stage: Stage) -> int | None:
    """LG-308, LG-522, LG-542 Where rounds may run side by side: at once, or at the next beat with somebody to seat."""
    rules = rules_of(state.settings, stage)
    if rules.any_order:
        return stage.started_at
    if rules.format == "ladder":
        return stage.started_at if any(one.state in {"accepted", "declined"} for one in stage.challenges) else None
    ends = stage.started_at + rules.length * times.SECOND if rules.length else None
    if len(stage.ready) < max(2, rules.seats.least):
        return ends
    latest = max([stage.started_at, *(one.published_at for one in stage.rounds[-1:])])
    beat = stage.look_at if stage.look_at is not None and stage.look_at > latest else latest + (rules.beat * times.SECOND if stage.rounds else 0)
    return beat if ends is None else min(beat, max(ends, latest))


def _somebody_came(state: State, stage: Stage) -> bool:
    """LG-174 Returns and late entries lead out; nobody comes to a bracket."""
    if rules_of(state.settings, stage).format in BRACKETS:
        return False
    left = sum(entrant_of(state, stage, number).state not in DEPARTED for number in range(1, len(stage.field) + 1))
    return left > 1


def due(state: State) -> int | None:
    """LG-871 When `advance` must look again, if nobody acts before."""
    lapse = [one.at + LAPSE for one in state.corrections if one.state == "waiting"]
    if state.life in {DRAFT, OPEN, CLOSED}:
        at = timed(state) if state.paused_at is None else None
        return min([*lapse, *([at] if at is not None else [])], default=None)
    if state.life != RUNNING:
        return min(lapse, default=None)
    if state.paused_at is not None:
        return min(lapse, default=None)
    return min(chain(lapse, _running_due(state)), default=None)


def _running_due(state: State) -> Iterator[int]:
    stage = running(state)
    if stage is None:
        following = current(state)
        if following is not None and state.settings.auto_start and not following.waits:
            yield state.stages[following.number - 2].finished_at + times.length(state.settings.schedule.round_break)
        return
    wait = times.length(state.settings.confirm_after)
    for one in open_rounds(stage):
        yield from (since + wait for table, since in one.open_reports.items() if wait and _pairing(one, table).flag != "disputed")
        yield from _deadlines(one)
    if stage.void_at is not None:
        yield stage.void_at
    if not state.settings.reporting:
        yield from (appointment.fixed for _, _, appointment in appointments.fixed(stage))
    yield from (answer_until(state, stage, one) for one in stage.challenges if one.state == "asked")
    if not stage.over and not stage.draining:
        at = round_due(state, stage)
        if at is not None:
            yield at


def _deadlines(one: Round) -> Iterator[int]:
    """The round's while an undecided pairing goes by it, and those of single tables; the first such pairing is enough."""
    if one.deadline is not None and any(_waits(pairing) and pairing.table not in one.extended for pairing in open_pairings(one)):
        yield one.deadline
    for table, until in one.extended.items():
        pairing = _pairing(one, table)
        if pairing.state not in DONE and _waits(pairing):
            yield until


def _waits(pairing: Pairing) -> bool:
    """Whether its deadline has still to be looked at."""
    return not pairing.overdue and pairing.flag != "deadline"
