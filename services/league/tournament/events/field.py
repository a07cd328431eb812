"""Who comes, goes and comes back, and how does each of these events change what is known?"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from services.league.tournament import shelf
from services.league.tournament.events.base import Happened
from services.league.tournament.looking import with_entrant, with_stage
from services.league.tournament.state import DISQUALIFIED, ENTERED, RUNNING, WAITING, WITHDRAWN, Entrant, Member, Round, State


class Entered(Happened, frozen=True, kw_only=True, tag="entered"):
    """LG-222, LG-224, LG-962 Somebody takes part, or waits for a free place."""

    account: str
    state: str = ENTERED
    person: str = "person"
    owner: str = ""
    rating: str = ""
    club: str = ""
    team: str = ""
    country: str = ""
    seed: int | None = None
    mixed: bool = False
    joins: int | None = None                    # LG-227 a late entrant: the first round, in the running stage
    captain: str = ""                           # LG-974 of the team that they are a member of
    members: tuple[Member, ...] = ()            # LG-971 of a team
    reserves: tuple[Member, ...] = ()

    def change(self, state: State) -> State:
        new = Entrant(self.account, self.at, self.state, self.person, self.owner, self.rating, self.club, self.team, self.country,
                      self.seed, self.mixed, captain=self.captain, members=self.members, reserves=self.reserves)
        known = state.book.get(self.account)
        if known is None or shelf.at(state.entrants, known).account != self.account:        # the latter were in a team that has gone
            known = shelf.size(state.entrants)
            state = replace(state, entrants=shelf.add(state.entrants, new, state.version), book=state.book.plus(self.account, known))
        else:
            team = {"team": self.team, "members": self.members, "reserves": self.reserves, "kind": self.person} if self.members else {}
            state = with_entrant(state, self.account, state=self.state, entered_at=self.at, mixed=self.mixed, **team)
        for member in (*self.members, *self.reserves):
            state = replace(state, book=state.book.plus(member.account, known))
        if self.state == WAITING:
            return replace(state, queue=(*state.queue, self.account))
        state = replace(state, counted=state.counted + 1)
        return state if self.joins is None else _joined(state, known, self.joins, self.at)


def fickle(state: State, place: int) -> State:
    """LG-232, LG-678 Remembered while a draft waits to be published."""
    for stage in state.stages:
        if stage.drafted is not None and place in stage.numbers:
            state = with_stage(state, stage.number, fickle=tuple(sorted({*stage.fickle, stage.numbers[place]})))
    return state


def unready(state: State, place: int) -> State:
    """LG-521 Who has gone waits for nobody, and nobody for them."""
    for stage in state.stages:
        number = stage.numbers.get(place)
        if stage.state == RUNNING and number is not None and (number in stage.ready or stage.challenges):
            state = with_stage(state, stage.number, ready={one: since for one, since in stage.ready.items() if one != number},
                               challenges=tuple(one for one in stage.challenges if number not in {one.challenger, *one.challenged}))
    return state


def _joined(state: State, place: int, first: int, at: int) -> State:
    """LG-228 The next free pairing number; LG-522 in an arena they wait from now on."""
    stage = next(stage for stage in state.stages if stage.state == RUNNING)
    number = len(stage.field) + 1
    arena = state.settings.stages[stage.number - 1].format == "arena"
    return with_stage(state, stage.number, field=(*stage.field, place), numbers={**stage.numbers, place: number},
                      joined={**stage.joined, number: first}, ready={**stage.ready, number: at} if arena else stage.ready)


class DetailsChanged(Happened, frozen=True, kw_only=True, tag="details_changed"):
    """LG-983 An import that says other things of somebody."""

    account: str
    club: str = ""
    team: str = ""
    country: str = ""
    rating: str = ""
    seed: int | None = None

    def change(self, state: State) -> State:
        return with_entrant(state, self.account, club=self.club, team=self.team, country=self.country, rating=self.rating, seed=self.seed)


class Imported(Happened, frozen=True, kw_only=True, tag="imported"):
    """LG-983 A file was read; the same again changes nothing."""

    file_hash: str

    def change(self, state: State) -> State:
        return replace(state, imported=(*state.imported, self.file_hash))


class MovedUp(Happened, frozen=True, kw_only=True, tag="moved_up"):
    """LG-224 The first of the queue has a place."""

    account: str
    instead_of: str = ""                        # whose number they have, once numbers are given

    def change(self, state: State) -> State:
        state = with_entrant(state, self.account, state=ENTERED, checked_in=True)
        state = replace(state, queue=tuple(one for one in state.queue if one != self.account), counted=state.counted + 1)
        if self.instead_of:
            return _in_place(state, self.account, self.instead_of)
        return replace(state, seeds=(*state.seeds, self.account) if state.seeds else state.seeds)


def _in_place(state: State, account: str, other: str) -> State:
    """LG-224, LG-251 The two change places on the shelf, so that number and draft stay; byes that the other one has asked for do not."""
    here, there = state.book.get(account), state.book.get(other)
    assert here is not None
    assert there is not None
    new, old = shelf.at(state.entrants, here), shelf.at(state.entrants, there)
    book = state.book
    for one, place in ((new, there), (old, here)):
        for name in (one.account, *(member.account for member in (*one.members, *one.reserves))):
            book = book.plus(name, place)
    entrants = shelf.put(shelf.put(state.entrants, there, new, state.version), here, old, state.version)
    state = replace(state, entrants=entrants, book=book, numbered=state.version, seeds=tuple(account if one == other else one for one in state.seeds))
    stage = next(stage for stage in state.stages if stage.state == RUNNING)
    number = stage.numbers[there]
    return with_stage(
        state, stage.number, fickle=tuple(one for one in stage.fickle if one != number),
        asked={at: {one: bye for one, bye in byes.items() if one != number} for at, byes in stage.asked.items()},
        given={at: {one: bye for one, bye in byes.items() if one != number} for at, byes in stage.given.items()},
        drafted=replace(stage.drafted, version=state.version) if stage.drafted is not None and _has_place(stage.drafted, number) else None,
        ready={**stage.ready, number: stage.started_at} if state.settings.stages[stage.number - 1].format == "arena" else stage.ready)


def _has_place(draft: Round, number: int) -> bool:
    """LG-224 A draft in which the other one was absent, or had asked for a bye, has no place for whoever moves up; it is made anew."""
    seated = any(number in pairing.numbers for pairing in shelf.every(draft.pairings))
    return seated or number in draft.rests or any(bye.number == number and bye.kind == "allocated" for bye in draft.byes)


class Invited(Happened, frozen=True, kw_only=True, tag="invited"):
    """OP-13."""

    account: str

    def change(self, state: State) -> State:
        return replace(state, invited={**state.invited, self.account: "asked"})


class InvitationAccepted(Happened, frozen=True, kw_only=True, tag="invitation_accepted"):
    """LG-222."""

    account: str

    def change(self, state: State) -> State:
        return replace(state, invited={**state.invited, self.account: "accepted"})


class Consented(Happened, frozen=True, kw_only=True, tag="consented"):
    """LG-962 Somebody agrees that people and bots play together."""

    account: str

    def change(self, state: State) -> State:
        return with_entrant(state, self.account, mixed=True)


class Withdrawn(Happened, frozen=True, kw_only=True, tag="withdrawn"):
    """LG-231, LG-682, LG-226 By own wish, by an official, or by rule."""

    account: str
    reason: str = ""
    rule: Literal["", "no_shows", "check_in", "arena"] = ""

    def change(self, state: State) -> State:
        place = state.book.get(self.account)
        assert place is not None
        was = shelf.at(state.entrants, place).state
        state = unready(fickle(with_entrant(state, self.account, state=WITHDRAWN), place), place)
        return replace(state, counted=state.counted - (was == ENTERED), queue=tuple(one for one in state.queue if one != self.account),
                       seeds=state.seeds if state.life == RUNNING else tuple(one for one in state.seeds if one != self.account))


class Returned(Happened, frozen=True, kw_only=True, tag="returned"):
    """LG-233."""

    account: str
    joins: int | None = None                    # the running stage does not know them yet

    def change(self, state: State) -> State:
        place = state.book.get(self.account)
        assert place is not None
        state = replace(fickle(with_entrant(state, self.account, state=ENTERED, no_shows=0), place), counted=state.counted + 1)
        if self.joins is not None:
            return _joined(state, place, self.joins, self.at)
        return state if state.life == RUNNING or not state.seeds else replace(state, seeds=(*state.seeds, self.account))


class CheckedIn(Happened, frozen=True, kw_only=True, tag="checked_in"):
    """LG-226."""

    account: str

    def change(self, state: State) -> State:
        return with_entrant(state, self.account, checked_in=True)


class NoShow(Happened, frozen=True, kw_only=True, tag="no_show"):
    """LG-682 Counted for each entrant."""

    account: str

    def change(self, state: State) -> State:
        place = state.book.get(self.account)
        assert place is not None
        return with_entrant(state, self.account, no_shows=shelf.at(state.entrants, place).no_shows + 1)


class ByeAsked(Happened, frozen=True, kw_only=True, tag="bye_asked"):
    """LG-236 `none` takes it back."""

    account: str
    stage: int
    round: int
    bye: Literal["half", "zero", "none"]

    def change(self, state: State) -> State:
        stage = state.stages[self.stage - 1]
        place = state.book.get(self.account)
        assert place is not None
        key = stage.numbers.get(place, 0) or -1 - place           # before the start nobody has a number
        asked = {number: bye for number, bye in stage.asked.get(self.round, {}).items() if number != key}
        if self.bye != "none":
            asked[key] = self.bye
        return with_stage(state, self.stage, asked={**stage.asked, self.round: asked})


class Substituted(Happened, frozen=True, kw_only=True, tag="substituted"):
    """LG-230 The substitute takes over number and schedule."""

    account: str
    by_account: str
    person: str = "person"
    owner: str = ""
    rating: str = ""
    reason: str = ""

    def change(self, state: State) -> State:
        place = state.book.get(self.account)
        assert place is not None
        old = shelf.at(state.entrants, place)
        new = replace(old, account=self.by_account, kind=self.person, owner=self.owner, rating=self.rating, entered_as=self.account,
                      state=ENTERED, no_shows=0)
        gone = replace(old, state=WITHDRAWN, seed=None)
        state = replace(state, entrants=shelf.put(state.entrants, place, new, state.version),
                        counted=state.counted + (old.state != ENTERED), seeds=tuple(self.by_account if one == self.account else one for one in state.seeds))
        spare = shelf.size(state.entrants)
        book = state.book.plus(self.by_account, place).plus(self.account, spare)
        return replace(state, entrants=shelf.add(state.entrants, gone, state.version), book=book)


class Disqualified(Happened, frozen=True, kw_only=True, tag="disqualified"):
    """LG-677, LG-678."""

    account: str
    reason: str
    annul: Literal["keep", "void", "win"] = "keep"

    def change(self, state: State) -> State:
        place = state.book.get(self.account)
        assert place is not None
        was = shelf.at(state.entrants, place).state
        state = unready(fickle(with_entrant(state, self.account, state=DISQUALIFIED, barred_at=self.at, barred_from=was), place), place)
        return replace(state, counted=state.counted - (was == ENTERED), seeds=state.seeds if state.life == RUNNING else
                       tuple(one for one in state.seeds if one != self.account), queue=tuple(one for one in state.queue if one != self.account))


class Lifted(Happened, frozen=True, kw_only=True, tag="lifted"):
    """OP-29 A disqualification is taken back: who had withdrawn has withdrawn, who waited waits, and so does whose place has gone."""

    account: str
    reason: str
    waits: bool = False                         # LG-224 no place is free

    def change(self, state: State) -> State:
        place = state.book.get(self.account)
        assert place is not None
        was = WAITING if self.waits else shelf.at(state.entrants, place).barred_from
        state = fickle(with_entrant(state, self.account, state=was, barred_at=None), place)
        if was != ENTERED:
            return _queued(state, self.account) if was == WAITING else state
        state = replace(state, counted=state.counted + 1)
        return state if state.life == RUNNING or not state.seeds else replace(state, seeds=(*state.seeds, self.account))


def _queued(state: State, account: str) -> State:
    """LG-224 In order of arrival."""
    arrivals = {name: (shelf.at(state.entrants, place).entered_at, place) for name in (*state.queue, account)
                if (place := state.book.get(name)) is not None}
    return replace(state, queue=tuple(sorted(arrivals, key=lambda name: arrivals[name])))
