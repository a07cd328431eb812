"""The Solo Challenge: GB-611 to GB-618, GB-641 to GB-679, GB-709."""

import pytest
from msgspec.structs import replace

from services.goldblivion import content
from services.goldblivion.commands import LetConquer, Pass, PlaceUnder, PlayCard, RevealTerritory
from services.goldblivion.content.grammar import row_of
from services.goldblivion.game import GAME
from services.goldblivion.rules import solo
from services.goldblivion.state import Frame, State
from shared.kernel.game import Event, Table
from tests.games.goldblivion.tables import (
    PLACES,
    acting,
    asked,
    developing,
    dice,
    do,
    holding,
    kinds_of,
    members,
    offered,
    on_map,
    own,
    refusal,
    told,
    turned_up,
)
from tests.ledger import rule

LEFTMOST, THIRD = 5, 3  # faces that point at these spaces


def against(noble: str = "ariane", market: tuple[str, ...] = ("timmy", "wanda", "archimus", "magda"), **dummy: object) -> State:
    """The player is about to pass, and this Dummy Noble has what is named."""
    state = replace(acting(1, dummy=noble), market=market)
    return replace(state, dummy=replace(state.dummy, **dummy))


def rows(state: State, text: str, *rolls: int, monkeypatch: pytest.MonkeyPatch) -> tuple[State, list[Event]]:
    """The Dummy Noble carries out this row of powers."""
    monkeypatch.setitem(content.ROWS, "row", row_of(text))
    table, stack = Table(state), [Frame("dummy", state.dummy.noble, step=2), Frame("row", "row", times=1)]
    chance = dice(*rolls)
    while len(stack) > 1 and table.state.stage != "over":
        pending = solo.step(table, stack, chance)
        assert pending is None, "a question here needs a test of its own"
    return table.state, table.events


@rule("GB-611", "GB-162")
def test_the_player_alone_draws_develops_and_produces() -> None:
    state = developing(1)
    assert (len(state.boards), asked(state)) == (1, [(0, "develop")])


@rule("GB-612")
def test_three_main_actions() -> None:
    state = holding(acting(1), hand=("tom",) * 4)
    state = do(state, 0, PlayCard("tom"), PlayCard("tom"))
    assert (state.stage, state.actions, state.turn) == ("actions", 2, 0)
    assert "dummy_turn_came" in kinds_of(told(state, 0, PlayCard("tom"), 1))


@rule("GB-613", "GB-614")
def test_after_each_turn_the_dummy_noble_takes_one_until_the_player_has_passed() -> None:
    state = holding(against("jade"), hand=("tom",) * 7)
    events = kinds_of(told(do(state, 0, PlayCard("tom"), PlayCard("tom")), 0, PlayCard("tom"), LEFTMOST))
    assert (events.count("dummy_turn_came"), events[-1]) == (1, "turn_came")


@rule("GB-615", "GB-616")
def test_he_also_takes_a_turn_after_the_player_has_passed_and_then_the_round_ends() -> None:
    events = kinds_of(told(holding(against("jade"), deck=("tom",) * 5), 0, Pass(), LEFTMOST))
    assert events.index("passed") < events.index("dummy_took") < events.index("cards_gathered") < events.index("round_began")


@rule("GB-617", "GB-275")
def test_no_passing_with_a_card_in_hand() -> None:
    state = holding(acting(1), hand=("tom",))
    assert refusal(state, 0, Pass()) == "not_a_choice"
    assert GAME.default(state, 0) == PlayCard("tom")


@rule("GB-618")
def test_passing_as_the_first_of_three_actions() -> None:
    assert (offered(acting(1)), acting(1).actions) == (["pass"], 0)
    assert kinds_of(told(acting(1), 0, Pass()))[:2] == ["passed", "dummy_turn_came"]


@rule("GB-641", "GB-642", "GB-643", "GB-644")
@pytest.mark.parametrize(
    ("face", "card"), [(5, "timmy"), (6, "wanda"), (3, "archimus"), (4, "archimus"), (1, "magda"), (2, "magda")]
)
def test_the_die_points_at_a_space_and_gives_nothing_else(face: int, card: str) -> None:
    events = told(against("jade"), 0, Pass(), face)
    took = next(event for event in events if event.what == "dummy_took")
    assert (took.card, events[events.index(took) - 1].faces) == (card, (face,))
    assert [event for event in events if event.what == "dummy_paid"] == []


@rule("GB-645", "GB-647", "GB-621")
def test_the_card_goes_under_its_badge_and_the_market_is_refilled_before_the_powers() -> None:
    events = kinds_of(told(against("jade", elf=("naya",)), 0, Pass(), LEFTMOST))
    assert events[:6] == ["passed", "dummy_turn_came", "dummy_rolled", "dummy_took", "refilled", "dummy_placed"]
    after = do(against("jade", elf=("naya",)), 0, Pass(), rolls=(LEFTMOST,))
    assert (after.dummy.elf, after.dummy.nuggets) == (("naya", "timmy"), 4)


