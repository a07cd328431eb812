"""How is a round drafted, changed before it is published, and published?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from msgspec.structs import replace

from services.league.kind import Decided, Scene
from services.league.record import ABSENT, ALLOCATED, FULL, GIVEN_HALF, NO_SHOW, Bye
from services.league.refusals import Refused
from services.league.scoring import bye_points, draw_points, first_place
from services.league.stages.facts import Draft, Drafted, Facts, Over, Waits
from services.league.stages.rules import scoring
from services.league.tournament import acts, shelf
from services.league.tournament.deciding.leaving import BRACKETS, forfeited
from services.league.tournament.deciding.stages import (
    asked,
    deadline_of,
    drafted_round,
    has_absences,
    next_events,
    start,
    taken_out,
    waiting,
    with_matches,
)
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.rounds import RoundPublished, StageOver, WayChosen
from services.league.tournament.facts import blocked, facts, format_of
from services.league.tournament.legal import not_own, not_own_entrant, reason
from services.league.tournament.looking import At, current, number_in, open_rounds, rules_of, running
from services.league.tournament.state import DEAD_END, PUBLISHED, GivenBye, Pairing, Round, Stage, State

FINISH = "finish"
FREE = frozenset({"swiss", "round_robin"})      # whose pairings a referee may make


def begin(state: State, act: acts.Start, scene: Scene) -> Decided:
    """OP-18, LG-166 The stage that comes next with its first round; while one runs, its next round at once."""
    stage = current(state)
    if stage is None:
        raise Refused("wrong_state", "all stages are finished", [state.life])
    if stage.state == "running":
        return Decided(round_now(state, stage, scene, publish=state.settings.auto_start))
    if not scene.actor.roles & acts.OFFICIALS:
        raise Refused("not_allowed", "an organiser starts a stage", sorted(acts.OFFICIALS))
    unpaused(state)
    events: list[Happened] = [*(taken_out(state, scene) if stage.number == 1 else ())]
    state = grown(state, events)
    events += started_stage(state, state.stages[stage.number - 1], scene, accept_imbalance=act.accept_imbalance)
    return Decided(tuple(events))


def started_stage(state: State, stage: Stage, scene: Scene, *, accept_imbalance: bool) -> tuple[Happened, ...]:
    first = start(state, stage, scene, accept_imbalance=accept_imbalance)
    state = grown(state, [first])
    return (first, *next_events(state, state.stages[stage.number - 1], scene, publish=state.settings.auto_start))


def publish(state: State, _act: acts.Publish, scene: Scene) -> Decided:
    """OP-19, LG-166 The drafted round, or the next one at once."""
    stage = running(state)
    if stage is None:
        raise Refused("wrong_state", "no stage runs", [state.life])
    return Decided(round_now(state, stage, scene))


def round_now(state: State, stage: Stage, scene: Scene, *, publish: bool = True) -> tuple[Happened, ...]:
    """LG-166, LG-170, LG-172, LG-211 A round that runs already is the answer to whoever wants to start one."""
    if stage.drafted is not None and not publish:
        return ()
    unpaused(state)
    if stage.drafted is not None:
        return (published_draft(state, stage, scene),)
    latest = stage.rounds[-1] if stage.rounds else None
    if latest is not None and latest.state == PUBLISHED:
        unconfirmed = [str(At(stage.number, latest.number, table)) for table in sorted(latest.open_reports)]
        if unconfirmed:
            raise Refused("results_unconfirmed", "results of this round are not confirmed", unconfirmed)
        return ()
    if stage.over or stage.draining:
        raise Refused("no_more_rounds", "the stage has no further round", [len(stage.rounds)])
    events = next_events(state, stage, scene, publish=publish)
    refuse(events, stage)
    return events


def unpaused(state: State) -> None:
    """LG-179 No new round in a pause, whoever asks for it."""
    if state.paused_at is not None:
        raise Refused("wrong_state", "paused", ["paused"])


def refuse(events: Sequence[Happened], stage: Stage) -> None:
    """OP-19 Whoever asks is told why there is no round; by itself the stage would wait or end."""
    if stage.waits and not events:
        raise Refused("no_pairing" if stage.waits == DEAD_END else stage.waits, "no round can be made", [way.option for way in stage.ways])
    for event in events:
        if isinstance(event, StageOver) and event.why == "played":
            raise Refused("no_more_rounds", "all planned rounds are made", [len(stage.rounds)])


def published_draft(state: State, stage: Stage, scene: Scene) -> RoundPublished:
    """LG-163, LG-232 The draft as it is; who left or returned since it was made is absent."""
    draft = stage.drafted
    assert draft is not None
    away = set(stage.fickle)
    pairings = tuple(without_away(state, stage, pairing, away, scene.at) for pairing in shelf.every(draft.pairings))
    away -= {number for pairing in pairings for number in pairing.numbers if pairing.state == "ready"}
    byes = tuple(replace(bye, kind=ABSENT, points="0") if bye.number in away else bye for bye in draft.byes)
    if has_absences(state, stage):
        placed = {number for pairing in pairings if pairing.state != "void" for number in pairing.numbers} | {bye.number for bye in byes}
        byes += tuple(GivenBye(number, ABSENT) for number in sorted(away - placed))
    return RoundPublished(
        at=scene.at, by=scene.actor.account, stage=stage.number, round=draft.number, pairings=with_matches(state, stage, pairings, scene),
        byes=byes, rests=draft.rests, absent=tuple(sorted({*draft.absent, *away})), notes=draft.notes, option=draft.option,
        inputs_hash=draft.inputs_hash, cut_off=draft.cut_off, deadline=deadline_of(state, scene.at), made_before=draft.made)


def without_away(state: State, stage: Stage, pairing: Pairing, away: Collection[int], at: int) -> Pairing:
    """LG-232 A table of two is decided; at a larger one the others play without them.

    LG-271 Where they would be too few for a table of this stage, the seats stay, and whoever is missing is a no-show (LG-673).
    """
    here = tuple(number for number in pairing.numbers if number not in away)
    if len(here) == len(pairing.numbers) or pairing.state != "ready":
        return pairing
    if not here and rules_of(state.settings, stage).format not in BRACKETS:          # LG-679
        return replace(pairing, state="void", decided_at=at)
    if len(here) < 2:
        game = forfeited(pairing.numbers, set(pairing.numbers) - set(here))
        return replace(pairing, state="walkover", kind=game.kind, games=(game,), decided_at=at)
    return replace(pairing, numbers=here) if len(here) >= rules_of(state.settings, stage).seats.least else pairing


def drafted(state: State) -> tuple[Stage, Round]:
    """OP-20 to OP-22 need a round that only officials have seen."""
    stage = running(state)
    if stage is None:
        raise Refused("wrong_state", "no stage runs", [state.life])
    if stage.drafted is None:
        raise Refused("frozen", "no round is drafted; a published one stays", [len(stage.rounds)])
    return stage, stage.drafted


def pair_again(state: State, act: acts.PairAgain, scene: Scene) -> Decided:
    """OP-20, LG-920 From what is known now, with the byes that were moved."""
    said = reason(act.reason)
    stage, _ = drafted(state)
    found, made = asked(state, stage, scene)
    if isinstance(made, Waits):
        return Decided(waiting(state, stage, made, scene))
    if isinstance(made, Over):
        raise Refused("no_more_rounds", "all planned rounds are made", [len(stage.rounds)])
    return Decided((drafted_round(state, stage, scene, (found, made), said),))


def upload(state: State, act: acts.Upload, scene: Scene) -> Decided:
    """OP-21, LG-658, LG-924 A referee's pairing in the place of the engine's; who is not listed is absent."""
    stage = running(state)
    if stage is None or (stage.drafted is None and next(open_rounds(stage), None) is not None):
        raise Refused("frozen", "a round is published", [len(stage.rounds) if stage else 0])
    if stage.over or (stage.planned_rounds is not None and len(stage.rounds) >= stage.planned_rounds):
        raise Refused("no_more_rounds", "all planned rounds are made", [len(stage.rounds)])
    by_hand(state, stage)
    found = facts(state, stage, scene.seed, scene.at, blocked(state, stage, scene))
    made = uploaded(state, stage, act, found)
    return Decided((drafted_round(state, stage, scene, (found, made), act.reason or "uploaded"),))


def by_hand(state: State, stage: Stage) -> None:
    """In brackets, groups, arenas and ladders everybody's place follows from results; a hand would break what rests on it."""
    form = rules_of(state.settings, stage).format
    if form not in FREE:
        raise Refused("bad_setting", "the pairings of this format follow from its results", [form])


