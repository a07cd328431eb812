"""How do stages and rounds go on, and how does each of these events change what is known?"""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from services.league.tournament import shelf
from services.league.tournament.events.base import Happened
from services.league.tournament.looking import with_round, with_stage
from services.league.tournament.state import (
    COMPLETE,
    DISQUALIFIED,
    DRAFTED,
    FINISHED,
    PUBLISHED,
    RUNNING,
    WITHDRAWN,
    Challenge,
    FrozenLine,
    GivenBye,
    Pairing,
    Round,
    State,
    Way,
)


class StageStarted(Happened, frozen=True, kw_only=True, tag="stage_started"):
    """LG-251, OP-18 Everybody by pairing number from 1."""

    stage: int
    accounts: tuple[str, ...]
    planned_rounds: int | None = None

    def change(self, state: State) -> State:
        places = tuple(place for account in self.accounts if (place := state.book.get(account)) is not None)
        numbers = {place: number for number, place in enumerate(places, start=1)}
        stage = state.stages[self.stage - 1]
        asked = {one: {numbers[-1 - key]: bye for key, bye in byes.items() if key < 0 and -1 - key in numbers}
                 for one, byes in stage.asked.items()}
        ready = dict.fromkeys(numbers.values(), self.at) if state.settings.stages[self.stage - 1].format == "arena" else {}
        state = with_stage(state, self.stage, state=RUNNING, field=places, numbers=numbers, asked=asked, waits="", ways=(),
                           started_at=self.at, planned_rounds=self.planned_rounds, ready=ready)
        return replace(state, life=RUNNING, numbered=state.version)


class RoundMade(Happened, frozen=True, kw_only=True, tag="round_made"):
    """What a drafted and a published round have in common."""

    stage: int
    round: int
    pairings: tuple[Pairing, ...]
    byes: tuple[GivenBye, ...] = ()
    rests: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    option: str = ""
    inputs_hash: str = ""
    cut_off: int = 0
    deadline: int | None = None
    made_before: int = 0                        # the version of its draft, if it had one
    stop: tuple[str, ...] = ()                  # matches of the round that it replaces

    def made(self, state: State) -> Round:
        return Round(self.round, state.version, shelf.shelved(self.pairings, state.version),
                     shelf.Book({match: one.table for one in self.pairings for match in all_matches(one)}), self.byes, self.rests, self.absent,
                     cut_off=self.cut_off, deadline=self.deadline, inputs_hash=self.inputs_hash, option=self.option, notes=self.notes,
                     made=self.made_before or state.version)


def all_matches(pairing: Pairing) -> tuple[str, ...]:
    """LG-203 Those by which a pairing is found again, decided or not."""
    return (*filter(None, [pairing.match]), *(board.match for board in pairing.boards if board.match))


class RoundDrafted(RoundMade, frozen=True, kw_only=True, tag="round_drafted"):
    """LG-163 Seen by officials only; another draft of the same round replaces it."""

    reason: str = ""
    fickle: tuple[int, ...] = ()                # LG-232 still away from a draft that was changed, not made anew

    def change(self, state: State) -> State:
        drafted = replace(self.made(state), state=DRAFTED, drafted_at=self.at)
        return with_stage(state, self.stage, drafted=drafted, fickle=self.fickle, waits="", ways=())


class RoundPublished(RoundMade, frozen=True, kw_only=True, tag="round_published"):
    """LG-165 The whole round at once; a match stands beside each pairing that is to be played."""

    again: bool = False                         # LG-916 in place of the one published before
    correction: str = ""                        # by which it was, and by which the former one is found again (LG-921)

    def change(self, state: State) -> State:
        stage = state.stages[self.stage - 1]
        made = replace(self.made(state), state=PUBLISHED, published_at=self.at)
        if self.again:
            made = self.instead(made, stage.rounds[self.round - 1])
        rounds = (*stage.rounds[:self.round - 1], made)
        busy = {number for pairing in self.pairings for number in pairing.numbers}
        ready = {number: since for number, since in stage.ready.items() if number not in busy} if stage.ready else stage.ready
        asked = tuple(one for one in stage.challenges if one.state == "asked" or one.challenger not in busy)
        return with_stage(state, self.stage, challenges=asked, rounds=rounds, drafted=None, fickle=(), waits="", ways=(), ready=ready)


    def instead(self, made: Round, former: Round) -> Round:
        """LG-203, LG-921 The former round is kept with its matches, of which late records may come."""
        formers = {**former.formers, **({self.correction: replace(former, formers={}, matches=shelf.Book())} if self.correction else {})}
        return replace(made, matches=shelf.Book({**former.matches.all(), **made.matches.all()}), formers=formers)


class RoundCompleted(Happened, frozen=True, kw_only=True, tag="round_completed"):
    """LG-169."""

    stage: int
    round: int

    def change(self, state: State) -> State:
        return with_round(state, self.stage, self.round, state=COMPLETE, completed_at=self.at)


class StageWaits(Happened, frozen=True, kw_only=True, tag="stage_waits"):
    """LG-162, LG-174, LG-421."""

    stage: int
    code: str
    ways: tuple[Way, ...] = ()

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, waits=self.code, ways=self.ways, waits_since=self.at)


