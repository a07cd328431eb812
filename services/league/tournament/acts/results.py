"""What may be asked about pairings, matches and their results?"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from services.league.tournament.acts.base import BOTH, CLOCK, OWN, REFEREES, Asked, OfPairing


class SeatEnded(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-201 One seat of a finish record, counted from 0."""

    seat: int
    place: int
    score: int = 0
    how: str = "played"
    step: int = 0
    account: str = ""
    substitute_of: str = ""


class RecordMatch(Asked, frozen=True, kw_only=True, tag="record"):
    match: str
    ended: Literal["finished", "aborted", "voided", "expired"]
    seats: tuple[SeatEnded, ...] = ()
    reason: str = ""
    rated: bool = True
    who = frozenset({CLOCK})


class MatchStarted(Asked, frozen=True, kw_only=True, tag="started"):
    match: str
    who = frozenset({CLOCK})


class Report(OfPairing, frozen=True, kw_only=True, tag="report"):
    places: dict[str, int]
    who = OWN


class Result(OfPairing, frozen=True, kw_only=True, tag="result"):
    """Of one board of two teams, or of the whole pairing by their captains."""

    board: int = 0
    places: dict[str, int]
    scores: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    who = REFEREES


class Forfeit(OfPairing, frozen=True, kw_only=True, tag="forfeit"):
    accounts: tuple[str, ...]                   # who has forfeited
    board: int = 0
    reason: str = ""
    who = REFEREES


class Void(OfPairing, frozen=True, kw_only=True, tag="void"):
    reason: str = ""
    who = REFEREES


class Replay(OfPairing, frozen=True, kw_only=True, tag="replay"):
    board: int = 0
    reason: str = ""
    who = REFEREES


class Appoint(OfPairing, frozen=True, kw_only=True, tag="appoint"):
    """LG-881 `account` is who sits there: oneself, or a bot of one's own."""

    start: int
    account: str = ""
    who, bots = OWN, True


class Agree(OfPairing, frozen=True, kw_only=True, tag="agree"):
    number: int                                 # of the proposal
    yes: bool
    account: str = ""
    who, bots = OWN, True


class Extend(OfPairing, frozen=True, kw_only=True, tag="extend"):
    until: int
    reason: str = ""
    who = BOTH


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-911 What a correction changes: a pairing's result by places, its kind, or the points of a bye."""

    pairing: str
    board: int = 0                              # LG-972 of two teams; 0: the pairing as a whole
    places: dict[str, int] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)
    forfeit: tuple[str, ...] = ()
    void: bool = False
    replay: bool = False
    bye_of: str = ""
    bye: str = ""                               # its kind
    points: str = ""
    pair_again: bool = False                    # LG-916


class Preview(Asked, frozen=True, kw_only=True, tag="preview"):
    correction: Change
    who = REFEREES


class Correct(Asked, frozen=True, kw_only=True, tag="correct"):
    correction: Change
    reason: str = ""
    record_only: bool = False
    void_later: bool = False
    who = REFEREES


class Confirm(Asked, frozen=True, kw_only=True, tag="confirm"):
    correction_id: str
    yes: bool
    who = REFEREES


class Undo(Asked, frozen=True, kw_only=True, tag="undo"):
    correction_id: str
    reason: str = ""
    record_only: bool = False
    void_later: bool = False
    who = REFEREES


class RatingOnly(Asked, frozen=True, kw_only=True, tag="rating_only"):
    match: str
    reason: str = ""
    who = REFEREES