def uploaded(state: State, stage: Stage, act: acts.Upload, found: Facts) -> Drafted:
    """LG-658 Each entrant at most once, at a table of a size that is allowed; a full bye has a reason."""
    rules = rules_of(state.settings, stage)
    names = [*(account for table in act.tables for account in table), *(bye.account for bye in act.byes)]
    numbers = {account: number_in(stage, state, account) for account in names}
    faults = [f"{account}: not in this stage" for account, number in numbers.items() if number is None or number not in found.available]
    faults += [f"{account}: twice" for account in sorted({one for one in names if names.count(one) > 1})] if len(set(names)) < len(names) else []
    faults += [f"a table of {len(table)}" for table in act.tables if not max(2, rules.seats.least) <= len(table) <= rules.seats.most]
    faults += [f"{bye.account}: a bye of this kind needs a reason" for bye in act.byes if bye.kind in {FULL, GIVEN_HALF} and not bye.reason]
    if faults:
        raise Refused("bad_setting", "the pairing does not fit", faults)
    known = {account: number for account, number in numbers.items() if number is not None}
    tables = tuple(Draft(tuple(known[account] for account in table), why={"rule": "uploaded"}) for table in act.tables)
    byes = tuple(Bye(known[bye.account], bye.kind, worth(found, bye.kind)) for bye in act.byes)
    why = {known[bye.account]: bye.reason for bye in act.byes if bye.reason}
    return Drafted(tables, byes, notes=("pairing uploaded by a referee",), why_byes=why)


