"""Whom do block lists keep apart in a round? Looked up when it is made, and kept so that it can be explained; nobody is told."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from services.league.kind import Kept
from services.league.store import HIDDEN
from shared.runtime.store import Database, Transaction

SALT = 16           # bytes


class KeptApart:
    """The block lists as one look at a competition sees them, and what its rounds were made from."""

    def __init__(self, database: Database, competition: str) -> None:
        self._database, self._competition = database, competition
        self._known: dict[tuple[str, ...], Kept] = {}
        self._used: dict[tuple[int, int], Kept] = {}

    def blocks(self, stage: int, number: int, accounts: Sequence[str]) -> Kept:
        """LG-951 Couples of those accounts, by their places from 1; it does not matter who has blocked whom."""
        asked = tuple(accounts)
        if asked not in self._known:
            rows = self._database.all(HIDDEN.blocked, accounts=list(asked))
            places = {account: place for place, account in enumerate(asked, start=1)}
            couples = frozenset(_couple(places[row["account_id"]], places[row["blocked_id"]]) for row in rows)
            self._known[asked] = Kept(couples, secrets.token_hex(SALT) if couples else "")
        self._used[stage, number] = self._known[asked]
        return self._known[asked]

    def kept(self, stage: int, number: int) -> Kept:
        """LG-1022 What a round was made from."""
        row = self._database.one(HIDDEN.kept, competition=self._competition, stage=stage, round=number)
        return Kept(frozenset(_couple(one, other) for one, other in row["couples"]), row["salt"]) if row else Kept()

    def write(self, transaction: Transaction, events: Iterable[Any]) -> None:
        """LG-954 Beside the events, not in them: officials and exports read those."""
        for event in events:
            place = (getattr(event, "stage", 0), getattr(event, "round", 0))
            if getattr(event, "inputs_hash", "") and place in self._used:
                facts = {"competition": self._competition, "stage": place[0], "round": place[1]}
                found = self._used[place]
                transaction.do(HIDDEN.forget_kept, **facts)
                if found.couples:
                    transaction.do(HIDDEN.keep, **facts, couples=Jsonb(sorted(found.couples)), salt=found.salt)


def _couple(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
