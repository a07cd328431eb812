"""Does everybody meet everybody about equally often, in any field, and the same way whenever it is computed?"""

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.draws import drawn, published, round_dice
from services.league.formats.round_robin import Round, next_round
from services.league.tables import Limits, sizes
from shared.kernel.dice import Dice
from tests.league.test_tables import limits
from tests.ledger import rule

SEED = bytes(range(32))


def schedule(field: list[int], rounds: int, within: Limits, seed: bytes = SEED) -> list[Round]:
    past: list[Round] = []
    for number in range(1, rounds + 1):
        past.append(next_round(field, past, within, round_dice(seed, "cup", number)))
    return past


def meetings(past: list[Round]) -> Counter[tuple[int, int]]:
    return Counter(couple for one in past for table in one.tables for couple in combinations(sorted(table), 2))


def squares(past: list[Round]) -> int:
    return sum(count * count for count in meetings(past).values())


@rule("LG-272", "LG-275", "LG-324")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 300), limits(), st.integers(1, 3))
def test_any_field_and_any_tables(entrants, within, rounds):
    past = schedule(list(range(1, entrants + 1)), rounds, within)
    for one in past:
        seated = [number for table in one.tables for number in table]
        assert sorted([*seated, *one.rests]) == list(range(1, entrants + 1))     # nobody twice, nobody forgotten
        assert sorted(map(len, one.tables), reverse=True) == list(sizes(entrants, within))
    rested = Counter(number for one in past for number in one.rests)
    if past[0].tables:
        assert max(rested.values(), default=0) <= min((rested[number] for number in range(1, entrants + 1)), default=0) + 1


@rule("LG-1021")
@settings(max_examples=25, deadline=None)
@given(st.permutations(range(1, 25)), st.integers(1, 3))
def test_the_order_of_rows_changes_nothing(order, rounds):
    within = Limits(4, 6, 5)
    assert schedule(list(order), rounds, within) == schedule(list(range(1, 25)), rounds, within)


@rule("LG-321", "LG-326")
def test_nine_at_tables_of_three_meet_exactly_once():
    assert set(meetings(schedule(list(range(1, 10)), 4, Limits(3, 3, 3))).values()) == {1}


@rule("LG-326")
def test_no_worse_than_the_best_of_a_hundred_random_schedules():
    field, within = list(range(1, 25)), Limits(4, 6, 5)
    found = squares(schedule(field, 5, within))
    for chance in range(100):
        dice = Dice(SEED, f"random|{chance}|")
        assert found <= squares([_random_round(field, within, dice) for _ in range(5)])


def _random_round(field: list[int], within: Limits, dice: Dice) -> Round:
    order, tables = list(dice.shuffled(field)), []
    for size in sizes(len(field), within):
        tables.append(tuple(order[:size]))
        order = order[size:]
    return Round(tuple(tables))


@rule("LG-330", "LG-293")
def test_seats_are_shared_out():
    past = schedule(list(range(1, 25)), 10, Limits(4, 6, 5))
    for number in range(1, 25):
        seats = Counter(table.index(number) for one in past for table in one.tables if number in table)
        assert max(seats.values()) - min(seats[seat] for seat in range(4)) <= 2


@rule("LG-253", "LG-254", "LG-255", "E-49")
def test_the_draw_of_the_worked_example():
    assert published(SEED).startswith("630dcd2966c43366")
    names = ["ada", "bo", "cy", "dee", "eva"]
    assert drawn(SEED, "seeding", "cup-7", names) == ("ada", "eva", "bo", "cy", "dee")
    assert drawn(SEED, "seeding", "cup-7", names[:1] + names[2:]) == ("ada", "eva", "cy", "dee")
