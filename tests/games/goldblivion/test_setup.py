"""Seats, supply, player and global set-up: GB-101 to GB-142, GB-601 to GB-607."""

from collections import Counter

import msgspec
import pytest

from services.goldblivion import content
from services.goldblivion.commands import ChooseNoble, Pass, Pay, PlayCard
from services.goldblivion.game import GAME
from services.goldblivion.setup import empty, setup
from services.goldblivion.state import Options, State
from shared.kernel.dice import Dice
from shared.kernel.game import Table
from tests.games.goldblivion.tables import KEY, acting, asked, developing, do, holding, kinds_of, members, opened, own, told
from tests.ledger import rule


def many(seats: int, count: int = 40, **options: object) -> list[State]:
    """Some openings with other dice."""
    states = []
    for number in range(count):
        given = GAME.read_options(options)
        table = Table(empty(seats, given))
        setup(table, seats, given, Dice(KEY, f"many|{number}|"))
        states.append(table.state)
    return states


@rule("GB-101")
def test_one_to_four_seats() -> None:
    assert list(GAME.seats_allowed(Options())) == [1, 2, 3, 4]


@rule("GB-102", "GB-113")
def test_every_seat_has_a_coat_of_arms_of_its_own_at_random() -> None:
    assert sorted(board.coat for board in opened(4).boards) == ["blue", "green", "red", "yellow"]
    assert len({state.boards[0].coat for state in many(4)}) == 4


@rule("GB-103", "GB-104", "GB-126")
def test_everybody_starts_with_nothing_on_space_zero() -> None:
    for board in opened(3).boards:
        assert (board.bars, board.nuggets, board.material, board.tokens, board.territories) == (0, 0, 0, (), ())
        assert not board.passed


@rule("GB-105", "GB-110")
def test_the_bank_never_runs_out_and_nuggets_have_no_limit() -> None:
    state = holding(acting(), nuggets=10_000, hand=("thardard",), material=1, left=("tom",) * 40)
    state = do(state, 0, PlayCard("thardard"), Pay())
    assert (own(state).nuggets, len(own(state).left)) == (10_010, 40)


@rule("GB-112", "GB-121", "GB-122", "GB-123")
def test_each_seat_has_its_six_and_five_starting_cards_and_those_of_others_never_come() -> None:
    state = opened(3)
    for board in state.boards:
        assert Counter(card for card in board.deck if card not in state.taken) == {"tom": 3, "naya": 2, "gloric": 1}
        assert Counter(board.army) == {"arthur": 3, "xena": 2}
    in_game = Counter((*state.market, *state.pile, *state.box, *(card for board in state.boards for card in board.deck)))
    assert in_game["tom"] == 9


@rule("GB-124")
def test_both_decks_are_shuffled_before_the_first_draw() -> None:
    assert len({state.boards[0].deck[:6] for state in many(2)}) > 10
    assert len({state.boards[0].army for state in many(2)}) > 5


@rule("GB-125")
def test_a_seat_shows_its_four_areas() -> None:
    seat = GAME.look(acting(), 0).seats[0]
    assert (seat.left, seat.right, seat.exhausted, seat.played, seat.deck, seat.army) == (0, 0, (), (), 0, 0)


@rule("GB-131")
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_with_up_to_three_seats_one_tile_a_space_of_its_kind(seats: int) -> None:
    state = opened(seats)
    assert all(len(space.tiles) == 1 and not space.up for space in state.spaces)
    assert all(content.TILES[space.tiles[0]].kind == space.kind for space in state.spaces)
    assert tuple(map(len, state.unused)) == (2, 1)


@rule("GB-132")
def test_with_four_seats_the_bottom_row_is_doubled() -> None:
    state = opened(4)
    assert {space.id: len(space.tiles) for space in state.spaces if len(space.tiles) > 1} == {"B1": 2, "B2": 2, "B3": 2}
    assert state.unused == ((), ())


@rule("GB-133")
def test_a_mountain_covers_the_cow_dragon() -> None:
    cow = next(space for space in GAME.look(opened(), None).spaces if space.cow)
    assert (cow.id, cow.kind, cow.tiles, cow.enemy) == ("T3", "mountain", 1, None)


