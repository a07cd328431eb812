"""Who may enter, leave, come back, check in, be replaced?"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from services.league.kind import SELF, Decided, Person, Scene
from services.league.refusals import Refused
from services.league.stages.rules import StageRules
from services.league.tournament import acts, shelf, times
from services.league.tournament.deciding.leaving import gone_from
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import (
    ByeAsked,
    CheckedIn,
    Consented,
    Disqualified,
    Entered,
    InvitationAccepted,
    Invited,
    MovedUp,
    Returned,
    Substituted,
    Withdrawn,
)
from services.league.tournament.events.rounds import ByeGiven
from services.league.tournament.legal import not_own_entrant, own_account, reason
from services.league.tournament.looking import entrant, number_in, rules_of, running
from services.league.tournament.state import (
    CLOSED,
    DISQUALIFIED,
    ENTERED,
    OPEN,
    RUNNING,
    WAITING,
    WITHDRAWN,
    Entrant,
    GivenBye,
    Stage,
    State,
)
from services.league.withdrawals import late_entry_is_open

EVER = frozenset({"arena", "ladder"})           # LG-227 late entry at any time
RETURNING = EVER | {"swiss", "round_robin"}     # LG-233


def enter(state: State, act: acts.Enter, scene: Scene) -> Decided:
    """LG-221 to LG-229, LG-962 OP-06."""
    names = act.accounts or (own_account(act, scene),)
    if len(set(names)) < len(names):
        raise Refused("already_entered", "somebody is named twice", sorted({one for one in names if names.count(one) > 1}))
    late = joining(state, scene.at)
    return Decided(tuple(entering(state, account, act, scene, (late, ahead)) for ahead, account in enumerate(names)))


def entering(state: State, account: str, act: acts.Enter, scene: Scene, how: tuple[int | None, int]) -> Entered:
    """One of those who come in together; `how` says from which round on, and how many come in before it."""
    late, ahead = how
    person = known_person(scene, account)
    check_known(state, account)
    if SELF not in scene.actor.roles and not (person.invited or state.invited.get(account) == "accepted"):
        raise Refused("no_consent", "they have not accepted an invitation", [account])
    check_eligible(state, person)
    full = state.counted + ahead >= state.settings.most
    if full and not state.settings.waiting_list:
        raise Refused("full", "every place is taken", [state.settings.most])
    return Entered(at=scene.at, by=scene.actor.account, account=person.account, state=WAITING if full else ENTERED, person=person.kind,
                   owner=person.owner, rating=person.rating, club=act.club, team=act.team, country=act.country,
                   mixed=state.settings.opponents == "mixed", joins=late)


def known_person(scene: Scene, account: str) -> Person:
    person = scene.people.get(account)
    if person is None or not account:
        raise Refused("not_found", "there is no such account", [account])
    return person


def check_known(state: State, account: str) -> None:
    """LG-223, LG-228, LG-233 Who has a pairing number and withdrew comes back by returning: nobody ever has two numbers."""
    known = entrant(state, account)
    if known is None:
        return
    if known.state == DISQUALIFIED:
        raise Refused("eliminated", "disqualified", [known.account])
    if known.state in {ENTERED, WAITING} or (known.account == account and any(state.book.get(account) in stage.numbers for stage in state.stages)):
        raise Refused("already_entered", "this account takes part already", [known.account, known.state])


def joining(state: State, at: int) -> int | None:
    """LG-221, LG-227, LG-230 None while entry is open; later the round that a late entrant plays first."""
    if state.life == OPEN and not entry_is_over(state, at):
        return None
    stage = running(state)
    if stage is None or stage.number != 1 or state.life != RUNNING or stage.over:
        raise Refused("entry_closed", "entry is closed", [state.life])
    rules = rules_of(state.settings, stage)
    first = next_round(stage)
    if rules.format in EVER:
        return 1
    if rules.format != "swiss" or not late_entry_is_open(first, stage.planned_rounds or 0, rules.late_entry_until):
        raise Refused("entry_closed", "it is too late to come in", [first])
    return first


def next_round(stage: Stage) -> int:
    """LG-173 The next round whose cut-off has not passed."""
    return len(stage.rounds) + 1 + (stage.drafted is not None)


def entry_is_over(state: State, at: int) -> bool:
    until = state.settings.schedule.entry_until
    return bool(until) and at >= times.instant(until, state.settings.zone)[0]


def check_eligible(state: State, person: Person) -> None:
    """LG-225, LG-127, LG-961 Every condition that fails is named."""
    faults = [*unmet(state, person)]
    if faults:
        raise Refused("not_eligible", "not every condition of entry is met", faults)


def unmet(state: State, person: Person) -> Iterator[str]:
    asked = state.settings.conditions
    rating = Decimal(person.rating or 0)
    if person.kind == "automation":
        yield "automation"
    if person.suspended:
        yield "suspended"
    if person.kind == "bot" and state.settings.opponents == "humans":
        yield "humans only"
    if person.kind == "person" and state.settings.opponents == "bots":
        yield "bots only"
    if asked.rating_least and (not person.rating or rating < Decimal(asked.rating_least)):
        yield f"rating of at least {asked.rating_least}"
    if asked.rating_most and rating > Decimal(asked.rating_most):
        yield f"rating of at most {asked.rating_most}"
    if person.matches < asked.matches_least:
        yield f"{asked.matches_least} rated matches"
    if asked.members_only and not person.member:
        yield "members only"


def withdraw(state: State, act: acts.Withdraw, scene: Scene) -> Decided:
    """LG-231, LG-224 OP-07."""
    account = own_account(act, scene)
    said = act.reason if SELF in scene.actor.roles else reason(act.reason)
    known = present(state, account)
    gone = Withdrawn(at=scene.at, by=scene.actor.account, account=account, reason=said)
    return Decided((gone, *after_leaving(state, known, gone, scene)))


def present(state: State, account: str) -> Entrant:
    known = entrant(state, account)
    if known is None or known.state not in {ENTERED, WAITING}:
        raise Refused("wrong_state", "not among those who take part", [account, known.state if known else "unknown"])
    return known


def after_leaving(state: State, known: Entrant, gone: Withdrawn | Disqualified, scene: Scene) -> tuple[Happened, ...]:
    """LG-224, LG-231, LG-679 The first of the queue moves up before the first round; later open pairings are decided."""
    left = [account for account in state.queue if account != known.account]
    free = known.state == ENTERED and bool(left) and state.counted <= state.settings.most
    if state.life != RUNNING:
        return (MovedUp(at=scene.at, account=left[0]),) if free else ()
    if free and number_in(state.stages[0], state, known.account) is not None and not state.stages[0].rounds:
        return (MovedUp(at=scene.at, account=left[0], instead_of=known.account),)
    return gone_from(state, known.account, gone, scene)


def back(state: State, act: acts.Return, scene: Scene) -> Decided:
    """LG-232, LG-233 OP-08."""
    account = own_account(act, scene)
    known = entrant(state, account)
    if known is not None and known.state == DISQUALIFIED:
        raise Refused("eliminated", "disqualified", [account])
    if known is None or known.state != WITHDRAWN:
        raise Refused("wrong_state", "only who has withdrawn can return", [account])
    stage = running(state)
    joins = None
    if stage is not None:
        check_return(state, stage, account)
        joins = joining(state, scene.at) if number_in(stage, state, account) is None else None
    if full_for(state, account):
        raise Refused("full", "every place is taken", [state.settings.most])
    return Decided((Returned(at=scene.at, by=scene.actor.account, account=account, joins=joins),))


def full_for(state: State, account: str) -> bool:
    """LG-224 Whoever has a number in the stage that runs has a place in it."""
    stage = running(state)
    return state.counted >= state.settings.most and (stage is None or number_in(stage, state, account) is None)


def check_return(state: State, stage: Stage, account: str) -> None:
    if rules_of(state.settings, stage).format not in RETURNING:
        raise Refused("eliminated", "nobody returns to a bracket", [account])


def check_in(state: State, act: acts.CheckIn, scene: Scene) -> Decided:
    """LG-226 OP-09."""
    account = own_account(act, scene)
    known = present(state, account)
    window = check_in_window(state)
    if state.life not in {OPEN, CLOSED} or window is None or not window[0] <= scene.at < window[1]:
        raise Refused("entry_closed", "check-in is not open", [*(window or ())])
    done = () if known.checked_in else (CheckedIn(at=scene.at, by=scene.actor.account, account=account),)
    return Decided(done)


def check_in_window(state: State) -> tuple[int, int] | None:
    """LG-226 From when to when; without a planned start, until somebody starts."""
    schedule = state.settings.schedule
    if schedule.check_in is None:
        return None
    if not schedule.starts:
        return 0, 2**62
    start = times.instant(schedule.starts, state.settings.zone)[0]
    return start - times.length(schedule.check_in.opens), start - times.length(schedule.check_in.closes)


def consent(state: State, act: acts.Consent, scene: Scene) -> Decided:
    """LG-962 OP-44."""
    account = own_account(act, scene)
    known = present(state, account)
    return Decided(() if known.mixed else (Consented(at=scene.at, by=scene.actor.account, account=account),))


def request_bye(state: State, act: acts.RequestBye, scene: Scene) -> Decided:
    """LG-236 OP-10."""
    account = own_account(act, scene)
    present(state, account)
    stage = running(state) or state.stages[0]
    rules = rules_of(state.settings, stage)
    number = number_in(stage, state, account)
    key = number if number is not None else -1 - (state.book.get(account) or 0)
    check_bye(stage, rules, act, key)
    return Decided((ByeAsked(at=scene.at, by=scene.actor.account, account=account, stage=stage.number, round=act.round, bye=act.bye),))


def check_bye(stage: Stage, rules: StageRules, act: acts.RequestBye, key: int) -> None:
    """LG-236 Before the cut-off, within the limit of half byes, not in the last round."""
    planned = stage.planned_rounds or 0
    halves = sum(bye.kind == "half" for one in stage.rounds for bye in one.byes if bye.number == key)
    halves += sum(byes.get(key) == "half" for number, byes in stage.asked.items() if number > len(stage.rounds) and number != act.round)
    if rules.format != "swiss" or act.round < next_round(stage) or act.round > planned:
        raise Refused("bye_not_allowed", "no bye can be asked for in this round", [act.round])
    if act.bye != "none" and act.round == planned:
        raise Refused("bye_not_allowed", "not in the last round", [act.round])
    if act.bye == "half" and halves >= rules.half_byes:
        raise Refused("bye_not_allowed", "no more half byes", [rules.half_byes])


def give_bye(state: State, act: acts.GiveBye, scene: Scene) -> Decided:
    """LG-124, LG-651 A full or half bye by a referee, with a reason, and never the own one."""
    said = reason(act.reason)
    stage = running(state)
    number = number_in(stage, state, act.account) if stage else None
    if stage is None or number is None:
        raise Refused("wrong_state", "the stage does not run, or they are not in it", [act.account])
    not_own_entrant(state, stage, number, scene)
    if act.round < next_round(stage):
        raise Refused("frozen", "that round is made", [act.round])
    return Decided((ByeGiven(at=scene.at, by=scene.actor.account, stage=stage.number, round=act.round,
                             bye=GivenBye(number, act.bye, "0", said)),))


def invite(state: State, act: acts.Invite, scene: Scene) -> Decided:
    """OP-13."""
    known_person(scene, act.account)
    return Decided(() if act.account in state.invited else (Invited(at=scene.at, by=scene.actor.account, account=act.account),))


def accept_invitation(state: State, act: acts.AcceptInvitation, scene: Scene) -> Decided:
    """LG-222 OP-13."""
    account = own_account(act, scene)
    if account not in state.invited:
        raise Refused("wrong_state", "there is no invitation", [account])
    done = state.invited[account] == "accepted"
    return Decided(() if done else (InvitationAccepted(at=scene.at, by=scene.actor.account, account=account),))


def substitute(state: State, act: acts.Substitute, scene: Scene) -> Decided:
    """LG-230 OP-11 Only for somebody who has played nothing."""
    said = reason(act.reason)
    known, person = present(state, act.account), known_person(scene, act.by)
    check_known(state, act.by)
    check_eligible(state, person)
    for stage in state.stages:
        number = number_in(stage, state, act.account)
        if number is not None and has_played(stage, number):
            raise Refused("wrong_state", "they have played", [act.account])
    return Decided((Substituted(at=scene.at, by=scene.actor.account, account=known.account, by_account=person.account, person=person.kind,
                                owner=person.owner, rating=person.rating, reason=said),))


def has_played(stage: Stage, number: int) -> bool:
    return any(pairing.games or pairing.state in {"running", "reported"} for one in stage.rounds for pairing in shelf.every(one.pairings)
               if number in pairing.numbers)
