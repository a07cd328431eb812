"""What may be asked about stages and rounds?"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from services.league.tournament.acts.base import BOTH, REFEREES, Asked


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
