"""Is a multi-seat Swiss round the best by the order of its rules, in every field?"""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.formats.swissn.cards import (
    BRACKETS_FIRST,
    Card,
    Plan,
    cards,
    evenness,
    field_of,
    listing,
    past_of,
    steps,
    total,
)
from services.league.formats.swissn.seating import seat, snaked
from services.league.record import ALLOCATED, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat
from services.league.tables import Limits, in_seats, sizes
from tests.league.test_tables import limits
from tests.ledger import rule

F = Fraction
THREES = Limits(3, 3, 3)


def named(tables) -> list[str]:
    return sorted("-".join(sorted("?ABCDEFGHIJK"[number] for number in table)) for table in tables)


def play(size: int, rounds: int, within: Limits, *, seed: int = 1, priority: str = "repeats_first") -> list[Record]:
    """A whole stage in which results follow from numbers and seed."""
    records: list[Record] = []
    rules = Rules(preferred=within.preferred)
    for number in range(1, rounds + 1):
        plan = Plan(number, rounds, within, priority, past=past_of(records))
        found = seat(cards(range(1, size + 1), records, rules), plan)
        order = [sorted(table, key=lambda one: (one * 7919 * seed + number) % 101) for table in found.tables]
        tables = tuple(tuple(Seat(one, at) for at, one in enumerate(table, start=1)) for table in order)
        records.append(Record(tables, tuple(Bye(one, ALLOCATED, F(1, 2)) for one in found.byes)))
    return records


def meetings(records: list[Record]) -> Counter:
    return Counter(two for one in records for table in one.tables for two in combinations(sorted(seat.number for seat in table), 2))


@rule("LG-394", "LG-395", "LG-396", "LG-393", "E-13")
def test_eleven_who_have_not_met():
    points = [F(2), F(2), F(5, 3), F(4, 3), F(4, 3), F(1), F(1), F(2, 3), F(2, 3), F(1, 3), F(0)]
    field = [Card(number, worth) for number, worth in enumerate(points, start=1)]
    found = seat(field, Plan(1, 1, Limits(3, 4, 4)))
    assert named(found.tables) == ["A-B-C", "D-E-F-G", "H-I-J-K"]
    assert found.costs == (0, 0, 8, 0, 0)


NINE = [Record(tuple(tuple(Seat(ord(name) - 64, place) for place, name in enumerate(table.split("-"), start=1)) for table in one.split(", ")))
        for one in ("A-F-G, B-E-H, C-D-I", "A-B-C, D-E-F, G-H-I")]


@rule("LG-394", "LG-395", "LG-396", "LG-397", "LG-401", "LG-403", "E-14")
def test_nine_in_four_rounds_meet_exactly_once():
    rules = Rules(preferred=3)
    third = seat(cards(range(1, 10), NINE, rules), Plan(3, 4, THREES, past=past_of(NINE)))
    assert named(third.tables) == ["A-D-H", "B-F-I", "C-E-G"]
    assert third.costs[:3] == (0, 0, 23)
    records = [*NINE, Record(tuple(tuple(Seat(one, at) for at, one in enumerate(table, start=1)) for table in third.tables))]
    fourth = seat(cards(range(1, 10), records, rules), Plan(4, 4, THREES, past=past_of(records)))
    assert named(fourth.tables) == ["A-E-I", "B-D-G", "C-F-H"]


@rule("LG-398", "E-14")
def test_brackets_first_takes_repeats_for_purer_brackets():
    found = seat(cards(range(1, 10), NINE, Rules(preferred=3)), Plan(3, 4, THREES, BRACKETS_FIRST))
    assert named(found.tables) == ["A-B-D", "C-E-G", "F-H-I"]
    assert found.costs[:3] == (0, 3, 2)         # steps 1+1 at the first table and 1 at the last; A-B and H-I meet again


@rule("LG-403")
@pytest.mark.parametrize("order", [3, 4, 5, 7, 8])
@pytest.mark.parametrize("less", [0, 1])
@pytest.mark.parametrize("seed", [1, 5])
def test_a_plane_is_played_without_a_repeat(order, less, seed):
    size = order * order - less
    within = Limits(order - 1 if less else order, order, order)
    if sizes(size, within) != (order,) * (order - less) + (order - 1,) * less:
        pytest.skip("other tables are better for this field")
    records = play(size, order + 1, within, seed=seed)
    assert set(meetings(records).values()) == {1}


@rule("LG-654", "E-58")
def test_ten_at_tables_of_four_rest_in_turn():
    records = play(10, 2, Limits(4, 4, 4))
    first, second = ({bye.number for bye in one.byes} for one in records)
    assert first == {9, 10}
    assert not first & second


