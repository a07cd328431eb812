"""Event squares, reactions, and kept cards: GG-251 to GG-264, GG-433, GG-591 to GG-595."""

import msgspec
from msgspec.structs import replace

from services.golden_goal.commands import LetHappen, React, Roll, SellTile, SellToken
from services.golden_goal.game import GAME
from services.golden_goal.state import Deck
from shared.kernel.dice import Dice
from tests.games.golden_goal.tables import (
    ITALY,
    MILLION,
    all_do,
    asked,
    card,
    cash,
    deck,
    do,
    gone,
    kept,
    landing,
    markers,
    offered,
    points,
    question,
    refused,
    rolls,
    square,
    story,
    table,
)
from tests.ledger import rule

FOOTBALL, OTHER = 12, 16  # event squares


def _draws(name, state=None, *rest):
    """Seat 0 draws this card."""
    place = FOOTBALL if name[0] == "F" else OTHER
    return rolls(landing(deck(state or table(), name), place), 3, 4, *rest)


def _scandal():
    """Seats 1 and 2 lead, both hold event tokens, and a card is about to hit them."""
    return _draws("N18", table(points={1: 5, 2: 5}, event_tokens={1: 1, 2: 1}))


@rule("GG-251")
def test_each_kind_of_square_draws_from_its_deck() -> None:
    assert _draws("F01").drawn == ("F01",)
    assert _draws("N01").drawn == ("N01",)


@rule("GG-252")
def test_the_card_is_shown_to_all() -> None:
    assert GAME.look(_draws("F01"), None).drawn == ("F01",)
    assert cash(_draws("N02")) == [10_500_000] * 3


@rule("GG-264", "GG-252")
def test_before_reacting_everybody_sees_whom_and_which_tile_the_card_names() -> None:
    from services.golden_goal.commands import ChooseTarget, ChooseTile

    state = _draws("F09", table(tiles={1: ITALY, 2: ("spain_attack",)}, event_tokens={1: 1}))
    state = all_do(state, (0, ChooseTarget(1)), (0, ChooseTile("italy_attack")))
    for reader in (None, 0, 1, 2):
        view = GAME.look(state, reader)
        assert [(hit.seat, hit.tiles) for hit in view.now[-1].hits] == [(1, ("italy_attack",))]
        assert "  concerns: player 2 (Italy attack)" in GAME.text(view, GAME.words["en"]).splitlines()
    assert [hit.seat for hit in GAME.look(_scandal(), 0).now[-1].hits] == [1, 2]


@rule("GG-253")
def test_a_used_card_goes_to_the_bottom() -> None:
    state = _draws("F01")
    assert (state.football.known, "F01" in state.football.hidden) == (("F01",), False)


@rule("GG-253")
def test_after_a_cycle_the_first_card_shown_comes_again() -> None:
    state = replace(table(), football=Deck((), ("F02", "F01")))
    state = rolls(landing(state, FOOTBALL), 3, 4)
    assert (state.drawn, state.football.known) == (("F02",), ("F01", "F02"))


@rule("GG-254")
def test_an_empty_deck_gives_no_event() -> None:
    state = landing(replace(table(), football=Deck()), FOOTBALL)
    assert story(state, 0, Roll(), 3, 4)[-1] == "no_card_drawn"


@rule("GG-255")
def test_effects_come_in_printed_order_and_players_in_turn_order() -> None:
    state = all_do(_scandal(), (1, LetHappen()))
    events = [event for event in story(state, 2, LetHappen()) if event in {"part_came", "paid", "marker_moved"}]
    assert events == ["part_came", "paid", "part_came", "paid", "part_came", "marker_moved", "part_came", "marker_moved"]


@rule("GG-256", "GG-433")
def test_a_token_cancels_the_negative_effect_for_its_owner() -> None:
    state = do(_draws("F03", table(event_tokens={0: 1})), 0, React("event_token"))
    assert (markers(state)[0], state.players[0].event_tokens, state.supply("event")) == (0, 0, 6)


@rule("GG-257")
def test_everybody_else_is_hit() -> None:
    state = all_do(_scandal(), (1, React("event_token")), (2, LetHappen()))
    assert (markers(state), cash(state)) == ([0, 0, -1], [10 * MILLION, 10 * MILLION, 9_700_000])


@rule("GG-258")
def test_one_token_cancels_all_negative_parts() -> None:
    state = all_do(_scandal(), (1, React("event_token")), (2, React("event_token")))
    assert (markers(state), cash(state)) == ([0, 0, 0], [10 * MILLION] * 3)


@rule("GG-259")
def test_what_is_negative() -> None:
    shielded = table(event_tokens={0: 1}, tiles={0: ("italy_attack",)}, marker={0: 1}, points={0: 3})
    hits = ["F03", "F07", "F12", "F18", "F22", "F23", "F25", "F27", "N04", "N05", "N06", "N08", "N11", "N13", "N14", "N17", "N21"]
    assert [name for name in hits if question(_draws(name, shielded), 0) != "react"] == []
    kind = ["F01", "F11", "F15", "F17", "F21", "F24", "F28", "N01", "N02", "N03", "N07", "N10", "N20"]
    assert [name for name in kind if question(_draws(name, shielded), 0) == "react"] == []


