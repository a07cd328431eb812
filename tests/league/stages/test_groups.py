"""Do groups play for themselves, freeze, and send on whom they should?"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.refusals import Refused
from services.league.stages import FORMATS, Constraints, Over, Waits, qualified
from services.league.stages.facts import RUNNING
from services.league.stages.groups import each, members, overall
from services.league.stages.rules import Groups, Seats, Takes
from tests.league.stages.playing import TWO, by_chance, drafted, published, rules, run, stage, tables, with_meeting
from tests.ledger import rule

FORM = FORMATS["groups"]
F = Fraction


def grouped(count: int, seats: Seats = TWO, method: str = "snake", **more):
    inner = {name: more.pop(name) for name in ("listed", "format") if name in more}
    return rules("groups", seats, groups=Groups(count, method, **inner), **more)


@rule("LG-501", "LG-257")
def test_groups_by_snake_pots_and_list():
    assert members(stage(grouped(3), 11)) == ((1, 6, 7), (2, 5, 8, 11), (3, 4, 9, 10))
    dealt = members(stage(grouped(3, method="pots"), 9))
    assert sorted(min(group) for group in dealt) == [1, 2, 3]
    assert members(stage(grouped(2, method="list", listed=((1, 2, 3), (4, 5))), 5)) == ((1, 2, 3), (4, 5))
    with pytest.raises(Refused):
        members(stage(grouped(2, method="list", listed=((1, 2), (4, 5))), 5))


@rule("LG-259", "LG-258")
def test_entrants_of_one_club_are_spread_over_groups():
    facts = stage(grouped(2, separate_by="club"), 8, clubs={1: "a", 4: "a", 5: "a", 8: "a"})
    assert [sum(number in facts.clubs for number in group) for group in members(facts)] == [2, 2]
    assert 1 in members(facts._replace(rules=grouped(2, separate_by="club", protected=2)))[0]


@rule("LG-502", "LG-503")
@pytest.mark.parametrize("kind", ["round_robin", "swiss"])
def test_every_group_has_rounds_and_a_standing_of_its_own(kind):
    facts = run(stage(grouped(3, format=kind, rounds=2 if kind == "swiss" else None), 11))
    assert FORM.draft(facts) == Over()
    dealt = members(facts)
    group = {number: at for at, field in enumerate(dealt, start=1) for number in field}
    for one in facts.rounds:
        for meeting in one.meetings:
            assert len({group[number] for number in meeting.numbers}) == 1
            assert meeting.place == f"group/{group[meeting.numbers[0]]}"
    lines = FORM.lines(facts)
    assert [[line.rank for line in lines if line.group == at] for at in (1, 2, 3)] == [[1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4]]
    assert len(facts.rounds) == (3 if kind == "round_robin" else 2)
    assert FORM.plan(stage(grouped(3), 11)).rounds == 3
    assert FORM.plan(stage(grouped(3), 11)).couples == {1: 15}


@rule("LG-502", "LG-321")
def test_a_group_may_play_at_larger_tables():
    facts = run(stage(grouped(2, Seats(3, 3, 3)), 18))
    assert len(facts.rounds) == 4
    assert {len(meeting.numbers) for one in facts.rounds for meeting in one.meetings} == {3}
    assert all(line.played == 4 for line in FORM.lines(facts))


@rule("LG-508", "LG-503")
def test_winners_meet_runners_up_of_other_groups():
    facts = run(stage(grouped(4), 16))
    seeds = qualified(facts, FORM.lines(facts), Takes(count=2), frozenset())
    assert len(seeds) == 8
    group = {number: at for at, field in enumerate(members(facts)) for number in field}
    first = [(seeds[one - 1], seeds[other - 1]) for one, other in ((1, 8), (4, 5), (2, 7), (3, 6))]
    assert all(group[one] != group[other] for one, other in first)
    rank = {line.number: line.rank for line in FORM.lines(facts)}
    assert [rank[number] for number in seeds] == [1, 1, 1, 1, 2, 2, 2, 2]


@rule("LG-504", "LG-806")
def test_who_drops_out_before_the_next_stage_is_replaced_from_the_same_group():
    facts = run(stage(grouped(2), 8))
    frozen = FORM.lines(facts)
    before = qualified(facts, frozen, Takes(count=2), frozenset())
    gone = before[0]
    after = qualified(facts._replace(gone=frozenset({gone})), frozen, Takes(count=2), frozenset({gone}))
    group = next(line.group for line in frozen if line.number == gone)
    third = next(line.number for line in frozen if line.group == group and line.rank == 3)
    assert set(after) == (set(before) - {gone}) | {third}


@rule("LG-505")
def test_two_finals_take_the_next_ranks_each():
    facts = run(stage(grouped(2), 8))
    frozen = FORM.lines(facts)
    first = qualified(facts, frozen, Takes(count=2), frozenset())
    second = qualified(facts, frozen, Takes(first=3, count=2), frozenset())
    assert sorted((*first, *second)) == list(range(1, 9))
    finals = [FORMATS["round_robin"].lines(run(stage(rules("round_robin"), 4))) for _ in range(2)]
    moved = [finals[0], tuple(line._replace(number=line.number + 4) for line in finals[1])]
    assert sorted(overall(moved).values()) == list(range(1, 9))


@rule("LG-506")
def test_the_best_of_the_next_rank_are_compared_per_match():
    facts = run(stage(grouped(3), 11))
    frozen = FORM.lines(facts)
    found = qualified(facts, frozen, Takes(count=1, best_next=1), frozenset())
    extra = next(number for number in found if next(line.rank for line in frozen if line.number == number) == 2)
    seconds = {line.number: line.points / line.played for line in frozen if line.rank == 2}
    assert seconds[extra] == max(seconds.values())
    assert len(found) == 4


@rule("LG-503")
def test_a_stage_without_groups_sends_on_its_first_ranks():
    facts = run(stage(rules("swiss", rounds=3), 8))
    lines = FORMATS["swiss"].lines(facts)
    assert qualified(facts, lines, Takes(count=4), frozenset({lines[0].number})) == tuple(line.number for line in lines[1:5])
    assert qualified(facts, lines, None, frozenset()) == tuple(line.number for line in lines)


@rule("LG-421", "LG-502")
def test_a_dead_end_in_one_group_names_the_group():
    facts = stage(grouped(2, format="swiss", rounds=4), 8)
    facts = facts._replace(constraints=Constraints(never=frozenset({frozenset(members(facts)[1][:3])})))
    found = FORM.draft(facts)
    assert isinstance(found, Waits)
    assert [option.option for option in found.options] == ["2:finish"]
    assert found.options[0].words.startswith("group 2:")
    finished = drafted(facts, "2:finish")
    assert {number for table in tables(finished) for number in table} == set(members(facts)[0])


@rule("LG-421", "LG-426", "LG-502")
def test_dead_ends_in_two_groups_are_left_one_after_the_other():
    facts = stage(grouped(2, format="swiss", rounds=4), 8)
    facts = facts._replace(constraints=Constraints(never=frozenset(frozenset(one[:3]) for one in members(facts))))
    found = FORM.draft(facts)
    assert [option.option for option in found.options] == ["1:finish", "2:finish"]
    for first, second in (("1:finish", "1:finish,2:finish"), ("2:finish", "2:finish,1:finish")):
        assert [option.option for option in FORM.draft(facts, first).options] == [second]
        assert FORM.draft(facts, second) == Over()


@rule("LG-915", "LG-916", "LG-821")
def test_corrections_and_possible_ranks_are_those_of_the_format_inside():
    facts = run(stage(grouped(2, format="swiss", rounds=3), 8), rounds=2)
    facts = published(facts, drafted(facts), None)
    assert FORM.consequences(facts, (2, 1), facts.rounds[1].meetings[0]).pair_again == 3
    assert FORM.consequences(with_meeting(facts, 3, 1, state=RUNNING), (2, 1), facts.rounds[1].meetings[0]).pair_again is None
    robin = run(stage(grouped(2), 8), rounds=2)
    assert FORM.consequences(robin, (1, 1), robin.rounds[0].meetings[0]).pair_again is None
    assert set(FORM.possible(robin)) == set(range(1, 9))
    assert all(interval.worst <= 4 for interval in FORM.possible(robin).values())
    assert FORM.parallel(stage(grouped(2, any_order=True), 8))
    assert FORM.cross(robin)["numbers"] == list(range(1, 9))
    assert FORM.bracket(robin) is None


@rule("LG-272", "LG-501")
@settings(max_examples=20, deadline=None)
@given(st.integers(2, 24), st.integers(1, 5), st.integers(0, 50), st.booleans())
def test_any_field_in_any_groups(size, count, chance, three):
    facts = run(stage(grouped(count, Seats(3, 4, 3) if three else TWO, rounds=3 if three else None), size), by_chance(chance))
    assert FORM.draft(facts) == Over()
    assert sum(len(one.field) for one in each(facts)) == size