class StageGoesOn(Happened, frozen=True, kw_only=True, tag="stage_goes_on"):
    """LG-162 What it waited for has come."""

    stage: int

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, waits="", ways=())


class WayChosen(Happened, frozen=True, kw_only=True, tag="way_chosen"):
    """LG-426 Who chose what, and its harm; the round follows."""

    stage: int
    option: str
    harm: int = 0
    words: str = ""

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, waits="", ways=())


class StageOver(Happened, frozen=True, kw_only=True, tag="stage_over"):
    """No further round is made; what still runs is played out, until `void_at` if that is set (LG-525)."""

    stage: int
    why: str
    void_at: int | None = None

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, over=self.why, void_at=self.void_at, drafted=None, waits="", ways=(), look_at=None)


class Draining(Happened, frozen=True, kw_only=True, tag="draining"):
    """LG-176 No new round; the stage ends with the last match that runs."""

    stage: int

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, draining=True, drafted=None)


class StageFinished(Happened, frozen=True, kw_only=True, tag="stage_finished"):
    """LG-503, LG-805, LG-806 The frozen standing; another revision of it after a correction."""

    stage: int
    lines: tuple[FrozenLine, ...]
    revision: int = 1

    def change(self, state: State) -> State:
        known = state.stages[self.stage - 1]
        first = known.state != FINISHED
        gone = {place for place, one in enumerate(shelf.every(state.entrants)) if one.state in {WITHDRAWN, DISQUALIFIED}}
        removed = tuple(number for number, place in enumerate(known.field, start=1) if place in gone)
        state = with_stage(state, self.stage, removed=removed if first else known.removed, state=FINISHED, lines=self.lines, revision=self.revision, waits="", ways=(), drafted=None,
                           finished_at=self.at if first else known.finished_at)
        return state if first or state.life != FINISHED else replace(state, revision=state.revision + 1)


class Reopened(Happened, frozen=True, kw_only=True, tag="reopened"):
    """LG-918 A correction has made pairings that are to be played; the old standing keeps its revision."""

    stage: int
    to_its_end: bool = False                    # a bracket that was played out: further rounds may follow from them

    def change(self, state: State) -> State:
        stage = state.stages[self.stage - 1]
        on = {"over": "", "draining": False} if self.to_its_end else {"over": stage.over or "played"}
        state = with_stage(state, self.stage, state=RUNNING, lines=(), **on)
        return replace(state, life=RUNNING, winners=(), why_no_winner="", finished_at=0)


class WinnersNamed(Happened, frozen=True, kw_only=True, tag="winners_named"):
    """LG-806 A correction after the end names others."""

    winners: tuple[str, ...]
    why: str = ""

    def change(self, state: State) -> State:
        return replace(state, winners=self.winners, why_no_winner=self.why)


class ByeGiven(Happened, frozen=True, kw_only=True, tag="bye_given"):
    """LG-651 A full or half bye from a referee, for a round not yet made."""

    stage: int
    round: int
    bye: GivenBye

    def change(self, state: State) -> State:
        given = state.stages[self.stage - 1].given
        return with_stage(state, self.stage, given={**given, self.round: {**given.get(self.round, {}), self.bye.number: self.bye}})


class LookAgain(Happened, frozen=True, kw_only=True, tag="look_again"):
    """LG-522 Nothing at this beat."""

    stage: int
    look_at: int

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, look_at=self.look_at)


class Readied(Happened, frozen=True, kw_only=True, tag="readied"):
    """LG-521, LG-526."""

    stage: int
    number: int
    ready: bool = True

    def change(self, state: State) -> State:
        left = {number: since for number, since in state.stages[self.stage - 1].ready.items() if number != self.number}
        return with_stage(state, self.stage, ready={**left, self.number: self.at} if self.ready else left)


class Challenged(Happened, frozen=True, kw_only=True, tag="challenged"):
    """LG-542."""

    stage: int
    challenger: int
    challenged: tuple[int, ...]

    def change(self, state: State) -> State:
        known = state.stages[self.stage - 1].challenges
        return with_stage(state, self.stage, challenges=(*known, Challenge(self.challenger, self.challenged, self.at)))


class Answered(Happened, frozen=True, kw_only=True, tag="answered"):
    """LG-543 No answer in time is one too."""

    stage: int
    challenger: int
    answer: Literal["accepted", "declined", "played"]

    def change(self, state: State) -> State:
        known = state.stages[self.stage - 1].challenges
        kept = tuple(replace(one, state=self.answer) if one.challenger == self.challenger else one for one in known)
        return with_stage(state, self.stage, challenges=tuple(one for one in kept if one.state != "played"))


class RungsSet(Happened, frozen=True, kw_only=True, tag="rungs_set"):
    """OP-41 Everybody by number, from the top."""

    stage: int
    order: tuple[int, ...]
    reason: str

    def change(self, state: State) -> State:
        return with_stage(state, self.stage, rungs=(*state.stages[self.stage - 1].rungs, (self.at, self.order)))


def lines_of(found: Any) -> tuple[FrozenLine, ...]:
    """A standing as it is stored."""
    return tuple(FrozenLine(one.number, one.rank, str(one.points), one.played, one.places, tuple((code, str(value)) for code, value in one.ties),
                            one.decided, dict(one.byes), one.forfeits, one.seats, one.group) for one in found)
