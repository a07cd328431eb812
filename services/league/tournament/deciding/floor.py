"""Who is ready in an arena, who challenges whom on a ladder, and who stands on which rung?"""

from __future__ import annotations

from services.league.formats import ladder
from services.league.kind import SELF, Decided, Scene
from services.league.refusals import Refused
from services.league.stages.rules import StageRules
from services.league.tournament import acts, shelf, times
from services.league.tournament.deciding.stages import standing
from services.league.tournament.events.rounds import Answered, Challenged, Readied, RungsSet
from services.league.tournament.legal import all_named, own_account, reason
from services.league.tournament.looking import account_of, entrant_of, number_in, open_places, rules_of, running
from services.league.tournament.state import ENTERED, Challenge, Stage, State


def floor_of(state: State, form: str) -> tuple[Stage, StageRules]:
    stage = running(state)
    rules = rules_of(state.settings, stage) if stage else None
    if stage is None or rules is None or rules.format != form or stage.over or stage.draining:
        raise Refused("wrong_state", f"no {form} runs", [state.life])
    return stage, rules


def member(state: State, stage: Stage, account: str) -> int:
    number = number_in(stage, state, account)
    if number is None or entrant_of(state, stage, number).state != ENTERED:
        raise Refused("wrong_state", "not among those who take part", [account])
    return number


def is_busy(stage: Stage, number: int) -> bool:
    return any(number in pairing.numbers for _, pairing in open_places(stage))


def ready(state: State, act: acts.Ready, scene: Scene) -> Decided:
    """LG-521, LG-526 OP-39."""
    stage, _ = floor_of(state, "arena")
    number = member(state, stage, own_account(act, scene))
    if is_busy(stage, number):
        raise Refused("engaged", "in a match", [own_account(act, scene)])
    done = () if number in stage.ready else (Readied(at=scene.at, by=scene.actor.account, stage=stage.number, number=number),)
    return Decided(done)


def rest(state: State, act: acts.Rest, scene: Scene) -> Decided:
    """LG-521 OP-39."""
    stage, _ = floor_of(state, "arena")
    number = member(state, stage, own_account(act, scene))
    if is_busy(stage, number):
        raise Refused("engaged", "in a match", [own_account(act, scene)])
    done = (Readied(at=scene.at, by=scene.actor.account, stage=stage.number, number=number, ready=False),) if number in stage.ready else ()
    return Decided(done)


def challenge(state: State, act: acts.ChallengeAct, scene: Scene) -> Decided:
    """LG-542, LG-545, LG-547 OP-40."""
    stage, rules = floor_of(state, "ladder")
    challenger = member(state, stage, act.challenger or scene.actor.account)
    if SELF not in scene.actor.roles:
        raise Refused("not_allowed", "everybody challenges for themselves", [act.account])
    others = tuple(member(state, stage, account) for account in (act.account, *act.others))
    table = 1 + len(others)
    if len({challenger, *others}) < table or not max(2, rules.seats.least) <= table <= rules.seats.most:
        raise Refused("bad_setting", "so many do not make a table", [table])
    rungs = rungs_of(state, stage, scene)
    for other in others:
        check_challenge(stage, rules, rungs, (challenger, other), scene)
    return Decided((Challenged(at=scene.at, by=scene.actor.account, stage=stage.number, challenger=challenger, challenged=others),))


def rungs_of(state: State, stage: Stage, scene: Scene) -> tuple[str, ...]:
    """LG-541 From the top."""
    lines = [line for line in standing(state, stage, scene.seed) if line.rank is not None]
    return tuple(str(line.number) for line in sorted(lines, key=lambda line: line.rank or 0))


def check_challenge(stage: Stage, rules: StageRules, rungs: tuple[str, ...], two: tuple[int, int], scene: Scene) -> None:
    """LG-542, LG-547 At a table of three or more everybody within reach may be asked, above or below."""
    for number in two:
        if is_busy(stage, number):
            raise Refused("engaged", "in a match", [number])
    asked = ladder.Challenge(str(two[0]), str(two[1]), scene.at)
    open_ones = [ladder.Challenge(str(one.challenger), str(other), one.at) for one in stage.challenges for other in one.challenged]
    limits = ladder.Rules(rules.reach, rules.cool_down * times.SECOND, rules.answer_time * times.SECOND, rules.move)
    ladder.challenged(rungs, asked, open_ones, played_at(stage), limits)


def played_at(stage: Stage) -> dict[frozenset[str], int]:
    """LG-547 When two have played each other last."""
    found: dict[frozenset[str], int] = {}
    for one in stage.rounds:
        for pairing in shelf.every(one.pairings):
            if pairing.state == "confirmed":
                for number in pairing.numbers:
                    for other in pairing.numbers:
                        if number < other:
                            two = frozenset((str(number), str(other)))
                            found[two] = max(found.get(two, 0), pairing.decided_at)
    return found


def answer(state: State, act: acts.Answer, scene: Scene) -> Decided:
    """LG-543 OP-40 A refusal is a forfeit by the challenged."""
    stage, _ = floor_of(state, "ladder")
    number = member(state, stage, own_account(act, scene))
    known = next((one for one in stage.challenges if number in one.challenged and one.state == "asked"), None)
    if known is None:
        raise Refused("wrong_state", "nobody has challenged", [own_account(act, scene)])
    return Decided((answered(stage, known, scene, yes=act.yes),))


def answered(stage: Stage, known: Challenge, scene: Scene, *, yes: bool) -> Answered:
    return Answered(at=scene.at, by=scene.actor.account, stage=stage.number, challenger=known.challenger, answer="accepted" if yes else "declined")


def set_rungs(state: State, act: acts.SetRungs, scene: Scene) -> Decided:
    """LG-925 OP-41."""
    said = reason(act.reason)
    stage, _ = floor_of(state, "ladder")
    known = {account_of(state, stage, number): number for number in range(1, len(stage.field) + 1)}
    all_named(act.order, known)
    return Decided((RungsSet(at=scene.at, by=scene.actor.account, stage=stage.number, order=tuple(known[one] for one in act.order), reason=said),))
