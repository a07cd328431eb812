"""Is a round of two-seat Swiss paired as the clauses say, in every field, and the same whenever it is computed?"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.formats.swiss2.cards import (
    ABSOLUTE,
    DOWN,
    FIRST,
    LEVEL,
    MILD,
    NONE,
    SECOND,
    STRONG,
    UP,
    Card,
    Plan,
    Wish,
    cards,
    may_meet,
    may_rest,
    wish,
)
from services.league.formats.swiss2.dead_ends import BYE, FINISH, REPEATS, SEATS, last_meetings, options, round_or_option
from services.league.formats.swiss2.forecast import Forecast, forecast, is_safe
from services.league.formats.swiss2.large import folded
from services.league.formats.swiss2.pairing import Paired, pair
from services.league.formats.swiss2.seating import seated
from services.league.record import ALLOCATED, FULL, HALF, LATE, NO_SHOW, ZERO, Bye, Record
from services.league.refusals import Refused
from services.league.scoring import Seat
from tests.league.swiss2.events import RULES, event
from tests.ledger import rule

F = Fraction
FREE = Plan(1, 9)


def won(one: int, other: int) -> tuple[Seat, Seat]:
    return Seat(one, 1), Seat(other, 2)


def drawn(one: int, other: int) -> tuple[Seat, Seat]:
    return Seat(one, 1), Seat(other, 1)


def lost(one: int, other: int) -> tuple[Seat, Seat]:
    return Seat(one, 2), Seat(other, 1)


def free(number: int) -> tuple[Bye, ...]:
    return (Bye(number, ALLOCATED, F(1)),)


SEVEN = [
    Record((won(1, 4), drawn(5, 2), lost(3, 6)), free(7)),
    Record((lost(7, 1), drawn(6, 5), lost(2, 3)), free(4)),
    Record((drawn(1, 6), won(3, 5), won(4, 7)), free(2)),
]


@rule("LG-341", "LG-350", "LG-353", "LG-354", "LG-355", "LG-372", "E-10")
@pytest.mark.parametrize(("number", "tables", "bye"), [
    (1, {(1, 4), (5, 2), (3, 6)}, 7), (2, {(7, 1), (6, 5), (2, 3)}, 4), (3, {(1, 6), (3, 5), (4, 7)}, 2), (4, {(3, 1), (6, 4), (7, 2)}, 5)])
def test_seven_entrants_in_four_rounds(number, tables, bye):
    plan = Plan(number, 4)
    found = pair(cards(range(1, 8), SEVEN[:number - 1], RULES, plan), plan)
    assert (set(found.tables), found.bye) == (tables, bye)


@rule("LG-341", "E-10")
def test_rank_order_and_points_of_seven():
    plan = Plan(4, 4)
    order = cards(range(1, 8), SEVEN, RULES, plan)
    assert {card.number: card.points for card in order} == {1: F(5, 2), 2: F(3, 2), 3: 2, 4: 2, 5: 1, 6: 2, 7: 1}
    assert [card.number for card in order] == [1, 3, 4, 6, 2, 5, 7]


@rule("LG-373")
@pytest.mark.parametrize("size", [2, 3, 8, 9, 40, 41])
def test_the_first_round_is_upper_against_lower_half(size):
    plan = Plan(1, 3)
    half = size // 2
    found = pair(cards(range(1, size + 1), [], RULES, plan), plan)
    assert found.tables == tuple((one, one + half) if one % 2 else (one + half, one) for one in range(1, half + 1))
    assert found.bye == (size if size % 2 else None)


@rule("LG-372")
def test_the_drawn_seat_turns_all_boards():
    plan = Plan(1, 3, first=False)
    assert pair(cards(range(1, 5), [], RULES, plan), plan).tables == ((3, 1), (2, 4))


@rule("LG-342", "LG-343")
def test_who_has_met_may_not_meet_again_but_a_forfeit_before_the_start_is_no_meeting():
    records = [Record((won(1, 2), (Seat(3, 1), Seat(4, 2, how=NO_SHOW))))]
    known = {card.number: card for card in cards(range(1, 5), records, RULES, Plan(2, 3))}
    assert not may_meet(known[1], known[2], FREE)
    assert may_meet(known[3], known[4], FREE)
    assert not may_meet(known[3], known[4], FREE._replace(never=frozenset({(3, 4)})))


@rule("LG-344", "LG-345", "LG-346")
@pytest.mark.parametrize(("seats", "wanted"), [
    ((), Wish(0, NONE, 0)), ((FIRST,), Wish(SECOND, STRONG, 1)), ((FIRST, SECOND), Wish(FIRST, MILD, 0)),
    ((SECOND, FIRST, FIRST), Wish(SECOND, ABSOLUTE, 1)), ((FIRST, FIRST, SECOND, FIRST), Wish(SECOND, ABSOLUTE, 2)),
    ((FIRST, FIRST, FIRST, SECOND, SECOND), Wish(FIRST, ABSOLUTE, 1)), ((SECOND, FIRST, SECOND), Wish(FIRST, STRONG, -1))])
def test_wishes(seats, wanted):
    assert wish(Card(1, F(0), seats=seats)) == wanted


@rule("LG-342", "LG-347")
def test_two_absolute_wishes_for_the_same_seat_meet_only_with_a_topscorer():
    one, other = (Card(number, F(2), seats=(FIRST, FIRST)) for number in (1, 2))
    assert not may_meet(one, other, FREE)
    assert may_meet(one._replace(top=True), other, FREE)


@rule("LG-347")
def test_topscorers_are_those_with_more_than_half_before_the_last_round():
    assert [card.number for card in cards(range(1, 8), SEVEN, RULES, Plan(4, 4)) if card.top] == [1, 3, 4, 6]
    assert not any(card.top for card in cards(range(1, 8), SEVEN, RULES, Plan(4, 5)))


@rule("LG-348")
def test_floats():
    records = [Record((won(1, 2), won(3, 4)), (Bye(5, HALF, F(1, 2)), Bye(6, ZERO), Bye(7, FULL, F(1)))),
               Record((won(1, 2), won(3, 7)), (Bye(5, ZERO),))]
    known = {card.number: card.floats for card in cards(range(1, 8), records, RULES, Plan(3, 4))}
    assert known[1] == (DOWN, LEVEL)
    assert known[2] == (UP, LEVEL)
    assert known[3] == (LEVEL, LEVEL)
    assert known[5] == (LEVEL, DOWN)        # half a point is more than a loss, nothing is not
    assert known[6] == (LEVEL, LEVEL)
    assert known[7] == (LEVEL, DOWN)


@rule("LG-349", "LG-653")
def test_who_may_have_the_allocated_bye():
    byes = (Bye(1, ALLOCATED, F(0)), Bye(2, FULL, F(1)), Bye(3, HALF, F(1, 2)), Bye(4, ZERO), Bye(5, LATE, F(1, 2)))
    records = [Record(((Seat(6, 1), Seat(7, 2, how=NO_SHOW)), won(8, 9)), byes)]
    found = cards(range(1, 10), records, RULES, Plan(2, 3))
    assert {card.number for card in found if may_rest(card, FREE)} == {3, 4, 5, 7, 8, 9}


@rule("LG-371")
@pytest.mark.parametrize(("one", "other", "first"), [
    ((FIRST,), (SECOND,), 2), ((FIRST, SECOND), (SECOND,), 2), ((FIRST, FIRST), (FIRST,), 2), ((), (FIRST,), 1),
    ((FIRST, SECOND, FIRST, FIRST), (SECOND, FIRST, FIRST), 2), ((SECOND, FIRST, SECOND, FIRST), (FIRST, SECOND, SECOND, FIRST), 2),
    ((FIRST,), (FIRST,), 2)])
def test_who_sits_first(one, other, first):
    assert seated(Card(1, F(1), seats=one), Card(2, F(1), seats=other), FREE)[0] == first


@rule("LG-349", "LG-352", "LG-653")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_no_event_breaks_a_hard_rule(seed):
    """Nobody twice, nobody forgotten, nobody met again, no second bye; while a round can be paired it is."""
    for step in event(seed, 24):
        if step.paired is None:
            continue
        seated_ones = [number for table in step.paired.tables for number in table] + [step.paired.bye] * (step.paired.bye is not None)
        assert sorted(seated_ones) == sorted(card.number for card in step.cards)
        known = {card.number: card for card in step.cards}
        assert all(may_meet(known[one], known[other], step.plan) for one, other in step.paired.tables)
        assert step.paired.bye is None or may_rest(known[step.paired.bye], step.plan)


@rule("LG-1021")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(seed, chance):
    for step in event(seed, 16):
        mixed = [Record(tuple(chance.sample(one.tables, len(one.tables))), tuple(chance.sample(one.byes, len(one.byes)))) for one in step.records]
        field = [card.number for card in step.cards]
        again = cards(chance.sample(field, len(field)), mixed, RULES, step.plan)
        assert again == step.cards
        if step.paired is not None:
            assert pair(chance.sample(again, len(again)), step.plan) == step.paired


@rule("LG-272", "LG-429")
@pytest.mark.parametrize("size", [*range(2, 40), 61, 120, 300])
def test_no_field_size_is_an_error(size):
    records: list[Record] = []
    for number in range(1, min(5 if size < 100 else 2, (size + 1) // 2) + 1):
        plan = Plan(number, 9)
        found = pair(cards(range(1, size + 1), records, RULES, plan), plan)
        records.append(Record(tuple(won(*table) if sum(table) % 3 else drawn(*table) for table in found.tables),
                              () if found.bye is None else free(found.bye)))


@rule("LG-174")
@pytest.mark.parametrize("size", [0, 1])
def test_fewer_than_two_make_no_round(size):
    with pytest.raises(Refused) as refused:
        pair(cards(range(1, size + 1), [], RULES, FREE), FREE)
    assert refused.value.code == "not_enough_players"


def _eight() -> list[Record]:
    rows = ["14 52 37 86", "51 26 83 74", "16 72 43 58", "71 28 53 46", "18 42 63 57"]
    return [Record(tuple(drawn(*map(int, two)) for two in row.split())) for row in rows]


@rule("LG-421", "LG-422", "LG-425", "E-11")
def test_a_dead_end_of_eight_names_one_repeat():
    plan = Plan(6, 7)
    field = cards(range(1, 9), _eight(), RULES, plan)
    with pytest.raises(Refused) as refused:
        pair(field, plan)
    assert refused.value.code == "no_pairing"
    found = options(field, plan, last_meetings(_eight()))
    assert [option.kind for option in found if option.kind != SEATS] == [REPEATS, FINISH]
    (again,) = next(option.harmed for option in found if option.kind == REPEATS)
    assert again not in {(1, 8), (2, 4), (3, 6), (5, 7)}                 # none of the last round


@rule("LG-426")
def test_relaxing_takes_the_first_option_and_pairs():
    plan = Plan(6, 7)
    option, paired = round_or_option(cards(range(1, 9), _eight(), RULES, plan), plan, last_meetings(_eight()))
    assert option is not None
    assert paired is not None
    again = {tuple(sorted(table)) for table in paired.tables} & set(last_meetings(_eight()))
    assert len(again) == 1


@rule("LG-423")
def test_seats_are_relaxed_before_anything_else():
    one, other = (Card(number, F(2), seats=(FIRST, FIRST)) for number in (1, 2))
    option, paired = round_or_option([one, other], FREE, {})
    assert option is not None
    assert (option.kind, option.harmed) == (SEATS, ((1, 2),))
    assert paired is not None
    assert len(paired.tables) == 1


@rule("LG-424")
def test_a_second_bye_goes_to_who_had_fewest_then_to_the_lowest():
    field = [Card(number, F(3 - number), barred=True, byes=1 + (number == 3)) for number in (1, 2, 3)]
    option, paired = round_or_option(field, FREE, {})
    assert option is not None
    assert (option.kind, option.entrant) == (BYE, 2)
    assert paired == Paired(((1, 3),), 2)


@rule("LG-421")
def test_where_nothing_helps_only_finishing_is_left():
    pair_of = [Card(1, F(1), frozenset({2})), Card(2, F(0), frozenset({1}))]
    option, paired = round_or_option(pair_of, FREE._replace(never=frozenset({(1, 2)})), {(1, 2): 1})
    assert option is not None
    assert (option.kind, paired) == (FINISH, None)


@rule("LG-428", "LG-429", "LG-430", "E-12")
def test_the_forecast():
    assert [is_safe(*field) for field in ((12, 6), (12, 7), (13, 7), (13, 8))] == [True, False, True, False]
    assert forecast(12, 6, bytes(32), RULES) == Forecast(0, 0)
    tight = forecast(6, 5, bytes(32), RULES, trials=50)
    assert tight == forecast(6, 5, bytes(32), RULES, trials=50)
    assert tight.trials == 50
    assert tight.dead_ends
    assert tight.to_be_seen


@rule("LG-429")
@settings(max_examples=30, deadline=None)
@given(st.integers(2, 14), st.integers(0, 10**6))
def test_no_dead_end_while_few_rounds_are_planned(size, seed):
    safe = (size + 1) // 2
    assert forecast(size, safe, seed.to_bytes(32, "big"), RULES) == Forecast(0, 0)


@rule("LG-375")
@pytest.mark.parametrize("size", [201, 1_000, 3_001])
def test_a_large_bracket_keeps_the_hard_rules_and_refuses_hardly_a_seat(size):
    records: list[Record] = []
    for number in range(1, 5):
        plan = Plan(number, 9)
        field = [card._replace(points=F(0)) for card in cards(range(1, size + 1), records, RULES, plan)]
        pairs, left = folded([], field, plan, frozenset())
        assert len(pairs) == size // 2
        assert len(left) == size % 2
        assert all(may_meet(one, other, plan) for one, other in pairs)
        refused = sum(wish(one).seat == wish(other).seat != 0 for one, other in pairs)
        counts = [sum(wish(card).seat == seat for card in field) for seat in (FIRST, SECOND)]
        assert refused <= max(0, *(count - len(pairs) for count in counts)) + 1 + size // 1000
        records.append(Record(tuple(won(*seated(one, other, plan)) for one, other in pairs)))


@rule("LG-951")
def test_hard_constraints_keep_two_apart():
    plan = FREE._replace(never=frozenset({(1, 3), (2, 4)}))
    found = pair(cards(range(1, 5), [], RULES, plan), plan)
    assert {tuple(sorted(table)) for table in found.tables} in ({(1, 2), (3, 4)}, {(1, 4), (2, 3)})




@rule("LG-952", "LG-427")
def test_soft_constraints_are_kept_where_nobody_more_is_left_over():
    plan = FREE._replace(apart=frozenset({(1, 3), (2, 4)}))
    found = pair(cards(range(1, 5), [], RULES, plan), plan)
    assert {tuple(sorted(table)) for table in found.tables} in ({(1, 2), (3, 4)}, {(1, 4), (2, 3)})
    assert pair(cards([1, 3], [], RULES, plan), plan).tables == ((1, 3),)
    size = 300
    wide = FREE._replace(apart=frozenset((number, number + size // 2) for number in range(1, size // 2 + 1)))
    spread = pair(cards(range(1, size + 1), [], RULES, wide), wide)
    assert not any(tuple(sorted(table)) in wide.apart for table in spread.tables[:-1])