@rule("GB-646", "GB-333")
def test_with_two_races_the_player_chooses_the_space() -> None:
    state = do(against("jade", ("picassol", "wanda", "archimus", "magda")), 0, Pass(), rolls=(LEFTMOST,))
    assert members(state, PlaceUnder, "badge") == ["human", "elf"]
    assert GAME.default(state, 0) == PlaceUnder("human")
    after = do(state, 0, PlaceUnder("elf"))
    assert (after.dummy.elf, after.dummy.nuggets, after.dummy.card) == (("picassol",), 2, "")


@rule("GB-648")
def test_from_the_sixth_card_on_the_row_is_carried_out_twice_where_the_board_says_so() -> None:
    five = ("naya",) * 4 + ("assassins",)
    market = ("eve_lily", "wanda", "archimus", "magda")
    charles = do(against("charles", market, elf=five), 0, Pass(), rolls=(LEFTMOST,))
    assert (charles.dummy.bars, charles.dummy.nuggets) == (2, 16 - 14)
    jade = do(against("jade", market, elf=five), 0, Pass(), rolls=(LEFTMOST,))
    assert (jade.dummy.bars, jade.dummy.nuggets) == (1, 16 - 10)
    assert {noble for noble, board in content.SOLO.items() if board.double} == {"ariane", "charles"}


@rule("GB-649")
def test_what_a_die_sets_off_comes_before_the_rest_of_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    _, events = rows(against("charles"), "d-dice 1, d-bars 1", 5, 6, monkeypatch=monkeypatch)
    assert [(event.what, getattr(event, "kind", "")) for event in events] == [
        ("dummy_rolled", ""),
        ("dummy_gained", "nuggets"),
        ("dummy_rolled", ""),
        ("dummy_gained", "material"),
        ("dummy_gained", "bars"),
    ]


@rule("GB-650", "GB-676")
def test_charles_converts_seven_nuggets_and_two_material() -> None:
    table = Table(against("charles", nuggets=11, material=3))
    solo.convert(table)
    assert (table.state.dummy.nuggets, table.state.dummy.material, table.state.dummy.bars) == (4, 1, 2)


@rule("GB-675")
def test_ariane_converts_material_into_nuggets_first() -> None:
    table = Table(against("ariane", nuggets=5, material=1))
    solo.convert(table)
    assert (table.state.dummy.nuggets, table.state.dummy.material, table.state.dummy.bars) == (0, 0, 1)


@rule("GB-677", "GB-678")
@pytest.mark.parametrize(("noble", "left", "bars"), [("blaze", (6, 0), 4), ("jade", (3, 0), 2)])
def test_blaze_and_jade_convert_by_their_own_charts(noble: str, left: tuple[int, int], bars: int) -> None:
    table = Table(against(noble, nuggets=13, material=3))
    solo.convert(table)
    dummy = table.state.dummy
    assert ((dummy.nuggets, dummy.material), dummy.bars) == (left, bars)


@rule("GB-652", "GB-664")
def test_the_dummy_noble_has_no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = rows(against(material=9), "d-material 5, d-nuggets 3, d-bars 1", monkeypatch=monkeypatch)
    assert (state.dummy.material, state.dummy.nuggets, state.dummy.bars) == (14, 3, 1)


@rule("GB-661")
def test_his_dice_bring_nuggets_material_and_magic_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = rows(against("charles"), "d-dice 3", 1, 4, 6, monkeypatch=monkeypatch)
    assert (state.dummy.nuggets, state.dummy.material) == (3, 1)
    magic, _ = rows(against("charles"), "d-dice 1", 5, 1, monkeypatch=monkeypatch)
    assert magic.dummy.nuggets == 2


@rule("GB-662", "GB-663")
def test_per_badge_counts_the_cards_under_that_space(monkeypatch: pytest.MonkeyPatch) -> None:
    state = against("jade", human=("tom", "picassol"), elf=("assassins", "naya"))
    after, events = rows(state, "d-dice 1 per human, d-nuggets 2 per elf", 1, 1, monkeypatch=monkeypatch)
    assert events[0].faces == (1, 1)
    assert after.dummy.nuggets == 2 + 6


@rule("GB-665")
def test_magic_powers_take_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    before = against("charles")
    state, _ = rows(before, "d-magic", 1, monkeypatch=monkeypatch)
    assert (state.dummy.nuggets, state.bank) == (2, before.bank)


@rule("GB-666")
def test_the_player_chooses_which_territory_is_revealed() -> None:
    state = do(against("charles", dwarf=()), 0, Pass(), rolls=(THIRD,))
    assert asked(state) == [(0, "reveal")]
    assert members(state, RevealTerritory, "space") == ["B1", "B2", "B3", "M1", "M4", "T1", "T5"]
    after = do(state, 0, RevealTerritory("B2"))
    assert after.spaces[PLACES["B2"]].up