@rule("GB-134", "GB-142")
def test_two_piles_of_seventeen_show_their_top_cards() -> None:
    state = opened()
    assert [len(pile) for pile in state.armies] == [17, 17]
    assert not set(state.armies[0] + state.armies[1]) & {"arthur", "xena"}
    assert GAME.look(state, 0).tops == (state.armies[0][0], state.armies[1][0])


@rule("GB-135")
def test_village_tiles_lie_with_a_random_side_up() -> None:
    assert {state.villages for state in many(2)} == {("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")}
    assert (content.VILLAGES["left"].id, content.VILLAGES["right"].id) == ("village_nugget", "village_material")


@rule("GB-136", "GB-137", "GB-141")
def test_62_cards_of_which_four_lie_open() -> None:
    state = opened()
    cards = Counter((*state.market, *state.pile))
    assert cards.total() == 62
    assert len(state.pile) == 58
    assert not set(cards) & {"tom", "naya", "gloric", *content.copies("noble")}


@rule("GB-138", "GB-139")
def test_a_building_turned_up_too_early_goes_under_the_pile_in_order() -> None:
    state = next(state for state in many(2) if state.buried > 1)
    assert all(card in content.CHARACTERS for card in state.market)
    assert all(card in content.BUILDINGS for card in state.pile[-state.buried :])
    assert GAME.look(state, None).buried == state.pile[-state.buried :]


@rule("GB-140")
def test_the_magic_tokens_lie_face_down_in_the_bank() -> None:
    state = opened()
    assert len(set(state.bank)) == 8
    assert (GAME.look(state, 0).bank, GAME.look(state, 0).used) == (8, ())


@rule("GB-601", "GB-606")
def test_alone_against_one_of_four_nobles() -> None:
    assert list(GAME.seats_allowed(Options(dummy="blaze"))) == [1]
    assert {opened(1, dummy=noble).dummy.noble for noble in content.SOLO} == {"ariane", "charles", "blaze", "jade"}
    assert opened(1).dummy.noble == "ariane"
    assert any("ariane" in state.nobles for state in many(1))


@rule("GB-602")
def test_solo_uses_the_set_up_of_one_seat() -> None:
    state = opened(1)
    assert sum(len(space.tiles) for space in state.spaces) == 12
    assert all(card in content.CHARACTERS for card in state.market)
    assert [len(pile) for pile in state.armies] == [17, 17]
    assert (len(state.villages), len(state.bank)) == (2, 8)


@rule("GB-603", "GB-604")
@pytest.mark.parametrize(("noble", "coat"), [("ariane", "yellow"), ("charles", "blue"), ("blaze", "red"), ("jade", "green")])
def test_the_dummy_noble_has_a_coat_of_his_own_and_nothing_else(noble: str, coat: str) -> None:
    state = opened(1, dummy=noble)
    dummy = state.dummy
    assert (dummy.coat, dummy.bars, dummy.nuggets, dummy.material) == (coat, 0, 0, 0)
    assert dummy.human == dummy.elf == dummy.dwarf == dummy.building == ()
    assert coat not in {other.boards[0].coat for other in many(1, dummy=noble)}


@rule("GB-605")
def test_in_solo_one_random_noble_or_one_of_five_by_choice() -> None:
    assert len({developing(1).taken} | {state.nobles for state in many(1)}) > 3
    chosen = opened(1, noble="chosen")
    assert members(chosen, ChooseNoble, "noble") == list(content.copies("noble"))
    after = do(chosen, 0, ChooseNoble("jade"))
    assert after.taken == ("jade",)
    assert sorted(after.box) == ["ariane", "blaze", "charles", "glasstok"]


@rule("GB-607")
def test_in_solo_there_is_no_marker_and_the_player_begins_every_round() -> None:
    state = holding(acting(1), deck=("tom",) * 6)
    events = kinds_of(told(state, 0, Pass(), 1, 1, 1))
    assert not {"first_player_came", "marker_came"} & set(events)
    assert asked(do(state, 0, Pass())) == [(0, "develop")]


def test_options_that_nobody_knows_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        GAME.read_options({"dummy": "gloric"})
