"""How large is everything? `cupboard shape` measures files, functions, arguments and folders; tests/shape sets the limits."""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
AREAS = ("services", "shared", "tests")
CODE = {".py", ".sql", ".js", ".html", ".css"}
NUMBERED = re.compile(r"\d{4}_\w+\.sql")


class Function(NamedTuple):
    """A function: where it is, how long, and how many arguments it takes besides self."""

    path: Path
    name: str
    line: int
    lines: int
    arguments: int


def python_files(root: Path = ROOT, areas: Iterable[str] = AREAS) -> list[Path]:
    """Every Python file of the project itself."""
    return [path for area in areas for path in sorted((root / area).rglob("*.py")) if "node_modules" not in path.parts]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            named = [argument for argument in arguments if argument.arg not in {"self", "cls"}]
            yield Function(path, node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1, len(named))


def folders(root: Path = ROOT, areas: Iterable[str] = AREAS) -> Counter[Path]:
    """How many files of code lie in each folder; __init__.py is the folder's own title and does not count.

    Nor do migrations: they are numbered, read in their order and never taken away, since somebody has carried them out.
    """
    found = (path for area in areas for path in (root / area).rglob("*.*") if path.suffix in CODE)
    return Counter(path.parent for path in found if path.name != "__init__.py" and not NUMBERED.fullmatch(path.name))


def total(folder: Path, suffix: str = ".py") -> int:
    """All lines of a folder."""
    return sum(lines(path) for path in folder.rglob(f"*{suffix}"))


def spread(numbers: Iterable[int]) -> dict[str, int]:
    """Count, median, the value that 95 % stay below, and the largest."""
    ordered = sorted(numbers) or [0]
    last = len(ordered) - 1
    return {"count": len(ordered), "median": ordered[last // 2], "p95": ordered[int(last * 0.95)], "most": ordered[last]}


def measured(root: Path = ROOT) -> dict[str, dict[str, Any]]:
    """Per service and part of shared, and for the tests: lines of files and functions, and arguments."""
    parts = [path for area in ("services", "shared") for path in sorted((root / area).iterdir()) if path.is_dir()]
    table = {}
    for part in [*parts, root / "tests"]:
        files = python_files(part, ["."])
        every = [function for path in files for function in functions(path)]
        if files:
            table[str(part.relative_to(root))] = {
                "lines": sum(map(lines, files)),
                "file": spread(map(lines, files)),
                "function": spread(function.lines for function in every),
                "arguments": spread(function.arguments for function in every),
            }
    return table


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard shape", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(argv)
    table = measured()
    if given.json:
        print(json.dumps(table))
        return 0
    print(f"{'':<22}{'lines':>7}{'files':>7}  lines of a file    functions  lines of a function  most arguments")
    for part, size in table.items():
        file, function, arguments = size["file"], size["function"], size["arguments"]
        print(
            f"{part:<22}{size['lines']:>7,}{file['count']:>7}  {_three(file):<18}{function['count']:>9,}  {_three(function):<19}"
            f"{arguments['most']:>16}"
        )
    return 0


def _three(size: dict[str, int]) -> str:
    return f"{size['median']} · {size['p95']} · {size['most']}"
