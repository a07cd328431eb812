"""Does the bot that models the crowd play better than chance, and with nothing but its view?"""

import ast
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.champions import bots
from services.champions.bots import best_champion, best_vote, chance, crowd
from services.champions.game import GAME
from services.champions.state import Duel, State
from shared.kernel.match import play_out, random_bot
from tests.games.champions.tables import predicting, voting


def _history(state: State, *votes: tuple[str, ...]) -> State:
    """Round 1 was voted on like this; the cards showed the symbol of the present ones."""
    duel: Duel = replace(state.duels[0], contestants=(0, 1), winner=0, counted=(0, 0))
    return replace(state, history=(tuple(replace(duel, votes=vote) for vote in votes),))


@pytest.mark.parametrize(("seats", "tie", "likely"), [(4, "circle", 7 / 8), (4, "triangle", 1 / 2), (5, "circle", 11 / 16)])
def test_the_chance_of_a_symbol_among_voters_nobody_knows(seats: int, tie: str, likely: float) -> None:
    view = GAME.look(voting(seats, tie=tie), 0)
    assert chance(view, view.duels[0], "circle", with_me=True) == pytest.approx(likely)


@pytest.mark.parametrize("tie", ["circle", "triangle"])
def test_with_an_even_number_of_votes_it_goes_with_the_symbol(tie: str) -> None:
    assert best_vote(GAME.look(voting(4, tie=tie), 0)) == tie


def test_it_learns_who_always_votes_against_the_symbol() -> None:
    state = voting(5, tie="circle")
    contrary = ("circle", *["triangle"] * 4)
    assert best_vote(GAME.look(_history(state, *[contrary] * 7), 0)) == "triangle"


def test_it_bets_on_a_contestant_whose_symbols_decide_ties() -> None:
    state = predicting(4)
    ties = {0: "triangle", 1: "triangle", 2: "circle", 3: "triangle", 4: "circle", 5: "circle", 6: "triangle"}
    duels = tuple(replace(d, situation=replace(d.situation, tie=ties[n])) for n, d in enumerate(state.duels))
    assert best_champion(GAME.look(replace(state, duels=duels), 0)) == 5


def test_it_votes_for_its_champion_where_nothing_else_speaks() -> None:
    state = replace(voting(5), champions=(0, -1, -1, -1, -1))
    assert best_vote(GAME.look(state, 0)) == "circle"
    assert best_vote(GAME.look(replace(state, champions=(1, -1, -1, -1, -1)), 0)) == "triangle"


def _matches(seats: int, count: int) -> tuple[float, float]:
    """Mean points of one bot that models the crowd, and of the random bots around it."""
    own, others = 0, 0
    for number in range(count):
        me = number % seats
        table = [crowd if seat == me else random_bot for seat in range(seats)]
        scores = GAME.score(play_out(GAME, seats, GAME.read_options({}), number.to_bytes(32), table).state)
        own += scores.pop(me)
        others += sum(scores.values())
    return own / count, others / count / (seats - 1)


@pytest.mark.parametrize("seats", [4, 6])
def test_at_even_tables_it_beats_random_voters_by_far(seats: int) -> None:
    own, others = _matches(seats, 24)
    assert own > others + 3


def test_bots_see_views_and_nothing_else() -> None:
    tree = ast.parse(Path(bots.__file__).read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not {module for module in modules if module and module.endswith((".state", ".rules", ".setup"))}


def test_levels_go_from_weak_to_strong() -> None:
    assert list(GAME.bots) == ["random", "crowd"]
    assert GAME.bots["random"] is random_bot
