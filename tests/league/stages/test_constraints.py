"""Is a constraint that no round can keep found, with the entrants who show it?"""

from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.stages import FORMATS, Constraints, Drafted
from services.league.stages.constraints import impossible
from services.league.stages.counts import apart
from services.league.stages.facts import SOFT
from services.league.stages.rules import Seats
from tests.league.stages.playing import rules, stage
from tests.ledger import rule

THREES = Seats(3, 3, 3)


def sets(*numbers: tuple[int, ...]) -> Constraints:
    return Constraints(never=frozenset(map(frozenset, numbers)))


@rule("LG-953")
def test_the_smallest_set_that_shows_it():
    eight = stage(rules("swiss", rounds=3), 8)
    assert impossible(eight) == ()
    assert impossible(eight._replace(constraints=sets((1, 2, 3, 4)))) == ()
    assert impossible(eight._replace(constraints=sets((1, 2, 3, 4, 5, 6)))) == (1, 2, 3, 4, 5)
    couples = [(one, other) for one in range(1, 6) for other in range(one + 1, 6)]
    assert impossible(eight._replace(constraints=sets(*couples))) == (1, 2, 3, 4, 5)
    lonely = sets(*((1, other) for other in range(2, 9)))
    assert impossible(eight._replace(constraints=lonely)) == tuple(range(1, 9))


@rule("LG-953")
def test_clubs_and_larger_tables():
    clubs = dict.fromkeys(range(1, 4), "a")
    six = stage(rules("swiss", THREES, rounds=3), 6, clubs=clubs, constraints=Constraints(same_club="hard"))
    assert impossible(six) == (1, 2, 3)
    assert impossible(six._replace(constraints=Constraints(same_club="soft"))) == ()
    assert impossible(six._replace(constraints=Constraints(same_club="2"))) == (1, 2, 3)
    mixed = six._replace(clubs={}, constraints=sets((1, 2), (3, 4), (1, 3), (1, 4)))
    assert impossible(mixed) == (1, 3, 4)
    assert impossible(mixed._replace(constraints=sets((1, 2), (1, 3), (1, 4), (1, 5)))) == (1, 2, 3, 4, 5)


@rule("LG-953")
def test_in_a_round_robin_of_two_everybody_meets():
    four = stage(rules("round_robin"), 4, constraints=sets((2, 4)))
    assert impossible(four) == (2, 4)
    assert impossible(stage(rules("elimination"), 4, constraints=sets((2, 4)))) == ()


@rule("LG-953", "LG-951")
@settings(max_examples=20, deadline=None)
@given(st.integers(2, 8), st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda two: two[0] < two[1]), max_size=14), st.booleans())
def test_it_is_reported_exactly_when_no_first_round_can_be_made(size, couples, three):
    asked = rules("swiss", THREES if three else Seats(2, 2, 2), rounds=1)
    facts = stage(asked, size, constraints=sets(*couples))
    assert bool(impossible(facts)) == (not isinstance(FORMATS["swiss"].draft(facts), Drafted))


@rule("LG-952", "LG-963")
def test_large_sets_are_not_written_out():
    facts = stage(rules("swiss", rounds=1), 400)
    half, other = frozenset(range(1, 200)), frozenset(range(150, 300))
    found = apart(facts._replace(constraints=Constraints(soft=frozenset({half, other, frozenset({399, 400})}))), SOFT, 1)
    assert found.named == {(399, 400)}
    assert len(found.kinds) == 2
    assert (3, 180) in found
    assert (160, 290) in found
    assert (3, 290) not in found
    everybody = apart(facts._replace(constraints=Constraints(soft=frozenset({frozenset(facts.field)}))), SOFT, 1)
    assert not everybody
