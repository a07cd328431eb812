"""Do groups, arenas, ladders, seasons and eliminations at larger tables do what their clauses say?"""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league import seeding
from services.league.formats import arena, groups, ladder, seasons
from services.league.formats import table_elimination as tables
from services.league.formats.arena import Waiting, beat
from services.league.formats.groups import Line, Qualifier
from services.league.formats.ladder import Challenge
from services.league.formats.seasons import Change, Division, moves
from services.league.refusals import Refused
from services.league.scoring import Seat
from services.league.tables import Limits, sizes
from tests.league.test_tables import limits
from tests.ledger import rule

F = Fraction
SEED = bytes(range(32))
TWO, THREE_TO_FIVE = Limits(2, 2, 2), Limits(3, 5, 4)


def refused(code: str) -> "_Code":
    return _Code(code)


class _Code:
    def __init__(self, code: str) -> None:
        self.code = code

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind, error, trace) -> bool:
        assert kind is Refused
        assert error.code == self.code
        return True


# Seeding


@rule("LG-257", "E-21")
def test_the_snake():
    assert seeding.snake(range(1, 15), 4) == ((1, 8, 9), (2, 7, 10), (3, 6, 11, 14), (4, 5, 12, 13))
    assert seeding.snake(range(1, 12), 3) == ((1, 6, 7), (2, 5, 8, 11), (3, 4, 9, 10))


@rule("LG-252", "LG-251", "LG-255")
def test_orders_of_seeding():
    ratings = {"ada": F(10), "bo": None, "cy": F(30), "dee": F(10), "eva": None}
    order = seeding.by_rating(ratings, SEED, "cup-7")
    assert order == ("cy", "ada", "dee", "eva", "bo")       # equal ones in the order of the draw
    assert seeding.by_rating({name: rating for name, rating in ratings.items() if name != "cy"}, SEED, "cup-7") == order[1:]
    assert seeding.given(["a", "b"], ["b", "a"]) == ("b", "a")
    assert seeding.by_ranks({"ada": 2, "bo": 1, "eva": 2}, SEED, "cup-7") == ("bo", "ada", "eva")
    with refused("bad_setting"):
        seeding.given(["a", "b"], ["b", "b"])


@rule("LG-258", "LG-259")
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 24), st.integers(1, 6), st.integers(0, 6), st.randoms(use_true_random=False))
def test_kinds_are_spread_inside_their_rows(size, count, protected, chance):
    dealt = seeding.snake(range(1, size + 1), count)
    kinds = {number: chance.choice("xyz") for number in range(1, size + 1)}
    spread = seeding.spread(dealt, kinds, protected)
    assert seeding.same_kind(spread, kinds) <= seeding.same_kind(dealt, kinds)
    for row in range(size // count):
        assert {group[row] for group in spread} == {group[row] for group in dealt}
    for before, after in zip(dealt, spread, strict=True):
        assert [one for one in before if one <= protected] == [one for one in after if one <= protected]


@rule("LG-259")
def test_as_few_of_one_kind_together_as_can_be():
    kinds = {1: "x", 8: "x", 2: "y", 7: "y", 3: "x", 6: "x", 4: "y", 5: "y"}
    assert seeding.same_kind(seeding.snake(range(1, 9), 4), kinds) == 4
    assert seeding.same_kind(seeding.spread(seeding.snake(range(1, 9), 4), kinds), kinds) == 0


# Elimination at tables of three to eight


@rule("LG-481", "LG-482", "E-19", "E-20")
def test_plans_of_the_worked_examples():
    plan = tables.plan(30, THREE_TO_FIVE, 2)
    assert [(one.entrants, one.tables) for one in plan] == [(30, (4,) * 6 + (3,) * 2), (16, (4,) * 4), (8, (4, 4)), (4, (4,))]
    assert [(one.entrants, one.tables, one.advance) for one in tables.plan(8, Limits(3, 4, 4), 1)] == [(8, (4, 4), 2), (4, (4,), 0)]
    assert [one.tables for one in tables.plan(13, Limits(2, 6, 5), 1)] == [(5, 4, 4), (3,)]
    with refused("not_enough_players"):
        tables.plan(2, THREE_TO_FIVE)


@rule("LG-481", "LG-483", "LG-272")
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 300), limits(), st.integers(1, 3))
def test_every_plan_comes_to_a_final(entrants, within, advance):
    if entrants < within.least:
        with refused("not_enough_players"):
            tables.plan(entrants, within, advance)
        return
    plan = tables.plan(entrants, within, min(advance, within.least - 1))
    assert within.least <= plan[-1].entrants <= within.most
    for one, after in itertools.pairwise(plan):
        assert after.entrants == one.advance * len(one.tables) + one.byes < one.entrants
    first, byes = tables.first_tables(entrants, within)
    assert sorted([*(seed for table in first for seed in table), *byes]) == list(range(1, entrants + 1))
    assert list(byes) == list(range(1, len(byes) + 1))


