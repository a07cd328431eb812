"""Does a new game begin well? In a copy of the house it is made, registered, and kept by every law at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shared.desk.workshop.newgame import CannotBegin, check, composed, initials, registered
from shared.desk.workshop.shape import ROOT

PARTS = (
    "shared",
    "services/__init__.py",
    "tests/laws",
    "tests/shape",
    "tests/games/conftest.py",
    "tests/conftest.py",
    "tests/databases.py",
    "tests/ledger.py",
)
FILES = ("pyproject.toml", "docker-compose.yml", "README.md")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The house without its games."""
    for part in (*PARTS, *FILES):
        source, copy = ROOT / part, tmp_path / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, copy)
    return tmp_path


def run(house: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(house), "CUPBOARD_LAW_SEEDS": "2"}
    return subprocess.run([sys.executable, "-m", *words], cwd=house, env=environment, capture_output=True, text=True, check=False)


def install(house: Path) -> None:
    """What `make setup` does after pyproject.toml has changed: the table of games is read anew."""
    table = (house / "pyproject.toml").read_text("utf-8").partition('"cupboard.games"]\n')[2].partition("\n\n")[0]
    lines = [line for line in table.splitlines() if "lucky_seven" in line]
    told = house / "cupboard-0.1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: cupboard\nVersion: 0.1.0\n", "utf-8")
    (told / "entry_points.txt").write_text("[cupboard.games]\n" + "\n".join(lines).replace('"', "") + "\n", "utf-8")


def test_a_new_game_is_kept_by_every_law_at_once(house: Path) -> None:
    made = run(house, "shared.desk.cli", "newgame", "lucky_seven")
    assert made.returncode == 0, made.stdout + made.stderr
    install(house)
    assert "LS-101" in run(house, "shared.desk.cli", "rulebook", "lucky_seven").stdout
    laws = run(house, "pytest", "tests/laws", "--game", "lucky_seven", "-q", "-k", "lucky_seven")
    assert laws.returncode == 0, laws.stdout
    rules = run(house, "pytest", "tests/games/lucky_seven", "tests/shape", "-q", "-k", "lucky_seven")
    assert rules.returncode == 0, rules.stdout
    assert "scenarios" not in rules.stderr
    again = run(house, "shared.desk.cli", "newgame", "lucky_seven")
    assert (again.returncode, "is there already" in again.stderr) == (1, True)


def test_registration_adds_one_line_to_the_table() -> None:
    table = '[project.entry-points."cupboard.games"]\na = "services.a.game:GAME"\n\n[tool]\n'
    assert registered(table, "b") == table.replace("\n\n[tool]", '\nb = "services.b.game:GAME"\n\n[tool]')


def test_compose_gets_a_worker_and_a_watch_like_those_of_the_last_game() -> None:
    before = "services:\n  game-a:\n    command: [game, a]\n\n  watch-a:\n    command: [watch, a]\n\nvolumes:\n"
    expected = before.replace(
        "\nvolumes",
        "\n  game-b:\n    command: [gbme, b]\n".replace("gbme", "game") + "\n  watch-b:\n    command: [watch, b]\n\nvolumes",
    )
    assert composed(before.replace(" a]", " a1]").replace("-a:", "-a1:"), "b") == expected.replace(" a]", " a1]").replace(
        "-a:", "-a1:"
    )


@pytest.mark.parametrize(("name", "letters"), [("lucky_seven", "LS"), ("chess", "CH"), ("a_b_c", "AB")])
def test_clauses_get_the_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("name", "prefix", "reason"),
    [
        ("Lucky", "LU", "small letters"),
        ("../x", "XX", "small letters"),
        ("pebbles", "PB", "is there already"),
        ("gateway", "GW", "is there already"),
        ("lucky", "PL", "is taken"),
        ("lucky", "lucky", "two capital letters"),
    ],
)
def test_a_game_that_cannot_be_is_refused(name: str, prefix: str, reason: str) -> None:
    with pytest.raises(CannotBegin, match=reason):
        check(name, prefix, ROOT)
