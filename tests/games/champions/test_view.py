"""What does a reader see, as a page and as text, and what never?"""

import msgspec
import pytest
from msgspec.structs import replace

from services.champions.commands import ChooseChampion, CountVotes, NoteWinner, Vote, WriteName
from services.champions.game import GAME
from services.champions.imagine import imagine
from services.champions.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import AUDIENCE, HOST
from tests.games.champions.tables import (
    NAMES,
    all_do,
    checking,
    clock_out,
    dice,
    do,
    gone,
    missed,
    offered,
    opened,
    predicting,
    talking,
    voting,
    written,
)
from tests.ledger import rule

CIRCLE, TRIANGLE = Vote("circle"), Vote("triangle")
WORDS = GAME.words["en"]


def _clash() -> State:
    state = opened(8)
    for seat, name in enumerate(("Dracula", *NAMES[1:7], "Dracula")):
        state = do(state, seat, WriteName(1, name), *([0] if seat == 7 else []))
    return state


STATES = {
    "names": do(opened(4), 0, WriteName(1, "Xanthippe")),
    "clash": _clash(),
    "check": checking(4),
    "replacement": replace(
        written(4),
        stage="replacement",
        tiles=(replace(written(4).tiles[0], name="", fresh=True, asked=True), *written(4).tiles[1:]),
    ),
    "prediction": do(do(predicting(4), 0, NoteWinner(1, "final")), 1, ChooseChampion(4)),
    "vote": do(replace(voting(4), champions=(0, 1, 2, 3)), 0, CIRCLE),
    "round 2": replace(voting(4), past=written(4).tiles, round=2),
}


@rule("CH-411", "CH-410")
@pytest.mark.parametrize("name", STATES)
def test_what_is_drawn_anew_changes_nothing_that_a_reader_sees(name: str) -> None:
    state = STATES[name]
    for reader in (None, *state.seats()):
        other = imagine(state, reader, dice())
        assert other != state
        assert GAME.look(other, reader) == GAME.look(state, reader)
        chair = HOST if reader is None else reader
        assert GAME.legal(other, chair) == GAME.legal(state, chair)


@rule("CH-164", "CH-411")
def test_imagining_a_clash_changes_who_is_asked() -> None:
    state = STATES["clash"]
    asked = {tuple(t.writer for t in imagine(state, 3, Dice(b"many", f"{number}|")).tiles if t.asked) for number in range(20)}
    assert len(asked) > 2


@rule("CH-201")
def test_the_text_is_enough_to_vote_by() -> None:
    text = GAME.text(GAME.look(voting(), 0), WORDS)
    duel = voting().duels[0]
    assert f"who {duel.situation.text}? Circle: Zeus. Triangle: Medusa. A tie goes to the triangle." in text


@rule("CH-249", "CH-308")
def test_the_text_tells_a_result() -> None:
    text = GAME.text(GAME.look(all_do(voting(), CIRCLE, CIRCLE, TRIANGLE), None), WORDS)
    assert "Zeus won, circle 2, triangle 1. Votes: seat 1 circle, seat 2 circle, seat 3 triangle." in text
    assert "Seat 1 is not ready yet; 3 tiles; points 1; circled: Quarter-final 1" in text


@rule("CH-405")
def test_the_text_tells_what_is_ones_own() -> None:
    state = do(do(predicting(4), 0, NoteWinner(1, "quarter_final")), 0, ChooseChampion(4))
    text = GAME.text(GAME.look(state, 0), WORDS)
    assert "Your note for Quarter-final 1: Zeus." in text
    assert "Your champion: Puck." in text
    assert "Your vote card: circle." in GAME.text(GAME.look(do(voting(), 0, CIRCLE), 0), WORDS)


@rule("CH-407", "CH-406")
def test_the_text_tells_who_is_away() -> None:
    state = missed(missed(gone(voting(4), 0), 1), 2)
    state = replace(state, missed=(0, 2, 0, 0))
    text = GAME.text(GAME.look(state, None), WORDS)
    assert "Seat 1 has left" in text
    assert "Seat 2 is absent" in text


@rule("CH-131", "CH-374")
def test_the_text_of_the_end() -> None:
    state = replace(written(reveal_authors=True), stage="over")
    text = GAME.text(GAME.look(state, None), WORDS)
    assert "Zeus was written by: seat 1 (round 1)." in text
    assert "Seat 1 takes place 1." in text


@rule("CH-131")
def test_only_names_that_everybody_has_seen_have_authors_and_those_from_a_sheet_have_none() -> None:
    over = replace(do(opened(4, reveal_authors=True), 0, WriteName(1, "Xanthippe")), stage="over", unfinished=True)
    assert GAME.look(over, 1).authors == ()
    state = opened(8, reveal_authors=True)
    for seat, name in enumerate(NAMES[:7]):
        state = do(state, seat, WriteName(1, name))
    state = missed(state, 7)
    erased = replace(state.tiles[0], name="Carmen", fresh=True)
    over = replace(state, stage="over", tiles=(erased, *state.tiles[1:]))
    shown = {author.name: author.seat for author in GAME.look(over, None).authors}
    assert shown == {tile.name: tile.writer if tile.name in NAMES else None for tile in state.tiles[1:]}


@rule("CH-515")
def test_the_text_tells_the_totals_of_the_audience() -> None:
    state = clock_out(all_do(voting(audience="bloc"), CIRCLE, CIRCLE, TRIANGLE))
    state = do(state, AUDIENCE, CountVotes(23, 18))
    assert "The audience: circle 23, triangle 18." in GAME.text(GAME.look(state, None), WORDS)


@rule("CH-308")
def test_a_view_survives_as_json() -> None:
    for state in STATES.values():
        view = GAME.look(state, 0)
        assert msgspec.json.decode(msgspec.json.encode(view), type=GAME.view) == view


@rule("CH-103", "CH-451")
def test_labels_are_words_and_differ() -> None:
    for state in (*STATES.values(), talking()):
        for seat in state.seats():
            for choice in GAME.legal(state, seat):
                for shape in choice.fields.values():
                    labels = [WORDS.say(member.label) for member in getattr(shape, "of", ())]
                    assert len(labels) == len(set(labels))
    assert offered(talking(), 0) == ["be_ready"]
