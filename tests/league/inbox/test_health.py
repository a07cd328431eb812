"""Does the readiness of a league process tell that it has stopped taking up what comes in?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from services.league import health
from services.league.inbox.office import Office
from shared.desk import serve
from shared.runtime import vitals
from shared.runtime.store import Database
from tests.league.inbox.conftest import Hall, settle
from tests.ledger import rule

HOUR = 3600.0


@pytest.fixture
def ears(hall: Hall) -> Iterator[Database]:
    database = Database(hall.settings.database_of("league"), hall.settings, "test", size=1)
    yield database
    database.close()


@rule("LG-1042")
def test_a_finish_record_that_nobody_takes_up_makes_the_league_unready(hall: Hall, office: Office, ears: Database):
    hall.field(tournament := hall.made(office), office, 2)
    settle(office)
    assert health.progresses(ears, HOUR)
    hall.finish(hall.open_matches(tournament)[0])
    assert health.progresses(ears, HOUR)
    hall.do("UPDATE outbox SET created_at = created_at - interval '31 seconds' WHERE done_at IS NULL")
    assert not health.progresses(ears, HOUR)
    assert health.progresses(ears, 29.0), "it has only just begun, and is still catching up"
    settle(office)
    assert health.progresses(ears, HOUR)


@rule("LG-1042", "LG-1031")
def test_so_does_an_act_but_not_one_that_stands_still_on_purpose_or_behind_a_long_round(hall: Hall, office: Office, ears: Database):
    tournament = hall.made(office)
    hall.act(tournament, "open")
    hall.do("UPDATE competition_acts SET received_at = received_at - interval '40 seconds'")
    assert not health.progresses(ears, HOUR)
    for change, back in (("held = true", "held = false"), ("fault = 'broken'", "fault = NULL"), ("entrants = 100000", "entrants = 0")):
        hall.do(f"UPDATE competitions SET {change}")
        assert health.progresses(ears, HOUR)
        hall.do(f"UPDATE competitions SET {back}")
    hall.do("UPDATE competitions SET entrants = 100000")
    hall.do("UPDATE competition_acts SET received_at = received_at - interval '2 minutes'")
    assert not health.progresses(ears, HOUR)


@rule("LG-1042", "PL-739")
def test_the_league_process_is_asked_for_its_progress(hall: Hall, monkeypatch: pytest.MonkeyPatch):
    asked: list[vitals.Checks] = []
    monkeypatch.setattr(serve, "read", lambda process: replace(hall.settings, vitals_port=1))
    monkeypatch.setattr(serve.log, "start", lambda *_: None)
    monkeypatch.setattr(serve.vitals, "serve", lambda port, url, checks: asked.append(checks))
    serve.begin("league", "league")
    serve.begin("relay", "relay")
    assert [list(one) for one in asked] == [["progress"], []]
    assert vitals.missing(hall.settings.database_url, asked[0]) == []
