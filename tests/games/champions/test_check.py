"""Do we all know them? CH-161 to CH-170, CH-447 to CH-449."""

from msgspec.structs import replace

from services.champions import content
from services.champions.commands import CheckNames, WriteName
from services.champions.game import GAME
from services.champions.state import PASSED, State
from tests.games.champions.tables import (
    NAMES,
    all_do,
    asked,
    checking,
    do,
    gone,
    hides,
    missed,
    offered,
    opened,
    predicting,
    refusal,
    told,
    written,
)
from tests.ledger import rule

KNOWN = CheckNames((), ())


def _marked(*unknown: int, seats: int = 3, report: tuple[int, ...] = (), **options: object) -> State:
    """Seat 0 marks, all others know everybody."""
    return all_do(checking(seats, **options), CheckNames(unknown, report), *[KNOWN] * (seats - 1))


@rule("CH-161")
def test_a_name_that_one_does_not_know_is_erased() -> None:
    state = _marked(2)
    assert state.stage == "replacement"
    assert state.tiles[1].name == ""
    assert GAME.look(state, None).contestants[1].replacing


@rule("CH-162")
def test_all_mark_privately_and_confirm_before_predictions_open() -> None:
    state = do(checking(), 1, KNOWN)
    assert asked(state) == [0, 2]
    assert all_do(checking(), KNOWN, KNOWN, KNOWN).stage == "prediction"


@rule("CH-162")
def test_the_last_marks_before_the_end_count() -> None:
    state = do(checking(), 0, CheckNames((1, 2), ()))
    assert "check_names" in offered(state, 0)
    state = all_do(do(state, 0, KNOWN), KNOWN, KNOWN, KNOWN)
    assert state.stage == "prediction"


@rule("CH-163", "CH-411")
def test_neither_number_nor_authors_of_marks_are_told() -> None:
    one = all_do(checking(), CheckNames((2,), ()), KNOWN, KNOWN)
    all_three = all_do(checking(), *[CheckNames((2,), ())] * 3)
    assert [GAME.look(one, reader) for reader in (None, 0, 1)] == [GAME.look(all_three, reader) for reader in (None, 0, 1)]
    event = told(checking(), 0, CheckNames((2,), ()))["checked"]
    assert [event.seen_by(reader).marks for reader in (None, 1, 2)] == [None, None, None]
    assert CheckNames.secret


@rule("CH-164")
def test_the_writer_alone_is_asked_and_nobody_learns_who_it_is() -> None:
    state = _marked(2)
    assert asked(state) == [1]
    question = GAME.question(state, 1)
    assert question is not None
    assert question.secret
    assert question.facts == {"former": "Medusa"}
    other = replace(state, tiles=tuple(replace(tile, writer=(tile.writer + 1) % 3) for tile in state.tiles))
    assert GAME.look(other, None) == GAME.look(state, None)


@rule("CH-164", "CH-402")
def test_the_clock_of_a_writer_who_is_away_runs_to_its_end() -> None:
    state = gone(_marked(2, seats=4), 1)
    question = GAME.question(state, 1)
    assert question is not None
    assert question.patient
    assert state.stage == "replacement"
    assert missed(state, 1).tiles[1].name


@rule("CH-164", "CH-406")
def test_a_missed_replacement_does_not_show_as_absence() -> None:
    state = missed(_marked(2), 1)
    assert state.missed == (0, 0, 0)


@rule("CH-165")
def test_the_new_name_takes_the_same_place_and_the_others_stay() -> None:
    state = do(_marked(2), 1, WriteName(1, "Figaro"))
    assert [tile.name for tile in state.tiles] == ["Zeus", "Figaro", *NAMES[2:]]


@rule("CH-165")
def test_a_name_on_another_tile_is_refused_at_once() -> None:
    assert refusal(_marked(2), 1, WriteName(1, "hamlet")) == "text_refused"


@rule("CH-165")
def test_names_replaced_at_the_same_time_are_shown_together() -> None:
    state = do(_marked(2, 3), 1, WriteName(1, "Figaro"))
    assert state.stage == "replacement"
    assert hides(state, "Figaro", None, 0, 2)
    state = do(state, 2, WriteName(1, "Carmen"))
    assert [contestant.name for contestant in GAME.look(state, None).contestants[1:3]] == ["Figaro", "Carmen"]


