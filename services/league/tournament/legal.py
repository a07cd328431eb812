"""Who may ask for what, and in which state of the tournament? What is refused here has not been looked at any further."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.league.kind import LEAGUE, SELF, Scene
from services.league.refusals import Refused
from services.league.tournament import acts
from services.league.tournament.boards import behind
from services.league.tournament.looking import entrant, entrant_of, rules_of
from services.league.tournament.shelf import every
from services.league.tournament.state import CANCELLED, CLOSED, DRAFT, FINISHED, OPEN, REPLACED, RUNNING, Pairing, Stage, State

LIVE = frozenset({DRAFT, OPEN, CLOSED, RUNNING})
ALL = LIVE | {FINISHED, CANCELLED}
WHEN: Mapping[type[acts.Asked], frozenset[str]] = {                # what is not named here may be asked while the tournament lives
    acts.Open: frozenset({DRAFT}),
    acts.Enter: ALL,                                               # the answer is `entry_closed`, not `wrong_state`
    acts.CheckIn: ALL,
    acts.Withdraw: frozenset({OPEN, CLOSED, RUNNING}),
    acts.LineUp: frozenset({OPEN, CLOSED, RUNNING}),
    acts.Return: frozenset({OPEN, CLOSED, RUNNING}),
    acts.ImportEntrants: ALL,                                      # `frozen`
    acts.Close: frozenset({OPEN}),
    acts.Seed: frozenset({CLOSED}),
    acts.NewSeed: frozenset({OPEN, CLOSED}),
    acts.Start: frozenset({CLOSED, RUNNING}),
    **dict.fromkeys([
        acts.Publish, acts.PairAgain, acts.Upload, acts.Swap, acts.Choose, acts.RecordMatch, acts.MatchStarted, acts.Report, acts.Result,
        acts.Forfeit, acts.Void, acts.Replay, acts.Extend, acts.End, acts.Ready, acts.Rest, acts.ChallengeAct, acts.Answer,
        acts.SetRungs, acts.Pause, acts.Resume, acts.Appoint, acts.Agree,
    ], frozenset({RUNNING})),
    **dict.fromkeys([acts.Preview, acts.Correct, acts.Confirm, acts.Undo, acts.RatingOnly], frozenset({RUNNING, FINISHED})),
    **dict.fromkeys([acts.PlanAct, acts.ForecastAct, acts.Explain, acts.Ties, acts.Export, acts.Signals], ALL),
    acts.RecordMatch: ALL,                                         # PL-256: a late record is stored as not counted
    acts.MatchStarted: ALL,
    acts.Outage: ALL,
    acts.Set: LIVE,
}
VERSIONED = frozenset({acts.PairAgain, acts.Upload, acts.Swap, acts.Choose, acts.Seed, acts.Correct, acts.Undo})     # LG-144


def check(state: State, act: acts.Asked, scene: Scene) -> None:
    """LG-131 Role, state, expected version, in this order; the first that fails gives the code."""
    check_role(act, scene)
    allowed = WHEN.get(type(act), LIVE)
    if state.life not in allowed:
        raise Refused("wrong_state", f"the tournament is {state.life}", [state.life])
    check_version(state, act)


def check_role(act: acts.Asked, scene: Scene) -> None:
    """LG-121 to LG-123, LG-128, LG-130."""
    actor, who = scene.actor, act.who
    if acts.ANYBODY in who:
        return
    if acts.CLOCK in who:
        allowed = actor.account == LEAGUE
    elif isinstance(act, acts.OfAccount) and SELF not in actor.roles:
        allowed = bool(act.for_others & actor.roles)
    else:
        allowed = bool(who & actor.roles)
    person = scene.people.get(actor.account)
    if not allowed or (person is not None and person.kind == "bot" and not act.bots):
        raise Refused("not_allowed", "this needs another role", sorted(who))


def check_version(state: State, act: acts.Asked) -> None:
    """LG-144 What rests on something seen says which version was seen."""
    if act.expected_version is None and type(act) in VERSIONED:
        raise Refused("malformed", "expected_version is missing", ["expected_version"])
    if act.expected_version is not None and act.expected_version != state.version:
        raise Refused("version_conflict", "something has changed since", [state.version])


def reason(text: str, least: int = 1) -> str:
    """LG-913, OP-20 and others: what changes facts says why."""
    if len(text.strip()) < least:
        raise Refused("reason_missing", f"a reason of at least {least} characters" if least > 1 else "a reason", ["reason"])
    return text.strip()


def not_own(state: State, stage: Stage, pairing: Pairing, scene: Scene) -> None:
    """LG-124 Nobody decides about their own pairing, nor about that of their team or bot."""
    for number in pairing.numbers:
        not_own_entrant(state, stage, number, scene)


def not_own_entrant(state: State, stage: Stage, number: int, scene: Scene) -> None:
    """LG-124 The same for a round without a table."""
    one = entrant_of(state, stage, number)
    if scene.actor.account in behind(one) or (one.team and one.team == _team_of(state, scene.actor.account)):
        raise Refused("own_match", "a referee does not decide about an own entrant", [one.account])


def not_replaced(state: State, stage: Stage, pairing: Pairing) -> None:
    """LG-917 A void pairing of a bracket stays void once another one stands in its place."""
    brackets = rules_of(state.settings, stage).format in {"elimination", "double_elimination"}
    if pairing.state != "void" or not brackets:
        return
    instead = [f"{stage.number}/{one.number}/{other.table}" for one in stage.rounds for other in every(one.pairings)
               if other.place == pairing.place and other.state != "void"]
    if instead or pairing.reason == REPLACED:
        raise Refused("depends_on_played", "another pairing stands in its place", instead)


def _team_of(state: State, account: str) -> str | None:
    found = entrant(state, account)
    return found.team if found else None


def own_account(act: acts.OfAccount, scene: Scene) -> str:
    """Whom the act is about."""
    return act.account or scene.actor.account


def all_named(names: Iterable[str], known: Iterable[str]) -> None:
    """LG-252 Everybody once, and nobody else."""
    if sorted(names) != sorted(known):
        raise Refused("bad_setting", "the list must name every entrant once", ["order"])
