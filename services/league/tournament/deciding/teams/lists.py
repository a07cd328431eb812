"""How are teams taken over from a file? The lines of one team stand in the order of its boards, reserves last; the first is its captain."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from services.league.files.entrants_csv import Entry, read
from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.tournament import acts, shelf
from services.league.tournament.boards import names
from services.league.tournament.deciding import lists
from services.league.tournament.deciding.teams.entering import TEAM
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import ByeAsked, Entered, Imported
from services.league.tournament.looking import entrant
from services.league.tournament.state import DRAFT, ENTERED, OPEN, WAITING, Entrant, Member, State

Named = Mapping[str, tuple[Entry, ...]]


def import_entrants(state: State, act: acts.ImportEntrants, scene: Scene) -> Decided:
    """LG-981 to LG-983, LG-971 OP-12 All teams or none; the same file again changes nothing."""
    if state.settings.teams is None:
        return lists.import_entrants(state, act, scene)
    raw = act.csv.encode()
    if state.life not in {DRAFT, OPEN}:
        raise Refused("frozen", "entry is closed", [state.life])
    found = by_team(read(raw))
    known = {one.team: one for one in shelf.every(state.entrants) if one.state in {ENTERED, WAITING} and one.members}
    new = {name: lines for name, lines in found.items() if not is_known(state, known.get(name), lines)}
    faults = [fault for name, lines in new.items() for fault in team_faults(state, known, name, lines)]
    if faults:
        raise Refused("bad_file", "not every team can be entered", faults)
    lists.check(state, [line for lines in new.values() for line in lines], scene)
    places = len(new) if state.settings.by_boards else sum(map(len, new.values()))
    if places + state.counted > state.settings.most:
        raise Refused("full", "so many places are not free", [state.settings.most - state.counted])
    mark = hashlib.sha256(raw).hexdigest()
    answer = {"new": [lines[0].account for lines in new.values()], "changed": []}
    if act.dry_run or mark in state.imported:
        return Decided((), answer)
    events = [event for lines in new.values() for event in entered(state, lines, scene)]
    return Decided((*events, Imported(at=scene.at, by=scene.actor.account, file_hash=mark)), answer)


def by_team(entries: Sequence[Entry]) -> Named:
    """Every line names its team."""
    alone = [f"{one.account}: no team" for one in entries if not one.team]
    if alone:
        raise Refused("bad_file", "every line names a team", alone)
    found: dict[str, tuple[Entry, ...]] = {}
    for one in entries:
        found[one.team] = (*found.get(one.team, ()), one)
    return found


def is_known(state: State, team: Entrant | None, lines: Sequence[Entry]) -> bool:
    """LG-983 Entered already, with the same accounts in the same order."""
    if state.settings.by_boards:
        return team is not None and names((*team.members, *team.reserves)) == tuple(line.account for line in lines)
    here = [entrant(state, line.account) for line in lines]
    return all(one is not None and one.state == ENTERED and one.team == line.team for one, line in zip(here, lines, strict=True))


def team_faults(state: State, known: Mapping[str, Entrant], name: str, lines: Sequence[Entry]) -> Iterator[str]:
    teams = state.settings.teams
    if name in known:
        yield f"{name}: is entered with other members"
    if teams is not None and len(lines) > teams.most:
        yield f"{name}: more than {teams.most} accounts"
    for line in lines:
        one = entrant(state, line.account)
        if one is not None and one.state != "withdrawn":
            yield f"{line.account}: takes part already"


def entered(state: State, lines: Sequence[Entry], scene: Scene) -> Iterator[Happened]:
    """LG-971, LG-974."""
    if not state.settings.by_boards:
        yield from (replace(event, captain=lines[0].account) if isinstance(event, Entered) else event for event in lists.entered(state, lines, scene))
        return
    teams, first = state.settings.teams, lines[0]
    size = (teams.size or teams.boards) if teams is not None else 0
    people = [scene.people[line.account] for line in lines]
    members = tuple(Member(person.account, person.kind, person.owner) for person in people)
    yield Entered(at=scene.at, by=scene.actor.account, account=first.account, person=TEAM, club=first.club, team=first.team, country=first.country,
                  seed=first.seed, mixed=state.settings.opponents == "mixed", members=members[:size], reserves=members[size:])
    yield from (ByeAsked(at=scene.at, by=scene.actor.account, account=first.account, stage=1, round=number, bye="half") for number in first.given_byes)