def worth(found: Facts, kind: str) -> Fraction:
    """LG-651 What a bye of this kind brings."""
    rules = scoring(found.rules)
    match kind:
        case "allocated":
            return bye_points(rules)
        case "full":
            return first_place(rules)
        case "half" | "given_half":
            return draw_points(rules)
        case _:
            return Fraction(0)


def swap(state: State, act: acts.Swap, scene: Scene) -> Decided:
    """OP-22, LG-657 Two entrants of a drafted round change places; one of them may have the bye."""
    stage, draft = drafted(state)
    by_hand(state, stage)
    one, other = (number_in(stage, state, account) for account in (act.account, act.other))
    if one is None or other is None or one == other:
        raise Refused("bad_setting", "two different entrants of this stage", [act.account, act.other])
    for pairing in shelf.every(draft.pairings):
        if {one, other} & set(pairing.numbers):
            not_own(state, stage, pairing, scene)
    for bye in draft.byes:
        if bye.number in {one, other}:
            not_own_entrant(state, stage, bye.number, scene)
    places = {number for pairing in shelf.every(draft.pairings) for number in pairing.numbers}
    byes = {bye.number: bye for bye in draft.byes if bye.kind == ALLOCATED}
    if not {one, other} <= places | set(byes):
        raise Refused("is_bye", "only an allocated bye can be moved", [act.account, act.other])
    lost = [account for account, number in ((act.account, one), (act.other, other))
            if any(number in pairing.numbers for pairing in shelf.every(draft.pairings) if pairing.games)]
    if lost:
        raise Refused("bad_setting", "that table is decided already, since somebody has left", lost)
    found = facts(state, stage, scene.seed, scene.at, blocked(state, stage, scene))
    if {one, other} & set(byes):
        made = bye_moved(state, stage, found, (one, other))
        away: tuple[int, ...] = ()
    else:
        made, away = exchanged(draft, {one: other, other: one}), stage.fickle
    event = drafted_round(state, stage, scene, (found, made), act.reason or "changed by a referee")
    return Decided((replace(event, fickle=away),))


def exchanged(draft: Round, change: dict[int, int]) -> Drafted:
    """OP-22 The rest of the draft stays as it is: tables that were lost as they were made, and the reasons of byes."""
    tables = tuple(Draft(tuple(change.get(number, number) for number in pairing.numbers), pairing.place,
                         {**pairing.why, "changed": True} if set(change) & set(pairing.numbers) else pairing.why, missing(pairing))
                   for pairing in shelf.every(draft.pairings))
    byes = tuple(Bye(bye.number, bye.kind, bye.worth) for bye in draft.byes if bye.kind != ABSENT)
    reasons = {bye.number: bye.reason for bye in draft.byes if bye.reason}
    return Drafted(tables, byes, draft.rests, (*draft.notes, "entrants exchanged by a referee"), draft.option, reasons)


def missing(pairing: Pairing) -> tuple[int, ...]:
    """LG-234 Who lost by not coming, as the pairing was made."""
    return tuple(seat.number for game in pairing.games for seat in game.seats if seat.how == NO_SHOW)


def bye_moved(state: State, stage: Stage, found: Facts, two: tuple[int, int]) -> Drafted:
    """LG-657 The round is paired again with exactly that bye and without the old one."""
    draft = stage.drafted
    assert draft is not None
    byes = {bye.number for bye in draft.byes if bye.kind == ALLOCATED}
    old, new = (two[0], two[1]) if two[0] in byes else (two[1], two[0])
    if old not in byes or new in byes:
        raise Refused("is_bye", "one of the two must have the bye", list(two))
    kept = byes - {old} | {new}
    asked_for = tuple(Bye(number, ALLOCATED, worth(found, ALLOCATED)) for number in sorted(kept))
    made = format_of(state, stage).draft(found._replace(available=found.available - kept, requested=found.requested), "")
    if not isinstance(made, Drafted) or any(bye.kind == ALLOCATED for bye in made.byes):
        raise Refused("no_pairing", "no pairing of the round has exactly that bye", list(two))
    others = tuple(bye for bye in made.byes if bye.number not in kept)
    return made._replace(byes=(*asked_for, *others), notes=(*made.notes, "bye moved by a referee"))


def choose(state: State, act: acts.Choose, scene: Scene) -> Decided:
    """OP-23, LG-426 The choice, its harm and its maker are an event; the round follows."""
    stage = running(state)
    if stage is None or stage.waits != DEAD_END:
        raise Refused("wrong_state", "the stage waits for no choice", [stage.waits if stage else state.life])
    way = next((one for one in stage.ways if one.option == act.option), None)
    if way is None:
        raise Refused("bad_setting", "no such way out", [one.option for one in stage.ways])
    chosen = WayChosen(at=scene.at, by=scene.actor.account, stage=stage.number, option=way.option, harm=way.harm, words=way.words)
    if way.option == FINISH:
        return Decided((chosen, StageOver(at=scene.at, stage=stage.number, why=DEAD_END)))
    unpaused(state)
    state = grown(state, [chosen])
    return Decided((chosen, *next_events(state, state.stages[stage.number - 1], scene, publish=state.settings.auto_start, option=way.option)))
