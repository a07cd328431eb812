"""Are points exact, and do they add up to the list of the table?"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.league.scoring import BadResult, Seat, points, scale_for
from tests.ledger import rule

F = Fraction


def table(*places: int) -> list[Seat]:
    return [Seat(number, place) for number, place in enumerate(places, start=1)]


def scale(*given: int) -> dict[int, tuple[Fraction, ...]]:
    return {len(given): tuple(map(F, given))}


@rule("LG-722", "LG-723", "E-23")
def test_six_seats_of_which_three_are_level():
    gained = points(table(1, 2, 2, 2, 5, 6), scale(10, 6, 4, 3, 2, 1))
    assert list(gained.values()) == [10, F(13, 3), F(13, 3), F(13, 3), 2, 1]
    assert sum(gained.values()) == 26


@rule("LG-722", "E-24")
def test_five_seats_all_level():
    assert set(points(table(1, 1, 1, 1, 1), scale(7, 5, 3, 2, 1)).values()) == {F(18, 5)}


@rule("LG-724", "E-25")
def test_the_default_points_mean_one_half_at_every_table():
    assert list(points(table(1, 2, 2, 2, 5), {}).values()) == [1, F(1, 2), F(1, 2), F(1, 2), 0]
    for seats in range(2, 9):
        assert sum(scale_for(seats, {})) / seats == F(1, 2)


@rule("LG-704", "LG-705", "E-27")
def test_leavers_get_the_last_place_and_cost_the_others_nothing():
    left = [Seat(1, 5, how="left"), Seat(2, 1), Seat(3, 2), Seat(4, 4, how="resigned"), Seat(5, 3)]
    assert points(left, {}) == {1: 0, 2: 1, 3: F(3, 4), 4: 0, 5: F(1, 2)}
    assert points(left, scale(9, 7, 5, 3, 2))[4] == 2


@rule("LG-673", "LG-207")
def test_who_never_came_gets_nothing():
    assert points([Seat(1, 1), Seat(2, 2), Seat(3, 3, how="no_show")], scale(5, 3, 2)) == {1: 5, 2: 3, 3: 0}


@rule("LG-707", "LG-214")
def test_when_all_leave_nobody_wins():
    assert set(points([Seat(number, 1, how="left") for number in (1, 2, 3)], scale(5, 3, 1)).values()) == {1}


@rule("LG-202")
@pytest.mark.parametrize("places", [(1, 1, 2), (2, 3, 4), (1, 3, 3, 3), (0, 1)])
def test_places_that_cannot_be(places):
    with pytest.raises(BadResult):
        points(table(*places), {})


@rule("LG-723")
@given(st.lists(st.integers(0, 4), min_size=2, max_size=8))
def test_the_points_of_a_table_add_up_to_its_list(worths):
    places = [1 + sum(other > worth for other in worths) for worth in worths]
    assert sum(points(table(*places), {}).values()) == F(len(places), 2)
