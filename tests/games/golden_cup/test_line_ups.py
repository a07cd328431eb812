"""Who stands in which slot, and when does anybody see it?"""

import pytest

from services.golden_cup.commands import LineUp
from services.golden_cup.game import GAME
from services.golden_cup.legal import default
from services.golden_cup.rules.fixtures import filled
from tests.games.golden_cup.tables import advanced, at, do, kinds, last, refusal, team, told
from tests.ledger import rule

FIVE = ("blob", "harpy", "oracle", "minotaur", "gladiator")


def lining_up(*own: str, other: tuple[str, ...] = ("griffin",), **changes: object):
    return team(team(at("line_up"), 0, *own, **changes), 1, *other)


@rule("GC-401", "GC-402", "GC-107")
def test_team_tokens_and_four_breaks_fill_the_bag() -> None:
    bag = filled(at("line_up"), (0, 1))
    assert len(bag) == 3 + 3 + 4
    assert bag.count((-1, "")) == 4


@rule("GC-403")
def test_the_tokens_of_the_automa_go_into_the_bag() -> None:
    bag = filled(at("line_up", 1), (0, 1))
    assert sum(seat == 1 for seat, _ in bag) == 3


@rule("GC-404")
@pytest.mark.parametrize(
    "slots",
    [
        {"1": "blob", "2": "blob", "3": "harpy", "4": "oracle"},
        {"1": "griffin", "2": "blob", "3": "harpy", "4": "oracle"},
        {"5": "blob", "2": "minotaur", "3": "harpy", "4": "oracle"},
    ],
)
def test_own_champions_each_in_one_slot(slots: dict[str, str]) -> None:
    assert refusal(lining_up(*FIVE), 0, LineUp(slots)) == "not_a_choice"


@rule("GC-405")
def test_an_empty_slot_is_served_by_its_base_champion() -> None:
    state = do(lining_up("blob"), 0, LineUp({"3": "blob"}))
    events = told(state, 1, LineUp({"1": "griffin"}))
    assert last(events, "line_ups_shown").line_ups == (("", "", "blob", ""), ("griffin", "", "", ""))


@rule("GC-406")
def test_the_others_are_on_the_bench() -> None:
    state = do(lining_up(*FIVE), 0, LineUp({"1": "blob", "2": "harpy", "3": "oracle", "4": "minotaur"}))
    state = do(state, 1, LineUp({"1": "griffin"}))
    assert GAME.look(state, None).seats[0].bench == ("gladiator",)


@rule("GC-407")
def test_nobody_is_benched_while_a_slot_is_free() -> None:
    assert refusal(lining_up(*FIVE), 0, LineUp({"1": "blob", "2": "harpy", "3": "oracle"})) == "not_a_choice"
    assert refusal(lining_up("blob"), 0, LineUp({})) == "not_a_choice"


@rule("GC-408")
def test_every_line_up_is_free_to_differ_from_the_last() -> None:
    state = lining_up("blob", "harpy", line_up=("blob", "harpy", "", ""))
    assert refusal(state, 0, LineUp({"4": "blob", "1": "harpy"})) == ""


@rule("GC-409", "GC-808")
def test_line_ups_are_secret_until_the_last_one_is_in() -> None:
    state = do(lining_up("blob"), 0, LineUp({"3": "blob"}))
    assert GAME.look(state, 1).seats[0].line_up == ("", "", "", "")
    assert GAME.look(state, 1).seats[0].answered
    assert GAME.look(state, 0).own.answer == ("", "", "blob", "")
    assert "fixture_ended" in kinds(told(state, 1, LineUp({"1": "griffin"})))


@rule("GC-409")
def test_the_order_of_answers_changes_nothing() -> None:
    one = do(do(lining_up("blob"), 0, LineUp({"3": "blob"})), 1, LineUp({"1": "griffin"}))
    other = do(do(lining_up("blob"), 1, LineUp({"1": "griffin"})), 0, LineUp({"3": "blob"}))
    assert one == other


@rule("GC-411", "GC-437")
def test_once_all_are_in_the_matches_are_played_at_once() -> None:
    state, events = advanced(at("line_up", 6))
    assert kinds(events)[0] == "line_ups_shown"
    assert kinds(events).count("fixture_ended") == 3
    assert state.stage == "discard"


@rule("GC-841")
def test_the_clock_repeats_the_last_line_up_and_fills_from_slot_four_with_the_newest() -> None:
    state = lining_up("blob", "harpy", "oracle", line_up=("", "blob", "", "gone"))
    assert default(state, 0) == LineUp({"2": "blob", "4": "oracle", "3": "harpy"})
