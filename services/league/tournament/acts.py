"""What may be asked of a tournament, and by whom?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Union

import msgspec
from msgspec import Struct, field

from services.league.kind import LEAGUE, ORGANISER, OWNER, REFEREE, SELF, Act
from services.league.refusals import Refused

ANYBODY, CLOCK = "anybody", "clock"             # whoever may read it; the league itself
OFFICIALS = frozenset({OWNER, ORGANISER})
REFEREES = frozenset({REFEREE})
BOTH = OFFICIALS | REFEREES
OWN = frozenset({SELF})


class Asked(Act, frozen=True, kw_only=True, tag_field="kind"):
    """An act and those whose role allows it (LG-121 to LG-123)."""

    who: ClassVar[frozenset[str]] = frozenset({ANYBODY})
    for_others: ClassVar[frozenset[str]] = frozenset()          # who may do it for another account
    bots: ClassVar[bool] = False                                # LG-128


class OfAccount(Asked, frozen=True, kw_only=True, tag="of_account"):
    """Something about one entrant; without an account, about who asks."""

    account: str = ""


class OfPairing(Asked, frozen=True, kw_only=True, tag="of_pairing"):
    """Something about one pairing, written "stage/round/table"."""

    pairing: str


class Create(Asked, frozen=True, kw_only=True, tag="create"):
    tournament: str
    organisation: str
    settings: dict[str, Any]
    who = OFFICIALS


class Set(Asked, frozen=True, kw_only=True, tag="set"):
    changes: dict[str, Any]
    who = OFFICIALS


class Open(Asked, frozen=True, kw_only=True, tag="open"):
    forecast_seen: bool = False
    who = OFFICIALS


class Enter(OfAccount, frozen=True, kw_only=True, tag="enter"):
    club: str = ""
    team: str = ""
    country: str = ""
    who, for_others, bots = OWN, OFFICIALS, True


class Withdraw(OfAccount, frozen=True, kw_only=True, tag="withdraw"):
    reason: str = ""
    who, for_others, bots = OWN, BOTH, True


class Return(OfAccount, frozen=True, kw_only=True, tag="return"):
    who, for_others, bots = OWN, REFEREES, True


class CheckIn(OfAccount, frozen=True, kw_only=True, tag="check_in"):
    who, bots = OWN, True


class Consent(OfAccount, frozen=True, kw_only=True, tag="consent"):
    who = OWN


class RequestBye(OfAccount, frozen=True, kw_only=True, tag="request_bye"):
    round: int
    bye: Literal["half", "zero", "none"]
    who = OWN


class GiveBye(Asked, frozen=True, kw_only=True, tag="give_bye"):
    account: str
    round: int
    bye: Literal["full", "given_half"]
    reason: str = ""
    who = REFEREES


class Substitute(Asked, frozen=True, kw_only=True, tag="substitute"):
    account: str
    by: str
    reason: str = ""
    who = REFEREES


class ImportEntrants(Asked, frozen=True, kw_only=True, tag="import_entrants"):
    csv: str
    dry_run: bool = False
    update: bool = False
    who = OFFICIALS


class Invite(Asked, frozen=True, kw_only=True, tag="invite"):
    account: str
    who = OFFICIALS


class AcceptInvitation(OfAccount, frozen=True, kw_only=True, tag="accept_invitation"):
    who, bots = OWN, True


class Close(Asked, frozen=True, kw_only=True, tag="close"):
    who = OFFICIALS


class Seed(Asked, frozen=True, kw_only=True, tag="seed"):
    order: tuple[str, ...]
    reason: str = ""
    who = OFFICIALS


class NewSeed(Asked, frozen=True, kw_only=True, tag="new_seed"):
    reason: str = ""
    who = REFEREES


class Constrain(Asked, frozen=True, kw_only=True, tag="constrain"):
    never: tuple[tuple[str, ...], ...] = ()
    soft: tuple[tuple[str, ...], ...] = ()
    same_club: str = ""
    same_team: str = ""
    who = OFFICIALS


class Start(Asked, frozen=True, kw_only=True, tag="start"):
    accept_imbalance: bool = False
    who = BOTH


class Publish(Asked, frozen=True, kw_only=True, tag="publish"):
    who = BOTH


class PairAgain(Asked, frozen=True, kw_only=True, tag="pair_again"):
    reason: str = ""
    who = REFEREES


class ListedBye(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-658."""

    account: str
    kind: Literal["allocated", "half", "zero", "full", "given_half"]
    reason: str = ""


class Upload(Asked, frozen=True, kw_only=True, tag="upload"):
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[ListedBye, ...] = ()
    reason: str = ""
    who = REFEREES


class Swap(Asked, frozen=True, kw_only=True, tag="swap"):
    """Two accounts of a drafted round change places; one of them may have the bye."""

    account: str
    other: str
    reason: str = ""
    who = REFEREES


