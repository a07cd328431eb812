"""What may be asked of a championship?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.league.championship.settings import Settings, Worth
from services.league.kind import Act


class Create(Act, frozen=True, tag="create"):
    """OP-43"""

    championship: str                           # filled in by the gateway, as the organisation is
    organisation: str
    settings: Settings


class Change(Act, frozen=True, tag="set"):
    changes: Mapping[str, Any]


class Add(Act, frozen=True, tag="add"):
    """OP-43 Count a tournament; what game it is in is read from the tournament."""

    tournament: str
    game: str = ""                              # filled in by the gateway
    weight: Worth = "1"
    reason: str = ""


class Remove(Act, frozen=True, tag="remove"):
    tournament: str
    reason: str = ""


class Publish(Act, frozen=True, tag="publish"):
    """From now on a change of what counts needs an owner and a reason."""


class Finish(Act, frozen=True, tag="finish"):
    """End it now, with the tournaments that have been counted."""

    reason: str = ""


AnyAct = Create | Change | Add | Remove | Publish | Finish
