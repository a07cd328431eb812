"""Does a stage of round robin go by its schedule, whoever leaves?"""

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, product

import pytest

from services.league.formats.berger import schedule
from services.league.record import NO_SHOW
from services.league.refusals import Refused
from services.league.scoring import Seat
from services.league.stages import FORMATS, Over, Waits
from services.league.stages.counts import repeats, seat_difference, tie_facts
from services.league.stages.facts import CONFIRMED, READY, RUNNING, VOID
from services.league.stages.round_robin import out_of, startable
from services.league.stages.rules import Seats
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

ROUND_ROBIN = FORMATS["round_robin"]
F = Fraction
THREES = Seats(3, 3, 3)


@rule("LG-301", "LG-307")
@pytest.mark.parametrize(("size", "double"), [(2, False), (5, False), (8, False), (4, True), (7, True)])
def test_the_rounds_are_those_of_the_schedule(size, double):
    facts = run(stage(rules("round_robin", double=double), size))
    assert [tuple(meeting.numbers for meeting in one.meetings) for one in facts.rounds] == [one.tables for one in schedule(size, double=double)]
    assert [one.rests for one in facts.rounds] == [one.rests for one in schedule(size, double=double)]
    assert ROUND_ROBIN.draft(facts) == Over()


@rule("LG-327", "LG-307")
def test_the_plan_of_two():
    found = ROUND_ROBIN.plan(stage(rules("round_robin", double=True), 5))
    assert (found.rounds, found.least, found.most, found.couples, found.tables, found.uneven) == (10, 2, 2, {2: 10}, (8, 8), False)
    assert found.levels[0].tables == ((2, 2),)
    assert found.levels[0].byes == 1


def test_more_than_can_meet_are_refused():
    with pytest.raises(Refused, match="at most 200"):
        ROUND_ROBIN.plan(stage(rules("round_robin"), 201))


@rule("LG-174")
def test_with_one_left_no_round_is_made():
    facts = stage(rules("round_robin"), 3, gone=frozenset({1, 2}))
    assert ROUND_ROBIN.draft(facts) == Waits("not_enough_players")


@rule("LG-801", "LG-742", "LG-306")
def test_a_standing_by_points_and_direct_encounter():
    facts = run(stage(rules("round_robin"), 5), by_list("3-1 1-2 2-3"))
    found = ROUND_ROBIN.lines(facts)
    assert [(line.rank, line.points, line.played) for line in found] == [(1, 3, 4), (2, 3, 4), (3, 3, 4), (4, 1, 4), (5, 0, 4)]
    assert [line.decided for line in found] == ["", "LOT", "LOT", "points", "points"]       # a circle of three: the draw decides
    assert all(not line.byes for line in found)


@rule("LG-298", "LG-404")
def test_seats_and_repeats_of_the_page():
    facts = run(stage(rules("round_robin", double=True), 6))
    assert repeats(facts) == 15
    assert seat_difference(facts) == 0
    assert all(line.seats == (5, 5) for line in ROUND_ROBIN.lines(facts))


@rule("LG-234", "LG-230")
def test_who_leaves_early_counts_for_nobody():
    facts = run(stage(rules("round_robin"), 6), rounds=2)
    facts = facts._replace(gone=frozenset({1}))
    found = drafted(facts)
    assert 1 not in {number for table in tables(found) for number in table}
    assert len(found.rests) == 1                        # whom 1 was to meet
    facts = run(facts)
    assert {line.number: line.points for line in ROUND_ROBIN.lines(facts)} == {1: 0, 2: 4, 3: 3, 4: 2, 5: 1, 6: 0}


@rule("LG-234", "LG-235", "LG-231")
def test_who_leaves_late_loses_the_rest():
    facts = run(stage(rules("round_robin"), 6), rounds=3)
    facts = facts._replace(gone=frozenset({1}))
    before = {line.number: line.points for line in ROUND_ROBIN.lines(facts)}
    assert before[1] == 3
    found = drafted(facts)
    lost = next(one for one in found.pairings if 1 in one.numbers)
    assert lost.absent == (1,)
    facts = run(facts)
    after = ROUND_ROBIN.lines(facts)
    assert sum(line.points for line in after) == 15     # every match of the schedule has a winner
    assert next(line for line in after if line.number == 1).forfeits == 2
    assert before[1] == next(line.points for line in after if line.number == 1)


@rule("LG-675", "LG-678")
def test_two_who_lose_the_rest_both_lose_their_match():
    facts = run(stage(rules("round_robin"), 4), rounds=2)
    # 4-1, 2-3; 4-3, 1-2; 2-4, 3-1 remain to be
    facts = facts._replace(gone=frozenset({2}), barred=frozenset({4}))
    found = ROUND_ROBIN.lines(facts)
    assert next(line for line in found if line.number == 4).rank is None
    assert {line.number: line.points for line in found} == {1: 2, 2: 1, 3: 1, 4: 0}
    assert [one.numbers for one in drafted(facts).pairings] == [(3, 1)]


