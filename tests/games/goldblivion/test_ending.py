"""Game end and winner: GB-541 to GB-549, GB-681 to GB-685."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.goldblivion import content
from services.goldblivion.commands import BuyBar, Pass, PlayCard
from services.goldblivion.events import Ended
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from tests.games.goldblivion.tables import acting, do, holding, kinds_of, own, told
from tests.ledger import rule


def over(*boards: dict[str, Any]) -> State:
    """The game is over, and the seats hold this."""
    state = acting(len(boards))
    for seat, changes in enumerate(boards):
        state = holding(state, seat, **changes)
    return Ended().change(state)


def alone(dummy: dict[str, int], **changes: int) -> State:
    """The Solo Challenge is over."""
    state = holding(acting(1), **changes)
    return Ended().change(replace(state, dummy=replace(state.dummy, **dummy)))


@rule("GB-541", "GB-543")
def test_ten_bars_trigger_the_end_at_any_moment_and_all_know() -> None:
    state = holding(acting(), nuggets=14, bars=9, hand=("tom",))
    assert not GAME.look(state, 1).last_round
    assert kinds_of(told(state, 0, BuyBar())) == ["bought_bar", "last_round_came"]
    after = do(state, 0, BuyBar())
    assert GAME.look(after, None).last_round
    assert "last_round_came" not in kinds_of(told(after, 0, BuyBar()))


@rule("GB-165", "GB-543")
def test_all_know_that_no_round_follows_the_most_that_were_agreed() -> None:
    state = acting()
    rounds = replace(state, options=replace(state.options, max_rounds=4))
    assert [GAME.look(replace(rounds, round=number), 1).last_round for number in (3, 4)] == [False, True]
    assert not GAME.look(replace(rounds, round=4, options=replace(state.options, max_rounds=0)), 1).last_round


@rule("GB-541", "GB-707")
def test_how_many_bars_end_it_is_as_the_pack_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "NUMBERS", replace(content.NUMBERS, end_bars=12))
    state = holding(acting(), nuggets=14, bars=10, hand=("tom",))
    assert not GAME.look(state, 1).last_round
    state = do(state, 0, BuyBar())
    assert "last_round_came" in kinds_of(told(state, 0, BuyBar()))
    assert GAME.look(do(state, 0, BuyBar()), 1).last_round


@rule("GB-542")
def test_the_round_is_completed_by_all() -> None:
    state = holding(holding(acting(), nuggets=7, bars=9), 1, hand=("tom", "naya"), nuggets=7)
    state = do(state, 0, BuyBar(), Pass())
    assert (state.stage, state.turn) == ("actions", 1)
    state = do(state, 1, PlayCard("tom"), Pass())
    assert (state.stage, own(state, 1).bars) == ("over", 1)


@rule("GB-544")
def test_bars_are_counted_beyond_ten() -> None:
    assert own(do(holding(acting(), nuggets=21, bars=9), 0, BuyBar(), BuyBar(), BuyBar())).bars == 12


@rule("GB-545")
def test_most_bars_win() -> None:
    assert GAME.result(over({"bars": 11}, {"bars": 12, "nuggets": 0}, {"bars": 3, "nuggets": 99})) == {0: 2, 1: 1, 2: 3}
    assert GAME.score(over({"bars": 11}, {"bars": 12})) == {0: 11, 1: 12}


@rule("GB-546")
def test_a_tie_is_decided_by_nuggets_and_then_by_territories() -> None:
    assert GAME.result(over({"bars": 11, "nuggets": 4}, {"bars": 11, "nuggets": 5})) == {0: 2, 1: 1}
    first = {"bars": 11, "nuggets": 4, "territories": ("forest_1",) * 3}
    assert GAME.result(over(first, {**first, "territories": ("mountain_5",) * 2})) == {0: 1, 1: 2}


@rule("GB-547", "GB-548")
def test_a_tie_that_remains_is_shared_and_other_ranks_go_by_the_same_order() -> None:
    best = {"bars": 11, "nuggets": 4}
    assert GAME.result(over(best, {"bars": 5, "nuggets": 1}, best, {"bars": 5, "nuggets": 2})) == {0: 1, 1: 4, 2: 1, 3: 3}


@rule("GB-549")
def test_nothing_else_counts_at_the_end() -> None:
    rich = {"bars": 1, "material": 4, "tokens": ("magic_1",), "buildings": ("mine",), "deck": ("vlad",)}
    assert GAME.result(over(rich, {"bars": 1})) == {0: 1, 1: 1}


@rule("GB-681")
def test_in_solo_the_dummy_nobles_bars_trigger_the_end_too() -> None:
    state = holding(acting(1, dummy="jade"), hand=("tom",) * 4)
    state = replace(state, dummy=replace(state.dummy, bars=12), market=("timmy",) * 4, pile=("timmy",) * 9)
    after = do(state, 0, PlayCard("tom"), PlayCard("tom"), PlayCard("tom"), rolls=(5,))
    assert after.stage != "over"
    assert do(holding(after, hand=()), 0, Pass(), rolls=(5,)).stage == "over"


@rule("GB-682", "GB-683")
@pytest.mark.parametrize(
    ("own_goods", "dummy", "place"),
    [
        ({"bars": 11}, {"bars": 10}, 1),
        ({"bars": 10}, {"bars": 11}, 2),
        ({"bars": 10, "nuggets": 3}, {"bars": 10, "nuggets": 2}, 1),
        ({"bars": 10, "nuggets": 2}, {"bars": 10, "nuggets": 2}, 2),
        ({"bars": 10, "territories": ("forest_1",)}, {"bars": 10}, 1),
    ],
)
def test_the_player_must_have_more(own_goods: dict[str, Any], dummy: dict[str, int], place: int) -> None:
    assert GAME.result(alone(dummy, **own_goods)) == {0: place}