@rule("LG-654", "LG-653")
def test_when_all_are_barred_the_fewest_byes_come_first():
    field = [Card(number, F(number), barred=True, byes=1 + number % 2) for number in range(1, 6)]
    assert seat(field, Plan(3, 9, Limits(4, 4, 4))).byes == (2,)


@rule("LG-272", "LG-275", "LG-392", "LG-402", "LG-723")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 300), limits(), st.integers(1, 3))
def test_any_field_and_any_tables(size, within, rounds):
    if size < 2:
        with pytest.raises(Refused):
            play(size, 1, within)
        return
    records = play(size, rounds if size > 13 else 1, within)
    for one in records:
        seen = [seat.number for table in one.tables for seat in table] + [bye.number for bye in one.byes]
        assert sorted(seen) == list(range(1, size + 1))
        assert sorted((len(table) for table in one.tables), reverse=True) == list(sizes(size, within))


@rule("LG-402")
@settings(max_examples=10, deadline=None)
@given(st.integers(13, 60), limits(), st.integers(1, 50))
def test_never_worse_than_the_snake_deal(size, within, seed):
    found = cards(range(1, size + 1), play(size, 2, within, seed=seed), Rules(preferred=within.preferred))
    plan = Plan(3, 3, within)
    reached = seat(found, plan)
    field = field_of([card for card in found if card.number not in reached.byes], plan)
    assert reached.costs <= total(field, snaked(field, sizes(size, within)))


@rule("LG-1021")
@settings(max_examples=20, deadline=None)
@given(st.permutations(range(1, 31)))
def test_the_order_of_rows_changes_nothing(order):
    records = play(30, 2, Limits(3, 5, 4))
    plan = Plan(3, 9, Limits(3, 5, 4), past=past_of(records))
    rules = Rules(preferred=4)
    assert seat(cards(order, records, rules), plan) == seat(cards(range(1, 31), records, rules), plan)


@rule("LG-399", "LG-400")
def test_a_snake_deal_is_most_even():
    field = field_of([Card(number, F(0)) for number in range(1, 13)], Plan(1, 1, Limits(3, 3, 3)))
    dealt = snaked(field, (3, 3, 3, 3))
    straight = tuple(tuple(range(at, at + 3)) for at in range(0, 12, 3))
    assert evenness(field, dealt) < evenness(field, straight)
    assert listing(((5, 1), (4, 0))) == ((0, 4), (1, 5))


@rule("LG-276", "LG-396")
def test_short_tables_go_where_they_pull_up_the_fewest():
    field = field_of([Card(number, F(9 - (number > 7))) for number in range(1, 19)], Plan(1, 1, Limits(3, 4, 4)))
    dealt = snaked(field, (4, 4, 4, 3, 3))
    assert sum(steps(field, table) for table in dealt) == 0


@rule("LG-951", "LG-427")
def test_hard_constraints_are_kept_and_cannot_be_dropped():
    plan = Plan(1, 3, THREES, never=frozenset({(1, 4), (2, 5)}))
    found = seat([Card(number, F(0)) for number in range(1, 7)], plan)
    assert not any({1, 4} <= set(table) or {2, 5} <= set(table) for table in found.tables)
    with pytest.raises(Refused) as refused:
        seat([Card(number, F(0)) for number in range(1, 4)], Plan(1, 3, THREES, never=frozenset({(1, 2)})))
    assert refused.value.code == "no_pairing"


@rule("LG-952", "LG-427")
def test_soft_constraints_are_dropped_before_anything_else():
    field = [Card(number, F(0)) for number in range(1, 4)]
    assert seat(field, Plan(1, 3, THREES, apart=frozenset({(1, 2)}))).costs == (0, 0, 0, 0, 1)


@rule("LG-397", "LG-402")
@pytest.mark.parametrize("size", [16, 21, 24])
def test_looking_ahead_does_not_bring_more_repeats(size):
    within = Limits(3, 5, 4)
    ahead = play(size, 4, within)
    assert max(meetings(ahead).values()) <= 2
    assert sum(count - 1 for count in meetings(ahead).values()) <= size // 2


@rule("LG-405", "LG-293")
def test_everybody_gets_the_seat_they_have_had_least():
    records = play(16, 5, Limits(4, 4, 4))
    found = seat(cards(range(1, 17), records, Rules(preferred=4)), Plan(6, 6, Limits(4, 4, 4), past=past_of(records)))
    sat = {card.number: card.sat for card in cards(range(1, 17), records, Rules(preferred=4))}
    assert all(table == in_seats(table, sat) for table in found.tables)
