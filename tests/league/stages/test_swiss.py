"""Does a stage of Swiss go as the ledger says, with late entrants, byes, absences and dead ends?"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.record import ABSENT, ALLOCATED, FULL, GIVEN_HALF, HALF, ZERO, Bye
from services.league.refusals import Refused
from services.league.stages import FORMATS, Constraints, Drafted, Over, Waits, forecast
from services.league.stages.counts import records
from services.league.stages.facts import READY, RUNNING
from services.league.stages.rules import Seats
from services.league.stages.words import bye_words, words
from tests.league.stages.playing import (
    by_chance,
    by_list,
    drafted,
    lower_wins,
    published,
    ranks,
    rules,
    run,
    stage,
    tables,
    with_meeting,
)
from tests.ledger import rule

SWISS = FORMATS["swiss"]
F = Fraction


def swiss(rounds: int = 4, seats: Seats | None = None, **more):
    return rules("swiss", **({"seats": seats} if seats else {}), rounds=rounds, **more)


def bye(found: Drafted) -> list[tuple[int, str]]:
    return [(one.number, one.kind) for one in found.byes]


@rule("LG-341", "LG-349", "LG-371", "LG-372", "E-10")
def test_the_worked_example_of_seven():
    results = ["6-3 2=5", "1-7 5=6 3-2", "1=6 3-5 4-7"]
    facts = stage(swiss(initial_seat="first"), 7)
    expected = [([(1, 4), (5, 2), (3, 6)], 7), ([(7, 1), (6, 5), (2, 3)], 4), ([(1, 6), (3, 5), (4, 7)], 2), ([(3, 1), (6, 4), (7, 2)], 5)]
    for at, (wanted, resting) in enumerate(expected):
        found = drafted(facts)
        assert set(tables(found)) == set(wanted)
        assert bye(found) == [(resting, ALLOCATED)]
        facts = published(facts, found, by_list(results[at]) if at < 3 else lower_wins)
    assert SWISS.draft(facts) == Over()


@rule("LG-172")
def test_no_round_beyond_the_planned_ones():
    facts = run(stage(swiss(2), 8))
    assert len(facts.rounds) == 2
    assert isinstance(SWISS.draft(facts._replace(rules=swiss(3))), Drafted)     # an organiser may plan more


@rule("LG-174", "LG-175")
def test_few_are_left():
    facts = stage(swiss(), 4, gone=frozenset({1, 2, 3}))
    assert SWISS.draft(facts) == Waits("not_enough_players")
    facts = stage(swiss(), 4)._replace(available=frozenset({2}))
    found = drafted(facts)
    assert (found.pairings, bye(found)) == ((), [(2, ALLOCATED), (1, ABSENT), (3, ABSENT), (4, ABSENT)])
    assert found.notes


@rule("LG-655", "LG-651", "LG-236", "LG-232")
def test_declared_byes_and_absences_come_before_the_odd_one():
    asked = (Bye(2, HALF), Bye(3, ZERO), Bye(4, FULL), Bye(5, GIVEN_HALF))
    facts = stage(swiss(), 11)._replace(available=frozenset({1, 7, 8, 9, 10, 11}), requested=asked)
    found = drafted(facts)
    assert {one.number: (one.kind, one.points) for one in found.byes} == {
        2: (HALF, F(1, 2)), 3: (ZERO, 0), 4: (FULL, 1), 5: (GIVEN_HALF, F(1, 2)), 6: (ABSENT, 0)}
    assert len(found.pairings) == 3


@rule("LG-657")
def test_a_moved_bye_goes_exactly_there():
    facts = stage(swiss(), 7)._replace(requested=(Bye(3, ALLOCATED),))
    found = drafted(facts)
    assert bye(found) == [(3, ALLOCATED)]
    assert found.why_byes == {3: "given"}
    assert bye_words("given") == "Bye: given by a referee."
    many = drafted(stage(swiss(seats=Seats(4, 4, 4)), 9)._replace(requested=(Bye(2, ALLOCATED),)))
    assert bye(many) == [(2, ALLOCATED)]
    assert len(many.pairings) == 2


@rule("LG-227", "LG-228", "LG-229")
def test_who_comes_late_plays_from_the_next_round_and_has_late_points():
    facts = run(stage(swiss(8, late_points="1/2"), 8), rounds=3)
    facts = facts._replace(field=(*facts.field, 9), available=frozenset(range(1, 10)), joined={9: 4})
    line = next(line for line in SWISS.lines(facts) if line.number == 9)
    assert (line.points, dict(line.byes)) == (F(3, 2), {"late": 3})
    found = drafted(facts)
    assert bye(found) == [(8, ALLOCATED)]
    assert 9 in {number for table in tables(found) for number in table}
    assert next(line for line in SWISS.lines(run(facts, rounds=1)) if line.number == 9).played == 1


@rule("LG-233", "LG-235")
def test_who_withdraws_stays_in_the_standing_and_may_return():
    facts = run(stage(swiss(), 8), rounds=2)
    away = facts._replace(gone=frozenset({1}), available=frozenset(range(2, 9)))
    assert 1 not in {number for table in tables(drafted(away)) for number in table}
    assert ranks(away)[1] == 1
    back = published(away, drafted(away))._replace(gone=frozenset(), available=frozenset(range(1, 9)))
    assert 1 in {number for table in tables(drafted(back)) for number in table}


@rule("LG-211", "LG-209", "LG-213")
def test_only_confirmed_results_count():
    facts = run(stage(swiss(), 8), rounds=1)
    undecided = with_meeting(facts, 1, 1, state="reported")
    assert sum(line.points for line in SWISS.lines(undecided)) == 3
    void = with_meeting(facts, 1, 1, state="void")
    assert len(records(void)[0].tables) == 3


def stuck():
    """The worked example: after five rounds the couples that have not met are a triangle and a five-cycle."""
    played = ["14 25 37 68", "15 26 38 47", "16 27 34 58", "17 28 35 46", "18 24 36 57"]
    facts = stage(swiss(7), 8)
    for number, text in enumerate(played):
        couples = [tuple(map(int, couple)) for couple in text.split()]
        couples = [couple if (number + at) % 2 else couple[::-1] for at, couple in enumerate(couples)]
        facts = published(facts, Drafted(tuple(drafted(stage(swiss(), 2)).pairings[0]._replace(numbers=couple) for couple in couples)))
    return facts


@rule("LG-421", "LG-422", "LG-425", "LG-426", "E-11")
def test_a_dead_end_waits_for_a_person():
    facts = stuck()
    found = SWISS.draft(facts)
    assert isinstance(found, Waits)
    assert found.code == "dead_end"
    assert [option.option for option in found.options][-2:] == ["repeats", "finish"]
    repeats = next(option for option in found.options if option.option == "repeats")
    assert (repeats.harm, len(repeats.touched)) == (1, 1)
    assert "meet again" in repeats.words
    chosen = drafted(facts, "repeats")
    assert chosen.option == "repeats"
    again = [one for one in chosen.pairings if one.why.get("repeat")]
    assert [tuple(sorted(one.numbers)) for one in again] == list(repeats.touched)
    assert "met before" in words(again[0].why)
    assert SWISS.draft(facts, "finish") == Over("dead_end")
    with pytest.raises(Refused) as refused:
        SWISS.draft(facts, "second_bye")
    assert refused.value.code == "wrong_state"


@rule("LG-421", "LG-426")
def test_a_dead_end_relaxes_or_finishes_by_itself():
    facts = stuck()
    relaxed = drafted(facts._replace(rules=swiss(7, dead_end="relax")))
    assert relaxed.option == SWISS.draft(facts).options[0].option
    assert relaxed.notes
    assert SWISS.draft(facts._replace(rules=swiss(7, dead_end="finish"))) == Over("dead_end")


@rule("LG-424", "LG-653")
def test_a_second_bye_is_an_option():
    facts = stage(swiss(3), 3)
    for number in (1, 2, 3):
        facts = published(facts, Drafted((), (Bye(number, FULL, F(1)),)))
    facts = facts._replace(rules=swiss(4))
    found = SWISS.draft(facts)
    assert isinstance(found, Waits)
    assert [option.option for option in found.options] == ["second_bye", "finish"]
    assert found.options[0].words == "no. 3 has a second bye"
    chosen = drafted(facts, "second_bye")
    assert (bye(chosen), chosen.why_byes) == ([(3, ALLOCATED)], {3: "second"})


@rule("LG-951", "LG-427")
@pytest.mark.parametrize("seats", [None, Seats(3, 3, 3)])
def test_hard_constraints_keep_entrants_apart_in_every_round(seats):
    facts = stage(swiss(3, seats), 12, constraints=Constraints(never=frozenset({frozenset({1, 7}), frozenset({2, 3, 8})})))
    facts = run(facts, by_chance(1))
    assert len(facts.rounds) == 3
    for one in facts.rounds:
        for meeting in one.meetings:
            assert not {1, 7} <= set(meeting.numbers)
            assert len({2, 3, 8} & set(meeting.numbers)) < 2


@rule("LG-951")
@pytest.mark.parametrize(("same", "kept"), [("hard", 3), ("2", 2), ("", 0)])
@pytest.mark.parametrize("seats", [None, Seats(3, 3, 3)])
def test_a_club_is_kept_apart_always_or_in_the_first_rounds(same, kept, seats):
    clubs = {1: "north", 7: "north", 2: "south", 8: "south"}
    facts = stage(swiss(3, seats), 12 if seats is None else 9, clubs=clubs, constraints=Constraints(same_club=same))
    for number in range(1, 4):
        found = drafted(facts)
        together = [table for table in tables(found) if {1, 7} <= set(table) or {2, 8} <= set(table)]
        assert not (number <= kept and together)
        facts = published(facts, found)
    if not kept and seats is None:
        assert any({1, 7} == set(meeting.numbers) for meeting in facts.rounds[0].meetings)


@rule("LG-952", "LG-427", "LG-954")
@pytest.mark.parametrize("seats", [None, Seats(3, 3, 3)])
def test_soft_constraints_are_kept_if_nothing_more_important_is_lost(seats):
    size = 12 if seats is None else 9
    facts = stage(swiss(1, seats), size, teams={1: "a", 7: "a", 4: "a"}, constraints=Constraints(same_team="soft"))
    assert not any(len({1, 7, 4} & set(table)) > 1 for table in tables(drafted(facts)))
    everybody = facts._replace(teams=dict.fromkeys(facts.field, "a"))
    found = drafted(everybody)
    assert len(found.pairings) == size // (3 if seats else 2)
    assert all("constraint" in words(one.why) for one in found.pairings)
    assert not any(word == "a" for one in found.pairings for word in words(one.why).split() if word == "team")


@rule("LG-427", "LG-421")
def test_at_larger_tables_only_hard_constraints_make_a_dead_end():
    facts = stage(swiss(1, Seats(3, 3, 3)), 6, constraints=Constraints(never=frozenset({frozenset({1, 2, 3})})))
    found = SWISS.draft(facts)
    assert isinstance(found, Waits)
    assert [option.option for option in found.options] == ["finish"]
    assert SWISS.draft(facts, "finish") == Over("dead_end")
    assert SWISS.draft(facts._replace(rules=swiss(1, Seats(3, 3, 3), dead_end="relax"))) == Over("dead_end")


@rule("LG-654")
def test_byes_of_ten_at_tables_of_four():
    facts = stage(swiss(3, Seats(4, 4, 4)), 10)
    first = drafted(facts)
    assert bye(first) == [(9, ALLOCATED), (10, ALLOCATED)]
    second = drafted(published(facts, first))
    assert not {9, 10} & {number for number, _ in bye(second)}
    assert all(one.points == F(1, 2) for one in second.byes)


@rule("LG-398", "LG-402")
def test_brackets_may_come_first():
    for priority in ("repeats_first", "brackets_first"):
        facts = run(stage(swiss(2, Seats(3, 3, 3), priority=priority), 15), by_chance(4))
        found = drafted(facts._replace(rules=swiss(3, Seats(3, 3, 3), priority=priority)))
        assert f"repeats: {sum(one.why['repeats'] for one in found.pairings)}" in found.notes[0]
        assert f"steps: {sum(one.why['steps'] for one in found.pairings)}" in found.notes[0]


@rule("LG-428", "LG-429", "LG-430")
def test_the_forecast_says_when_it_is_safe_and_counts_when_it_is_not():
    safe = forecast(stage(swiss(6), 12), 12)
    assert (safe.trials, safe.to_be_seen) == (0, False)
    assert "cannot" in safe.words
    facts = stage(swiss(5, trials=50), 6)
    risky = forecast(facts, 6)
    assert risky.trials == 50
    assert risky.dead_ends > 0
    assert risky.to_be_seen
    assert forecast(facts, 6) == risky
    assert not forecast(stage(swiss(9, Seats(3, 5, 4)), 12), 12).to_be_seen
    assert forecast(stage(rules("round_robin"), 4), 4).trials == 0


@rule("LG-822", "LG-823", "LG-824")
@settings(max_examples=12, deadline=None)
@given(st.integers(3, 9), st.integers(1, 4), st.integers(0, 50), st.booleans())
def test_possible_ranks_are_never_wrong_and_never_wider(size, rounds, chance, three):
    facts = stage(swiss(rounds, Seats(3, 4, 4) if three else None), size)
    seen = SWISS.possible(facts)
    steps = [seen]
    while isinstance(found := SWISS.draft(facts), Drafted):
        facts = published(facts, found, by_chance(chance))
        half = with_meeting(facts, len(facts.rounds), 1, state=READY, games=())
        steps += [SWISS.possible(half), SWISS.possible(facts)]
    for before, now in pairwise(steps):
        assert all(before[one].best <= now[one].best and now[one].worst <= before[one].worst for one in now)
    if isinstance(found, Over) and found.why == "played":
        final = ranks(facts)
        assert all(steps[at][one].best <= final[one] <= steps[at][one].worst for at in range(len(steps)) for one in final)


@rule("LG-916", "LG-915")
def test_a_corrected_round_before_one_that_has_not_begun():
    facts = run(stage(swiss(), 8), rounds=3)
    facts = published(facts, drafted(facts), None)
    again = SWISS.consequences(facts, (3, 1), facts.rounds[2].meetings[0])
    assert again.pair_again == 4
    begun = with_meeting(facts, 4, 2, state=RUNNING)
    stays = SWISS.consequences(begun, (3, 1), begun.rounds[2].meetings[0])
    assert stays.pair_again is None
    assert "has begun" in stays.words[0]
    assert SWISS.consequences(facts, (4, 1), facts.rounds[3].meetings[0]).pair_again is None


@rule("LG-1023", "LG-1024")
def test_every_pairing_of_two_says_why():
    facts = run(stage(swiss(5), 9), by_chance(2), rounds=3)
    found = drafted(facts)
    points = {line.number: line.points for line in SWISS.lines(facts)}
    for one in found.pairings:
        assert sorted(one.why["points"]) == sorted(str(points[number]) for number in one.numbers)
        assert words(one.why).endswith(".")
        assert "Seats:" in words(one.why)
    (resting,) = found.why_byes
    assert bye_words(found.why_byes[resting]).startswith("Bye: ")
    moved = [one for one in found.pairings if len(set(one.why["points"])) == 2]
    assert all("moved down" in words(one.why) for one in moved)
    assert moved


@rule("LG-1023", "LG-394")
def test_every_table_says_why():
    facts = run(stage(swiss(4, Seats(3, 4, 4)), 11), by_chance(2), rounds=2)
    found = drafted(facts)
    met = Counter(two for one in facts.rounds for meeting in one.meetings for two in combinations(sorted(meeting.numbers), 2))
    for one in found.pairings:
        assert one.why["repeats"] == sum(met[two] for two in combinations(sorted(one.numbers), 2))
        assert "score group" in words(one.why)
    assert any("Pulled up" in words(one.why) for one in found.pairings)


@rule("LG-1021")
@settings(max_examples=12, deadline=None)
@given(st.integers(2, 20), st.integers(0, 9), st.booleans(), st.randoms(use_true_random=False))
def test_order_of_rows_changes_nothing(size, chance, three, random):
    facts = run(stage(swiss(3, Seats(3, 5, 4) if three else None), size), by_chance(chance), rounds=2)
    mixed = tuple(one._replace(meetings=tuple(random.sample(one.meetings, len(one.meetings)))) for one in facts.rounds)
    other = facts._replace(rounds=mixed)
    assert SWISS.draft(other) == SWISS.draft(facts)
    assert SWISS.lines(other) == SWISS.lines(facts)


@rule("LG-272", "LG-345", "LG-391")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 40), st.integers(2, 8), st.integers(0, 4), st.integers(0, 99))
def test_any_field_at_any_tables(size, least, more, chance):
    seats = Seats(least, min(8, least + more), least)
    facts = stage(swiss(3, seats, dead_end="relax"), size)
    facts = run(facts, by_chance(chance))
    found = SWISS.draft(facts)
    assert isinstance(found, Over | Waits)
    assert len(SWISS.lines(facts)) == size


@rule("LG-271")
def test_the_plan_shows_tables_and_byes():
    found = SWISS.plan(stage(swiss(3, Seats(3, 5, 4)), 14))
    assert found.rounds == 3
    assert found.levels[0].tables == ((4, 2), (3, 2))
    assert SWISS.plan(stage(swiss(3), 7)).levels[0].byes == 1