@rule("LG-276", "LG-484")
def test_the_first_round_is_a_snake_and_short_tables_hold_the_highest():
    first, byes = tables.first_tables(7, Limits(3, 4, 4))
    assert byes == ()
    assert first == ((1, 4, 5), (2, 3, 6, 7))


@rule("LG-484")
def test_who_sat_together_sits_apart_next_time():
    before = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3}
    seated, _ = tables.dealt([1, 3, 5, 7, 8, 6, 4, 2], before, Limits(3, 4, 4))
    assert all(len({before[seed] for seed in table}) == len(table) for table in seated)


@rule("LG-483")
def test_nobody_rests_twice_while_another_has_not():
    _, byes = tables.dealt(range(1, 8), {}, Limits(3, 3, 3), {1: 1})
    assert byes == (2,)


@rule("LG-485", "LG-486", "LG-488")
def test_who_goes_on():
    tied = [Seat(1, 1), Seat(5, 2), Seat(3, 2), Seat(7, 4)]
    assert tables.qualified(tied, 2).on == (1, 3)
    assert tables.qualified(tied, 2, "decider") == tables.Qualified((1,), (7,), (3, 5), 1)
    assert tables.qualified(tied, 2, "all", room=1).on == (1, 3, 5)
    assert tables.qualified(tied, 2, "all", room=0).on == (1, 3)
    left = [Seat(1, 1), Seat(2, 2, how="left"), Seat(3, 3, how="left")]
    assert tables.qualified(left, 2) == tables.Qualified((1,), (2, 3))


@rule("LG-487")
def test_ranks_over_all_rounds():
    first = [[Seat(1, 1), Seat(4, 2), Seat(5, 3)], [Seat(2, 1), Seat(3, 2), Seat(6, 2)]]
    final = [[Seat(2, 1), Seat(1, 2), Seat(3, 3)]]
    assert tables.ranks([first, final], [frozenset({1, 2, 3})]) == {2: 1, 1: 2, 3: 3, 4: 4, 6: 4, 5: 6}


# Groups and finals


FROZEN = [[Line(11, 1), Line(12, 2), Line(13, 3)], [Line(21, 1), Line(22, 2), Line(23, 3)]]


@rule("LG-501", "LG-502")
@given(st.integers(0, 300), st.integers(1, 12), st.sampled_from(["snake", "pots"]))
def test_groups_are_of_one_size(entrants, count, method):
    found = groups.filled(range(1, entrants + 1), count, method, (SEED, "cup"))
    assert sorted(one for group in found for one in group) == list(range(1, entrants + 1))
    assert max(map(len, found)) - min(map(len, found)) <= 1


@rule("LG-501")
def test_groups_by_list_name_everybody():
    assert groups.listed([1, 2, 3], [[3], [1, 2]]) == ((3,), (1, 2))
    with refused("bad_setting"):
        groups.listed([1, 2, 3], [[3], [1, 1]])
    with refused("bad_setting"):
        groups.filled([1], 0)


@rule("LG-503", "LG-504")
def test_who_drops_out_is_replaced_by_the_next_of_the_group():
    assert [one.entrant for one in groups.qualifiers(FROZEN, 1, 2)] == [11, 21, 12, 22]
    assert [one.entrant for one in groups.qualifiers(FROZEN, 1, 2, frozenset({11}))] == [12, 21, 13, 22]


@rule("LG-505")
def test_several_finals_and_one_overall_rank():
    found = groups.finals(FROZEN, [1, 2])
    assert [[one.entrant for one in final] for final in found] == [[11, 21], [12, 22, 13, 23]]
    assert groups.overall([{21: 1, 11: 2}, {12: 1, 13: 1, 22: 3, 23: 4}]) == {21: 1, 11: 2, 12: 3, 13: 3, 22: 5, 23: 6}


@rule("LG-506", "E-22")
def test_runners_up_are_compared_per_match():
    lines = [Line(1, 2, F(2), 3), Line(2, 2, F(5, 2), 4)]
    assert groups.runners_up(lines, 1, (SEED, "cup")) == (1,)
    tied = [Line(1, 2, F(2), 4, (F(1),)), Line(2, 2, F(1), 2, (F(1),))]
    assert groups.runners_up(tied, 1, (SEED, "cup")) == (2,)


