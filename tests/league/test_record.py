"""Are forfeits, byes, leavers and draws what the clauses make of them?"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.league.draws import drawn
from services.league.formats.designs import schedule
from services.league.formats.swiss2.cards import Plan, cards
from services.league.formats.swiss2.pairing import pair
from services.league.meetings import meetings, met_again, seats
from services.league.record import (
    ABSENT,
    ALLOCATED,
    FULL,
    GIVEN_HALF,
    HALF,
    LATE,
    NO_SHOW,
    ZERO,
    Bye,
    Record,
    bars_a_bye,
    by_entrant,
    is_played,
    opponents,
    scheduled,
    started,
)
from services.league.scoring import Rules, Seat, by_model, bye_points, draw_points, first_place, scored
from services.league.tables import Limits
from tests.ledger import rule

F = Fraction
TWO = Rules(draw=F(1, 2))
FOOTBALL = Rules({2: (F(3), F(0))}, draw=F(1))


@rule("LG-721", "LG-722")
def test_win_draw_and_loss():
    assert scored([Seat(1, 1), Seat(2, 2)], FOOTBALL) == {1: 3, 2: 0}
    assert scored([Seat(1, 1), Seat(2, 1)], FOOTBALL) == {1: 1, 2: 1}
    assert (first_place(FOOTBALL), draw_points(FOOTBALL), bye_points(FOOTBALL)) == (3, 1, 3)


@rule("LG-721")
def test_models():
    table = [Seat(1, 1, 41), Seat(2, 2, 30), Seat(3, 3, 28), Seat(4, 4, 17)]
    assert by_model(table, Rules(margin_cap=12), "margin")[1] == 12
    assert by_model(table, Rules(), "raw") == {1: 41, 2: 30, 3: 28, 4: 17}
    assert by_model(table, Rules(), "places")[2] == F(2, 3)


@rule("LG-671", "LG-672", "LG-675")
def test_forfeits_of_two():
    alone = (Seat(1, 1), Seat(2, 2, how=NO_SHOW))
    nobody = (Seat(1, 1, how=NO_SHOW), Seat(2, 1, how=NO_SHOW))
    assert scored(alone, FOOTBALL) == {1: 3, 2: 0}
    assert scored(nobody, FOOTBALL) == scored(nobody[::-1], FOOTBALL) == {1: 0, 2: 0}
    assert not started(alone)
    assert not started(nobody)


@rule("LG-673", "LG-674", "LG-216")
def test_no_shows_at_larger_tables():
    alone = (Seat(1, 1), Seat(2, 2, how=NO_SHOW), Seat(3, 2, how=NO_SHOW))
    assert scored(alone, Rules(preferred=3)) == {1: 1, 2: 0, 3: 0}
    shrunk = tuple(Seat(number, number) for number in range(1, 5))
    assert scored(shrunk, Rules({4: (F(9), F(6), F(3), F(1)), 5: (F(9),) * 5}))[4] == 1


@rule("LG-703", "LG-705")
def test_who_leaves():
    assert scored((Seat(1, 1), Seat(2, 2, how="left")), FOOTBALL) == {1: 3, 2: 0}
    table = (Seat(1, 1), Seat(2, 2), Seat(3, 3, how="left"))
    assert scored(table, Rules({3: (F(5), F(3), F(2))}, leaver=F(1)))[3] == 1
    assert scored(table, Rules({3: (F(5), F(3), F(2))}, leaver=F(4)))[3] == 2


@rule("LG-651", "LG-653")
@pytest.mark.parametrize(("bye", "bars"), [
    (Bye(1, ALLOCATED, F(0)), True), (Bye(1, FULL, F(1)), True), (Bye(1, HALF, F(1, 2)), False), (Bye(1, GIVEN_HALF, F(1, 2)), False),
    (Bye(1, ZERO), False), (Bye(1, ABSENT), False), (Bye(1, LATE, F(1, 2)), False)])
def test_what_bars_a_bye(bye, bars):
    (part,) = by_entrant([1], [Record((), (bye,))], TWO)[1]
    assert bars_a_bye(part, TWO) == bars
    assert not is_played(part)


@rule("LG-212", "LG-295", "LG-676")
def test_what_was_not_played_is_no_meeting():
    records = [Record(((Seat(1, 1), Seat(2, 2, how=NO_SHOW)), (Seat(3, 1), Seat(4, 2), Seat(5, 3, how=NO_SHOW))), (Bye(6, ALLOCATED, F(1)),))]
    rows = by_entrant(range(1, 8), records, Rules(preferred=3))
    assert [opponents(rows[number][0]) for number in range(1, 7)] == [(), (), (4,), (3,), (), ()]
    assert scheduled(rows[1][0]) == (2,)
    assert rows[7] == [None]


@rule("LG-298", "LG-391", "LG-404")
def test_what_the_page_shows():
    records = [Record(((Seat(1, 1), Seat(2, 2), Seat(3, 3)),)), Record(((Seat(2, 1), Seat(1, 2), Seat(4, 3, how=NO_SHOW)),))]
    assert meetings(records) == {(1, 2): 2, (1, 3): 1, (2, 3): 1}
    assert met_again(records) == 1
    assert (seats(records)[1].counts, seats(records)[1].difference) == ((1, 1, 0), 1)
    assert 4 not in seats(records)


@rule("LG-655", "LG-657")
def test_a_referee_moves_a_bye():
    field = cards(range(1, 6), [], TWO, Plan(1, 3))
    assert pair(field, Plan(1, 3)).bye == 5
    moved = pair(field, Plan(1, 3, bye=2))
    assert moved.bye == 2
    assert 5 in {number for table in moved.tables for number in table}
    assert pair([card for card in field if card.number != 1], Plan(1, 3)).bye is None


@rule("LG-232", "LG-653", "E-70")
def test_an_absence_bars_nobody_from_a_later_bye():
    records = [Record(((Seat(1, 1), Seat(2, 2)),), (Bye(3, ABSENT),))]
    assert not {card.number: card.barred for card in cards([1, 2, 3], records, TWO, Plan(2, 3))}[3]


@rule("LG-329")
def test_entrants_come_to_points_by_draw():
    names = [str(number) for number in range(1, 10)]
    order = [int(name) for name in drawn(bytes(range(32)), "design", "cup-7", names)]
    assert order != sorted(order)
    tables = {frozenset(table) for one in schedule(order, Limits(3, 3, 3)) for table in one.tables}
    assert frozenset(order[:3]) in tables


@rule("LG-723")
@given(st.lists(st.integers(0, 7), min_size=2, max_size=8), st.lists(st.integers(0, 20), min_size=8, max_size=8))
def test_all_points_of_a_table_are_those_of_its_list(levels, worths):
    scale = tuple(sorted((F(worth, 2) for worth in worths[:len(levels)]), reverse=True))
    table = [Seat(at, 1 + sum(other < own for other in levels)) for at, own in enumerate(levels)]
    assert sum(scored(table, Rules({len(levels): scale}, len(levels))).values()) == sum(scale)


@rule("LG-725")
def test_points_are_fractions_in_lowest_terms():
    gained = scored([Seat(1, 1), Seat(2, 2), Seat(3, 2), Seat(4, 4)], Rules(preferred=4))
    assert [(worth.numerator, worth.denominator) for worth in gained.values()] == [(1, 1), (1, 2), (1, 2), (0, 1)]
    assert sum(scored([Seat(1, 1), Seat(2, 1), Seat(3, 1)], Rules({3: (F(1), F(0), F(0))})).values()) == 1
