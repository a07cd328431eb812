"""Is what a championship calls possible what can still happen?"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from services.league.championship import reach
from services.league.counting import championship as counting
from services.league.counting.championship import Settings, Tournament
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
