"""Are points exact, is the order the right one, and does nothing depend on how the results came in?"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.league.scoring import BadResult, Seat, points, scale_for
from services.league.standings import Tally, add, ranked, standing
from services.league.tiebreaks import head_to_head, seats_won
from tests.ledger import rule

F = Fraction


def table(*places: int) -> list[Seat]:
    return [Seat(number, place) for number, place in enumerate(places, start=1)]


def scale(*given: int) -> dict[int, tuple[Fraction, ...]]:
    return {len(given): tuple(map(F, given))}


@rule("LG-722", "LG-723")
def test_six_seats_of_which_three_are_level():
    gained = points(table(1, 2, 2, 2, 5, 6), scale(10, 6, 4, 3, 2, 1))
    assert list(gained.values()) == [10, F(13, 3), F(13, 3), F(13, 3), 2, 1]
    assert sum(gained.values()) == 26


@rule("LG-722")
def test_five_seats_all_level():
    assert set(points(table(1, 1, 1, 1, 1), scale(7, 5, 3, 2, 1)).values()) == {F(18, 5)}


@rule("LG-724")
def test_the_default_points_mean_one_half_at_every_table():
    assert list(points(table(1, 2, 2, 2, 5), {}).values()) == [1, F(1, 2), F(1, 2), F(1, 2), 0]
    for seats in range(2, 9):
        assert sum(scale_for(seats, {})) / seats == F(1, 2)


@rule("LG-704", "LG-705")
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


@st.composite
def results(draw) -> list[list[Seat]]:
    """Some tables of a field of twelve, with ties and leavers."""
    tables = []
    for _ in range(draw(st.integers(0, 12))):
        numbers = draw(st.lists(st.integers(1, 12), min_size=2, max_size=8, unique=True))
        worths = [draw(st.integers(0, 4)) for _ in numbers]
        places = [1 + sum(other > worth for other in worths) for worth in worths]
        how = draw(st.sampled_from(["played", "played", "played", "left"]))
        tables.append([Seat(number, place, how=how if place > 1 else "played") for number, place in zip(numbers, places, strict=True)])
    return tables


FIELD = range(1, 13)


@rule("LG-723")
@given(results())
def test_the_points_of_a_table_add_up_to_its_list(tables):
    for one in tables:
        if all(seat.how == "played" for seat in one):
            assert sum(points(one, {}).values()) == F(len(one), 2)


@rule("LG-803", "LG-1021")
@given(results(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(tables, chance):
    mixed = [chance.sample(one, len(one)) for one in chance.sample(tables, len(tables))]
    assert standing(FIELD, mixed, {}) == standing(FIELD, tables, {})


@rule("LG-802")
@given(results())
def test_one_by_one_is_the_same_as_all_at_once(tables):
    tallies: dict[int, Tally] = dict.fromkeys(FIELD, Tally())
    for count, one in enumerate(tables, start=1):
        add(tallies, one, {})
        assert ranked(tallies, tables[:count]) == standing(FIELD, tables[:count], {})


@rule("LG-741", "LG-801")
@given(results())
def test_ranks_are_shared_by_equals_and_the_next_is_skipped(tables):
    lines = standing(FIELD, tables, {})
    assert sorted(line.number for line in lines) == list(FIELD)
    for place, line in enumerate(lines):
        above = lines[place - 1] if place else None
        if above is not None and line.rank == above.rank:
            assert (line.points, line.ties, line.decided) == (above.points, above.ties, "")
        else:
            assert line.rank == place + 1
            assert bool(line.decided) == bool(place)
        assert line.played == sum(line.places)


@rule("LG-748", "LG-743")
def test_head_to_head_of_the_worked_example():
    tables = [[Seat(1, 1), Seat(9, 2), Seat(2, 3)], [Seat(2, 1), Seat(1, 2), Seat(9, 3), Seat(3, 4)], [Seat(3, 1), Seat(1, 2)]]
    assert head_to_head((1, 2, 3), tables) == {1: 0, 2: 1, 3: -1}


@rule("LG-750")
def test_shared_places_count_in_parts():
    assert seats_won(1)((1, 2, 3), [table(1, 1, 3)]) == {1: F(1, 2), 2: F(1, 2), 3: 0}
    assert seats_won(2)((1, 2, 3), [table(1, 1, 3), table(1, 2, 3)]) == {1: F(1, 2), 2: F(3, 2), 3: 0}


@rule("LG-742", "LG-743", "LG-808")
def test_what_decides_between_equals_is_told():
    tables = [[Seat(1, 1), Seat(2, 2), Seat(3, 3)], [Seat(2, 1), Seat(1, 2), Seat(4, 3)], [Seat(5, 1), Seat(4, 2)]]
    lines = {line.number: line for line in standing((1, 2, 3, 4, 5), tables, {})}
    assert (lines[1].rank, lines[2].rank, lines[2].decided) == (1, 1, "")            # level to the end: joint winners
    assert (lines[5].rank, lines[5].decided) == (3, "points")
    assert [code for code, _ in lines[1].ties] == ["P1", "P2", "H2H"]
    assert (lines[4].rank, lines[3].rank, lines[3].decided) == (4, 5, "P2")
