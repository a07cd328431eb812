"""How are entrants taken over from a file?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from services.league.files.entrants_csv import Entry, merged, read
from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.tournament import acts, shelf
from services.league.tournament.deciding.entry import unmet
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import ByeAsked, DetailsChanged, Entered, Imported
from services.league.tournament.looking import entrant
from services.league.tournament.state import DISQUALIFIED, DRAFT, ENTERED, OPEN, WAITING, Entrant, State


def import_entrants(state: State, act: acts.ImportEntrants, scene: Scene) -> Decided:
    """LG-981 to LG-983 OP-12 All lines or none; the same file again changes nothing."""
    raw = act.csv.encode()
    if any(stage.rounds for stage in state.stages) or state.life not in {DRAFT, OPEN, "closed"}:
        raise Refused("frozen", "a round is published", [state.life])
    entries = [one._replace(name="") for one in read(raw)]         # a name is the account's own affair
    change = merged([as_entry(state, one) for one in shelf.every(state.entrants) if one.state in {ENTERED, WAITING}], entries, update=act.update)
    mark = hashlib.sha256(raw).hexdigest()
    answer = {"new": [one.account for one in change.new], "changed": [one.account for one in change.changed]}
    if mark in state.imported:
        return Decided((), answer)
    if state.life == "closed" and change.new:
        raise Refused("frozen", "entry is closed", [one.account for one in change.new])
    check(state, change.new, scene)
    faults = [fault for one in change.changed for fault in bye_faults(state, one)]
    if faults:
        raise Refused("bad_file", "not every bye can be asked for", faults)
    if len(change.new) + state.counted > state.settings.most:
        raise Refused("full", "so many places are not free", [state.settings.most - state.counted])
    if act.dry_run:
        return Decided((), answer)
    events = [*entered(state, change.new, scene), *changed(state, change.changed, scene), Imported(at=scene.at, by=scene.actor.account, file_hash=mark)]
    return Decided(tuple(events), answer)


def check(state: State, new: Iterable[Entry], scene: Scene) -> None:
    """LG-222, LG-225, LG-233, LG-982 Every line that cannot be entered is named."""
    strangers: list[str] = []
    faults = [fault for one in new for fault in bye_faults(state, one)]
    for one in new:
        person = scene.people.get(one.account)
        if person is None:
            faults.append(f"{one.account}: no such account")
        elif (known := entrant(state, one.account)) is not None and known.state == DISQUALIFIED:
            faults.append(f"{one.account}: disqualified")
        else:
            faults += [f"{one.account}: {fault}" for fault in unmet(state, person)]
            strangers += [] if person.invited or state.invited.get(one.account) == "accepted" else [one.account]
    if faults:
        raise Refused("bad_file", "not everybody can be entered", faults)
    if strangers:
        raise Refused("no_consent", "they have not accepted an invitation", strangers)


def bye_faults(state: State, one: Entry) -> Iterator[str]:
    """LG-236 The byes of a file are half byes that are asked for, with the same limits."""
    rules, planned = state.settings.stages[0], state.stages[0].planned_rounds or 0
    late = [number for number in one.given_byes if rules.format != "swiss" or number >= planned]
    if late:
        yield f"{one.account}: given_byes: no bye can be asked for in round {', '.join(map(str, late))}"
    if len(one.given_byes) > rules.half_byes:
        yield f"{one.account}: given_byes: at most {rules.half_byes}"


def as_entry(state: State, one: Entrant) -> Entry:
    """What a file would say of somebody who is entered."""
    key = -1 - (state.book.get(one.account) or 0)
    rounds = tuple(sorted(number for number, byes in state.stages[0].asked.items() if key in byes))
    return Entry(one.account, "", one.team, one.club, one.country, Fraction(Decimal(one.rating)) if one.rating and one.seed is not None else None,
                 one.seed, rounds)


def entered(state: State, entries: Iterable[Entry], scene: Scene) -> Iterator[Happened]:
    for one in entries:
        person = scene.people[one.account]
        yield Entered(at=scene.at, by=scene.actor.account, account=one.account, person=person.kind, owner=person.owner, rating=text(one) or person.rating,
                      club=one.club, team=one.team, country=one.country, seed=one.seed, mixed=state.settings.opponents == "mixed")
        yield from (ByeAsked(at=scene.at, by=scene.actor.account, account=one.account, stage=1, round=number, bye="half") for number in one.given_byes)


def changed(state: State, entries: Iterable[Entry], scene: Scene) -> Iterator[Happened]:
    """LG-983 Byes that the file asks for, or no longer asks for, are among what it says."""
    for one in entries:
        yield DetailsChanged(at=scene.at, by=scene.actor.account, account=one.account, club=one.club, team=one.team, country=one.country,
                             rating=text(one), seed=one.seed)
        known = entrant(state, one.account)
        before, after = set(as_entry(state, known).given_byes) if known else set(), set(one.given_byes)
        yield from (ByeAsked(at=scene.at, by=scene.actor.account, account=one.account, stage=1, round=number, bye="half" if number in after else "none")
                    for number in sorted(before ^ after))


def text(one: Entry) -> str:
    return f"{float(one.rating):.2f}" if one.rating is not None else ""
