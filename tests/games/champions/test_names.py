"""Writing the names and placing the contestants: CH-121 to CH-143, CH-411, CH-416."""

from collections import Counter

import pytest
from msgspec.structs import replace

from services.champions import content
from services.champions.commands import WipeName, WriteName
from services.champions.content.naming import plain
from services.champions.game import GAME
from services.champions.name_events import Placed, Wrote
from services.champions.rules.names import draw_losers, place_tiles, share_tiles
from services.champions.state import TILES, State, Tile
from shared.kernel.dice import Dice
from shared.kernel.game import Table
from tests.games.champions.tables import KEY, NAMES, asked, dice, do, hides, missed, offered, opened, refusal, told, written
from tests.ledger import rule


def _writing(*names: str, seats: int = 8, **options: object) -> State:
    """Eight seats with a tile each; the first ones have written."""
    state = opened(seats, **options)
    for seat, name in enumerate(names):
        state = do(state, seat, WriteName(1, name))
    return state


@rule("CH-121")
@pytest.mark.parametrize(
    ("seats", "shares"),
    [
        (3, [3, 3, 2]),
        (4, [2, 2, 2, 2]),
        (5, [2, 2, 2, 1, 1]),
        (6, [2, 2, 1, 1, 1, 1]),
        (7, [2, 1, 1, 1, 1, 1, 1]),
        (8, [1, 1, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_tiles_are_shared_out_as_equally_as_possible(seats: int, shares: list[int]) -> None:
    assert sorted(opened(seats).shares, reverse=True) == shares


@rule("CH-122")
def test_lots_decide_who_writes_more() -> None:
    with_two = set()
    for number in range(30):
        table = Table(opened(7))
        share_tiles(table, 1, Dice(KEY, f"{number}|"))
        with_two.add(table.state.shares.index(max(table.state.shares)))
    assert len(with_two) > 3


@rule("CH-123")
def test_a_name_is_written_on_an_own_tile() -> None:
    assert do(opened(8), 2, WriteName(1, "Zeus")).tiles[2].name == "Zeus"


@rule("CH-123")
def test_a_seat_has_no_more_tiles_than_it_got() -> None:
    assert refusal(opened(8), 2, WriteName(2, "Zeus")) == "not_a_choice"


@rule("CH-124")
@pytest.mark.parametrize("name", ["Cleopatra", "Aunt Emma next door", "Жар-птица", "孫悟空", "R2"])
def test_any_kind_of_name_will_do(name: str) -> None:
    assert refusal(opened(8, policy="open"), 0, WriteName(1, name)) == ""


@rule("CH-125")
def test_the_prompt_says_that_everybody_should_know_the_name() -> None:
    assert "everybody at the table knows" in GAME.words["en"].sections["prompts"]["name"]


@rule("CH-126")
def test_the_sheet_suggests_and_does_not_bind() -> None:
    state = opened(8)
    text = GAME.legal(state, 0)[0].fields["name"]
    assert text.suggestions == tuple(content.sheet("en", state.sheets[0]).values())
    assert refusal(state, 0, WriteName(1, text.suggestions[5])) == ""
    assert refusal(state, 0, WriteName(1, "the baker round the corner")) == ""


@rule("CH-127", "CH-411")
def test_what_is_written_is_hidden_from_all_others() -> None:
    state = _writing("Xanthippe")
    assert not hides(state, "Xanthippe", 0)
    assert hides(state, "Xanthippe", None, 1, 7)


@rule("CH-127")
def test_others_learn_only_that_a_seat_is_ready() -> None:
    event = told(opened(8), 0, WriteName(1, "Zeus"))["wrote"]
    assert event.seen_by(1) == Wrote(0, None, None, news=True)
    assert event.seen_by(0) == event
    first_of_two = told(opened(4), 0, WriteName(1, "Zeus"))["wrote"]
    assert first_of_two.seen_by(1) is None


@rule("CH-128", "CH-416")
def test_a_name_can_be_changed_until_all_are_ready() -> None:
    state = do(_writing("Zeus"), 0, WriteName(1, "Thor"))
    assert state.tiles[0].name == "Thor"
    assert state.ready[0]


@rule("CH-416")
def test_writing_the_same_name_again_changes_nothing() -> None:
    state = _writing("Zeus")
    again = do(state, 0, WriteName(1, "Zeus"))
    assert (again.tiles, again.ready) == (state.tiles, state.ready)


@rule("CH-128", "CH-416")
def test_a_name_may_be_spelled_anew_on_its_own_tile() -> None:
    assert do(_writing("the zeus"), 0, WriteName(1, "Zeus")).tiles[0].name == "Zeus"
    two = do(do(opened(4), 0, WriteName(1, "Zeus")), 0, WriteName(2, "Thor"))
    assert refusal(two, 0, WriteName(2, "zeus")) == "text_refused"
    assert do(two, 0, WriteName(2, "THOR")).tiles[two.own_tiles(0)[1]].name == "THOR"


@rule("CH-128")
def test_a_written_tile_can_be_wiped_and_is_asked_for_again() -> None:
    state = _writing("Zeus")
    assert 0 not in asked(state)
    assert 0 in asked(do(state, 0, WipeName(1)))


@rule("CH-128")
def test_with_the_last_name_writing_ends() -> None:
    state = _writing(*NAMES)
    assert state.stage == "check"
    assert sorted(tile.name for tile in state.tiles) == sorted(NAMES)


@rule("CH-129")
def test_an_own_double_is_refused_at_once() -> None:
    state = do(opened(4), 0, WriteName(1, "Zeus"))
    assert refusal(state, 0, WriteName(2, " zeus ")) == "text_refused"
    assert refusal(state, 0, WriteName(2, "The Zeus")) == "text_refused"


@rule("CH-129", "CH-411")
def test_the_name_of_another_is_not_refused_while_names_are_written() -> None:
    assert refusal(_writing("Zeus"), 1, WriteName(1, "Zeus")) == refusal(_writing("Thor"), 1, WriteName(1, "Zeus")) == ""


def _clash(lot: int) -> State:
    """Seats 0 and 1 have written the same name; the lot says whose tile keeps it."""
    state = _writing("Dracula", *NAMES[1:7])
    return do(state, 7, WriteName(1, "dracula "), lot)


@rule("CH-129")
@pytest.mark.parametrize(("lot", "loser"), [(0, 7), (1, 0)])
def test_of_two_equal_tiles_one_by_lot_keeps_the_name(lot: int, loser: int) -> None:
    state = _clash(lot)
    assert state.stage == "clash"
    assert asked(state) == [loser]
    assert state.tiles[loser].former.casefold() == "dracula"


@rule("CH-129", "CH-411")
def test_who_is_asked_after_a_clash_is_a_secret() -> None:
    question = GAME.question(_clash(0), 7)
    assert question is not None
    assert (question.name, question.secret, question.patient) == ("rename", True, True)
    assert GAME.look(_clash(0), 3) == replace(GAME.look(_clash(1), 3))


@rule("CH-129")
def test_the_name_lost_in_a_clash_is_refused_at_once() -> None:
    assert refusal(_clash(0), 7, WriteName(1, "Dracula")) == "text_refused"


@rule("CH-130", "CH-141")
def test_the_last_name_after_a_clash_lets_the_tiles_be_placed() -> None:
    state = do(_clash(0), 7, WriteName(1, "Figaro"))
    assert state.stage == "check"
    assert "Figaro" in [tile.name for tile in state.tiles]


@rule("CH-130")
def test_the_letter_about_the_places_tells_no_order_of_tiles() -> None:
    state = _writing(*NAMES[:7])
    event = told(state, 7, WriteName(1, "Ratty"))["placed"]
    assert isinstance(event, Placed)
    assert event.seen_by(0).order is None


@rule("CH-130", "PL-391")
def test_tiles_are_sorted_by_name_before_the_shuffle() -> None:
    """The same dice place the same names in the same way, whoever wrote them."""
    placed = []
    for names in (NAMES, NAMES[::-1]):
        table = Table(replace(opened(8), tiles=tuple(Tile(seat, name) for seat, name in enumerate(names))))
        place_tiles(table, Dice(KEY, "place|"))
        placed.append([tile.name for tile in table.state.tiles])
    assert placed[0] == placed[1]


@rule("CH-131")
def test_authors_stay_hidden_after_the_end() -> None:
    assert GAME.look(replace(written(), stage="over"), 1).authors == ()


@rule("CH-131")
def test_a_table_may_agree_to_show_the_authors_at_the_end() -> None:
    state = written(reveal_authors=True)
    assert GAME.look(state, 1).authors == ()
    shown = {author.name: author.seat for author in GAME.look(replace(state, stage="over"), 1).authors}
    assert shown == {name: number % 3 for number, name in enumerate(NAMES)}


@rule("CH-131")
def test_commands_with_names_are_lasting_secrets() -> None:
    assert WriteName.secret
    assert WipeName.secret


@rule("CH-132")
def test_a_blank_tile_gets_an_unused_name_of_its_writers_sheet() -> None:
    state = missed(_writing(*NAMES[:7]), 7)
    own = set(content.sheet("en", state.sheets[7]).values())
    filled = {tile.name for tile in state.tiles} - set(NAMES[:7])
    assert len(filled) == 1
    assert filled < own


@rule("CH-132")
def test_another_sheet_serves_if_ones_own_has_nothing_left() -> None:
    state = _writing(*NAMES[:7])
    own = tuple(content.sheet("en", state.sheets[7]).values())
    filled = {tile.name for tile in missed(replace(state, barred=own), 7).tiles} - set(NAMES[:7])
    assert not filled & set(own)
    assert len(filled) == 1


@rule("CH-132", "CH-447")
def test_no_substitute_bears_the_name_of_a_player() -> None:
    """Unless the policy is open, under which such a name may be written as well."""
    own = list(content.sheet("en", opened(8).sheets[7]).values())
    for policy, allowed in (("known", False), ("open", True)):
        state = replace(_writing(*NAMES[:7], policy=policy, players=own[1:]), barred=(own[0],))
        name = ({tile.name for tile in missed(state, 7).tiles} - set(NAMES[:7])).pop()
        assert (name in own) is allowed


@rule("CH-133")
def test_names_after_a_clash_are_written_in_secret_on_the_replacement_clock() -> None:
    question = GAME.question(_clash(0), 7)
    assert question is not None
    assert question.limit_name == "replacement"
    assert hides(_clash(0), "Dracula", 0) is False
    assert hides(_clash(0), "dracula", 1, 2, None)


@rule("CH-133")
def test_a_tile_that_clashes_again_gets_a_sheet_name() -> None:
    state = do(_clash(0), 7, WriteName(1, "Medusa"))
    assert state.stage == "check"
    assert [tile.name for tile in state.tiles].count("Medusa") == 1
    assert next(tile for tile in state.tiles if tile.writer == 7).name in content.sheet("en", state.sheets[7]).values()


@rule("CH-133")
def test_a_writer_who_lets_the_clock_run_out_gets_a_sheet_name() -> None:
    state = missed(_clash(0), 7)
    assert state.stage == "check"
    assert next(tile for tile in state.tiles if tile.writer == 7).name in content.sheet("en", state.sheets[7]).values()


@rule("CH-129")
def test_of_three_equal_tiles_two_lose() -> None:
    tiles = tuple(Tile(seat, name) for seat, name in enumerate(("Puck", "puck", "PUCK", *NAMES[4:], "Thor")))
    assert draw_losers(replace(opened(8), tiles=tiles), dice(1)) == [0, 2]


@rule("CH-141")
def test_two_contestants_stand_at_every_quarter_final() -> None:
    state = _writing(*NAMES)
    assert [duel.contestants for duel in state.duels[:4]] == [(0, 1), (2, 3), (4, 5), (6, 7)]


@rule("CH-141")
def test_every_arrangement_can_occur() -> None:
    first = Counter()
    for number in range(400):
        table = Table(replace(opened(8), tiles=tuple(Tile(seat, name) for seat, name in enumerate(NAMES))))
        place_tiles(table, Dice(KEY, f"{number}|"))
        first[table.state.tiles[0].name] += 1
    assert set(first) == set(NAMES)
    assert all(25 <= count <= 80 for count in first.values())


@rule("CH-142")
def test_the_upper_place_is_the_circle() -> None:
    symbols = [contestant.symbol for contestant in GAME.look(written(), None).contestants]
    assert symbols == ["circle", "triangle"] * 4


@rule("CH-143", "CH-410")
def test_names_and_places_are_public_once_placed() -> None:
    shown = GAME.look(written(), None).contestants
    assert [contestant.name for contestant in shown] == list(NAMES)
    assert [contestant.duel for contestant in shown[:4]] == ["qf1", "qf1", "qf2", "qf2"]


@rule("CH-441", "CH-123")
def test_names_are_stored_as_they_are_cleaned() -> None:
    assert do(opened(8), 0, WriteName(1, "  \u202eMr\u200b   Toad\t")).tiles[0].name == "Mr Toad"


@rule("CH-142")
def test_there_are_eight_tiles() -> None:
    assert len(opened(5).tiles) == TILES
    assert offered(opened(5), 0) == ["write_name"]
    assert plain("The Sphinx") == plain("sphinx")
