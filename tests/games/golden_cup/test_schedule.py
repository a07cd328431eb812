"""Who meets whom, and where?"""

from collections import Counter

import pytest
from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.content.faults import checked
from services.golden_cup.rules.fixtures import pairs
from shared.kernel.content import PackError
from tests.games.golden_cup.tables import opened
from tests.ledger import rule


def _meetings(seats: int) -> list[frozenset[int]]:
    """The pairs of all rounds in order."""
    state = opened(seats)
    return [frozenset(pair) for round_ in range(1, 7) for _, pair in pairs(replace(state, round=round_))]


@rule("GC-150", "GC-400")
def test_the_same_field_in_a_round_makes_opponents() -> None:
    state = opened(4)
    for field, (one, other) in pairs(state):
        assert state.schedule[one][0] == state.schedule[other][0] == field


@rule("GC-151")
@pytest.mark.parametrize("seats", range(1, 7))
def test_each_team_plays_once_in_each_round(seats: int) -> None:
    teams = len(opened(seats).schedule)
    meetings = _meetings(seats)
    for round_ in range(6):
        here = meetings[round_ * teams // 2 : (round_ + 1) * teams // 2]
        assert sorted(seat for pair in here for seat in pair) == list(range(teams))


@rule("GC-152")
def test_tiles_that_do_not_pair_are_refused() -> None:
    tiles = dict(content.BASE.match_tiles)
    tiles["T3"] = replace(tiles["T3"], fields=("orange",) * 6)
    with pytest.raises(PackError, match="1-6 and 3-4, round 1"):
        checked(replace(content.PACK, content=replace(content.BASE, match_tiles=tiles)))


@rule("GC-153")
def test_the_first_tile_plays_on_purple_throughout() -> None:
    assert content.BASE.match_tiles["T1"].fields == ("purple",) * 6


@rule("GC-154")
def test_two_teams_meet_six_times() -> None:
    assert Counter(_meetings(2)) == {frozenset({0, 1}): 6}


@rule("GC-155")
def test_four_teams_meet_twice_in_the_same_order() -> None:
    meetings = _meetings(4)
    assert set(Counter(meetings).values()) == {2}
    assert [set(meetings[n : n + 2]) for n in (0, 2, 4)] == [set(meetings[n : n + 2]) for n in (6, 8, 10)]


@rule("GC-156")
def test_six_teams_meet_once_and_the_first_round_again() -> None:
    meetings = _meetings(6)
    assert len(set(meetings[:15])) == 15
    assert set(meetings[15:]) == set(meetings[:3])


@rule("GC-615")
@pytest.mark.parametrize(("seats", "often"), [(3, [2, 2, 2]), (5, [1, 1, 1, 1, 2])])
def test_how_often_each_human_meets_the_automa(seats: int, often: list[int]) -> None:
    met = Counter(min(pair) for pair in _meetings(seats) if seats in pair)
    assert sorted(met.values()) == often
