"""Does a bracket of two go on by itself, whoever leaves, draws or is corrected?"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.record import ALLOCATED, NO_SHOW
from services.league.scoring import Seat
from services.league.stages import FORMATS, Drafted, Over, Waits, further
from services.league.stages.facts import CONFIRMED, READY, RUNNING, VOID, WALKOVER, Meeting
from services.league.stages.words import words
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

SINGLE, DOUBLE = FORMATS["elimination"], FORMATS["double_elimination"]
F = Fraction


def single(**more):
    return rules("elimination", **more)


def double():
    return rules("double_elimination")


def won(facts, winners: dict[int, int]):
    """The pairings of a drafted round with named winners, by place."""
    return published(facts, drafted(facts), by_list(" ".join(f"{one}-{other}" for one, other in winners.items())))


@rule("LG-441", "LG-442", "LG-445", "LG-171")
def test_eleven_seeds():
    facts = stage(single(), 11)
    found = drafted(facts)
    assert [(one.place, tuple(sorted(one.numbers))) for one in found.pairings] == [("upper/1/1", (8, 9)), ("upper/1/5", (7, 10)), ("upper/1/7", (6, 11))]
    assert [(bye.number, bye.kind) for bye in found.byes] == [(1, ALLOCATED), (4, ALLOCATED), (5, ALLOCATED), (2, ALLOCATED), (3, ALLOCATED)]
    assert set(found.why_byes.values()) == {"empty"}
    facts = run(facts)
    assert [len(one.meetings) for one in facts.rounds] == [3, 4, 2, 1]
    assert ranks(facts) == {1: 1, 2: 2, 3: 3, 4: 3, **dict.fromkeys(range(5, 9), 5), **dict.fromkeys(range(9, 12), 9)}
    assert SINGLE.draft(facts) == Over()
    plan = SINGLE.plan(stage(single(), 11))
    assert [(level.tables, level.byes) for level in plan.levels] == [(((2, 3),), 5), (((2, 4),), 0), (((2, 2),), 0), (((2, 1),), 0)]


@rule("LG-174")
@pytest.mark.parametrize("asked", [single(), double()])
def test_one_entrant_is_too_few(asked):
    assert FORMATS[asked.format].draft(stage(asked, 1)) == Waits("not_enough_players")
    assert FORMATS[asked.format].lines(stage(asked, 1))[0].rank == 1
    assert FORMATS[asked.format].plan(stage(asked, 1)).rounds == 0


@rule("LG-444")
def test_third_place_and_final_are_one_round():
    facts = run(stage(single(third_place=True), 4), rounds=1)
    found = drafted(facts)
    assert {one.place: set(one.numbers) for one in found.pairings} == {"upper/2/0": {1, 2}, "third/2/0": {3, 4}}
    half = published(facts, found)
    half = with_meeting(half, 2, 1, state=RUNNING, games=())
    assert ranks(half) == {1: 1, 2: 1, 3: 3, 4: 4}
    assert SINGLE.possible(half)[1] == (1, 2)
    assert SINGLE.possible(facts)[3] == (3, 4)
    assert ranks(published(facts, found)) == {1: 1, 2: 2, 3: 3, 4: 4}


@rule("LG-446", "LG-297")
def test_a_drawn_pairing_goes_on_and_then_to_the_higher_seed():
    facts = stage(single(deciders=2), 2)
    facts = published(facts, drafted(facts), by_list("1=2"))
    games = facts.rounds[0].meetings[0].games
    assert len(games) == 3
    assert [game[0].number for game in games] in ([1, 2, 1], [2, 1, 2])
    assert ranks(facts) == {1: 1, 2: 2}
    late = stage(single(deciders=1), 2)
    meeting = Meeting(1, (1, 2), games=((Seat(1, 1), Seat(2, 1)),))
    assert further(late.rules, meeting) == (2, 1)
    ended = meeting._replace(games=(*meeting.games, (Seat(2, 1), Seat(1, 2))))
    assert further(late.rules, ended) == ()


@rule("LG-641", "LG-645", "LG-446")
def test_a_series_ends_when_it_is_won():
    asked = single(best_of=3)
    ahead = Meeting(1, (1, 2), games=((Seat(1, 1), Seat(2, 2)),))
    assert further(asked, ahead) == (2, 1)
    twice = ahead._replace(games=(*ahead.games, (Seat(2, 2), Seat(1, 1))))
    assert further(asked, twice) == ()
    level = ahead._replace(games=(*ahead.games, (Seat(2, 1), Seat(1, 2)), (Seat(1, 1), Seat(2, 1))))
    assert further(asked, level) == (2, 1)              # a decider behind the three
    left = ahead._replace(games=(*ahead.games, (Seat(2, 1), Seat(1, 2, how="left"))), state=CONFIRMED, place="upper/1/0")
    assert further(asked, left) == ()
    facts = stage(asked, 2)
    facts = published(facts, drafted(facts), None)
    facts = with_meeting(facts, 1, 1, games=left.games, state=CONFIRMED, numbers=(1, 2))
    assert ranks(facts) == {2: 1, 1: 2}


@rule("LG-296")
def test_who_sat_second_sits_first():
    facts = run(stage(single(), 8))
    firsts = Counter()
    for one in facts.rounds[:1]:
        firsts.update(meeting.numbers[0] for meeting in one.meetings)
    for meeting in facts.rounds[1].meetings:
        assert firsts[meeting.numbers[0]] <= firsts[meeting.numbers[1]]
    assert {one.why["seat"] for one in drafted(stage(single(), 8)).pairings} == {"draw"}
    assert any("Seats:" in words(one.why) for one in drafted(run(stage(single(), 8), rounds=1)).pairings)


@rule("LG-447", "LG-231")
def test_who_has_gone_loses_by_walkover_when_the_opponent_is_known():
    facts = run(stage(single(), 8), rounds=1)
    facts = facts._replace(gone=frozenset({1}))
    found = drafted(facts)
    assert {one.place: one.absent for one in found.pairings} == {"upper/2/0": (1,), "upper/2/1": ()}
    facts = run(facts)
    assert ranks(facts) == {2: 1, 4: 2, 1: 3, 3: 3, **dict.fromkeys((5, 6, 7, 8), 5)}
    assert facts.rounds[1].meetings[0].state == WALKOVER


@rule("LG-448", "LG-675", "LG-679", "E-52")
def test_a_double_forfeit_of_the_worked_example():
    facts = stage(single(), 8)
    found = drafted(facts)
    facts = published(facts, found)
    table = next(at for at, one in enumerate(found.pairings, start=1) if set(one.numbers) == {4, 5})
    nobody = tuple(Seat(one, 1, how=NO_SHOW) for one in found.pairings[table - 1].numbers)
    facts = with_meeting(facts, 1, table, games=(nobody,))
    assert [set(one.numbers) for one in drafted(facts).pairings] == [{2, 3}]
    facts = run(facts)
    assert {number: rank for number, rank in ranks(facts).items() if number in {1, 4, 5}} == {1: 1, 4: 5, 5: 5}
    gone = stage(single(), 8)._replace(gone=frozenset({4, 5}))
    assert {4, 5} & {number for table in tables(drafted(gone)) for number in table} == set()
    assert ranks(run(gone))[1] == 1
    few = stage(single(), 5)._replace(gone=frozenset({4, 5}))
    assert [set(one.numbers) for one in drafted(few).pairings] == [{2, 3}]


@rule("LG-448", "LG-180")
def test_when_both_forfeit_the_final_nobody_wins():
    facts = run(stage(single(), 4), rounds=1)
    facts = published(facts, drafted(facts))
    facts = with_meeting(facts, 2, 1, games=((Seat(1, 1, how=NO_SHOW), Seat(2, 1, how=NO_SHOW)),))
    assert ranks(facts) == {1: 2, 2: 2, 3: 3, 4: 3}


@rule("LG-449")
def test_the_disqualified_have_no_rank_and_nobody_moves_up():
    facts = run(stage(single(), 8))._replace(barred=frozenset({2}))
    assert ranks(facts) == {1: 1, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5, 2: None}
    assert SINGLE.lines(facts)[-1].number == 2


@rule("LG-461", "LG-462", "LG-465", "LG-466", "LG-467")
def test_double_elimination_of_six():
    facts, seen = stage(double(), 6), []
    results = {"final/1/0": 2, "final/2/0": 1}

    def decide(numbers, _round):
        return [Seat(one, 1 if one == first else 2) for one in numbers for first in [results.get(place, min(numbers))]]

    while isinstance(found := DOUBLE.draft(facts), Drafted):
        for one in found.pairings:
            place = one.place
            seen.append((results.get(place, min(one.numbers)), max(one.numbers) if results.get(place, 0) != 2 else 1))
        place = found.pairings[0].place
        facts = published(facts, found, decide)
    assert len(seen) == 11
    losses = Counter(loser for _, loser in seen)
    assert losses == {1: 1, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}
    assert ranks(facts) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5}


@rule("LG-466", "LG-468", "LG-464")
@settings(max_examples=15, deadline=None)
@given(st.integers(2, 24), st.integers(0, 99), st.sets(st.integers(1, 24), max_size=5), st.booleans())
def test_brackets_always_end_and_never_stop(size, chance, leaving, twice):
    asked = double() if twice else single(third_place=True)
    form = FORMATS[asked.format]
    facts = stage(asked, size)
    for number in range(1, 40):
        found = form.draft(facts)
        if not isinstance(found, Drafted):
            break
        seated = [one for pairing in found.pairings for one in pairing.numbers]
        assert len(seated) == len(set(seated))
        facts = published(facts, found, by_chance(chance))
        if number == 2:
            facts = facts._replace(gone=frozenset(leaving & set(facts.field)))
    assert found == Over()
    final = ranks(facts)
    assert sum(rank == 1 for rank in final.values()) <= 1
    if not leaving:
        assert sorted(final.values())[:2] == [1, 2]


@rule("LG-826", "LG-822", "LG-823")
@settings(max_examples=15, deadline=None)
@given(st.integers(2, 17), st.integers(0, 99), st.sampled_from(["double", "third", "plain"]))
def test_possible_ranks_follow_from_the_bracket(size, chance, kind):
    asked = double() if kind == "double" else single(third_place=kind == "third")
    form, facts = FORMATS[asked.format], stage(asked, size)
    steps = [form.possible(facts)]
    while isinstance(found := form.draft(facts), Drafted):
        facts = published(facts, found, by_chance(chance))
        steps += [form.possible(with_meeting(facts, len(facts.rounds), 1, state=READY, games=())), form.possible(facts)]
    for before, now in pairwise(steps):
        assert all(before[one].best <= now[one].best and now[one].worst <= before[one].worst for one in now), (before, now)
    assert {one: (rank, rank) for one, rank in ranks(facts).items()} == steps[-1]


def semi_finals():
    """Eight seeds, better ones won round 1; semi-final 2-3 is finished, 1-4 has not started."""
    facts = run(stage(single(), 8), rounds=1)
    facts = published(facts, drafted(facts))
    return with_meeting(facts, 2, 1, state=READY, games=())


def corrected(facts, pair: set[int], winner: int):
    meeting = next(one for one in facts.rounds[0].meetings if set(one.numbers) == pair)
    games = (tuple(Seat(one, 1 if one == winner else 2) for one in meeting.numbers),)
    return (1, meeting.table), meeting._replace(games=games)


@rule("LG-917", "LG-918", "E-51")
def test_corrections_of_the_worked_example():
    facts = semi_finals()
    found = SINGLE.consequences(facts, *corrected(facts, {1, 8}, 8))
    assert (found.void, found.blocked) == (((2, 1),), ())
    assert [(number, set(one.numbers), one.place) for number, one in found.again] == [(2, {8, 4}, "upper/2/0")]
    found = SINGLE.consequences(facts, *corrected(facts, {2, 7}, 7))
    assert (found.void, found.blocked) == ((), ((2, 2),))
    assert [(number, set(one.numbers)) for number, one in found.again] == [(2, {7, 3})]
    assert any("in the way" in text for text in found.words)
    same = SINGLE.consequences(facts, *corrected(facts, {1, 8}, 1))
    assert (same.void, same.blocked, same.again) == ((), (), ())


@rule("LG-918")
def test_what_rests_on_a_voided_pairing_is_voided_too():
    facts = run(stage(single(third_place=True), 8), rounds=2)
    facts = published(facts, drafted(facts), None)
    found = SINGLE.consequences(facts, *corrected(facts, {2, 7}, 7))
    assert found.blocked == ((2, 2),)
    assert sorted(found.void) == [(3, 1), (3, 2)]       # final and third place: both wait for 7-3
    assert [(number, set(one.numbers)) for number, one in found.again] == [(2, {7, 3})]


@rule("LG-443", "LG-1004")
def test_the_bracket_as_a_document():
    facts = run(stage(single(third_place=True), 5), rounds=1)
    found = SINGLE.bracket(facts)
    assert [side["side"] for side in found["sides"]] == ["upper", "third"]
    first, semi, final = found["sides"][0]["rounds"]
    assert [one["name"] for one in (first, semi, final)] == ["Quarter-finals", "Semi-finals", "Final"]
    assert first["places"][0] == {"place": "upper/1/0", "numbers": [1, None], "winner": 1, "state": "walkover", "at": None,
                                  "text": "upper/1/0: no. 1 against nobody, no. 1 goes on", "to": "upper/2/0", "losers_to": None}
    played = first["places"][1]
    assert (played["numbers"], played["winner"], played["state"], played["at"]) == ([4, 5], 4, "confirmed", [1, 1])
    assert final["places"][0]["state"] == "open"
    assert "to be decided" in final["places"][0]["text"]
    assert semi["places"][0]["losers_to"] == "third/3/0"
    assert len(found["text"].splitlines()) == 8
    assert SINGLE.cross(facts) is None
    two = DOUBLE.bracket(run(stage(double(), 4), rounds=1))
    assert [side["side"] for side in two["sides"]] == ["upper", "lower", "final"]
    assert two["sides"][1]["rounds"][0]["places"][0]["numbers"] in ([4, 3], [3, 4])


@rule("LG-680", "LG-213")
def test_a_void_pairing_is_made_again():
    facts = run(stage(single(), 4), rounds=1)
    facts = with_meeting(facts, 1, 1, state=VOID)
    found = drafted(facts)
    assert [one.place for one in found.pairings] == ["upper/1/0"]
    assert ranks(published(facts, found, lower_wins))[4] == 3


@rule("LG-258", "LG-259")
def test_those_of_one_club_meet_late_if_that_can_be():
    clubs = {1: "a", 8: "a", 2: "b", 7: "b", 3: "b"}
    facts = stage(single(separate_by="club"), 8, clubs=clubs)
    first = [set(one.numbers) for one in drafted(facts).pairings]
    assert not any(clubs.get(min(two), "x") == clubs.get(max(two), "y") for two in first)
    assert all(any({one, other} == two for two in first) is False for one, other in ((1, 8), (2, 7)))
    assert {max(two) for two in first} == {5, 6, 7, 8}          # everybody stays in the own tier
    facts = run(facts)
    assert ranks(facts)[1] == 1
    held = stage(single(separate_by="club", protected=8), 8, clubs=clubs)
    assert {1, 8} in [set(one.numbers) for one in drafted(held).pairings]
    everybody = stage(single(separate_by="club"), 8, clubs=dict.fromkeys(range(1, 9), "a"))
    assert ranks(run(everybody))[1] == 1