@rule("LG-213", "LG-212")
def test_void_and_open_pairings_of_somebody_who_left_are_no_forfeits():
    facts = run(stage(rules("round_robin"), 6), rounds=4)
    table = next(meeting for meeting in facts.rounds[3].meetings if 1 in meeting.numbers)
    for state in (VOID, READY):
        changed = with_meeting(facts, 4, table.table, state=state, games=())._replace(gone=frozenset({1}))
        line = next(line for line in ROUND_ROBIN.lines(changed) if line.number == 1)
        assert (line.points, line.forfeits) == (3, 1)


@rule("LG-965")
def test_who_is_left_out_of_the_ranks_is_listed_behind():
    facts = run(stage(rules("round_robin"), 4, unranked=frozenset({1})))
    assert ranks(facts) == {2: 1, 3: 2, 4: 3, 1: None}
    assert ROUND_ROBIN.lines(facts)[-1].number == 1


@rule("LG-308", "LG-562")
def test_in_any_order_nobody_has_too_many_matches_at_once():
    facts = stage(rules("round_robin", any_order=True, open_matches=2), 6)
    assert ROUND_ROBIN.parallel(facts)
    for _ in range(5):
        facts = published(facts, drafted(facts), None)
    found = startable(facts)
    assert [number for number, _ in found] == [1, 1, 1, 2, 2, 2]
    facts = with_meeting(facts, 1, 1, state=RUNNING)
    assert (1, 1) not in startable(facts)
    assert len(startable(facts)) == 5
    facts = with_meeting(facts, 1, 1, state=CONFIRMED, games=(tuple(lower_wins(facts.rounds[0].meetings[0].numbers, 1)),))
    assert len(startable(facts)) == 5                   # two are free again, but only together in a later round they could


@rule("LG-321", "LG-322", "LG-324", "LG-327", "LG-329")
@pytest.mark.parametrize(("size", "seats", "rounds", "least"), [(9, THREES, 4, 1), (7, THREES, None, 1), (12, Seats(3, 4, 4), 5, 1)])
def test_a_design_is_used_where_there_is_one(size, seats, rounds, least):
    facts = stage(rules("round_robin", seats), size)
    found = ROUND_ROBIN.plan(facts)
    assert found.design
    assert (found.least, found.most, found.uneven) == (least, least, False)
    facts = run(facts)
    met = Counter(two for one in facts.rounds for meeting in one.meetings for two in combinations(sorted(meeting.numbers), 2))
    assert set(met.values()) == {least}
    assert len(met) == size * (size - 1) // 2
    assert rounds in {None, len(facts.rounds)}
    assert found.rounds == len(facts.rounds)


@rule("LG-326", "LG-327", "LG-328")
def test_elsewhere_the_rounds_are_worked_out_and_shown_as_they_will_be():
    facts = stage(rules("round_robin", Seats(3, 5, 4), rounds=4), 14)
    found = ROUND_ROBIN.plan(facts)
    assert not found.design
    assert found.uneven == (found.most - found.least > 1)
    assert sum(found.couples.values()) == 91
    played = run(facts)
    met = Counter(two for one in played.rounds for meeting in one.meetings for two in combinations(sorted(meeting.numbers), 2))
    assert max(met.values()) == found.most
    assert [sum(size * count for size, count in level.tables) for level in found.levels] == [14] * 4
    assert ROUND_ROBIN.plan(stage(rules("round_robin", Seats(3, 3, 3), rounds=9), 4)).uneven is False
    assert ROUND_ROBIN.plan(stage(rules("round_robin", Seats(3, 4, 4), rounds=2), 30)).notes == ()


@rule("LG-234", "LG-216")
def test_at_larger_tables_the_others_are_placed_among_themselves():
    facts = run(stage(rules("round_robin", THREES), 9), by_chance(3), rounds=1)
    gone = facts.rounds[0].meetings[0].numbers[0]
    facts = facts._replace(gone=frozenset({gone}))
    rest = [line for line in ROUND_ROBIN.lines(facts) if line.number in facts.rounds[0].meetings[0].numbers and line.number != gone]
    assert sum(line.points for line in rest) == 1       # a table of two
    found = drafted(facts)
    assert sorted(map(len, tables(found))) == [3, 3]     # two are too few for a table of this stage
    assert len(found.rests) == 2
    assert gone not in {number for table in tables(found) for number in table}


@rule("LG-721")
@pytest.mark.parametrize(("model", "points"), [("margin", [11, -11]), ("raw", [41, 30])])
def test_scores_may_be_the_points(model, points):
    facts = stage(rules("round_robin", model=model), 2)
    facts = run(facts, lambda numbers, _: [Seat(one, one, 41 if one == 1 else 30) for one in numbers])
    assert [line.points for line in ROUND_ROBIN.lines(facts)] == points


