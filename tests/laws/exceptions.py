"""What do the tests of a game leave out, and why? The tables of tests/games/<game>/untested.toml."""

import tomllib
from functools import cache
from pathlib import Path

GAMES = Path(__file__).parents[1] / "games"


@cache
def untested(name: str) -> dict[str, dict[str, str]]:
    """Per section (clauses, events, content, told) what is left out, each with its reason."""
    path = GAMES / name / "untested.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def exceptions_of(name: str, section: str) -> frozenset[str]:
    return frozenset(untested(name).get(section, {}))
