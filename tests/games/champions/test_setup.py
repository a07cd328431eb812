"""Players, boards and cards: CH-101 to CH-109."""

import msgspec
import pytest

from services.champions import content
from services.champions.events import CardsLaid
from services.champions.game import GAME
from services.champions.setup import lay_cards
from services.champions.state import Options
from shared.kernel.dice import Dice
from shared.kernel.match import begin, play_out, random_bot
from tests.games.champions.tables import KEY, hides, opened, talking, voting
from tests.ledger import rule


@rule("CH-101")
def test_three_to_eight_seats() -> None:
    assert list(GAME.seats_allowed(Options())) == [3, 4, 5, 6, 7, 8]


@rule("CH-415")
def test_there_is_no_solo_mode() -> None:
    assert 1 not in GAME.seats_allowed(Options())
    assert 1 not in GAME.seats_allowed(Options(crowd=True))


@rule("CH-102", "CH-301")
def test_each_seat_has_a_board_with_seven_spaces_a_bonus_and_room_for_rounds() -> None:
    board = GAME.look(opened(4), None).seats[3]
    assert (len(board.spaces), board.bonus, board.rounds, board.score) == (7, "open", (), 0)


@rule("CH-103")
def test_the_two_vote_cards_are_told_apart_by_their_symbols() -> None:
    shape = GAME.legal(voting(), 0)[0].fields["symbol"]
    assert [GAME.words["en"].say(member.label) for member in shape.of] == ["Circle: Zeus", "Triangle: Medusa"]


@rule("CH-104")
def test_every_seat_gets_another_sheet() -> None:
    state = opened(8)
    assert sorted(state.sheets) == sorted(sheet.title for sheet in content.sheets("en"))
    assert hides(state, state.sheets[0], None, 1, 7)


@rule("CH-105", "CH-371")
def test_two_rounds_and_no_third() -> None:
    match = play_out(GAME, 3, Options(), KEY, [random_bot] * 3)
    assert {len(board.rounds) for board in match.state.boards} == {2}


@rule("CH-106", "CH-108")
def test_seven_different_cards_and_no_others() -> None:
    state = opened()
    assert len({duel.card for duel in state.duels}) == 7
    assert [duel.stage for duel in GAME.look(state, None).duels] == ["quarter_final"] * 4 + ["semi_final"] * 2 + ["final"]


@rule("CH-107")
def test_a_lot_per_card_says_which_side_is_up() -> None:
    sides = {card.id: {card.a.text: "a", card.b.text: "b"} for card in content.cards("en")}
    laid = [lay_cards("en", Dice(KEY, f"{number}|")) for number in range(40)]
    up = ["".join(sides[duel.card][duel.situation.text] for duel in duels) for duels in laid]
    assert {side for ups in up for side in ups} == {"a", "b"}
    assert len(set(up)) > 20


@rule("CH-109", "CH-411", "PL-390")
def test_reverse_sides_are_not_opened_by_an_end_in_the_first_round() -> None:
    laid = next(event for event in begin(GAME, 3, Options(), Dice(KEY, "setup|"))[1] if isinstance(event, CardsLaid))
    for shown in (laid.seen_by(None), laid.seen_by(0), laid.opened()):
        assert [duel.reverse for duel in shown.duels] == [None] * 7


@rule("CH-107", "PL-391")
def test_cards_are_sorted_before_they_are_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = lay_cards("en", Dice(KEY, "cards|"))
    backwards = content.cards("en")[::-1]
    monkeypatch.setattr(content, "cards", lambda _language: backwards)
    assert lay_cards("en", Dice(KEY, "cards|")) == laid


@rule("CH-109", "CH-411")
def test_no_reader_finds_a_reverse_side() -> None:
    state = talking(3)
    for duel in state.duels:
        assert duel.reverse is not None
        assert hides(state, duel.reverse.text, None, 0, 1, 2)


@rule("CH-109")
def test_the_letter_about_the_cards_leaves_the_reverse_sides_out() -> None:
    from shared.kernel.dice import step_dice
    from shared.kernel.match import begin

    match, events = begin(GAME, 3, Options(), step_dice(KEY, 1))
    letter = msgspec.json.encode([event.seen_by(0) for event in events])
    assert not any(duel.reverse.text.encode() in letter for duel in match.state.duels)


@rule("CH-412")
def test_the_same_dice_lay_the_same_table() -> None:
    assert opened(5) == opened(5)


@rule("CH-413")
def test_situations_come_in_the_language_of_the_table_and_the_same_for_all() -> None:
    state = opened(3, language="en")
    views = [GAME.look(state, reader).duels for reader in (None, 0, 1, 2)]
    assert views.count(views[0]) == 4
    assert content.edition("xx") == "en"
