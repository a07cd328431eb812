"""How does a new game begin? As a copy of the sample: `cupboard newgame lucky_seven` makes its rooms, tests and registration."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from shared.desk.workshop.rulebook import ROOT, clauses_in

SAMPLE = "pebbles"
TABLE = '[project.entry-points."cupboard.games"]\n'
TEXT = {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".svg"}


class CannotBegin(ValueError):
    """Why there can be no such game."""


def begin(name: str, prefix: str, root: Path = ROOT) -> list[Path]:
    """Makes the game and returns what was written or changed."""
    check(name, prefix, root)
    folder, tests = root / "services" / name, root / "tests" / "games" / name
    laws = root / "tests" / "laws"
    shutil.copytree(laws / SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(laws / "scenarios", tests / "scenarios")
    shutil.copy(laws / f"test_{SAMPLE}.py", tests / "test_rules.py")
    for path in [*folder.rglob("*"), *tests.rglob("*")]:
        if path.suffix in TEXT:
            path.write_text(renamed(path.read_text("utf-8"), name, prefix), "utf-8")
    _sort_imports([folder, tests])
    changed = [root / "pyproject.toml", root / "docker-compose.yml"]
    for path, change in zip(changed, (registered, composed), strict=True):
        path.write_text(change(path.read_text("utf-8"), name), "utf-8")
    return [folder, tests, *changed]


def check(name: str, prefix: str, root: Path) -> None:
    """Raises CannotBegin with the reason."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise CannotBegin(f"{name!r}: small letters and digits, words joined by underscores")
    if name == SAMPLE or any((root / place / name).exists() for place in ("services", "tests/games")):
        raise CannotBegin(f"{name} is there already")
    if not re.fullmatch(r"[A-Z]{2}", prefix):
        raise CannotBegin(f"{prefix!r}: the prefix of the clauses is two capital letters")
    if prefix in {"PL", "LG", "EX"} | set(_prefixes(root)):
        raise CannotBegin(f"the prefix {prefix} is taken; choose another one with --prefix")


def _prefixes(root: Path) -> Iterable[str]:
    for rules in (root / "services").glob("*/RULES.md"):
        yield from {number[:2] for number in clauses_in(rules)}


def initials(name: str) -> str:
    """LS for lucky_seven, CH for chess."""
    words = name.split("_")
    return ("".join(word[0] for word in words[:2]) if len(words) > 1 else name[:2]).upper()


def renamed(text: str, name: str, prefix: str) -> str:
    """The sample's text under the new name."""
    title = name.replace("_", " ").title()
    places = {
        f"tests.laws.{SAMPLE}": f"services.{name}",
        f'name="{SAMPLE}"': f'name="{name}"',
        "PB-": f"{prefix}-",
        "prefix PB": f"prefix {prefix}",
    }
    places |= {SAMPLE.title(): title}
    for old, new in places.items():
        text = text.replace(old, new)
    return text.replace(f'game = "services.{name}.game:GAME"', f'game = "{name}"')


def registered(project: str, name: str) -> str:
    """pyproject.toml with one more line in the table of games."""
    before, table, after = project.partition(TABLE)
    games, blank, rest = after.partition("\n\n")
    return f'{before}{table}{games}\n{name} = "services.{name}.game:GAME"{blank}{rest}'


def composed(compose: str, name: str) -> str:
    """docker-compose.yml with a worker and a watch more, like those of the last game."""
    blocks = list(re.finditer(r"^  (?:game|watch)-([\w-]+):\n(?:    .*\n)+", compose, re.MULTILINE))
    if not blocks:
        return compose
    last, end = blocks[-1][1], blocks[-1].end()
    added = "\n".join(block[0].replace(last, name) for block in blocks if block[1] == last)
    return f"{compose[:end]}\n{added}{compose[end:]}"


def _sort_imports(folders: list[Path]) -> None:
    """The new name stands elsewhere in the alphabet; where ruff is not installed, `make lint` will say so."""
    for order in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *order, "--quiet", *map(str, folders)], check=False, capture_output=True)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard newgame", description=__doc__)
    parser.add_argument("name", help="for example lucky_seven")
    parser.add_argument("--prefix", help="of its clauses; by default the initials of the name")
    given = parser.parse_args(argv)
    try:
        written = begin(given.name, given.prefix or initials(given.name))
    except CannotBegin as reason:
        print(f"cupboard newgame: {reason}", file=sys.stderr)
        return 1
    for path in written:
        print(path.relative_to(ROOT))
    print(f"next: make laws GAME={given.name}; then read services/{given.name}/README.md and change everything")
    return 0