class Choose(Asked, frozen=True, kw_only=True, tag="choose"):
    option: str
    who = BOTH


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


class Outage(Asked, frozen=True, kw_only=True, tag="outage"):
    from_at: int
    to_at: int
    who = frozenset({CLOCK})


class Report(OfPairing, frozen=True, kw_only=True, tag="report"):
    places: dict[str, int]
    who = OWN


class Result(OfPairing, frozen=True, kw_only=True, tag="result"):
    places: dict[str, int]
    scores: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    who = REFEREES


class Forfeit(OfPairing, frozen=True, kw_only=True, tag="forfeit"):
    accounts: tuple[str, ...]                   # who has forfeited
    reason: str = ""
    who = REFEREES


class Void(OfPairing, frozen=True, kw_only=True, tag="void"):
    reason: str = ""
    who = REFEREES


class Replay(OfPairing, frozen=True, kw_only=True, tag="replay"):
    reason: str = ""
    who = REFEREES


class Disqualify(Asked, frozen=True, kw_only=True, tag="disqualify"):
    account: str
    reason: str = ""
    annul: Literal["keep", "void", "win"] = "keep"
    who = REFEREES


class Lift(Asked, frozen=True, kw_only=True, tag="lift"):
    account: str
    reason: str = ""
    who = REFEREES


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-911 What a correction changes: a pairing's result by places, its kind, or the points of a bye."""

    pairing: str
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


class Pause(Asked, frozen=True, kw_only=True, tag="pause"):
    with_clocks: bool = False
    who = OFFICIALS


class Resume(Asked, frozen=True, kw_only=True, tag="resume"):
    who = OFFICIALS


class Extend(OfPairing, frozen=True, kw_only=True, tag="extend"):
    until: int
    reason: str = ""
    who = BOTH


class End(Asked, frozen=True, kw_only=True, tag="end"):
    drain: bool = False
    who = OFFICIALS


class Cancel(Asked, frozen=True, kw_only=True, tag="cancel"):
    reason: str = ""
    who = frozenset({OWNER})


class Ready(OfAccount, frozen=True, kw_only=True, tag="ready"):
    who, bots = OWN, True


class Rest(OfAccount, frozen=True, kw_only=True, tag="rest"):
    who, bots = OWN, True


class ChallengeAct(OfAccount, frozen=True, kw_only=True, tag="challenge"):
    """`account` is the challenged; at a larger table `others` are challenged too. It asks for `challenger` or for who acts."""

    others: tuple[str, ...] = ()
    challenger: str = ""
    who, for_others, bots = OWN, OWN, True


class Answer(OfAccount, frozen=True, kw_only=True, tag="answer"):
    yes: bool
    who, bots = OWN, True


class SetRungs(Asked, frozen=True, kw_only=True, tag="set_rungs"):
    order: tuple[str, ...]
    reason: str = ""
    who = REFEREES


class PlanAct(Asked, frozen=True, kw_only=True, tag="plan"):
    entrants: int | None = None


class ForecastAct(Asked, frozen=True, kw_only=True, tag="forecast"):
    entrants: int | None = None


class Explain(Asked, frozen=True, kw_only=True, tag="explain"):
    stage: int
    round: int


class Export(Asked, frozen=True, kw_only=True, tag="export"):
    form: Literal["json", "csv", "trf16"]
    what: Literal["standings", "pairings", "results", "cross"] = "standings"
    stage: int = 1
    round: int | None = None


class ImportExport(Asked, frozen=True, kw_only=True, tag="import_export"):
    tournament: str
    organisation: str
    document: dict[str, Any]
    who = OFFICIALS


class RatingOnly(Asked, frozen=True, kw_only=True, tag="rating_only"):
    match: str
    reason: str = ""
    who = REFEREES


ACTS: Mapping[str, type[Asked]] = {
    kind.__struct_config__.tag: kind            # type: ignore[misc]
    for kind in list(globals().values())
    if isinstance(kind, type) and issubclass(kind, Asked) and kind not in {Asked, OfAccount, OfPairing}
}
ACT: Any = Union[tuple(ACTS.values())]          # noqa: UP007 made of a table


def read(kind: str, body: Mapping[str, Any]) -> Asked:
    """LG-102 An act in the agreed form, or `malformed`."""
    if kind not in ACTS:
        raise Refused("malformed", "there is no such act", [kind])
    try:
        found: Asked = msgspec.convert({**body, "kind": kind}, ACTS[kind], strict=True)
    except msgspec.ValidationError as error:
        raise Refused("malformed", "the act does not have the agreed form", [str(error)]) from error
    return found


def is_own(act: Asked, account: str) -> bool:
    """Whether somebody acts for itself."""
    return not isinstance(act, OfAccount) or act.account in {"", account}


def is_league(account: str) -> bool:
    return account == LEAGUE
