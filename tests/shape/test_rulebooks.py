"""Is every rulebook numbered, carried out and proved?"""

import re
from pathlib import Path

import pytest

from shared.desk.workshop.rulebook import book_of, clauses_in, untested
from tests.shape.house import SAMPLE, dotted, games

GAMES = pytest.mark.parametrize("game", games(), ids=lambda path: path.name)
SECTIONS = {"clauses", "events", "commands", "content", "told"}


def _name(game: Path) -> str:
    return f"{dotted(game)}.game:GAME" if game == SAMPLE else game.name


@GAMES
def test_clauses_are_numbered_once_and_in_order(game: Path) -> None:
    text = (game / "RULES.md").read_text("utf-8")
    written = re.findall(r"^- \*\*([A-Z]{2}-\d+)\*\*", text, re.MULTILINE)
    assert written, "no clauses: a line `- **XX-101** What is so.` each"
    assert list(clauses_in(game / "RULES.md")) == written, "a number is there twice, or a clause has no text"
    assert written == sorted(written, key=lambda number: int(number[3:])), "clauses stand in the order of their numbers"
    assert len({number[:2] for number in written}) == 1, "one book, one prefix"


@GAMES
def test_every_clause_has_a_test_or_a_reason(game: Path) -> None:
    book = book_of(_name(game))
    assert not book.unknown, f"named in code, tests or untested.toml, but no clause: {book.unknown}"
    missing = [clause.number for clause in book.clauses if clause.missing]
    assert not missing, f"neither a test nor an entry in tests/games/{game.name}/untested.toml: {missing}"


@GAMES
def test_a_clause_is_not_both_tested_and_untested(game: Path) -> None:
    both = [clause.number for clause in book_of(_name(game)).clauses if clause.tests and clause.reason]
    assert not both, f"take these out of untested.toml: {both}"


@GAMES
def test_every_reason_is_a_sentence(game: Path) -> None:
    for key, reason in untested(game.name).items():
        assert len(reason.split()) > 2, f"{key}: say why, not {reason!r}"


def test_no_worked_example_of_the_league_is_left_out() -> None:
    folder = Path(__file__).parents[1] / "league"
    named = {int(number) for path in folder.rglob("test_*.py") for number in re.findall(r'"E-(\d\d)"', path.read_text("utf-8"))}
    assert named == set(range(1, 71))
