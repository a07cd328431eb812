"""Does everybody meet everybody equally often, and sit everywhere equally often, wherever a design says so?"""

from collections import Counter
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.league.formats import designs
from services.league.formats.berger import same_seat_runs
from services.league.formats.berger import schedule as berger
from services.league.formats.designs import MADE, ORDERS, balance, check, classes_for, rounds_of, schedule, times
from services.league.formats.euler import turned
from services.league.formats.round_robin import Round
from services.league.refusals import Refused
from services.league.tables import Limits
from tests.ledger import rule

ROUNDS = {(3, 6): (10, 4), (3, 9): (4, 1), (3, 15): (7, 1), (4, 8): (7, 3), (4, 16): (5, 1), (5, 25): (6, 1), (6, 12): (11, 5), (7, 49): (8, 1),
          (8, 16): (15, 7), (8, 64): (9, 1)}
EACH = {(3, 4): (3, 2), (3, 7): (3, 1), (4, 5): (4, 3), (4, 7): (4, 2), (4, 13): (4, 1), (5, 6): (5, 4), (5, 11): (5, 2), (5, 21): (5, 1),
        (6, 7): (6, 5), (6, 11): (6, 3), (6, 16): (6, 2), (6, 31): (6, 1), (7, 8): (7, 6), (7, 15): (7, 3), (8, 9): (8, 7), (8, 15): (8, 4),
        (8, 57): (8, 1)}


def exactly(size: int) -> Limits:
    return Limits(size, size, size)


def tables_of(rounds: tuple[Round, ...]) -> list[list[set[int]]]:
    return [sorted(map(set, one.tables), key=min) for one in rounds]


def points(text: str) -> list[list[set[int]]]:
    return [[set(map(int, table.split("-"))) for table in one.split(", ")] for one in text.split("; ")]


@rule("LG-301", "LG-302", "LG-303", "E-03", "E-04")
def test_five_and_eight_at_tables_of_two():
    rests = ((1,), (4,), (2,), (5,), (3,))
    wanted = ({(2, 5), (3, 4)}, {(1, 2), (5, 3)}, {(3, 1), (4, 5)}, {(1, 4), (2, 3)}, {(5, 1), (4, 2)})
    assert [(set(one.tables), one.rests) for one in berger(5)] == list(zip(wanted, rests, strict=True))
    assert berger(8)[1].tables == ((8, 5), (1, 2), (7, 3), (6, 4))
    assert set(berger(8)[4].tables) == {(3, 8), (5, 1), (4, 2), (6, 7)}


@rule("LG-305", "E-05")
def test_a_double_round_robin_of_four():
    wanted = [{(1, 4), (2, 3)}, {(2, 4), (3, 1)}, {(4, 3), (1, 2)}, {(4, 1), (3, 2)}, {(3, 4), (2, 1)}, {(4, 2), (1, 3)}]
    assert [set(one.tables) for one in berger(4, double=True)] == wanted


@rule("LG-301", "LG-304", "LG-306")
@given(st.integers(0, 200))
def test_everybody_meets_everybody_once(field):
    rounds = berger(field)
    met = [frozenset(table) for one in rounds for table in one.tables]
    assert len(met) == len(set(met)) == field * (field - 1) // 2 * (field > 1)
    for one in rounds:
        seen = [number for table in one.tables for number in table] + list(one.rests)
        assert sorted(seen) == list(range(1, field + 1))
    firsts = Counter(table[0] for one in rounds for table in one.tables)
    seconds = Counter(table[1] for one in rounds for table in one.tables)
    assert all(abs(firsts[number] - seconds[number]) <= 1 for number in range(1, field + 1))


@rule("LG-305")
@given(st.integers(4, 80))
def test_a_double_cycle_changes_seats_and_opponents(field):
    rounds = berger(field, double=True)
    assert all(same_seat_runs(rounds, number) <= 2 for number in range(1, field + 1))
    for before, now in pairwise(rounds):
        assert not set(map(frozenset, before.tables)) & set(map(frozenset, now.tables))


@rule("LG-322", "E-06")
def test_nine_entrants_at_tables_of_three():
    wanted = points("1-2-3, 4-5-6, 7-8-9; 1-4-7, 2-5-8, 3-6-9; 1-5-9, 2-6-7, 3-4-8; 1-6-8, 2-4-9, 3-5-7")
    assert tables_of(schedule(range(1, 10), exactly(3))) == wanted


