"""Are the pages of real tournaments what computing them from all events gives, after each result and whatever the accounts are called?"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from services.league.inbox import checking
from services.league.inbox.kinds import KINDS
from services.league.inbox.office import Office
from services.league.kind import Kind
from tests.league.inbox.conftest import Hall, settle
from tests.ledger import rule

TWO, MANY = {"least": 2, "most": 2, "preferred": 2}, {"least": 2, "most": 4, "preferred": 3}


@pytest.fixture
def kinds() -> Mapping[str, Kind]:
    return KINDS


@rule("LG-802", "LG-809", "LG-1021")
@pytest.mark.parametrize("stages", [[{"format": "swiss", "seats": MANY, "rounds": 2, "dead_end": "relax"}], [{"format": "swiss", "seats": TWO, "rounds": 3}],
                                    [{"format": "round_robin", "seats": MANY, "rounds": 2}],
                                    [{"format": "groups", "seats": TWO, "groups": {"count": 2}}, {"format": "elimination", "seats": TWO, "takes": {"count": 2}}]])
def test_pages_are_what_all_events_say(hall: Hall, office: Office, stages: list):
    chance = random.Random(3)
    tournament = hall.made(office, game_version="1", opponents="bots", stages=stages, schedule={"round_break": "0 minutes"},
                           playing={"clock": {"preset": "quick"}})
    hall.act(tournament, "open", {"forecast_seen": True})
    for _ in range(8):
        hall.act(tournament, "enter", by=hall.account(f"{chance.choice('QaZxMb')}{chance.randrange(10**9)}"), roles=("self",))
    hall.act(tournament, "close")
    hall.act(tournament, "start", {"accept_imbalance": True})
    settle(office)
    while hall.row(tournament)["state"] != "finished":
        if not (matches := hall.open_matches(tournament)):      # the next stage waits for its start
            hall.act(tournament, "start", {"accept_imbalance": True})
            settle(office)
            matches = hall.open_matches(tournament)
            assert matches, hall.all("SELECT kind, code, sentence FROM competition_acts WHERE state = 'refused'")
        for match in chance.sample(matches, len(matches)):
            seats = hall.one("SELECT count(*) AS n FROM seats WHERE match_id = %s", match)["n"]
            hall.finish(match, chance.choice([range(1, seats + 1), range(seats, 0, -1)]))
            settle(office, sweep=False)
            assert checking.wrong_pages(office.database, tournament) == []
