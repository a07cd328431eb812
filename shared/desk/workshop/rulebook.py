"""Which function carries out a clause, and which test proves it? `cupboard rulebook GAME` prints every clause with both."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from shared.desk.workshop.games import NoSuchGame, named, names

ROOT = Path(__file__).parents[3]
CLAUSE = re.compile(r"^- \*\*([A-Z]{2}-\d{3,4})\*\* (.+)$", re.MULTILINE)
NUMBER = r"[A-Z]{2}-\d{3,4}"
LEADING = re.compile(rf"{NUMBER}(?:(?:,| to| and|, and) {NUMBER})*")


class Clause(NamedTuple):
    """A numbered clause, where it is carried out, what proves it, or why nothing does."""

    number: str
    text: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]
    reason: str

    @property
    def missing(self) -> bool:
        return not self.tests and not self.reason


class Book(NamedTuple):
    """The clauses of a game, and numbers named in code, tests or untested.toml that no clause has."""

    clauses: tuple[Clause, ...]
    unknown: tuple[str, ...]


def book_of(name: str) -> Book:
    """The clauses of a game, from its RULES.md, its code, and the tests."""
    folder = folder_of(name)
    written = clauses_in(folder / "RULES.md")
    functions = _gathered(written, _functions(folder))
    tests = _gathered(written, _tests(written))
    reasons = {number: why for key, why in untested(folder.name).items() for number in expanded(key, written)}
    clauses = tuple(
        Clause(number, text, functions.get(number, ()), tests.get(number, ()), reasons.get(number, ""))
        for number, text in written.items()
    )
    named_anywhere = {*functions, *tests, *reasons}
    return Book(clauses, tuple(sorted(number for number in named_anywhere if number not in written)))


def folder_of(name: str) -> Path:
    module = sys.modules[named(name).setup.__module__].__file__
    return Path(str(module)).parent


def clauses_in(rules: Path) -> dict[str, str]:
    """Number and text of every clause, in the order of the book."""
    return dict(CLAUSE.findall(rules.read_text("utf-8")))


def untested(game: str) -> dict[str, str]:
    """Clauses that no test proves, with the reason: the section [clauses] of the game's untested.toml."""
    path = ROOT / "tests" / "games" / game / "untested.toml"
    table: dict[str, str] = tomllib.loads(path.read_text("utf-8")).get("clauses", {}) if path.exists() else {}
    return table


def expanded(text: str, written: Iterable[str]) -> list[str]:
    """`PB-121 to PB-123, PB-131` as single numbers; a range holds the clauses that exist between its ends."""
    found: list[str] = []
    for first, last in re.findall(rf"({NUMBER})(?: to ({NUMBER}))?", text):
        between = [number for number in written if _key(first) <= _key(number) <= _key(last)] if last else []
        found += [*between, *(end for end in (first, last) if end and end not in between)]
    return found


def _key(number: str) -> tuple[str, int]:
    prefix, _, digits = number.partition("-")
    return prefix, int(digits or 0)


def _gathered(written: Iterable[str], found: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """From (numbers as written, place) to the places of each number; foreign prefixes are left out."""
    prefixes = {number[:3] for number in written}
    places: dict[str, tuple[str, ...]] = {}
    for text, place in found:
        for number in expanded(text, written):
            if number[:3] in prefixes:
                places[number] = (*places.get(number, ()), place)
    return places


def _functions(folder: Path) -> Iterator[tuple[str, str]]:
    """Functions and classes whose docstring starts with clauses."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                leading = LEADING.match(ast.get_docstring(node) or "")
                if leading:
                    yield leading[0], f"{path.relative_to(folder)} {node.name}"


def _tests(written: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Tests and scenarios that name clauses of this book."""
    prefix = next(iter(written), "??-")[:3]
    for path in sorted((ROOT / "tests").rglob("*.*")):
        if path.suffix == ".py" and prefix in (text := path.read_text("utf-8")):
            yield from _marked(ast.parse(text), str(path.relative_to(ROOT)))
        elif path.suffix == ".toml" and path.parent.name == "scenarios":
            named_rules = re.search(r"^rules\s*=\s*\[(.*?)\]", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
            yield named_rules[1] if named_rules else "", str(path.relative_to(ROOT))


def _marked(tree: ast.AST, path: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "rule":
                    numbers = [argument.value for argument in mark.args if isinstance(argument, ast.Constant)]
                    yield ", ".join(map(str, numbers)), f"{path}::{node.name}"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard rulebook", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all registered games if none is named")
    parser.add_argument("--missing", action="store_true", help="only clauses without a test and without a reason for that")
    parser.add_argument("--json", action="store_true", help="print one JSON object per clause")
    given = parser.parse_args(argv)
    try:
        books = [book_of(name) for name in given.games or names()]
    except (NoSuchGame, FileNotFoundError) as error:
        print(f"cupboard rulebook: {error}", file=sys.stderr)
        return 2
    for book in books:
        for clause in book.clauses:
            if clause.missing or not given.missing:
                print(json.dumps(clause._asdict()) if given.json else _line(clause))
        for number in book.unknown:
            print(f"{number} is named in code, tests or untested.toml, but is no clause", file=sys.stderr)
    return int(any(book.unknown or any(clause.missing for clause in book.clauses) for book in books))


def _line(clause: Clause) -> str:
    """On one line, so that it can be searched with grep."""
    proof = ", ".join(clause.tests) or (f"untested: {clause.reason}" if clause.reason else "NO TEST")
    return f"{clause.number} {clause.text} | {', '.join(clause.functions) or '-'} | {proof}"
