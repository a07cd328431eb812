"""Does a championship hear of every final standing, also of one that comes while it is at work?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from services.league.inbox.kinds import KINDS
from services.league.inbox.office import Office
from services.league.inbox.pages import Pages
from services.league.kind import Kind
from services.league.store import INBOX
from tests.league.inbox.conftest import ORG, Hall
from tests.ledger import rule

CUPS = ("t-1", "t-2")


@pytest.fixture
def kinds() -> Mapping[str, Kind]:
    return KINDS


def begun(hall: Hall, office: Office, **settings: Any) -> str:
    """A published championship that counts two tournaments."""
    for name, kind in (("k-1", "championship"), *((cup, "tournament") for cup in CUPS)):
        hall.do("INSERT INTO competitions (competition_id, kind, organisation_id, created_by, seed, version) VALUES (%s, %s, %s, 'host', %s, %s)",
                name, kind, ORG, bytes(range(32)), int(kind == "tournament"))
    hall.do("INSERT INTO competition_inbox (competition_id) VALUES ('k-1')")
    hall.act("k-1", "create", {"settings": {"name": "The year", "announced": 2, "least_field": 1, **settings}})
    for cup in CUPS:
        hall.act("k-1", "add", {"tournament": cup, "game": "pairs"})
    hall.act("k-1", "publish")
    office.drain("k-1")
    return "k-1"


def ended(hall: Hall, office: Office, cup: str, *order: str) -> None:
    """As a tournament that is over writes it."""
    body = {"revision": 1, "finished_at": 1, "places": {account: place for place, account in enumerate(order, start=1)}, "barred": [], "tables": []}
    with office.database.transaction() as transaction:
        transaction.do("INSERT INTO competition_pages (competition_id, name, part, version, body) VALUES (%(cup)s, 'final', 0, 1, %(body)s)",
                       cup=cup, body=json.dumps(body))
        transaction.do(INBOX.wake_championships, competition=cup)


@rule("LG-602", "LG-148", "LG-149")
def test_a_standing_that_is_final_while_another_one_is_counted_is_counted_too(hall: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    """What wakes a championship between its reading and its writing is not written over."""
    championship = begun(hall, office)
    ended(hall, office, "t-1", "ada", "bo")
    pages, late = Office._pages, iter([("t-2", "bo", "ada")])

    def ready(self: Office, *facts: Any) -> Pages | None:
        for cup, *order in late:
            ended(hall, office, cup, *order)
        return pages(self, *facts)

    monkeypatch.setattr(Office, "_pages", ready)
    for _ in range(3):
        for found in office.found(sweep=False):
            office.drain(found)
    assert hall.events(championship)[-3:] == ["counted", "counted", "finished"]
    assert hall.row(championship)["due_at"] is None


@rule("LG-601", "LG-602", "LG-617")
def test_a_tournament_that_is_over_already_is_counted_as_soon_as_it_is_added(hall: Hall, office: Office):
    championship = begun(hall, office)
    hall.act(championship, "remove", {"tournament": "t-2", "reason": "added by a mistake"})
    office.drain(championship)
    ended(hall, office, "t-2", "ada", "bo")
    hall.act(championship, "add", {"tournament": "t-2", "game": "pairs", "reason": "it was right after all"})
    office.drain(championship)
    assert hall.events(championship)[-2:] == ["added", "counted"]