@rule("LG-508")
@pytest.mark.parametrize("count", [2, 4, 8])
def test_winners_meet_runners_up_of_other_groups(count):
    found = [Qualifier(10 * group + rank, group, rank) for rank in (1, 2) for group in range(count)]
    order = groups.seeds(found)
    first = list(zip(order[:count], reversed(order[count:]), strict=True))
    assert all(one % 10 == 1 and other % 10 == 2 and one // 10 != other // 10 for one, other in first)
    half = {seed for at, seed in enumerate(groups.order_of_seeds(2 * count)) if at < count}
    for group in range(count):
        seeds = [order.index(10 * group + rank) + 1 for rank in (1, 2)]
        assert (seeds[0] in half) != (seeds[1] in half)


# Arena


@rule("LG-521", "LG-522", "LG-523", "E-53")
def test_who_has_just_met_is_parted():
    free = [Waiting(1, F(3), 0, frozenset({2})), Waiting(2, F(3), 1, frozenset({1})), Waiting(3, F(2), 0), Waiting(4, F(1), 0)]
    assert beat(free, TWO, 10).tables == ((1, 3), (2, 4))
    assert beat(free[:2], TWO, 10).tables == ((1, 2),)


@rule("LG-524")
def test_nobody_is_passed_over_twice_in_a_row():
    free = [Waiting(number, F(9 - number), 0) for number in (1, 2, 3)]
    first = beat(free, TWO, 10)
    assert first.passed == (3,)
    again = [one._replace(passed=one.number in first.passed) for one in free]
    assert 3 in {number for table in beat(again, TWO, 20).tables for number in table}
    late = [Waiting(1, F(5), 99_000), Waiting(2, F(4), 99_000), Waiting(3, F(0), 0)]
    assert 3 in beat(late, TWO, 100_000).tables[0]


@rule("LG-525")
def test_nothing_starts_after_the_end():
    free = [Waiting(1, F(0), 0), Waiting(2, F(0), 0)]
    assert beat(free, TWO, 100, ends=100).tables == ()
    assert arena.counts(100 + 30 * 60_000, 100)
    assert not arena.counts(101 + 30 * 60_000, 100)


@rule("LG-526")
def test_who_left_is_paused():
    assert arena.after_match({1: "played", 2: "left"}) == {2}


@rule("LG-527")
def test_tie_breaks_of_an_arena():
    base = arena.Line(1, F(4), F(2), F(1), 8, 100, 1)
    others = [base._replace(number=2, lot=0), base._replace(number=3, reached=50), base._replace(number=4, matches=6),
              base._replace(number=5, seconds=F(2)), base._replace(number=6, firsts=F(3)), base._replace(number=7, points=F(5))]
    assert arena.standing([base, *others]) == ((1, 7), (2, 6), (3, 5), (4, 4), (5, 3), (6, 2), (7, 1))


@rule("LG-522", "LG-523", "LG-272", "LG-1021")
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 300), limits(), st.randoms(use_true_random=False))
def test_any_number_may_wait(count, within, chance):
    free = [Waiting(number, F(chance.randint(0, 6), 2), chance.randint(0, 9), frozenset({chance.randint(1, count)} - {number}), chance.random() < 0.1)
            for number in range(1, count + 1)]
    found = beat(free, within, 10)
    assert sorted([*(number for table in found.tables for number in table), *found.passed]) == list(range(1, count + 1))
    assert sorted(map(len, found.tables), reverse=True) == list(sizes(count, within))
    assert beat(chance.sample(free, count), within, 10) == found


# Ladder


LADDER = tuple("ABCDEFGH")


@rule("LG-541", "LG-544", "LG-545", "E-48")
def test_moves_of_the_worked_example():
    assert "".join(ladder.moved(LADDER, {"F": 1, "C": 2}, "F")) == "ABFCDEGH"
    assert "".join(ladder.moved(LADDER, {"F": 1, "C": 2}, "F", "swap")) == "ABFDECGH"
    assert "".join(ladder.placed(LADDER, {"G": 1, "B": 2, "E": 3, "D": 4})) == "AGCBEFDH"
    assert ladder.moved(LADDER, {"F": 2, "C": 1}, "F") == LADDER
    assert ladder.moved(LADDER, {"F": 1, "C": 1}, "F") == LADDER
    assert ladder.placed(LADDER, {"G": 1, "B": 1, "E": 1}) == LADDER
    assert ladder.entered(LADDER, "I")[-1] == "I"
    with refused("already_entered"):
        ladder.entered(LADDER, "A")


@rule("LG-542", "LG-547")
@pytest.mark.parametrize(("asked", "code"), [
    (Challenge("F", "B", 0), "out_of_reach"), (Challenge("B", "F", 0), "out_of_reach"), (Challenge("E", "D", 0), "engaged"),
    (Challenge("H", "G", 0), "too_soon")])
def test_challenges_that_may_not_be(asked, code):
    with refused(code):
        ladder.challenged(LADDER, asked, [Challenge("D", "C", 0)], {frozenset("GH"): -1}, ladder.Rules())


