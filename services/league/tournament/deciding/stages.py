"""How does a stage begin, make its rounds and end?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from services.league.kind import Scene
from services.league.record import ABSENT
from services.league.refusals import Refused
from services.league.stages import qualified
from services.league.stages.facts import DEAD_END as DEAD_END_CODE
from services.league.stages.facts import LATER, Draft, Drafted, Facts, Over, Waits
from services.league.tournament import shelf, times
from services.league.tournament.boards import seater
from services.league.tournament.deciding.bars import impossible
from services.league.tournament.deciding.leaving import forfeited
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import MovedUp, Withdrawn
from services.league.tournament.events.life import Finished
from services.league.tournament.events.rounds import (
    LookAgain,
    RoundDrafted,
    RoundPublished,
    StageFinished,
    StageOver,
    StageStarted,
    StageWaits,
    lines_of,
)
from services.league.tournament.facts import blocked, facts, format_of, line_of
from services.league.tournament.looking import account_of, rules_of
from services.league.tournament.ranks import source_of, winners_of
from services.league.tournament.state import DEAD_END, ENTERED, NOT_ENOUGH, Bars, FrozenLine, GivenBye, Pairing, Stage, State, Way

FIXED = frozenset({"round_robin", "elimination", "double_elimination", "groups"})       # LG-226: who did not check in is taken out
Made = Drafted | Over | Waits


def missing(state: State) -> tuple[str, ...]:
    """LG-226 Who has not checked in."""
    if state.settings.schedule.check_in is None:
        return ()
    return tuple(one.account for one in shelf.every(state.entrants) if one.state == ENTERED and not one.checked_in)


def taken_out(state: State, scene: Scene) -> tuple[Happened, ...]:
    """LG-226 In fixed schedules they leave before the pairing."""
    if rules_of(state.settings, state.stages[0]).format not in FIXED:
        return ()
    gone = missing(state)
    places = max(0, state.settings.most - state.counted + len(gone))
    return (*(Withdrawn(at=scene.at, account=account, reason="has not checked in", rule="check_in") for account in gone),
            *(MovedUp(at=scene.at, account=account) for account in state.queue[:places]))


def field_of(state: State, stage: Stage, scene: Scene) -> tuple[str, ...]:
    """LG-251, LG-503, LG-504 The order of seeding, or who has qualified, without those who have gone since."""
    if stage.number == 1:
        return state.seeds
    source = source_of(state, stage)
    assert source is not None
    rules = rules_of(state.settings, stage)
    left = frozenset(number for number in range(1, len(source.field) + 1)
                     if shelf.at(state.entrants, source.field[number - 1]).state != ENTERED)
    ahead = in_finals_ahead(state, stage, source)
    numbers = qualified(facts(state, source, scene.seed), tuple(map(line_of, source.lines)), rules.takes, left - ahead)
    return tuple(account_of(state, source, number) for number in numbers if number not in left | ahead)


def in_finals_ahead(state: State, stage: Stage, source: Stage) -> frozenset[int]:
    """LG-505 Who has gone to a final of better ranks already: their ranks are taken, whether they are still here or not."""
    def first(one: Stage) -> int:
        takes = rules_of(state.settings, one).takes
        return takes.first if takes else 1

    finals = (one for one in state.stages if one.field and one.number != stage.number and source_of(state, one) is source and first(one) < first(stage))
    return frozenset(number for one in finals for place in one.field if (number := source.numbers.get(place)) is not None)


def start(state: State, stage: Stage, scene: Scene, *, accept_imbalance: bool) -> StageStarted:
    """LG-328, LG-481 OP-18."""
    accounts = field_of(state, stage, scene)
    if len(accounts) < least(state, stage):
        raise Refused("not_enough_players", "too few to start", [len(accounts)])
    event = StageStarted(at=scene.at, by=scene.actor.account, stage=stage.number, accounts=accounts, planned_rounds=stage.planned_rounds)
    if not accept_imbalance and len(accounts) <= 2_000:
        started = event.change(state)
        found = format_of(state, stage).plan(facts(started, started.stages[stage.number - 1], scene.seed, scene.at))
        if found.uneven:
            raise Refused("imbalance_not_accepted", "two entrants meet more than once more often than two others", [found.least, found.most])
    return event


def least(state: State, stage: Stage) -> int:
    rules = rules_of(state.settings, stage)
    return max(2, rules.seats.least) if rules.format == "elimination" else 2


def asked(state: State, stage: Stage, scene: Scene, option: str = "") -> tuple[Facts, Made]:
    """What the format says to the next round."""
    found = facts(state, stage, scene.seed, scene.at, blocked(state, stage, scene))
    return found, format_of(state, stage).draft(found, option)


def next_events(state: State, stage: Stage, scene: Scene, *, publish: bool, option: str = "") -> tuple[Happened, ...]:
    """LG-165 The next round, or why there is none."""
    found, made = asked(state, stage, scene, option)
    if isinstance(made, Over):
        return (StageOver(at=scene.at, stage=stage.number, why=made.why, void_at=made.void_at),)
    if isinstance(made, Waits):
        return waiting(state, stage, made, scene)
    if publish:
        return (published_round(state, stage, scene, (found, made)),)
    return (drafted_round(state, stage, scene, (found, made)),)


def waiting(state: State, stage: Stage, made: Waits, scene: Scene) -> tuple[Happened, ...]:
    """LG-174, LG-421 It never stops silently, and says the same only once."""
    if made.code == LATER:
        beat = rules_of(state.settings, stage).beat * times.SECOND
        return (LookAgain(at=scene.at, stage=stage.number, look_at=scene.at + beat),)
    code = DEAD_END if made.code == DEAD_END_CODE else NOT_ENOUGH
    ways = tuple(Way(one.option, one.harm, one.words) for one in made.options)
    if (stage.waits, stage.ways) == (code, ways):
        return ()
    return (StageWaits(at=scene.at, stage=stage.number, code=code, ways=ways),)


def drafted_round(state: State, stage: Stage, scene: Scene, made: tuple[Facts, Drafted], reason: str = "") -> RoundDrafted:
    body = round_body(state, stage, scene, made)
    return RoundDrafted(at=scene.at, by=scene.actor.account, reason=reason, **body)


def published_round(state: State, stage: Stage, scene: Scene, made: tuple[Facts, Drafted]) -> RoundPublished:
    body = round_body(state, stage, scene, made)
    body["pairings"] = with_matches(state, stage, body["pairings"], scene)
    return RoundPublished(at=scene.at, by=scene.actor.account, deadline=deadline_of(state, scene.at), **body)


def with_matches(state: State, stage: Stage, pairings: Sequence[Pairing], scene: Scene, number: int = 0) -> tuple[Pairing, ...]:
    """LG-167 One match for each pairing that is to be played, or for each board; LG-308 no more for one entrant than may be open."""
    if state.settings.reporting or state.settings.appointments:
        return tuple(pairings)
    if state.settings.by_boards:
        seated = seater(state, stage, scene, number or len(stage.rounds) + 1)
        return tuple(seated(pairing) if pairing.state == "ready" else pairing for pairing in pairings)
    free = places_free(state, stage)
    return tuple(replace(pairing, match=scene.fresh("m"), since=scene.at) if pairing.state == "ready" and free(pairing) else pairing for pairing in pairings)


def places_free(state: State, stage: Stage) -> Callable[[Pairing], bool]:
    """LG-308 Tells for one pairing after the other whether its match may begin, and counts it."""
    rules = rules_of(state.settings, stage)
    if not rules.any_order:
        return lambda _pairing: True
    busy: dict[int, int] = {}

    def take(pairing: Pairing) -> bool:
        if any(busy.get(number, 0) >= rules.open_matches for number in pairing.numbers):
            return False
        for number in pairing.numbers:
            busy[number] = busy.get(number, 0) + 1
        return True

    for one in stage.rounds:
        for pairing in shelf.every(one.pairings):
            if pairing.match:
                take(pairing)
    return take


def deadline_of(state: State, at: int) -> int | None:
    """LG-878, LG-882 The round's deadline or the match's, whichever comes first."""
    schedule = state.settings.schedule
    spans = [span for span in (schedule.round_deadline, schedule.match_deadline) if span]
    hours = schedule.playing_hours
    if hours is not None:
        return min((times.within_hours(at, times.length(span), (hours.opens, hours.closes), state.settings.zone) for span in spans), default=None)
    return min((times.after(at, span, state.settings.zone) for span in spans), default=None)


def round_body(state: State, stage: Stage, scene: Scene, made: tuple[Facts, Drafted]) -> dict[str, Any]:
    """LG-165, LG-1023 All that a round says, drafted or published."""
    found, drafted = made
    number = len(stage.rounds) + 1
    pairings = tuple(pairing_of(table, one, scene.at) for table, one in enumerate(drafted.pairings, start=1))
    byes = tuple(GivenBye(bye.number, bye.kind, str(bye.points), drafted.why_byes.get(bye.number, "")) for bye in drafted.byes)
    seen = {one for pairing in pairings for one in pairing.numbers} | {bye.number for bye in byes} | set(drafted.rests)
    absent = tuple(one for one in found.field if one not in seen and found.joined.get(one, 1) <= number and one not in found.barred)
    if has_absences(state, stage):
        byes += tuple(GivenBye(one, ABSENT) for one in absent)
    return {
        "stage": stage.number, "round": number, "pairings": pairings, "byes": byes, "rests": drafted.rests, "absent": absent,
        "notes": drafted.notes, "option": drafted.option, "inputs_hash": fingerprint(found), "cut_off": scene.at,
    }


def has_absences(state: State, stage: Stage) -> bool:
    """LG-173 In a Swiss; fixed schedules have rests."""
    rules = rules_of(state.settings, stage)
    return rules.format == "swiss" or (rules.groups is not None and rules.groups.format == "swiss")


def pairing_of(table: int, one: Draft, at: int) -> Pairing:
    """Who is absent has lost as the pairing is made (LG-447)."""
    if not one.absent:
        return Pairing(table, one.numbers, place=one.place, why=dict(one.why))
    game = forfeited(one.numbers, one.absent)
    return Pairing(table, one.numbers, state="walkover", place=one.place, kind=game.kind, games=(game,), why=dict(one.why), decided_at=at)


def fingerprint(found: Facts) -> str:
    """LG-1022 What the pairing was computed from; the seed is in it, and cannot be read from it."""
    plain = found._replace(floor=found.floor._replace(now=0))
    listed = msgspec.to_builtins(plain, str_keys=True, enc_hook=_plain, order="deterministic")
    return hashlib.sha256(msgspec.json.encode(listed)).hexdigest()


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else dict(value)


def standing(state: State, stage: Stage, seed: bytes) -> tuple[FrozenLine, ...]:
    """LG-801 From confirmed results, byes and corrections; once frozen it is what was stored."""
    if stage.lines:
        return stage.lines
    return lines_of(format_of(state, stage).lines(facts(state, stage, seed)))


def finish(state: State, stage: Stage, scene: Scene) -> StageFinished:
    """LG-503, LG-806."""
    return StageFinished(at=scene.at, stage=stage.number, lines=standing(state, stage, scene.seed), revision=stage.revision + 1)


def finished(state: State, scene: Scene) -> Finished:
    """LG-180, LG-254."""
    winners, why = winners_of(state)
    return Finished(at=scene.at, winners=winners, why=why, seed=scene.seed.hex())


def check_bars(state: State, bars: Bars) -> None:
    """LG-953 The smallest set that shows it: entrants of whom no two may meet, too many for the tables of a round."""
    named = impossible(state, bars)
    if named:
        raise Refused("bad_setting", "no round can be made with these constraints", list(named))