@rule("GB-667")
def test_without_an_open_side_any_face_down_territory(monkeypatch: pytest.MonkeyPatch) -> None:
    state = turned_up(against(), "B1", "B2", "B3", "M1", "M4", "T1", "T5")
    assert solo.hidden_territories(state) == ("M2", "M3", "T2", "T3", "T4")
    all_up = turned_up(against(), *PLACES)
    after, events = rows(all_up, "d-reveal", monkeypatch=monkeypatch)
    assert (after.spaces, events) == (all_up.spaces, [])


@rule("GB-668", "GB-679", "GB-671")
def test_the_player_chooses_which_territory_is_conquered() -> None:
    state = on_map(against("ariane"), T2=("mountain_2",), T3=("forest_5",))
    state = do(turned_up(state, "B1", "T3"), 0, Pass(), rolls=(THIRD,))
    assert members(state, LetConquer, "space") == ["B1", "T3"]
    after = do(state, 0, LetConquer("T3"))
    assert (after.dummy.territories, after.spaces[PLACES["T3"]].tiles) == (("forest_5",), ())
    assert GAME.look(after, 0).spaces[PLACES["T3"]].enemy == "cow_dragon"
    forest = do(state, 0, LetConquer("B1"))
    assert (forest.dummy.bars, forest.dummy.nuggets) == (1, 0)
    assert forest.open_sides(PLACES["B2"]) == 3


@rule("GB-669")
def test_the_cow_dragon_may_be_conquered_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = rows(on_map(against(), T3=()), "d-conquer", monkeypatch=monkeypatch)
    assert (state.dummy.bars, state.dummy.territories) == (3, ())
    assert solo.open_territories(state) == ("T3",)


@rule("GB-670")
def test_without_a_face_up_enemy_nothing_is_conquered(monkeypatch: pytest.MonkeyPatch) -> None:
    state, events = rows(against(), "d-conquer", monkeypatch=monkeypatch)
    assert (state.dummy.territories, events) == ((), [])


@rule("GB-671")
def test_rewards_of_cards_are_ignored_and_the_others_turn_into_his(monkeypatch: pytest.MonkeyPatch) -> None:
    state = turned_up(on_map(against("charles"), B1=("forest_5",)), "B1")
    after, events = rows(state, "d-conquer", 1, monkeypatch=monkeypatch)
    assert (after.dummy.nuggets, after.bank, "took" in kinds_of(events)) == (2, state.bank, False)


@rule("GB-672")
def test_the_rightmost_card_is_destroyed_and_the_market_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = rows(against(), "d-market", monkeypatch=monkeypatch)
    assert (state.market, state.box) == (("boss", "timmy", "wanda", "archimus"), ("magda",))
    lost, _ = rows(replace(against(), pile=()), "d-market, d-bars 1", monkeypatch=monkeypatch)
    assert (lost.stage, lost.dummy.bars) == ("over", 0)


@rule("GB-673")
@pytest.mark.parametrize(("held", "left"), [(5, 2), (2, 0), (0, 0)])
def test_the_player_loses_nuggets_as_far_as_there_are_any(held: int, left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = rows(holding(against(), nuggets=held), "d-burn 3", monkeypatch=monkeypatch)
    assert own(state).nuggets == left


@rule("GB-674")
def test_the_four_boards() -> None:
    boards = content.SOLO
    assert [boards[noble].level for noble in ("ariane", "charles", "blaze", "jade")] == ["easy", "normal", "hard", "hard"]
    assert boards["charles"].human == "d-burn 2, d-dice 1, d-dice 1"
    assert (boards["jade"].nugget_rate, boards["jade"].material_rate) == (10, 3)


@rule("GB-709")
def test_a_chain_without_end_is_cut_off_and_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(content.ROWS, "jade_magic", row_of("d-magic"))
    monkeypatch.setitem(content.ROWS, "jade_elf", row_of("d-nuggets 10, d-magic"))
    after = do(against("jade"), 0, Pass(), rolls=(LEFTMOST,))
    assert (after.dummy.bars, after.dummy.nuggets) == (1, 0)


@rule("GB-666", "PL-283")
def test_two_territories_revealed_in_one_turn_are_two_questions_with_a_clock_each() -> None:
    magic, nugget = 5, 1
    first = do(against("ariane"), 0, Pass(), rolls=(6, magic))
    assert (first.stage, asked(first)) == ("dummy", [(0, "reveal")])
    second = do(first, 0, RevealTerritory("B1"), rolls=(nugget, magic))
    assert (second.stage, asked(second)) == ("dummy", [(0, "reveal")])
    assert GAME.question(first, 0).runs_on != GAME.question(second, 0).runs_on
