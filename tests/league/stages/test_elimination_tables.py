"""Does elimination at tables of three to eight come to its final table, whatever is tied, left or corrected?"""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.record import ALLOCATED
from services.league.scoring import Seat
from services.league.stages import FORMATS, Drafted, Over, Waits, further
from services.league.stages.elimination.tables import progress
from services.league.stages.facts import READY, RUNNING
from services.league.stages.rules import Seats
from services.league.stages.words import bye_words, words
from tests.league.stages.playing import by_chance, drafted, lower_wins, published, ranks, rules, run, stage, tables, with_meeting
from tests.ledger import rule

FORM = FORMATS["elimination"]


def asked(least: int = 3, most: int = 5, preferred: int = 4, **more):
    return rules("elimination", Seats(least, most, preferred), **more)


@rule("LG-481", "LG-482")
def test_plans_of_the_worked_examples():
    found = FORM.plan(stage(asked(advance=2), 30))
    assert [(level.tables, level.advance) for level in found.levels] == [(((4, 6), (3, 2)), 2), (((4, 4),), 2), (((4, 2),), 2), (((4, 1),), 0)]
    raised = FORM.plan(stage(asked(3, 4, 4), 8))
    assert [(level.tables, level.advance) for level in raised.levels] == [(((4, 2),), 2), (((4, 1),), 0)]
    assert FORM.plan(stage(asked(), 2)).rounds == 0
    assert FORM.draft(stage(asked(), 2)) == Waits("not_enough_players")


@rule("LG-481", "LG-484", "LG-487", "LG-276")
def test_thirty_come_to_a_final_of_four():
    facts = stage(asked(advance=2), 30)
    first = drafted(facts)
    assert [len(table) for table in tables(first)] == [3, 3, 4, 4, 4, 4, 4, 4]
    assert {1, 2} == {min(table) for table in tables(first)[:2]}
    facts = run(facts)
    assert [len(one.meetings) for one in facts.rounds] == [8, 4, 2, 1]
    assert sorted(facts.rounds[-1].meetings[0].numbers) == [1, 2, 3, 4]
    final = ranks(facts)
    assert [final[number] for number in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert sorted(final.values())[4:8] == [5, 5, 7, 7]
    assert FORM.draft(facts) == Over()
    assert words(first.pairings[0].why) == "Dealt by place in the last match, then seed; the best 2 go on."
    assert words({"rule": "tables", "advance": 0}) == "The final table."


@rule("LG-484")
def test_who_sat_together_sits_apart():
    facts = run(stage(asked(3, 4, 4, advance=2), 32), rounds=1)
    before = {number: meeting.table for meeting in facts.rounds[0].meetings for number in meeting.numbers}
    for table in tables(drafted(facts)):
        assert len({before[number] for number in table}) == len(table)


@rule("LG-483", "LG-275")
def test_the_highest_seeds_have_the_byes_and_nobody_twice():
    facts = stage(asked(4, 4, 4, advance=2), 21)
    first = drafted(facts)
    assert [(bye.number, bye.kind) for bye in first.byes] == [(1, ALLOCATED)]
    assert bye_words(first.why_byes[1]) == "Bye: the highest seeds have the byes."
    second = drafted(published(facts, first))
    assert [bye.number for bye in second.byes] == [2, 3, 4]


@rule("LG-485")
def test_a_tie_at_the_border_goes_to_the_seed_to_a_decider_or_lets_all_through():
    def level(numbers, number):
        return [Seat(one, 1 if one == min(numbers) else 2) for one in numbers] if number == 1 else lower_wins(numbers, number)

    def second_level(numbers, _round):
        best, *_, last = sorted(numbers)
        return [Seat(one, 1 if one == best else 4 if one == last else 2) for one in numbers]

    by_seed = published(stage(asked(advance=2), 16), drafted(stage(asked(advance=2), 16)), level)
    assert progress(by_seed).entrants == (1, 2, 3, 4, 5, 6, 7, 8)
    every = stage(asked(advance=2, cut_tie="all"), 16)
    assert len(progress(published(every, drafted(every), level)).entrants) == 8         # three more would need another round
    assert len(progress(published(every, drafted(every), second_level)).entrants) == 9
    extra = stage(asked(advance=2, cut_tie="decider"), 16)
    found = drafted(extra)
    one = published(extra, found, None).rounds[0].meetings[0]
    one = one._replace(games=(tuple(level(one.numbers, 1)),))
    due = further(extra.rules, one)
    assert set(due) == set(one.numbers) - {min(one.numbers)}
    upside_down = tuple(Seat(number, place) for place, number in enumerate(sorted(due, reverse=True), start=1))
    facts = with_meeting(published(extra, found), 1, 1, games=(one.games[0], upside_down))
    assert max(one.numbers) in progress(facts).entrants
    assert further(extra.rules, one._replace(games=(one.games[0], upside_down))) == ()


@rule("LG-486", "LG-488", "LG-711")
def test_no_leaver_goes_on_while_somebody_who_stayed_has_not():
    facts = stage(asked(advance=2), 16)
    facts = published(facts, drafted(facts))
    meeting = facts.rounds[0].meetings[0]
    low, *others = sorted(meeting.numbers)
    games = (tuple(Seat(one, 1, how="played") if one == max(others) else Seat(one, 2 + at, how="left") for at, one in enumerate(meeting.numbers)),)
    facts = with_meeting(facts, 1, 1, games=games)
    now = progress(facts)
    assert max(others) in now.entrants
    assert low not in now.entrants
    assert len(now.entrants) == 7
    assert sum(map(len, tables(drafted(facts)))) == 7       # the plan is made again


@rule("LG-231", "LG-449", "LG-487")
def test_who_has_gone_is_behind_all_who_sat_down_in_the_next_round():
    facts = run(stage(asked(advance=2), 16), rounds=1)._replace(gone=frozenset({1}))
    assert 1 not in {number for table in tables(drafted(facts)) for number in table}
    facts = run(facts)
    final = ranks(facts)
    assert final[2] == 1
    assert final[1] == max(rank for number, rank in final.items() if number <= 8)
    assert ranks(facts._replace(gone=frozenset(), barred=frozenset({1})))[1] is None


@rule("LG-272", "LG-826", "LG-822", "LG-823")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 40), st.integers(2, 6), st.integers(1, 3), st.integers(0, 99), st.sampled_from(["seed", "decider", "all"]))
def test_any_field_comes_to_an_end_and_possible_ranks_only_shrink(size, least, more, chance, cut_tie):
    facts = stage(asked(least, max(3, least + more), least, cut_tie=cut_tie), size)
    steps = [FORM.possible(facts)]
    while isinstance(found := FORM.draft(facts), Drafted):
        seated = [number for table in tables(found) for number in table]
        assert len(seated) == len(set(seated))
        facts = published(facts, found, by_chance(chance))
        steps += [FORM.possible(with_meeting(facts, len(facts.rounds), 1, state=READY, games=())), FORM.possible(facts)]
    assert found == (Over() if facts.rounds else Waits("not_enough_players"))
    for before, now in pairwise(steps):
        assert all(before[one].best <= now[one].best and now[one].worst <= before[one].worst for one in now), (before, now)
    if facts.rounds:
        assert {one: (rank, rank) for one, rank in ranks(facts).items()} == steps[-1]


