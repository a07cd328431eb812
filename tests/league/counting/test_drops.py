"""Which results of a championship are left out, and does the order of the tournaments ever matter?"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.counting.championship import Result, Settings, Tournament, _dropped, _left, _marked, results, standing
from tests.ledger import rule

POINTS = st.sampled_from([0, 1, 1, 1, 2, 3])
RESULTS = st.lists(st.tuples(st.sampled_from("xyz"), POINTS, st.integers(0, 9)), max_size=6)


def cup(name: str, game: str, *order: str) -> Tournament:
    return Tournament(name, game, {account: place for place, account in enumerate(order, start=1)})


@rule("LG-608", "LG-1021")
def test_of_equally_low_results_the_one_is_left_out_that_costs_nothing():
    """The best of each game, and one drop: without either of the two of game y, x would count beside the other."""
    cups = [cup("x", "x", "o", "A", "p", "q"), cup("y1", "y", "o", "A", "p", "q"), cup("y2", "y", "o", "A", "p", "q")]
    rules = Settings(drop=1, best_per_game=1)
    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        found = results("A", [cups[at] for at in order], rules)
        assert sorted(one.game for one in found if one.kept) == ["x", "y"]


@rule("LG-608", "LG-612")
def test_a_drop_leaves_as_many_games_with_points_as_it_can():
    cups = [cup("x", "x", "o", "A", "B", "q"), cup("y1", "y", "o", "A", "B", "q"), cup("y2", "y", "o", "A", "B", "q")]
    lines = {line.account: line for line in standing(cups, Settings(drop=1))}
    assert {one.game for one in lines["A"].results if one.kept} == {"x", "y"}


@rule("LG-608", "LG-1021")
@settings(max_examples=150, deadline=None)
@given(RESULTS, st.integers(0, 4), st.sampled_from([None, 1, 2]))
def test_nothing_better_could_be_left_by_any_choice_of_the_lowest(wish: list[tuple[str, int, int]], count: int, best: int | None):
    found = [Result(str(at), game, Fraction(points if chance else 0), 1, barred=not chance) for at, (game, points, chance) in enumerate(wish)]
    able = [at for at, one in enumerate(found) if not one.barred]
    lowest = sorted(found[at].points for at in able)[:count]
    ways = [way for way in combinations(able, len(lowest)) if sorted(found[at].points for at in way) == lowest]
    dropped = _dropped(found, count, best)
    assert tuple(sorted(dropped)) in ways
    assert _left(_marked(found, dropped, best)) == max(_left(_marked(found, way, best)) for way in ways)
