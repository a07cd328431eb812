"""What becomes of pairings, and how does each of these events change what is known?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from services.league.tournament import shelf
from services.league.tournament.events.base import Happened
from services.league.tournament.looking import At, entrant_of, pairing_at, read_at, with_pairing, with_round, with_stage
from services.league.tournament.state import ENTERED, REPLACED, Correction, Game, GivenBye, Pairing, Report, State


class OfPairing(Happened, frozen=True, kw_only=True, tag_field="kind", tag="of_pairing"):
    """Something that happens to one pairing, written "stage/round/table"."""

    pairing: str

    @property
    def where(self) -> At:
        return read_at(self.pairing)


class Recorded(OfPairing, frozen=True, kw_only=True, tag="recorded"):
    """LG-205 A match of the pairing has ended; the pairing is decided with it, or another match follows (LG-641)."""

    game: Game
    decided: bool = True

    def change(self, state: State) -> State:
        known = pairing_at(state, self.where)
        state = with_pairing(state, self.where, games=(*known.games, replace(self.game, at=self.at)), match="", flag="",
                             state="confirmed" if self.decided else "ready", decided_at=self.at if self.decided else 0, reports=())
        return freed(closed(state, self.where), self.where, [seat.number for seat in self.game.seats if seat.how == "played"], self.at)


def closed(state: State, where: At) -> State:
    """Nothing reported waits at this table any more."""
    one = state.stages[where.stage - 1].rounds[where.round - 1]
    if where.table not in one.open_reports:
        return state
    return with_round(state, where.stage, where.round,
                      open_reports={table: since for table, since in one.open_reports.items() if table != where.table})


def freed(state: State, where: At, numbers: Iterable[int], at: int) -> State:
    """LG-521, LG-526 In an arena those who stayed to the end wait again."""
    if state.settings.stages[where.stage - 1].format != "arena":
        return state
    stage = state.stages[where.stage - 1]
    here = [number for number in numbers if entrant_of(state, stage, number).state == ENTERED]
    return with_stage(state, where.stage, ready={**stage.ready, **dict.fromkeys(here, at)})


class MatchOrdered(OfPairing, frozen=True, kw_only=True, tag="match_ordered"):
    """LG-167, LG-297 The next match of a series, a decider, a replay, or the same one with the seats present (LG-673)."""

    match: str
    number: int
    numbers: tuple[int, ...]
    why: Literal["series", "replay", "shrink"] = "series"
    stop: str = ""                              # the match that no longer counts
    missing: tuple[int, ...] = ()               # LG-673 who has no seat in it

    def change(self, state: State) -> State:
        where = self.where
        known = pairing_at(state, where)
        before = known.void_before
        games = known.games
        if self.why == "replay":
            before = (*before, *filter(None, [known.match, *(game.match for game in games)]))
            games = ()
        elif self.why == "shrink":
            before = (*before, *filter(None, [known.match]))
        state = with_pairing(state, where, match=self.match, state="ready", since=self.at, games=games, void_before=before, kind="", flag="",
                             decided_at=0, reports=(), overdue=False, seated=self.numbers, numbers=self.numbers if self.why == "shrink" else known.numbers)
        one = closed(state, where).stages[where.stage - 1].rounds[where.round - 1]
        absent = tuple(GivenBye(number, "absent", reason="no show") for number in self.missing)
        return with_round(closed(state, where), where.stage, where.round, matches=one.matches.plus(self.match, where.table),
                          byes=(*one.byes, *absent), state="published")


class Started(OfPairing, frozen=True, kw_only=True, tag="started"):
    """LG-164 The match runs."""

    def change(self, state: State) -> State:
        return with_pairing(state, self.where, state="running")


class NotCounted(OfPairing, frozen=True, kw_only=True, tag="not_counted"):
    """LG-203 A record of a match that no longer counts."""

    match: str


class RecordRefused(OfPairing, frozen=True, kw_only=True, tag="record_refused"):
    """LG-204 Another result for a match that has one."""

    match: str


class Overdue(OfPairing, frozen=True, kw_only=True, tag="overdue"):
    """LG-878 The deadline has passed: who is on turn and late forfeits, as the match knows."""

    match: str

    def change(self, state: State) -> State:
        return with_pairing(state, self.where, overdue=True)


class Flagged(OfPairing, frozen=True, kw_only=True, tag="flagged"):
    """LG-202, LG-214 A referee must look at it."""

    why: str

    def change(self, state: State) -> State:
        return with_pairing(state, self.where, flag=self.why)


class Reported(OfPairing, frozen=True, kw_only=True, tag="reported"):
    """LG-210."""

    account: str
    places: dict[str, int]
    disputed: bool = False

    def change(self, state: State) -> State:
        where = self.where
        known = pairing_at(state, where)
        one = state.stages[where.stage - 1].rounds[where.round - 1]
        state = with_pairing(state, where, state="reported", reports=(*known.reports, Report(self.account, self.places, self.at)),
                             flag="disputed" if self.disputed else known.flag)
        since = one.open_reports.get(where.table, self.at)
        return with_round(state, where.stage, where.round, open_reports={**one.open_reports, where.table: since})


class Ruled(OfPairing, frozen=True, kw_only=True, tag="ruled"):
    """LG-672 to LG-680, OP-26 to OP-28 The pairing is decided without being played to its end."""

    state: Literal["confirmed", "walkover", "void"]
    ruling: str = ""                            # by_hand, forfeit, double_forfeit, …
    games: tuple[Game, ...] = ()
    reason: str = ""
    stop: str = ""                              # the match that goes with it, and how ("void" or "forfeit:ACCOUNT")
    how: str = "void"

    def change(self, state: State) -> State:
        known = pairing_at(state, self.where)
        ordered = (*known.void_before, *(game.match for game in known.games if game.match), *known.under_way)
        before = tuple(match for match in ordered if match not in {game.match for game in self.games})
        games = tuple(game if game.at else replace(game, at=self.at) for game in self.games)
        state = with_pairing(state, self.where, state=self.state, kind=self.ruling, games=games, reason=self.reason, match="", flag="",
                             decided_at=self.at, reports=(), void_before=before)
        here = known.numbers if self.state == "void" or not games else [seat.number for seat in games[-1].seats if seat.how == "played"]
        return freed(closed(state, self.where), self.where, here, self.at)


class Extended(OfPairing, frozen=True, kw_only=True, tag="extended"):
    """LG-880."""

    until: int
    reason: str

    def change(self, state: State) -> State:
        where = self.where
        one = state.stages[where.stage - 1].rounds[where.round - 1]
        state = with_pairing(state, where, deadline=self.until, overdue=False)
        return with_round(state, where.stage, where.round, extended={**one.extended, where.table: self.until})


class RatingExcluded(Happened, frozen=True, kw_only=True, tag="rating_excluded"):
    """LG-853."""

    match: str
    reason: str

    def change(self, state: State) -> State:
        return replace(state, excluded=(*state.excluded, self.match))


class Proposed(Happened, frozen=True, kw_only=True, tag="correction_proposed"):
    """LG-914 It waits for another referee."""

    correction: Correction

    def change(self, state: State) -> State:
        return replace(state, corrections=(*state.corrections, self.correction))


class Settled(Happened, frozen=True, kw_only=True, tag="correction_settled"):
    """LG-914 Rejected by another referee, or lapsed."""

    correction_id: str
    outcome: Literal["rejected", "lapsed"]

    def change(self, state: State) -> State:
        return replace(state, corrections=tuple(replace(one, state=self.outcome, second_by=self.by) if one.id == self.correction_id else one
                                                for one in state.corrections))


class Corrected(Happened, frozen=True, kw_only=True, tag="corrected"):
    """LG-911, LG-921 Facts of one pairing or bye are replaced; all that follows is computed from the facts."""

    correction: Correction
    pairing: Pairing | None = None              # as it is from now on
    bye: GivenBye | None = None
    void: tuple[str, ...] = ()                  # pairings that become void
    again: tuple[tuple[int, Pairing], ...] = () # made in their place, each with its round
    stop: tuple[str, ...] = ()                  # matches that go with it

    def change(self, state: State) -> State:
        one = self.correction
        known = {other.id: other for other in state.corrections} | {one.id: one}
        if one.undo_of in known:
            known[one.undo_of] = replace(known[one.undo_of], state="undone")
        state = replace(state, corrections=tuple(known.values()))
        if self.pairing is not None:
            state = with_pairing(state, read_at(one.pairing), **fields(self.pairing))
            where = read_at(one.pairing)
            state = closed(state, where)
            for match in self.pairing.under_way:
                made = state.stages[where.stage - 1].rounds[where.round - 1]
                state = with_round(state, where.stage, where.round, state="published", matches=made.matches.plus(match, where.table))
        if self.bye is not None:
            state = _with_bye(state, one, self.bye)
        for place in self.void:
            where = read_at(place)
            gone = pairing_at(state, where)
            state = with_pairing(state, where, state="void", match="", games=(), decided_at=self.at, reason=REPLACED,
                                 void_before=(*gone.void_before, *gone.under_way, *(game.match for game in gone.games if game.match)))
        for number, pairing in self.again:
            state = _added(state, one.stage, number, pairing)
        return state


def fields(pairing: Pairing) -> dict[str, Any]:
    """All of a pairing, to be put in the place of another."""
    return {name: getattr(pairing, name) for name in Pairing.__struct_fields__}


def _with_bye(state: State, correction: Correction, bye: GivenBye) -> State:
    where = read_at(correction.pairing)
    byes = state.stages[where.stage - 1].rounds[where.round - 1].byes
    return with_round(state, where.stage, where.round, byes=tuple(bye if one.number == bye.number else one for one in byes))


def _added(state: State, stage: int, number: int, pairing: Pairing) -> State:
    """One more table of a published round; the round is open again."""
    one = state.stages[stage - 1].rounds[number - 1]
    matches = one.matches
    for match in pairing.under_way:
        matches = matches.plus(match, pairing.table)
    return with_round(state, stage, number, pairings=shelf.add(one.pairings, pairing, state.version), matches=matches, state="published")
