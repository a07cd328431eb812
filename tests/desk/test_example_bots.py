"""Do the example bots of the games play sensibly, and can they be read at one sitting (PL-529)?"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from shared.desk.bot.client import Decide, anything, decide_of
from shared.desk.bot.table import Course, Table
from shared.desk.workshop.shape import ROOT, tree
from shared.kernel.game import Game
from shared.kernel.match import placings
from shared.runtime.registry import load, registered
from tests.ledger import rule

GAMES = pytest.mark.parametrize("name", sorted(registered()))
NUMBERS = (5, 6)


def place_of(name: str) -> Path:
    return ROOT / "services" / name / "example" / "bot.py"


def seats_of(game: Game) -> int:
    return max(2, min(game.seats_allowed(game.read_options({}))))


def placed(game: Game, decide: Decide, number: int) -> int:
    """The place of the example bot among random players."""
    seats = seats_of(game)
    table = Table(game, seats, number % seats, 5, Course(hashlib.sha256(b"%d" % number).digest()))
    chance = random.Random(number)
    table.give("start")
    table.go_on()
    while not table.ended:
        ask = table.ask_told()
        assert ask is not None
        command = decide(ask, table.view()["view"]) or anything(ask["choices"], chance)
        verdict = table.command(ask["ask"], command)
        assert verdict.outcome == "carried_out", f"{game.name}: {command} at {ask['question']} is refused as {verdict.code}"
        table.go_on()
    lines = placings(game, table.match)
    assert lines is not None
    return lines[table.seat].place


@rule("PL-529")
@GAMES
def test_every_game_has_an_example_of_less_than_a_hundred_lines_that_needs_nothing_of_ours(name: str) -> None:
    place = place_of(name)
    assert len(place.read_text("utf-8").splitlines()) < 100
    modules = {node.module for node in tree(place).body if hasattr(node, "module")}
    assert modules <= {"__future__", "typing"}


@rule("PL-529")
@GAMES
def test_the_example_takes_what_is_on_offer_and_beats_chance(name: str) -> None:
    game, decide = load(registered()[name]), decide_of(str(place_of(name)))
    places = [placed(game, decide, number) for number in NUMBERS]
    assert sum(places) / len(places) < (1 + seats_of(game)) / 2, places
