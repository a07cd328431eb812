"""Does the bot know its odds, and does it beat random knights with nothing but its view?"""

import ast
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.knightly_cup import bots
from services.knightly_cup.bots import best_target, knight
from services.knightly_cup.commands import BeginUltimateChallenge, Challenge, EndCombat, FightMonster, Storm
from services.knightly_cup.content.odds import beats_monster, hits, wins_duel
from services.knightly_cup.game import GAME
from services.knightly_cup.report import Report
from services.knightly_cup.rules.combat import throw
from services.knightly_cup.state import SUITS, State
from shared.desk.workshop.simulate import simulate
from tests.games.knightly_cup.tables import PLACE, dice, do, rich, row, walking
from tests.ledger import rule

MONSTERS = {  # with 2, 3, 4, 5 dice; the second four with an amulet
    2: (0.625, 0.903, 0.966, 0.988, 0.809, 0.983, 0.997, 1.000),
    3: (0.500, 0.841, 0.937, 0.975, 0.694, 0.959, 0.992, 0.999),
    4: (0.375, 0.761, 0.892, 0.951, 0.559, 0.918, 0.980, 0.995),
    5: (0.259, 0.664, 0.830, 0.914, 0.414, 0.853, 0.956, 0.987),
    6: (0.162, 0.556, 0.750, 0.859, 0.276, 0.763, 0.912, 0.968),
    7: (0.093, 0.444, 0.652, 0.783, 0.166, 0.650, 0.843, 0.930),
    8: (0.046, 0.336, 0.541, 0.687, 0.087, 0.524, 0.747, 0.866),
    9: (0.019, 0.239, 0.425, 0.572, 0.036, 0.396, 0.626, 0.769),
    10: (0.005, 0.159, 0.313, 0.448, 0.009, 0.277, 0.490, 0.642),
}
KNIGHTS = {  # attacker -> one round, and the whole duel, against 2, 3, 4, 5 dice
    2: ((0.444, 0.152, 0.067, 0.030), (0.643, 0.187, 0.074, 0.031)),
    3: ((0.779, 0.454, 0.292, 0.194), (0.959, 0.647, 0.399, 0.247)),
    4: ((0.893, 0.622, 0.451, 0.331), (0.992, 0.849, 0.646, 0.464)),
    5: ((0.947, 0.733, 0.571, 0.446), (0.998, 0.934, 0.801, 0.643)),
}


@rule("KC-452", "KC-503", "KC-602")
@pytest.mark.parametrize("strength", MONSTERS)
def test_the_odds_against_monsters(strength: int) -> None:
    odds = [beats_monster(count, strength, rerolls) for rerolls in (0, 1) for count in (2, 3, 4, 5)]
    assert odds == pytest.approx(MONSTERS[strength], abs=0.0006)


def test_a_knight_of_six_dice_knows_what_it_wants() -> None:
    """A pack may allow more dice than the rulebook has."""
    state = rich(row("7_clubs", "A_clubs", down=("10_diamonds",)), 0, 5, "sword", "shield")
    numbers = replace(state.printed.numbers, base_dice=3, most_dice=6)
    goods = {item: replace(good, combat_dice=good.combat_dice * 2) for item, good in state.printed.goods.items()}
    view = GAME.look(replace(state, printed=replace(state.printed, numbers=numbers, goods=goods)), 0)
    assert (view.knights[0].dice, best_target(view, 3)[0]) == (6, PLACE["A_clubs"])


@rule("KC-455", "KC-537")
@pytest.mark.parametrize("attacker", KNIGHTS)
def test_the_odds_between_knights(attacker: int) -> None:
    assert [hits(attacker, defender) for defender in (2, 3, 4, 5)] == pytest.approx(KNIGHTS[attacker][0], abs=0.0006)
    assert [wins_duel(attacker, defender) for defender in (2, 3, 4, 5)] == pytest.approx(KNIGHTS[attacker][1], abs=0.0006)


@rule("KC-452", "KC-455")
@pytest.mark.parametrize(("attacker", "defender"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_the_dice_of_the_rules_have_these_odds(attacker: int, defender: int) -> None:
    """By going through every throw of the code that rolls them."""
    scores = {count: [throw(dice(*faces), count, 3)[1] for faces in product(range(1, 7), repeat=count)] for count in (2, 3)}
    won = sum(attack > defence for attack in scores[attacker] for defence in scores[defender])
    assert won / len(scores[attacker]) / len(scores[defender]) == pytest.approx(hits(attacker, defender))


def _answer(state: State, seat: int = 0) -> object:
    return knight(GAME.look(state, seat), GAME.legal(state, seat), dice())


def test_it_fights_where_the_odds_are_good() -> None:
    assert _answer(row("2_hearts", "A_clubs")) == FightMonster()
    assert _answer(row("10_diamonds", "A_clubs")) != FightMonster()


def test_it_storms_when_it_is_strong() -> None:
    assert _answer(rich(row("A_diamonds", "7_clubs"), 0, 5, "shield", "sword")) == Storm()
    assert _answer(rich(row("A_hearts", "7_clubs"), 0, 5)) != Storm()


def test_it_comes_home_for_the_last_challenge() -> None:
    state = rich(walking("7_clubs", "10_diamonds", moves=2), 0, 5, "shield", "sword", standards=SUITS)
    assert best_target(GAME.look(state, 0), 2)[0] == PLACE["A_clubs"]
    assert _answer(row("A_clubs", "7_clubs").with_knight(0, standards=SUITS)) == BeginUltimateChallenge()


def test_a_weak_knight_does_not_attack_back() -> None:
    state = do(rich(row("7_clubs", "7_clubs"), 0, 5, "shield", "sword"), 0, Challenge(1), 6, 6, 1, 1, 1, 1)
    assert _answer(state, 1) == EndCombat()


def test_it_beats_random_knights() -> None:
    report = simulate(GAME, GAME.read_options({}), ["knight", "random"], range(1, 31)).report(1.0)
    assert report["wins_by_bot"]["knight"] >= 0.9


def test_the_report_counts_wins_rounds_and_what_wins_are_made_of() -> None:
    report = Report()
    simulate(GAME, GAME.read_options({}), ["knight"] * 3, range(1, 7), report)
    facts = report.facts()
    assert sum(facts["wins_by_order_of_turns"]) == pytest.approx(1, abs=0.001)
    assert facts["rounds"]["median"] == sorted(report.rounds)[3]
    assert facts["in_a_match"]["challenge_began"] > 0
    assert len(report.lines()) == len(facts)


def test_the_report_counts_games_that_the_cap_decides() -> None:
    report = Report()
    simulate(GAME, GAME.read_options({"turn_cap_rounds": 20}), ["random"] * 2, range(1, 4), report)
    assert (report.facts()["decided_by_the_cap"], set(report.rounds)) == (1.0, {20})


def test_bots_see_views_and_nothing_else() -> None:
    tree = ast.parse(Path(bots.__file__).read_text("utf-8"))
    modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not {module for module in modules if module.endswith((".state", ".rules", ".setup"))}
