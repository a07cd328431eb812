"""The pack: what may stand in it, and that an operator can replace it (KC-137, KC-231 to KC-236)."""

import shutil
from pathlib import Path

import pytest

from services.knightly_cup import content
from services.knightly_cup.content.effects import CombatDice, MoveDice, RerollOwnLoss
from services.knightly_cup.content.shapes import Item
from services.knightly_cup.game import GAME
from services.knightly_cup.rules.effects import good_of, printed
from services.knightly_cup.state import Good, Options
from shared.desk.workshop.pack import check
from shared.kernel.content import PackError
from tests.ledger import rule


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A copy of the pack to change."""
    return Path(shutil.copytree(content.FOLDER / "base", tmp_path / "pack"))


def _changed(pack: Path, file: str, old: str, new: str) -> str:
    """What is wrong with the pack after this change."""
    path = pack / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    try:
        check(GAME, pack)
    except PackError as error:
        return str(error)
    return ""


@rule("KC-137", "KC-236")
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("legend.toml", '"J", type = "merchant"', '"J", type = "temple"'),
        ("legend.toml", '{ rank = "K", type = "gateway" },', ""),
        ("legend.toml", '"joker", type = "elves"', '"joker", type = "merchant"'),
        ("legend.toml", "strength = 2", "strength = 13"),
        ("legend.toml", '"2", type = "monster", strength = 2', '"2", type = "monster"'),
        ("gateways.toml", '"diamonds"', '"hearts"'),
        ("items.toml", "price = 11", "price = 5"),
        ("items.toml", "price = 11", "price = 41"),
        ("items.toml", 'does = "move_dice"', 'does = "fly"'),
        ("items.toml", 'id = "horse"', 'id = "sword"'),
        ("items.toml", "sellable = false", "sellable = true"),
        ("settings.toml", "most_dice = 5", "most_dice = 1"),
        ("settings.toml", "toll = 1", "tolls = 1"),
        ("clocks.toml", "turn = 120", "turn = 5"),
        ("pack.toml", "version = 1", ""),
    ],
)
def test_a_bad_pack_is_refused(pack: Path, file: str, old: str, new: str) -> None:
    assert _changed(pack, file, old, new)


@rule("KC-211")
def test_nobody_begins_with_more_dice_than_the_most(pack: Path) -> None:
    assert not _changed(pack, "settings.toml", "base_dice = 2", "base_dice = 3")
    assert "base_dice" in _changed(pack, "settings.toml", "most_dice = 5", "most_dice = 2")


def test_every_fault_is_listed(pack: Path) -> None:
    _changed(pack, "gateways.toml", '"diamonds"', '"hearts"')
    found = _changed(pack, "items.toml", "sellable = false", "sellable = true")
    assert len(found.splitlines()) == 2


@rule("KC-137")
def test_the_legend_may_be_remapped(pack: Path) -> None:
    assert _changed(pack, "legend.toml", '"J", type = "merchant"', '"J", type = "monster", strength = 11')  # no Merchant is left
    assert not _changed(pack, "legend.toml", '"10", type = "monster", strength = 10', '"10", type = "merchant"')


@rule("KC-231", "KC-232", "KC-233", "KC-234")
def test_effects_add_up() -> None:
    wonder = Item("horse", "merchant", 20, sellable=True, effects=(MoveDice(3), CombatDice(2), RerollOwnLoss(1)))
    assert good_of(wonder) == Good(20, "merchant", sellable=True, move_dice=3, combat_dice=2, rerolls=1)


def test_a_table_may_choose_its_own_numbers() -> None:
    numbers = printed(content.BASE, Options(turn_cap_rounds=99, memory_aid=False)).numbers
    assert (numbers.turn_cap_rounds, numbers.memory_aid, numbers.combat_round_cap) == (99, False, 30)


@rule("KC-132", "KC-133", "KC-134", "KC-135", "KC-136")
def test_the_counts_of_the_standard_pack() -> None:
    kinds = [entry.type for entry in content.BASE.legend.ranks for _ in range(2 if entry.rank == "joker" else 4)]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "elves": 2,
        "fortress": 4,
        "gateway": 4,
        "merchant": 4,
        "monster": 36,
        "temple": 4,
    }