@rule("LG-917", "LG-918")
@pytest.mark.parametrize("begun", [False, True])
def test_a_corrected_table_changes_a_seat_of_the_next_round(begun):
    facts = run(stage(asked(3, 4, 4, advance=2), 16), rounds=1)
    facts = published(facts, drafted(facts), None)
    meeting = facts.rounds[0].meetings[0]
    best, second, third, last = sorted(meeting.numbers)
    games = (tuple(Seat(one, {best: 1, second: 3, third: 2, last: 4}[one]) for one in meeting.numbers),)
    table = next(one for one in facts.rounds[1].meetings if second in one.numbers)
    if begun:
        facts = with_meeting(facts, 2, table.table, state=RUNNING)
    found = FORM.consequences(facts, (1, 1), meeting._replace(games=games))
    assert (found.blocked if begun else found.void) == ((2, table.table),)
    assert (found.void if begun else found.blocked) == ()
    assert [(number, set(one.numbers), one.place) for number, one in found.again] == [(2, (set(table.numbers) - {second}) | {third}, table.place)]
    assert FORM.consequences(facts, (1, 1), meeting).void == ()
    assert FORM.consequences(facts, (2, 1), facts.rounds[1].meetings[0]).words


@rule("LG-918", "LG-488")
def test_another_number_of_seats_is_dealt_again():
    facts = run(stage(asked(3, 4, 4, advance=2), 16), rounds=1)
    facts = published(facts, drafted(facts), None)
    meeting = facts.rounds[0].meetings[0]
    games = (tuple(Seat(one, 1 + at, how="left" if at else "played") for at, one in enumerate(meeting.numbers)),)
    after = meeting._replace(games=games)
    assert FORM.consequences(facts, (1, 1), after).void == ((2, 1), (2, 2))
    facts = with_meeting(facts, 2, 1, state=RUNNING)
    assert FORM.consequences(facts, (1, 1), after).blocked == ((2, 1),)


@rule("LG-1004")
def test_the_tables_as_a_document():
    facts = run(stage(asked(advance=2), 8))
    found = FORM.bracket(facts)
    rounds = found["sides"][0]["rounds"]
    assert [one["name"] for one in rounds] == ["Round 1", "Final table"]
    assert rounds[0]["places"][0]["on"] == sorted(rounds[0]["places"][0]["numbers"])[:2]
    assert rounds[1]["places"][0]["winner"] == 1
    assert found["text"].splitlines()[-1].endswith("won by no. 1")
    assert FORM.cross(facts) is None


@rule("LG-259")
def test_those_of_one_team_sit_at_different_first_tables():
    teams = {1: "a", 8: "a", 9: "a", 16: "a"}
    facts = stage(asked(3, 4, 4, advance=2, separate_by="team"), 16, teams=teams)
    assert all(len(teams.keys() & set(table)) == 1 for table in tables(drafted(facts)))
    plain = stage(asked(3, 4, 4, advance=2), 16, teams=teams)
    assert teams.keys() == set(tables(drafted(plain))[0])
