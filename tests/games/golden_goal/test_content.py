"""The pack and its checks, and what the bots can do."""

import shutil
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from services.golden_goal import content
from services.golden_goal.bots import BOTS
from services.golden_goal.content.effects import branches
from services.golden_goal.game import GAME
from shared.desk.workshop.games import key_of
from shared.desk.workshop.pack import check
from shared.kernel.content import PackError
from shared.kernel.match import play_out
from tests.ledger import rule

SPOILT = [
    ("board.toml", 'corner = "match_takings"', 'corner = "capital_increase"', "four corners"),
    ("board.toml", 'tile = "spain_defence"', 'tile = "italy_defence"', "italy_defence has two squares"),
    ("board.toml", "index = 5\n", "index = 6\n", "square 6 stands where 5 should"),
    ("board.toml", 'deck = "football"', 'deck = "handball"', "deck"),
    ("tiles.toml", 'nation = "spain"', 'nation = "italy"', "must be called"),
    ("tiles.toml", "price = 1_000_000", "price = 1_100_000", "price"),
    ("tiles.toml", "goal_actions = 3", "goal_actions = 9", "goal_actions"),
    ("results.toml", 'number = 9, green = "win"', 'number = 9, green = "draw"', "worse"),
    ("presets.toml", "cups = [2, 4, 6, 8]", "cups = [2, 4, 4, 8]", "thresholds"),
    ("presets.toml", "target = 10", "target = 8", "thresholds"),
    ("economy.toml", "2 = 18_000_000", "2 = 18_050_000", "capital"),
    ("economy.toml", '6 = ["attack"]', '6 = ["attack", "attack"]', "more than the 8 tiles"),
    ("economy.toml", "raise_by = 100_000", "raise_by = 0", "raise_by"),
    ("events_football.toml", 'op = "goal", who = "drawer", n = 3', 'op = "goal", who = "drawer", n = 9', "n"),
    ("events_football.toml", 'op = "goal", who = "drawer", n = 3', 'op = "own_goal", who = "drawer", n = 3', "own_goal"),
    ("events_football.toml", 'id = "F02"', 'id = "F01"', "F01 is there twice"),
    (
        "events_football.toml",
        '[{ op = "move", n = 3 }]',
        '[{ op = "move", n = 3 }, { op = "goal", who = "drawer", n = 1 }]',
        "last effect",
    ),
    ("events_football.toml", 'who = "chosen", pick = "drawer"', 'who = "all", pick = "drawer"', "one chosen opponent"),
    ("events_non_football.toml", "tone", "colour", "colour"),
    ("economy.toml", "goal_action = 1_000_000", "goal_action = 0", "goal_action"),
    ("economy.toml", "token = 1_000_000", "token = 0", "token"),
    (
        "events_football.toml",
        '[{ op = "keep", use = "green_die" }]',
        '[{ op = "keep", use = "green_die" }, { op = "goal", who = "drawer", n = 1 }]',
        "F30: a kept card does nothing else",
    ),
    ("events_non_football.toml", "half = true", "half = true, add = 5", "N21: an income is either"),
    (
        "events_non_football.toml",
        "b = [] }]\n\n[[cards]]  # Stadium",
        'b = [{ op = "cash", who = "drawer", n = -1 }] }]\n\n[[cards]]  # Stadium',
        "N19: one branch",
    ),
]


@pytest.fixture
def folder(tmp_path):
    return Path(shutil.copytree(content.FOLDER / "base", tmp_path / "own"))


def test_a_copy_of_the_pack_is_a_pack(folder) -> None:
    assert check(GAME, folder).hash == content.PACK.hash


@pytest.mark.parametrize(("file", "old", "new", "fault"), SPOILT)
def test_a_slip_is_refused_with_its_fault(folder, file, old, new, fault) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(PackError, match=fault):
        check(GAME, folder)


def test_all_faults_are_listed_at_once(folder) -> None:
    for file, old, new in (("presets.toml", "target = 10", "target = 8"), ("tiles.toml", 'nation = "spain"', 'nation = "italy"')):
        path = folder / file
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(PackError) as refused:
        check(GAME, folder)
    assert {line.split(":")[0] for line in str(refused.value).splitlines()} >= {"presets.toml", "tiles.toml"}


@rule("GG-151", "GG-171")
def test_the_base_pack_has_24_tiles_of_eight_nations_for_47_600_000() -> None:
    tiles = content.TILES.values()
    assert (len(tiles), len({tile.nation for tile in tiles}), sum(tile.price for tile in tiles)) == (24, 8, 47_600_000)
    assert all(tile.price % 200_000 == 0 and 1 <= tile.goal_actions <= 3 for tile in tiles)


@rule("GG-114")
def test_55_cards_use_every_effect_there_is() -> None:
    lines = [line.effect for lines in content.LINES.values() for line in lines]
    used = {str(effect.__struct_config__.tag) for effect in lines}
    assert len(content.LINES) == 55
    assert used == {
        "goal",
        "steal",
        "settle",
        "cash",
        "cash_per",
        "cash_pct",
        "collect",
        "pay_each",
        "points",
        "move",
        "move_to",
        "suspend",
        "role_mod",
        "visit_mod",
        "result_mod",
        "takings_mod",
        "block",
        "miss_turn",
        "token",
        "roll",
        "choose",
        "if",
        "auction",
        "offer",
        "keep",
    }
    assert sum(bool(branches(effect)) for effect in lines) >= 6


def test_every_card_has_a_title_and_a_text_in_every_language() -> None:
    for words in content.WORDS.values():
        assert {key.removeprefix("about_") for key in words.sections["labels"] if key.startswith("about_")} == set(content.LINES)
        assert set(content.LINES) <= set(words.sections["names"])


def test_the_terms_of_the_rulebook_are_binding() -> None:
    names = tomllib.loads((content.FOLDER / "words" / "it.toml").read_text("utf-8"))["names"]
    terms = {
        "match_takings": "incasso partita",
        "capital_increase": "aumento di capitale",
        "goalmouth_scramble": "mischia in area",
        "start_end": "fine/inizio partita",
        "die_token": "gettone bonus dado",
        "football": "evento calcistico",
        "midfield": "centrocampo",
    }
    assert {key: names[key] for key in terms} == terms


@pytest.mark.parametrize("seats", [2, 4])
def test_the_trader_beats_chance(seats) -> None:
    won = Counter()
    for number in range(10):
        levels = ["trader" if seat == number % seats else "random" for seat in range(seats)]
        match = play_out(GAME, seats, GAME.read_options({"length": "short"}), key_of(number), [BOTS[level] for level in levels])
        won[GAME.result(match.state)[number % seats] == 1] += 1
    assert won[True] >= 9
