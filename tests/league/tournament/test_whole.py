"""Does a whole tournament go by itself, from entry to the title?"""

import pytest

from tests.league.tournament.desk import THREE, Desk, stage
from tests.ledger import rule

FORMS = [stage(), stage("swiss", rounds=4), stage("elimination"), stage("double_elimination"), stage(seats=THREE), stage("swiss", THREE, rounds=3)]


@rule("LG-161", "LG-180", "LG-171")
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form['format']}-{form['seats']['most']}")
def test_nine_entrants_play_to_the_end(form):
    desk = Desk(form)
    desk.field(9)
    desk.host("start", accept_imbalance=True)
    desk.play()
    assert desk.state.life == "finished"
    assert desk.state.winners
    assert desk.state.stages[0].lines
    lines = desk.page("standing/1")["lines"]
    assert sorted(line["number"] for line in lines) == list(range(1, 10))
    assert {line["account"] for line in lines if line["rank"] == 1} == set(desk.state.winners)
    assert all(page["text"].startswith("Round 1, table") for page in desk.page("round/1/1")["pairings"])
