"""Is what a championship calls possible what can still happen?"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import pytest

from services.league.championship import reach
from services.league.counting import championship as counting
from services.league.counting.championship import Settings, Tournament
from tests.league.championship.test_life import ABC, Desk, running
from tests.ledger import rule

F = Fraction


@rule("LG-826", "LG-822", "LG-608")
@pytest.mark.parametrize(("drop", "best_per_game"), [(0, None), (1, None), (0, 1), (1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("games", ["xxxx", "xyxy"])
def test_no_end_of_a_championship_is_outside_of_what_was_possible(games: str, drop: int, best_per_game: int | None, monkeypatch: pytest.MonkeyPatch):
    """Against every end of four tournaments; 0 stands for a disqualification."""
    settings = Settings(method="table", table=(F(3), F(2), F(1)), drop=drop, best_per_game=best_per_game, announced=4)

    def cup(at: int, place: int) -> Tournament:
        return Tournament(str(at), games[at], {"A": place} | {f"o{one}": one for one in range(1, 6) if one != place},
                          barred=frozenset() if place else frozenset("A"))

    monkeypatch.setattr(reach, "announced", lambda _: settings)
    for places in product((0, 1, 3), repeat=4):
        cups = [cup(at, place) for at, place in enumerate(places)]
        total = counting.net(counting.results("A", cups, settings))
        for done in (1, 3):
            shown = cups[:done] + [Tournament(str(at), games[at], {}, finished=False) for at in range(done, 4)]
            monkeypatch.setattr(reach, "counted", lambda _, shown=shown: shown)
            assert reach._net(None, "A", won=False) <= total <= reach._net(None, "A", won=True), (places, done)


@rule("LG-826", "LG-822", "LG-610")
def test_whoever_may_end_without_a_rank_is_certain_to_be_ahead_of_nobody():
    """The leader has played once, and has no rank without a second time, however little the last tournament weighs."""
    desk = running("a-1", least_tournaments=2)
    desk.ask("add", {"tournament": "b-1", "game": "b", "weight": "1/10", "reason": "the last of the year"})
    desk.end("a-1", ABC)
    assert [reach.intervals(desk.state)[account].best for account in ABC] == [1, 1, 1, 1]
    desk.end("b-1", {"bo": 1, "cy": 2, "dee": 3, "eva": 4})
    assert [line[:2] for line in desk.lines()][:2] == [(1, "bo"), (2, "cy")]


@rule("LG-826", "LG-822", "LG-823")
@pytest.mark.parametrize("seed", range(40))
def test_every_final_rank_was_possible_all_the_time_and_less_and_less_is(seed: int):
    chance = random.Random(seed)
    desk = Desk(drop=chance.choice([0, 1, 2]), least_field=chance.choice([1, 4]), least_tournaments=chance.choice([0, 2]), least_games=chance.choice([0, 2]),
                best_per_game=chance.choice([None, 1, 2]))
    cups = [f"{chance.choice('xyz')}-{at}" for at in range(4)]
    for name in cups:
        desk.ask("add", {"tournament": name, "game": name[0], "weight": chance.choice(["1", "2", "1/2"])})
    desk.ask("publish")
    possible = []
    for at, name in enumerate(cups):
        field = chance.sample("ABCDEF", 6 if at == 0 else chance.randint(1, 6))
        desk.end(name, {account: place for place, account in enumerate(field[1:], start=1)}, barred=field[:1])
        possible.append(reach.intervals(desk.state))
    for before, after in pairwise(possible):
        assert all(before[name].best <= after[name].best and after[name].worst <= before[name].worst for name in before)
    for rank, name, _ in desk.lines():
        assert rank is None or all(one[name].best <= rank <= one[name].worst for one in possible)
