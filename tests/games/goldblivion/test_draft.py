"""The Noble draft: GB-151 to GB-157."""

from msgspec.structs import replace

from services.goldblivion import content
from services.goldblivion.commands import ChooseNoble
from services.goldblivion.game import GAME
from tests.games.goldblivion.tables import asked, defaulted, do, members, opened, refusal
from tests.games.goldblivion.test_setup import many
from tests.ledger import rule


@rule("GB-151", "GB-157")
def test_as_many_nobles_as_seats_are_revealed_and_the_rest_is_in_the_box() -> None:
    state = opened(3)
    assert len(state.nobles) == 3
    assert sorted(state.nobles + state.box) == sorted(content.copies("noble"))
    assert GAME.look(state, None).nobles == state.nobles


@rule("GB-152")
def test_the_first_player_is_drawn() -> None:
    assert {state.first for state in many(3)} == {0, 1, 2}


@rule("GB-153")
def test_the_last_in_turn_order_takes_first_then_the_one_before() -> None:
    state = opened(4)
    order = []
    while state.stage == "draft":
        order.append(state.turn)
        state = defaulted(state, state.turn)
    assert order == [(state.first - step) % 4 for step in (1, 2, 3)]


@rule("GB-154")
def test_a_noble_that_is_not_revealed_or_was_taken_is_refused() -> None:
    state = opened(3)
    first, drafter = state.nobles[0], state.turn
    assert refusal(state, drafter, ChooseNoble(state.box[0])) == "not_a_choice"
    after = do(state, drafter, ChooseNoble(first))
    assert refusal(after, after.turn, ChooseNoble(first)) == "not_a_choice"
    assert first not in members(after, ChooseNoble, "noble", after.turn)


@rule("GB-155")
def test_the_noble_is_shuffled_into_the_deck() -> None:
    state = opened(3)
    drafter, noble = state.turn, state.nobles[1]
    deck = do(state, drafter, ChooseNoble(noble)).boards[drafter].deck
    assert len(deck) == 7
    assert noble in deck
    assert len({do(state, drafter, ChooseNoble(noble), rolls=(n, 0)).boards[drafter].deck.index(noble) for n in range(7)}) > 2


@rule("GB-156", "GB-157")
def test_the_last_one_is_the_first_player_and_gets_what_is_left() -> None:
    state = opened(2)
    left = state.nobles[1]
    after = do(state, state.turn, ChooseNoble(state.nobles[0]))
    assert after.taken[after.first] == left
    assert [seat.noble for seat in GAME.look(after, None).seats] == list(after.taken)
    assert asked(after) == [(0, "develop"), (1, "develop")]


@rule("GB-704")
def test_out_of_time_the_first_in_the_order_of_the_files_is_taken() -> None:
    state = replace(opened(2), nobles=("jade", "blaze"))
    assert GAME.default(state, state.turn) == ChooseNoble("blaze")
