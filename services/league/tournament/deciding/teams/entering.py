"""How do teams come in, who speaks for them, and whom do they line up?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from services.league.kind import SELF, Decided, Person, Scene
from services.league.refusals import Refused
from services.league.stages import teams
from services.league.tournament import acts, shelf
from services.league.tournament.boards import team_of
from services.league.tournament.deciding import entry
from services.league.tournament.events.field import Entered
from services.league.tournament.events.teams import LineUpSet
from services.league.tournament.legal import own_account
from services.league.tournament.looking import entrant, rules_of, running
from services.league.tournament.state import ENTERED, WAITING, Entrant, Member, State

TEAM = "team"                                   # the kind of an entrant that is one
OTHERS = (acts.Enter, acts.Invite, acts.AcceptInvitation)      # acts about accounts, whatever team they are in


def enter(state: State, act: acts.Enter, scene: Scene) -> Decided:
    """LG-104, LG-971 OP-06 The captain enters the team, and everybody else in it has agreed."""
    known = state.settings.teams
    if known is None:
        if act.members or act.reserves:
            raise Refused("malformed", "no teams play here", ["members"])
        return entry.enter(state, act, scene)
    if act.accounts or not act.members or not act.team.strip():
        raise Refused("malformed", "a team has a name and members, in the order of the boards", ["team", "members"])
    return Decided(entering(state, act, scene))


def entering(state: State, act: acts.Enter, scene: Scene) -> tuple[Entered, ...]:
    captain = own_account(act, scene)
    team = checked(state, act, captain)
    everybody = (*team.members, *team.reserves)
    people = [entry.known_person(scene, account) for account in everybody]
    for person in people:
        check_free(state, person.account)
        entry.check_eligible(state, person)
    strangers = [*without_consent(state, people, captain, scene)]
    if strangers:
        raise Refused("no_consent", "they have not accepted an invitation", strangers)
    how = entry.joining(state, scene.at), state.settings.opponents == "mixed"
    places = 1 if state.settings.by_boards else len(everybody)
    full = state.counted + places > state.settings.most
    if full and (not state.settings.waiting_list or places > 1):
        raise Refused("full", "every place is taken", [state.settings.most])
    if state.settings.by_members:
        return tuple(apart(act, person, captain, scene, how) for person in people)
    return (together(act, (team, people), scene, how, full=full),)


def checked(state: State, act: acts.Enter, captain: str) -> teams.Team:
    """LG-971 Not larger than the tournament has it, and with a name of its own."""
    team = teams.checked(teams.Team(0, act.members, captain, act.reserves))
    size = state.settings.teams
    assert size is not None
    if len(team.members) > (size.size or size.boards) or len(team.reserves) > size.reserves:
        raise Refused("bad_setting", "more than a team may have", [size.size or size.boards, size.reserves])
    name = act.team.strip()
    if any(one.team == name and one.account != captain for one in shelf.every(state.entrants) if one.state in {ENTERED, WAITING}):
        raise Refused("already_entered", "another team has this name", [name])
    return team


def check_free(state: State, account: str) -> None:
    """LG-104 At most once, alone or in one team."""
    known = entrant(state, account)
    if known is not None and known.members and known.state in {ENTERED, WAITING}:
        raise Refused("already_entered", "this account is in a team already", [account, known.team])
    entry.check_known(state, account)


def without_consent(state: State, people: list[Person], captain: str, scene: Scene) -> Iterator[str]:
    """LG-222 One's own bots need not be asked."""
    own = {scene.actor.account} | {person.owner for person in people if person.account == captain and person.owner} if SELF in scene.actor.roles else set()
    for person in people:
        asked = person.invited or state.invited.get(person.account) == "accepted"
        if not asked and not own & {person.owner, person.account} and not (SELF in scene.actor.roles and person.account == captain):
            yield person.account


def together(act: acts.Enter, team: tuple[teams.Team, list[Person]], scene: Scene, how: tuple[int | None, bool], *, full: bool) -> Entered:
    """LG-972, LG-975 One entrant, without a rating; its account is its captain's."""
    known, people = team
    late, mixed = how
    members = tuple(Member(person.account, person.kind, person.owner) for person in people)
    size = len(known.members)
    return Entered(at=scene.at, by=scene.actor.account, account=known.captain, state=WAITING if full else ENTERED, person=TEAM, club=act.club,
                   team=act.team.strip(), country=act.country, mixed=mixed, joins=late, members=members[:size], reserves=members[size:])


def apart(act: acts.Enter, person: Person, captain: str, scene: Scene, how: tuple[int | None, bool]) -> Entered:
    """LG-974 Everybody on their own, under the name of the team."""
    late, mixed = how
    return Entered(at=scene.at, by=scene.actor.account, account=person.account, person=person.kind, owner=person.owner, rating=person.rating,
                   club=act.club, team=act.team.strip(), country=act.country, mixed=mixed, joins=late, captain=captain)


def check_captain(state: State, act: acts.Asked, scene: Scene) -> None:
    """OP-06, OP-45 What is asked about a team is asked in the name of its captain."""
    named = getattr(act, "account", "")
    name = named or (scene.actor.account if isinstance(act, acts.OfAccount) else "")
    known = entrant(state, name) if isinstance(name, str) and name and not isinstance(act, OTHERS) else None
    if known is not None and known.members and known.account != name:
        if isinstance(act, acts.OfAccount) and SELF in scene.actor.roles:
            raise Refused("not_allowed", "the captain speaks for the team", [known.account])
        raise Refused("not_found", "a team is named by its captain", [known.account])


def back(state: State, act: acts.Return, scene: Scene) -> Decided:
    """LG-233, LG-104 Not if somebody of the team plays elsewhere by now."""
    known = entrant(state, own_account(act, scene))
    for member in (*known.members, *known.reserves) if known else ():
        other = entrant(state, member.account)
        if other is not None and other.account != getattr(known, "account", ""):
            raise Refused("already_entered", "this account plays for others now", [member.account])
    return entry.back(state, act, scene)


def substitute(state: State, act: acts.Substitute, scene: Scene) -> Decided:
    """LG-971 A team has reserves instead."""
    known = entrant(state, act.account)
    if known is not None and (known.members or known.captain):
        raise Refused("wrong_state", "a team has reserves", [known.account])
    return entry.substitute(state, act, scene)


def line_up(state: State, act: acts.LineUp, scene: Scene) -> Decided:
    """LG-971 OP-45 Until the cut-off of the round; it can be said again until then."""
    known = entry.present(state, own_account(act, scene))
    stage = running(state) or next((one for one in state.stages if one.state != "finished"), state.stages[0])
    if not known.members or act.round < entry.next_round(stage) or (stage.planned_rounds is not None and act.round > stage.planned_rounds):
        raise Refused("wrong_state", "that round takes no line-up any more, or there is none", [act.round])
    check_line_up(known, act, rules_of(state.settings, stage).boards)
    return Decided((LineUpSet(at=scene.at, by=scene.actor.account, account=known.account, stage=stage.number, round=act.round, accounts=act.accounts),))


def check_line_up(known: Entrant, act: acts.LineUp, boards: int) -> None:
    twice = [account for account, count in Counter(act.accounts).items() if count > 1]
    if twice:
        raise Refused("bad_setting", "somebody is named twice", twice)
    teams.line_up(team_of(0, known), boards, act.accounts)