@rule("CH-165", "CH-129", "CH-133")
def test_equal_names_among_the_replaced_ones_are_settled_by_lot_in_secret() -> None:
    state = do(do(_marked(2, 3), 1, WriteName(1, "Figaro")), 2, WriteName(1, "figaro"), 1)
    assert state.stage == "replacement"
    assert asked(state) == [1]
    assert hides(state, "figaro", None, 0)
    assert do(state, 1, WriteName(1, "Carmen")).stage == "check"


@rule("CH-166")
def test_only_the_replaced_tiles_are_checked_again() -> None:
    state = do(_marked(2), 1, WriteName(1, "Figaro"))
    assert state.stage == "check"
    assert state.checking == (1,)
    assert [member.value for member in GAME.legal(state, 0)[0].fields["unknown"].of] == [2]


def _replaced(times: int) -> State:
    state = checking()
    for name in ("Figaro", "Carmen")[:times]:
        state = do(all_do(state, CheckNames((2,), ()), KNOWN, KNOWN), 1, WriteName(1, name))
    return state


@rule("CH-167")
def test_after_two_replacements_a_sheet_name_ends_the_check() -> None:
    state = _replaced(2)
    assert state.stage == "check"
    state = all_do(state, CheckNames((2,), ()), KNOWN, KNOWN)
    assert state.stage == "prediction"
    assert state.tiles[1].name in content.sheet("en", state.sheets[1]).values()


@rule("CH-167")
def test_a_writer_who_lets_the_clock_run_out_ends_the_check_of_the_tile() -> None:
    state = missed(_marked(2), 1)
    assert state.stage == "prediction"
    assert state.tiles[1].name in content.sheet("en", state.sheets[1]).values()


@rule("CH-168")
def test_an_erased_name_does_not_come_back() -> None:
    assert refusal(_marked(2), 1, WriteName(1, "the medusa")) == "text_refused"
    assert refusal(_replaced(1), 1, WriteName(1, "Medusa")) == "not_a_choice"
    again = all_do(_replaced(1), CheckNames((2,), ()), KNOWN, KNOWN)
    assert refusal(again, 1, WriteName(1, "Medusa")) == "text_refused"


@rule("CH-169")
def test_who_lets_the_clock_run_out_knows_everybody() -> None:
    state = missed(missed(do(checking(), 0, KNOWN), 1), 2)
    assert state.stage == "prediction"


@rule("CH-170")
def test_nobody_can_mark_once_predictions_are_open() -> None:
    assert refusal(predicting(), 0, CheckNames((1,), ())) == "not_a_choice"


@rule("CH-447")
def test_the_name_of_a_player_needs_an_open_table() -> None:
    players = ["Ann", "Bo", "Cy"]
    assert refusal(opened(8, players=players), 0, WriteName(1, "ann")) == "text_refused"
    assert refusal(opened(8, players=players, policy="open"), 0, WriteName(1, "Ann")) == ""


@rule("CH-447")
def test_the_named_player_may_veto_it_like_anybody_who_does_not_know() -> None:
    state = _marked(1, policy="open", players=["Zeus"])
    assert state.stage == "replacement"


@rule("CH-448")
def test_a_report_replaces_the_name_and_is_kept_for_the_operator() -> None:
    state = all_do(checking(), KNOWN, KNOWN)
    events = told(state, 2, CheckNames((), (2,)))
    assert events["erased"].names == ("Medusa",)
    assert events["reported"].name == "Medusa"
    assert [events["reported"].seen_by(reader) for reader in (None, 0, 2)] == [None, None, None]


@rule("CH-449")
def test_after_two_reports_only_sheet_names_are_left() -> None:
    state = _marked(report=(2, 5))
    assert GAME.look(state, 1).own.sheets_only
    assert refusal(state, 1, WriteName(1, "my neighbour")) == "text_refused"
    assert refusal(state, 1, WriteName(1, "Carmen")) == ""
    suggested = GAME.legal(state, 1)[0].fields["name"].suggestions
    assert set(suggested) == set(content.all_names("en").values()) - set(NAMES)
    assert refusal(_marked(report=(2,)), 1, WriteName(1, "my neighbour")) == ""


@rule("CH-163")
def test_ready_is_all_that_is_shown_of_a_check() -> None:
    state = do(checking(), 0, CheckNames((3,), (4,)))
    assert [seat.ready for seat in GAME.look(state, 2).seats] == [True, False, False]
    assert PASSED not in state.ready
    assert written().stage == "names"
