"""Do stages hold in every field, and does a stage of Swiss pair exactly as the engine under it?"""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.scoring import Seat
from services.league.stages import FORMATS, Drafted, Facts, Meeting, Played, Waits
from services.league.stages.facts import CONFIRMED
from services.league.stages.rules import Groups, Seats
from tests.league.stages.playing import SEED, TWO, by_chance, published, rules, stage, tables
from tests.league.swiss2.events import Step, event
from tests.ledger import rule

MOST_TWO = 200          # a round robin of two takes no more


def facts_of(step: Step) -> Facts:
    """The facts of a round of an event: absences and byes were written into its rounds."""
    rounds = tuple(Played(tuple(Meeting(at, tuple(seat.number for seat in table), CONFIRMED, (table,)) for at, table in enumerate(one.tables, start=1)),
                          one.byes) for one in step.records)
    here = frozenset(card.number for card in step.cards)
    field = tuple(range(1, max({*here, *(bye.number for bye in step.byes)}) + 1))
    asked = rules("swiss", rounds=step.plan.rounds, initial_seat="first" if step.plan.first else "second")
    return Facts("t-1/1", asked, SEED, field, here, rounds=rounds, requested=step.byes)


@rule("LG-341", "LG-351", "LG-655", "LG-1021")
@pytest.mark.parametrize("seed", range(12))
def test_a_stage_pairs_as_its_engine(seed):
    for step in event(seed, 40):
        found = FORMATS["swiss"].draft(facts_of(step))
        if step.paired is None:
            assert isinstance(found, Waits) or len(step.cards) < 2
            continue
        assert isinstance(found, Drafted)
        assert tables(found) == list(step.paired.tables)
        free = [bye.number for bye in found.byes if bye.kind == "allocated"]
        assert free == ([] if step.paired.bye is None else [step.paired.bye])
        assert {bye.number: bye.kind for bye in found.byes if bye.kind != "allocated"} == {bye.number: bye.kind for bye in step.byes}


def asked_of(name: str, seats: Seats):
    inner = Groups(4) if name == "groups" else None
    return rules(name, seats, groups=inner, rounds=3 if name == "swiss" or seats.most > 2 else None)


@rule("LG-272", "LG-723", "LG-803")
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["round_robin", "swiss", "elimination", "double_elimination", "groups", "arena"]),
       st.integers(0, 300), st.integers(2, 8), st.integers(0, 3), st.integers(0, 99))
def test_no_field_and_no_limits_are_an_error(name, size, least, more, chance):
    seats = TWO if name == "double_elimination" else Seats(least, min(8, least + more), least)
    size = min(size, MOST_TWO) if seats.most == 2 else size
    form, facts = FORMATS[name], stage(asked_of(name, seats), size)
    facts = facts._replace(floor=facts.floor._replace(since=dict.fromkeys(facts.field, 0)))
    found = form.draft(facts)
    if isinstance(found, Drafted):
        seen = Counter([*(number for table in tables(found) for number in table), *(bye.number for bye in found.byes), *found.rests])
        assert max(seen.values(), default=1) == 1
        assert set(seen) <= set(facts.field)
        facts = published(facts, found, by_chance(chance))
    lines = form.lines(facts)
    assert sorted(line.number for line in lines) == list(facts.field)
    assert set(form.possible(facts)) == set(facts.field)
    if name in {"round_robin", "swiss", "groups", "arena"} and facts.rounds:
        played = sum(len(meeting.numbers) for meeting in facts.rounds[0].meetings)
        assert sum(line.points for line in lines) == sum(bye.points for bye in facts.rounds[0].byes) + Fraction(played, 2)


@rule("LG-375", "LG-342", "LG-421")
@pytest.mark.parametrize("size", [601, 1_500])
def test_a_field_in_which_the_first_seat_always_wins_is_paired_all_the_same(size):
    """At the top everybody must sit second then, at the bottom everybody first: nobody there may meet their like."""
    facts = stage(rules("swiss", rounds=9), size)
    met: set[frozenset[int]] = set()
    for _ in range(5):
        found = FORMATS["swiss"].draft(facts)
        assert isinstance(found, Drafted)
        couples = [frozenset(table) for table in tables(found)]
        assert len(couples) == size // 2
        assert not met & set(couples)
        met |= set(couples)
        facts = published(facts, found, lambda numbers, _: [Seat(numbers[0], 1), Seat(numbers[1], 2)])
    for line in FORMATS["swiss"].lines(facts):
        assert abs(line.seats[0] - line.seats[1]) <= 2