@rule("LG-821", "LG-822", "LG-823", "LG-824")
def test_possible_ranks_of_the_worked_example():
    facts = run(stage(rules("round_robin"), 4), by_list("1-4 2=3 3=4 2=1"), rounds=2)
    found = ROUND_ROBIN.possible(facts)
    exact = _by_every_ending(facts)
    assert found == exact
    narrower = published(facts, drafted(facts), by_list("2=4 3-1"))
    assert all(found[one].best <= interval.best <= interval.worst <= found[one].worst for one, interval in ROUND_ROBIN.possible(narrower).items())


def _by_every_ending(facts):
    left = drafted(facts)
    points = {line.number: line.points for line in ROUND_ROBIN.lines(facts)}
    seen = {number: [] for number in facts.field}
    ways = ((F(1), F(0)), (F(1, 2), F(1, 2)), (F(0), F(1)), (F(0), F(0)))        # the last: nobody came, or it is void
    for worths in product(ways, repeat=2):
        final = dict(points)
        for number, worth in zip(chain.from_iterable(tables(left)), chain.from_iterable(worths), strict=True):
            final[number] += worth
        for number, worth in final.items():
            above = 1 + sum(other > worth for other in final.values())
            level = sum(other >= worth for other in final.values())
            seen[number] += [above, level]
    return {number: (min(places), max(places)) for number, places in seen.items()}


@rule("LG-822", "LG-965")
def test_an_open_match_against_somebody_without_a_rank_counts():
    facts = run(stage(rules("round_robin"), 4, unranked=frozenset({4})), rounds=2)
    facts = published(facts, drafted(facts), None)
    found = ROUND_ROBIN.possible(facts)
    points = {line.number: line.points for line in ROUND_ROBIN.lines(facts)}
    for winners in ("2-4 3-1", "4-2 1-3", "2-4 1-3", "4-2 3-1", "2=4 1=3"):
        ended = published(facts._replace(rounds=facts.rounds[:2]), drafted(facts._replace(rounds=facts.rounds[:2])), by_list(winners))
        assert all(found[one].best <= rank <= found[one].worst for one, rank in ranks(ended).items() if rank is not None), (points, winners)


@rule("LG-915")
def test_a_correction_leaves_published_pairings_as_they_are():
    facts = run(stage(rules("round_robin"), 4), rounds=2)
    found = ROUND_ROBIN.consequences(facts, (1, 1), facts.rounds[0].meetings[0])
    assert (found.void, found.blocked, found.again, found.pair_again) == ((), (), (), None)
    assert found.words


@rule("LG-1001")
def test_the_cross_table():
    facts = run(stage(rules("round_robin", double=True), 3), by_list("1=2"))
    found = ROUND_ROBIN.cross(facts)
    assert found["numbers"] == [1, 2, 3]
    first = found["rows"][0]
    assert (first["points"], first["rank"]) == ("3", 1)
    assert first["cells"][0] is None
    assert (first["cells"][1]["points"], first["cells"][2]["points"]) == ("1", "2")
    assert len(first["cells"][1]["at"]) == 2
    assert ROUND_ROBIN.cross(stage(rules("round_robin"), 65)) is None
    assert ROUND_ROBIN.bracket(facts) is None


@rule("LG-641", "LG-642", "LG-643", "LG-645", "LG-297")
def test_series_bring_match_points_and_game_points():
    asked = rules("round_robin", best_of=3, ties=("GP",))
    games = iter([[(1, 1), (2, 2)], [(2, 1), (1, 2)], [(1, 1), (2, 1)]])
    facts = run(stage(asked, 2), lambda numbers, _: [Seat(*one) for one in sorted(next(games), key=lambda seat: numbers.index(seat[0]))])
    meeting = facts.rounds[0].meetings[0]
    assert [tuple(seat.number for seat in game) for game in meeting.games] == [(1, 2), (2, 1), (1, 2)]
    assert [(line.points, line.ties) for line in ROUND_ROBIN.lines(facts)] == [(F(1, 2), (("GP", F(3, 2)),)), (F(1, 2), (("GP", F(3, 2)),))]
    gone = meeting._replace(games=(meeting.games[1], (Seat(1, 1), Seat(2, 2, how=NO_SHOW))))
    facts = with_meeting(facts, 1, 1, games=gone.games)
    assert [(line.number, line.points, line.rank) for line in ROUND_ROBIN.lines(facts)] == [(1, 1, 1), (2, 0, 2)]


@rule("LG-750", "LG-234", "LG-770")
def test_tie_breaks_of_a_schedule_know_its_rests_and_who_left():
    facts = run(stage(rules("round_robin", ties=("KO", "SB")), 5), by_chance(3))
    looked = tie_facts(facts, 5, 1)
    assert (looked.rounds, looked.matches, looked.scheduled) == (5, 4, True)
    early = run(stage(rules("round_robin", ties=("KO",)), 6), by_chance(1), rounds=2)._replace(gone=frozenset({6}))
    assert out_of(early) == {6}
    assert tie_facts(early, 5, 1, out_of(early)).matches == 4
    assert tie_facts(run(stage(rules("swiss", rounds=2), 4)), 2, 1).matches == 0
