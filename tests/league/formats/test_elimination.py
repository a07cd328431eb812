"""Does everybody stand at the right place of a bracket, and does nobody stand nowhere?"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.formats import double_elimination as double
from services.league.formats.elimination import (
    THIRD,
    UPPER,
    first_round,
    first_seat,
    nodes,
    order_of_seeds,
    pairing_winner,
    ranks,
    ready,
)
from services.league.formats.tree import DECIDED, EMPTY, OPEN, READY, VOID, WALKOVER, Place, after, grown
from services.league.refusals import Refused
from tests.ledger import rule

F = Fraction


def played(shape, grow, better=min, gone=frozenset()):
    """Plays a whole bracket: always the first pairing that is ready, the better seed by default."""
    decided, order = {}, []
    while True:
        tree = grow(shape, decided, gone)
        waiting = ready(tree)
        if not waiting:
            return tree, order
        stand = tree[waiting[0]]
        won = better(stand.one, stand.other)
        decided[waiting[0]] = won
        order.append((won, stand.one + stand.other - won) if won else (stand.one, stand.other))


@rule("LG-441", "LG-442", "E-15")
def test_places_of_eleven_seeds():
    assert first_round(11) == ((1, 0), (8, 9), (4, 0), (5, 0), (2, 0), (7, 10), (3, 0), (6, 11))


@rule("LG-441", "LG-442")
@given(st.integers(2, 300))
def test_no_pairing_has_two_empty_places(field):
    pairs = first_round(field)
    assert sorted(seed for two in pairs for seed in two if seed) == list(range(1, field + 1))
    assert not any(two == (EMPTY, EMPTY) for two in pairs)
    assert sorted(order_of_seeds(8)) == list(range(1, 9))


@rule("LG-272")
@pytest.mark.parametrize("field", [0, 1])
def test_fewer_than_two(field):
    with pytest.raises(Refused) as refused:
        nodes(field)
    assert refused.value.code == "not_enough_players"


@rule("LG-445", "E-16")
def test_ranks_of_eleven():
    tree, _ = played(nodes(11), grown)
    assert [ranks(tree)[seed] for seed in range(1, 12)] == [1, 2, 3, 3, 5, 5, 5, 5, 9, 9, 9]


@rule("LG-444", "LG-445")
def test_third_place_and_final_in_any_order():
    shape = nodes(4, third_place=True)
    first = {Place(UPPER, 1, 0): 1, Place(UPPER, 1, 1): 2}
    tree = grown(shape, first)
    assert set(ready(tree)) == {Place(UPPER, 2, 0), Place(THIRD, 2, 0)}
    tree = grown(shape, first | {Place(THIRD, 2, 0): 4})
    assert ready(tree) == (Place(UPPER, 2, 0),)
    assert ranks(tree) == {4: 3, 3: 4} | {seed: rank for seed, rank in ranks(tree).items() if seed < 3}
    assert ranks(grown(shape, first | {Place(THIRD, 2, 0): 4, Place(UPPER, 2, 0): 2})) == {2: 1, 1: 2, 4: 3, 3: 4}


@rule("LG-443")
def test_a_pairing_with_an_entrant_to_come_is_open():
    tree = grown(nodes(6), {})
    assert tree[Place(UPPER, 2, 0)].state == OPEN
    assert (tree[Place(UPPER, 2, 0)].one, tree[Place(UPPER, 2, 0)].other) == (1, None)
    assert tree[Place(UPPER, 1, 0)].state == WALKOVER


@rule("LG-446")
def test_deciders():
    level, won = (F(1, 2), F(1, 2)), (F(0), F(1))
    assert pairing_winner(3, 6, []) is None
    assert pairing_winner(3, 6, [level]) is None
    assert pairing_winner(3, 6, [level, won]) == 6
    assert pairing_winner(3, 6, [level, level]) is None
    assert pairing_winner(3, 6, [level, level, level]) == 3
    assert pairing_winner(3, 6, [level], deciders=0) == 3


@rule("LG-447")
def test_who_is_gone_lets_the_other_advance_even_before_that_one_is_known():
    shape = nodes(8)
    tree = grown(shape, {Place(UPPER, 1, 0): 1}, frozenset({1}))
    assert tree[Place(UPPER, 2, 0)].state == OPEN
    tree = grown(shape, {Place(UPPER, 1, 0): 1, Place(UPPER, 1, 1): 5}, frozenset({1}))
    assert (tree[Place(UPPER, 2, 0)].state, tree[Place(UPPER, 2, 0)].winner) == (WALKOVER, 5)


@rule("LG-448")
def test_a_double_forfeit_sends_the_next_opponent_on():
    tree = grown(nodes(8), {Place(UPPER, 1, 0): 1, Place(UPPER, 1, 1): EMPTY})
    assert tree[Place(UPPER, 3, 0)].one == 1
    assert (ranks(tree)[4], ranks(tree)[5]) == (5, 5)
    final = grown(nodes(2), {Place(UPPER, 1, 0): EMPTY})
    assert ranks(final) == {1: 2, 2: 2}


@rule("LG-449")
def test_the_disqualified_have_no_rank_and_nobody_moves_up():
    tree, _ = played(nodes(8), grown)
    assert ranks(tree, frozenset({2})) == {seed: rank for seed, rank in ranks(tree).items() if seed != 2}
    assert tree[Place(UPPER, 3, 0)].loser == 2


@rule("LG-918")
def test_what_rests_on_a_pairing():
    assert list(after(nodes(8), Place(UPPER, 1, 1))) == [Place(UPPER, 2, 0), Place(UPPER, 3, 0)]


@rule("LG-296")
def test_who_sits_first():
    draw = bytes(range(32)), "cup-7"
    assert first_seat("a", "b", {"a": [1, -1], "b": [-1, -1]}, draw) == "b"
    assert first_seat("a", "b", {"a": [1, -1], "b": [-1, 1]}, draw) == "a"
    assert first_seat("a", "b", {}, draw) == first_seat("b", "a", {}, draw)


@rule("LG-461", "LG-462", "LG-465", "LG-466", "LG-467", "E-17")
def test_double_elimination_of_six():
    decided, order = {}, []
    script = [(4, 5), (3, 6), (1, 4), (4, 6), (2, 3), (3, 5), (3, 4), (1, 2), (2, 3), (2, 1), (1, 2)]
    for won, lost in script:
        tree = double.tree(6, decided)
        (place,) = [place for place in ready(tree) if {tree[place].one, tree[place].other} == {won, lost}]
        decided[place] = won
        order.append(place.part)
    tree = double.tree(6, decided)
    assert not ready(tree)
    assert double.losses(tree, 6) == {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}
    assert double.ranks(tree, 6) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5}
    assert order.count("final") == 2


@rule("LG-464", "E-18")
def test_an_upper_bye_sends_an_empty_place_down_at_once():
    tree = double.tree(6, {Place(UPPER, 1, 1): 4})
    assert (tree[Place("lower", 2, 0)].one, tree[Place("lower", 2, 0)].other) == (5, None)
    assert tree[Place("lower", 2, 0)].state == OPEN
    assert tree[Place("lower", 1, 1)].state == OPEN


@rule("LG-465")
def test_no_second_final_if_the_upper_winner_wins():
    tree, order = played(5, lambda _, decided, gone: double.tree(5, decided, gone))
    assert tree[double.SECOND_FINAL].state == VOID
    assert len(order) == 2 * 5 - 2


@rule("LG-461")
def test_with_two_the_loser_goes_straight_to_the_final():
    tree = double.tree(2, {Place(UPPER, 1, 0): 2})
    assert (tree[double.FIRST_FINAL].one, tree[double.FIRST_FINAL].other) == (2, 1)


@rule("LG-466", "LG-467", "LG-272")
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 70), st.randoms(use_true_random=False))
def test_everybody_but_the_champion_loses_twice(field, chance):
    tree, order = played(field, lambda _, decided, gone: double.tree(field, decided, gone), lambda one, other: chance.choice((one, other)))
    lost = double.losses(tree, field)
    places = double.ranks(tree, field)
    (champion,) = [seed for seed, rank in places.items() if rank == 1]
    assert lost[champion] <= 1
    assert all(count == 2 for seed, count in lost.items() if seed != champion)
    assert len(order) in {2 * field - 2, 2 * field - 1}
    assert len(places) == field
    assert list(places.values()).count(2) == 1


@rule("LG-463")
@pytest.mark.parametrize("field", [8, 16, 32, 64])
def test_who_met_above_meets_again_late(field):
    tree, _ = played(field, lambda _, decided, gone: double.tree(field, decided, gone))
    rounds = field.bit_length() - 1
    above = {frozenset((stand.one, stand.other)) for place, stand in tree.items() if place.part == UPPER}
    for place, stand in tree.items():
        if place.part == "lower" and place.round < rounds:
            assert frozenset((stand.one, stand.other)) not in above


@rule("LG-468", "LG-272")
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_withdrawals_and_double_forfeits_never_hold_it_up(field, chance):
    gone = frozenset(seed for seed in range(1, field + 1) if chance.random() < 0.2)
    tree, _ = played(field, lambda _, decided, gone: double.tree(field, decided, gone),
                     lambda one, other: chance.choice((one, other, EMPTY)), gone)
    assert all(stand.state in {DECIDED, WALKOVER, VOID} for stand in tree.values())
    assert all(count <= 2 for count in double.losses(tree, field).values())


@rule("LG-443", "LG-447")
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 300), st.randoms(use_true_random=False))
def test_single_elimination_always_ends(field, chance):
    gone = frozenset(seed for seed in range(1, field + 1) if chance.random() < 0.1)
    tree, _ = played(nodes(field, third_place=True), grown, lambda one, other: chance.choice((one, other)), gone)
    assert not any(stand.state in {OPEN, READY} for stand in tree.values())


