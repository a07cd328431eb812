"""What may be asked of a tournament, and by whom?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.league.refusals import Refused
from services.league.tournament.acts.base import ANYBODY, BOTH, CLOCK, OFFICIALS, OWN, REFEREES, Asked, OfAccount, OfPairing
from services.league.tournament.acts.field import (
    AcceptInvitation,
    Answer,
    ChallengeAct,
    CheckIn,
    Consent,
    Disqualify,
    Enter,
    GiveBye,
    ImportEntrants,
    Invite,
    Lift,
    LineUp,
    Ready,
    RequestBye,
    Rest,
    Return,
    SetRungs,
    Substitute,
    Withdraw,
)
from services.league.tournament.acts.life import (
    Cancel,
    Close,
    Constrain,
    Create,
    End,
    Explain,
    Export,
    ForecastAct,
    ImportExport,
    NewSeed,
    Open,
    Outage,
    Pause,
    PlanAct,
    Resume,
    Seed,
    Set,
    Signals,
    Ties,
)
from services.league.tournament.acts.results import (
    Agree,
    Appoint,
    Change,
    Confirm,
    Correct,
    Extend,
    Forfeit,
    MatchStarted,
    Preview,
    RatingOnly,
    RecordMatch,
    Replay,
    Report,
    Result,
    SeatEnded,
    Undo,
    Void,
)
from services.league.tournament.acts.rounds import (
    Choose,
    ListedBye,
    PairAgain,
    Publish,
    Start,
    Swap,
    Upload,
)

__all__ = [
    "ANYBODY",
    "BOTH",
    "CLOCK",
    "OFFICIALS",
    "OWN",
    "REFEREES",
    "AcceptInvitation",
    "Agree",
    "Answer",
    "Appoint",
    "Asked",
    "Cancel",
    "ChallengeAct",
    "Change",
    "CheckIn",
    "Choose",
    "Close",
    "Confirm",
    "Consent",
    "Constrain",
    "Correct",
    "Create",
    "Disqualify",
    "End",
    "Enter",
    "Explain",
    "Export",
    "Extend",
    "ForecastAct",
    "Forfeit",
    "GiveBye",
    "ImportEntrants",
    "ImportExport",
    "Invite",
    "Lift",
    "LineUp",
    "ListedBye",
    "MatchStarted",
    "NewSeed",
    "OfAccount",
    "OfPairing",
    "Open",
    "Outage",
    "PairAgain",
    "Pause",
    "PlanAct",
    "Preview",
    "Publish",
    "RatingOnly",
    "Ready",
    "RecordMatch",
    "Replay",
    "Report",
    "RequestBye",
    "Rest",
    "Result",
    "Resume",
    "Return",
    "SeatEnded",
    "Seed",
    "Set",
    "SetRungs",
    "Signals",
    "Start",
    "Substitute",
    "Swap",
    "Ties",
    "Undo",
    "Upload",
    "Void",
    "Withdraw",
]

ACTS: Mapping[str, type[Asked]] = {
    kind.__struct_config__.tag: kind            # type: ignore[misc]
    for kind in list(globals().values())
    if isinstance(kind, type) and issubclass(kind, Asked) and kind not in {Asked, OfAccount, OfPairing}
}


def read(kind: str, body: Mapping[str, Any]) -> Asked:
    """LG-102 An act in the agreed form, or `malformed`."""
    if kind not in ACTS:
        raise Refused("malformed", "there is no such act", [kind])
    try:
        found: Asked = msgspec.convert({**body, "kind": kind}, ACTS[kind], strict=True)
    except msgspec.ValidationError as error:
        raise Refused("malformed", "the act does not have the agreed form", [str(error)]) from error
    return found
