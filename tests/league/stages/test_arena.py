"""Is everybody who is free in an arena seated again and again, fairly, until it ends?"""

from collections import Counter
from fractions import Fraction

from services.league.scoring import Seat
from services.league.stages import FORMATS, Constraints, Drafted, Over, Waits
from services.league.stages.facts import CONFIRMED, WALKOVER, Floor, Meeting, Played
from services.league.stages.rules import Seats
from tests.league.stages.playing import TWO, drafted, lower_wins, published, ranks, rules, stage, tables, with_meeting
from tests.ledger import rule

FORM = FORMATS["arena"]
F = Fraction
MINUTE = 60_000


def arena(size: int, seats: Seats = TWO, ends: int | None = 60 * MINUTE, **more):
    facts = stage(rules("arena", seats, **more), size)
    return facts._replace(floor=Floor(0, ends, dict.fromkeys(facts.field, 0)))


def played(facts, *couples, at: int = 0):
    """One published round of these matches; the first of each couple won."""
    meetings = tuple(Meeting(table, couple, CONFIRMED, (tuple(Seat(one, place) for place, one in enumerate(couple, start=1)),), at=at + table)
                     for table, couple in enumerate(couples, start=1))
    return facts._replace(rounds=(*facts.rounds, Played(meetings)))


@rule("LG-521")
def test_who_is_in_a_match_or_paused_is_not_drawn():
    facts = arena(6)
    assert FORM.parallel(facts)
    facts = published(facts, drafted(facts), None)
    assert FORM.draft(facts) == Waits("later")
    facts = with_meeting(facts, 1, 1, state=CONFIRMED, games=(tuple(lower_wins(facts.rounds[0].meetings[0].numbers, 1)),))
    facts = with_meeting(facts, 1, 2, state=CONFIRMED, games=(tuple(lower_wins(facts.rounds[0].meetings[1].numbers, 1)),))
    free = {*facts.rounds[0].meetings[0].numbers, *facts.rounds[0].meetings[1].numbers}
    assert {number for table in tables(drafted(facts)) for number in table} == free
    paused = facts._replace(floor=facts.floor._replace(since=dict.fromkeys(sorted(free)[:1], 0)))
    assert FORM.draft(paused) == Waits("later")


@rule("LG-522", "LG-523", "E-53")
def test_neighbours_sit_together_unless_they_have_just_met():
    facts = played(arena(4), (1, 2))
    found = drafted(facts)
    assert {frozenset(table) for table in tables(found)} == {frozenset({1, 3}), frozenset({2, 4})}
    alone = facts._replace(floor=facts.floor._replace(since={1: 0, 2: 0}))
    again = drafted(alone)
    assert {frozenset(table) for table in tables(again)} == {frozenset({1, 2})}
    assert again.pairings[0].why["again"] is True


@rule("LG-524")
def test_who_was_passed_over_is_seated_next():
    facts = arena(5)
    first = drafted(facts)
    (over,) = first.rests
    facts = published(facts, first)
    facts = facts._replace(floor=facts.floor._replace(now=5_000, since=dict.fromkeys(facts.field, 5_000)))
    assert over in {number for table in tables(drafted(facts)) for number in table}


@rule("LG-525")
def test_nothing_starts_after_the_end_and_what_runs_is_void_after_the_drain():
    facts = arena(4, drain=1_800)
    late = facts._replace(floor=facts.floor._replace(now=60 * MINUTE))
    assert FORM.draft(late) == Over("time", 90 * MINUTE)
    assert isinstance(FORM.draft(facts._replace(floor=facts.floor._replace(ends=None, now=10**9))), Drafted)


@rule("LG-526", "LG-527")
def test_points_add_up_and_the_earlier_one_is_ahead():
    facts = played(arena(4), (1, 2), (3, 4), at=1_000)
    facts = played(facts, (4, 2), at=5_000)
    found = FORM.lines(facts)
    assert [(line.rank, line.points) for line in found] == [(1, 1), (2, 1), (3, 1), (4, 0)]
    assert [line.number for line in found] == [4, 1, 3, 2]      # 4 was second once; 1 had its point earlier than 3
    assert [name for name, _ in found[0].ties] == ["P1", "P2", "MEAN", "SOONER", "LOT"]
    assert ranks(facts._replace(barred=frozenset({1})))[1] is None
    by_codes = facts._replace(rules=rules("arena", ties=("SEED",)))
    assert [line.number for line in FORM.lines(by_codes)] == [1, 3, 4, 2]


@rule("LG-951")
def test_hard_constraints_hold_in_an_arena():
    facts = arena(2)._replace(constraints=Constraints(never=frozenset({frozenset({1, 2})})))
    assert FORM.draft(facts) == Waits("later")
    facts = arena(4)._replace(constraints=Constraints(never=frozenset({frozenset({1, 2})})))
    assert not any({1, 2} == set(table) for table in tables(drafted(facts)))


@rule("LG-522", "LG-271", "LG-293")
def test_larger_tables():
    facts = arena(11, Seats(3, 5, 4))
    found = drafted(facts)
    assert sorted(map(len, tables(found))) == [3, 4, 4]
    seats = Counter()
    for _ in range(8):
        facts = published(facts, drafted(facts))
    for line in FORM.lines(facts):
        seats[max(line.seats[:3]) - min(line.seats[:3])] += 1
    assert max(seats) <= 2
    assert FORM.cross(facts)["numbers"] == list(range(1, 12))


@rule("LG-523")
def test_who_sat_together_at_a_larger_table_is_spread_over_the_next_ones():
    facts = played(arena(9, Seats(3, 3, 3)), (1, 2, 3), (4, 5, 6), (7, 8, 9))
    before = {number: meeting.table for meeting in facts.rounds[0].meetings for number in meeting.numbers}
    assert all(len({before[number] for number in table}) == 3 for table in tables(drafted(facts)))
    three = facts._replace(floor=facts.floor._replace(since={1: 0, 2: 0, 3: 0}))
    assert {frozenset(table) for table in tables(drafted(three))} == {frozenset({1, 2, 3})}


@rule("LG-822", "LG-915")
def test_until_the_end_everything_is_possible():
    facts = played(arena(4), (1, 2), (3, 4))
    assert set(FORM.possible(facts).values()) == {(1, 4)}
    over = facts._replace(floor=facts.floor._replace(now=61 * MINUTE))
    assert FORM.possible(over) == {1: (1, 2), 3: (1, 2), 2: (3, 4), 4: (3, 4)}
    assert FORM.consequences(facts, (1, 1), facts.rounds[0].meetings[0]).blocked == ()
    assert FORM.plan(facts).rounds is None
    assert FORM.bracket(facts) is None


@rule("LG-527", "LG-750")
def test_a_forfeit_win_is_no_first_place_of_an_arena():
    facts = played(arena(3), (1, 2))
    lonely = (Seat(3, 1), Seat(2, 2, how="no_show"))
    facts = facts._replace(rounds=(*facts.rounds, Played((Meeting(1, (3, 2), WALKOVER, (lonely,), at=2),))))
    assert {line.number: dict(line.ties)["P1"] for line in FORM.lines(facts)} == {1: 1, 2: 0, 3: 0}
