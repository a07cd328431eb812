"""Where is what in this house? The folders of the games, the files of the project, and what each imports."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from shared.desk.workshop.shape import ROOT, tree

SAMPLE = ROOT / "tests" / "laws" / "pebbles"
ROOMS = ("game", "state", "commands", "events", "setup", "legal", "view", "bots", "worker")


def games() -> list[Path]:
    """The folder of every game, the sample included."""
    return [SAMPLE, *sorted(path.parent for path in (ROOT / "services").glob("*/game.py"))]


def services() -> list[Path]:
    return sorted(path for path in (ROOT / "services").iterdir() if (path / "__init__.py").exists())


@cache
def files() -> tuple[Path, ...]:
    """Every file that is, or would be, part of a commit."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        found = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:  # a copy without its history
        parts = ("services", "shared", "tests", "deploy")
        found = [path for part in parts for path in (ROOT / part).rglob("*") if "__pycache__" not in path.parts]
    return tuple(path for path in found if path.is_file())


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, whole; `from package import part` counts as package.part."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield from (f"{base}.{alias.name}" for alias in node.names)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))
