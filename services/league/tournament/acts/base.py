"""What is common to all that may be asked of a tournament, and whose role allows it?"""

from __future__ import annotations

from typing import ClassVar

from services.league.kind import ORGANISER, OWNER, REFEREE, SELF, Act

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
