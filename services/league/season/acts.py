"""What may be asked of a season?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.league.kind import Act
from services.league.season.settings import Settings


class Create(Act, frozen=True, tag="create"):
    season: str                                 # filled in by the gateway, as the organisation is
    organisation: str
    settings: Settings


class Change(Act, frozen=True, tag="set"):
    changes: Mapping[str, Any]


class Add(Act, frozen=True, tag="add"):
    """A tournament decides the division of this level; the top one is 0."""

    tournament: str
    level: int
    game: str = ""                              # filled in by the gateway: it says that the tournament exists


class Remove(Act, frozen=True, tag="remove"):
    tournament: str
    reason: str = ""


class Publish(Act, frozen=True, tag="publish"):
    """The season begins."""


class GoOn(Act, frozen=True, tag="go_on"):
    """LG-564 An entrant says whether it plays next season; without a word it does."""

    yes: bool
    account: str = ""


class Join(Act, frozen=True, tag="join"):
    """LG-567 A newcomer for next season."""

    account: str = ""


class Move(Act, frozen=True, tag="move"):
    """LG-568 An organiser puts somebody elsewhere than computed."""

    account: str
    level: int
    reason: str = ""


class Settle(Act, frozen=True, tag="settle"):
    """OP-42 Publish the moves."""


AnyAct = Create | Change | Add | Remove | Publish | GoOn | Join | Move | Settle
