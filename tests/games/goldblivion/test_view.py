"""Public and hidden information: GB-561 to GB-565."""

import re
from pathlib import Path

from msgspec.structs import replace

from services.goldblivion import content
from services.goldblivion.events import Refilled, Uncovered
from services.goldblivion.game import GAME
from services.goldblivion.solo_events import DummyPlaced
from services.goldblivion.state import State
from services.goldblivion.view import CombatCardView, CombatView, DummyView, OwnView, SeatView, SpaceView, View
from shared.kernel.dice import Dice
from tests.games.goldblivion.tables import KEY, acting, do, holding, on_map, turned_up
from tests.ledger import rule


def busy() -> State:
    """Seat 0 has something of everything."""
    state = holding(
        acting(),
        hand=("tom", "jade"),
        deck=("vlad", "naya"),
        left=("gloric",),
        right=("wanda",),
        tokens=("magic_1",),
        army=("karen", "axel"),
        exhausted=("xena",),
        played=("boss",),
        buildings=("mine",),
        territories=("forest_1",),
    )
    return replace(turned_up(on_map(state), "B1"), bank=("magic_2", "magic_3"), used=("magic_8",), box=("archer",))


@rule("GB-561")
def test_what_lies_open_is_seen_by_all() -> None:
    view = GAME.look(busy(), None)
    seat = view.seats[0]
    assert (seat.hand, seat.deck, seat.army, seat.left, seat.right, seat.tokens) == (2, 2, 2, 1, 1, 1)
    assert (seat.played, seat.buildings, seat.exhausted, seat.territories) == (("boss",), ("mine",), ("xena",), ("forest_1",))
    assert (view.market, view.tops, view.pile, view.armies) == (busy().market, ("champion", "bandit"), 6, (3, 2))
    assert (view.villages, view.bank, view.used, view.box) == (("a", "a"), 2, ("magic_8",), ("archer",))
    assert view.spaces[0].enemy == "forest_2"


@rule("GB-562")
def test_hand_tokens_and_production_cards_are_their_owners() -> None:
    own = GAME.look(busy(), 0).own
    assert (own.hand, own.tokens, own.left, own.right) == (("tom", "jade"), ("magic_1",), ("gloric",), ("wanda",))
    other = GAME.words["en"].json(GAME.look(busy(), 1))
    assert b"magic_1" not in other
    assert GAME.look(busy(), 1).own.hand == ()


@rule("GB-563")
def test_orders_and_face_down_things_are_hidden_from_all() -> None:
    state = busy()
    views = [GAME.look(replace(state, pile=tuple(reversed(state.pile))), reader) for reader in (None, 0, 1)]
    assert views == [GAME.look(state, reader) for reader in (None, 0, 1)]
    shuffled = holding(state, deck=("naya", "vlad"), army=("axel", "karen"))
    assert GAME.look(shuffled, 0) == GAME.look(state, 0)
    assert GAME.look(on_map(state, mountain="mountain_5", B1=("forest_2",)), 0).spaces[1].enemy is None
    deeper = replace(state, armies=(("champion", "axel", "archer"), ("bandit", "karen")))
    assert GAME.look(deeper, 0) == GAME.look(state, 0)


@rule("GB-564")
def test_lists_of_decks_never_tell_what_lies_in_production() -> None:
    assert GAME.look(busy(), 0).own.deck == ("naya", "vlad")
    assert GAME.look(busy(), 1).seats[0].cards == ("gloric", "jade", "naya", "tom", "vlad", "wanda")
    assert GAME.look(busy(), 1).seats[0].fighters == ("axel", "karen")


@rule("GB-565")
def test_onlookers_see_what_is_public() -> None:
    onlooker, player = GAME.look(busy(), None), GAME.look(busy(), 1)
    assert onlooker == replace(player, you=None, own=None)


@rule("GB-562", "GB-563")
def test_another_table_that_looks_the_same_differs_where_nobody_may_look() -> None:
    state = busy()
    others = [GAME.imagine(state, 1, Dice(KEY, f"imagine|{number}|")) for number in range(20)]
    assert {GAME.look(other, 1) == GAME.look(state, 1) for other in others} == {True}
    assert len({other.boards[0].hand for other in others}) > 3
    assert len({other.boards[0].tokens for other in others}) == 3
    assert all(other.spaces[0].tiles == ("forest_2",) for other in others)


def test_the_text_tells_the_table_and_the_faces_of_what_is_in_sight() -> None:
    text = GAME.text(GAME.look(busy(), 0), GAME.words["en"])
    assert "Market: Timmy, Wanda, Archimus, Magda; 6 in the pile." in text
    assert "Timmy: Elf · 3 nuggets · 1 nugget, draw 1 card" in text
    assert "B1 (bottom), forest: Forest of 3 (nuggets), tiles 1, open sides 3" in text
    assert "Your hand: Tom, Jade. Your magic tokens: Magic token 1." in text


@rule("GB-102", "GB-377", "PL-359")
def test_coats_and_dice_are_said_in_words() -> None:
    """A coat and a card are both called red."""
    text = GAME.text(GAME.look(replace(holding(busy(), coat="red"), dice=(5, 1)), 0), GAME.words["en"])
    assert "Seat 1 (red) plays: " in text
    assert "Last roll: 5 (1 magic token), 1 (1 nugget)." in text


@rule("GB-254", "GB-256", "GB-645")
def test_the_log_names_piles_and_spaces_and_says_where_nothing_is_left() -> None:
    events = (Refilled(("timmy", "", "red", ""), ""), Uncovered("pile_left", ""), DummyPlaced("picassol", "elf"))
    assert [GAME.words["en"].sentence(event) for event in events] == [
        "The Market: Timmy, nothing, Red, nothing.",
        "On top of the left Combat pile now: nothing.",
        "Picassol goes under the Elf space of the Dummy Noble's board.",
    ]


@rule("GB-561", "GB-564", "GB-313")
def test_the_board_draws_everything_that_the_view_shows() -> None:
    """What a board draws otherwise: captions with several facts at once, spaces one by one, sides as lines; coats mean nothing."""
    folder = Path(content.__file__).parents[1] / "board"
    code = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.js")))
    otherwise = {"round", "army", "human", "elf", "dwarf", "building", "neighbours", "land", "coat"}
    kinds = (View, SeatView, OwnView, DummyView, SpaceView, CombatView, CombatCardView)
    fields = {field for kind in kinds for field in kind.__struct_fields__} - otherwise
    assert {field for field in fields if not re.search(rf"[.]{field}\b|\b{field}\b[^\n]*}} = ", code)} == set()


def test_labels_are_unique_within_an_ask() -> None:
    state = holding(busy(), nuggets=20, material=4)
    words = GAME.words["en"]
    for choice in GAME.legal(state, 0):
        for shape in choice.fields.values():
            said = [words.say(member.label) for member in shape.of]
            assert len(set(said)) == len(said)
    said = [words.say(choice.label) for choice in GAME.legal(state, 0)]
    assert len(set(said)) == len(said)
    assert do(state, 0, GAME.default(state, 0)).boards[0].passed