@rule("GG-259", "GG-570")
def test_a_price_that_was_chosen_is_not_negative() -> None:
    from services.golden_goal.commands import TakeBranch

    state = do(_draws("N19", table(event_tokens={0: 1})), 0, TakeBranch("a"))
    assert (question(state, 0), cash(state)[0], markers(state)[0]) == ("free", 9_500_000, 2)


@rule("GG-260")
def test_no_token_where_nothing_negative_is_about_to_happen() -> None:
    assert question(_draws("F27", table(event_tokens={0: 1})), 0) == "free"
    assert question(_draws("N04", table(event_tokens={0: 1})), 0) == "free"


@rule("GG-261")
def test_at_most_three_cards_a_turn() -> None:
    state = deck(table(), "F28")
    for index in (15, 18, 21):
        state = square(state, index, "event", "football")
    state = replace(state, football=Deck(("F28", "F01", *state.football.hidden)))
    chain = replace(landing(state, FOOTBALL), drawn=("F02", "F03"))
    assert rolls(chain, 3, 4).drawn == ("F02", "F03", "F28")


@rule("GG-262", "GG-636")
def test_the_rest_of_the_deck_is_never_shown() -> None:
    state = _draws("F01")
    imagined = GAME.imagine(state, 0, Dice(b"other", ""))
    assert GAME.look(imagined, 0) == GAME.look(state, 0)
    assert imagined.football.hidden != state.football.hidden
    assert imagined.football.known == state.football.known
    assert not any(name.encode() in msgspec.json.encode(GAME.look(state, 0)) for name in state.football.hidden)


@rule("GG-263")
def test_a_payment_that_is_cancelled_is_received_by_nobody() -> None:
    state = do(_draws("N07", table(event_tokens={1: 1})), 1, React("event_token"))
    assert cash(state) == [10_200_000, 10 * MILLION, 9_800_000]


@rule("GG-264")
def test_whom_a_card_hits_is_settled_before_reactions() -> None:
    state = _draws("F25", table(points={0: 5, 1: 5}, event_tokens={0: 1}))
    assert {part.seat for part in card(state).parts} == {0, 1}
    assert points(do(state, 0, React("event_token"))) == [5, 4, 0]


@rule("GG-264", "GG-555")
def test_sums_are_counted_when_the_effect_is_carried_out() -> None:
    state = _draws("N04", table(tiles={0: ITALY}, event_tokens={0: 1}))
    state = all_do(state, (0, SellTile("italy_attack")), (0, LetHappen()))
    assert cash(state)[0] == 10 * MILLION + 1_600_000 - 200_000


@rule("GG-485")
def test_what_a_card_names_and_what_is_given_to_a_reaction_cannot_be_sold() -> None:
    state = _draws("F07", table(tiles={0: ("italy_attack", "spain_defence")}, event_tokens={0: 1}))
    assert refused(state, 0, SellTile("italy_attack"))
    assert not refused(state, 0, SellTile("spain_defence"))
    given = do(_scandal(), 1, React("event_token"))
    assert refused(given, 1, SellToken("event_token"))


@rule("GG-591", "GG-574")
def test_a_kept_card_lies_before_its_owner_until_it_is_used() -> None:
    state = _draws("F30")
    assert (state.players[0].kept, GAME.look(state, None).seats[0].kept) == (("F30",), ("F30",))
    assert "F30" not in (*state.football.hidden, *state.football.known)


@rule("GG-595")
def test_loyal_supporters_work_like_an_event_token() -> None:
    state = do(kept(_draws("F03", kept(table(), 0, "N25")), 0, "N25"), 0, React("N25"))
    assert (markers(state)[0], state.players[0].kept) == (0, ())


@rule("GG-595", "GG-566")
def test_kept_cards_work_under_a_ban_of_tokens() -> None:
    from tests.games.golden_goal.tables import modified

    state = modified(kept(table(event_tokens={0: 1}), 0, "N25"), 0, token_ban=True)
    react = next(choice for choice in GAME.legal(_draws("F03", state), 0) if choice.do is React)
    assert [member.value for member in react.fields["by"].of] == ["N25"]


@rule("GG-639")
def test_reactions_are_collected_privately() -> None:
    state = _scandal()
    one, other = do(state, 1, React("event_token")), do(state, 1, LetHappen())
    for reader in (None, 0, 2):
        assert GAME.look(one, reader) == GAME.look(other, reader)
    assert GAME.look(one, 1).now[-1].own_reaction == "event_token"


@rule("GG-639")
def test_that_somebody_reacted_is_public_and_the_result_does_not_depend_on_the_order() -> None:
    state = _scandal()
    assert GAME.look(do(state, 2, LetHappen()), 0).now[-1].reacted == (2,)
    one = all_do(state, (1, React("event_token")), (2, LetHappen()))
    assert one == all_do(state, (2, LetHappen()), (1, React("event_token")))


@rule("GG-639", "GG-256")
def test_only_those_who_are_hit_and_can_react_are_asked() -> None:
    state = _scandal()
    assert asked(state) == [1, 2]
    assert offered(state, 1) == ["let_happen", "react", "sell_token"]


@rule("GG-633")
def test_a_leavers_reaction_is_the_default() -> None:
    state = gone(_scandal(), 1)
    assert GAME.default(state, 1) == LetHappen()
    assert asked(state) == [1, 2]
