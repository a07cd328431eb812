"""Does every file say what it answers, in our words, and nothing about the machine it was written on?"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from shared.desk.workshop.shape import ROOT, python_files, tree
from tests.shape.house import files, shown

VAGUE = {"manager", "handler", "helper", "helpers", "util", "utils", "data", "context", "payload", "session"}
COMMENT = {
    ".py": ('"""', "# "),
    ".sql": ("-- ",),
    ".js": ("// ", "/* "),
    ".css": ("/* ",),
    ".toml": ("# ",),
    ".yml": ("# ",),
    ".sh": ("#!",),
}
TEXT = {*COMMENT, ".md", ".html", ".txt", ".json", ".svg", ".lock", ".cfg", ""}


def test_every_file_says_first_what_it_answers() -> None:
    """One sentence at the top saves reading the rest."""
    silent = {}
    for path in files():
        if path.suffix in COMMENT and path.stat().st_size:
            first = path.read_text("utf-8").lstrip().splitlines()[0]
            if not first.startswith(COMMENT[path.suffix]):
                silent[shown(path)] = first
    assert not silent, f"begin these files with a comment of one sentence: {silent}"


def test_every_module_has_a_docstring_of_one_sentence() -> None:
    for path in python_files():
        said = ast.get_docstring(tree(path)) or ""
        assert said.split("\n\n")[0].rstrip().endswith((".", "?", "!", ":")), f"{shown(path)}: {said!r}"


def test_names_say_what_they_mean() -> None:
    """DESIGN 2: a manager manages anything, and data is everything; the game has better words."""
    vague = [
        f"{shown(path)}:{line} {name}" for path in python_files() for line, name in _names(path) if _vague(path) & _parts(name)
    ]
    assert not vague, f"say it in a player's or an operator's word: {vague}"


def _vague(path: Path) -> set[str]:
    """A browser's session (PL-127) is a thing of the gateway; nowhere else is there one."""
    about_browsers = {ROOT / "services" / "gateway", ROOT / "tests" / "gateway"} & set(path.parents)
    return VAGUE - {"session"} if about_browsers else VAGUE


def _parts(name: str) -> set[str]:
    return set(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_"))


def _names(path: Path) -> Iterator[tuple[int, str]]:
    """Every name that a file gives: its own, those of classes, functions, arguments and variables."""
    yield 1, path.stem
    for node in ast.walk(tree(path)):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    """Paths of one machine and addresses of package hosts break on every other machine."""
    homes = [str(ROOT.parent) + "/", str(ROOT) + "/", *(f"/{folder}/" for folder in ("Users", "home", "root"))]
    homes = [home for home in homes if home not in {"/", "//"}]
    hosts = re.compile(r"https?://[^\s\"')]*(?:pypi|pythonhosted|npmjs|registry|artifact|mirror)[^\s\"')]*")
    for path in files():
        if path.suffix not in TEXT or path == Path(__file__):
            continue
        text = path.read_text("utf-8", errors="replace")
        found = [home for home in homes if re.search(rf"(?<![\w.]){re.escape(home)}", text)] + hosts.findall(text)
        assert not found, f"{shown(path)} names {found}; read places from settings, and leave hosts to the tool"
