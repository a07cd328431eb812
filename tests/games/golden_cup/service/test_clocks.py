"""Whose time runs while an effect asks for a choice? That of the choice; the campaign's own clock stands still and goes on."""

import pytest

from services.golden_cup.game import GAME
from services.golden_cup.state import State
from tests.games.golden_cup.tables import campaign
from tests.ledger import rule
from tests.sitting import Sitting

S = 1000
QUICK = {"preset": "quick"}  # 90 s for a campaign, 20 s for each choice of an effect


def sitting(state: State, **clock: object) -> Sitting:
    return Sitting(GAME, 2, clock=QUICK | clock).begun().at(state)


@rule("GC-842", "PL-496")
def test_the_clock_of_a_campaign_stands_still_while_an_effect_asks() -> None:
    table = sitting(campaign(hand=("town_crier",)))
    table.later(80)
    table.act(0, "play_champion", champion="town_crier")
    assert table.clock(0).due == table.now + 20 * S
    table.later(15)
    table.act(0, "decline_improvement")
    assert (table.ask(0).question.name, table.clock(0).due) == ("campaign", table.now + 10 * S)


@rule("GC-307", "GC-842")
@pytest.mark.parametrize("card", ["rookie_squire", "glowworm", "minotaur"])
def test_each_choice_of_an_effect_has_a_clock_of_its_own(card: str) -> None:
    """Of one block, of two blocks, and of a multiplier."""
    table = sitting(campaign("cave_troll", hand=(card,)))
    table.act(0, "play_champion", champion=card)
    table.later(15)
    table.act(0, "decline_improvement")
    assert (table.ask(0).question.name, table.clock(0).due) == ("effect_improve", table.now + 20 * S)


@rule("GC-237", "GC-842")
def test_no_campaign_waits_behind_an_effect_without_coins() -> None:
    table = sitting(campaign(hand=("town_crier",), coins=3))
    table.act(0, "play_champion", champion="town_crier")
    assert GAME.standing(table.match.state, 0) == GAME.standing(table.match.state, 1) == ()
    table.act(0, "decline_improvement")
    assert table.match.ask_of(0) is None
