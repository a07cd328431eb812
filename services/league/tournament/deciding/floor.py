"""Who is ready in an arena, who challenges whom on a ladder, and who stands on which rung?"""

from __future__ import annotations

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.stages import ladder
from services.league.stages.facts import Challenge as StageChallenge
from services.league.stages.rules import StageRules
from services.league.tournament import acts
from services.league.tournament.events.rounds import Answered, Challenged, Readied, RungsSet
from services.league.tournament.facts import blocked, facts
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
    if scene.actor.account not in {(asking := entrant_of(state, stage, challenger)).account, asking.owner}:
        raise Refused("not_allowed", "everybody challenges for themselves", [act.account])
    others = tuple(member(state, stage, account) for account in (act.account, *act.others))
    table = 1 + len(others)
    if len({challenger, *others}) < table or not max(2, rules.seats.least) <= table <= rules.seats.most:
        raise Refused("bad_setting", "so many do not make a table", [table])
    asked = StageChallenge(challenger, others, scene.at)
    waiting = [StageChallenge(one.challenger, one.challenged, one.at) for one in stage.challenges]
    engaged = [number for number in (challenger, *others) if is_busy(stage, number)]
    if engaged:
        raise Refused("engaged", "in a match", engaged)
    ladder.checked_challenge(facts(state, stage, scene.seed, scene.at, blocked(state, stage, scene)), asked, waiting)
    return Decided((Challenged(at=scene.at, by=scene.actor.account, stage=stage.number, challenger=challenger, challenged=others),))


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
