"""Set-up: aces, the pack, the map (KC-101 to KC-170)."""

import pytest
from msgspec.structs import replace

from services.knightly_cup.commands import ChooseAce, LayCard
from services.knightly_cup.game import GAME
from services.knightly_cup.rules.laying import main_pack
from services.knightly_cup.setup import seats_for
from services.knightly_cup.state import SUITS, Options
from tests.games.knightly_cup.tables import decides, do, laid, mapped, members, offered, opened, refusal, row
from tests.ledger import rule

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


@rule("KC-101")
def test_two_three_or_four_may_play() -> None:
    assert seats_for(Options()) == GAME.seats == range(2, 5)


@rule("KC-107")
def test_the_first_player_is_drawn_or_named() -> None:
    assert opened(4, first=3).first == 2
    assert {GAME.read_options({}).first, opened(4).first} <= {0, 1, 2, 3}
    assert seats_for(Options(first=4)) == range(4, 5)


@rule("KC-151", "KC-152")
def test_aces_are_chosen_in_seat_order_and_only_once() -> None:
    state = do(opened(3), 0, ChooseAce("hearts"))
    assert decides(state) == 1
    assert refusal(state, 1, ChooseAce("hearts")) == "not_a_choice"
    assert members(state, 1, ChooseAce, "suit") == ["clubs", "diamonds", "spades"]


@rule("KC-153")
def test_home_suits_are_public() -> None:
    assert GAME.look(do(opened(), 0, ChooseAce("spades")), 1).knights[0].suit == "spades"


@SEATS
@rule("KC-154", "KC-155")
def test_the_main_pack_has_the_aces_that_nobody_took(seats: int) -> None:
    state = laid(seats)
    pack = main_pack(state)
    assert len(pack) == {2: 52, 3: 51, 4: 50}[seats]
    assert sum(card.startswith("A_") for card in pack) == 4 - seats


@SEATS
@rule("KC-156", "KC-157", "KC-159", "KC-160")
def test_cards_left_over_are_monsters_and_every_hand_holds_its_ace(seats: int) -> None:
    state = laid(seats)
    assert len(state.aside) == {2: 1, 3: 2, 4: 1}[seats]
    assert all(state.printed.legend[card.partition("_")[0]].type == "monster" for card in state.aside)
    assert [len(hand) for hand in state.hands] == [{2: 26, 3: 17, 4: 13}[seats]] * seats
    assert all(f"A_{knight.suit}" in hand for knight, hand in zip(state.knights, state.hands, strict=True))


@rule("KC-156", "KC-159")
def test_nobody_sees_other_hands_or_the_cards_set_aside() -> None:
    state = laid()
    assert [card.id for card in GAME.look(state, 0).hand] == list(state.hands[0])
    assert GAME.look(state, None).hand == GAME.look(state, None).aside == ()


@rule("KC-158")
def test_the_centre_card_is_seen_by_nobody() -> None:
    state = laid()
    centre = GAME.look(state, 0).spots[0]
    assert (centre.x, centre.y, centre.card, centre.known, centre.layer) == (0, 0, None, None, None)


@rule("KC-106", "KC-161")
def test_everybody_lays_one_card_clockwise_and_may_not_pass() -> None:
    state = laid(3, first=2)
    assert decides(state) == 1
    assert offered(state, 1) == ["lay_card"]
    state = do(state, 1, LayCard(state.hands[1][0], "0,1"))
    assert (decides(state), len(state.hands[1]), offered(state, 0)) == (2, 16, [])


@rule("KC-162")
@pytest.mark.parametrize("spot", ["1,1", "0,0", "5,5", "2,0"])
def test_a_card_must_touch_another_one(spot: str) -> None:
    state = laid(first=1)
    assert refusal(state, 0, LayCard(state.hands[0][0], spot)) == "not_a_choice"


@rule("KC-163", "KC-164")
def test_the_map_grows_without_limit_and_in_one_piece() -> None:
    state = laid(first=1)
    for x in range(1, 30):
        seat = state.turn.seat
        state = do(state, seat, LayCard(state.hands[seat][0], f"{x},0"))
    assert state.spots[-1] == "29,0"
    assert GAME.sound(state) == []


@rule("KC-166", "KC-167")
def test_the_last_card_carries_the_knight_and_stays_face_down() -> None:
    state = laid(first=1)
    state = replace(state, hands=(state.hands[0][:1], state.hands[1][:1]))
    state = do(state, 0, LayCard(state.hands[0][0], "0,1"))
    assert (state.knights[0].at, state.up[1]) == (1, False)
    assert len({knight.at for knight in mapped(4).knights}) == 4


@SEATS
@rule("KC-168", "KC-169", "KC-170", "KC-219")
def test_everybody_begins_with_coins_and_a_standard(seats: int) -> None:
    state = mapped(seats)
    assert len(state.spots) == (52 if seats == 3 else 53)
    assert {knight.coins for knight in state.knights} == {5}
    assert all(knight.standards == (knight.suit,) for knight in state.knights)
    claimed = {knight.suit for knight in state.knights}
    assert state.stores == {suit: seats - (suit in claimed) for suit in SUITS}
    assert set(state.supply.values()) == {seats}
    assert GAME.sound(state) == []


@rule("KC-168", "KC-211")
def test_everybody_begins_with_two_dice() -> None:
    assert [row("7_clubs", "A_clubs").fight_dice(seat) for seat in (0, 1)] == [2, 2]


@rule("KC-131", "KC-138")
def test_an_ace_is_home_or_unclaimed() -> None:
    state = row("7_clubs", "A_clubs")
    assert [state.owner(suit) for suit in SUITS] == [0, 1, -3, -3]


@rule("KC-132", "KC-133", "KC-134", "KC-135", "KC-136", "KC-137")
def test_what_the_legend_says() -> None:
    legend = row("7_clubs", "A_clubs").printed.legend
    assert [legend[str(rank)].strength for rank in range(2, 11)] == list(range(2, 11))
    kinds = {rank: legend[rank].type for rank in ("A", "J", "Q", "K", "joker", "7")}
    assert list(kinds.values()) == ["fortress", "merchant", "temple", "gateway", "elves", "monster"]


@rule("KC-137")
def test_another_legend_is_followed() -> None:
    state = row("K_clubs", "A_clubs")
    legend = {**state.printed.legend, "K": state.printed.legend["J"], "J": state.printed.legend["K"]}
    swapped = replace(state, printed=replace(state.printed, legend=legend))
    assert swapped.kind(swapped.here()).type == "merchant"
    assert swapped.where("gateway", "clubs") == state.cards.index("J_clubs")
