"""Phase 1, prediction: CH-201 to CH-210."""

import pytest
from msgspec.structs import replace

from services.champions.commands import ChooseChampion, ConfirmPrediction, NoteWinner, WithdrawConfirmation
from services.champions.game import GAME
from services.champions.rules.prediction import path_of
from services.champions.state import State
from tests.games.champions.tables import asked, do, hides, missed, offered, predicting, refusal, told, voting
from tests.ledger import rule

NONE = (-1,) * 7


def _confirmed(*champions: int) -> State:
    """Seats 0, 1, 2 … have chosen and confirmed."""
    state = predicting(3)
    for seat, champion in enumerate(champions):
        state = do(do(state, seat, ChooseChampion(champion)), seat, ConfirmPrediction())
    return state


@rule("CH-201")
def test_all_see_both_contestants_and_all_situations_before_predicting() -> None:
    view = GAME.look(predicting(), 1)
    assert all(duel.situation and duel.tie for duel in view.duels)
    assert all(duel.circle and duel.triangle for duel in view.duels[:4])
    text = GAME.text(view, GAME.words["en"])
    assert all(duel.situation in text for duel in view.duels)


@rule("CH-202", "CH-206")
@pytest.mark.parametrize("contestant", range(1, 9))
def test_any_of_the_eight_may_be_chosen_whoever_wrote_it(contestant: int) -> None:
    assert do(predicting(), 0, ChooseChampion(contestant)).champions[0] == contestant - 1


@rule("CH-202")
def test_there_is_no_ninth_contestant() -> None:
    assert refusal(predicting(), 0, ChooseChampion(9)) == "not_a_choice"


@rule("CH-203")
def test_a_note_goes_along_the_whole_path() -> None:
    notes = do(predicting(), 0, NoteWinner(3, "semi_final")).notes[0]
    assert notes == (-1, 2, -1, -1, 2, -1, -1)
    assert path_of(2) == (1, 4, 6)


@rule("CH-203")
def test_a_new_note_takes_away_what_it_makes_impossible() -> None:
    state = do(do(predicting(), 0, NoteWinner(1, "final")), 0, NoteWinner(2, "quarter_final"))
    assert state.notes[0] == (1, -1, -1, -1, -1, -1, -1)


@rule("CH-203", "CH-411")
def test_notes_are_for_ones_own_eyes() -> None:
    event = told(predicting(), 0, NoteWinner(1, "final"))["noted"]
    assert [event.seen_by(reader) for reader in (None, 1)] == [None, None]
    state = do(predicting(), 0, NoteWinner(1, "final"))
    assert GAME.look(state, 1) == GAME.look(predicting(), 1)
    assert GAME.look(state, 0).own.notes[0] == 1


@rule("CH-204")
def test_confirming_deletes_the_notes_for_good() -> None:
    state = do(do(predicting(), 0, NoteWinner(1, "final")), 0, ChooseChampion(1))
    state = do(state, 0, ConfirmPrediction())
    assert state.notes[0] == NONE
    assert do(state, 0, WithdrawConfirmation()).notes[0] == NONE
    assert NoteWinner.secret


@rule("CH-205")
def test_the_champion_need_not_match_the_notes() -> None:
    state = do(do(predicting(), 0, NoteWinner(1, "final")), 0, ChooseChampion(8))
    assert refusal(state, 0, ConfirmPrediction()) == ""


@rule("CH-207")
def test_nothing_is_confirmed_without_a_choice() -> None:
    assert "confirm_prediction" not in offered(predicting(), 0)


@rule("CH-207")
def test_a_prediction_can_be_changed_until_it_is_confirmed() -> None:
    state = do(do(predicting(), 0, ChooseChampion(1)), 0, ChooseChampion(2))
    assert state.champions[0] == 1
    assert refusal(_confirmed(1), 0, ChooseChampion(2)) == "not_a_choice"


@rule("CH-207")
def test_a_confirmation_can_be_withdrawn_until_all_have_confirmed() -> None:
    state = _confirmed(1)
    assert asked(state) == [1, 2]
    assert asked(do(state, 0, WithdrawConfirmation())) == [0, 1, 2]
    assert refusal(_confirmed(1, 2, 3), 0, WithdrawConfirmation()) == "not_a_choice"


@rule("CH-416")
def test_choosing_the_same_again_changes_nothing() -> None:
    state = do(predicting(), 0, ChooseChampion(4))
    assert do(state, 0, ChooseChampion(4)) == state


@rule("CH-208", "CH-411")
def test_a_prediction_is_visible_to_its_owner_only() -> None:
    state = _confirmed(1, 2, 3)
    assert [GAME.look(state, reader).own.champion for reader in (0, 1, 2)] == [1, 2, 3]
    other = replace(state, champions=(5, 1, 6))
    assert GAME.look(other, 1) == GAME.look(state, 1)
    assert GAME.look(other, None) == GAME.look(state, None)
    event = told(predicting(), 0, ChooseChampion(1))["chose"]
    assert event.seen_by(1) is None


@rule("CH-209")
def test_when_all_are_locked_the_tournament_begins() -> None:
    state = _confirmed(1, 2, 3)
    assert (state.stage, state.duel) == ("discussion", 0)


@rule("CH-210")
def test_no_choice_is_no_prediction() -> None:
    state = missed(_confirmed(1, 2), 2)
    assert state.stage == "discussion"
    assert state.champions == (0, 1, -1)


@rule("CH-210", "CH-207")
def test_a_choice_that_was_not_confirmed_counts_when_the_clock_ends() -> None:
    state = missed(do(_confirmed(1, 2), 2, ChooseChampion(5)), 2)
    assert state.champions == (0, 1, 4)


@rule("CH-208")
def test_nothing_of_a_prediction_is_in_the_table_of_a_vote() -> None:
    state = replace(voting(), champions=(3, 3, 3))
    assert hides(state, '"prediction":4', None, 0, 1, 2)