@rule("LG-325", "E-07")
def test_twelve_entrants_at_tables_of_three_and_four():
    wanted = points("1-2-3-4, 5-6-7-8, 9-10-11-12; 1-5-9, 2-6-10, 3-7-11, 4-8-12; 1-6-11, 2-5-12, 3-8-9, 4-7-10;"
                    " 1-7-12, 2-8-11, 3-5-10, 4-6-9; 1-8-10, 2-7-9, 3-6-12, 4-5-11")
    assert tables_of(schedule(range(1, 13), Limits(3, 4, 4))) == wanted


@rule("LG-292", "E-08")
def test_eight_entrants_in_seven_rounds_sit_everywhere():
    rounds = schedule(range(1, 9), exactly(4))
    for number in range(1, 9):
        seats = Counter(table.index(number) for one in rounds for table in one.tables if number in table)
        assert sorted(seats.values()) == [1, 2, 2, 2]


@rule("LG-321", "LG-322", "LG-323", "LG-324")
@pytest.mark.parametrize(("size", "field"), sorted(MADE))
def test_every_design_of_the_table(size, field):
    rounds = schedule(range(1, field + 1), exactly(size))
    found = balance(rounds, range(1, field + 1))
    count, meetings = ROUNDS.get((size, field)) or EACH[size, field]
    assert found.least == found.most == meetings
    if (size, field) in ROUNDS:
        assert (len(rounds), found.tables) == (count, (count, count))
        assert not any(one.rests for one in rounds)
    else:
        assert found.tables == (count, count)
    rests = Counter(number for one in rounds for number in one.rests)
    assert len(set(rests.values())) <= 1


@rule("LG-292")
@pytest.mark.parametrize(("size", "field"), [one for one in sorted(MADE) if one[1] < 40])
def test_seats_of_every_design(size, field):
    rounds = schedule(range(1, field + 1), exactly(size))
    counts = Counter((number, seat) for one in rounds for table in one.tables for seat, number in enumerate(table))
    for number in range(1, field + 1):
        own = [counts[number, seat] for seat in range(size)]
        assert max(own) - min(own) <= 1


@rule("LG-325")
@pytest.mark.parametrize(("order", "less"), list(product(ORDERS, ("point", "line"))))
def test_planes_less_a_point_or_a_line(order, less):
    field = order * order - (1 if less == "point" else order)
    rounds = schedule(range(1, field + 1), Limits(order - 1, order, order if order > 3 else 2))
    found = balance(rounds, range(1, field + 1))
    assert (len(rounds), found.least, found.most) == (order + 1, 1, 1)
    assert {len(table) for one in rounds for table in one.tables} == {order - 1, order}


@rule("LG-323")
def test_a_design_that_does_not_count_right_is_not_offered(monkeypatch):
    monkeypatch.setitem(MADE, (3, 7), lambda: designs._packed(designs._differences(7, (0, 1, 2))))
    classes_for.cache_clear()
    assert classes_for(7, exactly(3)) is None
    classes_for.cache_clear()


@rule("LG-322", "LG-272")
@given(st.integers(0, 300), st.integers(2, 8))
def test_other_fields_have_none(field, size):
    rounds = rounds_of(field, exactly(size))
    assert (rounds is None) == ((size, field) not in MADE)


@rule("LG-327", "LG-328")
def test_an_uneven_schedule_must_be_accepted():
    rounds = [Round(((1, 2, 3),), (4,)), Round(((1, 2, 4),), (3,))]
    found = balance(rounds, range(1, 5))
    assert (found.least, found.most, found.couples, found.tables) == (0, 2, {0: 1, 1: 4, 2: 1}, (1, 2))
    with pytest.raises(Refused) as refused:
        check(found, accepted=False)
    assert refused.value.code == "imbalance_not_accepted"
    check(found, accepted=True)


@pytest.mark.parametrize("order", ORDERS)
def test_fields_are_fields(order):
    for one in range(1, order):
        assert sorted(times(order, one, other) for other in range(order)) == list(range(order))
        assert all(times(order, one, other) == times(order, other, one) for other in range(order))
    assert len({frozenset(two) for two in combinations(range(order), 2)}) == order * (order - 1) // 2


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(10, 19)), max_size=60))
def test_couples_are_turned_evenly(edges):
    now = [edge[::-1] if exchanged else edge for edge, exchanged in zip(edges, turned(edges), strict=True)]
    firsts, seconds = Counter(one for one, _ in now), Counter(other for _, other in now)
    assert all(abs(firsts[one] - seconds[one]) <= 1 for one in range(20))
