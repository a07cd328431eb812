"""Are tables as many and as large as the rules say, and does everybody sit everywhere?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.league.tables import Limits, Sat, in_seats, sizes
from tests.ledger import rule

THREE_TO_FIVE, FIVE_TO_SIX = Limits(3, 5, 4), Limits(5, 6, 6)


@st.composite
def limits(draw) -> Limits:
    least = draw(st.integers(2, 8))
    most = draw(st.integers(least, 8))
    return Limits(least, most, draw(st.integers(least, most)))


@rule("LG-271", "LG-274", "E-01")
@pytest.mark.parametrize(("field", "wanted"), [
    (1, ()), (9, (5, 4)), (10, (4, 3, 3)), (11, (4, 4, 3)), (14, (4, 4, 3, 3)), (18, (4, 4, 4, 3, 3)), (23, (4, 4, 4, 4, 4, 3))])
def test_tables_of_three_to_five(field, wanted):
    assert sizes(field, THREE_TO_FIVE) == wanted


@rule("LG-271", "E-02")
@pytest.mark.parametrize(("field", "wanted"), [
    (7, (6,)), (9, (6,)), (13, (6, 6)), (15, (5, 5, 5)), (16, (6, 5, 5)), (19, (6, 6, 6)), (20, (5, 5, 5, 5))])
def test_tables_of_five_to_six(field, wanted):
    assert sizes(field, FIVE_TO_SIX) == wanted


@rule("LG-272", "LG-273", "LG-274")
@given(st.integers(0, 300), limits())
def test_every_field_has_an_answer(field, within):
    found = sizes(field, within)
    assert all(within.least <= size <= within.most for size in found)
    left = field - sum(found)
    assert 0 <= left < max(within.least, 1) * within.most
    if field < within.least:
        assert found == ()
    elif within.most >= 2 * within.least - 1:
        assert left == 0


@rule("LG-293", "LG-294", "E-09")
def test_seats_of_the_worked_example():
    times = {1: (2, 1, 0, 0), 2: (1, 1, 1, 0), 3: (0, 1, 1, 1), 4: (0, 0, 1, 2)}
    sat = {number: [Sat(seat, 4) for seat, count in enumerate(counts) for _ in range(count)] for number, counts in times.items()}
    assert in_seats((1, 2, 3, 4), sat) == (3, 4, 1, 2)


@rule("LG-294")
def test_without_a_past_the_pairing_numbers_decide():
    assert in_seats((7, 2, 5), {}) == (2, 5, 7)


@rule("LG-293")
@given(st.permutations(range(1, 7)), st.integers(1, 12))
def test_the_same_table_again_and_again_moves_everybody_through_all_seats(order, rounds):
    sat: dict[int, list[Sat]] = {number: [] for number in order}
    for _ in range(rounds):
        for seat, number in enumerate(in_seats(order, sat)):
            sat[number].append(Sat(seat, len(order)))
    for tables in sat.values():
        counts = [sum(table.seat == seat for table in tables) for seat in range(len(order))]
        assert max(counts) - min(counts) <= 1
