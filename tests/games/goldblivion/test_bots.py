"""Do the bots play as well as they should, with nothing but their view?"""

import ast
from pathlib import Path

import pytest

from services.goldblivion import bots, planner_bots, worth_bots
from services.goldblivion.commands import BuyCard, ChooseEnemy, Develop, FinishCombat, PlayCard, ResolveCard
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Command
from shared.kernel.match import play_out, random_bot
from tests.games.goldblivion.tables import KEY, acting, developing, do, holding, on_map, turned_up


def planned(state: State, seat: int = 0) -> Command:
    """What the planner does."""
    return planner_bots.planner(GAME.look(state, seat), GAME.legal(state, seat), Dice(KEY, "bot|"))


def wins(own: str, other: str, matches: int) -> float:
    """How many matches of two the first level wins; the seats change from match to match."""
    won = 0.0
    for number in range(matches):
        levels = [GAME.bots[own], GAME.bots[other]]
        state = play_out(GAME, 2, GAME.read_options({}), number.to_bytes(32), levels[:: 1 if number % 2 else -1]).state
        places = GAME.result(state)
        won += places[1 - number % 2] == 1
    return won


def test_the_planner_beats_chance_nearly_always() -> None:
    assert wins("planner", "random", 12) >= 11


def test_the_planner_beats_the_greedy_player_in_seven_of_ten_matches() -> None:
    assert wins("planner", "greedy", 20) >= 14


def test_levels_go_from_weak_to_strong() -> None:
    assert list(GAME.bots) == ["random", "greedy", "planner"]
    assert GAME.bots["random"] is random_bot


@pytest.mark.parametrize("room", [bots, planner_bots, worth_bots], ids=lambda room: room.__name__)
def test_bots_see_views_and_nothing_else(room: object) -> None:
    tree = ast.parse(Path(str(getattr(room, "__file__", ""))).read_text("utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not {module for module in modules if module.endswith((".state", ".setup", ".legal")) or ".rules" in module}


def test_the_planner_puts_a_weak_card_under_the_board() -> None:
    state = holding(developing(), hand=("tom", "goldie"))
    move = planned(state)
    assert isinstance(move, Develop)
    assert move.card == "tom"


def test_the_planner_plays_its_elves_before_the_card_that_counts_them() -> None:
    assert planned(holding(acting(), hand=("bud_buddy", "jade"))) == PlayCard("jade")


def test_the_planner_buys_what_pays_for_itself_and_nothing_in_the_last_round() -> None:
    state = holding(acting(), nuggets=4)
    assert isinstance(planned(state), BuyCard)
    assert not isinstance(planned(holding(state, bars=10)), BuyCard)


def test_the_planner_fights_whom_it_can_beat() -> None:
    state = turned_up(on_map(holding(acting(), hand=("gloric",), army=("champion",) * 4), B1=("forest_4",)), "B1", "B2")
    assert planned(do(state, 0, PlayCard("gloric"))) == ChooseEnemy("B1")


def test_the_planner_sacrifices_only_where_it_helps() -> None:
    state = on_map(holding(acting(), hand=("gloric",), army=("karen", "champion", "champion")), B1=("forest_1",))
    fight = do(state, 0, PlayCard("gloric"), ChooseEnemy("B1"))
    fight = do(fight, 0, ResolveCard("champion", 1))
    assert planned(fight) in {ResolveCard("karen", 1), ResolveCard("champion", 1)}
    hard = on_map(holding(acting(), hand=("gloric",), army=("karen", "champion", "arthur")), B1=("forest_5",))
    hard = do(hard, 0, PlayCard("gloric"), ChooseEnemy("B1"), ResolveCard("champion", 1))
    assert planned(hard) == ResolveCard("karen", 2)
    assert planned(do(hard, 0, ResolveCard("karen", 2))) in {ResolveCard("arthur", 1), FinishCombat()}