@rule("LG-542", "LG-543", "LG-547")
def test_a_challenge_and_its_time():
    rules = ladder.Rules()
    asked = Challenge("F", "E", rules.cool_down)
    assert ladder.challenged(LADDER, asked, [], {frozenset("EF"): 0}, rules) is asked
    assert not ladder.lapsed(asked, asked.at + rules.answer_time - 1, rules)
    assert ladder.lapsed(asked, asked.at + rules.answer_time, rules)


@rule("LG-546")
@given(st.permutations(LADDER), st.lists(st.integers(1, 4), min_size=8, max_size=8))
def test_a_table_only_moves_its_own_rungs(order, places):
    given_places = dict(zip(order[:4], places, strict=False))
    after = ladder.placed(tuple(order), given_places)
    assert sorted(after) == sorted(order)
    assert all(before == now for before, now in zip(order, after, strict=True) if before not in given_places)


# Seasons


def _division(name: str, up: int, down: int) -> Division:
    return Division(tuple(f"{name}{rank}" for rank in range(1, 7)), 6, up, down)


@rule("LG-561", "LG-564", "LG-565", "LG-566", "LG-567", "E-47")
def test_three_divisions_of_six():
    divisions = [_division("A", 0, 2), _division("B", 2, 2), _division("C", 2, 0)]
    everybody = {name for one in divisions for name in one.standing}
    found = moves(divisions, Change(frozenset(everybody - {"A2", "A6", "B1", "C4"}), newcomers=("N1", "N2")))
    assert {one.entrant: one.cause for one in found if one.level == 0} == {
        "A1": "stayed", "A3": "stayed", "A4": "stayed", "B2": "up", "B3": "up", "A5": "reprieved"}
    assert {one.entrant: one.cause for one in found if one.level == 1} == {
        "B4": "stayed", "C1": "up", "C2": "up", "B5": "reprieved", "B6": "reprieved", "C3": "free_place"}
    assert {one.entrant for one in found if one.level == 2} == {"C5", "C6", "N1", "N2"}


@rule("LG-569")
def test_the_disqualified_go_down_and_never_up():
    divisions = [_division("A", 0, 2), _division("B", 2, 0)]
    everybody = frozenset(name for one in divisions for name in one.standing)
    found = {one.entrant: one.level for one in moves(divisions, Change(everybody, frozenset({"A1", "B1"})))}
    assert (found["A1"], found["A6"], found["A5"]) == (1, 1, 0)
    assert (found["B1"], found["B2"], found["B3"]) == (1, 0, 0)


@rule("LG-564")
def test_a_division_smaller_than_the_number_that_goes_down_goes_down_whole():
    divisions = [Division(("A1", "A2"), 6, 0, 3), _division("B", 3, 0)]
    everybody = frozenset(name for one in divisions for name in one.standing)
    found = {one.entrant: one.cause for one in moves(divisions, Change(everybody)) if one.level == 0}
    assert found == {"B1": "up", "B2": "up", "B3": "up", "A1": "reprieved", "A2": "reprieved", "B4": "free_place"}


@rule("LG-567")
def test_a_newcomer_may_fit_a_division_with_a_free_place():
    divisions = [Division(("A1",), 2, 0, 0), Division(("B1",), 2, 0, 0)]
    found = {one.entrant: one.level for one in moves(divisions, Change(frozenset({"A1", "B1"}), newcomers=("N", "M"), fits={"N": 0, "M": 0}))}
    assert found["M"] == 1


@rule("LG-565", "LG-566", "LG-568", "LG-272")
@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_nobody_moves_by_more_than_one_and_nobody_is_lost(shape, chance):
    divisions = [Division(tuple(f"{level}-{rank}" for rank in range(size)), size, min(up, size), min(down, size))
                 for level, (size, up, down) in enumerate(shape)]
    on = frozenset(name for one in divisions for name in one.standing if chance.random() < 0.8)
    change = Change(on, frozenset(name for name in on if chance.random() < 0.1), ("new",))
    found = moves(divisions, change)
    assert {one.entrant for one in found} == on | {"new"}
    assert len(found) == len(on) + 1
    assert all(abs(one.level - int(one.entrant.split("-")[0])) <= 1 for one in found if one.entrant != "new")
    assert found == moves(divisions, change)


@rule("LG-562", "LG-563")
def test_the_end_of_a_season():
    assert seasons.at_the_end("finished", "a", "by_clock", extended=False) == ("kept", ())
    assert seasons.at_the_end("running", "a", "by_clock", extended=False) == ("forfeit", ("a",))
    assert seasons.at_the_end("running", "a", "double_forfeit", extended=False) == ("double_forfeit", ())
    assert seasons.at_the_end("running", "a", "extend", extended=False) == ("extended", ())
    assert seasons.at_the_end("running", "a", "extend", extended=True) == ("forfeit", ("a",))
